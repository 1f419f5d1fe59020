// A primal-dual interior-point method with dense normal equations for
//     minimise  weight/2 |x - p|^2 + <c, x>   subject to  row_lower <= A x <= row_upper,  lower <= x <= upper.
// Rows with two different sides get a variable s = A x between them; y is the multiplier of A x - s = 0, so that
// y_i > 0 belongs to the lower side.
#include "interior/polyhedron.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <optional>

namespace fcbio::interior {
namespace {

constexpr int kSteps = 200;
constexpr double kTolerance = 1e-12;
constexpr double kRegular = 1e-13;
constexpr double kFar = 1e10;

Eigen::MatrixXd dense_rows(const PolyhedronView& view, Index n) {
  if (view.dense != nullptr) return *view.dense;
  if (view.sparse == nullptr) return Eigen::MatrixXd(0, n);
  Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(view.sparse->rows, n);
  for (Index i = 0; i < rows.rows(); ++i)
    for (auto k = view.sparse->starts[static_cast<std::size_t>(i)];
         k < view.sparse->starts[static_cast<std::size_t>(i) + 1]; ++k)
      rows(i, view.sparse->columns[static_cast<std::size_t>(k)]) +=
          view.sparse->values[static_cast<std::size_t>(k)];
  return rows;
}

/// Numbers v between sides: the distances to the sides and their multipliers.
struct Sides {
  Vector lower, upper;
  Vector below, above;            // v - lower, upper - v, kept positive
  Vector below_dual, above_dual;  // zero at open sides
  Vector below_step, above_step, below_dual_step, above_dual_step;

  Sides(Vector l, Vector u) : lower(std::move(l)), upper(std::move(u)) {
    below = above = below_dual = above_dual = Vector::Ones(lower.size());
    below_step = above_step = below_dual_step = above_dual_step = Vector::Zero(lower.size());
  }
  bool has_lower(Index j) const { return lower[j] > -kInfinity; }
  bool has_upper(Index j) const { return upper[j] < kInfinity; }
  void start(const Vector& v, double size) {
    for (Index j = 0; j < v.size(); ++j) {
      below[j] = has_lower(j) ? std::max(v[j] - lower[j], size) : 1.0;
      above[j] = has_upper(j) ? std::max(upper[j] - v[j], size) : 1.0;
      below_dual[j] = has_lower(j) ? size : 0.0;
      above_dual[j] = has_upper(j) ? size : 0.0;
    }
  }
  Vector pull() const { return below_dual - above_dual; }
  double gap() const { return below.dot(below_dual) + above.dot(above_dual); }
  Index count() const {
    Index total = 0;
    for (Index j = 0; j < lower.size(); ++j) total += Index{has_lower(j)} + Index{has_upper(j)};
    return total;
  }
  double curvature(Index j) const { return below_dual[j] / below[j] + above_dual[j] / above[j]; }
  /// What the complementarity of coordinate j adds to the right side, aiming at `target`, for a point v.
  double push(Index j, double v, double target, bool corrected) const {
    double sum = 0.0;
    if (has_lower(j))
      sum += (target - (corrected ? below_step[j] * below_dual_step[j] : 0.0)) / below[j] - below_dual[j] -
             below_dual[j] / below[j] * (v - lower[j] - below[j]);
    if (has_upper(j))
      sum -= (target - (corrected ? above_step[j] * above_dual_step[j] : 0.0)) / above[j] - above_dual[j] -
             above_dual[j] / above[j] * (upper[j] - v - above[j]);
    return sum;
  }
  void step(const Vector& v, const Vector& dv, double target, bool corrected) {
    for (Index j = 0; j < v.size(); ++j) {
      if (has_lower(j)) {
        const double moved = dv[j] + (v[j] - lower[j] - below[j]);
        const double aim = target - (corrected ? below_step[j] * below_dual_step[j] : 0.0);
        below_dual_step[j] = (aim - below_dual[j] * moved) / below[j] - below_dual[j];
        below_step[j] = moved;
      }
      if (has_upper(j)) {
        const double moved = -dv[j] + (upper[j] - v[j] - above[j]);
        const double aim = target - (corrected ? above_step[j] * above_dual_step[j] : 0.0);
        above_dual_step[j] = (aim - above_dual[j] * moved) / above[j] - above_dual[j];
        above_step[j] = moved;
      }
    }
  }
  void longest(double& primal, double& dual) const {
    const auto limit = [](const Vector& at, const Vector& by, double& most) {
      for (Index j = 0; j < at.size(); ++j)
        if (by[j] < 0.0 && at[j] > 0.0) most = std::min(most, -at[j] / by[j]);
    };
    limit(below, below_step, primal);
    limit(above, above_step, primal);
    limit(below_dual, below_dual_step, dual);
    limit(above_dual, above_dual_step, dual);
  }
  double gap_after(double primal, double dual) const {
    return (below + primal * below_step).dot(below_dual + dual * below_dual_step) +
           (above + primal * above_step).dot(above_dual + dual * above_dual_step);
  }
  void move(double primal, double dual) {
    below += primal * below_step;
    above += primal * above_step;
    below_dual += dual * below_dual_step;
    above_dual += dual * above_dual_step;
  }
  double miss(const Vector& v) const {
    double worst = 0.0;
    for (Index j = 0; j < v.size(); ++j) {
      if (has_lower(j)) worst = std::max(worst, lower[j] - v[j]);
      if (has_upper(j)) worst = std::max(worst, v[j] - upper[j]);
    }
    return worst;
  }
};

/// The linear bound of direction 0 at y, relative to its size; positive: no point satisfies all rows.
double separation(const Eigen::MatrixXd& rows, const Vector& row_lower, const Vector& row_upper,
                  const Vector& lower, const Vector& upper, Vector y) {
  const double size = y.lpNorm<Eigen::Infinity>();
  if (!(size > 0.0) || !std::isfinite(size)) return -kInfinity;
  y /= size;
  double sum = 0.0, weight = 0.0;
  const auto add = [&](double slope, double low, double high, double small) {
    const double side = slope >= 0.0 ? low : high;
    if (slope == 0.0 || (std::isinf(side) && std::abs(slope) < small)) return;
    sum += slope * side;
    weight += std::abs(slope * side);
  };
  for (Index i = 0; i < y.size(); ++i) add(y[i], row_lower[i], row_upper[i], 1e-8);
  const Vector rest = -(rows.transpose() * y);
  for (Index j = 0; j < rest.size(); ++j) add(rest[j], lower[j], upper[j], 1e-8);
  return std::isfinite(sum) && sum > 1e-9 * weight ? sum : -kInfinity;
}

struct Quadratic {
  double weight;
  Vector centre, slope;
};

Outcome minimize(const PolyhedronView& view, const Quadratic& objective, VectorOut x, VectorOut y, Watch* watch) {
  const Index n = x.size();
  const Eigen::MatrixXd rows = dense_rows(view, n);
  const Index m = rows.rows();
  const Vector row_lower = m > 0 ? *view.row_lower : Vector(), row_upper = m > 0 ? *view.row_upper : Vector();
  std::vector<Index> equal, loose;
  for (Index i = 0; i < m; ++i) (row_lower[i] == row_upper[i] ? equal : loose).push_back(i);
  const auto p = static_cast<Index>(equal.size()), q = static_cast<Index>(loose.size());
  const Eigen::MatrixXd a_equal = rows(equal, Eigen::all), a_loose = rows(loose, Eigen::all);
  const Vector values = row_lower(equal);
  Sides box(*view.lower, *view.upper), slack(row_lower(loose), row_upper(loose));

  Vector v = x.cwiseMax(box.lower).cwiseMin(box.upper);
  Vector s = a_loose * v, y_equal = Vector::Zero(p), y_loose = Vector::Zero(q);
  double size = 1.0 + v.lpNorm<Eigen::Infinity>();
  for (const Vector* numbers :
       std::initializer_list<const Vector*>{&box.lower, &box.upper, &row_lower, &row_upper})
    for (const double number : *numbers)
      if (std::isfinite(number)) size = std::max(size, std::abs(number));
  const double slope_size = 1.0 + objective.slope.lpNorm<Eigen::Infinity>() +
                            objective.weight * objective.centre.lpNorm<Eigen::Infinity>();
  box.start(v, std::sqrt(size));
  slack.start(s, std::sqrt(size));
  y_loose = slack.pull();
  const auto sides = static_cast<double>(box.count() + slack.count());

  const auto gather = [&] {
    y.setZero();
    for (Index k = 0; k < p; ++k) y[equal[static_cast<std::size_t>(k)]] = y_equal[k];
    for (Index k = 0; k < q; ++k) y[loose[static_cast<std::size_t>(k)]] = y_loose[k];
  };
  Outcome outcome = Outcome::failed;
  double best = kInfinity;
  Vector best_x = v, best_y = Vector::Zero(m);
  for (int step = 0; step < kSteps && v.allFinite() && y_loose.allFinite(); ++step) {
    const Vector gradient = objective.weight * (v - objective.centre) + objective.slope;
    const Vector dual_miss = gradient - a_equal.transpose() * y_equal - a_loose.transpose() * y_loose - box.pull();
    const Vector equal_miss = values - a_equal * v;
    const Vector image = a_loose * v;
    const double gap = sides > 0.0 ? (box.gap() + slack.gap()) / sides : 0.0;
    const double primal_off =
        std::max({box.miss(v), slack.miss(image), p > 0 ? equal_miss.lpNorm<Eigen::Infinity>() : 0.0});
    const double quality = std::max(
        {primal_off / size, dual_miss.lpNorm<Eigen::Infinity>() / slope_size, gap * sides / (size * slope_size)});
    if (quality < best) {
      best = quality;
      best_x = v;
      gather();
      best_y = y;
    }
    if (quality <= kTolerance) break;
    if (!std::isfinite(quality)) break;
    gather();
    if (step > 3 && separation(rows, row_lower, row_upper, box.lower, box.upper, y) > 0.0)
      return Outcome::infeasible;
    if (v.lpNorm<Eigen::Infinity>() > kFar * size) return Outcome::unbounded;
    const auto wide = static_cast<double>(n + p);
    if (watch != nullptr && watch->is_over(wide * wide * wide / 1.5 + 2.0 * static_cast<double>(q) * wide * wide))
      break;

    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(n + p, n + p);
    Vector weights(q), diagonal(n);
    for (Index k = 0; k < q; ++k) weights[k] = slack.curvature(k);
    for (Index j = 0; j < n; ++j) diagonal[j] = objective.weight + kRegular + box.curvature(j);
    matrix.topLeftCorner(n, n) = a_loose.transpose() * weights.asDiagonal() * a_loose;
    matrix.diagonal().head(n) += diagonal;
    matrix.topRightCorner(n, p) = a_equal.transpose();
    matrix.bottomLeftCorner(p, n) = a_equal;
    matrix.diagonal().tail(p).setConstant(-kRegular);
    const Eigen::PartialPivLU<Eigen::MatrixXd> factors(matrix);

    const auto direction = [&](double target, bool corrected, Vector& dv, Vector& ds, Vector& dy_equal,
                               Vector& dy_loose) {
      // dy_loose = pushes - weights ds + (pull - y), ds = A dv + (image - s)
      Vector aims(q), right(n + p);
      for (Index k = 0; k < q; ++k)
        aims[k] =
            slack.push(k, s[k], target, corrected) + slack.pull()[k] - y_loose[k] - weights[k] * (image[k] - s[k]);
      for (Index j = 0; j < n; ++j) right[j] = -dual_miss[j] + box.push(j, v[j], target, corrected);
      right.head(n) += a_loose.transpose() * aims;
      right.tail(p) = equal_miss;
      Vector solution = factors.solve(right);
      solution += factors.solve(right - matrix * solution);
      dv = solution.head(n);
      dy_equal = -solution.tail(p);
      ds = a_loose * dv + (image - s);
      dy_loose = aims - weights.cwiseProduct(a_loose * dv);
      box.step(v, dv, target, corrected);
      slack.step(s, ds, target, corrected);
    };
    Vector dv, ds, dy_equal, dy_loose;
    direction(0.0, false, dv, ds, dy_equal, dy_loose);
    double primal = 1.0, dual = 1.0;
    box.longest(primal, dual);
    slack.longest(primal, dual);
    if (sides > 0.0) {
      const double after = (box.gap_after(primal, dual) + slack.gap_after(primal, dual)) / sides;
      const double centring = std::pow(std::clamp(after / gap, 0.0, 1.0), 3.0);
      direction(std::max(centring, 1e-6) * gap, true, dv, ds, dy_equal, dy_loose);
    }
    primal = dual = 1.0 / 0.995;
    box.longest(primal, dual);
    slack.longest(primal, dual);
    primal = std::min(1.0, 0.995 * primal);
    dual = std::min(1.0, 0.995 * dual);
    if (objective.weight > 0.0) primal = dual = std::min(primal, dual);
    v += primal * dv;
    s += primal * ds;
    y_equal += dual * dy_equal;
    y_loose += dual * dy_loose;
    box.move(primal, dual);
    slack.move(primal, dual);
  }
  x = best_x.cwiseMax(box.lower).cwiseMin(box.upper);
  y = best_y;
  if (best <= 1e-7) outcome = Outcome::solved;
  return outcome;
}

}  // namespace

Outcome nearest_point(const PolyhedronView& polyhedron, VectorOut x, VectorOut row_duals, Watch* watch) {
  return minimize(polyhedron, {1.0, x, Vector::Zero(x.size())}, x, row_duals, watch);
}

Outcome minimize_linear(const PolyhedronView& polyhedron, VectorIn direction, VectorOut x, VectorOut row_duals,
                        Watch* watch) {
  x.setZero();
  return minimize(polyhedron, {0.0, Vector::Zero(x.size()), direction}, x, row_duals, watch);
}

}  // namespace fcbio::interior
