// Convex problems in the plane, small enough for a solver without any theory: golden section inside golden
// section.  Everything here is naive arithmetic, independent of the library.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include "fcbio/problem.hpp"
#include "support/problems.hpp"

namespace fcbio::test {

using Curve = std::function<double(double)>;
using Surface = std::function<double(double, double)>;

/// A minimiser of a convex function on [low, high].
inline double golden_point(const Curve& function, double low, double high) {
  const double ratio = 0.5 * (std::sqrt(5.0) - 1.0);
  double left = high - ratio * (high - low), right = low + ratio * (high - low);
  double at_left = function(left), at_right = function(right);
  for (int i = 0; i < 75; ++i) {
    if (at_left <= at_right) {
      high = right, right = left, at_right = at_left;
      left = high - ratio * (high - low), at_left = function(left);
    } else {
      low = left, left = right, at_left = at_right;
      right = low + ratio * (high - low), at_right = function(right);
    }
  }
  return 0.5 * (low + high);
}

inline double golden_minimum(const Curve& function, double low, double high) {
  return function(golden_point(function, low, high));
}

/// Last point, going from `inside` towards `outside`, at which the convex function is <= 0; it is at `inside`.
inline double edge(const Curve& function, double inside, double outside) {
  if (function(outside) <= 0.0) return outside;
  for (int i = 0; i < 70; ++i) {
    const double middle = 0.5 * (inside + outside);
    (function(middle) <= 0.0 ? inside : outside) = middle;
  }
  return inside;
}

/// Over the disc of radius r about 0.
class Disc {
 public:
  explicit Disc(double radius) : radius_(radius) {}
  double radius() const { return radius_; }
  double half_width(double x) const { return std::sqrt(std::max(0.0, (radius_ - x) * (radius_ + x))); }

  double minimum(const Surface& f) const {
    return golden_minimum([&](double x) { return minimum_on_line(f, x); }, -radius_, radius_);
  }

  /// psi*(t) = min over the disc of max{ f - t, g }
  double psi(const Surface& f, const Surface& g, double t) const {
    return minimum([&](double x, double y) { return std::max(f(x, y) - t, g(x, y)); });
  }

  /// min f subject to g <= 0, where g is well below 0 somewhere.
  double constrained_minimum(const Surface& f, const Surface& g) const {
    const Curve least = [&](double x) { return minimum_on_line(g, x); };
    const double deepest = golden_point(least, -radius_, radius_);
    const double low = edge(least, deepest, -radius_), high = edge(least, deepest, radius_);
    const Curve best = [&](double x) {
      const double half = half_width(x);
      const Curve on_line = [&](double y) { return g(x, y); };
      const double inside = golden_point(on_line, -half, half);
      if (g(x, inside) > 0.0) return f(x, inside);  // one point is left, to rounding
      return golden_minimum([&](double y) { return f(x, y); }, edge(on_line, inside, -half),
                            edge(on_line, inside, half));
    };
    return golden_minimum(best, low, high);
  }

 private:
  double minimum_on_line(const Surface& f, double x) const {
    const double half = half_width(x);
    return golden_minimum([&](double y) { return f(x, y); }, -half, half);
  }
  double radius_;
};

/// f = 1/2 |A x - a|^2 + c'x (smooth) or |A x - a|_1 (not), g = 1/2 (b'x - beta)^2 or |b'x - beta|, with the line
/// b'x = beta through the disc: g* = 0, and f* is a minimum on that chord.
struct PlaneProblem {
  Disc disc{1.0};
  Surface f, g;
  double upper_optimum = 0.0;  // f*; g* = 0
  Problem problem;             // the same for the library
};

inline PlaneProblem random_plane_problem(std::mt19937_64& random, bool smooth) {
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const Disc disc(1.0 + 0.5 * uniform(random));
  const Eigen::Matrix2d matrix = random_matrix(2, 2, random);
  const Eigen::Vector2d a = random_vector(2, random), c = random_vector(2, random);
  const Eigen::Vector2d b = random_vector(2, random);
  const double beta = 0.6 * disc.radius() * b.norm() * uniform(random);
  const Surface f = [=](double x, double y) {
    const double first = matrix(0, 0) * x + matrix(0, 1) * y - a[0];
    const double second = matrix(1, 0) * x + matrix(1, 1) * y - a[1];
    return smooth ? 0.5 * (first * first + second * second) + c[0] * x + c[1] * y
                  : std::abs(first) + std::abs(second);
  };
  const Surface g = [=](double x, double y) {
    const double residual = b[0] * x + b[1] * y - beta;
    return smooth ? 0.5 * residual * residual : std::abs(residual);
  };
  const Eigen::Vector2d foot = beta / b.squaredNorm() * b, along = Eigen::Vector2d(-b[1], b[0]) / b.norm();
  const double half = disc.half_width(foot.norm());
  const double optimum =
      golden_minimum([&](double s) { return f(foot[0] + s * along[0], foot[1] + s * along[1]); }, -half, half);

  const LinearMapPtr map = dense_map(RowMajorMatrix(matrix)), row = dense_map(RowMajorMatrix(b.transpose()));
  const Vector target = Vector::Constant(1, beta);
  return {disc, f, g, optimum,
          Problem(smooth ? least_squares(map, a) + linear(c) : absolute_deviation(map, a),
                  smooth ? least_squares(row, target) : absolute_deviation(row, target),
                  ball(Vector::Zero(2), disc.radius()))};
}

}  // namespace fcbio::test
