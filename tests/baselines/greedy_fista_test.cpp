// Greedy FISTA: against a naive twin, and each of its rules alone.
#include "baselines/greedy_fista.hpp"

#include <gtest/gtest.h>

#include "support/problems.hpp"

namespace fcbio {
namespace {

struct Quadratic {  // 1/2 |Mx - b|^2 over the ball of radius 1
  Eigen::MatrixXd m;
  Vector b;
  double smoothness() const { return m.squaredNorm(); }  // an upper bound will do
  Vector gradient(const Vector& x) const { return m.transpose() * (m * x - b); }
  static Vector project(const Vector& x) { return x.norm() <= 1.0 ? x : x / x.norm(); }
};

Quadratic sample(double scale) {
  std::mt19937_64 random(3);
  Eigen::MatrixXd m = test::random_matrix(12, 8, random);
  for (Index j = 0; j < 8; ++j) m.col(j) *= std::pow(0.4, static_cast<double>(j));
  return {m, scale * test::random_vector(12, random)};
}

void step(GreedyFista& fista, const Quadratic& q) {
  fista.step([&](const Vector& y, Vector& out) { out = q.gradient(y); },
             [&](double, Vector& x) { x = Quadratic::project(x); });
}

TEST(GreedyFista, FollowsTheFormulas) {
  for (double mu : {0.0, 0.01}) {
    for (double safeguard : {1.0, 0.05}) {
      const Quadratic q = sample(1.0);
      const double l = q.smoothness();
      const Vector start = Vector::Constant(8, 0.1);
      GreedyFista fista;
      fista.begin(start, l, {.safeguard = safeguard}, mu);
      const double a = (std::sqrt(l) - std::sqrt(mu)) / (std::sqrt(l) + std::sqrt(mu));
      Vector x = start, y = start;
      double h = 1.3 / l, first = 0.0;
      int restarts = 0;
      for (int k = 0; k < 200; ++k) {
        const Vector x_old = x, y_old = y;
        x = Quadratic::project(y_old - h * q.gradient(y_old));
        y = x + a * (x - x_old);
        if ((y_old - x).dot(x - x_old) >= 0.0) y = x, ++restarts;
        const double moved = (x - x_old).norm();
        if (k == 0) first = moved;
        if (moved > safeguard * first) h = std::max(1.0 / l, 0.96 * h);
        step(fista, q);
        ASSERT_LE((fista.x() - x).norm(), 1e-12) << k;
        ASSERT_NEAR(fista.step_length(), h, 1e-15);
      }
      EXPECT_GT(restarts, 0);
      EXPECT_EQ(fista.steps(), 200);
      if (safeguard < 1.0) {
        EXPECT_LT(h, 1.3 / l);
      }
    }
  }
}

TEST(GreedyFista, EndsAtAPointThatSatisfiesTheOptimalityCondition) {
  for (double scale : {1e-4, 5.0}) {  // minimiser inside the ball, and on its boundary
    const Quadratic q = sample(scale);
    GreedyFista fista;
    fista.begin(Vector::Zero(8), q.smoothness(), {.tolerance = 1e-13});
    while (!fista.ended()) step(fista, q);
    EXPECT_TRUE(fista.converged());
    const Vector& x = fista.x();
    EXPECT_LE((x - Quadratic::project(x - q.gradient(x) / q.smoothness())).norm(), 1e-11);
    EXPECT_EQ(x.norm() > 1.0 - 1e-9, scale > 1.0);
  }
}

TEST(GreedyFista, EndsByItsOwnIterationsWithoutHavingConverged) {
  const Quadratic q = sample(1.0);
  GreedyFista fista;
  fista.begin(Vector::Zero(8), q.smoothness(), {.tolerance = 0.0, .iterations = 7});
  while (!fista.ended()) step(fista, q);
  EXPECT_EQ(fista.steps(), 7);
  EXPECT_FALSE(fista.converged());
  fista.begin(fista.x(), q.smoothness(), {});  // warm start: counts begin anew
  EXPECT_EQ(fista.steps(), 0);
  EXPECT_FALSE(fista.converged());
}

TEST(GreedyFista, NeedsFewerStepsThanAPlainGradientMethod) {
  const Quadratic q = sample(1e-4);
  const double l = q.smoothness();
  GreedyFista fista;
  fista.begin(Vector::Zero(8), l, {.tolerance = 1e-12});
  while (!fista.ended()) step(fista, q);
  Vector x = Vector::Zero(8), before = x;
  std::int64_t plain = 0;
  do {
    before = x;
    x = Quadratic::project(x - q.gradient(x) / l);
    ++plain;
  } while ((x - before).norm() >= 1e-12 && plain < 10 * fista.steps());
  EXPECT_GE(plain, 10 * fista.steps());
}

TEST(GreedyFista, StartedAtASolutionItEndsAtOnce) {
  GreedyFista fista;
  fista.begin(Vector::Zero(3), 1.0, {});
  fista.step([](const Vector& y, Vector& out) { out = y; }, [](double, Vector&) {});
  EXPECT_TRUE(fista.converged());
  EXPECT_EQ(fista.x(), Vector::Zero(3));
}

}  // namespace
}  // namespace fcbio
