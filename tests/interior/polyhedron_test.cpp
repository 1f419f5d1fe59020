// Nearest points, linear minima and deepest points of polyhedra: by their optimality conditions, and on polyhedra that
// are empty, thin or degenerate.
#include "interior/polyhedron.hpp"
#include "interior/tight.hpp"

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

/// Rows that leave only the points with x1 + x2 = 1 and x3 = 0 of a box, one of them said twice.
struct Flat {
  RowMajorMatrix matrix{{1.0, 1.0, 0.0, 0.0}, {-1.0, -1.0, 0.0, 0.0}, {2.0, 2.0, 0.0, 0.0}, {0.0, 0.0, 1.0, 0.0},
                        {1.0, 0.0, 0.0, 1.0}};
  Vector row_lower = Vector::Constant(5, -kInfinity);
  Vector row_upper{{1.0, -1.0, 2.0, 0.0, 1.5}};
  Vector lower = Vector::Zero(4), upper = Vector::Ones(4);
  PolyhedronView view() const { return {&matrix, nullptr, &row_lower, &row_upper, &lower, &upper}; }
};

TEST(Polyhedron, WhatIsTightEverywhereIsTold) {
  const Flat flat;
  const std::optional<Tight> tight = find_tight(flat.view(), deepest_point(flat.view(), 2.0, nullptr), 2.0);
  ASSERT_TRUE(tight.has_value());
  using Tie = Tight::Tie;
  EXPECT_EQ(tight->rows[0], Tie::high);
  EXPECT_EQ(tight->rows[1], Tie::high);
  EXPECT_EQ(tight->rows[2], Tie::high);
  EXPECT_EQ(tight->rows[4], Tie::none);
  EXPECT_EQ(tight->sides, (std::vector<Tie>{Tie::none, Tie::none, Tie::low, Tie::none}));
  EXPECT_EQ(tight->kept.size(), 2u);  // one of three equations, and the inequality; x3 <= 0 follows from its side
  EXPECT_NEAR(tight->x[0] + tight->x[1], 1.0, kEpsilon);
  EXPECT_EQ(tight->x[2], 0.0);
  EXPECT_GT((flat.row_upper - flat.matrix * tight->x)[4], 1e-3);
  const Vector nothing = flat.matrix.transpose() * tight->nothing;  // the side of x3 takes what is left of it
  EXPECT_LE(std::abs(nothing[0]) + std::abs(nothing[1]) + std::abs(nothing[3]), 1e-15);
  for (const Index i : {0, 1, 2}) EXPECT_GT(tight->nothing[i], 1e-3) << i;
}

TEST(Polyhedron, MultipliersOfATightPolyhedronHaveTheSignsOfInequalities) {
  const Flat flat;
  const std::optional<Tight> tight = find_tight(flat.view(), deepest_point(flat.view(), 2.0, nullptr), 2.0);
  ASSERT_TRUE(tight.has_value());
  for (const double sign : {1.0, -1.0}) {
    const Vector slope = sign * Vector{{1.0, 1.0, 3.0, 0.0}};
    Vector kept = Vector::Zero(2);
    for (std::size_t k = 0; k < 2; ++k)
      if (const Index i = tight->kept[k]; i < 3) kept[static_cast<Index>(k)] = -sign / flat.matrix(i, 0);
    const Vector y = tight->all_multipliers(kept, slope);
    EXPECT_GE(y.head(4).minCoeff(), -1e-15);
    const Vector rest = slope + flat.matrix.transpose() * y;  // min over the box is that over the points
    EXPECT_GE(rest[2], -1e-15);
    EXPECT_NEAR(-flat.row_upper.dot(y) + rest.cwiseMin(0.0).sum(), sign, 1e-12);
  }
}

TEST(Polyhedron, ProjectionsOnAFlatOneAreNearest) {
  const Flat flat;
  Vector x{{0.9, 0.5, 0.7, 0.2}}, y(5);
  ASSERT_EQ(nearest_point(flat.view(), x, y, nullptr), Outcome::solved);
  EXPECT_LE((x - Vector{{0.7, 0.3, 0.0, 0.2}}).norm(), 1e-8);
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
        EXPECT_NEAR(product, sample.row_upper[i], 1e-3 * deepest.room) << seed;
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
