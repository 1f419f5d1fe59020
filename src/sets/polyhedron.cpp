// The polyhedron {row_lower <= A x <= row_upper, lower <= x <= upper}.
//   projection, linear minimum   by an interior-point method (interior/polyhedron.hpp)
//   linear bound                 at the multipliers y that come with them, or that a hint gives (linear_dual.hpp)
// Sides that are open count by what the rows imply for them, and what is still open by a radius that the caller
// vouches for.  Refused: sides that cross, and rows that a multiplier proves to have no common point.
#include "interior/polyhedron.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>
#include <utility>

#include "fcbio/error.hpp"
#include "linalg/csr.hpp"
#include "sets/checks.hpp"
#include "sets/linear_dual.hpp"
#include "sets/membership.hpp"
#include "sets/scratch_watch.hpp"

namespace fcbio {
namespace {

constexpr double kInsideRoundings = 16.0;  // of a row's products, by which a member may seem to be outside
constexpr double kEmptyBudget = 2e10;      // operations that may be spent on finding out that there is no point
constexpr std::size_t kRowsNamed = 5;

using Matrix = std::variant<RowMajorMatrix, CsrMatrix>;

/// What copies with another radius share.
struct Body {
  Matrix matrix;
  Vector row_lower, row_upper, lower, upper;
  Vector least, most;  ///< sides of x, the implied ones included
  Vector lengths;      ///< of the rows
  mutable std::once_flag settler_made;
  mutable std::unique_ptr<sets::Settler> settler;

  sets::RowView rows() const {
    const auto* dense = std::get_if<RowMajorMatrix>(&matrix);
    return {dense, std::get_if<CsrMatrix>(&matrix)};
  }
  bool is_bounded() const { return least.allFinite() && most.allFinite(); }
};

class Polyhedron final : public ConvexSet {
 public:
  Polyhedron(Matrix matrix, Vector row_lower, Vector row_upper, Vector lower, Vector upper,
             std::optional<double> radius)
      : told_radius_(radius) {
    auto body = std::make_shared<Body>();
    body->matrix = std::move(matrix);
    const Index m = body->rows().count(), n = columns_of(body->matrix);
    const auto sides = [](Vector given, Index size, double open) {
      return given.size() == 0 ? Vector(Vector::Constant(size, open)) : std::move(given);
    };
    body->row_lower = sides(std::move(row_lower), m, -kInfinity);
    body->row_upper = sides(std::move(row_upper), m, kInfinity);
    body->lower = sides(std::move(lower), n, -kInfinity);
    body->upper = sides(std::move(upper), n, kInfinity);
    check(*body);
    body->least = body->lower;
    body->most = body->upper;
    sets::add_implied_sides(body->rows(), body->row_lower, body->row_upper, body->least, body->most);
    body_ = std::move(body);
    refuse_empty();
  }
  Polyhedron(const Polyhedron& other, double reach)
      : body_(other.body_), told_radius_(other.told_radius_), reach_(reach) {}

  std::string_view name() const override { return "polyhedron"; }
  Index dimension() const override { return body_->lower.size(); }
  SetShape shape() const override {
    const sets::RowView rows = body_->rows();
    return PolyhedronShape{rows.dense,    rows.sparse,   &body_->row_lower, &body_->row_upper,
                           &body_->lower, &body_->upper, told_radius_};
  }
  bool rests_on_told_radius() const override {
    return !body_->is_bounded() && told_radius_.has_value() && reach_ == kInfinity;
  }

  bool resting_point(VectorIn start, VectorOut rest) const override {
    rest = start.cwiseMax(body_->lower).cwiseMin(body_->upper);
    return true;
  }
  void mark_used(std::vector<bool>& used) const override {
    for (Index i = 0; i < body_->rows().count(); ++i)
      body_->rows().each(i, [&](Index j, double) { used[static_cast<std::size_t>(j)] = true; });
  }
  /// For columns left out that are empty (mark_used).
  ConvexSetPtr restricted(const std::vector<Index>& used) const override {
    const auto count = static_cast<Index>(used.size());
    std::vector<Index> place(static_cast<std::size_t>(dimension()), -1);
    for (Index k = 0; k < count; ++k) place[static_cast<std::size_t>(used[static_cast<std::size_t>(k)])] = k;
    Matrix smaller;
    if (const auto* dense = body_->rows().dense) {
      smaller = RowMajorMatrix((*dense)(Eigen::all, used));
    } else {
      CsrMatrix sparse = std::get<CsrMatrix>(body_->matrix);
      sparse.cols = count;
      for (std::int32_t& column : sparse.columns) {
        const Index at = place[static_cast<std::size_t>(column)];
        if (at < 0) return nullptr;
        column = static_cast<std::int32_t>(at);
      }
      smaller = std::move(sparse);
    }
    return std::make_shared<Polyhedron>(std::move(smaller), body_->row_lower, body_->row_upper, body_->lower(used),
                                        body_->upper(used), told_radius_);
  }
  ConvexSetPtr within(double reach) const override {
    return body_->is_bounded() ? nullptr : std::make_shared<Polyhedron>(*this, reach);
  }

  void project(VectorOut x, Scratch& scratch) const override {
    if (is_inside(x)) return;
    Vector& duals = scratch.vector(0, body_->rows().count());
    sets::ScratchWatch watch(scratch);
    interior::nearest_point(view(), x, duals, &watch);
    x = x.cwiseMax(body_->lower).cwiseMin(body_->upper);
  }

  double linear_lower_bound(VectorIn direction, Scratch& scratch) const override {
    Vector& duals = scratch.vector(0, body_->rows().count());
    search(direction, duals, scratch);
    return evaluate(direction, duals);
  }

  double prove_linear_bound(VectorIn direction, SetWitness& witness, Scratch& scratch) const override {
    Vector duals = std::move(witness.multipliers);
    witness = SetWitness{};
    double bound = -kInfinity;
    if (duals.size() == body_->rows().count()) {
      repair(duals);
      bound = evaluate(direction, duals);
    }
    if (bound == -kInfinity) {
      duals.resize(body_->rows().count());
      search(direction, duals, scratch);
      bound = evaluate(direction, duals);
    }
    witness.multipliers = std::move(duals);
    return bound;
  }
  void take_duals(sets::ConditionDuals& duals, VectorOut share, SetWitness& witness) const override {
    Vector multipliers = duals.rows_ahead(body_->rows().count());
    ConvexSet::take_duals(duals, share, witness);
    witness.multipliers = std::move(multipliers);
    repair(witness.multipliers);
  }

  bool minimize_linear(VectorIn direction, VectorOut vertex) const override {
    Vector duals(body_->rows().count());
    return interior::minimize_linear(view(), direction, vertex, duals, nullptr) == interior::Outcome::solved &&
           vertex.allFinite();
  }

  std::optional<double> enclosing_ball(VectorOut centre) const override {
    if (body_->is_bounded()) {
      centre = 0.5 * body_->least + 0.5 * body_->most;
      return sets::norm_of((body_->most - centre).cwiseMax(centre - body_->least)) * (1.0 + 1e-12);
    }
    if (!(radius() < kInfinity)) return std::nullopt;
    centre.setZero();
    return radius();
  }
  std::optional<double> diameter() const override {
    if (body_->is_bounded()) return sets::norm_of(body_->most - body_->least) * (1.0 + 1e-12);
    return radius() < kInfinity ? std::optional<double>(2.0 * radius()) : std::nullopt;
  }
  double reach() const override {
    const double sides = sets::norm_of(body_->least.cwiseAbs().cwiseMax(body_->most.cwiseAbs())) * (1.0 + 1e-12);
    return body_->is_bounded() ? sides : radius();
  }

  /// Largest excess of a row, whose length is made 1, or of a side.
  double violation(VectorIn x) const override {
    double worst = (body_->lower - x).cwiseMax(x - body_->upper).maxCoeff();
    const sets::RowView rows = body_->rows();
    for (Index i = 0; i < rows.count(); ++i) {
      if (body_->lengths[i] == 0.0) continue;
      double product = 0.0;
      rows.each(i, [&](Index j, double a) { product += a * x[j]; });
      const double off = std::max(body_->row_lower[i] - product, product - body_->row_upper[i]);
      worst = std::max(worst, off / body_->lengths[i]);
    }
    return std::max(worst, 0.0);
  }

  bool describe(sets::Conditions& conditions, Index first) const override {
    if (body_->rows().count() > 0)
      conditions.rows.push_back({first, body_->rows(), &body_->row_lower, &body_->row_upper});
    conditions.sides.push_back({first, dimension(), &body_->lower, &body_->upper});
    return true;
  }
  bool interior_point(VectorOut s) const override { return settler().interior_point(s); }
  const interior::Tight* tight() const override { return settler().tight(); }
  double settle(VectorOut x) const override { return settler().settle(x); }

 private:
  static Index columns_of(const Matrix& matrix) {
    const auto* dense = std::get_if<RowMajorMatrix>(&matrix);
    return dense != nullptr ? dense->cols() : std::get<CsrMatrix>(matrix).cols;
  }

  double radius() const { return reach_ < kInfinity ? reach_ : told_radius_.value_or(kInfinity); }

  interior::PolyhedronView view() const {
    const sets::RowView rows = body_->rows();
    return {rows.dense, rows.sparse, &body_->row_lower, &body_->row_upper, &body_->lower, &body_->upper};
  }

  /// But for rounding: a projection could not do better.
  bool is_inside(VectorIn x) const {
    if (!(x.array() >= body_->lower.array()).all() || !(x.array() <= body_->upper.array()).all()) return false;
    const sets::RowView rows = body_->rows();
    for (Index i = 0; i < rows.count(); ++i) {
      double product = 0.0, size = 0.0;
      rows.each(i, [&](Index j, double a) {
        product += a * x[j];
        size += std::abs(a * x[j]);
      });
      const double off = std::max(body_->row_lower[i] - product, product - body_->row_upper[i]);
      if (!(off <= kInsideRoundings * kEpsilon * size)) return false;
    }
    return true;
  }

  /// y <- multipliers of a good bound, of the direction scaled to norm 1 where that is possible.
  void search(VectorIn direction, Vector& duals, Scratch& scratch) const {
    Vector& vertex = scratch.vector(1, dimension());
    Vector& scaled = scratch.vector(2, dimension());
    const double norm = sets::norm_of(direction);
    duals.setZero();
    if (!(norm > 0.0) || !std::isfinite(norm) || duals.size() == 0) return;
    scaled = direction / norm;
    sets::ScratchWatch watch(scratch);
    interior::PolyhedronView sides = view();
    const Vector least = body_->lower.cwiseMax(-radius()), most = body_->upper.cwiseMin(radius());
    if (!body_->is_bounded()) sides.lower = &least, sides.upper = &most;  // as the ball allows
    const interior::Outcome outcome = interior::minimize_linear(sides, scaled, vertex, duals, &watch);
    duals *= norm;
    repair(duals);
    if (outcome == interior::Outcome::solved) return;
    const Vector found = duals;
    duals.setZero();
    if (evaluate(direction, found) > evaluate(direction, duals)) duals = found;
  }

  /// An open side gets no weight.
  void repair(Vector& duals) const {
    for (Index i = 0; i < duals.size(); ++i) {
      const double side = duals[i] >= 0.0 ? body_->row_lower[i] : body_->row_upper[i];
      if (!std::isfinite(side) || !std::isfinite(duals[i])) duals[i] = 0.0;
    }
  }

  double evaluate(VectorIn direction, const Vector& duals) const {
    std::vector<sets::ExtendedSum> rest(static_cast<std::size_t>(dimension()));
    for (Index j = 0; j < dimension(); ++j) rest[static_cast<std::size_t>(j)].add(direction[j]);
    sets::SidesBound bound;
    const sets::RowView rows = body_->rows();
    for (Index i = 0; i < duals.size(); ++i) {
      if (duals[i] == 0.0) continue;
      const double side = duals[i] > 0.0 ? body_->row_lower[i] : body_->row_upper[i];
      bound.add(sets::Extended{duals[i]} * side);
      rows.each(i, [&](Index j, double a) { rest[static_cast<std::size_t>(j)].add_product(-duals[i], a); });
    }
    for (Index j = 0; j < dimension(); ++j)
      bound.add(rest[static_cast<std::size_t>(j)], body_->least[j], body_->most[j]);
    return bound.finish(radius());
  }

  const sets::Settler& settler() const {
    std::call_once(body_->settler_made, [this] {
      const Vector start = Vector::Zero(dimension()).cwiseMax(body_->lower).cwiseMin(body_->upper);
      Vector centre(dimension());
      const double size = enclosing_ball(centre).value_or(1.0 + start.norm());
      body_->settler = std::make_unique<sets::Settler>(sets::membership_of(*this), start, std::max(size, 1e-300));
    });
    return *body_->settler;
  }

  static void check(Body& body) {
    const sets::RowView rows = body.rows();
    if (rows.sparse != nullptr) require_csr("polyhedron", view_of(*rows.sparse));
    sets::require_dimension("polyhedron", body.lower.size());
    require_length("row_lower", body.row_lower.size(), rows.count());
    require_length("row_upper", body.row_upper.size(), rows.count());
    require_length("lower", body.lower.size(), columns_of(body.matrix));
    require_length("upper", body.upper.size(), columns_of(body.matrix));
    check_sides("row", body.row_lower, body.row_upper);
    check_sides("index", body.lower, body.upper);
    body.lengths = Vector::Zero(rows.count());
    for (Index i = 0; i < rows.count(); ++i) {
      double largest = 0.0, square = 0.0;
      rows.each(i, [&](Index j, double a) {
        if (!std::isfinite(a))
          throw InvalidArgument("polyhedron: expected finite numbers in the matrix, found " + sets::text_of(a) +
                                " in row " + sets::text_of(i) + ", column " + sets::text_of(j) +
                                "; an open side belongs into lower or upper");
        largest = std::max(largest, std::abs(a));
      });
      if (largest > 0.0) rows.each(i, [&](Index, double a) { square += (a / largest) * (a / largest); });
      body.lengths[i] = largest * std::sqrt(square);
      if (largest == 0.0 && !(body.row_lower[i] <= 0.0 && body.row_upper[i] >= 0.0))
        throw InvalidArgument("polyhedron: expected rows that some x satisfies, found row " + sets::text_of(i) +
                              " of zeros with lower " + sets::text_of(body.row_lower[i]) + " and upper " +
                              sets::text_of(body.row_upper[i]) + "; drop the row or correct its sides");
    }
  }
  static void require_length(const char* what, Index found, Index expected) {
    if (found == expected) return;
    throw InvalidArgument("polyhedron: expected " + sets::text_of(expected) + " numbers in " + what + ", found " +
                          sets::text_of(found) + "; give one per " +
                          (std::string(what).rfind("row", 0) == 0 ? "row of the matrix" : "column of the matrix"));
  }
  static void check_sides(const char* place, const Vector& lower, const Vector& upper) {
    for (Index i = 0; i < lower.size(); ++i) {
      if (lower[i] < kInfinity && upper[i] > -kInfinity && lower[i] <= upper[i]) continue;
      throw InvalidArgument("polyhedron: expected lower <= upper, finite or open, found lower " +
                            sets::text_of(lower[i]) + " and upper " + sets::text_of(upper[i]) + " at " + place +
                            " " + sets::text_of(i) + ", which no point satisfies; exchange or correct the two");
    }
  }

  /// Where some y proves that 0 = <0, z> > 0 for all points z, there is none.
  void refuse_empty() const {
    if (told_radius_) sets::require_size("polyhedron", "radius", *told_radius_);
    const sets::RowView rows = body_->rows();
    if (rows.count() == 0) return;
    const Vector x = Vector::Zero(dimension()).cwiseMax(body_->lower).cwiseMin(body_->upper);
    if (is_inside(x)) return;
    OperationBudget budget(kEmptyBudget);
    const interior::DeepestPoint deepest = interior::deepest_point(view(), 1.0 + sets::norm_of(x), &budget);
    if (deepest.outcome != interior::Outcome::infeasible) return;
    Vector duals = deepest.row_duals;
    repair(duals);
    const double size = duals.lpNorm<Eigen::Infinity>();
    if (!(size > 0.0) || !(evaluate(Vector::Zero(dimension()), duals) > 0.0)) return;
    leave_out_what_is_not_needed(duals);
    throw InvalidArgument("polyhedron: expected rows and sides with a common point, found none: " +
                          conflict(duals / size) + " contradict each other; correct or drop one of them");
  }
  /// A method that stays away from all sides gives every row some weight; a proof needs few of them.
  void leave_out_what_is_not_needed(Vector& duals) const {
    constexpr Index kMostRows = 500;
    if (duals.size() > kMostRows) return;
    std::vector<Index> order(static_cast<std::size_t>(duals.size()));
    std::iota(order.begin(), order.end(), Index{0});
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
      return std::abs(duals[a]) * body_->lengths[a] < std::abs(duals[b]) * body_->lengths[b];
    });
    for (const Index i : order) {
      const double weight = duals[i];
      duals[i] = 0.0;
      if (!(evaluate(Vector::Zero(dimension()), duals) > 0.0)) duals[i] = weight;
    }
  }
  std::string conflict(const Vector& duals) const {
    std::vector<std::pair<double, std::string>> found;
    Vector rest = Vector::Zero(dimension());
    for (Index i = 0; i < duals.size(); ++i) {
      const bool low = duals[i] > 0.0;
      body_->rows().each(i, [&](Index j, double a) { rest[j] -= duals[i] * a; });
      found.emplace_back(std::abs(duals[i]) * body_->lengths[i],
                         "row " + sets::text_of(i) + (low ? " >= " : " <= ") +
                             sets::text_of(low ? body_->row_lower[i] : body_->row_upper[i]));
    }
    for (Index j = 0; j < rest.size(); ++j) {
      const bool low = rest[j] > 0.0;
      const double side = low ? body_->lower[j] : body_->upper[j];
      if (std::isfinite(side))
        found.emplace_back(std::abs(rest[j]),
                           "x[" + sets::text_of(j) + "]" + (low ? " >= " : " <= ") + sets::text_of(side));
    }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    std::string words;
    for (std::size_t k = 0; k < std::min(found.size(), kRowsNamed); ++k)
      if (found[k].first > 1e-3 * found.front().first) words += (k == 0 ? "" : ", ") + found[k].second;
    return words;
  }

  std::shared_ptr<const Body> body_;
  std::optional<double> told_radius_;
  double reach_ = kInfinity;  // of the points that matter, where that is known from elsewhere
};

}  // namespace

ConvexSetPtr polyhedron(RowMajorMatrix matrix, Vector row_lower, Vector row_upper, Vector lower, Vector upper,
                        std::optional<double> radius) {
  return std::make_shared<Polyhedron>(std::move(matrix), std::move(row_lower), std::move(row_upper),
                                      std::move(lower), std::move(upper), radius);
}

ConvexSetPtr polyhedron(CsrMatrix matrix, Vector row_lower, Vector row_upper, Vector lower, Vector upper,
                        std::optional<double> radius) {
  return std::make_shared<Polyhedron>(std::move(matrix), std::move(row_lower), std::move(row_upper),
                                      std::move(lower), std::move(upper), radius);
}

}  // namespace fcbio
