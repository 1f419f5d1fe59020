// check_function() and check_set(): every kind of mistake is found and named, and nothing that is built in is
// accused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fcbio/error.hpp"
#include "fcbio/fcbio.hpp"
#include "support/problems.hpp"
#include "support/refusal.hpp"

namespace fcbio {
namespace {

using ::testing::HasSubstr;

/// sum x_i^2 (1 + i) / 2
UserFunction scaled_square() {
  UserFunction function;
  function.name = "square";
  function.dimension = 3;
  function.evaluate = [](VectorIn x, Vector* gradient) {
    const Vector weights{{1.0, 2.0, 3.0}};
    if (gradient != nullptr) *gradient = weights.cwiseProduct(x);
    return 0.5 * weights.dot(x.cwiseAbs2());
  };
  function.smoothness = 3.0;
  function.lipschitz = 9.0;
  function.strong_convexity = 1.0;
  function.lower_bound = 0.0;
  function.prox = [](double step, VectorOut x) {
    for (Index i = 0; i < 3; ++i) x[i] /= 1.0 + step * static_cast<double>(i + 1);
  };
  function.hessian_product = [](VectorIn, VectorIn v, VectorOut out) {
    for (Index i = 0; i < 3; ++i) out[i] = static_cast<double>(i + 1) * v[i];
  };
  return function;
}

std::string words(const UserFunction& function) {
  const CheckReport report = check_function(function, Vector{{0.5, 0.0, -0.5}}, 2.0);
  EXPECT_EQ(report.ok, report.findings.empty());
  for (const CheckFinding& finding : report.findings) EXPECT_FALSE(finding.points.empty()) << finding.what;
  return report.in_words();
}

TEST(CheckFunction, PassesWhatIsRight) { EXPECT_EQ(words(scaled_square()), "no mistake found"); }

TEST(CheckFunction, FindsEachMistake) {
  const auto with_gradient = [](const std::function<void(VectorIn, Vector&)>& change) {
    UserFunction bad = scaled_square();
    bad.evaluate = [right = bad.evaluate, change](VectorIn x, Vector* gradient) {
      const double value = right(x, gradient);
      if (gradient != nullptr) change(x, *gradient);
      return value;
    };
    return bad;
  };
  EXPECT_THAT(words(with_gradient([](VectorIn, Vector& s) { s *= 1.1; })),
              HasSubstr("'square': entry 0 of the gradient"));
  EXPECT_THAT(words(with_gradient([](VectorIn, Vector& s) { s[2] *= 1.001; })),
              HasSubstr("entry 2 of the gradient"));
  EXPECT_THAT(words(with_gradient([](VectorIn, Vector& s) { s = -s; })), HasSubstr("the gradient is wrong"));
  EXPECT_THAT(words(with_gradient([](VectorIn x, Vector& s) { s = x; })), HasSubstr("of the gradient is"));
  EXPECT_THAT(words(with_gradient([](VectorIn, Vector& s) { s[0] = NAN; })), HasSubstr("not a finite number"));

  UserFunction bad = scaled_square();
  bad.evaluate = [](VectorIn x, Vector* gradient) {
    if (gradient != nullptr) *gradient = -x;
    return -0.5 * x.squaredNorm();
  };
  EXPECT_THAT(words(bad), HasSubstr("not convex: half way"));
  int calls = 0;
  bad.evaluate = [&calls](VectorIn x, Vector* gradient) {
    if (gradient != nullptr) *gradient = x;
    return 0.5 * x.squaredNorm() + 1e-3 * (++calls % 2);
  };
  EXPECT_THAT(words(bad), HasSubstr("two calls at one point give different answers"));

  bad = scaled_square();
  bad.smoothness = 2.9;
  EXPECT_THAT(words(bad), HasSubstr("smoothness constant 2.9"));
  bad = scaled_square();
  bad.lipschitz = 5.0;
  EXPECT_THAT(words(bad), HasSubstr("Lipschitz constant 5"));
  bad = scaled_square();
  bad.lower_bound = 0.1;
  EXPECT_THAT(words(bad), HasSubstr("the lower bound 0.1 is above the value"));
  bad = scaled_square();
  bad.strong_convexity = 1.2;
  EXPECT_THAT(words(bad), HasSubstr("the strong convexity 1.2 is too large"));
  bad = scaled_square();
  bad.prox = [](double step, VectorOut x) { x /= 1.0 + step; };
  EXPECT_THAT(words(bad), HasSubstr("prox with step"));

  const auto with_hessian = [](const RowMajorMatrix& hessian) {
    UserFunction wrong = scaled_square();
    wrong.hessian_product = [hessian](VectorIn, VectorIn v, VectorOut out) { out = hessian * v; };
    return wrong;
  };
  EXPECT_THAT(words(with_hessian(RowMajorMatrix{{1.0, 0.0, 0.0}, {0.0, 2.0, 0.0}, {0.0, 0.0, 4.0}})),
              HasSubstr("where the gradients change by"));
  EXPECT_THAT(words(with_hessian(RowMajorMatrix{{1.0, 0.5, 0.0}, {0.0, 2.0, 0.0}, {0.0, 0.0, 3.0}})),
              HasSubstr("the Hessian is not symmetric"));
  EXPECT_THAT(words(with_hessian(RowMajorMatrix{{1.0, 0.0, 0.0}, {0.0, -2.0, 0.0}, {0.0, 0.0, 3.0}})),
              HasSubstr("is negative"));
  EXPECT_THAT(words(with_hessian(RowMajorMatrix::Constant(3, 3, NAN))), HasSubstr("Hessian is not finite"));
}

TEST(CheckFunction, NamesTheTermOfASum) {
  UserFunction bad = scaled_square();
  bad.name = "culprit";
  bad.lower_bound = 1.0;
  const Function sum = squared_norm(Vector::Zero(3)) + 2.0 * user_function(bad);
  EXPECT_THAT(check_function(sum, Vector::Zero(3), 1.0).in_words(), HasSubstr("'culprit'"));
  EXPECT_THROW(check_function(sum, Vector::Zero(2), 1.0), InvalidArgument);
  EXPECT_THROW(check_function(sum, Vector::Zero(3), -1.0), InvalidArgument);
}

TEST(CheckFunction, PassesEverythingBuiltIn) {
  std::mt19937_64 random(71);
  const Index n = 5, m = 8;
  const auto map = [&] { return dense_map(RowMajorMatrix(test::random_matrix(m, n, random))); };
  const auto labels = [&]() -> Vector { return test::random_vector(m, random).cwiseSign(); };
  const auto vector = [&](Index size) { return test::random_vector(size, random); };
  const RowMajorMatrix root = test::random_matrix(n, n, random);
  const std::vector<Function> functions{least_squares(map(), vector(m)),
                                        logistic(map(), labels()),
                                        huber(map(), vector(m), 0.5),
                                        squared_hinge(map(), labels()),
                                        hinge(map(), labels()),
                                        absolute_deviation(map(), vector(m)),
                                        quantile(map(), vector(m), 0.2),
                                        max_affine(map(), vector(m)),
                                        log_sum_exp(map(), vector(m)),
                                        squared_norm(vector(n)),
                                        l1_norm(vector(n)),
                                        linear(vector(n)),
                                        quadratic(RowMajorMatrix(root.transpose() * root), vector(n), 0.5)};
  for (const Function& function : functions) {
    for (const double radius : {0.0, 1e-3, 1.0, 1e3}) {
      const CheckReport report = check_function(function, vector(n), radius);
      EXPECT_TRUE(report.ok) << function.describe() << ", radius " << radius << ": " << report.in_words();
    }
  }
}

/// The disc of radius 2 about (1, 0).
UserSet disc() {
  UserSet set;
  set.name = "disc";
  set.dimension = 2;
  set.centre = Vector{{1.0, 0.0}};
  set.radius = 2.0;
  set.project = [](VectorOut x) {
    const Vector off = x - Vector{{1.0, 0.0}};
    if (off.norm() > 2.0) x = Vector{{1.0, 0.0}} + 2.0 / off.norm() * off;
  };
  set.support = [](VectorIn d) { return d[0] + 2.0 * d.norm(); };
  set.minimize_linear = [](VectorIn d, VectorOut vertex) {
    vertex = Vector{{1.0, 0.0}};
    if (d.norm() > 0.0) vertex -= 2.0 / d.norm() * d;
  };
  set.violation = [](VectorIn x) { return (x - Vector{{1.0, 0.0}}).norm() - 2.0; };
  return set;
}

std::string words(const UserSet& set) {
  const CheckReport report = check_set(*user_set(set));
  for (const CheckFinding& finding : report.findings) EXPECT_FALSE(finding.points.empty()) << finding.what;
  return report.in_words();
}

TEST(CheckSet, PassesWhatIsRight) {
  EXPECT_EQ(words(disc()), "no mistake found");
  UserSet less = disc();
  less.support = {};
  EXPECT_EQ(words(less), "no mistake found");
  less.minimize_linear = {};
  less.violation = {};
  EXPECT_EQ(words(less), "no mistake found");
}

TEST(CheckSet, FindsEachMistake) {
  UserSet bad = disc();
  bad.project = [](VectorOut x) { x = x.cwiseMax(-1.0).cwiseMin(1.0); };  // of another set, outside of which it is
  EXPECT_THAT(words(bad), HasSubstr("a point that the projection moves counts as a member"));
  bad = disc();
  bad.project = [](VectorOut x) { x *= 0.5; };
  EXPECT_THAT(words(bad), HasSubstr("projecting a projection moves it"));
  bad = disc();
  bad.project = [](VectorOut x) {
    if ((x - Vector{{1.0, 0.0}}).norm() > 2.0) x = Vector{{1.0, 0.0}};  // inside, not the nearest
  };
  EXPECT_THAT(words(bad), HasSubstr("not the nearest point"));
  bad = disc();
  bad.project = [](VectorOut x) { x = 3.0 * x.normalized(); };  // a circle
  bad.radius = 4.0;
  bad.violation = {};
  EXPECT_THAT(words(bad), HasSubstr("not convex"));
  bad = disc();
  bad.project = [](VectorOut x) { x = 4.0 * x.normalized(); };
  EXPECT_THAT(words(bad), HasSubstr("a projection misses the set by"));
  bad = disc();
  bad.project = [](VectorOut x) { x[0] = NAN; };
  EXPECT_THAT(words(bad), HasSubstr("finite numbers"));
  bad = disc();
  bad.support = [](VectorIn d) { return d[0] + 1.99 * d.norm(); };
  EXPECT_THAT(words(bad), HasSubstr("the linear lower bound (or support) is wrong"));
  bad = disc();
  bad.minimize_linear = [](VectorIn d, VectorOut vertex) { vertex = Vector{{1.0, 0.0}} + 2.0 / d.norm() * d; };
  EXPECT_THAT(words(bad), HasSubstr("below the minimiser"));
  bad = disc();
  bad.minimize_linear = [](VectorIn d, VectorOut vertex) { vertex = Vector{{1.0, 0.0}} - 3.0 / d.norm() * d; };
  EXPECT_THAT(words(bad), HasSubstr("a minimiser of a linear function misses the set by"));
  bad = disc();
  bad.radius = 1.5;
  EXPECT_THAT(words(bad), HasSubstr("outside of the radius 1.5"));
}

TEST(CheckSet, PassesEverythingBuiltIn) {
  std::mt19937_64 random(72);
  const Index n = 4;
  const Vector c = test::random_vector(n, random);
  const RowMajorMatrix rows = test::random_matrix(2, n, random);
  const std::vector<ConvexSetPtr> sets{ball(c, 1.5),
                                       ball(1e6 * c, 1e-3),
                                       box(Vector::Constant(n, -1.0), Vector::Constant(n, 0.5)),
                                       simplex(n, 2.0),
                                       l1_ball(c, 0.7),
                                       nonnegative_ball(n, 2.0),
                                       halfspace(c, 0.1, 3.0),
                                       affine_subspace(rows, Vector::Constant(2, 0.2), 3.0),
                                       product({ball(Vector::Zero(2), 1.0), simplex(2)}),
                                       intersection({ball(Vector::Zero(n), 1.0), halfspace(c, 0.1, 3.0)}),
                                       whole_space(c, 2.0)};
  for (const ConvexSetPtr& set : sets) {
    const CheckReport report = check_set(*set);
    EXPECT_TRUE(report.ok) << set->name() << ": " << report.in_words();
  }
}

TEST(UserSet, RefusesWhatMakesNoSense) {
  const auto refusal = [](const UserSet& set) { return test::refusal([&] { user_set(set); }); };
  UserSet bad = disc();
  bad.dimension = 0;
  EXPECT_THAT(refusal(bad), HasSubstr("disc: expected a dimension of at least 1"));
  bad = disc();
  bad.project = {};
  EXPECT_THAT(refusal(bad), HasSubstr("set UserSet::project"));
  bad = disc();
  bad.centre = Vector::Zero(3);
  EXPECT_THAT(refusal(bad), HasSubstr("a centre of 2 numbers, found 3"));
  bad = disc();
  bad.radius = kInfinity;
  EXPECT_THAT(refusal(bad), HasSubstr("radius"));
  EXPECT_EQ(refusal(disc()), "accepted");
}

TEST(UserSet, IsAPremiseAlsoInsideOfOthers) {
  const ConvexSetPtr set = user_set(disc());
  EXPECT_THAT(set->premise(), HasSubstr("the set 'disc' is convex"));
  EXPECT_EQ(product({set, simplex(2)})->premise(), set->premise());
  EXPECT_EQ(intersection({set, ball(Vector::Zero(2), 1.0)})->premise(), set->premise());
  EXPECT_EQ(simplex(2)->premise(), "");
}

}  // namespace
}  // namespace fcbio
