#include "core/falling_ray.hpp"

#include <algorithm>
#include <cmath>

#include "core/overloaded.hpp"
#include "interior/polyhedron.hpp"
#include "sets/row_view.hpp"

namespace fcbio {
namespace {

constexpr double kMostRayOperations = 2e9;  // of the search
constexpr Index kMostRayNumbers = 1 << 22;  // of all rows, so that the search is small beside a solve
constexpr double kFalls = 1e-8;             // of the size of the cost: less is rounding
constexpr double kMoves = 1e-7;             // of the largest entry of a ray: the others rest

/// Rows {low <= A d <= high}, low and high 0 or infinite, and sides of d.
class Cone {
 public:
  explicit Cone(Index n) : lower(Vector::Constant(n, -1.0)), upper(Vector::Ones(n)) {
    rows_.cols = n;
    rows_.starts = {0};
  }
  /// The numbers of a row come first, by add().
  void add(Index column, double number) {
    if (number == 0.0) return;
    rows_.columns.push_back(static_cast<std::int32_t>(column));
    rows_.values.push_back(number);
  }
  void end_row(bool may_fall, bool may_rise) {
    rows_.starts.push_back(static_cast<std::int64_t>(rows_.values.size()));
    ++rows_.rows;
    low_.push_back(may_fall ? -kInfinity : 0.0);
    high_.push_back(may_rise ? kInfinity : 0.0);
  }
  void close_side(Index j, bool may_fall, bool may_rise) {
    if (!may_fall) lower[j] = 0.0;
    if (!may_rise) upper[j] = 0.0;
  }
  Index numbers() const { return static_cast<Index>(rows_.values.size()); }

  /// The same in the variables `moving` alone, as a set; the others are 0.
  ConvexSetPtr restricted(const std::vector<Index>& moving) const {
    std::vector<Index> place(static_cast<std::size_t>(lower.size()), -1);
    for (std::size_t k = 0; k < moving.size(); ++k)
      place[static_cast<std::size_t>(moving[k])] = static_cast<Index>(k);
    Cone part(static_cast<Index>(moving.size()));
    part.lower = lower(moving);
    part.upper = upper(moving);
    const sets::RowView view{nullptr, &rows_};
    for (Index i = 0; i < rows_.rows; ++i) {
      const Index before = part.numbers();
      view.each(i, [&](Index j, double a) {
        if (const Index at = place[static_cast<std::size_t>(j)]; at >= 0) part.add(at, a);
      });
      if (part.numbers() > before)  // a row without numbers holds
        part.end_row(low_[static_cast<std::size_t>(i)]<0.0, high_[static_cast<std::size_t>(i)]> 0.0);
    }
    return polyhedron(std::move(part.rows_), part.row_lower(), part.row_upper(), part.lower, part.upper);
  }

  /// d <- a point with a small <cost, d>; false: none was found.
  bool minimize(const Vector& cost, Vector& d) const {
    const Vector low = row_lower(), high = row_upper();
    const interior::PolyhedronView view{nullptr, rows_.rows > 0 ? &rows_ : nullptr, &low, &high, &lower, &upper};
    OperationBudget budget(kMostRayOperations);
    Vector duals(rows_.rows);
    d = Vector::Zero(cost.size());
    interior::minimize_linear(view, cost, d, duals, &budget);  // however it ends: what d is worth is proved later
    return d.allFinite();
  }

  Vector lower, upper;

 private:
  Vector row_lower() const { return Eigen::Map<const Vector>(low_.data(), static_cast<Index>(low_.size())); }
  Vector row_upper() const { return Eigen::Map<const Vector>(high_.data(), static_cast<Index>(high_.size())); }

  CsrMatrix rows_;
  std::vector<double> low_, high_;
};

void close_sides(const Vector& lower, const Vector& upper, Cone& cone) {
  for (Index j = 0; j < lower.size(); ++j) cone.close_side(j, lower[j] == -kInfinity, upper[j] == kInfinity);
}

/// The rays of a set; empty: it is bounded, or not a polyhedron, or too large to be looked at.
std::optional<Cone> rays_of(const SetShape& shape, Index n) {
  return std::visit(Overloaded{
                        [&](const WholeSpaceShape&) { return std::optional<Cone>(n); },
                        [&](const BoxShape& box) {
                          std::optional<Cone> cone(n);
                          close_sides(*box.lower, *box.upper, *cone);
                          return cone;
                        },
                        [&](const PolyhedronShape& set) {
                          const sets::RowView rows{set.dense, set.sparse};
                          const Index stored = set.dense != nullptr    ? set.dense->size()
                                               : set.sparse != nullptr ? set.sparse->nonzeros()
                                                                       : 0;
                          std::optional<Cone> cone;
                          if (stored > kMostRayNumbers) return cone;
                          cone.emplace(n);
                          close_sides(*set.lower, *set.upper, *cone);
                          for (Index i = 0; i < rows.count(); ++i) {
                            rows.each(i, [&](Index j, double a) { cone->add(j, a); });
                            cone->end_row((*set.row_lower)[i] == -kInfinity, (*set.row_upper)[i] == kInfinity);
                          }
                          return cone;
                        },
                        [](const auto&) { return std::optional<Cone>(); },
                    },
                    shape);
}

/// False: the numbers are not at hand, or there are too many.
bool add_flat(const LinearMap& map, Cone& cone) {
  if (map.numbers() > kMostRayNumbers - cone.numbers() || !map.copy_rows(nullptr)) return false;
  RowMajorMatrix rows;
  map.copy_rows(&rows);
  for (Index i = 0; i < rows.rows(); ++i) {
    for (Index j = 0; j < rows.cols(); ++j) cone.add(j, rows(i, j));
    cone.end_row(false, false);
  }
  return true;
}

bool provably_falls(const ConvexSet& rays, const Vector& cost, Vector& d) {
  const double fall = -cost.dot(d);
  Vector middle(d.size());
  if (rays.interior_point(middle)) {
    const double share = 0.5 * fall / (fall + std::max(cost.dot(middle) + fall, 0.0));
    d += share * (middle - d);
  } else {
    OperationBudget budget(kMostRayOperations);
    Scratch scratch(budget);
    rays.project(d, scratch);
  }
  const double off = rays.settle(d);
  const double unit = 2.0 * kEpsilon * static_cast<double>(d.size() + 2);
  return cost.dot(d) + unit * cost.cwiseAbs().dot(d.cwiseAbs()) + cost.norm() * off * (1.0 + unit) < 0.0;
}

}  // namespace

std::optional<Vector> falling_ray(const SetShape& shape, const RayConditions& conditions) {
  const Vector& cost = conditions.cost;
  const double size = cost.lpNorm<1>();
  if (!(size > 0.0) || !std::isfinite(size)) return std::nullopt;
  std::optional<Cone> cone = rays_of(shape, cost.size());
  if (!cone || (cone->lower.array() == 0.0 && cone->upper.array() == 0.0).all()) return std::nullopt;
  if (conditions.not_rising.size() > 0) {
    for (Index j = 0; j < cost.size(); ++j) cone->add(j, conditions.not_rising[j]);
    cone->end_row(true, false);
  }
  for (const LinearMap* map : conditions.flat)
    if (!add_flat(*map, *cone)) return std::nullopt;

  Vector d;
  if (!cone->minimize(cost, d) || !(-cost.dot(d) > kFalls * size)) return std::nullopt;
  const double largest = d.lpNorm<Eigen::Infinity>();
  std::vector<Index> moving;
  for (Index j = 0; j < d.size(); ++j)
    if (std::abs(d[j]) > kMoves * largest) moving.push_back(j);
  const ConvexSetPtr rays = cone->restricted(moving);
  const Vector part_cost = cost(moving);
  Vector part = d(moving);
  if (!provably_falls(*rays, part_cost, part)) return std::nullopt;
  d.setZero();
  d(moving) = part;
  return d;
}

}  // namespace fcbio
