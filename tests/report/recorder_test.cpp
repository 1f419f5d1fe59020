// The recorder: what it keeps of a run.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "report/report.hpp"
#include "report/thinning.hpp"

namespace fcbio::report_test {
namespace {

using report::Recorder;
using report::Sample;

void tell(Recorder& recorder, std::int64_t iteration) {
  Work work;
  work.iterations = iteration;
  work.lower_passes = 2 * iteration;
  Progress progress;
  progress.work = &work;
  progress.seconds = 0.5 * static_cast<double>(iteration);
  progress.upper_value = 1.0;
  progress.lower_value = 2.0;
  progress.bracket_low = 3.0;
  progress.bracket_high = 4.0;
  progress.upper_excess = 5.0;
  progress.lower_gap = 6.0;
  EXPECT_TRUE(recorder.on_progress(progress));
}

TEST(Recorder, CopiesEveryNumber) {
  Recorder recorder;
  tell(recorder, 7);
  ASSERT_EQ(recorder.samples().size(), 1U);
  const Sample sample = recorder.samples()[0];
  EXPECT_EQ(sample.work.iterations, 7);
  EXPECT_EQ(sample.work.lower_passes, 14);
  EXPECT_EQ(sample.seconds, 3.5);
  EXPECT_EQ(sample.upper_value, 1.0);
  EXPECT_EQ(sample.lower_value, 2.0);
  EXPECT_EQ(sample.bracket_low, 3.0);
  EXPECT_EQ(sample.bracket_high, 4.0);
  EXPECT_EQ(sample.upper_excess, 5.0);
  EXPECT_EQ(sample.lower_gap, 6.0);
}

TEST(Recorder, ThinsAsATraceDoesAndKeepsFirstAndLast) {
  Recorder recorder;
  EXPECT_TRUE(recorder.samples().empty());
  constexpr std::int64_t kLast = 23457;
  std::vector<std::int64_t> expected;
  for (std::int64_t k = 1; k <= kLast; ++k) {
    tell(recorder, k);
    if (k == kLast || report::is_sampled(k)) expected.push_back(k);
    // At any moment the latest iteration is there.
    if (k % 997 == 0) {
      EXPECT_EQ(recorder.samples().back().work.iterations, k);
    }
  }
  std::vector<std::int64_t> kept;
  for (const Sample& sample : recorder.samples()) kept.push_back(sample.work.iterations);
  EXPECT_EQ(kept, expected);
  EXPECT_EQ(kept.front(), 1);
  EXPECT_LT(kept.size(), 2100U);
}

TEST(Recorder, KeepsAFirstIterationThatATraceWouldLeaveOut) {
  Recorder recorder;
  tell(recorder, 123457);
  tell(recorder, 123458);
  tell(recorder, 123459);
  ASSERT_EQ(recorder.samples().size(), 2U);
  EXPECT_EQ(recorder.samples()[0].work.iterations, 123457);
  EXPECT_EQ(recorder.samples()[1].work.iterations, 123459);
}

TEST(Recorder, GivenTheProblemItEvaluatesWhatTheMethodDidNot) {
  const Problem problem(squared_norm(Vector::Zero(2)), linear(Vector{{1.0, 2.0}}), ball(Vector::Zero(2), 9.0));
  const Vector x{{3.0, 4.0}};
  Progress progress;
  progress.upper_value = std::numeric_limits<double>::quiet_NaN();
  progress.lower_value = -7.0;  // told: kept as it is
  progress.x = &x;
  Recorder knowing(problem), plain;
  knowing.on_progress(progress);
  plain.on_progress(progress);
  EXPECT_EQ(knowing.samples()[0].upper_value, 12.5);
  EXPECT_EQ(knowing.samples()[0].lower_value, -7.0);
  EXPECT_TRUE(std::isnan(plain.samples()[0].upper_value));
}

TEST(Recorder, ProgressWithoutWorkIsTaken) {
  Recorder recorder;
  EXPECT_TRUE(recorder.on_progress(Progress{}));
  EXPECT_EQ(recorder.samples().size(), 1U);
}

}  // namespace
}  // namespace fcbio::report_test
