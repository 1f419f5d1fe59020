// The generator: published reference outputs, and moments of the transforms.
#include "catalogue/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace fcbio::catalogue {
namespace {

// The generator and its seeding written out a second time, from the reference description.
struct Twin {
  std::uint64_t s[4];
  explicit Twin(std::uint64_t x) {
    for (auto& word : s) {
      std::uint64_t z = (x += 0x9e3779b97f4a7c15);
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
      z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
      word = z ^ (z >> 31);
    }
  }
  static std::uint64_t rotate(std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
  std::uint64_t next() {
    const std::uint64_t result = rotate(s[1] * 5, 7) * 9;
    const std::uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 45);
    return result;
  }
};

TEST(Random, SplitmixFillsTheStateAsPublished) {
  // splitmix64 from seed 0 begins e220a8397b1dcdaf, 6e789e6aa1b965f4, ... (reference outputs).
  const Twin twin(0);
  EXPECT_EQ(twin.s[0], 0xe220a8397b1dcdafULL);
  EXPECT_EQ(twin.s[1], 0x6e789e6aa1b965f4ULL);
}

TEST(Random, MatchesTheReferenceForManySeeds) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Random random(seed);
    Twin twin(seed);
    for (int k = 0; k < 100; ++k) ASSERT_EQ(random.bits(), twin.next());
  }
}

TEST(Random, UniformAndBelowStayInRange) {
  Random random(3);
  std::vector<int> hits(7, 0);
  for (int k = 0; k < 7000; ++k) {
    const double u = random.uniform();
    ASSERT_GE(u, 0.0);
    ASSERT_LT(u, 1.0);
    ++hits[random.below(7)];
  }
  for (const int count : hits) EXPECT_NEAR(count, 1000, 150);
}

TEST(Random, NormalHasItsMoments) {
  Random random(11);
  const int count = 200000;
  double first = 0.0, second = 0.0, fourth = 0.0;
  for (int k = 0; k < count; ++k) {
    const double z = random.normal();
    first += z;
    second += z * z;
    fourth += z * z * z * z;
  }
  EXPECT_NEAR(first / count, 0.0, 0.01);
  EXPECT_NEAR(second / count, 1.0, 0.02);
  EXPECT_NEAR(fourth / count, 3.0, 0.15);
}

TEST(Random, PoissonHasMeanAndVarianceOnBothBranches) {
  for (const double mean : {0.6, 12.0, 29.0, 31.0, 500.0}) {
    Random random(5);
    const int count = 40000;
    double first = 0.0, second = 0.0;
    for (int k = 0; k < count; ++k) {
      const double value = random.poisson(mean);
      ASSERT_EQ(value, std::floor(value));
      first += value;
      second += value * value;
    }
    first /= count;
    second = second / count - first * first;
    EXPECT_NEAR(first, mean, 6.0 * std::sqrt(mean / count));
    EXPECT_NEAR(second / mean, 1.0, 0.05);
  }
}

TEST(Random, PermutationHoldsEveryIndexOnce) {
  Random random(2);
  std::vector<Index> order = random.permutation(100);
  EXPECT_FALSE(std::is_sorted(order.begin(), order.end()));
  std::sort(order.begin(), order.end());
  for (Index i = 0; i < 100; ++i) EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
}

TEST(Random, UnitVectorHasNormOne) {
  Random random(9);
  EXPECT_NEAR(random.unit_vector(50).norm(), 1.0, 1e-15);
}

}  // namespace
}  // namespace fcbio::catalogue
