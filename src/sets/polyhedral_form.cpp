#include "sets/polyhedral_form.hpp"

#include "sets/checks.hpp"
#include "sets/linear_dual.hpp"

namespace fcbio::sets {
namespace {

constexpr double kSparse = 0.25;  // share of numbers that are not 0 up to which rows are kept sparse

class RowCollector {
 public:
  explicit RowCollector(Index n) {
    rows.cols = n;
    rows.starts = {0};
  }
  void add(Index column, double number) {
    rows.columns.push_back(static_cast<std::int32_t>(column));
    rows.values.push_back(number);
  }
  void add(Index first, const Vector& numbers) {
    for (Index j = 0; j < numbers.size(); ++j)
      if (numbers[j] != 0.0) add(first + j, numbers[j]);
  }
  void end(double lower, double upper) {
    rows.starts.push_back(static_cast<std::int64_t>(rows.values.size()));
    ++rows.rows;
    lower_.push_back(lower);
    upper_.push_back(upper);
  }
  Vector lower() const { return Eigen::Map<const Vector>(lower_.data(), rows.rows); }
  Vector upper() const { return Eigen::Map<const Vector>(upper_.data(), rows.rows); }

  CsrMatrix rows;

 private:
  std::vector<double> lower_, upper_;
};

RowMajorMatrix dense(const CsrMatrix& sparse) {
  RowMajorMatrix matrix = RowMajorMatrix::Zero(sparse.rows, sparse.cols);
  const RowView rows{nullptr, &sparse};
  for (Index i = 0; i < sparse.rows; ++i) rows.each(i, [&](Index j, double a) { matrix(i, j) = a; });
  return matrix;
}

bool contains(const Conditions::Round& ball, const Vector& lower, const Vector& upper) {
  Vector farthest(ball.size);
  for (Index j = 0; j < ball.size; ++j) {
    const double centre = ball.centre != nullptr ? (*ball.centre)[j] : 0.0;
    farthest[j] = std::max(std::abs(lower[ball.first + j] - centre), std::abs(upper[ball.first + j] - centre));
  }
  return norm_of(farthest) * (1.0 + 1e-12) <= ball.radius;
}

}  // namespace

std::optional<PolyhedralForm> polyhedral_form(const Conditions& conditions, Index n) {
  if (!conditions.l1_balls.empty()) return std::nullopt;
  PolyhedralForm form;
  form.lower = Vector::Constant(n, -kInfinity);
  form.upper = Vector::Constant(n, kInfinity);
  for (const auto& sides : conditions.sides)
    for (Index j = 0; j < sides.size; ++j) {
      double& lower = form.lower[sides.first + j];
      double& upper = form.upper[sides.first + j];
      lower = std::max(lower, sides.lower_side(j));
      upper = std::min(upper, sides.upper_side(j));
      if (lower > upper) return std::nullopt;
    }
  RowCollector rows(n);
  for (const auto& plane : conditions.planes) {
    rows.add(plane.first, *plane.normal);
    rows.end(-kInfinity, plane.value);
  }
  for (const auto& block : conditions.rows)
    for (Index i = 0; i < block.matrix.count(); ++i) {
      block.matrix.each(i, [&](Index j, double a) { rows.add(block.first + j, a); });
      rows.end((*block.lower)[i], (*block.upper)[i]);
    }
  for (const auto& equation : conditions.equations) {
    rows.add(equation.first, equation.row);
    rows.end(equation.value, equation.value);
  }
  form.row_lower = rows.lower();
  form.row_upper = rows.upper();
  if (!conditions.balls.empty()) {
    Vector least = form.lower, most = form.upper;
    add_implied_sides({nullptr, &rows.rows}, form.row_lower, form.row_upper, least, most);
    for (const auto& ball : conditions.balls)
      if (!contains(ball, least, most)) return std::nullopt;
  }
  const double room = static_cast<double>(rows.rows.rows) * static_cast<double>(n);
  if (static_cast<double>(rows.rows.nonzeros()) <= kSparse * room)
    form.matrix = std::move(rows.rows);
  else
    form.matrix = dense(rows.rows);
  return form;
}

}  // namespace fcbio::sets
