// One step with its sums against a step, a projection and the sums taken one by one, on sets that are met and that
// are not.
#include "inner/projected_descent.hpp"

#include <gtest/gtest.h>

#include "support/problems.hpp"

namespace fcbio {
namespace {

struct Case {
  ConvexSetPtr set;
  bool met;
};

TEST(ProjectedDescent, IsAStepAndAProjection) {
  constexpr Index kN = 9;
  std::mt19937_64 random(3);
  const Vector centre = test::random_vector(kN, random);
  const Vector y = centre + 0.1 * test::random_vector(kN, random), p = test::random_vector(kN, random),
               q = test::random_vector(kN, random), x = test::random_vector(kN, random);
  const Descent by{0.4, 0.3};
  const Vector free = (y - by.a * p) - by.b * q;
  const double length = (free - centre).norm();
  const std::vector<Case> cases{{ball(centre, 1.5 * length), false},
                                {ball(centre, length * (1.0 + 1e-12)), false},  // inside, but not clearly
                                {ball(centre, 0.5 * length), true},
                                {ball(centre, 1e-160), true},  // its square is 0
                                {ball(centre, 0.0), true},
                                {whole_space(centre, std::nullopt), false},
                                {whole_space(centre, 0.1 * length), false},
                                {box(Vector::Constant(kN, -0.1), Vector::Constant(kN, 0.1)), true},
                                {simplex(kN), true}};
  for (const Case& one : cases) {
    const Problem problem(linear(Vector::Zero(kN)), linear(Vector::Zero(kN)), one.set);
    Monitor monitor;
    Oracle oracle(problem, monitor);
    ProjectedDescent descent(oracle);
    Vector next(kN), expected = free;
    const StepSums sums = descent.step(y, p, q, x, by, 1.5, next);
    EXPECT_EQ(monitor.work().projections, 1);
    Scratch scratch;
    one.set->project(expected, scratch);
    EXPECT_EQ(next, expected) << one.set->name();
    EXPECT_EQ(sums.is_descent, !one.met) << one.set->name();
    const Vector moved = expected - y;
    EXPECT_NEAR(sums.squared, moved.squaredNorm(), 1e-13);
    EXPECT_NEAR(sums.along_p, p.dot(moved), 1e-13);
    EXPECT_NEAR(sums.along_q, q.dot(moved), 1e-13);
    EXPECT_NEAR(sums.along_difference, (p - 1.5 * q).dot(moved), 1e-13);
    EXPECT_NEAR(sums.carried, moved.dot(expected - x), 1e-13);
  }
}

}  // namespace
}  // namespace fcbio
