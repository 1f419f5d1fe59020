// Projections on Z cut by a level set of f: closed forms, a naive twin, the optimality conditions, the elastic
// net, and what is recognised as such an f.
#include "baselines/sublevel_projection.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/problems.hpp"

namespace fcbio {
namespace {

struct Instance {
  Problem problem;
  Monitor monitor;
  MethodRun run{problem, {}, 10, SmoothnessKind::safe, monitor};
  SublevelProjection sublevel{run};

  Instance(const Function& f, const ConvexSetPtr& domain)
      : problem(f, linear(Vector::Zero(domain->dimension())), domain) {}
  Vector project(double level, Vector x, bool* meets = nullptr) {
    const bool found = sublevel.project(level, x);
    if (meets != nullptr) *meets = found;
    return x;
  }
  double f(const Vector& x) const { return sublevel.f().value(x); }
  Vector domain_projection(Vector x) const {
    Scratch scratch;
    problem.domain().project(x, scratch);
    return x;
  }
};

TEST(Isotropic, RecognisesSumsOfSquaredNormsAndLinearTerms) {
  std::mt19937_64 random(2);
  const Vector a = test::random_vector(4, random), b = test::random_vector(4, random);
  const Function f = 3.0 * squared_norm(a) + linear(b) + 0.5 * squared_norm(b) + 2.0 * l1_norm(a);
  const std::optional<IsotropicFunction> found = isotropic(f);
  ASSERT_TRUE(found.has_value());
  EXPECT_DOUBLE_EQ(found->curvature, 3.5);
  EXPECT_DOUBLE_EQ(found->l1_weight, 2.0);
  for (int i = 0; i < 5; ++i) {
    const Vector x = test::random_vector(4, random);
    EXPECT_NEAR(found->value(x), f.value(x, f.make_images()), 1e-12);
  }
  EXPECT_FALSE(isotropic(linear(b)));                                  // no curvature
  EXPECT_FALSE(isotropic(squared_norm(a) + l1_norm(a) + l1_norm(b)));  // two centres
  EXPECT_FALSE(isotropic(quadratic(RowMajorMatrix(RowMajorMatrix::Identity(4, 4)), a)));
}

TEST(SublevelProjection, IsAScaledOffsetInTheWholeSpace) {
  std::mt19937_64 random(3);
  const Vector c = test::random_vector(5, random);
  Instance instance(4.0 * squared_norm(c), whole_space(Vector::Zero(5), std::nullopt));
  const Vector v = c + 10.0 * test::random_vector(5, random);
  const double level = 8.0;  // |x - c| <= 2
  EXPECT_NEAR((instance.project(level, v) - (c + 2.0 * (v - c).normalized())).norm(), 0.0, 1e-12);
  const Vector inside = c + 0.5 * Vector::Unit(5, 1);
  EXPECT_EQ(instance.project(level, inside), inside);
}

TEST(SublevelProjection, OnConcentricBallsTheSmallerOneCounts) {
  std::mt19937_64 random(4);
  Instance instance(squared_norm(Vector::Zero(6)), ball(Vector::Zero(6), 2.0));
  const Vector v = 9.0 * test::random_vector(6, random).normalized();
  EXPECT_NEAR((instance.project(0.5, v) - v / 9.0).norm(), 0.0, 1e-12);
  EXPECT_NEAR((instance.project(50.0, v) - 2.0 * v / 9.0).norm(), 0.0, 1e-12);
}

TEST(SublevelProjection, SaysWhenTheLevelIsBelowTheMinimum) {
  Instance instance(squared_norm(Vector::Zero(3)), box(Vector::Constant(3, 1.0), Vector::Constant(3, 2.0)));
  EXPECT_DOUBLE_EQ(instance.sublevel.least(), 1.5);
  bool meets = true;
  EXPECT_EQ(instance.project(1.4, Vector::Constant(3, 5.0), &meets), Vector::Ones(3));
  EXPECT_FALSE(meets);
  instance.project(1.5, Vector::Constant(3, 5.0), &meets);
  EXPECT_TRUE(meets);
}

struct Case {
  Function f;
  ConvexSetPtr domain;
};

std::vector<Case> cases(std::mt19937_64& random) {
  const Index n = 8;
  const Vector c = 0.4 * test::random_vector(n, random), zero = Vector::Zero(n);
  const Function norm = 2.0 * squared_norm(c);
  const Function net = 0.3 * l1_norm(zero) + 0.7 * squared_norm(zero);
  return {{norm, box(Vector::Constant(n, -0.5), Vector::Constant(n, 1.0))},
          {norm, ball(test::random_vector(n, random), 2.0)},
          {norm, l1_ball(zero, 1.5)},
          {squared_norm(zero), l1_ball(zero, 1.5)},
          {norm, simplex(n, 1.0)},
          {norm, nonnegative_ball(n, 1.0)},
          {net, whole_space(zero, std::nullopt)},
          {net, box(Vector::Constant(n, -0.3), Vector::Constant(n, 0.6))},
          {net, ball(zero, 1.0)},
          {0.3 * l1_norm(c) + 2.0 * squared_norm(zero), whole_space(zero, std::nullopt)},
          {net, l1_ball(zero, 1.5)}};
}

/// A level between the minimum of f over Z and f at the projection of v on Z.
double level_between(const Instance& instance, const Vector& v, double share) {
  const double least = instance.sublevel.least();
  return least + share * (instance.f(instance.domain_projection(v)) - least);
}

// The multiplier by plain bisection on  argmin over Z of 1/2 |z - v|^2 + mu f(z).
Vector twin(Instance& instance, double level, const Vector& v) {
  const IsotropicFunction& f = instance.sublevel.f();
  const auto at = [&](double mu) {
    const double scale = 1.0 + mu * f.curvature;
    Vector x = (v + mu * f.curvature * f.centre) / scale;
    instance.run.prox(mu / scale, 1.0, 0.0, x);
    return x;
  };
  if (instance.f(at(0.0)) <= level) return at(0.0);
  double low = 0.0, high = 1.0;
  while (instance.f(at(high)) > level) high *= 2.0;
  for (int i = 0; i < 200; ++i) {
    const double mu = 0.5 * (low + high);
    (instance.f(at(mu)) > level ? low : high) = mu;
  }
  return at(high);
}

RC_GTEST_PROP(SublevelProjection, AgreesWithTheNaiveTwin, (std::uint64_t seed, unsigned short where)) {
  std::mt19937_64 random(seed);
  const double share = 0.02 + 1.1 * where / 65536.0;
  for (const Case& one : cases(random)) {
    Instance instance(one.f, one.domain);
    for (int repeat = 0; repeat < 3; ++repeat) {  // the second and third begin from the multiplier before
      const Vector v = 2.0 * test::random_vector(8, random);
      const double level = level_between(instance, v, share);
      bool meets = false;
      const Vector x = instance.project(level, v, &meets);
      RC_ASSERT(meets);
      RC_ASSERT(one.domain->violation(x) <= 1e-12);
      RC_ASSERT(instance.f(x) <= level + 1e-12 * (1.0 + std::abs(level)));
      RC_ASSERT((x - twin(instance, level, v)).norm() <= 1e-7);
    }
  }
}

// <v - x, z - x> <= 0 for all z in the set: sampled between the minimiser of f and points of Z.
RC_GTEST_PROP(SublevelProjection, SatisfiesTheVariationalInequality, (std::uint64_t seed)) {
  std::mt19937_64 random(seed);
  for (const Case& one : cases(random)) {
    Instance instance(one.f, one.domain);
    const Vector v = 2.0 * test::random_vector(8, random);
    const double level = level_between(instance, v, 0.4);
    const Vector x = instance.project(level, v);
    bool meets = true;
    const Vector least = instance.project(-1e9, v, &meets);
    RC_ASSERT(!meets);
    for (int i = 0; i < 30; ++i) {
      Vector z = instance.domain_projection(2.0 * test::random_vector(8, random));
      while (instance.f(z) > level) z = 0.5 * (z + least);
      RC_ASSERT((v - x).dot(z - x) <= 1e-9 * (1.0 + (v - x).norm()));
    }
  }
}

TEST(SublevelProjection, NeedsFewProjections) {
  std::mt19937_64 random(9);
  Instance instance(squared_norm(Vector::Zero(300)), l1_ball(Vector::Zero(300), 10.0));
  for (int i = 0; i < 50; ++i) instance.project(0.9, test::random_vector(300, random));
  EXPECT_LE(instance.monitor.work().projections, 50 * 16);
}

TEST(SublevelProjection, RefusesWhatItCannotDo) {
  const Vector zero = Vector::Zero(2);
  const auto why = [&](const Function& f, const ConvexSetPtr& domain) {
    return no_sublevel_projection(Problem(f, linear(zero), domain));
  };
  const ConvexSetPtr space = whole_space(zero, std::nullopt);
  EXPECT_EQ(why(squared_norm(zero) + l1_norm(zero), space), "");
  EXPECT_EQ(
      why(linear(Vector::Ones(2)), space),
      "the upper function is not of the form weight/2 |x - c|^2, with or without an l1 norm (it is linear), and "
      "only on level sets of that a projection is known");
  EXPECT_EQ(why(squared_norm(zero) + l1_norm(Vector::Ones(2)), ball(zero, 1.0)),
            "no prox is known for an l1 norm whose center is not that of the ball");
}

}  // namespace
}  // namespace fcbio
