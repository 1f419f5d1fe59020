// Bounds from duals of losses: never above the truth, for any duals and weights; as good as the best scale and the best
// segment; and what they publish proves them.
#include "inner/row_bound.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/problems.hpp"

namespace fcbio {
namespace {

LinearMapPtr normal_data(Index rows, Index n, std::mt19937_64& random) {
  return dense_map(RowMajorMatrix(test::random_matrix(rows, n, random)));
}

Vector labels_of(Index rows, std::mt19937_64& random) {
  return Vector::NullaryExpr(rows, [&] { return random() % 2 == 0 ? 1.0 : -1.0; });
}

Function some_loss(Index rows, Index n, std::mt19937_64& random) {
  const LinearMapPtr map = normal_data(rows, n, random);
  switch (random() % 5) {
    case 0:
      return hinge(map, labels_of(rows, random));
    case 1:
      return absolute_deviation(map, test::random_vector(rows, random));
    case 2:
      return quantile(map, test::random_vector(rows, random), 0.3);
    case 3:
      return logistic(map, labels_of(rows, random));
    default:
      return least_squares(map, test::random_vector(rows, random));
  }
}

/// Random duals in their domains, with their slopes.
RowDuals some_duals(const Problem& problem, std::mt19937_64& random) {
  RowDuals made(problem);
  for (Level level : kLevels) {
    const auto& parts = problem.function(level).parts();
    for (std::size_t i = 0; i < parts.size(); ++i) {
      Vector& dual = made.duals[level][i];
      if (dual.size() == 0) continue;
      dual = 0.6 * test::random_vector(dual.size(), random);
      parts[i].term->repair_dual(dual);
      parts[i].term->add_slope(parts[i].weight, dual, made.slopes[level]);
    }
  }
  return made;
}

RC_GTEST_PROP(RowBoundProperty, IsBelowEveryValueAndProvedByWhatItPublishes, (std::uint64_t seed)) {
  std::mt19937_64 random(seed);
  const Index n = 1 + static_cast<Index>(random() % 6), m = 1 + static_cast<Index>(random() % 8);
  ConvexSetPtr domain = ball(Vector::Zero(n), 2.0);
  if (random() % 3 == 0) domain = box(Vector::Constant(n, -1.0), Vector::Constant(n, 1.5));
  if (random() % 4 == 0) domain = nonnegative_ball(n, 1.5);
  Function upper = 0.7 * l1_norm(Vector::Zero(n)), lower = some_loss(m, n, random);
  if (random() % 2 == 0) upper += 0.2 * some_loss(m, n, random);
  if (random() % 2 == 0) upper += 0.3 * squared_norm(test::random_vector(n, random));
  if (random() % 2 == 0) lower += linear(test::random_vector(n, random));
  if (random() % 3 == 0) lower += 0.5 * l1_norm(Vector::Zero(n));
  const Problem problem(upper, lower, domain);
  Monitor monitor;
  Oracle oracle(problem, monitor);
  RowBound rows(oracle);
  for (const Weights weights : {Weights{0.0, 1.0}, Weights{1.0, 0.5}, Weights{1.0, 7.0}}) {
    rows.begin(weights);
    double before = -kInfinity;
    for (int k = 0; k < 6; ++k) {
      rows.offer(some_duals(problem, random));
      constexpr double kHigh = 1e3;
      const EngineBound bound = rows.bound(kHigh);
      const double low = kHigh - bound.gap;
      RC_ASSERT(low >= before);
      before = low;
      std::vector<DualPart> parts{{Level::lower, weights.lower, bound.lower_duals}};
      if (weights.uses(Level::upper)) parts.push_back({Level::upper, weights.upper, bound.upper_duals});
      BoundWitness witness;
      RC_ASSERT(prove_minimum(oracle, parts, witness) >= low - 1e-9 * (1.0 + std::abs(low)));
      Point z(problem);
      for (int trial = 0; trial < 60; ++trial) {
        z.x = 1.5 * test::random_vector(n, random);
        if (trial % 2 == 0) z.x[trial % n] = 0.0;
        oracle.project(z.x);
        double phi = 0.0;
        for (Level level : kLevels) {
          if (!weights.uses(level)) continue;
          oracle.update_images(level, z);
          phi += weights.of(level) * oracle.value(level, z);
        }
        RC_ASSERT(low <= phi + 1e-9 * (1.0 + std::abs(phi)));
      }
    }
  }
}

// w |x|_1 + mu hinge on a box, by hand: for p in [0, 1]^m and any scale t,
//   t mu sum p - B sum_j (t mu |A'p|_j - w)_+.
TEST(RowBound, FindsTheBestScaleOfHingeDuals) {
  std::mt19937_64 random(3);
  const Index m = 20, n = 60;
  const RowMajorMatrix a = test::random_matrix(m, n, random);
  const double w = 0.8, mu = 0.4, side = 5.0;
  const Problem problem(w * l1_norm(Vector::Zero(n)), hinge(dense_map(a), Vector::Ones(m)),
                        box(Vector::Constant(n, -side), Vector::Constant(n, side)));
  Monitor monitor;
  Oracle oracle(problem, monitor);
  RowBound rows(oracle);
  rows.begin({1.0, mu});
  RowDuals duals(problem);
  const Vector p = Vector::NullaryExpr(m, [&] { return static_cast<double>(random() % 1000) / 4000.0; });
  duals.duals.lower[0] = -p;
  duals.slopes.lower = -a.transpose() * p;
  rows.offer(duals);
  double best = 0.0;
  for (int k = 0; k <= 100000; ++k) {
    const double t = static_cast<double>(k) / 100000.0;
    const auto over = (t * mu * duals.slopes.lower.cwiseAbs().array() - w).max(0.0);
    best = std::max(best, t * mu * p.sum() - side * over.sum());
  }
  EXPECT_GT(best, 0.1);
  EXPECT_LE(rows.low(), best * (1.0 + 1e-6));
  EXPECT_GE(rows.low(), 0.95 * best);
}

// Over a ball either dual alone is worth nothing; their mean has a slope that is shorter than its constant.
TEST(RowBound, CombinesWhatTwoDualsKnow) {
  const Problem problem(linear(Vector::Zero(2)),
                        hinge(dense_map(RowMajorMatrix(RowMajorMatrix::Identity(2, 2))), Vector::Ones(2)),
                        ball(Vector::Zero(2), 1.2));
  Monitor monitor;
  Oracle oracle(problem, monitor);
  RowBound rows(oracle);
  rows.begin({1.0, 1.0});
  for (const Vector& p : {Vector{{1.0, 0.0}}, Vector{{0.0, 1.0}}}) {
    EXPECT_LE(rows.low(), 1e-12);
    RowDuals duals(problem);
    duals.duals.lower[0] = duals.slopes.lower = -p;
    rows.offer(duals);
  }
  EXPECT_NEAR(rows.low(), 1.0 - 1.2 * std::sqrt(0.5), 2e-3);
}

}  // namespace
}  // namespace fcbio
