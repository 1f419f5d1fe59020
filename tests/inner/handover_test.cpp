// First-order engines that hand over to the interior-point method: when, with what, and that nothing new is begun after
// the certificate.
#include "inner/handover_engine.hpp"

#include <gtest/gtest.h>

#include "inner/accelerated_engine.hpp"
#include "support/problems.hpp"

namespace fcbio {
namespace {

struct Session {
  explicit Session(Problem given) : problem(std::move(given)), at(problem) {
    at.point.x = problem.start();
    for (Level level : kLevels) {
      oracle.update_images(level, at.point);
      at.linearize(oracle, level);
    }
  }
  Problem problem;
  Monitor monitor;
  Oracle oracle{problem, monitor};
  Iterate at;
};

TEST(HandoverEngine, BeginsWithTheFirstAndEndsWithTheSecond) {
  Session run(test::pair_on_product(1e4));
  ASSERT_EQ(HandoverEngine::misfit(run.problem), "");
  HandoverEngine engine(run.oracle, std::make_unique<AcceleratedEngine>(run.oracle));
  const Weights weights{0.0, 1.0};
  ASSERT_TRUE(engine.begin(weights, run.at));
  EXPECT_TRUE(engine.minds_large_multipliers());
  const std::int64_t before = run.monitor.work().passes();
  while (engine.name() == "accelerated" && run.monitor.work().passes() - before < 100000)
    ASSERT_TRUE(engine.step(weights, run.at));
  EXPECT_EQ(engine.name(), "accelerated, then interior-point");
  EXPECT_FALSE(engine.minds_large_multipliers());
  const auto spent = static_cast<double>(run.monitor.work().passes() - before);
  EXPECT_GE(spent, HandoverEngine::kEarliest);
  double gap = kInfinity;
  for (int step = 0; step < 40 && gap > 1e-9; ++step) {
    ASSERT_TRUE(engine.step(weights, run.at));
    gap = engine.bound(weights, run.at).gap;
  }
  EXPECT_LE(gap, 1e-9);
}

TEST(HandoverEngine, BeginsNothingOnceTheCertificateIsComplete) {
  Session run(test::pair_on_product(1e4));
  HandoverEngine engine(run.oracle, std::make_unique<AcceleratedEngine>(run.oracle));
  const Weights weights{0.0, 1.0};
  ASSERT_TRUE(engine.begin(weights, run.at));
  engine.settle();
  while (run.monitor.work().passes() < 3000 && engine.step(weights, run.at)) {
  }
  EXPECT_EQ(engine.name(), "accelerated");
}

TEST(HandoverEngine, NeedsAnAffordableFactor) {
  const Index n = 7000;
  std::mt19937_64 random(1);
  CsrMatrix diagonal{n, n, {0}, {}, {}};
  for (Index j = 0; j < n; ++j) {
    diagonal.columns.push_back(static_cast<std::int32_t>(j));
    diagonal.values.push_back(1.0);
    diagonal.starts.push_back(j + 1);
  }
  const Problem problem(squared_norm(Vector::Zero(n)),
                        least_squares(sparse_map(std::move(diagonal)), test::random_vector(n, random)),
                        simplex(n, 1.0));
  EXPECT_NE(HandoverEngine::misfit(problem), "");
}

}  // namespace
}  // namespace fcbio
