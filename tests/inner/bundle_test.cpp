// Cuts and what is made of them: every combination stays below w_f f + w_g g, every bound below the truth.
#include "inner/bundle.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/problems.hpp"

namespace fcbio {
namespace {

struct Sample {
  Problem problem;
  std::mt19937_64 random;
};

// f: curved exactly, with a nonsmooth part; g: smooth with duals, or curved as well.
Sample sample(std::uint64_t seed, bool curved_lower) {
  std::mt19937_64 random(seed);
  const Index n = 5, m = 7;
  const auto map = dense_map(test::random_matrix(m, n, random));
  Vector labels(m);
  for (Index i = 0; i < m; ++i) labels[i] = i % 2 == 0 ? 1.0 : -1.0;
  Function f = 0.7 * squared_norm(test::random_vector(n, random)) + 0.3 * l1_norm(Vector::Zero(n));
  Function g = (1.0 / 7.0) * logistic(map, labels);
  if (curved_lower) g += 0.2 * squared_norm(Vector::Ones(n));
  return {Problem(f, g, ball(Vector::Zero(n), 2.0)), random};
}

struct Filled {
  Monitor monitor;
  Oracle oracle;
  Bundle bundle;
  Filled(Sample& from, Index cuts)
      : oracle(from.problem, monitor), bundle(from.problem, cuts + 2, Vector::Ones(from.problem.dimension())) {
    Point point(from.problem);
    for (Index i = 0; i < cuts; ++i) {
      const Level level = i % 3 == 0 ? Level::upper : Level::lower;
      point.x = test::random_vector(from.problem.dimension(), from.random);
      oracle.project(point.x);
      oracle.update_images(level, point);
      Linearization at(from.problem.function(level));
      oracle.linearize(level, point, at);
      bundle.add(level, at, point.x);
    }
  }
  double weighted(const Problem& problem, const CutCombination& cut, const Vector& x) {
    Point point(problem);
    point.x = x;
    double sum = 0.0;
    for (Level level : kLevels) {
      oracle.update_images(level, point);
      sum += cut.weight(level) * oracle.value(level, point);
    }
    return sum;
  }
};

Vector random_weights(Index size, std::mt19937_64& random) {
  return test::random_vector(size, random).cwiseMax(0.0);
}

RC_GTEST_PROP(Bundle, CombinationsStayBelowTheFunctionsLiftedOrNot, ()) {
  Sample from = sample(*rc::gen::arbitrary<std::uint32_t>(), *rc::gen::arbitrary<bool>());
  Filled filled(from, 9);
  CutBounds bounds(from.problem);
  CutCombination cut(from.problem);
  filled.bundle.combine(random_weights(9, from.random), cut);
  RC_PRE(cut.weights.upper + cut.weights.lower > 0.0);
  const Vector at = test::random_vector(5, from.random);
  const double before = cut.slope.dot(at) + cut.constant;
  CutCombination lifted = cut;
  bounds.lift(from.problem, at, lifted);
  RC_ASSERT(lifted.slope.dot(at) + lifted.constant >= before - 1e-10);
  for (int trial = 0; trial < 10; ++trial) {
    const Vector x = test::random_vector(5, from.random);
    const double truth = filled.weighted(from.problem, cut, x);
    RC_ASSERT(cut.slope.dot(x) + cut.constant <= truth + 1e-10);
    RC_ASSERT(lifted.slope.dot(x) + lifted.constant <= truth + 1e-10);
  }
}

RC_GTEST_PROP(Bundle, MixedCutsCarryTheirProofThroughAggregation, ()) {
  Sample from = sample(*rc::gen::arbitrary<std::uint32_t>(), *rc::gen::arbitrary<bool>());
  Filled filled(from, 9);
  Bundle& bundle = filled.bundle;
  CutBounds bounds(from.problem);
  CutCombination cut(from.problem);
  bundle.combine(random_weights(9, from.random) + Vector::Constant(9, 0.01), cut);
  if (*rc::gen::arbitrary<bool>()) bounds.lift(from.problem, Vector::Zero(5), cut);
  bundle.add(cut);
  for (Index drop : {7, 4, 0}) bundle.remove(drop);
  Vector weights = random_weights(bundle.size(), from.random);
  weights[bundle.size() - 1] += 0.5;
  bundle.combine(weights, cut);
  RC_PRE(cut.weight(Level::upper) > 0.0);
  const CutBounds::Bound bound = bounds.lagrangian(filled.oracle, cut);
  // Better than the affine cut alone gives, and below f + mu g everywhere on Z.
  RC_ASSERT(bound.low >=
            (cut.constant + filled.oracle.linear_lower_bound(cut.slope)) / cut.weight(Level::upper) - 1e-9);
  for (int trial = 0; trial < 20; ++trial) {
    Vector x = 2.0 * test::random_vector(5, from.random);
    filled.oracle.project(x);
    RC_ASSERT(bound.low <= filled.weighted(from.problem, cut, x) / cut.weight(Level::upper) + 1e-9);
  }
}

RC_GTEST_PROP(Bundle, BoundsOfGAloneAreBelowItsMinimum, ()) {
  Sample from = sample(*rc::gen::arbitrary<std::uint32_t>(), *rc::gen::arbitrary<bool>());
  Filled filled(from, 9);
  Vector weights = random_weights(9, from.random);
  for (Index i = 0; i < 9; i += 3) weights[i] = 0.0;  // those of f
  CutCombination cut(from.problem);
  filled.bundle.combine(weights, cut);
  RC_PRE(cut.weight(Level::lower) > 0.0);
  RC_ASSERT(cut.weight(Level::upper) == 0.0);
  CutBounds bounds(from.problem);
  const double low = bounds.lower(filled.oracle, cut).low;
  for (int trial = 0; trial < 20; ++trial) {
    Vector x = 2.0 * test::random_vector(5, from.random);
    filled.oracle.project(x);
    RC_ASSERT(low <= filled.weighted(from.problem, cut, x) / cut.weight(Level::lower) + 1e-9);
  }
}

TEST(Bundle, KeepsTheGramMatrixThroughAddingAndRemoving) {
  Sample from = sample(3, true);
  Filled filled(from, 9);
  Bundle& bundle = filled.bundle;
  CutCombination cut(from.problem);
  bundle.combine(Vector::Ones(9), cut);
  bundle.add(cut);
  EXPECT_EQ(bundle.removals(), 0);
  for (Index drop : {2, 8, 0, 6}) bundle.remove(drop);
  EXPECT_EQ(bundle.removals(), 4);
  ASSERT_EQ(bundle.size(), 6);
  for (Index i = 0; i < 6; ++i) {
    for (Index j = 0; j < 6; ++j) EXPECT_NEAR(bundle.gram()(i, j), bundle.slope(i).dot(bundle.slope(j)), 1e-12);
    EXPECT_NEAR(bundle.constant_at_shift(i), bundle.constant(i) + bundle.slope(i).sum(), 1e-12);
    EXPECT_NEAR(bundle.weight(Level::upper, i) + bundle.weight(Level::lower, i), 1.0, 1e-12);
  }
}

}  // namespace
}  // namespace fcbio
