// Fused sweeps against the operations they stand for, for every length of tail.
#include "linalg/sweeps.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "fcbio/threads.hpp"
#include "linalg/pair_sweeps.hpp"
#include "linalg/samples.hpp"

namespace fcbio {
namespace {

constexpr double kClose = 1e-13;

class SweepsOfLength : public ::testing::TestWithParam<Index> {
 protected:
  const Index n = GetParam();
  const Vector y = samples::vector(n, 1), p = samples::vector(n, 2), q = samples::vector(n, 3),
               x = samples::vector(n, 4), c = samples::vector(n, 5);

  void expect_sums(const StepSums& sums, const Vector& next, double s) const {
    const Vector m = next - y;
    const double scale = 1.0 + static_cast<double>(n) * 20.0;
    EXPECT_NEAR(sums.squared, m.squaredNorm(), kClose * scale);
    EXPECT_NEAR(sums.start_squared, y.squaredNorm(), kClose * scale);
    EXPECT_NEAR(sums.along_p, p.dot(m), kClose * scale);
    EXPECT_NEAR(sums.along_q, q.dot(m), kClose * scale);
    EXPECT_NEAR(sums.along_difference, (p - s * q).dot(m), kClose * scale);
    EXPECT_NEAR(sums.carried, m.dot(next - x), kClose * scale);
    EXPECT_NEAR(sums.from_centre, (next - c).squaredNorm(), kClose * scale);
  }
};

TEST_P(SweepsOfLength, DescendAndTellWhatTheStepDid) {
  Vector next = Vector::Constant(n, 1e300);
  const StepSums sums = descend({y, p, q, x, c}, {0.3, 0.7}, 1.7, next);
  for (Index j = 0; j < n; ++j) ASSERT_EQ(next[j], (y[j] - 0.3 * p[j]) - 0.7 * q[j]) << j;
  expect_sums(sums, next, 1.7);
  EXPECT_TRUE(sums.is_descent);
}

TEST_P(SweepsOfLength, TellOfAGivenStepAndWhetherItIsTheFreeOne) {
  Vector next(n);
  descend({y, p, q, x, c}, {0.3, 0.7}, 1.7, next);
  StepSums sums = step_sums({y, p, q, x, c}, {0.3, 0.7}, 1.7, next);
  expect_sums(sums, next, 1.7);
  EXPECT_TRUE(sums.is_descent);
  for (Index j = 0; j < n; ++j) {  // one number off by one bit, wherever it is
    const double kept = next[j];
    next[j] = std::nextafter(kept, 10.0);
    EXPECT_FALSE(step_sums({y, p, q, x, c}, {0.3, 0.7}, 1.7, next).is_descent) << j;
    next[j] = kept;
  }
}

TEST_P(SweepsOfLength, FindANumberThatIsNotFiniteWhereverItIs) {
  EXPECT_TRUE(all_finite(y));
  for (Index j = 0; j < n; ++j) {
    for (const double bad : {kInfinity, -kInfinity, std::nan("")}) {
      Vector changed = y;
      changed[j] = bad;
      EXPECT_FALSE(all_finite(changed)) << j;
    }
  }
}

TEST_P(SweepsOfLength, BlendIntoOneOfThem) {
  Vector fresh = Vector::Constant(n, 1e300), same = p;
  blend(0.3, p, -1.7, q, fresh);
  blend(0.3, same, -1.7, q, same);
  for (Index j = 0; j < n; ++j) ASSERT_EQ(fresh[j], 0.3 * p[j] + -1.7 * q[j]) << j;
  EXPECT_EQ(same, fresh);
}

TEST_P(SweepsOfLength, SumDifferencesAndPairs) {
  const double scale = 1.0 + static_cast<double>(n) * 20.0;
  const DifferenceSums difference = difference_sums(p, 1.7, q);
  EXPECT_NEAR(difference.squared, (p - 1.7 * q).squaredNorm(), kClose * scale);
  EXPECT_NEAR(difference.along, (p - 1.7 * q).dot(q), kClose * scale);
  const PairSums pair = pair_sums(p, q);
  EXPECT_NEAR(pair.pp, p.squaredNorm(), kClose * scale);
  EXPECT_NEAR(pair.pq, p.dot(q), kClose * scale);
  EXPECT_NEAR(pair.qq, q.squaredNorm(), kClose * scale);
}

TEST_P(SweepsOfLength, WriteAPair) {
  Vector step(n), upper(n), lower(n), change(n);
  const PairOut out{step.data(), upper.data(), lower.data(), change.data()};
  const PairSums sums = write_pair(0.3, y, {p.data(), q.data()}, {x.data(), nullptr}, 2.0, 0.5, out);
  for (Index j = 0; j < n; ++j) {
    ASSERT_EQ(step[j], 0.3 * y[j]);
    ASSERT_EQ(upper[j], p[j] - q[j]);
    ASSERT_EQ(lower[j], x[j]);
    ASSERT_EQ(change[j], 2.0 * upper[j] + 0.5 * lower[j]);
  }
  const double scale = 1.0 + static_cast<double>(n) * 20.0;
  EXPECT_NEAR(sums.pp, step.squaredNorm(), kClose * scale);
  EXPECT_NEAR(sums.pq, step.dot(change), kClose * scale);
  EXPECT_NEAR(sums.qq, change.squaredNorm(), kClose * scale);
  write_pair(1.0, y, {}, {x.data(), nullptr}, 2.0, 1.0, out);
  EXPECT_EQ(upper, Vector::Zero(n));
  EXPECT_EQ(change, x);
}

INSTANTIATE_TEST_SUITE_P(Tails, SweepsOfLength, ::testing::Values(1, 3, 4, 7, 8, 9, 15, 16, 37));

class TallBlock : public ::testing::TestWithParam<Index> {
 protected:
  static constexpr Index kLength = 5003;  // two pieces and a tail
  const Index columns = GetParam();
  const Eigen::MatrixXd first = samples::vector(kLength * columns, 1).reshaped(kLength, columns);
  const Eigen::MatrixXd second = samples::vector(kLength * columns, 2).reshaped(kLength, columns);
  DenseBlock block(const Eigen::MatrixXd& matrix) const { return {matrix.data(), kLength, columns, kLength}; }
};

TEST_P(TallBlock, GivesTheInnerProductsOfAnyOfTheVectors) {
  const std::array<Vector, 4> vectors{samples::vector(kLength, 3), samples::vector(kLength, 4),
                                      samples::vector(kLength, 5), samples::vector(kLength, 6)};
  for (unsigned mask = 1; mask < 16; ++mask) {
    std::array<const double*, 4> given{};
    std::array<Vector, 4> out;
    for (std::size_t k = 0; k < 4; ++k) {
      out[k] = Vector::Constant(columns + 1, 1e300);
      if ((mask >> k & 1u) != 0) given[k] = vectors[k].data();
    }
    tall_inner_products(block(first), given, out);
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_EQ(out[k][columns], 1e300);
      for (Index o = 0; o < columns; ++o) {
        const double expected = given[k] != nullptr ? first.col(o).dot(vectors[k]) : 1e300;
        EXPECT_NEAR(out[k][o], expected, 1e-10) << mask << ' ' << k << ' ' << o;
      }
    }
  }
}

TEST_P(TallBlock, IsCombinedOnAnyNumberOfThreads) {
  const Vector p = samples::vector(kLength, 3), q = samples::vector(kLength, 4);
  const Vector a = samples::vector(columns, 5), b = samples::vector(columns, 6);
  const TallCombination sum{0.3, -2.0, p.data(), q.data(), block(first), block(second), a.data(), b.data()};
  Vector one = Vector::Constant(kLength, 1e300);
  tall_combination(sum, one.data());
  const Vector expected = 0.3 * p - 2.0 * q + first * a + second * b;
  EXPECT_LT((one - expected).lpNorm<Eigen::Infinity>(), 1e-12);
  const ThreadScope scope(3);
  Vector several(kLength);
  tall_combination(sum, several.data());
  EXPECT_EQ(several, one);
}

INSTANTIATE_TEST_SUITE_P(Columns, TallBlock, ::testing::Values(1, 2, 3, 4, 5, 10, 21));

}  // namespace
}  // namespace fcbio
