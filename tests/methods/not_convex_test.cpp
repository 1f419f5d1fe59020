// Functions of the caller's that are not what they should be: whatever the mistake, the set and the method,
// nothing is certified, and the two points that the result names refute the function by themselves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/oracle.hpp"
#include "fcbio/fcbio.hpp"
#include "support/allocations.hpp"

namespace fcbio {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr Index kSize = 4;

Vector centre() { return Vector{{0.5, -0.25, 0.125, 0.0}}; }

UserFunction made(const std::string& name, std::function<double(VectorIn)> value,
                  std::function<Vector(VectorIn)> gradient) {
  UserFunction function;
  function.name = name;
  function.dimension = kSize;
  function.smoothness = 1.5;
  function.lipschitz = 10.0;
  function.evaluate = [value = std::move(value), gradient = std::move(gradient)](VectorIn x, Vector* out) {
    if (out != nullptr) *out = gradient(x);
    return value(x);
  };
  return function;
}

double half_square(VectorIn x) { return 0.5 * (x - centre()).squaredNorm(); }

UserFunction honest() {
  return made("honest", half_square, [](VectorIn x) -> Vector { return x - centre(); });
}

std::vector<UserFunction> mistakes() {
  std::vector<UserFunction> list;
  const auto right = [](VectorIn x) -> Vector { return x - centre(); };
  list.push_back(made(
      "concave", [](VectorIn x) { return -half_square(x); }, [](VectorIn x) -> Vector { return centre() - x; }));
  list.push_back(made(  // the start is its maximum, where the gradient is 0
      "concave about the start", [](VectorIn x) { return -0.5 * x.squaredNorm(); },
      [](VectorIn x) -> Vector { return -x; }));
  list.push_back(made("sign flipped", half_square, [](VectorIn x) -> Vector { return centre() - x; }));
  list.push_back(made("factor 1.1", half_square, [](VectorIn x) -> Vector { return 1.1 * (x - centre()); }));
  list.push_back(made("factor 0.9", half_square, [](VectorIn x) -> Vector { return 0.9 * (x - centre()); }));
  list.push_back(made("of another", half_square, [](VectorIn x) -> Vector { return x + centre(); }));
  list.push_back(made("one entry", half_square, [](VectorIn x) -> Vector {
    Vector gradient = x - centre();
    gradient[1] *= 1.01;
    return gradient;
  }));
  list.push_back(made(
      "jump", [](VectorIn x) { return half_square(x) + (x[0] > 0.3 ? 1.0 : 0.0); }, right));
  list.push_back(made(
      "saddle", [](VectorIn x) { return 0.5 * (x[0] * x[0] - x[1] * x[1]); },
      [](VectorIn x) -> Vector {
        return Vector{{x[0], -x[1], 0.0, 0.0}};
      }));
  return list;
}

std::vector<ConvexSetPtr> sets() {
  return {ball(Vector::Zero(kSize), 1.0), box(Vector::Constant(kSize, -1.0), Vector::Constant(kSize, 0.75))};
}

/// The function at fault in the place `level`, a decent one in the other.
Problem problem_with(const UserFunction& function, Level level, const ConvexSetPtr& domain) {
  const Function other = squared_norm(Vector::Constant(kSize, 0.1));
  return level == Level::upper ? Problem(user_function(function), other, domain)
                               : Problem(other, user_function(function), domain);
}

void expect_refuted(const UserFunction& function, const Result& result) {
  EXPECT_EQ(result.certificate.evidence, Evidence::none);
  EXPECT_FALSE(result.certificate.lower_gap || result.certificate.upper_excess ||
               result.certificate.lower_lower_bound || result.certificate.upper_lower_bound);
  EXPECT_EQ(result.witness.lower_bound.kind, "none");
  EXPECT_EQ(result.witness.upper_bound.kind, "none");
  ASSERT_TRUE(result.violation.has_value());
  const ConvexityViolation& found = *result.violation;
  EXPECT_EQ(found.function, function.name);
  EXPECT_GT(found.amount, 0.0);
  Vector slope(kSize);
  const double at_first = function.evaluate(found.first, &slope);
  const double above = at_first + slope.dot(found.second - found.first) - function.evaluate(found.second, nullptr);
  EXPECT_GT(above, 0.99 * found.amount);
  EXPECT_THAT(result.message,
              AllOf(HasSubstr("'" + function.name + "' is not convex"), HasSubstr("check_function")));
}

TEST(NotConvex, TheDefaultNamesTheTwoPoints) {
  for (const UserFunction& function : mistakes()) {
    for (const ConvexSetPtr& domain : sets()) {
      for (Level level : kLevels) {
        SCOPED_TRACE(function.name + " on a " + std::string(domain->name()) +
                     (level == Level::upper ? ", f" : ", g"));
        const Result result = solve(problem_with(function, level, domain), {.limits = {.iterations = 20000}});
        EXPECT_EQ(result.status, Status::not_convex) << result.message;
        expect_refuted(function, result);
        if (result.violation) {
          EXPECT_EQ(result.violation->level, level);
        }
      }
    }
  }
}

TEST(NotConvex, NoMethodCertifies) {
  for (const MethodInfo& method : methods()) {
    for (const UserFunction& function : mistakes()) {
      for (Level level : kLevels) {
        const Problem problem = problem_with(function, level, sets()[0]);
        if (!method.misfit(problem).empty()) continue;
        SCOPED_TRACE(method.name + ": " + function.name);
        const Result result = solve(problem, {.method = method.name, .limits = {.iterations = 300}});
        EXPECT_NE(result.status, Status::certified) << result.message;
        if (result.status == Status::not_convex) expect_refuted(function, result);
      }
    }
  }
}

TEST(NotConvex, NoEngineCertifies) {
  for (const char* engine : {"quasi-newton", "accelerated", "bundle-level", "race", "level"}) {
    for (const UserFunction& function : mistakes()) {
      for (const ConvexSetPtr& domain : sets()) {
        SCOPED_TRACE(std::string(engine) + ": " + function.name);
        const Result result = solve(problem_with(function, Level::lower, domain),
                                    {.values = {{"engine", engine}}, .limits = {.iterations = 3000}});
        EXPECT_NE(result.status, Status::certified) << result.message;
      }
    }
  }
}

TEST(NotConvex, AHonestFunctionIsCertifiedUnderItsPremise) {
  for (const ConvexSetPtr& domain : sets()) {
    for (Level level : kLevels) {
      UserFunction function = honest();
      function.strong_convexity = 1.0;
      const Result result = solve(problem_with(function, level, domain));
      EXPECT_EQ(result.status, Status::certified) << result.message;
      EXPECT_THAT(result.message, HasSubstr("proved if the function 'honest' is convex and its gradient right: "));
      EXPECT_THAT(result.certificate.premises,
                  testing::ElementsAre("the function 'honest' is convex and its gradient right"));
      EXPECT_FALSE(result.violation.has_value());
    }
  }
}

TEST(NotConvex, StrongConvexityThatWasToldIsCheckedToo) {
  UserFunction function = honest();
  function.strong_convexity = 1.01;
  const Result result = solve(problem_with(function, Level::lower, sets()[0]));
  EXPECT_EQ(result.status, Status::not_convex) << result.message;
}

TEST(NotConvex, AValueThatDependsOnTheGradientBeingAskedFor) {
  UserFunction function = honest();
  function.evaluate = [](VectorIn x, Vector* gradient) {
    if (gradient != nullptr) *gradient = x - centre();
    return half_square(x) + (gradient != nullptr ? 1e-3 : 0.0);
  };
  const Result result = solve(problem_with(function, Level::lower, sets()[0]));
  ASSERT_EQ(result.status, Status::not_convex) << result.message;
  EXPECT_EQ(result.violation->distance, 0.0);
  EXPECT_NEAR(result.violation->amount, 1e-3, 1e-9);
}

TEST(NotConvex, SameBitsForAnyNumberOfThreads) {
  for (const UserFunction& function : mistakes()) {
    const Problem problem = problem_with(function, Level::lower, sets()[0]);
    const Result once = solve(problem);
    const Result twice = solve(problem, {.threads = 2});
    ASSERT_TRUE(once.violation && twice.violation);
    EXPECT_EQ(once.violation->first, twice.violation->first);
    EXPECT_EQ(once.violation->second, twice.violation->second);
    EXPECT_EQ(once.violation->amount, twice.violation->amount);
  }
}

// Honest functions whose values cancel, over many scales: no false alarm, however near the points come together.
TEST(NotConvex, NoFalseAlarms) {
  const auto cosh_minus_one = [](double scale) {
    return made(
        "cosh", [scale](VectorIn x) { return ((x - centre()) * scale).array().cosh().sum() - kSize; },
        [scale](VectorIn x) -> Vector { return scale * ((x - centre()) * scale).array().sinh(); });
  };
  const auto far_off = [](double shift) {
    return made(
        "far",
        [shift](VectorIn x) { return 0.5 * ((x.array() + shift) - shift - centre().array()).square().sum(); },
        [shift](VectorIn x) -> Vector { return (x.array() + shift) - shift - centre().array(); });
  };
  const auto largest = made(
      "largest", [](VectorIn x) { return (x - centre()).cwiseAbs().maxCoeff(); },
      [](VectorIn x) -> Vector {
        Index at = 0;
        (x - centre()).cwiseAbs().maxCoeff(&at);
        return Vector::Unit(kSize, at) * (x[at] > centre()[at] ? 1.0 : -1.0);
      });
  std::vector<UserFunction> functions{cosh_minus_one(1e-3), cosh_minus_one(0.1), cosh_minus_one(1.0),
                                      far_off(10.0), largest};
  for (UserFunction& function : functions) {
    if (function.name == "largest") function.smoothness.reset();
    for (const ConvexSetPtr& domain : sets()) {
      for (Level level : kLevels) {
        const Result result = solve(problem_with(function, level, domain),
                                    {.accuracy = {1e-5, 1e-5}, .limits = {.iterations = 5000}});
        EXPECT_NE(result.status, Status::not_convex) << function.name << ": " << result.message;
      }
    }
  }
}

#if FCBIO_ALLOCATIONS_COUNTED
TEST(NotConvex, WatchingDoesNotAllocate) {
  UserFunction function = honest();
  function.evaluate = [](VectorIn x, Vector* gradient) {
    if (gradient != nullptr) *gradient = x;
    return 0.5 * x.squaredNorm();
  };
  const Problem problem = problem_with(function, Level::lower, sets()[0]);
  Monitor monitor;
  Oracle oracle(problem, monitor);
  Point point(problem);
  Linearization at(problem.lower());
  oracle.linearize(Level::lower, point, at);
  const long before = test::allocation_count();
  for (int k = 0; k < 1000; ++k) {
    point.x[k % kSize] = 1.0 / (k + 1);
    oracle.linearize(Level::lower, point, at);
  }
  EXPECT_EQ(test::allocation_count() - before, 0);
  EXPECT_FALSE(monitor.stopped());
}
#endif

}  // namespace
}  // namespace fcbio
