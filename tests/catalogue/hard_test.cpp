// The impossibility instances: values against the formulas of the paper written out, one minimiser, and
// information that travels one coordinate per gradient.
#include <gtest/gtest.h>

#include "build/problem.hpp"
#include "catalogue/catalogue.hpp"
#include "catalogue/random.hpp"
#include "fcbio/problem.hpp"
#include "naive.hpp"

namespace fcbio::catalogue {
namespace {

Instance hard(const char* kind, Index steps) {
  return find_entry(std::string("hard-") + kind).make({{"steps", std::to_string(steps)}}, 1);
}

double smooth_chain(const Vector& x) {
  const Index q = x.size();
  double squares = x[0] * x[0] + x[q - 1] * x[q - 1];
  for (Index i = 0; i + 1 < q; ++i) squares += (x[i] - x[i + 1]) * (x[i] - x[i + 1]);
  return 0.25 * (0.5 * squares - x[0] / std::sqrt(static_cast<double>(q)));
}

double lipschitz_chain(const Vector& x) {
  const double root = std::sqrt(static_cast<double>(x.size()));
  return root / (1.0 + root) * x.maxCoeff() + x.squaredNorm() / (2.0 * (1.0 + root));
}

TEST(Hard, ValuesAreThoseOfTheFormulas) {
  Random random(3);
  for (const Index steps : {1, 2, 7}) {
    const Vector x = 0.1 * random.normal_vector(2 * steps);
    const data::Problem smooth = hard("smooth", steps).data;
    const data::Problem lipschitz = hard("lipschitz", steps).data;
    EXPECT_NEAR(naive::value(smooth.lower, x), smooth_chain(x), 1e-14);
    EXPECT_NEAR(naive::value(lipschitz.lower, x), lipschitz_chain(x), 1e-14);
    for (const data::Problem* data : {&smooth, &lipschitz})
      EXPECT_NEAR(naive::value(data->upper, x), 0.5 * x.tail(steps).squaredNorm(), 1e-15);
  }
}

TEST(Hard, OptimaAreThoseOfThePaper) {
  for (const Index steps : {1, 2, 7, 50}) {
    const auto t = static_cast<double>(steps);
    const Instance smooth = hard("smooth", steps);
    EXPECT_NEAR(naive::value(smooth.data.upper, *smooth.solution), (t + 1.0) / (24.0 * (2.0 * t + 1.0)), 1e-14);
    EXPECT_GE(*smooth.upper_optimum, 1.0 / 48.0);
    EXPECT_LE(smooth.solution->norm(), 1.0);
    const Instance lipschitz = hard("lipschitz", steps);
    EXPECT_DOUBLE_EQ(*lipschitz.upper_optimum, 0.25);
    EXPECT_NEAR(lipschitz.solution->norm(), 1.0, 1e-14);
  }
}

// Smooth: the gradient is 0 at x* and the curvature positive.  Lipschitz: g(x* + d) - g* >= c |d|^2, as the
// squared norm is strongly convex and 0 is a subgradient at x*.
TEST(Hard, TheMinimiserIsTheOnlyOne) {
  Random random(4);
  const Instance smooth = hard("smooth", 6);
  const auto& chain = std::get<data::Quadratic>(smooth.data.lower.front().kind);
  const Eigen::MatrixXd q = naive::dense(chain.matrix);
  EXPECT_LT((q * *smooth.solution + chain.coefficients).norm(), 1e-15);
  const Instance lipschitz = hard("lipschitz", 6);
  const double modulus = 1.0 / (1.0 + std::sqrt(12.0));
  for (int trial = 0; trial < 500; ++trial) {
    const Vector d = random.uniform(0.01, 2.0) * random.unit_vector(12);
    EXPECT_GE(lipschitz_chain(*lipschitz.solution + d) - *lipschitz.lower_optimum,
              0.5 * modulus * d.squaredNorm() - 1e-12);
    EXPECT_GE(0.5 * d.dot(q * d), 1e-3 * d.squaredNorm());
  }
}

// x supported on the first k coordinates: the gradient of g is supported on the first k + 1, that of f (k <= T) is
// 0.
TEST(Hard, SmoothInformationTravelsOneCoordinatePerGradient) {
  Random random(5);
  const Index steps = 8;
  const Problem problem = build::make_problem(hard("smooth", steps).data);
  const auto chain = std::get<data::Quadratic>(hard("smooth", steps).data.lower.front().kind);
  const Eigen::MatrixXd q = naive::dense(chain.matrix);
  for (Index k = 0; k <= steps; ++k) {
    Vector x = Vector::Zero(2 * steps);
    x.head(k) = random.normal_vector(k);
    const Vector gradient = q * x + chain.coefficients;
    EXPECT_TRUE(gradient.tail(2 * steps - k - 1).isZero(0.0));
    EXPECT_NE(gradient[k], 0.0);
    EXPECT_EQ(naive::value(hard("smooth", steps).data.upper, x), 0.0);
  }
  EXPECT_EQ(problem.start(), Vector::Zero(2 * steps));
}

}  // namespace
}  // namespace fcbio::catalogue
