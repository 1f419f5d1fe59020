// The answer as a page shows it: largest entries, shapes, accuracy and AUC; and the first weak point of a run.
#include "report/answer.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "report/report.hpp"

namespace fcbio::report_test {
namespace {

using report::Classifier;
using report::Solution;

TEST(Answer, TheLargestEntriesComeBySizeAndTiesByIndex) {
  const Solution solution =
      report::solution_of(Vector{{1.0, -3.0, 0.0, 3.0, -0.0}}, {{"a", "b", "c", "d", "e"}, {}});
  EXPECT_EQ(solution.dimension, 5);
  EXPECT_EQ(solution.nonzero, 3);
  ASSERT_EQ(solution.largest.size(), 5U);
  EXPECT_EQ(solution.largest[0].name, "b");
  EXPECT_EQ(solution.largest[0].value, -3.0);
  EXPECT_EQ(solution.largest[1].name, "d");
  EXPECT_EQ(solution.largest[2].index, 0);
  EXPECT_TRUE(solution.shape.empty());
  EXPECT_EQ(solution.values.size(), 0);
}

TEST(Answer, OnlyADozenOfManyAreListed) {
  const Solution solution = report::solution_of(Vector::LinSpaced(1000, 0.0, 1.0), {});
  ASSERT_EQ(solution.largest.size(), 12U);
  EXPECT_EQ(solution.largest.front().index, 999);
  EXPECT_EQ(solution.largest.back().index, 988);
  EXPECT_EQ(solution.largest.front().name, "");
}

TEST(Answer, ANumberThatIsNoneStandsFirst) {
  const Solution solution =
      report::solution_of(Vector{{1e300, std::numeric_limits<double>::quiet_NaN(), 2.0}}, {});
  EXPECT_EQ(solution.largest.front().index, 1);
}

TEST(Answer, NamesAndShapesThatDoNotFitAreLeftOut) {
  const Vector x = Vector::Ones(6);
  EXPECT_EQ(report::solution_of(x, {{"too", "few"}, {}}).largest[0].name, "");
  for (const std::vector<Index>& shape : {std::vector<Index>{5}, {4, 2}, {0, 6}, {-2, -3}, {1, 2, 3}})
    EXPECT_TRUE(report::solution_of(x, {{}, shape}).shape.empty());
  EXPECT_EQ(report::solution_of(x, {{}, {6}}).values.size(), 6);
  EXPECT_EQ(report::solution_of(x, {{}, {2, 3}}).shape, (std::vector<Index>{2, 3}));
  EXPECT_TRUE(
      report::solution_of(Vector::Ones(1000000), {{}, {1000, 1000}}).shape.empty());  // too large for a page
}

TEST(Answer, AreaUnderTheCurveCountsPairsInTheRightOrder) {
  std::mt19937 random(7);
  std::uniform_int_distribution<int> score(-3, 3), label(0, 1);
  for (int trial = 0; trial < 50; ++trial) {
    Vector scores(17), labels(17);
    for (Index i = 0; i < scores.size(); ++i) {
      scores[i] = score(random);
      labels[i] = label(random) == 1 ? 1.0 : -1.0;
    }
    double right = 0.0, pairs = 0.0;
    int agree = 0;
    for (Index i = 0; i < scores.size(); ++i) {
      agree += scores[i] * labels[i] > 0.0 ? 1 : 0;
      for (Index j = 0; j < scores.size(); ++j) {
        if (labels[i] < 0.0 || labels[j] > 0.0) continue;
        pairs += 1.0;
        right += scores[i] > scores[j] ? 1.0 : scores[i] == scores[j] ? 0.5 : 0.0;
      }
    }
    const Classifier judged = report::judge_scores(Level::upper, "hinge", scores, labels);
    EXPECT_DOUBLE_EQ(judged.accuracy, agree / 17.0);
    ASSERT_EQ(judged.auc.has_value(), pairs > 0.0);
    if (judged.auc) {
      EXPECT_NEAR(*judged.auc, right / pairs, 1e-14);
    }
  }
}

TEST(Answer, OneClassHasNoAreaUnderTheCurve) {
  EXPECT_FALSE(report::judge_scores(Level::upper, "logistic", Vector{{1.0, 2.0}}, Vector{{1.0, 1.0}}).auc);
}

TEST(WeakAfter, CountsTheFirstSureSampleAndWhetherItWasReturned) {
  std::vector<report::Sample> samples(3);
  for (std::size_t k = 0; k < samples.size(); ++k) samples[k].work.iterations = static_cast<std::int64_t>(k);
  samples[0].upper_value = 2.0;
  samples[1].lower_value = 1e-4;
  samples[2].upper_value = std::numeric_limits<double>::quiet_NaN();
  Result result;
  const auto found = [&] { return report::first_weak(samples, result, {0.0, 1.0}, {0.0, 1.0}, {1e-3, 1e-3}); };
  ASSERT_TRUE(found());
  EXPECT_EQ(found()->sample.work.iterations, 1);
  EXPECT_TRUE(found()->returned);
  result.lower_value = 2e-3;  // within the error bar of g*, but not surely
  EXPECT_FALSE(found()->returned);
  samples[1].lower_value = 1.0;
  EXPECT_FALSE(found());
  result.lower_value = 0.0;
  result.work.iterations = 9;
  ASSERT_TRUE(found());
  EXPECT_EQ(found()->sample.work.iterations, 9);
}

}  // namespace
}  // namespace fcbio::report_test
