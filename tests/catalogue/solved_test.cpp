// The default method on entries with known answers: what it claims holds against the truth.
#include <gtest/gtest.h>

#include "catalogue/catalogue.hpp"
#include "fcbio/method.hpp"
#include "naive.hpp"

namespace fcbio::catalogue {
namespace {

constexpr double kRounding = 1e-12;  // of the known answer and of the naive evaluation

void expect_claims_hold(const std::string& name, const OptionValues& values, std::uint64_t seed,
                        std::optional<Accuracy> accuracy = {}) {
  SCOPED_TRACE(name + " seed " + std::to_string(seed));
  const Instance instance = find_entry(name).make(values, seed);
  ASSERT_TRUE(instance.solution.has_value());
  SolveOptions options;
  options.accuracy = accuracy.value_or(instance.data.accuracy);
  const Result result = solve(io::build_problem(instance.data), options);
  EXPECT_EQ(result.status, Status::certified) << result.message;
  const double f = naive::value(instance.data.upper, result.x);
  const double g = naive::value(instance.data.lower, result.x);
  const double scale = kRounding * (1.0 + std::abs(f) + std::abs(g));
  ASSERT_TRUE(result.certificate.upper_excess && result.certificate.lower_gap);
  EXPECT_LE(naive::violation(instance.data.domain, result.x), 1e-9);
  EXPECT_LE(f, *instance.upper_optimum + options.accuracy.upper);
  EXPECT_LE(g, *instance.lower_optimum + options.accuracy.lower);
  EXPECT_GE(*result.certificate.upper_excess, f - *instance.upper_optimum - scale);
  EXPECT_GE(*result.certificate.lower_gap, g - *instance.lower_optimum - scale);
  EXPECT_LE(*result.certificate.upper_lower_bound, *instance.upper_optimum + scale);
  EXPECT_LE(*result.certificate.lower_lower_bound, *instance.lower_optimum + scale);
}

TEST(SolvedCatalogue, MinimumNormAtSeveralConditionsAndCuts) {
  for (const std::uint64_t seed : {1U, 2U}) {
    for (const char* condition : {"1", "10", "100"})
      expect_claims_hold("min-norm", {{"condition", condition}}, seed);
    expect_claims_hold("min-norm", {{"condition", "10"}, {"rank", "20"}, {"noise", "0.3"}}, seed);
    expect_claims_hold("min-norm", {{"condition", "10"}, {"radius", "0.7"}}, seed);
    expect_claims_hold("min-norm", {{"condition", "10"}, {"rows", "60"}, {"columns", "30"}, {"rank", "15"}}, seed);
  }
  expect_claims_hold("min-norm-gaussian", {{"rows", "80"}, {"columns", "150"}}, 1);
  expect_claims_hold("min-norm-wikipedia", {{"rows", "20"}, {"columns", "60"}}, 1, Accuracy{1e-4, 1e-4});
}

TEST(SolvedCatalogue, Faces) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    expect_claims_hold("simplex-face", {}, seed);
    expect_claims_hold("simplex-face", {{"ties", "30"}, {"total", "3"}}, seed);
    expect_claims_hold("box-face", {}, seed);
    expect_claims_hold("box-face", {{"ties", "0"}}, seed);
  }
}

TEST(SolvedCatalogue, Literature) {
  for (const char* name : {"toy-polygon", "franke-5.11", "franke-5.3", "mitsos-barton-3.1"})
    expect_claims_hold(name, {}, 1);
}

TEST(SolvedCatalogue, NonsmoothAtLowAccuracy) {
  expect_claims_hold("hinge-l1", {{"rows", "8"}, {"columns", "12"}, {"support", "3"}}, 1, Accuracy{0.1, 0.1});
  expect_claims_hold("nemirovski", {{"center", "3"}, {"radius", "10"}}, 1, Accuracy{0.1, 0.1});
}

}  // namespace
}  // namespace fcbio::catalogue
