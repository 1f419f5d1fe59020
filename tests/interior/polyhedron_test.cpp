// Nearest points, linear minima and deepest points of polyhedra: by their optimality conditions, and on polyhedra that
// are empty, thin or degenerate.
#include "interior/polyhedron.hpp"

#include <gtest/gtest.h>

#include <random>

namespace fcbio::interior {
namespace {

struct Sample {
  RowMajorMatrix matrix;
  Vector row_lower, row_upper, lower, upper;
  PolyhedronView view() const { return {&matrix, nullptr, &row_lower, &row_upper, &lower, &upper}; }

  /// sum of (y_i >= 0 ? lower_i : upper_i) y_i + min over the box of <direction - A'y, .>
  double bound(const Vector& direction, const Vector& y) const {
    const Vector rest = direction - matrix.transpose() * y;
    double sum = 0.0;
    for (Index i = 0; i < y.size(); ++i)
      if (y[i] != 0.0) sum += y[i] * (y[i] > 0.0 ? row_lower[i] : row_upper[i]);
    for (Index j = 0; j < rest.size(); ++j) sum += std::min(rest[j] * lower[j], rest[j] * upper[j]);
    return sum;
  }
  double violation(const Vector& x) const {
    const Vector u = matrix * x;
    return std::max({0.0, (row_lower - u).maxCoeff(), (u - row_upper).maxCoeff(), (lower - x).maxCoeff(),
                     (x - upper).maxCoeff()});
  }
};

/// A point of the unit box fits; rows are equations, touched or slack in turn.
Sample random_sample(Index rows, Index n, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  Sample sample{RowMajorMatrix::NullaryExpr(rows, n, [&] { return normal(random); }), Vector(rows), Vector(rows),
                Vector::Zero(n), Vector::Ones(n)};
  const Vector inside = Vector::NullaryExpr(n, [&] { return uniform(random); });
  const Vector image = sample.matrix * inside;
  for (Index i = 0; i < rows; ++i) {
    const bool equation = i % 3 == 0 && i < n;
    sample.row_upper[i] = image[i] + (i % 3 == 2 ? uniform(random) : 0.0);
    sample.row_lower[i] = equation ? sample.row_upper[i] : -kInfinity;
  }
  return sample;
}

TEST(Polyhedron, LinearMinimaAreProvedByTheirDuals) {
  for (unsigned seed = 1; seed <= 30; ++seed) {
    const Index n = 3 + static_cast<Index>(seed), rows = 1 + static_cast<Index>(seed * 7 % 40);
    const Sample sample = random_sample(rows, n, seed);
    std::mt19937_64 random(seed + 100);
    std::normal_distribution<double> normal;
    const Vector direction = Vector::NullaryExpr(n, [&] { return normal(random); });
    Vector x = Vector::Zero(n), y(rows);
    ASSERT_EQ(minimize_linear(sample.view(), direction, x, y, nullptr), Outcome::solved) << seed;
    EXPECT_LE(sample.violation(x), 1e-11) << seed;
    EXPECT_NEAR(direction.dot(x), sample.bound(direction, y), 1e-7) << seed;
  }
}

// <target - p, z - p> <= 0 for all z: the linear minimum of p - target is at p.
TEST(Polyhedron, NearestPointsSatisfyTheirInequality) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Index n = 2 + static_cast<Index>(seed), rows = 1 + static_cast<Index>(seed * 5 % 30);
    const Sample sample = random_sample(rows, n, seed);
    for (const double far : {2.0, 1.0 + 1e-9}) {
      const Vector target = Vector::Constant(n, far);
      Vector p = target, y(rows), z = Vector::Zero(n);
      ASSERT_EQ(nearest_point(sample.view(), p, y, nullptr), Outcome::solved) << seed;
      EXPECT_LE(sample.violation(p), 1e-10) << seed;
      const Vector away = p - target;
      ASSERT_EQ(minimize_linear(sample.view(), away, z, y, nullptr), Outcome::solved) << seed;
      EXPECT_LE(away.dot(p) - away.dot(z), 1e-7 * (1.0 + away.norm())) << seed << " from " << far;
    }
  }
}

// Next to the polyhedron the step is as small as the violation: no square root of the method's accuracy is lost.
TEST(Polyhedron, PointsNextToItMoveByTheirViolationOnly) {
  Sample sample = random_sample(8, 5, 3);
  sample.row_lower.setConstant(-kInfinity);
  Vector x = Vector::Zero(5), y(8);
  ASSERT_EQ(minimize_linear(sample.view(), Vector::Constant(5, -1.0), x, y, nullptr), Outcome::solved);
  const Vector outside = x + Vector::Constant(5, 1e-11);
  Vector p = outside;
  ASSERT_EQ(nearest_point(sample.view(), p, y, nullptr), Outcome::solved);
  EXPECT_LE((p - outside).norm(), 1e-10);
  EXPECT_LE(sample.violation(p), 1e-14);
}

TEST(Polyhedron, EmptyOnesAreProvedToBeEmpty) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    Sample sample = random_sample(12, 6, seed);
    sample.matrix.row(11) = -sample.matrix.row(10);  // one row says at most, the other at least
    sample.row_lower.tail(2).setConstant(-kInfinity);
    sample.row_upper[11] = -sample.row_upper[10] - 0.1;
    Vector x = Vector::Zero(6), y(12);
    ASSERT_EQ(nearest_point(sample.view(), x, y, nullptr), Outcome::infeasible) << seed;
    EXPECT_GT(sample.bound(Vector::Zero(6), y), 0.0) << seed;
  }
}

TEST(Polyhedron, DeepestPointsHaveTheirRoom) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Sample sample = random_sample(9, 12, seed);
    const DeepestPoint deepest = deepest_point(sample.view(), 10.0, nullptr);
    ASSERT_EQ(deepest.outcome, Outcome::solved) << seed;
    ASSERT_GT(deepest.room, 0.0) << seed;
    for (Index i = 0; i < 9; ++i) {
      const double product = sample.matrix.row(i).dot(deepest.x), length = sample.matrix.row(i).norm();
      if (sample.row_lower[i] == sample.row_upper[i])
        EXPECT_NEAR(product, sample.row_upper[i], 1e-12) << seed;
      else
        EXPECT_GE((sample.row_upper[i] - product) / length, 0.999 * deepest.room) << seed;
    }
    EXPECT_GE(std::min(deepest.x.minCoeff(), 1.0 - deepest.x.maxCoeff()), 0.999 * deepest.room) << seed;
  }
}

// x1 + x2 <= 1 and x1 + x2 >= 1: no room, and the two rows say why.
TEST(Polyhedron, WithoutInteriorTheTightRowsCarryTheWeight) {
  const Sample sample{RowMajorMatrix{{1.0, 1.0}, {-1.0, -1.0}, {1.0, -1.0}}, Vector::Constant(3, -kInfinity),
                      Vector{{1.0, -1.0, 0.5}}, Vector::Zero(2), Vector::Ones(2)};
  const DeepestPoint deepest = deepest_point(sample.view(), 1.0, nullptr);
  EXPECT_EQ(deepest.outcome, Outcome::solved);
  EXPECT_NEAR(deepest.room, 0.0, 1e-10);
  EXPECT_GT(deepest.row_weights[0], 0.1);
  EXPECT_GT(deepest.row_weights[1], 0.1);
  EXPECT_LT(deepest.row_weights[2], 1e-6);
}

}  // namespace
}  // namespace fcbio::interior
