// Absolute mode: the interval [-upper_deficit, upper_excess] holds the truth where the truth is known, and where
// the inequality behind it would be false it is not claimed.
#include "solver/absolute.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "fcbio/error.hpp"
#include "fcbio/method.hpp"
#include "solver/least_squares_bound.hpp"
#include "support/problems.hpp"
#include "support/refusal.hpp"

namespace fcbio {
namespace {

using test::random_matrix;
using test::random_vector;
using testing::HasSubstr;

Eigen::MatrixXd orthonormal(Index rows, Index cols, std::mt19937_64& random) {
  return Eigen::HouseholderQR<Eigen::MatrixXd>(random_matrix(rows, cols, random)).householderQ() *
         Eigen::MatrixXd::Identity(rows, cols);
}

/// Singular values fall geometrically from `largest` to largest / condition.
Eigen::MatrixXd conditioned(Index rows, Index cols, double largest, double condition, std::mt19937_64& random) {
  const Index rank = std::min(rows, cols);
  Vector values(rank);
  for (Index i = 0; i < rank; ++i)
    values[i] =
        largest * std::pow(condition, rank == 1 ? 0.0 : -static_cast<double>(i) / static_cast<double>(rank - 1));
  return orthonormal(rows, rank, random) * values.asDiagonal() * orthonormal(cols, rank, random).transpose();
}

double value_of(const Function& function, const Vector& x) {
  PartVectors images = function.make_images();
  function.images(x, images);
  return function.value(x, images);
}

struct Instance {
  Problem problem;
  double upper_optimum, lower_optimum;
  bool inside;  // whether the solution lies inside the domain, so that the computed error bound holds there
};

/// min f over the least-squares solutions, all in closed form: x = x0 + N z, x0 = A+ b, N the null space of A.
Instance random_instance(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto pick = [&](int count) { return static_cast<int>(random() % static_cast<std::uint64_t>(count)); };
  const Index n = 2 + pick(20), rows = 1 + pick(25);
  const double condition = std::pow(10.0, pick(4)), weight = pick(2) == 0 ? 1.0 : 1.0 / static_cast<double>(rows);
  const Eigen::MatrixXd a = conditioned(rows, n, 2.0, condition, random);
  const Vector planted = random_vector(n, random).normalized();
  Vector b = a * planted;
  if (pick(2) == 0) b += 0.3 / condition * random_vector(rows, random);

  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(a, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const Vector least = svd.solve(b);
  const Eigen::MatrixXd null = svd.matrixV().rightCols(n - std::min(rows, n));
  const Vector centre = 0.5 * random_vector(n, random);
  const Index free = null.cols();

  const int upper_kind = pick(3);
  const Vector c = random_vector(n, random);
  Function upper = linear(c);
  Vector best = least;
  bool inside = true;
  const double reach = 4.0 * (1.0 + least.norm() + centre.norm());
  const int domain_kind = pick(3);
  if (upper_kind == 0) {
    upper = squared_norm(centre);
    best = least + null * (null.transpose() * (centre - least));
  } else if (upper_kind == 1) {
    const Eigen::MatrixXd root = random_matrix(n, n, random);
    const Eigen::MatrixXd q = root * root.transpose() / static_cast<double>(n) + Eigen::MatrixXd::Identity(n, n);
    const RowMajorMatrix symmetric = 0.5 * (q + q.transpose());
    upper = quadratic(symmetric, c);
    if (free > 0) {
      const Eigen::MatrixXd reduced = null.transpose() * symmetric * null;
      best = least - null * reduced.ldlt().solve(Vector(null.transpose() * (symmetric * least + c)));
    }
  } else if (free > 0) {  // over a ball about 0 the best point lies on its boundary
    const Vector along = null * (null.transpose() * c);
    best = least - std::sqrt(reach * reach - least.squaredNorm()) * along.normalized();
    inside = false;
  }
  const double radius = inside ? std::max(reach, 2.0 * best.norm()) : reach;
  ConvexSetPtr domain = ball(Vector::Zero(n), radius);
  if (inside && domain_kind == 1) domain = box(Vector::Constant(n, -radius), Vector::Constant(n, radius));
  if (inside && domain_kind == 2) domain = whole_space(Vector::Zero(n), 2.0 * radius);
  const Function lower = weight * least_squares(pick(2) == 0 ? dense_map(a) : dense_map(RowMajorMatrix(a)), b);
  return {Problem(upper, lower, domain), value_of(upper, best), value_of(lower, best), inside};
}

TEST(Absolute, IntervalHoldsTheTruthOn200RandomInstances) {
  int certified = 0, claimed = 0, inside = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    const Instance instance = random_instance(seed);
    const Accuracy accuracy{.upper = 1e-3, .lower = 1e-6, .absolute = true};
    const Result result = solve(instance.problem, {.accuracy = accuracy, .limits = {.iterations = 20000}});
    const Certificate& known = result.certificate;
    const double slack = 1e-11 * (1.0 + std::abs(instance.upper_optimum));
    const double truth = result.upper_value - instance.upper_optimum;
    inside += instance.inside ? 1 : 0;
    if (known.upper_excess) {
      EXPECT_LE(truth, *known.upper_excess + slack) << result.message;
    }
    if (known.upper_deficit) {
      ++claimed;
      EXPECT_GE(truth, -*known.upper_deficit - slack) << result.message;
      EXPECT_EQ(known.holder_source, HolderSource::computed);
      ASSERT_TRUE(known.holder);
    }
    if (result.status == Status::certified) {
      ++certified;
      ASSERT_TRUE(known.upper_deficit && known.upper_excess && known.lower_gap);
      EXPECT_LE(*known.upper_deficit, accuracy.upper);
      EXPECT_LE(*known.upper_excess, accuracy.upper);
      EXPECT_LE(*known.lower_gap, accuracy.lower);
      EXPECT_LE(std::abs(truth), accuracy.upper + slack);
    } else {
      EXPECT_TRUE(!instance.inside || result.status == Status::stalled) << result.message;
    }
  }
  EXPECT_GE(certified, 9 * inside / 10);
  EXPECT_GE(claimed, certified);
  EXPECT_GE(inside, 150);
  EXPECT_LT(inside, 200);  // both kinds occur
}

/// Z touches S = {x2 = 1} at (0, 1) only.  On the circle g = dist^4 / 8, and "g >= dist^2 / 2" is false.
Problem tangent_ball() {
  RowMajorMatrix a(1, 2);
  a << 0.0, 1.0;
  return {linear(Vector{{-1.0, 0.0}}), least_squares(dense_map(a), Vector{{1.0}}), ball(Vector::Zero(2), 1.0)};
}
constexpr double kTangentOptimum = 0.0;  // f(0, 1)

TEST(Absolute, ComputedConstantsAreNotClaimedWhereTheDomainTouchesTheSolutions) {
  const Problem problem = tangent_ball();
  const Accuracy accuracy{.upper = 1e-3, .lower = 1e-6, .absolute = true};
  const Result result = solve(problem, {.accuracy = accuracy});
  EXPECT_EQ(result.status, Status::stalled);
  EXPECT_FALSE(result.certificate.upper_deficit);
  EXPECT_FALSE(result.certificate.holder);
  EXPECT_THAT(result.message, HasSubstr("is not inside the domain"));
  EXPECT_THAT(result.message, HasSubstr("accuracy.holder"));
  ASSERT_TRUE(result.certificate.lower_gap);
  // What it would have claimed is false, at a point that it may well return.
  const HolderBound false_bound{2.0, 1.0, 1.0};
  const double angle = 0.03;
  const Vector x{{std::sin(angle), std::cos(angle)}};
  const double gap = value_of(problem.lower(), x);
  EXPECT_LE(gap, gap_needed(false_bound, accuracy.upper));
  EXPECT_LT(value_of(problem.upper(), x) - kTangentOptimum, -25.0 * deficit_bound(false_bound, gap));
}

TEST(Absolute, ToldConstants) {
  const Problem problem = tangent_ball();
  const Accuracy accuracy{
      .upper = 1e-2, .lower = 1e-6, .absolute = true, .holder = HolderBound{4.0, 0.5, 1.0}};  // true on all of Z
  const Result result = solve(problem, {.accuracy = accuracy});
  EXPECT_EQ(result.status, Status::certified) << result.message;
  EXPECT_THAT(result.message, HasSubstr("upper deficit"));
  ASSERT_TRUE(result.certificate.upper_deficit && result.certificate.holder);
  EXPECT_EQ(result.certificate.holder_source, HolderSource::told);
  EXPECT_EQ(result.certificate.holder->alpha, 4.0);
  EXPECT_LE(*result.certificate.upper_deficit, 1e-2);
  EXPECT_GE(result.upper_value, kTangentOptimum - *result.certificate.upper_deficit);
  EXPECT_LE(result.upper_value, kTangentOptimum + *result.certificate.upper_excess);
  EXPECT_LE(*result.certificate.lower_gap, gap_needed(*accuracy.holder, accuracy.upper));
  EXPECT_GE(*result.certificate.upper_deficit, deficit_bound(*accuracy.holder, *result.certificate.lower_gap));
  EXPECT_EQ(result.accuracy.lower, 1e-6);  // as asked, not as run
  EXPECT_TRUE(result.accuracy.absolute);
}

/// Sharp minima: g = |x|_1 has alpha = 1, beta = 1.
TEST(Absolute, ToldConstantsOfANonsmoothProblem) {
  const Problem problem(linear(Vector{{1.0, -1.0, 0.5}}), l1_norm(Vector::Zero(3)), ball(Vector::Zero(3), 2.0),
                        Vector{{1.0, 1.0, 1.0}});
  const Accuracy accuracy{.upper = 1e-4, .lower = 1e-2, .absolute = true, .holder = HolderBound{1.0, 1.0, 1.5}};
  const Result result = solve(problem, {.accuracy = accuracy});
  EXPECT_EQ(result.status, Status::certified) << result.message;
  EXPECT_LE(std::abs(result.upper_value), 1e-4);
  // Without `absolute` the slack in g may buy upper value: what is asked for matters.
  EXPECT_LE(*result.certificate.lower_gap, 1e-4 / 1.5);
}

std::string refusal(const Problem& problem, const SolveOptions& options) {
  return test::refusal([&] { solve(problem, options); });
}

Problem over(const Function& lower, ConvexSetPtr domain) {
  return {squared_norm(Vector::Zero(domain->dimension())), lower, domain};
}

TEST(Absolute, RefusedWithoutAnErrorBound) {
  std::mt19937_64 random(5);
  const Eigen::MatrixXd a = random_matrix(3, 4, random);
  const Vector b = random_vector(3, random);
  const ConvexSetPtr unit_ball = ball(Vector::Zero(4), 1.0);
  const SolveOptions absolute{.accuracy = {.absolute = true}};
  const auto expect = [&](const Problem& problem, const std::string& found) {
    const std::string text = refusal(problem, absolute);
    EXPECT_THAT(text, HasSubstr(found));
    EXPECT_THAT(text, HasSubstr("`fcbio hard smooth`"));
    EXPECT_THAT(text, HasSubstr("accuracy.holder = {alpha, beta, gradient_bound}"));
    EXPECT_THAT(text, HasSubstr("(beta/alpha) dist(x, X)^alpha <= g(x) - g*"));
  };
  const Function squares = least_squares(dense_map(a), b);
  expect(over(logistic(dense_map(a), Vector::Ones(3)), unit_ball), "the lower function 'logistic'");
  expect(over(squares + linear(random_vector(4, random)), unit_ball), "a lower function of several terms");
  expect(over(squares, simplex(4)), "least squares over the set 'simplex'");
  Eigen::MatrixXd twice = a;
  twice.row(2) = 2.0 * twice.row(0);
  expect(over(least_squares(dense_map(twice), b), unit_ball), "does not have full rank");
  // Nobody knows where the least of two norms over all solutions lies.
  const Function two_norms = squared_norm(Vector::Zero(4)) + squared_norm(Vector::Ones(4));
  expect(Problem(two_norms, squares, whole_space(Vector::Zero(4), std::nullopt)), "has no radius");
  const LinearMapPtr products = user_map(
      {4, 4, [](VectorIn x, VectorOut u) { u = x; }, [](double w, VectorIn r, VectorOut g) { g += w * r; }, 1.0});
  expect(over(least_squares(products, random_vector(4, random)), unit_ball), "known by its products only");
}

TEST(Absolute, RefusedWithOtherMethodsWithTightAndWithBadConstants) {
  std::mt19937_64 random(6);
  const Problem problem = over(least_squares(dense_map(random_matrix(3, 4, random)), random_vector(3, random)),
                               ball(Vector::Zero(4), 9.0));
  EXPECT_THAT(refusal(problem, {.method = "fcbio-sm", .accuracy = {.absolute = true}}),
              HasSubstr("accuracy.absolute is offered by the method 'fcbio' only, found method 'fcbio-sm'"));
  EXPECT_THAT(refusal(problem, {.accuracy = {.tight = true, .absolute = true}}),
              HasSubstr("accuracy.absolute and accuracy.tight contradict each other"));
  const auto with = [&](double alpha, double beta, double gradient_bound) {
    return refusal(problem, {.accuracy = {.absolute = true, .holder = HolderBound{alpha, beta, gradient_bound}}});
  };
  EXPECT_THAT(with(0.5, 1, 1), HasSubstr("accuracy.holder.alpha: expected a finite number >= 1, found 0.5"));
  EXPECT_THAT(with(kInfinity, 1, 1), HasSubstr("accuracy.holder.alpha"));
  EXPECT_THAT(with(2, 0, 1), HasSubstr("accuracy.holder.beta: expected a finite number > 0, found 0"));
  EXPECT_THAT(with(2, 1, -1), HasSubstr("accuracy.holder.gradient_bound: expected a finite number > 0"));
}

TEST(Absolute, IllConditionedDataIsTold) {
  std::mt19937_64 random(7);
  const Eigen::MatrixXd a = conditioned(30, 10, 1.0, 1e5, random);
  const Vector b = 10.0 * random_vector(30, random);  // g* is large, so its last digits are, too
  const Problem problem(squared_norm(Vector::Zero(10)), least_squares(dense_map(a), b),
                        whole_space(Vector::Zero(10), 1e8));
  const Accuracy accuracy{.upper = 1e-6, .lower = 1e-3, .absolute = true};
  const Result result = solve(problem, {.accuracy = accuracy, .limits = {.iterations = 20000}});
  EXPECT_EQ(result.status, Status::stalled);
  EXPECT_THAT(result.message, HasSubstr("accuracy.absolute needs a lower gap of"));
  ASSERT_TRUE(result.certificate.upper_deficit);  // what can be had is told
  EXPECT_GT(*result.certificate.upper_deficit, accuracy.upper);
  EXPECT_THAT(result.message, HasSubstr(" was reached"));
  EXPECT_THAT(result.message, HasSubstr("below what double precision can prove for this problem"));
}

TEST(Absolute, PassLimitsAreKept) {
  const test::KnownProblem known = test::minimum_norm(40, 60, 30.0, 3);
  const Accuracy accuracy{.upper = 1e-4, .lower = 1e-6, .absolute = true};
  const Result free = solve(known.problem, {.accuracy = accuracy});
  ASSERT_EQ(free.status, Status::certified) << free.message;
  EXPECT_GE(free.work.lower_passes, 40);  // the Gram matrix is counted
  for (const std::int64_t limit : {20, 45, 60, 90, 120}) {
    const Result result = solve(known.problem, {.accuracy = accuracy, .limits = {.passes = limit}});
    EXPECT_LE(result.work.passes(), limit);
    EXPECT_TRUE(result.status == Status::work_limit || result.status == Status::certified) << result.message;
    if (result.certificate.upper_deficit) {
      EXPECT_GE(result.upper_value, known.upper_optimum - *result.certificate.upper_deficit);
    }
  }
}

TEST(LeastSquaresBound, BetaIsBelowTheSquaredSingularValueAndNear) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const Index rows = 1 + static_cast<Index>(random() % 40), n = 1 + static_cast<Index>(random() % 40);
    const double condition = std::pow(10.0, static_cast<double>(random() % 6));
    const Eigen::MatrixXd a = conditioned(rows, n, 5.0, condition, random);
    const Vector b = random_vector(rows, random), x = random_vector(n, random);
    const Problem problem = over(0.5 * least_squares(dense_map(a), b), ball(Vector::Zero(n), 10.0));
    Monitor monitor;
    Oracle oracle(problem, monitor);
    ASSERT_EQ(LeastSquaresBound::misfit(problem), "");
    LeastSquaresBound bound(oracle);
    const Eigen::BDCSVD<Eigen::MatrixXd> svd(a, Eigen::ComputeThinU | Eigen::ComputeThinV);
    const double least = svd.singularValues()[std::min(rows, n) - 1];
    EXPECT_LE(bound.beta(), 0.5 * least * least * (1.0 + 1e-4));
    EXPECT_GE(bound.beta(), 0.5 * 0.5 * least * least);
    EXPECT_GE(monitor.work().lower_passes, std::min(rows, n));
    const LeastSquaresBound::Nearest nearest = bound.nearest(x);
    const Vector naive = x - svd.solve(a * x - b);
    EXPECT_LE((nearest.point - naive).norm(), nearest.error + 1e-10 * condition);
    EXPECT_LE(nearest.error, 1e-9 * condition * condition * (1.0 + b.norm()));
  }
}

TEST(LeastSquaresBound, NearlyDependentRowsGiveNothing) {
  for (const double off : {0.0, 1e-15, 1e-12}) {
    RowMajorMatrix a(2, 3);
    a << 1.0, 2.0, 3.0, 1.0, 2.0, 3.0 + off;
    const Problem problem = over(least_squares(dense_map(a), Vector::Ones(2)), ball(Vector::Zero(3), 1.0));
    Monitor monitor;
    Oracle oracle(problem, monitor);
    EXPECT_EQ(LeastSquaresBound(oracle).beta(), 0.0) << off;
  }
}

}  // namespace
}  // namespace fcbio
