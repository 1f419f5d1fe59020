// Names, options and refusals, with their texts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fcbio/error.hpp"
#include "fcbio/method.hpp"
#include "support/problems.hpp"
#include "support/refusal.hpp"

namespace fcbio {
namespace {

using testing::HasSubstr;

std::string refusal(const Problem& problem, const SolveOptions& options) {
  return test::refusal([&] { solve(problem, options); });
}

TEST(Registry, OffersTheNearestMethodName) {
  EXPECT_THAT(
      refusal(test::toy_polygon().problem, {.method = "fcbo-sm"}),
      HasSubstr("unknown method 'fcbo-sm'; did you mean 'fcbio-sm'?; known methods: fcbio, fcbio-sm, fcbio-lip"));
}

TEST(Registry, OffersTheNearestOptionName) {
  EXPECT_THAT(refusal(test::toy_polygon().problem, {.method = "fcbio-sm", .values = {{"capp", "3"}}}),
              HasSubstr("unknown option 'capp'; did you mean 'cap'?"));
}

TEST(Registry, ChecksOptionRanges) {
  const Problem problem = test::toy_polygon().problem;
  const auto with = [&](const char* method, const char* name, const char* value) {
    return refusal(problem, {.method = method, .values = {{name, value}}});
  };
  EXPECT_EQ(with("fcbio-sm", "alpha0", "0"), "option 'alpha0': expected a number in (0, 1], found '0'");
  EXPECT_EQ(with("fcbio-sm", "alpha0", "nan"), "option 'alpha0': expected a number in (0, 1], found 'nan'");
  EXPECT_EQ(with("fcbio-sm", "cap", "2.5"),
            "option 'cap': expected an integer in [1, 1000000000000000], found '2.5'");
  EXPECT_EQ(with("fcbio-sm", "budget", "none"), "option 'budget': expected theory | cap, found 'none'");
  EXPECT_EQ(with("fcbio-lip", "early_stop", "maybe"), "option 'early_stop': expected true | false, found 'maybe'");
  EXPECT_THAT(with("fcbio-lip", "alpha0", "1"), HasSubstr("unknown option 'alpha0'"));
}

TEST(Registry, NamesTheMissingProperty) {
  const Problem nonsmooth(l1_norm(Vector::Zero(2)), linear(Vector::Ones(2)), ball(Vector::Zero(2), 1.0));
  EXPECT_EQ(refusal(nonsmooth, {.method = "fcbio-sm"}),
            "method 'fcbio-sm' needs smooth f and g; the upper function is not smooth (term 'l1-norm')");
  const Problem unbounded(squared_norm(Vector::Zero(2)), squared_norm(Vector::Ones(2)),
                          whole_space(Vector::Zero(2), std::nullopt));
  EXPECT_THAT(refusal(unbounded, {.method = "fcbio-lip"}),
              HasSubstr("not Lipschitz on the domain, which is unbounded (term 'squared-norm')"));
  EXPECT_THAT(refusal(unbounded, {.method = "fcbio-sm", .values = {{"budget", "theory"}}}),
              HasSubstr("budget = theory needs a bounded domain"));
}

TEST(Registry, RecordsTheOptionsUsed) {
  const Result result = solve(
      test::toy_polygon().problem,
      {.method = "fcbio-sm", .values = {{"cap", "1e2"}, {"lower_iterations", "0"}}, .accuracy = {1e-3, 1e-3}});
  EXPECT_EQ(result.method, "fcbio-sm");
  EXPECT_THAT(result.options, testing::Contains(testing::Pair("cap", "100")));
  EXPECT_THAT(result.options, testing::Contains(testing::Pair("alpha0", "0.5")));
}

TEST(Registry, EveryMethodDescribesItself) {
  for (const MethodInfo& info : methods()) {
    EXPECT_FALSE(info.summary.empty());
    EXPECT_FALSE(info.needs.empty());
    EXPECT_FALSE(info.guarantee.empty());
    for (const OptionInfo& option : info.options) {
      EXPECT_FALSE(option.help.empty()) << option.name;
      EXPECT_FALSE(option.range.empty()) << option.name;
    }
  }
}

TEST(Problem, RefusesMismatchedDimensions) {
  EXPECT_THROW(Problem(squared_norm(Vector::Zero(3)), linear(Vector::Ones(2)), ball(Vector::Zero(3), 1.0)),
               InvalidArgument);
  EXPECT_THROW(Problem(squared_norm(Vector::Zero(3)), linear(Vector::Ones(3)), ball(Vector::Zero(4), 1.0)),
               InvalidArgument);
  EXPECT_THROW(Problem(squared_norm(Vector::Zero(2)), linear(Vector::Ones(2)), ball(Vector::Zero(2), 1.0),
                       Vector::Constant(2, kInfinity)),
               InvalidArgument);
}

}  // namespace
}  // namespace fcbio
