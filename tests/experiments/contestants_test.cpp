#include "experiments/contestants.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fcbio/error.hpp"
#include "support/problems.hpp"
#include "support/refusal.hpp"

namespace fcbio::experiments {
namespace {

using testing::HasSubstr;

std::string refusal(const std::string& list) {
  return test::refusal([&] { parse_contestants(list); });
}

TEST(Contestants, AllIsEveryRegisteredMethod) {
  const std::vector<Contestant> all = parse_contestants("all");
  ASSERT_EQ(all.size(), methods().size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(all[i].method, methods()[i].name);
    EXPECT_EQ(all[i].label, methods()[i].name);
    EXPECT_TRUE(all[i].values.empty());
  }
}

TEST(Contestants, TheSameMethodMayTakePartWithSeveralSettings) {
  const std::vector<Contestant> two = parse_contestants("fcbio-sm:cap=10,fcbio-sm:cap=20:alpha0=1");
  ASSERT_EQ(two.size(), 2u);
  EXPECT_EQ(two[0].method, "fcbio-sm");
  EXPECT_EQ(two[0].label, "fcbio-sm:cap=10");
  EXPECT_EQ(two[0].values, (OptionValues{{"cap", "10"}}));
  EXPECT_EQ(two[1].values, (OptionValues{{"cap", "20"}, {"alpha0", "1"}}));
}

TEST(Contestants, MistakesAreNamed) {
  EXPECT_THAT(refusal("fcbio,nonsense"), HasSubstr("unknown method 'nonsense'"));
  EXPECT_THAT(refusal("fcbio-sn"), HasSubstr("did you mean 'fcbio-sm'?"));
  EXPECT_THAT(refusal("fcbio,"), HasSubstr("remove a comma"));
  EXPECT_THAT(refusal(""), HasSubstr("expected a list of methods or all, found nothing"));
  EXPECT_THAT(refusal("fcbio,fcbio"), HasSubstr("'fcbio' is listed twice"));
  EXPECT_THAT(refusal("fcbio,all"), HasSubstr("'all' stands alone"));
  EXPECT_THAT(refusal("fcbio-sm:cap"), HasSubstr("expected NAME:KEY=VALUE, found 'fcbio-sm:cap'"));
  EXPECT_THAT(refusal("fcbio-sm:cap=1:cap=2"), HasSubstr("'cap' is given twice"));
  EXPECT_THAT(refusal("fcbio-sm:capp=1"),
              HasSubstr("'fcbio-sm:capp=1': unknown option 'capp'; did you mean 'cap'?"));
  EXPECT_THAT(refusal("fcbio-sm:cap=0"), HasSubstr("option 'cap': expected an integer in [1, "));
}

TEST(Contestants, ThoseThatDoNotFitAreLeftOutWithTheMissingProperty) {
  const Problem problem(l1_norm(Vector::Ones(3)), squared_norm(Vector::Zero(3)), ball(Vector::Zero(3), 1.0));
  std::vector<Contestant> contestants = parse_contestants("fcbio,fcbio-sm,fcbio-lip");
  const std::vector<report::LeftOut> left_out = remove_misfits(problem, contestants);
  ASSERT_EQ(contestants.size(), 2u);
  ASSERT_EQ(left_out.size(), 1u);
  EXPECT_EQ(left_out[0].name, "fcbio-sm");
  EXPECT_EQ(left_out[0].why, "needs smooth f and g; the upper function is not smooth (term 'l1-norm')");
}

}  // namespace
}  // namespace fcbio::experiments
