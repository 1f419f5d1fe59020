// One suite for every registered method, and every engine of the default one: limits, interrupt, observer,
// determinism to the bit, no allocation in the loop, inputs unmodified, best point kept, numbers that are not
// finite.
#include <gtest/gtest.h>

#include <cstring>
#include <sstream>

#include "fcbio/error.hpp"
#include "fcbio/method.hpp"
#include "fcbio/point.hpp"
#include "fcbio/threads.hpp"
#include "support/allocations.hpp"
#include "support/problems.hpp"

namespace fcbio {
namespace {

// Smooth and Lipschitz on its domain, so that every method fits; too hard to be finished within the limits below.
Problem sample_problem() {
  std::mt19937_64 random(17);
  const Eigen::MatrixXd data = test::random_matrix(60, 120, random);
  const Vector labels = Vector::NullaryExpr(60, [&] { return random() % 2 == 0 ? 1.0 : -1.0; });
  return Problem(squared_norm(Vector::Constant(120, 0.1)), logistic(dense_map(data), labels),
                 ball(Vector::Zero(120), 5.0));
}

class EveryMethod : public testing::TestWithParam<std::string> {
 protected:
  std::string method() const { return GetParam().substr(0, GetParam().find(':')); }
  /// `short_budgets`: where a published method would use up all iterations in its lower phase.
  SolveOptions options(OptionValues short_budgets = {}) const {
    SolveOptions given{.method = method(), .accuracy = {1e-7, 1e-7}};
    if (given.method == "fcbio-sm" || given.method == "fcbio-lip") given.values = std::move(short_budgets);
    if (const auto colon = GetParam().find(':'); colon != std::string::npos)
      given.values["engine"] = GetParam().substr(colon + 1);
    return given;
  }
};

/// "fcbio-sm", ...; for the default method "fcbio:ENGINE" with every engine it offers.
std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const MethodInfo& method : methods()) {
    const std::size_t before = names.size();
    for (const OptionInfo& option : method.options) {
      if (option.name != "engine") continue;
      std::istringstream choices(option.range);
      for (std::string choice; choices >> choice;)
        if (choice != "|") names.push_back(method.name + ":" + choice);
    }
    if (names.size() == before) names.push_back(method.name);
  }
  return names;
}

std::string test_name(const testing::TestParamInfo<std::string>& parameter) {
  std::string name = parameter.param;
  for (char& c : name)
    if (c == '-' || c == ':') c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryMethod, testing::ValuesIn(method_names()), test_name);

bool same_bits(const Vector& a, const Vector& b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), sizeof(double) * static_cast<std::size_t>(a.size())) == 0;
}

void expect_usable(const Problem& problem, const Result& result) {
  EXPECT_TRUE(result.x.allFinite());
  EXPECT_LE(problem.domain().violation(result.x), 1e-9);
  // The published methods do not look at values as they go: of a function that broke down there is none to tell.
  if (result.status == Status::not_finite && !result.method.starts_with("fcbio")) return;
  EXPECT_TRUE(std::isfinite(result.upper_value));
  EXPECT_TRUE(std::isfinite(result.lower_value));
  EXPECT_FALSE(result.message.empty());
}

TEST_P(EveryMethod, FitsTheProblemOfThisSuite) { EXPECT_EQ(find_method(method()).misfit(sample_problem()), ""); }

TEST_P(EveryMethod, HonoursTheIterationLimitExactly) {
  const Problem problem = sample_problem();
  for (std::int64_t limit : {0, 1, 3}) {
    SolveOptions given = options();
    given.limits.iterations = limit;
    const Result result = solve(problem, given);
    EXPECT_EQ(result.work.iterations, limit);
    EXPECT_EQ(result.status, Status::iteration_limit);
    expect_usable(problem, result);
  }
}

TEST_P(EveryMethod, NeverOverrunsThePassLimit) {
  const Problem problem = test::minimum_norm(30, 60, 300.0, 17).problem;  // constants cost less here
  for (std::int64_t limit : {50, 60, 150}) {
    SolveOptions given = options();
    given.accuracy = {1e-9, 1e-9};
    given.limits.passes = limit;
    const Result result = solve(problem, given);
    EXPECT_LE(result.work.passes(), limit);
    expect_usable(problem, result);
    if (result.status == Status::certified) continue;  // a factorisation can be that fast
    // No less than a step and a proof below it; a step of the interior point is a factorisation and its refinements, one
    // of low rank 16 columns of two passes and a factorisation.
    const bool large_steps = GetParam() == "fcbio:interior-point" || GetParam() == "fcbio:low-rank";
    EXPECT_GE(result.work.passes(), limit - (large_steps ? 110 : 12));
    EXPECT_EQ(result.status, Status::work_limit);
    expect_usable(problem, result);
  }
}

// Every limit, because what overruns one by a pass keeps the next by chance.
TEST_P(EveryMethod, KeepsEveryPassLimitFromAHundredToTwoHundred) {
  const Problem structured = test::minimum_norm(12, 20, 30.0, 17).problem;
  const Index n = structured.dimension();
  UserFunction quartic;  // a black box, whose line searches cost passes
  quartic.dimension = n;
  quartic.smoothness = 12.0;  // on the ball of radius 2
  quartic.lipschitz = 8.0;
  quartic.evaluate = [](VectorIn x, Vector* gradient) {
    if (gradient != nullptr) *gradient = x.array().cube();
    return 0.25 * x.array().pow(4).sum();
  };
  const Problem black_box(user_function(quartic), structured.lower(), structured.domain_pointer());
  const bool is_default = find_method(method()).offers_tight;
  int solved = 0;
  for (const Problem* problem : {&structured, &black_box}) {
    for (const bool absolute : {false, true}) {
      if ((absolute || problem == &black_box) && !is_default) continue;
      for (std::int64_t limit = 100; limit <= 200; ++limit) {
        SolveOptions given = options({{"lower_iterations", "20"}});
        given.accuracy = {.upper = 1e-10, .lower = 1e-10, .absolute = absolute};
        given.limits.passes = limit;
        try {
          const Result result = solve(*problem, given);
          EXPECT_LE(result.work.passes(), limit) << (absolute ? "absolute, " : "") << problem->upper().describe();
          ++solved;
        } catch (const InvalidArgument& error) {  // an engine that cannot take a user's function
          ASSERT_NE(std::string(error.what()).find("does not fit"), std::string::npos) << error.what();
          break;
        }
      }
    }
  }
  EXPECT_GE(solved, 101);
}

TEST_P(EveryMethod, OverrunsTheProjectionLimitByOneProjectionAtMost) {
  constexpr std::int64_t kProofProjections = 12;  // a proof has a few of its own, an iteration may have begun
  const Problem problem(squared_norm(Vector::Ones(4)),
                        logistic(dense_map(RowMajorMatrix(RowMajorMatrix::Identity(4, 4))), Vector::Ones(4)),
                        product({ball(Vector::Zero(2), 1.0), box(Vector::Zero(2), Vector::Ones(2))}));
  if (!find_method(method()).misfit(problem).empty()) GTEST_SKIP() << "does not fit";
  for (const std::int64_t limit : {1, 2, 7, 20}) {
    SolveOptions given = options();
    given.limits = {.iterations = 300, .projections = limit};
    try {
      const Result result = solve(problem, given);
      EXPECT_LE(result.work.projections, limit + kProofProjections) << result.message;
      EXPECT_NE(result.status, Status::time_limit);
      expect_usable(problem, result);
    } catch (const InvalidArgument& error) {  // an engine that cannot take this set
      EXPECT_NE(std::string(error.what()).find("does not fit"), std::string::npos) << error.what();
    }
  }
}

TEST_P(EveryMethod, HonoursTheTimeLimit) {
  const Problem problem = sample_problem();
  SolveOptions given = options();
  given.limits.seconds = 0.0;
  const Result result = solve(problem, given);
  EXPECT_EQ(result.status, Status::time_limit);
  EXPECT_EQ(result.work.iterations, 0);
  expect_usable(problem, result);
}

struct CountingObserver final : Observer {
  std::int64_t calls = 0, stop_at = -1;
  std::int64_t last_iterations = 0;
  double best_lower = kInfinity;
  Vector last_point;
  std::atomic<bool>* flag = nullptr;
  bool on_progress(const Progress& progress) override {
    ++calls;
    EXPECT_EQ(progress.work->iterations, calls);
    EXPECT_GE(progress.work->passes(), 0);
    EXPECT_NE(progress.x, nullptr);
    EXPECT_FALSE(progress.phase.empty());
    last_iterations = progress.work->iterations;
    if (progress.x != nullptr) last_point = *progress.x;
    if (!std::isnan(progress.lower_value)) best_lower = std::min(best_lower, progress.lower_value);
    if (calls == stop_at && flag != nullptr) flag->store(true);
    return flag != nullptr || calls != stop_at;
  }
};

TEST_P(EveryMethod, StopsWhenAnObserverAsks) {
  const Problem problem = sample_problem();
  Monitor monitor;
  CountingObserver observer;
  observer.stop_at = 3;
  monitor.add_observer(observer);
  const Result result = solve(problem, options(), monitor);
  EXPECT_EQ(result.status, Status::interrupted);
  EXPECT_EQ(result.work.iterations, 3);
  EXPECT_EQ(observer.calls, 3);
  expect_usable(problem, result);
}

TEST_P(EveryMethod, StopsAtTheNextIterationAfterAnInterruptAndKeepsTheBestPoint) {
  const Problem problem = sample_problem();
  std::atomic<bool> interrupt{false};
  Monitor monitor(Limits{}, &interrupt);
  CountingObserver observer;
  observer.stop_at = 2;
  observer.flag = &interrupt;
  monitor.add_observer(observer);
  const Result result = solve(problem, options(), monitor);
  EXPECT_EQ(result.status, Status::interrupted);
  EXPECT_EQ(result.work.iterations, 2);
  if (observer.best_lower < kInfinity)  // within the lower phase the best point has the smallest g that was seen
    EXPECT_NEAR(result.lower_value, observer.best_lower, 1e-12 * (1.0 + std::abs(observer.best_lower)));
  else  // a published method tells its observers the point that it would return now
    EXPECT_LE((result.x - observer.last_point).norm(), 64.0 * kEpsilon * result.x.norm());  // settled in Z
  expect_usable(problem, result);
}

// Large enough that the products, sparse and dense, are cut into several shards.  `both_levels`: the upper
// function has data as well.
Problem large_problem(bool both_levels) {
  std::mt19937_64 random(5);
  std::uniform_int_distribution<std::int32_t> step(1, 30);
  CsrMatrix documents{4000, 1500, {0}, {}, {}};
  for (Index row = 0; row < documents.rows; ++row) {
    for (std::int32_t column = step(random); column < 1500; column += step(random)) {
      documents.columns.push_back(column);
      documents.values.push_back(0.01 * static_cast<double>(step(random)));
    }
    documents.starts.push_back(documents.nonzeros());
  }
  const Vector labels = Vector::NullaryExpr(4000, [&] { return step(random) > 15 ? 1.0 : -1.0; });
  const Function documents_loss = logistic(sparse_map(std::move(documents)), labels);
  const Function regression = least_squares(dense_map(RowMajorMatrix(test::random_matrix(300, 1500, random))),
                                            test::random_vector(300, random));
  return both_levels ? Problem(documents_loss, regression, ball(Vector::Zero(1500), 3.0))
                     : Problem(squared_norm(Vector::Zero(1500)), documents_loss + regression,
                               ball(Vector::Zero(1500), 3.0));
}

TEST_P(EveryMethod, GivesTheSameBitsForAnyNumberOfThreadsAndObservers) {
  Problem problem = large_problem(true);
  if (!find_method(method()).misfit(problem).empty()) problem = large_problem(false);
  SolveOptions given = options({{"lower_iterations", "60"}, {"cap", "30"}});
  given.limits.iterations = 120;
  const Result first = solve(problem, given);
  for (int threads : {1, 2, 3}) {
    given.threads = threads;
    Monitor monitor(given.limits);
    CountingObserver observer;
    monitor.add_observer(observer);
    const Result again = solve(problem, given, monitor);
    EXPECT_TRUE(same_bits(first.x, again.x)) << threads;
    EXPECT_EQ(first.upper_value, again.upper_value);
    EXPECT_EQ(first.lower_value, again.lower_value);
    EXPECT_EQ(first.certificate.upper_excess, again.certificate.upper_excess);
    EXPECT_EQ(first.certificate.lower_gap, again.certificate.lower_gap);
    EXPECT_EQ(first.work.iterations, again.work.iterations);
    EXPECT_EQ(first.work.passes(), again.work.passes());
    EXPECT_EQ(first.work.projections, again.work.projections);
  }
}

TEST_P(EveryMethod, LeavesTheProblemAsItWas) {
  const Problem problem = sample_problem();
  const Vector start = problem.start();
  const auto snapshot = [&] {
    Point point(problem);
    point.x = start;
    problem.lower().images(point.x, point.images_of(Level::lower));
    PartVectors duals = problem.lower().make_duals();
    Vector gradient(start.size());
    problem.lower().gradient(point.x, point.images_of(Level::lower), duals, gradient);
    return gradient;
  };
  const Vector before = snapshot();
  SolveOptions given = options();
  given.limits.iterations = 50;
  solve(problem, given);
  EXPECT_TRUE(same_bits(before, snapshot()));
  EXPECT_TRUE(same_bits(start, problem.start()));
}

#if FCBIO_ALLOCATIONS_COUNTED
// Between two iterations of the same phase nothing is allocated, whatever the set.
struct AllocationObserver final : Observer {
  long last = -1, steps_that_allocate = 0, most_in_a_step = 0;
  std::string phase;
  std::int64_t round = -1, since = 0;
  bool on_progress(const Progress& progress) override {
    const long now = test::allocation_count();
    const bool same = phase == progress.phase && round == progress.round;
    since = same ? since + 1 : 0;
    if (same && since > 2 && last >= 0 && now > last) ++steps_that_allocate;
    if (same && since > 2 && last >= 0) most_in_a_step = std::max(most_in_a_step, now - last);
    if (!same) phase = progress.phase, round = progress.round;
    last = test::allocation_count();
    return true;
  }
};

TEST_P(EveryMethod, DoesNotAllocateInItsLoop) {
  const Problem sample = sample_problem();
  const Index n = sample.dimension();
  for (const ConvexSetPtr& domain :
       {sample.domain_pointer(), box(Vector::Constant(n, -1.0), Vector::Constant(n, 1.0)), simplex(n, 1.0),
        l1_ball(Vector::Zero(n), 2.0),
        intersection({ball(Vector::Zero(n), 1.0), box(Vector::Constant(n, -0.2), Vector::Constant(n, 1.0))})}) {
    const Problem problem(sample.upper(), sample.lower(), domain);
    // Projections on an intersection are iterations themselves, and some methods make many in a step.
    const bool slow = domain->name() == "intersection";
    Monitor monitor(Limits{.iterations = slow ? 60 : 600});
    AllocationObserver observer;
    monitor.add_observer(observer);
    const SolveOptions given = options({{"lower_iterations", slow ? "30" : "200"}, {"cap", slow ? "20" : "100"}});
    try {
      solve(problem, given, monitor);
    } catch (const InvalidArgument&) {
      continue;  // an engine that was asked for and does not fit this set
    }
    // A step of the interior point is a factorisation, and carries a witness of its own: some vectors, as many at any
    // step.
    constexpr long kWitness = 200;
    const bool interior = GetParam() == "fcbio:interior-point" || (GetParam() == "fcbio:auto" && slow);
    if (interior) {
      EXPECT_LE(observer.most_in_a_step, kWitness) << domain->name();
      continue;
    }
    // A model of low rank changes with the curvatures, and makes room when its rank grows: some matrices in a step.
    if (GetParam() == "fcbio:low-rank") {
      EXPECT_LE(observer.most_in_a_step, kWitness) << domain->name();
      continue;
    }
    // The automatic choice may change the engine once, and the second one then makes its storage.
    EXPECT_LE(observer.steps_that_allocate, GetParam() == "fcbio:auto" ? 1 : 0) << domain->name();
  }
}
#endif

TEST_P(EveryMethod, TurnsNumbersThatAreNotFiniteIntoAStatus) {
  // A user's function that breaks at its 6th evaluation.
  int evaluations = 0;
  UserFunction broken;
  broken.dimension = 5;
  broken.smoothness = 1.0;
  broken.lipschitz = 3.0;
  broken.evaluate = [&](VectorIn x, Vector* gradient) {
    if (gradient != nullptr) *gradient = x;
    const double value = 0.5 * x.squaredNorm();
    return ++evaluations < 6 ? value : std::numeric_limits<double>::quiet_NaN();
  };
  const Problem problem(squared_norm(Vector::Ones(5)), user_function(broken), ball(Vector::Zero(5), 2.0),
                        Vector::Ones(5));
  SolveOptions given = options();
  given.limits.iterations = 1000;
  try {
    const Result result = solve(problem, given);
    EXPECT_EQ(result.status, Status::not_finite) << result.message;
    expect_usable(problem, result);
  } catch (const InvalidArgument& error) {  // an engine that cannot take a user's function
    EXPECT_NE(std::string(error.what()).find("does not fit"), std::string::npos);
  }
}

TEST_P(EveryMethod, RefusesNonsenseWithTheNumbers) {
  const Problem problem = sample_problem();
  for (double bad : {0.0, -1e-3, std::numeric_limits<double>::quiet_NaN(), kInfinity}) {
    SolveOptions given = options();
    given.accuracy.lower = bad;
    EXPECT_THROW(
        {
          try {
            solve(problem, given);
          } catch (const InvalidArgument& error) {
            EXPECT_NE(std::string(error.what()).find("accuracy.lower: expected a finite number > 0"),
                      std::string::npos);
            throw;
          }
        },
        InvalidArgument);
  }
}

}  // namespace
}  // namespace fcbio
