// The sets over which the quasi-Newton model is minimised, and those it must not be tried on.
#include "inner/projected_quasi_newton.hpp"

#include <gtest/gtest.h>

#include "fcbio/error.hpp"
#include "fcbio/user_set.hpp"
#include "support/problems.hpp"

namespace fcbio {
namespace {

Problem over(const ConvexSetPtr& domain) {
  const Vector zero = Vector::Zero(domain->dimension());
  return Problem(squared_norm(zero), squared_norm(zero), domain);
}

UserSet own_ball() {
  UserSet set;
  set.dimension = 2;
  set.radius = 1.0;
  set.project = [](VectorOut x) { x /= std::max(1.0, x.norm()); };
  return set;
}

TEST(ProjectedQuasiNewton, TakesTheSetsItKnowsAndNoOther) {
  const Vector zero = Vector::Zero(2), one = Vector::Ones(2);
  for (const ConvexSetPtr& set :
       {whole_space(zero, 1.0), ball(zero, 1.0), box(zero, one), simplex(2, 1.0), l1_ball(zero, 1.0),
        nonnegative_ball(2, 1.0)}) {
    EXPECT_TRUE(ProjectedQuasiNewton::fits(*set)) << set->name();
    const Problem problem = over(set);
    Monitor monitor;
    Oracle oracle(problem, monitor);
    EXPECT_NO_THROW(ProjectedQuasiNewton(oracle, 5)) << set->name();
  }
  for (const ConvexSetPtr& set :
       {halfspace(one, 0.5, 1.0), product({ball(zero, 1.0), simplex(2)}),
        intersection({ball(zero, 1.0), box(zero, one)}), user_set(own_ball())}) {
    EXPECT_FALSE(ProjectedQuasiNewton::fits(*set)) << set->name();
    const Problem problem = over(set);
    Monitor monitor;
    Oracle oracle(problem, monitor);
    EXPECT_THROW(ProjectedQuasiNewton(oracle, 5), InvalidArgument) << set->name();
  }
}

// Least squares over the nonnegative part of a ball, the sphere active (radius 0.5) or not: where bounds and multiplier
// of the sphere are those of the model, convergence is far faster than that of projected gradients.
TEST(ProjectedQuasiNewton, FindsTheMinimiserInANonnegativeBall) {
  const Index rows = 80, n = 40;
  for (const double radius : {0.5, 100.0}) {
    std::mt19937_64 random(7);
    RowMajorMatrix data = test::random_matrix(rows, n, random);
    for (Index j = 0; j < n; ++j) data.col(j) *= std::pow(10.0, -2.0 * static_cast<double>(j) / n);
    const Problem problem(squared_norm(Vector::Zero(n)),
                          least_squares(dense_map(std::move(data)), test::random_vector(rows, random)),
                          nonnegative_ball(n, radius));
    Monitor monitor;
    Oracle oracle(problem, monitor);
    ProjectedQuasiNewton engine(oracle, 20);
    Iterate at(problem);
    at.point.x = problem.start();
    oracle.update_images(Level::lower, at.point);
    at.linearize(oracle, Level::lower);
    const Weights weights{0.0, 1.0};
    ASSERT_TRUE(engine.begin(weights, at));
    const double first = engine.bound(weights, at).gap;
    int steps = 0;
    while (engine.bound(weights, at).gap > 1e-8 * first && steps < 200 && engine.step(weights, at)) ++steps;
    EXPECT_LE(engine.bound(weights, at).gap, 1e-8 * first) << radius;
    EXPECT_LT(steps, radius < 1.0 ? 40 : 200) << radius;  // of condition 1e4
    EXPECT_GE(at.point.x.minCoeff(), 0.0);
    EXPECT_LE(at.point.x.norm(), radius * (1.0 + 1e-12));
    if (radius < 1.0) {
      EXPECT_GE(at.point.x.norm(), radius * (1.0 - 1e-9));
    }
  }
}

// Trials of a black box cost passes; they leave enough for the gradients at the end of the step.
TEST(ProjectedQuasiNewton, NeverSpendsMoreThanTheMonitorAllows) {
  UserFunction steep;
  steep.dimension = 2;
  steep.evaluate = [](VectorIn x, Vector* gradient) {
    if (gradient != nullptr) *gradient = x.array().cube();
    return 0.25 * x.array().pow(4).sum();
  };
  const Problem problem(squared_norm(Vector::Zero(2)), user_function(steep), ball(Vector::Zero(2), 5.0),
                        Vector::Ones(2));
  for (std::int64_t limit = 3; limit < 40; ++limit) {
    Monitor monitor(Limits{.passes = limit});
    Oracle oracle(problem, monitor);
    ProjectedQuasiNewton engine(oracle, 5);
    Iterate at(problem);
    at.point.x = problem.start();
    at.linearize(oracle, Level::lower);
    const Weights weights{0.0, 1.0};
    ASSERT_TRUE(engine.begin(weights, at));
    while (monitor.may_iterate(engine.step_cost(weights)) && engine.step(weights, at)) {
    }
    EXPECT_LE(monitor.work().passes(), limit);
  }
}

}  // namespace
}  // namespace fcbio
