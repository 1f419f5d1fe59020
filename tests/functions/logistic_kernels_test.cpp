// The vectorised logistic functions against the standard library in long double: both tails, subnormals,
// infinities, zeros; and the same bits from both compiled versions, for every length, in place, and for any number
// of threads.
#include "functions/logistic_kernels.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "fcbio/loss.hpp"
#include "fcbio/threads.hpp"
#include "support/both_versions.hpp"

namespace fcbio::functions {
namespace {

using Real = long double;
using Kernel = void (*)(const double*, const double*, Index, double*);

constexpr double kSmallest = std::numeric_limits<double>::denorm_min();

Real exact_value(double u, double b) {
  const Real z = static_cast<Real>(b) * u;
  return std::max<Real>(0, -z) + std::log1p(std::exp(-std::abs(z)));
}
Real exact_slope(double u, double b) {
  const Real z = static_cast<Real>(b) * u;
  const Real e = std::exp(-std::abs(z));
  return -b * ((z > 0 ? e : Real{1}) / (1 + e));
}
Real exact_curvature(double u, double) {
  const Real e = std::exp(-std::abs(static_cast<Real>(u)));
  return e / ((1 + e) * (1 + e));
}
Real exact_conjugate(double r, double b) {
  const Real p = -static_cast<Real>(b) * r;
  return (p > 0 ? p * std::log(p) : 0) + (p < 1 ? (1 - p) * std::log1p(-p) : 0);
}

/// |found - exact| in units of the last place of `exact`; near zero in units of the smallest subnormal.
double ulps(double found, Real exact) {
  const double size = std::abs(static_cast<double>(exact));
  const double unit = std::max(std::nextafter(size, kInfinity) - size, kSmallest);
  return static_cast<double>(std::abs(static_cast<Real>(found) - exact) / unit);
}

struct Samples {
  std::vector<double> in, labels;
  Index size() const { return static_cast<Index>(in.size()); }
};

/// All magnitudes from 2^-60 to 2^10, evenly to 760, and near the ends of the ranges of the reductions.
Samples arguments() {
  std::mt19937_64 engine(5);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  Samples samples;
  const auto add = [&](double u) {
    samples.in.push_back(u);
    samples.labels.push_back(engine() % 2 == 0 ? 1.0 : -1.0);
  };
  for (int i = 0; i < 60000; ++i) add(std::ldexp(unit(engine), static_cast<int>(engine() % 71) - 60));
  for (int i = 0; i < 60000; ++i) add(760.0 * unit(engine));
  for (int i = 0; i < 60000; ++i) add(3.0 * unit(engine));
  for (double u : {0.0, -0.0, 0.88189, 0.3465735902799726, 0.34657359027997264, 708.0, 709.0, 744.4, 745.1, 746.0})
    for (int step = -3; step <= 3; ++step) {
      add(u + step * 1e-15 * (1.0 + std::abs(u)));
      add(-u + step * 1e-15 * (1.0 + std::abs(u)));
    }
  for (double u : {kSmallest, 1e-310, 1e-300, 1e16, 1e300, std::numeric_limits<double>::max()}) {
    add(u);
    add(-u);
  }
  return samples;
}

/// -b p for p in [0, 1], thick at both ends.
Samples duals() {
  std::mt19937_64 engine(6);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  Samples samples;
  const auto add = [&](double p) {
    samples.labels.push_back(engine() % 2 == 0 ? 1.0 : -1.0);
    samples.in.push_back(-samples.labels.back() * p);
  };
  for (int i = 0; i < 60000; ++i) add(unit(engine));
  for (int i = 0; i < 60000; ++i) add(std::ldexp(unit(engine), -static_cast<int>(engine() % 1074)));
  for (int i = 0; i < 60000; ++i) add(1.0 - std::ldexp(unit(engine), -static_cast<int>(engine() % 54)));
  for (double p : {0.0, kSmallest, 1e-310, 0.5, std::sqrt(0.5), 1.0 - kEpsilon / 2, 1.0}) add(p);
  return samples;
}

void expect_accurate(Kernel kernel, Real (*exact)(double, double), const Samples& samples, double most) {
  std::vector<double> out(samples.in.size());
  kernel(samples.in.data(), samples.labels.data(), samples.size(), out.data());
  for (std::size_t i = 0; i < out.size(); ++i)
    ASSERT_LE(ulps(out[i], exact(samples.in[i], samples.labels[i])), most)
        << samples.in[i] << " with label " << samples.labels[i] << " gives " << out[i];
}

TEST(LogisticKernels, AreAccurateEverywhere) {
  expect_accurate(logistic_values, exact_value, arguments(), kLogisticUlps);
  expect_accurate(logistic_slopes, exact_slope, arguments(), kLogisticUlps);
  expect_accurate(logistic_curvatures, exact_curvature, arguments(), kLogisticUlps);
  expect_accurate(logistic_conjugates, exact_conjugate, duals(), kLogisticUlps);
}

TEST(LogisticKernels, KnowTheirLimits) {
  const double in[] = {0.0, kInfinity, -kInfinity, std::nan(""), 1e308, -1e308, 800.0, -800.0};
  const double labels[] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0};
  double out[8];
  logistic_values(in, labels, 8, out);
  EXPECT_EQ(out[0], std::log(2.0));
  EXPECT_EQ(out[1], 0.0);
  EXPECT_EQ(out[2], kInfinity);
  EXPECT_TRUE(std::isnan(out[3]));
  EXPECT_EQ(out[4], 0.0);
  EXPECT_EQ(out[5], 1e308);
  EXPECT_EQ(out[6], 0.0);
  EXPECT_EQ(out[7], 800.0);
  logistic_slopes(in, labels, 8, out);
  EXPECT_EQ(out[0], -0.5);
  EXPECT_EQ(out[1], 0.0);
  EXPECT_EQ(out[2], -1.0);
  EXPECT_TRUE(std::isnan(out[3]));
  EXPECT_EQ(out[7], -1.0);
  logistic_curvatures(in, labels, 8, out);
  EXPECT_EQ(out[0], 0.25);
  EXPECT_EQ(out[1], 0.0);
  EXPECT_EQ(out[2], 0.0);
  EXPECT_TRUE(std::isnan(out[3]));
  const double ends[] = {0.0, -0.0, -1.0};
  logistic_conjugates(ends, labels, 3, out);
  EXPECT_EQ(out[0], 0.0);
  EXPECT_EQ(out[1], 0.0);
  EXPECT_EQ(out[2], 0.0);
}

TEST(LogisticKernels, GiveTheSameBitsWithAndWithoutAvx2) {
  const struct {
    Kernel kernel;
    Samples samples;
  } cases[] = {{logistic_values, arguments()},
               {logistic_slopes, arguments()},
               {logistic_curvatures, arguments()},
               {logistic_conjugates, duals()}};
  for (const auto& [kernel, samples] : cases) {
    const auto run = [kernel = kernel, &samples = samples] {
      std::vector<double> out(samples.in.size());
      kernel(samples.in.data(), samples.labels.data(), samples.size(), out.data());
      return out;
    };
    expect_same_bits_with_and_without_avx2(run);
  }
}

TEST(LogisticKernels, DoNotDependOnLengthOrPlace) {
  const Samples samples = arguments();
  std::vector<double> all(samples.in.size());
  logistic_values(samples.in.data(), samples.labels.data(), samples.size(), all.data());
  for (Index count = 0; count <= 9; ++count) {
    for (Index first = 0; first < 4; ++first) {
      std::vector<double> some(samples.in.begin() + first, samples.in.begin() + first + count);
      some.push_back(-1.0);
      logistic_values(some.data(), samples.labels.data() + first, count, some.data());  // in place
      for (Index i = 0; i < count; ++i)
        ASSERT_EQ(some[static_cast<std::size_t>(i)], all[static_cast<std::size_t>(first + i)]);
      EXPECT_EQ(some.back(), -1.0);  // nothing written behind the end
    }
  }
}

TEST(LogisticKernels, LongLossesDoNotDependOnTheNumberOfThreads) {
  constexpr Index kRows = 200003;
  std::mt19937_64 engine(8);
  std::normal_distribution<double> normal(0.0, 4.0);
  const Vector u = Vector::NullaryExpr(kRows, [&](Index) { return normal(engine); });
  const Vector labels = Vector::NullaryExpr(kRows, [&](Index) { return engine() % 2 == 0 ? 1.0 : -1.0; });
  const LossPtr loss = logistic_loss(labels);
  const double value = loss->value(u);
  Real exact = 0;
  for (Index i = 0; i < kRows; ++i) exact += exact_value(u[i], labels[i]);
  EXPECT_NEAR(value, static_cast<double>(exact), 1e-13 * value);
  Vector slope(kRows), curvature(kRows);
  loss->derivative(u, slope);
  ASSERT_TRUE(loss->curvature(u, curvature));
  const double conjugate = loss->conjugate(slope);
  for (const int threads : {2, 3}) {
    const ThreadScope scope(threads);
    Vector slope_again(kRows), curvature_again(kRows);
    EXPECT_EQ(loss->value(u), value);
    loss->derivative(u, slope_again);
    EXPECT_EQ(slope_again, slope);
    loss->curvature(u, curvature_again);
    EXPECT_EQ(curvature_again, curvature);
    EXPECT_EQ(loss->conjugate(slope), conjugate);
  }
}

}  // namespace
}  // namespace fcbio::functions
