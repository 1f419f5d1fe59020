// The l1 part: its step is the minimiser over Z, and its dual closes the gap of the model it belongs to.
#include "inner/l1_part.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/problems.hpp"

namespace fcbio {
namespace {

double composite_objective(const Vector& z, const Vector& v, const Vector& c, double w) {
  return 0.5 * (z - v).squaredNorm() + w * (z - c).lpNorm<1>();
}

RC_GTEST_PROP(L1PartProperty, ProxBeatsEveryOtherPointOfTheSet, (std::uint64_t seed)) {
  std::mt19937_64 random(seed);
  const Index n = 1 + static_cast<Index>(random() % 5);
  const int set = static_cast<int>(random() % 6);
  Vector c = Vector::Zero(n);
  ConvexSetPtr domain;
  if (set == 2) {
    domain = simplex(n, 1.3);
  } else if (set == 5) {
    domain = nonnegative_ball(n, 1.1);
  } else {
    c = test::random_vector(n, random);
    if (set == 0) domain = ball(c, 0.8);
    if (set == 1) domain = box(Vector::Constant(n, -0.4), Vector::Constant(n, 0.5));
    if (set == 3) domain = l1_ball(c, 0.9);
    if (set == 4) domain = whole_space(c, 50.0);  // holds every minimiser below
  }
  const Problem problem(l1_norm(c), squared_norm(c), domain);
  RC_ASSERT(L1Part::misfit(problem).empty());
  Monitor monitor;
  Oracle oracle(problem, monitor);
  const L1Part part(problem);
  const Vector v = 2.0 * test::random_vector(n, random);
  const double w = 0.5 * static_cast<double>(random() % 4);
  Vector z = v;
  part.prox(oracle, w, z);
  RC_ASSERT(domain->contains(z, 1e-12));
  const double value = composite_objective(z, v, c, w);
  for (int trial = 0; trial < 400; ++trial) {
    Vector other = z + std::pow(10.0, -static_cast<double>(trial % 6)) * test::random_vector(n, random);
    if (trial % 3 == 0) other[trial % n] = c[trial % n];
    oracle.project(other);
    RC_ASSERT(composite_objective(other, v, c, w) >= value - 1e-12 * (1.0 + value));
  }

  // The best dual closes the gap of  <s, z> + m/2 |z|^2 + w |z - c|_1.
  const double m = 0.7;
  const Vector s = -m * v;
  Vector d(n), point(n), residual(n);
  if (w == 0.0) return;
  part.best_dual(oracle, s, m, w, point, d);
  RC_ASSERT(d.lpNorm<Eigen::Infinity>() <= 1.0);
  Vector minimiser = v;
  part.prox(oracle, w / m, minimiser);
  const double minimum = s.dot(minimiser) + 0.5 * m * minimiser.squaredNorm() + w * (minimiser - c).lpNorm<1>();
  const double low = minimum_over_domain(oracle, -w * d.dot(c), m, s + w * d, point, residual);
  RC_ASSERT(low <= minimum + 1e-12 * (1.0 + std::abs(minimum)));
  RC_ASSERT(low >= minimum - 1e-11 * (1.0 + std::abs(minimum)));

  // And of the linear one, over bounded sets.
  if (set == 4) return;
  part.best_dual(oracle, s, 0.0, w, point, d);
  const double linear_low = minimum_over_domain(oracle, -w * d.dot(c), 0.0, s + w * d, point, residual);
  double linear_best = kInfinity;
  for (int k = 0; k < 60; ++k) {  // prox steps with growing length find the minimum of a polyhedral function
    point = minimiser - std::pow(2.0, 0.5 * k) * s;
    part.prox(oracle, std::pow(2.0, 0.5 * k) * w, point);
    linear_best = std::min(linear_best, s.dot(point) + w * (point - c).lpNorm<1>());
  }
  RC_ASSERT(linear_low <= linear_best + 1e-9);
  RC_ASSERT(linear_low >= linear_best - 1e-4);
}

}  // namespace
}  // namespace fcbio
