// The chains: constants, minimisers, and the property they are made for.
#include "theory/chains.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support/problems.hpp"

namespace fcbio::theory {
namespace {

template <class Chain>
Vector gradient_at(const Chain& chain, const Vector& x) {
  Vector gradient(x.size());
  chain.evaluate(x, &gradient);
  return gradient;
}

TEST(SmoothChain, HasTheMinimizerAndMinimumOfTheFormula) {
  for (Index q : {1, 2, 7, 40}) {
    const SmoothChain chain(q, 3.0, 0.7);
    const Vector x = chain.minimizer();
    EXPECT_LE(gradient_at(chain, x).norm(), 1e-14);
    EXPECT_NEAR(chain.evaluate(x, nullptr), chain.minimum(), 1e-15);
    EXPECT_LE(x.squaredNorm(), 0.49 * static_cast<double>(q + 1) / 3.0);
  }
}

TEST(SmoothChain, GradientIsTheDerivativeAndIsLSmooth) {
  std::mt19937_64 random(1);
  const SmoothChain chain(9, 2.0, 1.3);
  double largest = 0.0;
  for (int trial = 0; trial < 200; ++trial) {
    const Vector x = test::random_vector(9, random), v = test::random_vector(9, random);
    const double h = 1e-6;
    EXPECT_NEAR(gradient_at(chain, x).dot(v),
                (chain.evaluate(x + h * v, nullptr) - chain.evaluate(x - h * v, nullptr)) / (2.0 * h), 1e-7);
    largest = std::max(largest, (gradient_at(chain, x) - gradient_at(chain, v)).norm() / (x - v).norm());
  }
  EXPECT_LE(largest, 2.0 + 1e-12);
  EXPECT_GT(largest, 1.0);  // the constant is not far off
}

TEST(LipschitzChain, HasTheMinimizerMinimumAndConstantOfTheFormula) {
  std::mt19937_64 random(2);
  for (Index q : {1, 4, 30}) {
    const LipschitzChain chain(q, 2.0, 1.5);
    const Vector best = chain.minimizer();
    EXPECT_NEAR(chain.evaluate(best, nullptr), chain.minimum(), 1e-14);
    EXPECT_NEAR(best.norm(), 1.5, 1e-14);
    for (int trial = 0; trial < 200; ++trial) {
      Vector x = test::random_vector(q, random);
      x *= 1.5 / std::max(1.5, x.norm());
      EXPECT_GE(chain.evaluate(x, nullptr), chain.minimum() - 1e-14);
      EXPECT_LE(gradient_at(chain, x).norm(), 2.0 + 1e-12);
      // a subgradient: the linearisation lies below
      const Vector y = test::random_vector(q, random);
      EXPECT_LE(chain.evaluate(x, nullptr) + gradient_at(chain, x).dot(y - x), chain.evaluate(y, nullptr) + 1e-12);
    }
  }
}

// From a point supported on the first k coordinates, whatever the entries, only coordinate k+1 comes in.
template <class Chain>
void expect_chain(const Chain& chain) {
  std::mt19937_64 random(3);
  std::uniform_int_distribution<int> kind(0, 3);
  for (Index k = 0; k < chain.size(); ++k) {
    for (int trial = 0; trial < 50; ++trial) {
      Vector x = Vector::Zero(chain.size());
      for (Index j = 0; j < k; ++j) {
        const int which = kind(random);
        x[j] =
            which == 0 ? 0.0 : (which == 1 ? -1.0 : 1.0) * std::ldexp(static_cast<double>(random() % 1000), -10);
      }
      const Vector gradient = gradient_at(chain, x);
      for (Index j = k + 1; j < chain.size(); ++j) EXPECT_EQ(gradient[j], 0.0) << "k = " << k << ", j = " << j;
    }
  }
}

TEST(SmoothChain, IsAZeroChain) { expect_chain(SmoothChain(12, 1.0, 0.3)); }
TEST(LipschitzChain, IsAZeroChainWithTheResistingOracle) { expect_chain(LipschitzChain(12, 1.0, 1.0)); }

}  // namespace
}  // namespace fcbio::theory
