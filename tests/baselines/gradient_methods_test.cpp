// Methods with one gradient step per level and iteration: naive twins, written from the formulas with plain
// vectors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "baselines/diagonal_weight.hpp"
#include "baselines/method_run.hpp"
#include "fcbio/error.hpp"
#include "support/refusal.hpp"
#include "trajectory.hpp"

namespace fcbio {
namespace {

using test::gradient_at;
using test::projected;
using test::value_at;
constexpr Level f = Level::upper, g = Level::lower;

Problem sample(ConvexSetPtr domain = nullptr) {
  std::mt19937_64 random(11);
  const Index n = 6;
  Function upper =
      squared_norm(Vector::Constant(n, 0.7)) +
      0.3 * least_squares(dense_map(test::random_matrix(3, n, random)), test::random_vector(3, random));
  Function lower = least_squares(dense_map(test::random_matrix(4, n, random)), test::random_vector(4, random));
  if (!domain) domain = ball(Vector::Zero(n), 0.8);
  return Problem(std::move(upper), std::move(lower), std::move(domain), 0.2 * test::random_vector(n, random));
}

// The same with l1 norms in f and g: what prox they need over the box is soft thresholding and clamping.
constexpr double kUpperNorm = 0.4, kLowerNorm = 0.3;
Problem composite_sample() {
  const Problem smooth = sample(box(Vector::Constant(6, -0.5), Vector::Constant(6, 0.6)));
  return Problem(smooth.upper() + kUpperNorm * l1_norm(Vector::Zero(6)),
                 smooth.lower() + kLowerNorm * l1_norm(Vector::Zero(6)), smooth.domain_pointer(), smooth.start());
}

// One problem as the twins see it: gradients of the smooth parts, their constants, prox of the rest.
struct Naive {
  Problem smooth;
  double upper_norm, lower_norm;
  double lf = test::smoothness_of(smooth, f), lg = test::smoothness_of(smooth, g);
  Vector df(const Vector& x) const { return gradient_at(smooth, f, x); }
  Vector dg(const Vector& x) const { return gradient_at(smooth, g, x); }
  Vector prox(double step, double upper, double lower, const Vector& x) const {
    const double t = step * (upper * upper_norm + lower * lower_norm);
    Vector s = x;
    for (double& v : s) v = std::copysign(std::max(std::abs(v) - t, 0.0), v);
    return projected(smooth, s);
  }
};

struct Case {
  Problem problem;
  Naive naive;
};

std::vector<Case> cases() {
  const Problem smooth = sample();
  const Problem boxed = sample(box(Vector::Constant(6, -0.5), Vector::Constant(6, 0.6)));
  return {{smooth, {smooth, 0.0, 0.0}}, {composite_sample(), {boxed, kUpperNorm, kLowerNorm}}};
}

constexpr int kSteps = 25;

// The method's outputs are those of `next`, which makes step k = 0, 1, ... and returns the output.
template <class Next>
void expect_twin(const Problem& problem, const std::string& method, const OptionValues& values, Next next) {
  const auto run = test::record(problem, method, values, kSteps);
  ASSERT_EQ(run.trajectory.points.size(), static_cast<std::size_t>(kSteps)) << method;
  for (int k = 0; k < kSteps; ++k) {
    const Vector expected = next(k);
    ASSERT_LE((run.trajectory.points[static_cast<std::size_t>(k)] - expected).norm(), 1e-11) << method << " " << k;
  }
  EXPECT_EQ(run.result.x, run.trajectory.points.back());
}

TEST(AIrg, FollowsTheFormulas) {
  const Naive p{sample(), 0.0, 0.0};
  for (const char* output : {"average", "last"}) {
    Vector x = p.smooth.start(), sum = x * std::sqrt(0.5);
    double weights = std::sqrt(0.5);
    expect_twin(p.smooth, "a-irg", {{"gamma0", "0.5"}, {"eta0", "2"}, {"output", output}}, [&](int k) -> Vector {
      x = projected(p.smooth, x - 0.5 / std::sqrt(k + 1.0) * (p.dg(x) + 2.0 * std::pow(k + 1.0, -0.25) * p.df(x)));
      const double weight = std::sqrt(0.5 / std::sqrt(k + 2.0));
      sum += weight * x, weights += weight;
      return std::string(output) == "last" ? x : Vector(sum / weights);
    });
  }
}

TEST(AIrg, StepsByItsDefaultsOneOverTheSmoothnessOrRadiusOverTheLipschitzConstant) {
  const Naive p{sample(), 0.0, 0.0};
  const auto smooth = test::record(p.smooth, "a-irg", {{"output", "last"}}, 1);
  const Vector x0 = p.smooth.start();
  EXPECT_LE((smooth.result.x - projected(p.smooth, x0 - (p.dg(x0) + p.df(x0)) / p.lg)).norm(), 1e-12);
  const Problem sharp(p.smooth.upper(), 2.0 * l1_norm(Vector::Zero(6)), p.smooth.domain_pointer(), x0);
  const auto run = test::record(sharp, "a-irg", {{"output", "last"}}, 1);
  const double gamma = 0.8 / (2.0 * std::sqrt(6.0));
  EXPECT_LE((run.result.x - projected(sharp, x0 - gamma * (gradient_at(sharp, g, x0) + p.df(x0)))).norm(), 1e-12);
}

TEST(BiSg, FollowsTheFormulasAndReportsThePointOfZ) {
  for (const Case& c : cases()) {
    const Naive& p = c.naive;
    Vector x = p.smooth.start();
    expect_twin(c.problem, "bi-sg", {{"alpha", "0.8"}, {"offset", "1"}}, [&](int k) -> Vector {
      const double eta = std::pow(k + 2.0, -0.8) / p.lf;
      const Vector y = p.prox(1.0 / p.lg, 0.0, 1.0, x - p.dg(x) / p.lg);
      x = y - eta * p.df(y);
      if (p.upper_norm > 0.0) x = p.prox(eta, 1.0, 0.0, x);
      return y;
    });
  }
}

TEST(BiSg, TakesSubgradientsWhereFIsNeitherSmoothNorHasAProx) {
  const Problem smooth = sample();
  const Problem sharp(l1_norm(Vector::Constant(6, 0.1)), smooth.lower(), smooth.domain_pointer(), smooth.start());
  const double l = test::smoothness_of(smooth, g);
  Vector x = sharp.start();
  expect_twin(sharp, "bi-sg", {}, [&](int k) -> Vector {
    const Vector y = projected(sharp, x - gradient_at(sharp, g, x) / l);
    x = y - std::pow(k + 1.0, -0.75) * gradient_at(sharp, f, y);
    return y;
  });
}

TEST(BigSam, FollowsTheFormulas) {
  const Naive p{sample(), 0.0, 0.0};
  const double sigma = 1.0, s = 2.0 / (p.lf + sigma);
  const double beta = std::sqrt(1.0 - 2.0 * s * sigma * p.lf / (sigma + p.lf));
  for (const char* codes : {"", "0"}) {
    const double factor = *codes ? 1.0 : 1.0 - beta;
    Vector x = p.smooth.start();
    OptionValues values{{"gamma", "0.9"}};
    if (*codes) values["beta"] = codes;
    expect_twin(p.smooth, "big-sam", values, [&](int k) -> Vector {
      const Vector y = projected(p.smooth, x - p.dg(x) / p.lg);
      const double alpha = std::min(1.8 / (factor * (k + 1)), 1.0);
      x = alpha * (x - s * p.df(x)) + (1.0 - alpha) * y;
      return y;
    });
  }
}

TEST(BigSam, StepsOnAnL1NormPlusSquaredNormsByItsProx) {
  // alpha_1 = 1, so that x_1 = z, which must be the prox of delta f over Z, delta = s/(1 - s sigma): found here by
  // a scan.  g hardly knows the first coordinate, so that its step from x_1 leaves that alone.
  const double s = 0.3, sigma = 0.5, delta = s / (1.0 - s * sigma), weight = 0.7, centre = 0.2;
  RowMajorMatrix scales(2, 2);
  scales << 1e-4, 0.0, 0.0, 1.0;
  const Problem problem(sigma * squared_norm(Vector::Constant(2, centre)) + weight * l1_norm(Vector::Zero(2)),
                        least_squares(dense_map(scales), Vector::Zero(2)),
                        box(Vector::Constant(2, -1.0), Vector::Ones(2)), Vector::Constant(2, 0.9));
  const auto value = [&](double z) {
    return delta * (0.5 * sigma * (z - centre) * (z - centre) + weight * std::abs(z)) +
           0.5 * (z - 0.9) * (z - 0.9);
  };
  double best = -1.0;
  for (double z = -1.0; z <= 1.0; z += 1e-6)
    if (value(z) < value(best)) best = z;
  const auto run = test::record(problem, "big-sam", {{"step", "0.3"}}, 2);
  EXPECT_NEAR(run.trajectory.points[1][0], best, 1e-5);
  EXPECT_GT(best, 0.1);
  EXPECT_LT(best, 0.89);
}

TEST(Dbgd, FollowsTheFormulas) {
  const Naive p{sample(), 0.0, 0.0};
  for (const char* low : {"", "-3"}) {
    Vector x = p.smooth.start();
    OptionValues values{{"step", "0.05"}, {"a", "2"}, {"b", "0.5"}};
    if (*low) values["low"] = low;
    expect_twin(p.smooth, "dbgd", values, [&](int) -> Vector {
      const Vector df = p.df(x), dg = p.dg(x);
      const double phi = std::min(2.0 * (value_at(p.smooth, g, x) + (*low ? 3.0 : 0.0)), 0.5 * dg.squaredNorm());
      const double lambda = std::max((phi - df.dot(dg)) / dg.squaredNorm(), 0.0);
      x = projected(p.smooth, x - 0.05 * (df + lambda * dg));
      return x;
    });
  }
}

TEST(Dbgd, FollowsFAloneWhereTheGradientOfGIsZero) {
  const Problem problem(linear(Vector::Ones(2)), squared_norm(Vector::Zero(2)), ball(Vector::Zero(2), 1.0));
  const auto run = test::record(problem, "dbgd", {{"step", "0.25"}}, 1);
  EXPECT_EQ(run.result.x, Vector::Constant(2, -0.25));
}

TEST(FbiPg, FollowsTheFormulas) {
  for (const Case& c : cases()) {
    const Naive& p = c.naive;
    const double s = 1.0 / (p.lg + std::pow(2.5, -1.3) * p.lf);
    Vector x = p.smooth.start(), before = x;
    expect_twin(c.problem, "fbi-pg", {{"gamma", "1.3"}, {"a", "2.5"}}, [&](int k) -> Vector {
      const double alpha = std::pow(k + 2.5, -1.3);
      const Vector y = x + k / (k + 3.5) * (x - before);
      before = x;
      return x = p.prox(s, alpha, 1.0, y - s * (p.dg(y) + alpha * p.df(y)));
    });
  }
}

TEST(BiPg, FollowsTheFormulas) {
  for (const Case& c : cases()) {
    const Naive& p = c.naive;
    const double s = 0.95 / (p.lg + 2.0 * std::pow(4.0, -0.6) * p.lf);
    Vector x = p.smooth.start();
    expect_twin(c.problem, "bi-pg", {{"c", "2"}, {"delta", "1.2"}, {"sigma_weight", "3"}}, [&](int k) -> Vector {
      const double eps = 2.0 * std::pow(k + 4.0, -0.6);
      return x = p.prox(2.0 * s, eps, 1.0, x - 2.0 * s * (p.dg(x) + eps * p.df(x)));
    });
  }
}

TEST(BiFista, FollowsTheFormulas) {
  for (const Case& c : cases()) {
    const Naive& p = c.naive;
    const double s = 0.95 / (p.lg + 2.0 * std::pow(4.0, -1.2) * p.lf);
    Vector x = p.smooth.start(), before = x;
    expect_twin(c.problem, "bi-fista",
                {{"c", "2"}, {"delta", "1.2"}, {"sigma_weight", "3"}, {"sigma_momentum", "5"}, {"alpha", "3.5"}},
                [&](int k) -> Vector {
                  const double eps = 2.0 * std::pow(k + 4.0, -1.2);
                  const Vector y = x + (1.0 - 3.5 / (k + 6.0)) * (x - before);
                  before = x;
                  return x = p.prox(s, eps, 1.0, y - s * (p.dg(y) + eps * p.df(y)));
                });
  }
}

// Weights count from first_index, 0 in the authors' code: 1/0 stands for "as large as you like".
constexpr double kFirstIndices[] = {0.0, 1.0, 4.0};

OptionValues from_index(double first) { return {{"first_index", std::to_string(static_cast<int>(first))}}; }

TEST(StaBim, FollowsTheFormulas) {
  for (const Case& c : cases()) {
    for (const double first : kFirstIndices) {
      const Naive& p = c.naive;
      Vector x = p.smooth.start();
      double sigma = 1.0;
      expect_twin(c.problem, "stabim", from_index(first), [&](int k) -> Vector {
        sigma = std::min(std::max(1.0 / (k + first), 0.75 * sigma), sigma);
        const double h = 0.99 / (sigma * p.lf + p.lg);
        return x = p.prox(h, sigma, 1.0, x - h * (sigma * p.df(x) + p.dg(x)));
      });
    }
  }
}

TEST(StaBim, BeginsWithTheFirstWeightUnlessToldOtherwise) {
  const Case c = cases().front();
  const Vector by_default = test::record(c.problem, "stabim", {}, 5).result.x;
  EXPECT_EQ(by_default, test::record(c.problem, "stabim", from_index(0.0), 5).result.x);
  EXPECT_NE(by_default, test::record(c.problem, "stabim", from_index(1.0), 5).result.x);
}

TEST(StaBim, WeightsFallByAQuarterAtMostAndBecomeOneOverK) {
  double sigma = 1.0;
  for (std::int64_t k = 1; k <= 50; ++k) {
    const double next = next_diagonal_weight(sigma, k);
    EXPECT_LE(next, sigma);
    EXPECT_GE(next, 0.75 * sigma);
    EXPECT_GE(next, 1.0 / static_cast<double>(k));
    if (k >= 10) {
      EXPECT_EQ(next, 1.0 / static_cast<double>(k));
    }
    sigma = next;
  }
}

TEST(Iterative3d, FollowsTheFormulas) {
  for (const Case& c : cases()) {
    const Naive& p = c.naive;
    Vector x = p.smooth.start();
    expect_twin(c.problem, "iterative-3d", {}, [&](int k) -> Vector {
      const double sigma = k == 0 ? 1.0 : 1.0 / (k * k), h = 0.99 / (sigma * p.lf + p.lg);
      return x = p.prox(h, sigma, 1.0, x - h * (sigma * p.df(x) + p.dg(x)));
    });
  }
}

// Steps of AdaBiM and SEDM depend on searches; the twins repeat these with everything computed afresh.
TEST(Sedm, FollowsTheFormulas) {
  for (const Case& c : cases()) {
    const Naive& p = c.naive;
    Vector x = p.smooth.start();
    double h = 1.0;
    expect_twin(c.problem, "sedm", {{"test", "quadratic"}, {"first_index", "1"}}, [&](int k) -> Vector {
      const double sigma = 1.0 / (k + 1.0);
      const auto value = [&](const Vector& z) {
        return sigma * value_at(p.smooth, f, z) + value_at(p.smooth, g, z);
      };
      const Vector d = sigma * p.df(x) + p.dg(x);
      for (bool first = true;; first = false, h *= 0.5) {
        const Vector z = p.prox(h, sigma, 1.0, x - h * d);
        if (value(z) > value(x) + d.dot(z - x) + 0.49 / h * (z - x).squaredNorm() + 1e-15) continue;
        if (first) h = std::min(1.0, 2.0 * h);
        return x = z;
      }
    });
  }
}

TEST(Sedm, AcceptsBySolodovsTest) {
  for (const Case& c : cases()) {
    const Naive& p = c.naive;
    Vector x = p.smooth.start();
    expect_twin(c.problem, "sedm", {{"theta", "0.7"}}, [&](int k) -> Vector {
      const double sigma = k == 0 ? 1.0 : 1.0 / k;
      const auto value = [&](const Vector& z) {
        return sigma * value_at(c.problem, f, z) + value_at(c.problem, g, z);  // l1 norms and all
      };
      const Vector d = sigma * p.df(x) + p.dg(x);
      for (double h = 1.0;; h *= 0.5) {
        const Vector z = p.prox(h, sigma, 1.0, x - h * d);
        if (value(z) <= value(x) + 0.7 * d.dot(z - x) + 1e-15) return x = z;
      }
    });
  }
}

TEST(AdaBim, FollowsTheFormulas) {
  for (const Case& c : cases()) {
    const Naive& p = c.naive;
    const double mu = 1.0;
    Vector x = p.smooth.start(), before = x;
    double gamma = 1.0, gamma_before = 1.0, sigma = 1.0, sigma_before = 1.0;
    int bounded_by_curvature = 0;
    expect_twin(c.problem, "adabim", {}, [&](int k) -> Vector {
      const double next_sigma = std::min(std::max(1.0 / k, 0.75 * sigma), sigma);
      double trial = 1.0;
      if (k > 0) {
        const Vector d = x - before, dg = p.dg(x) - p.dg(before);
        const Vector both = sigma * (p.df(x) - p.df(before)) + dg;
        const double big = both.squaredNorm() / both.dot(d), l = both.dot(d) / d.squaredNorm();
        const double l2 = dg.dot(d) / d.squaredNorm(), tau_now = sigma / sigma_before, tau = next_sigma / sigma;
        const double excess = gamma * l * (gamma * big - 1.0) - gamma * sigma * mu / 2.0;
        trial = gamma / tau * std::sqrt((1.0 + gamma / gamma_before * tau_now) * tau_now);
        if (excess > 0.0) {
          const double second = gamma / tau *
                                std::sqrt(1.0 + 2.0 * mu * sigma * gamma - 4.0 * (1.0 - tau_now) * gamma * l2) /
                                (2.0 * std::sqrt(excess));
          if (second < trial) ++bounded_by_curvature, trial = second;
        }
      }
      const Vector d = next_sigma * p.df(x) + p.dg(x);
      for (;; trial *= 0.5) {
        const Vector z = p.prox(trial, next_sigma, 1.0, x - trial * d);
        const double l = (next_sigma * p.df(z) + p.dg(z) - d).dot(z - x) / (z - x).squaredNorm();
        if (trial * (l - next_sigma * mu / 2.0) > 0.98) continue;
        gamma_before = k == 0 ? trial : gamma, gamma = trial;
        sigma_before = k == 0 ? next_sigma : sigma, sigma = next_sigma;
        before = x;
        return x = z;
      }
    });
    EXPECT_GT(bounded_by_curvature, 0);
  }
}

// Gaussian data whose side is too large for a Gram matrix: the safe bound is then a Lanczos value with an allowance.
TEST(Smoothness, ExactIsTheEigenvalueAndSafeIsAFewPercentMore) {
  std::mt19937_64 random(3);
  const Eigen::MatrixXd a = test::random_matrix(200, 300, random);
  const Problem problem(squared_norm(Vector::Zero(300)), 0.5 * logistic(dense_map(a), Vector::Ones(200)),
                        ball(Vector::Zero(300), 1.0));
  const double truth = 0.5 * 0.25 * (a * a.transpose()).selfadjointView<Eigen::Lower>().eigenvalues().maxCoeff();
  const auto found = [&](SmoothnessKind kind) {
    Monitor monitor;
    MethodRun run(problem, {1e-3, 1e-3}, 10, kind, monitor);
    EXPECT_EQ(run.smoothness(Level::upper), 1.0);
    const double value = run.smoothness(Level::lower);
    EXPECT_GT(monitor.work().lower_passes, 0);
    return value;
  };
  EXPECT_NEAR(found(SmoothnessKind::exact), truth, 1e-6 * truth);
  EXPECT_GE(found(SmoothnessKind::safe), truth);
  EXPECT_GE(found(SmoothnessKind::safe), 1.01 * truth);
}

TEST(Smoothness, LengthensTheStepsOfAMethod) {
  std::mt19937_64 random(3);
  const Eigen::MatrixXd a = test::random_matrix(200, 300, random);
  const Problem problem(squared_norm(Vector::Zero(300)),
                        least_squares(dense_map(a), test::random_vector(200, random)), ball(Vector::Zero(300), 1.0));
  const auto step = [&](const char* kind) {
    return test::record(problem, "bi-sg", {{"smoothness", kind}}, 1).result.x.norm();
  };
  EXPECT_GT(step("exact"), 1.01 * step("safe"));
}

std::string refusal(const Problem& problem, const std::string& method) {
  return test::refusal([&] { solve(problem, {.method = method}); });
}

TEST(GradientMethods, RefuseWhatTheyCannotTake) {
  const ConvexSetPtr unit = ball(Vector::Zero(2), 1.0);
  const Vector zero = Vector::Zero(2), ones = Vector::Ones(2);
  const Function hinges = hinge(identity_map(2), ones);
  const Problem sharp_lower(squared_norm(zero), hinges, unit);
  for (const char* method : {"bi-sg", "pb-apg", "apb-apg", "pb-apg-sc", "apb-apg-sc", "r-apm", "big-sam", "fbi-pg",
                             "bi-pg", "bi-fista", "stabim", "adabim", "sedm", "iterative-3d"})
    EXPECT_THAT(refusal(sharp_lower, method),
                testing::HasSubstr("the lower function is not smooth, nor an l1 norm (term 'hinge')"))
        << method;
  EXPECT_THAT(refusal(sharp_lower, "dbgd"), testing::HasSubstr("the lower function is not smooth (term 'hinge')"));

  const Problem sharp_upper(hinges, squared_norm(zero), unit);
  EXPECT_EQ(refusal(sharp_upper, "bi-sg"), "accepted");
  for (const char* method :
       {"pb-apg", "r-apm", "big-sam", "fbi-pg", "bi-pg", "bi-fista", "stabim", "adabim", "sedm"})
    EXPECT_THAT(refusal(sharp_upper, method), testing::HasSubstr("the upper function is not smooth")) << method;

  const Problem off_centre(l1_norm(ones), squared_norm(zero), unit);
  EXPECT_THAT(refusal(off_centre, "pb-apg"),
              testing::HasSubstr("no prox is known for an l1 norm whose center is not that of the ball"));
  const Problem flat_upper(linear(ones), squared_norm(zero), unit);
  for (const char* method : {"pb-apg-sc", "apb-apg-sc", "big-sam"})
    EXPECT_THAT(refusal(flat_upper, method),
                testing::HasSubstr("the upper function is not known to be strongly convex"))
        << method;
  const Problem rough_upper(squared_norm(zero) + l1_norm(zero) + logistic(identity_map(2), ones),
                            squared_norm(zero), unit);
  EXPECT_THAT(refusal(rough_upper, "big-sam"),
              testing::HasSubstr("no prox is known for an l1 norm plus the term 'logistic'"));
}

}  // namespace
}  // namespace fcbio
