#include "interior/tight.hpp"

#include <algorithm>
#include <cmath>

#include "interior/face.hpp"

namespace fcbio::interior {
namespace {

double length_of(const Rows& rows, Index i) {
  double square = 0.0;
  rows.visit_row(i, [&](Index, double value) { square += value * value; });
  return std::sqrt(square);
}

}  // namespace

// The deepest point has no room; what leaves it none carries weight there, and no other point has more.  Of each side
// slack and weight are a pair with one small product, so that the larger of the two says which it is.
std::optional<Tight> find_tight(const PolyhedronView& polyhedron, const DeepestPoint& deepest, double size) {
  if (polyhedron.dense == nullptr && polyhedron.sparse == nullptr) return std::nullopt;
  if (deepest.outcome != Outcome::solved || deepest.room > kNoRoom * size) return std::nullopt;
  const auto largest = [](const Vector& v) { return v.size() > 0 ? v.maxCoeff() : 0.0; };
  const double heaviest =
      std::max({largest(deepest.row_weights), largest(deepest.lower_weights), largest(deepest.upper_weights)});
  if (!(heaviest > 0.0)) return std::nullopt;
  const auto is_tight = [&](double slack, double weight) { return slack / size < weight / heaviest; };

  const Index n = polyhedron.lower->size();
  Tight tight;
  tight.all_rows =
      polyhedron.dense != nullptr ? Rows::dense(*polyhedron.dense) : Rows::sparse(*polyhedron.sparse);
  const Index m = tight.all_rows.rows();
  tight.rows.assign(static_cast<std::size_t>(m), Tight::Tie::none);
  tight.sides.assign(static_cast<std::size_t>(n), Tight::Tie::none);
  Face face(n);
  for (Index j = 0; j < n; ++j) {
    Tight::Tie& tie = tight.sides[static_cast<std::size_t>(j)];
    const double low = (*polyhedron.lower)[j], high = (*polyhedron.upper)[j];
    if (low < high && is_tight(deepest.x[j] - low, deepest.lower_weights[j])) tie = Tight::Tie::low;
    if (low < high && is_tight(high - deepest.x[j], deepest.upper_weights[j])) tie = Tight::Tie::high;
    if (low == high || tie != Tight::Tie::none) face.fix(j, tie == Tight::Tie::high ? high : low);
  }
  Vector image(m);
  tight.all_rows.apply(deepest.x, image);
  std::vector<Index> equations;  // rows, as they are added to the face
  for (Index i = 0; i < m; ++i) {
    Tight::Tie& tie = tight.rows[static_cast<std::size_t>(i)];
    const double low = (*polyhedron.row_lower)[i], high = (*polyhedron.row_upper)[i];
    const double length = length_of(tight.all_rows, i);
    const bool is_low = deepest.row_duals[i] > 0.0;
    const double slack = is_low ? image[i] - low : high - image[i];
    if (low < high && length > 0.0 && is_tight(slack / length, deepest.row_weights[i] * length)) {
      tie = is_low ? Tight::Tie::low : Tight::Tie::high;
      tight.signed_rows.push_back(i);
    }
    if (low < high && tie == Tight::Tie::none) continue;
    equations.push_back(i);
    if (!face.add(tight.all_rows, i, tie == Tight::Tie::high ? high : low)) return std::nullopt;
  }
  tight.x = deepest.x;
  if (!face.project(tight.x)) return std::nullopt;

  Vector weights(static_cast<Index>(equations.size())), changes(weights.size());
  for (Index k = 0; k < weights.size(); ++k) {
    const Index i = equations[static_cast<std::size_t>(k)];
    weights[k] = -deepest.row_duals[i];
    changes[k] = tight.rows[static_cast<std::size_t>(i)] != Tight::Tie::none ? std::abs(weights[k]) : heaviest;
  }
  face.cancel(weights, changes);
  tight.nothing = Vector::Zero(m);
  tight.nothing(equations) = weights;
  tight.change = Vector::Zero(n);
  tight.all_rows.add_transpose(tight.nothing, tight.change);

  std::vector<bool> follows(static_cast<std::size_t>(m), false);
  for (const Index i : equations) follows[static_cast<std::size_t>(i)] = true;
  for (const Index k : face.independent())
    follows[static_cast<std::size_t>(equations[static_cast<std::size_t>(k)])] = false;
  for (Index i = 0; i < m; ++i)
    if (!follows[static_cast<std::size_t>(i)]) tight.kept.push_back(i);
  return tight;
}

void Tight::apply(CsrMatrix& matrix, Vector& row_lower, Vector& row_upper, Vector& lower, Vector& upper) const {
  const auto tie_to = [](Tie tie, double& low, double& high) {
    if (tie == Tie::low) high = low;
    if (tie == Tie::high) low = high;
  };
  for (std::size_t j = 0; j < sides.size(); ++j)
    tie_to(sides[j], lower[static_cast<Index>(j)], upper[static_cast<Index>(j)]);
  CsrMatrix smaller;
  smaller.cols = matrix.cols;
  smaller.starts = {0};
  for (const Index i : kept) {
    const auto row = static_cast<std::size_t>(i);
    const auto from = matrix.starts[row], to = matrix.starts[row + 1];
    smaller.columns.insert(smaller.columns.end(), matrix.columns.begin() + from, matrix.columns.begin() + to);
    smaller.values.insert(smaller.values.end(), matrix.values.begin() + from, matrix.values.begin() + to);
    smaller.starts.push_back(static_cast<std::int64_t>(smaller.values.size()));
    tie_to(rows[row], row_lower[i], row_upper[i]);
    row_lower[smaller.rows] = row_lower[i];
    row_upper[smaller.rows] = row_upper[i];
    ++smaller.rows;
  }
  row_lower.conservativeResize(smaller.rows);
  row_upper.conservativeResize(smaller.rows);
  matrix = std::move(smaller);
}

TightPolyhedron::TightPolyhedron(const PolyhedronView& polyhedron, const Tight& tight)
    : row_lower(*polyhedron.row_lower),
      row_upper(*polyhedron.row_upper),
      lower(*polyhedron.lower),
      upper(*polyhedron.upper) {
  matrix.rows = tight.all_rows.rows();
  matrix.cols = lower.size();
  matrix.starts = {0};
  for (Index i = 0; i < matrix.rows; ++i) {
    tight.all_rows.visit_row(i, [&](Index j, double value) {
      matrix.columns.push_back(static_cast<std::int32_t>(j));
      matrix.values.push_back(value);
    });
    matrix.starts.push_back(static_cast<std::int64_t>(matrix.values.size()));
  }
  tight.apply(matrix, row_lower, row_upper, lower, upper);
}

// So much of nothing is added that every sign is as it should be.
Vector Tight::all_multipliers(const Vector& kept_multipliers, VectorIn slope) const {
  Vector multipliers = Vector::Zero(all_rows.rows()), rest = slope;
  multipliers(kept) = kept_multipliers;
  all_rows.add_transpose(multipliers, rest);
  double amount = 0.0;
  for (const Index i : signed_rows)
    if (multipliers[i] * nothing[i] < 0.0) amount = std::max(amount, -multipliers[i] / nothing[i]);
  for (std::size_t j = 0; j < sides.size(); ++j) {
    const double left = rest[static_cast<Index>(j)], by = change[static_cast<Index>(j)];
    if (sides[j] != Tie::none && left * by < 0.0) amount = std::max(amount, -left / by);
  }
  if (std::isfinite(amount)) multipliers += amount * nothing;
  return multipliers;
}

}  // namespace fcbio::interior
