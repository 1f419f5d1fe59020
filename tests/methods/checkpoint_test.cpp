// A solve that goes on from a checkpoint has the bits of one that was never interrupted: every engine of the default
// method, the other methods that keep checkpoints, every driver and wrapper, stopped at every iteration or at random ones.
#include <gtest/gtest.h>

#include <cstring>
#include <ostream>
#include <random>

#include "core/checkpoints.hpp"
#include "fcbio/error.hpp"
#include "fcbio/method.hpp"
#include "support/problems.hpp"

namespace fcbio {
namespace {

/// The state of a result, without the clock.
std::string bits_of(Result result) {
  result.solve_seconds = 0.0;
  result.certified_seconds.reset();
  Archive archive;
  archive(result);
  return archive.written();
}

/// What observers are told, iteration by iteration.
class Listener final : public Observer {
 public:
  bool on_progress(const Progress& progress) override {
    std::string line = std::to_string(progress.work->iterations) + " " + std::string(progress.phase);
    for (const double number : {static_cast<double>(progress.round), static_cast<double>(progress.work->passes()),
                                static_cast<double>(progress.work->projections), progress.upper_value,
                                progress.lower_value, progress.level, progress.bracket_low, progress.bracket_high,
                                progress.upper_excess, progress.lower_gap}) {
      std::uint64_t word = 0;
      std::memcpy(&word, &number, sizeof(word));
      line += " " + std::to_string(word);
    }
    lines.push_back(std::move(line));
    return true;
  }
  std::vector<std::string> lines;
};

struct Case {
  std::string name;
  Problem problem;
  SolveOptions options;
};
void PrintTo(const Case& one, std::ostream* out) { *out << one.name; }

struct Outcome {
  Result result;
  std::vector<std::string> told;
  std::vector<std::string> states;  ///< one for each safe point
};

Outcome run(const Case& given, std::string from = {}, Limits limits = {}, bool keep = true) {
  Outcome outcome;
  Checkpoints checkpoints(0.0, [&](std::string_view state) { outcome.states.emplace_back(state); });
  Monitor monitor(limits);
  Listener listener;
  monitor.add_observer(listener);
  if (keep) monitor.keep(checkpoints);
  if (!from.empty()) checkpoints.go_on_from(std::move(from));
  outcome.result = solve(given.problem, given.options, monitor);
  outcome.told = std::move(listener.lines);
  return outcome;
}

void expect_same(const Outcome& resumed, const Outcome& whole) {
  EXPECT_EQ(resumed.result.work.iterations, whole.result.work.iterations);
  EXPECT_EQ(resumed.result.work.passes(), whole.result.work.passes());
  EXPECT_EQ(resumed.result.message, whole.result.message);
  EXPECT_TRUE(bits_of(resumed.result) == bits_of(whole.result));
  ASSERT_LE(resumed.told.size(), whole.told.size());
  const std::vector<std::string> last(whole.told.end() - static_cast<std::ptrdiff_t>(resumed.told.size()),
                                      whole.told.end());
  EXPECT_EQ(resumed.told, last);
}

Problem logistic_problem(ConvexSetPtr domain) {
  std::mt19937_64 random(17);
  const Eigen::MatrixXd data = test::random_matrix(30, 40, random);
  const Vector labels = Vector::NullaryExpr(30, [&] { return random() % 2 == 0 ? 1.0 : -1.0; });
  return Problem(squared_norm(Vector::Constant(40, 0.1)), logistic(dense_map(data), labels), std::move(domain));
}

Problem kinked_problem() {
  std::mt19937_64 random(5);
  const Eigen::MatrixXd data = test::random_matrix(20, 30, random);
  const Vector labels = Vector::NullaryExpr(20, [&] { return random() % 2 == 0 ? 1.0 : -1.0; });
  return Problem(l1_norm(Vector::Zero(30)), hinge(dense_map(data), labels),
                 box(Vector::Constant(30, -5.0), Vector::Constant(30, 5.0)));
}

SolveOptions with_engine(const std::string& engine, double accuracy = 1e-6) {
  SolveOptions options{.accuracy = {accuracy, accuracy}};
  options.values["engine"] = engine;
  return options;
}

SolveOptions with(const std::string& engine, Accuracy accuracy, const std::string& refine = "1") {
  SolveOptions options = with_engine(engine);
  options.accuracy = accuracy;
  options.values["refine"] = refine;
  return options;
}

std::vector<Case> cases() {
  const ConvexSetPtr sphere = ball(Vector::Zero(40), 5.0);
  const ConvexSetPtr sides = box(Vector::Constant(40, -0.2), Vector::Constant(40, 0.3));
  std::vector<Case> all;
  for (const char* engine : {"quasi-newton", "newton", "low-rank", "accelerated", "auto"}) {
    all.push_back({std::string(engine) + "_ball", logistic_problem(sphere), with_engine(engine)});
    all.push_back({std::string(engine) + "_box", logistic_problem(sides), with_engine(engine)});
    all.push_back({std::string(engine) + "_ill_posed", test::minimum_norm(20, 40, 300.0, 17).problem,
                   with(engine, {1e-6, 1e-6}, "10")});
    all.push_back({std::string(engine) + "_tight", logistic_problem(sphere),
                   with(engine, {.upper = 1e-4, .lower = 1e-4, .tight = true})});
  }
  all.push_back({"quasi-newton_simplex", test::simplex_face(30, 5, 3).problem, with_engine("quasi-newton")});
  all.push_back({"newton_tall",
                 [] {
                   std::mt19937_64 random(3);
                   const Eigen::MatrixXd data = test::random_matrix(60, 10, random);
                   const Vector labels = Vector::NullaryExpr(60, [&] { return random() % 2 == 0 ? 1.0 : -1.0; });
                   return Problem(squared_norm(Vector::Zero(10)), logistic(dense_map(data), labels),
                                  ball(Vector::Zero(10), 3.0));
                 }(),
                 with_engine("newton")});
  all.push_back({"interior-point_kinks", kinked_problem(), with_engine("interior-point")});
  all.push_back({"interior-point_polygon", test::toy_polygon().problem, with_engine("interior-point")});
  all.push_back({"smoothed", kinked_problem(), with_engine("smoothed", 1e-2)});
  all.push_back({"primal-dual", kinked_problem(), with_engine("primal-dual", 1e-3)});
  all.push_back({"bundle-level", kinked_problem(), with("bundle-level", {1e-3, 1e-3}, "5")});
  all.push_back({"bundle-level_ball", logistic_problem(sphere), with("bundle-level", {1e-3, 1e-3}, "5")});
  all.push_back({"race", logistic_problem(sides), with_engine("race", 1e-4)});
  for (const char* budget : {"cap", "theory"}) {
    SolveOptions smooth{.method = "fcbio-sm", .accuracy = {1e-2, 1e-2}}, lipschitz = smooth;
    lipschitz.method = "fcbio-lip";
    for (SolveOptions* options : {&smooth, &lipschitz}) options->values = {{"budget", budget}, {"cap", "60"}};
    all.push_back({std::string("published_smooth_") + budget, logistic_problem(sphere), smooth});
    if (std::string(budget) == "cap") all.push_back({"published_lipschitz", kinked_problem(), lipschitz});
  }
  all.push_back({"level_smooth", logistic_problem(sphere), with_engine("level", 1e-2)});
  all.push_back({"level_kinks", test::toy_polygon().problem, with_engine("level", 5e-2)});
  all.push_back({"variance-reduced", logistic_problem(sphere),
                 SolveOptions{.method = "fcbio-vr", .accuracy = {1e-3, 1e-3}}});
  // Beyond double precision: one engine after the other gives up.
  all.push_back({"next_engine", logistic_problem(sides), with_engine("auto", 1e-15)});
  all.push_back({"relative", logistic_problem(sphere),
                 with("auto", {.upper = 0.0, .lower = 0.0, .upper_relative = 1e-5, .lower_relative = 1e-5})});
  all.push_back({"absolute",
                 [] {
                   std::mt19937_64 random(8);
                   return Problem(squared_norm(Vector::Constant(12, 1.0)),
                                  least_squares(dense_map(test::random_matrix(30, 12, random)),
                                                test::random_vector(30, random)),
                                  ball(Vector::Zero(12), 50.0));
                 }(),
                 with("quasi-newton", {.upper = 1e-6, .lower = 1e-6, .absolute = true})});
  all.push_back({"region",
                 [] {
                   std::mt19937_64 random(8);
                   return Problem(squared_norm(Vector::Zero(12)),
                                  least_squares(dense_map(test::random_matrix(30, 12, random)),
                                                test::random_vector(30, random)),
                                  whole_space(Vector::Zero(12), std::nullopt));
                 }(),
                 with_engine("auto")});
  return all;
}

class EveryEngine : public testing::TestWithParam<Case> {};

INSTANTIATE_TEST_SUITE_P(Checkpoint, EveryEngine, testing::ValuesIn(cases()), [](const auto& parameter) {
  std::string name = parameter.param.name;
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
});

TEST_P(EveryEngine, IsNotChangedByCheckpoints) {
  const Outcome kept = run(GetParam()), plain = run(GetParam(), {}, {}, false);
  EXPECT_TRUE(bits_of(kept.result) == bits_of(plain.result));
  EXPECT_EQ(kept.told, plain.told);
  EXPECT_GE(kept.states.size(), 2U);
}

TEST_P(EveryEngine, GoesOnFromEveryCheckpointToTheSameBits) {
  const Outcome whole = run(GetParam());
  constexpr std::size_t kMost = 20;
  const std::size_t step = 1 + whole.states.size() / kMost;
  std::mt19937_64 random(1);
  for (std::size_t first = 0; first < whole.states.size(); first += step) {
    const std::size_t i = std::min(first + random() % step, whole.states.size() - 1);
    SCOPED_TRACE("checkpoint " + std::to_string(i) + " of " + std::to_string(whole.states.size()));
    const Outcome resumed = run(GetParam(), whole.states[i]);
    ASSERT_NO_FATAL_FAILURE(expect_same(resumed, whole));
    ASSERT_EQ(resumed.states.size(), whole.states.size() - i);
    if (HasFailure()) return;
  }
}

TEST_P(EveryEngine, StoppedByALimitItGoesOn) {
  const Outcome whole = run(GetParam());
  for (const std::int64_t share : {1, 2, 3}) {
    const std::int64_t limit = whole.result.work.iterations * share / 4;
    if (limit == 0) continue;
    SCOPED_TRACE("stopped after " + std::to_string(limit) + " iterations");
    const Outcome stopped = run(GetParam(), {}, {.iterations = limit});
    if (stopped.states.empty()) continue;
    expect_same(run(GetParam(), stopped.states.back()), whole);
  }
}

// A limit of passes stops within a step, where there is no safe point: the last snapshot in memory is of one before.
TEST_P(EveryEngine, StoppedWithinAStepItGoesOnFromBefore) {
  const Outcome whole = run(GetParam());
  for (const std::int64_t share : {1, 3}) {
    std::string state;
    Checkpoints checkpoints(kInfinity, [&](std::string_view last) { state = last; });
    Monitor monitor(Limits{.passes = whole.result.work.passes() * share / 4});
    monitor.keep(checkpoints);
    solve(GetParam().problem, GetParam().options, monitor);
    EXPECT_TRUE(state.empty());
    if (checkpoints.store_last()) expect_same(run(GetParam(), state), whole);
  }
}

TEST_P(EveryEngine, IsResumedAgainAndAgain) {
  const Outcome whole = run(GetParam());
  std::string state;
  for (std::int64_t limit = 1; limit < whole.result.work.iterations;
       limit += 1 + whole.result.work.iterations / 5) {
    const Outcome part = run(GetParam(), state, {.iterations = limit});
    if (!part.states.empty()) state = part.states.back();
  }
  expect_same(run(GetParam(), state), whole);
}

TEST(Checkpoint, TheCasesReachWhatTheyAreFor) {
  for (const Case& one : cases()) {
    SCOPED_TRACE(one.name);
    const Outcome whole = run(one);
    if (one.name == "next_engine") {
      EXPECT_EQ(whole.result.engine, "bundle-level");
    }
    if (one.name.ends_with("_ill_posed")) {
      ASSERT_TRUE(whole.result.work.certified_after);
      EXPECT_GT(whole.result.work.passes(), *whole.result.work.certified_after) << "goes nearer";
    }
  }
}

TEST(Checkpoint, AStateOfAnotherSolveIsRefused) {
  const std::vector<Case> all = cases();
  const Outcome one = run(all.front());
  ASSERT_FALSE(one.states.empty());
  EXPECT_THROW(run(all.front(), one.states.back().substr(0, one.states.back().size() / 2)), ArchiveError);
  EXPECT_THROW(run(all.front(), one.states.back() + "more"), ArchiveError);
}

}  // namespace
}  // namespace fcbio
