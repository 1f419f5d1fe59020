// Every run ends, in time, and says why: creeping, overflow, limits inside of projections and factorisations,
// problems without a solution.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "fcbio/error.hpp"
#include "fcbio/method.hpp"
#include "support/problems.hpp"
#include "support/refusal.hpp"

namespace fcbio {
namespace {

using testing::HasSubstr;

// Creeping -------------------------------------------------------------------------------------------------------

Problem small_least_squares() {
  RowMajorMatrix upper(2, 4), lower(4, 4);
  upper << 1, 1, 0, 1, 0, 3, 0, 1;
  lower << 1, 1, 1, 1, 2, 0, 1, 1, 1, 0, 3, 1, 0, 5, 0, 1;
  return Problem(least_squares(dense_map(upper), Vector{{5.0, 7.0}}),
                 least_squares(dense_map(lower), Vector{{1.0, 2.0, 3.0, 4.0}}), ball(Vector::Zero(4), 100.0));
}

std::vector<Problem> small_problems() {
  std::mt19937_64 random(5);
  const auto map = [&](Index rows, Index cols) {
    return dense_map(RowMajorMatrix(test::random_matrix(rows, cols, random)));
  };
  const Vector labels = test::random_vector(6, random).cwiseSign();
  const Vector ones = Vector::Ones(4);
  return {
      small_least_squares(),
      test::minimum_norm(3, 6, 100.0, 1).problem,
      test::cut_off_minimum_norm(3, 6, 100.0, 0.5, 1).problem,
      test::simplex_face(6, 3, 1).problem,
      test::box_face(6, 1).problem,
      test::toy_polygon().problem,
      Problem(squared_norm(ones), logistic(map(6, 4), labels), ball(Vector::Zero(4), 3.0)),
      Problem(l1_norm(Vector::Zero(4)), least_squares(map(3, 4), Vector::Ones(3)), box(-ones, ones)),
      Problem(linear(test::random_vector(4, random)), absolute_deviation(map(3, 4), Vector::Ones(3)),
              box(-ones, ones)),
      Problem(squared_norm(ones), max_affine(map(5, 4), Vector::Ones(5)), l1_ball(Vector::Zero(4), 2.0)),
      Problem(squared_norm(ones), least_squares(map(3, 4), Vector::Ones(3)),
              affine_subspace(test::random_matrix(1, 4, random), Vector::Ones(1), 5.0)),
      Problem(squared_norm(ones), least_squares(map(3, 4), Vector::Ones(3)),
              intersection({ball(Vector::Zero(4), 2.0), box(-ones, 2.0 * ones)})),
  };
}

TEST(Ends, ARunBelowDoublePrecisionIsCertifiedOrStalls) {
  const std::vector<Problem> problems = small_problems();
  for (std::size_t i = 0; i < problems.size(); ++i) {
    for (const double asked : {1e-14, 1e-18}) {
      for (const Accuracy& accuracy : {Accuracy{1e-6, asked}, Accuracy{asked, 1e-6}, Accuracy{asked, asked}}) {
        const Result result = solve(problems[i], {.accuracy = accuracy, .limits = {.iterations = 2'000'000}});
        EXPECT_TRUE(result.status == Status::certified || result.status == Status::stalled)
            << "problem " << i << ", accuracy " << accuracy.upper << ", " << accuracy.lower << ": "
            << result.message;
        if (result.status == Status::stalled) {
          EXPECT_THAT(result.message, HasSubstr("raise accuracy.upper or accuracy.lower"));
        }
      }
    }
  }
}

// Overflow -------------------------------------------------------------------------------------------------------

TEST(Ends, SteepDataOnAFlatAffineSetDoNotOverflow) {
  RowMajorMatrix plane(1, 3), data(3, 3);
  plane << -3145728.0, 9.5367431640625e-07, -2.86102294921875e-06;
  data << 1.0, 1.0, 1.0, 2.0, -2.0, -1.0, -6291457.0, 3.000001907348633, 1.9999942779541016;
  const Problem problem(0.5 * squared_hinge(dense_map(data), Vector{{1.0, -1.0, -1.0}}),
                        8388608.0 * l1_norm(Vector::Zero(3)), affine_subspace(plane, Vector::Zero(1), 64.0),
                        Vector{{-3.0, 2.0, 3.0}});
  const Result result = solve(problem, {.limits = {.iterations = 8000}});
  EXPECT_NE(result.status, Status::not_finite) << result.message;
}

TEST(Ends, OverflowNamesTheFunctionTheSizeOfThePointAndARemedy) {
  const Problem problem(squared_norm(Vector::Zero(2)), 1e300 * squared_norm(Vector::Constant(2, 1e10)),
                        ball(Vector::Zero(2), 1e6), Vector::Ones(2));
  const Result result = solve(problem, {});
  EXPECT_EQ(result.status, Status::not_finite);
  EXPECT_THAT(result.message, HasSubstr("the value of g overflows"));
  EXPECT_THAT(result.message, HasSubstr("at a point of norm 1.41"));
  EXPECT_THAT(result.message, HasSubstr("rescale the data and weights of g"));
}

TEST(Ends, HugeAndTinyDataEndWithAReasonOnEveryEngine) {
  std::mt19937_64 random(3);
  const Eigen::MatrixXd data = test::random_matrix(3, 4, random);
  for (const double scale : {1e-200, 1e-150, 1e-80, 1e80, 1e140}) {
    for (const char* engine : {"auto", "newton", "accelerated", "bundle-level", "level"}) {
      const Problem problem(squared_norm(Vector::Ones(4)),
                            least_squares(dense_map(RowMajorMatrix(scale * data)), Vector::Ones(3)),
                            ball(Vector::Zero(4), 2.0));
      const Result result = solve(problem, {.values = {{"engine", engine}}, .limits = {.iterations = 200'000}});
      EXPECT_NE(result.status, Status::iteration_limit) << engine << " " << scale << ": " << result.message;
      if (result.status == Status::not_finite) {
        EXPECT_THAT(result.message, HasSubstr("rescale"));
      }
    }
  }
}

// Limits inside --------------------------------------------------------------------------------------------------

Problem many_halfspaces(Index n, int count) {
  std::mt19937_64 random(0);
  std::vector<ConvexSetPtr> members;
  for (int i = 0; i < count; ++i) members.push_back(halfspace(test::random_vector(n, random), 0.1, 10.0));
  return Problem(squared_norm(Vector::Ones(n)), linear(test::random_vector(n, random)), intersection(members));
}

double seconds_of(const Problem& problem, const SolveOptions& options, Result& result) {
  const auto start = std::chrono::steady_clock::now();
  result = solve(problem, options);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

TEST(Ends, TheTimeLimitHoldsInsideOfProjectionsAndProofs) {
  const Problem problem = many_halfspaces(2000, 30);
  for (const char* method : {"fcbio", "a-irg", "bi-sg"}) {
    Result result;
    const double seconds = seconds_of(problem, {.method = method, .limits = {.seconds = 0.3}}, result);
    EXPECT_LT(seconds, 2.5) << method << ": " << result.message;
    EXPECT_NE(result.status, Status::not_finite) << method << ": " << result.message;
  }
}

TEST(Ends, TheTimeLimitHoldsInsideOfFactorisations) {
  std::mt19937_64 random(1);
  const RowMajorMatrix data = test::random_matrix(1500, 1500, random);
  const Problem problem(squared_norm(Vector::Ones(1500)), least_squares(dense_map(data), Vector::Ones(1500)),
                        ball(Vector::Zero(1500), 2.0));
  for (const Accuracy& accuracy :
       {Accuracy{1e-9, 1e-9}, Accuracy{.upper = 1e-9, .lower = 1e-9, .absolute = true}}) {
    Result result;
    const double seconds = seconds_of(
        problem, {.values = {{"engine", "newton"}}, .accuracy = accuracy, .limits = {.seconds = 0.05}}, result);
    EXPECT_LT(seconds, 2.0) << result.message;
  }
}

TEST(Ends, AnInterruptIsHeardInsideOfAProjection) {
  const Problem problem = many_halfspaces(2000, 30);
  const std::atomic<bool> interrupt = true;
  Monitor monitor({}, &interrupt);
  const Result result = solve(problem, {}, monitor);
  EXPECT_EQ(result.status, Status::interrupted) << result.message;
}

TEST(Ends, ACycleCountsOneProjectionPerMember) {
  const Problem problem(squared_norm(Vector::Ones(3)), linear(Vector::Ones(3)),
                        intersection({ball(Vector::Zero(3), 1.0), box(Vector::Zero(3), Vector::Ones(3)),
                                      halfspace(Vector::Ones(3), 1.0, 2.0)}));
  Monitor monitor;
  Scratch scratch(monitor);
  Vector x = Vector::Constant(3, 5.0);
  problem.domain().project(x, scratch);
  EXPECT_GT(monitor.work().projections, 3);
  EXPECT_EQ(monitor.work().projections % 3, 0);
}

TEST(Ends, AProjectionLimitEndsInsideOfAnIntersection) {
  const Problem problem = many_halfspaces(50, 10);
  for (const std::int64_t limit : {1, 40, 400}) {
    Monitor monitor(Limits{.projections = limit});
    const Result result = solve(problem, {.accuracy = {1e-12, 1e-12}}, monitor);
    EXPECT_EQ(result.status, Status::work_limit) << result.message;
  }
}

// Without a solution ---------------------------------------------------------------------------------------------

void expect_refused(const Problem& problem, const std::string& reason) {
  EXPECT_THAT(test::refusal([&] { solve(problem, {}); }), HasSubstr(reason));
}

TEST(Ends, ALinearFunctionThatFallsWithoutEndIsRefused) {
  const Vector open_below{{0.0, -kInfinity, 0.0}}, open_above{{1.0, 1.0, kInfinity}};
  const ConvexSetPtr domain = box(open_below, open_above);
  const Function square = squared_norm(Vector::Ones(3));
  expect_refused(Problem(square, linear(Vector{{1.0, 2.0, 0.0}}), domain),
                 "the lower function is linear and falls without end as x[1] goes to -infinity");
  expect_refused(Problem(square, linear(Vector{{1.0, 0.0, -2.0}}), domain), "`upper` of the box");
  expect_refused(Problem(linear(Vector{{0.0, 0.0, -1.0}}), linear(Vector{{1.0, -1.0, 0.0}}), domain),
                 "the upper function is linear and falls without end as x[2] goes to +infinity");
  expect_refused(Problem(square, linear(Vector::Ones(3)), whole_space(Vector::Zero(3), std::nullopt)),
                 "the lower function is linear");
}

TEST(Ends, ALinearFunctionThatIsHeldIsNotRefused) {
  const Vector open_below{{0.0, -kInfinity, 0.0}}, open_above{{1.0, 1.0, kInfinity}};
  const ConvexSetPtr domain = box(open_below, open_above);
  const Function square = squared_norm(Vector::Ones(3));
  // g falls where the box is closed; f is linear, but g holds it.
  EXPECT_NO_THROW(
      solve(Problem(square, linear(Vector{{1.0, -2.0, 3.0}}), domain), {.limits = {.iterations = 10}}));
  EXPECT_NO_THROW(solve(Problem(linear(Vector::Ones(3)), square, domain), {.limits = {.iterations = 10}}));
}

// Two balls that touch in one point: a projection takes 10^5 cycles, and what other engines may spend counts them.
TEST(Ends, SetsThatBarelyTouchDoNotKeepOtherEnginesForEver) {
  const Problem problem(linear(Vector{{0.0, 1.0}}),
                        absolute_deviation(dense_map(RowMajorMatrix{{0.0, 1.0}}), Vector::Constant(1, 1e-4)),
                        intersection({ball(Vector{{-1.0, 0.0}}, 1.0), ball(Vector{{1.0, 0.0}}, 1.0)}));
  const Result result = solve(problem, {.accuracy = {1e-6, 1e-6}});
  EXPECT_EQ(to_string(result.status), "stalled") << result.message;
  EXPECT_LE(result.work.projections, 100'000'000);
}

TEST(Ends, AFunctionThatFallsWithoutEndIsToldWhileItRuns) {
  UserFunction steep;
  steep.dimension = 1;
  steep.smoothness = 1.0;
  steep.evaluate = [](VectorIn x, Vector* gradient) {
    if (gradient != nullptr) *gradient = Vector::Constant(1, -1e80);
    return -1e80 * x[0];
  };
  const Problem problem(squared_norm(Vector::Ones(1)), user_function(steep),
                        whole_space(Vector::Zero(1), std::nullopt));
  const Result result = solve(problem, {});
  EXPECT_EQ(result.status, Status::stalled) << result.message;
  EXPECT_THAT(result.message, HasSubstr("looks unbounded below; give the domain a bound"));
}

TEST(Ends, PointsThatRunAwayAreTold) {
  RowMajorMatrix data(2, 2);
  data << 1e-3, 2e-3, 2e-3, 1e-3;  // all rows fall along -(1, 1)
  const Problem problem(squared_norm(Vector::Ones(2)), log_sum_exp(dense_map(data), Vector::Ones(2)),
                        whole_space(Vector::Zero(2), std::nullopt));
  const Result result = solve(problem, {});
  EXPECT_EQ(result.status, Status::stalled) << result.message;
  EXPECT_THAT(result.message, HasSubstr("if the problem is unbounded below, give the domain a bound"));
}

TEST(Ends, SetsWithoutACommonPointAreToldInTheEnd) {
  // Too large to be found out while the set is made: thousands of coordinates, and only just apart.
  const Index n = 20'000;
  std::mt19937_64 random(2);
  std::vector<ConvexSetPtr> members;
  for (int i = 0; i < 12; ++i) {
    const Vector normal = test::random_vector(n, random);
    members.push_back(halfspace(normal, -1.0, 1e3));
    members.push_back(halfspace(-normal + 1e-4 * test::random_vector(n, random), 0.9, 1e3));
  }
  try {
    const Problem problem(squared_norm(Vector::Ones(n)), linear(Vector::Ones(n)), intersection(members));
    const Result result = solve(problem, {.limits = {.seconds = 0.3}});
    EXPECT_NE(result.status, Status::certified);
    if (problem.domain().violation(result.x) > 1e-9) {
      EXPECT_THAT(result.message, HasSubstr("its sets may have no common point"));
    }
  } catch (const InvalidArgument& error) {
    EXPECT_THAT(error.what(), HasSubstr("expected sets with a common point"));
  }
}

}  // namespace
}  // namespace fcbio
