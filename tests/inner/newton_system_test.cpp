// Newton's model in both forms against a dense Hessian.
#include "inner/newton_system.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <Eigen/Dense>

#include "support/problems.hpp"

namespace fcbio {
namespace {

// Losses of every kind on both levels, plain terms with a centre, a ball about a centre.
struct Sample {
  Problem problem;
  Weights weights;
  Vector centre;
};

Sample sample(Index upper_rows, Index lower_rows, Index n, const Weights& weights, bool curved,
              std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto data = [&](Index rows) { return dense_map(RowMajorMatrix(test::random_matrix(rows, n, random))); };
  const auto labels = [&](Index rows) {
    return Vector(test::random_vector(rows, random).unaryExpr([](double v) { return v < 0.0 ? -1.0 : 1.0; }));
  };
  const Index half = lower_rows / 2;
  Function lower = 0.7 * squared_hinge(data(half), labels(half)) +
                   huber(data(lower_rows - half), test::random_vector(lower_rows - half, random), 0.8);
  Function upper = 0.3 * logistic(data(upper_rows), labels(upper_rows)) + linear(test::random_vector(n, random));
  if (curved) upper += 0.4 * squared_norm(test::random_vector(n, random));
  const Vector centre = test::random_vector(n, random);
  return {Problem(upper, lower, ball(centre, 50.0), centre + test::random_vector(n, random)), weights, centre};
}

Eigen::MatrixXd dense_hessian(const Problem& problem, const Weights& weights, const Point& point) {
  Eigen::MatrixXd hessian(problem.dimension(), problem.dimension());
  Scratch scratch;
  for (Index j = 0; j < problem.dimension(); ++j) {
    Vector column = Vector::Zero(problem.dimension());
    for (Level level : kLevels) {
      if (!weights.uses(level)) continue;
      Vector part(problem.dimension());
      problem.function(level).hessian_product(point.x, point.images_of(level),
                                              Vector::Unit(problem.dimension(), j), scratch, part);
      column += weights.of(level) * part;
    }
    hessian.col(j) = column;
  }
  return hessian;
}

void expect_dense_model(NewtonSystem& system, const Sample& given, std::int64_t expected_gram) {
  const Problem& problem = given.problem;
  Monitor monitor;
  Oracle oracle(problem, monitor);
  Iterate at(problem);
  at.point.x = problem.start();
  for (int round = 0; round < 3; ++round) {
    for (Level level : kLevels) {
      oracle.update_images(level, at.point);
      if (given.weights.uses(level)) at.linearize(oracle, level);
    }
    const Index n = problem.dimension();
    Vector gradient(n), d(n);
    at.gradient(given.weights, gradient);
    const Vector v = at.point.x - given.centre;
    const Eigen::MatrixXd hessian = dense_hessian(problem, given.weights, at.point);
    system.look(given.weights, at);
    const std::int64_t before = monitor.work().passes(), announced = system.build_cost();
    system.build(oracle, at, given.centre, 1e6);  // a floor that can be seen
    EXPECT_LE(monitor.work().passes() - before, announced);
    if (round == 0) {
      EXPECT_GE(monitor.work().passes() - before, expected_gram);
    }
    const double m =
        given.weights.uses(Level::upper) ? given.weights.upper * problem.upper().exact_curvature() : 0.0;
    const double base = std::max(m, kNewtonFloor * 1e6 * (hessian.trace() - static_cast<double>(n) * m));
    const Eigen::MatrixXd shifted_hessian = hessian + (base - m) * Eigen::MatrixXd::Identity(n, n);
    for (double nu : {0.0, 0.5, 20.0}) {
      const std::int64_t spent = monitor.work().lower_passes;
      ASSERT_TRUE(system.solve(oracle, nu, 0));
      EXPECT_EQ(monitor.work().lower_passes - spent, system.factor_cost());
      ASSERT_TRUE(system.solve(oracle, nu, 0));  // the factor serves again
      EXPECT_EQ(monitor.work().lower_passes - spent, system.factor_cost());
      system.direction(oracle, d);
      const Eigen::LDLT<Eigen::MatrixXd> dense(shifted_hessian + nu * Eigen::MatrixXd::Identity(n, n));
      const Vector expected = -dense.solve(gradient + nu * v), z = v + expected;
      EXPECT_LT((d - expected).norm(), 1e-7 * (1.0 + expected.norm())) << "nu " << nu << " round " << round;
      EXPECT_NEAR(system.squared_norm(), z.squaredNorm(), 1e-7 * (1.0 + z.squaredNorm()));
      const double decay = z.dot(dense.solve(z));
      EXPECT_NEAR(system.decay(), decay, 1e-6 * decay);
    }
    // A step that the system is told of, cut short and shrunk: the next model starts from what it left.
    at.point.x = given.centre + 0.4 * v + 0.6 * 0.9 * (v + d);
    system.moved(at, 0.6, 0.9);
  }
}

TEST(NewtonSystem, ByRowsSolvesTheDenseModel) {
  for (const Weights& weights : {Weights{1.0, 3.0}, Weights{0.0, 1.0}, Weights{1.0, 0.0}})
    for (bool curved : {true, false}) {
      const Sample given = sample(6, 9, 25, weights, curved, 11);
      const NewtonRows rows(given.problem);
      ASSERT_EQ(rows.size(), 15);
      // 9 rows of g in two parts with half of themselves, 6 of f with those 9 and half of themselves.
      expect_dense_model(*newton_system_by_rows(given.problem, rows), given,
                         weights.uses(Level::upper) ? 2 * 5 + 9 + 3 : 2 * 5);
    }
}

TEST(NewtonSystem, ByColumnsSolvesTheDenseModel) {
  for (const Weights& weights : {Weights{1.0, 3.0}, Weights{0.0, 1.0}})
    for (bool curved : {true, false}) {
      const Sample given = sample(40, 30, 12, weights, curved, 13);
      const NewtonRows rows(given.problem);
      expect_dense_model(*newton_system_by_columns(given.problem, rows), given,
                         12 / 2 * (weights.uses(Level::upper) ? 3 : 2));
    }
}

RC_GTEST_PROP(NewtonSystem, BothFormsAgree, ()) {
  const auto seed = *rc::gen::inRange<std::uint64_t>(1, 1'000'000);
  const Index rows_f = *rc::gen::inRange<Index>(1, 9), rows_g = *rc::gen::inRange<Index>(2, 9);
  const Index n = *rc::gen::inRange<Index>(2, 20);
  const Sample given = sample(rows_f, rows_g, n, {1.0, 2.0}, true, seed);
  Monitor monitor;
  Oracle oracle(given.problem, monitor);
  Iterate at(given.problem);
  at.point.x = given.problem.start();
  for (Level level : kLevels) {
    oracle.update_images(level, at.point);
    at.linearize(oracle, level);
  }
  const NewtonRows rows(given.problem);
  std::array<Vector, 2> directions{Vector(n), Vector(n)};
  for (bool by_rows : {false, true}) {
    const auto system =
        by_rows ? newton_system_by_rows(given.problem, rows) : newton_system_by_columns(given.problem, rows);
    system->look(given.weights, at);
    system->build(oracle, at, given.centre, 1.0);
    RC_ASSERT(system->solve(oracle, 0.3, 0));
    system->direction(oracle, directions[by_rows ? 1 : 0]);
  }
  RC_ASSERT((directions[0] - directions[1]).norm() <= 1e-8 * (1.0 + directions[0].norm()));
}

}  // namespace
}  // namespace fcbio
