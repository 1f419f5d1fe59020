// The point with the most room, for conditions without balls: the linear program
//     maximise t   subject to   <a, x> + |a| t <= value for planes and rows,   x_j + t <= u_j, x_j - t >= l_j,
// and the equations as they are.  Where the largest t is 0 an interior-point method ends in the middle of the set, so
// that only those conditions are tight that are tight everywhere.
#include <algorithm>
#include <cmath>

#include "interior/polyhedron.hpp"
#include "sets/membership.hpp"

namespace fcbio::sets {
namespace {

constexpr double kBudget = 2e10;  // operations

class RoomProgram {
 public:
  RoomProgram(const Conditions& conditions, Index n, double size) : n_(n) {
    rows_.cols = n + 1;
    rows_.starts = {0};
    lower_ = Vector::Constant(n + 1, -kInfinity);
    upper_ = Vector::Constant(n + 1, kInfinity);
    lower_[n] = -size;
    upper_[n] = size;
    for (const auto& plane : conditions.planes)
      add(
          [&](const auto& visit) {
            for (Index j = 0; j < plane.normal->size(); ++j)
              if ((*plane.normal)[j] != 0.0) visit(plane.first + j, (*plane.normal)[j]);
          },
          -kInfinity, plane.value);
    for (const auto& block : conditions.rows)
      for (Index i = 0; i < block.matrix.count(); ++i)
        add(
            [&](const auto& visit) {
              block.matrix.each(i, [&](Index j, double a) { visit(block.first + j, a); });
            },
            (*block.lower)[i], (*block.upper)[i]);
    for (const auto& equation : conditions.equations)
      add(
          [&](const auto& visit) {
            for (Index j = 0; j < equation.row.size(); ++j)
              if (equation.row[j] != 0.0) visit(equation.first + j, equation.row[j]);
          },
          equation.value, equation.value);
    for (const auto& sides : conditions.sides)
      for (Index j = 0; j < sides.size; ++j) add_sides(sides.first + j, sides.lower_side(j), sides.upper_side(j));
    rows_.rows = static_cast<Index>(row_lower_.size());
  }

  bool solve(Vector& s) const {
    const Vector row_lower = Eigen::Map<const Vector>(row_lower_.data(), rows_.rows);
    const Vector row_upper = Eigen::Map<const Vector>(row_upper_.data(), rows_.rows);
    const interior::PolyhedronView view{
        nullptr, rows_.rows > 0 ? &rows_ : nullptr, &row_lower, &row_upper, &lower_, &upper_};
    OperationBudget budget(kBudget);
    Vector x(n_ + 1), duals(rows_.rows);
    if (interior::minimize_linear(view, -Vector::Unit(n_ + 1, n_), x, duals, &budget) != interior::Outcome::solved)
      return false;
    s = x.head(n_);
    return s.allFinite();
  }

 private:
  template <class EachNumber>
  void add(const EachNumber& each, double low, double high) {
    double square = 0.0;
    each([&](Index, double a) { square += a * a; });
    if (square == 0.0) return;
    const double length = std::sqrt(square);
    const auto push = [&](double depth, double l, double u) {
      each([&](Index j, double a) {
        rows_.columns.push_back(static_cast<std::int32_t>(j));
        rows_.values.push_back(a / length);
      });
      if (depth != 0.0) {
        rows_.columns.push_back(static_cast<std::int32_t>(n_));
        rows_.values.push_back(depth);
      }
      rows_.starts.push_back(static_cast<std::int64_t>(rows_.values.size()));
      row_lower_.push_back(l / length);
      row_upper_.push_back(u / length);
    };
    if (low == high) return push(0.0, low, high);
    if (high < kInfinity) push(1.0, -kInfinity, high);
    if (low > -kInfinity) push(-1.0, low, kInfinity);
  }
  void add_sides(Index j, double low, double high) {
    if (low == high) {
      lower_[j] = upper_[j] = low;
      return;
    }
    add([&](const auto& visit) { visit(j, 1.0); }, low, high);
  }

  Index n_;
  CsrMatrix rows_;
  std::vector<double> row_lower_, row_upper_;
  Vector lower_, upper_;
};

}  // namespace

bool find_deepest(const Membership& membership, double size, Vector& s) {
  const Conditions& conditions = membership.conditions();
  if (!conditions.balls.empty() || !conditions.l1_balls.empty()) return false;
  if (!(size > 0.0) || !std::isfinite(size)) return false;
  return RoomProgram(conditions, static_cast<Index>(membership.fixed().size()), size).solve(s);
}

}  // namespace fcbio::sets
