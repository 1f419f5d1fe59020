// What the tests of this room share: seeded random vectors, a list of example sets of every kind, and slow,
// obvious twins of projections.
#pragma once

#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "fcbio/set.hpp"

namespace fcbio::test {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  double normal() { return normal_(engine_); }
  double uniform(double low, double high) { return low + (high - low) * uniform_(engine_); }
  Vector vector(Index n, double scale = 1.0);  ///< normal entries
  RowMajorMatrix matrix(Index rows, Index cols);

 private:
  std::mt19937_64 engine_;
  std::normal_distribution<double> normal_;
  std::uniform_real_distribution<double> uniform_{0.0, 1.0};
};

Vector vec(std::initializer_list<double> numbers);

inline Vector projected(const ConvexSet& set, Vector x) {
  Scratch scratch;
  set.project(x, scratch);
  return x;
}

inline double lower_bound(const ConvexSet& set, const Vector& direction) {
  Scratch scratch;
  return set.linear_lower_bound(direction, scratch);
}

struct Example {
  std::string label;
  ConvexSetPtr set;
};

/// Every kind of set, bounded and unbounded, with the corner cases: one coordinate, radius 0, caps, full rank.
const std::vector<Example>& examples();

/// The projection on {z in C : |z - centre| <= radius}, C closed and convex with projection `onto`: with the
/// multiplier m >= 0 of the ball it is onto((x + m centre) / (1 + m)); m is found by bisection.
inline Vector project_with_ball(const std::function<Vector(const Vector&)>& onto, const Vector& centre,
                                double radius, const Vector& x) {
  const auto at = [&](double m) { return onto((x + m * centre) / (1.0 + m)); };
  if ((at(0.0) - centre).norm() <= radius) return at(0.0);
  double low = 0.0;
  double high = 1.0;
  while ((at(high) - centre).norm() > radius && high < 1e18) high *= 2.0;
  for (int k = 0; k < 200; ++k) {
    const double middle = 0.5 * (low + high);
    ((at(middle) - centre).norm() > radius ? low : high) = middle;
  }
  return at(high);
}

inline Vector project_on_halfspace(const Vector& c, double value, const Vector& x) {
  const double excess = c.dot(x) - value;
  return excess <= 0.0 ? x : Vector(x - excess / c.squaredNorm() * c);
}

}  // namespace fcbio::test
