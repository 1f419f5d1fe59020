// Which engines have a turn, by default, where several may.
#include <gtest/gtest.h>

#include "fcbio/method.hpp"
#include "support/problems.hpp"

namespace fcbio {
namespace {

/// Least squares above least squares on a product of two balls, which Newton's method does not take.
Problem on_product(double condition) {
  const Index rows = 90, n = 60;
  std::mt19937_64 random(11);
  const auto half = [&] {
    RowMajorMatrix data = test::random_matrix(rows, n, random);
    for (Index j = 0; j < n; ++j)
      data.col(j) *= std::pow(condition, -static_cast<double>(j) / static_cast<double>(n - 1));
    return least_squares(dense_map(std::move(data)), test::random_vector(rows, random));
  };
  Function upper = half(), lower = half();
  return Problem(std::move(upper), std::move(lower),
                 product({ball(Vector::Ones(n / 2), 1.0), ball(Vector::Zero(n / 2), 1.0)}));
}

// The default: cutting planes first, then accelerated gradients, then the interior point.
TEST(Turns, TheDefaultTakesWhatTheAccuracyAsksFor) {
  const Problem problem = on_product(1e4);
  for (const double eps : {1e-2, 1e-8}) {
    SolveOptions options{.accuracy = {eps, eps}};
    options.certified.refine = 0.0;
    const Result result = solve(problem, options);
    EXPECT_EQ(result.status, Status::certified) << result.message;
    EXPECT_EQ(result.engine, eps > 1e-3 ? "bundle-level" : "accelerated, then interior-point");
  }
}

}  // namespace
}  // namespace fcbio
