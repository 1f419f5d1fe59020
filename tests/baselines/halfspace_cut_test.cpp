// Nearest points and linear minima on a set cut by a halfspace: naive twins (bisection of the multiplier, all
// pairs of vertices), optimality conditions, and cuts that miss the set.
#include "baselines/halfspace_cut.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/problems.hpp"

namespace fcbio {
namespace {

std::vector<ConvexSetPtr> domains(Index n, std::mt19937_64& random) {
  return {ball(Vector::Zero(n), 1.3),
          ball(test::random_vector(n, random), 0.7),
          box(Vector::Constant(n, -0.5), Vector::LinSpaced(n, 0.1, 1.0)),
          simplex(n, 2.0),
          l1_ball(0.3 * test::random_vector(n, random), 1.5),
          nonnegative_ball(n, 1.1),
          product({ball(Vector::Zero(2), 1.0), simplex(n - 2, 1.0)})};
}

struct Instance {
  Problem problem;
  Monitor monitor;
  Oracle oracle{problem, monitor};
  CutDomain cut_domain{oracle};
  Vector normal, anchor;
  double slack = 0.0;

  /// `depth` in (0, 1): how far between the lowest and the highest point of Z the hyperplane lies.
  Instance(const ConvexSetPtr& domain, double depth, std::mt19937_64& random)
      : problem(linear(Vector::Zero(domain->dimension())), linear(Vector::Zero(domain->dimension())), domain),
        normal(test::random_vector(domain->dimension(), random)),
        anchor(test::random_vector(domain->dimension(), random)) {
    Scratch scratch;
    const double lowest = domain->linear_lower_bound(normal, scratch);
    const Vector opposite = -normal;
    const double highest = -domain->linear_lower_bound(opposite, scratch);
    slack = lowest + depth * (highest - lowest) - normal.dot(anchor);
  }
  HalfspaceCut cut() const { return {normal, anchor, slack}; }
  Vector projected(Vector x) const {
    Scratch scratch;
    problem.domain().project(x, scratch);
    return x;
  }
  Vector project(Vector x, bool* meets = nullptr) {
    const bool found = cut_domain.project(cut(), x);
    if (meets != nullptr) *meets = found;
    return x;
  }
  /// The multiplier by plain bisection.
  Vector twin(const Vector& v) const {
    if (cut().excess(projected(v)) <= 0.0) return projected(v);
    double low = 0.0, high = 1.0;
    while (cut().excess(projected(v - high * normal)) > 0.0) high *= 2.0;
    for (int i = 0; i < 200; ++i) {
      const double mu = 0.5 * (low + high);
      (cut().excess(projected(v - mu * normal)) > 0.0 ? low : high) = mu;
    }
    return projected(v - high * normal);
  }
};

RC_GTEST_PROP(CutDomain, ProjectsLikeTheNaiveTwin, (std::uint64_t seed, unsigned short where)) {
  std::mt19937_64 random(seed);
  const double depth = 0.02 + 0.96 * where / 65536.0;
  for (const ConvexSetPtr& domain : domains(7, random)) {
    Instance instance(domain, depth, random);
    const Vector v = 3.0 * test::random_vector(7, random);
    bool meets = false;
    const Vector x = instance.project(v, &meets);
    RC_ASSERT(meets);
    RC_ASSERT(domain->violation(x) <= 1e-12);
    RC_ASSERT(instance.cut().excess(x) <= 1e-12);
    RC_ASSERT((x - instance.twin(v)).norm() <= 1e-9);
  }
}

// <v - x, z - x> <= 0 for every z of the cut set: the defining inequality of the nearest point.
RC_GTEST_PROP(CutDomain, ProjectionSatisfiesTheVariationalInequality, (std::uint64_t seed)) {
  std::mt19937_64 random(seed);
  for (const ConvexSetPtr& domain : domains(6, random)) {
    Instance instance(domain, 0.3, random);
    const Vector v = 2.0 * test::random_vector(6, random);
    const Vector x = instance.project(v);
    Vector deepest(6);
    domain->minimize_linear(instance.normal, deepest);
    for (int i = 0; i < 50; ++i) {
      Vector z = instance.projected(2.0 * test::random_vector(6, random));
      const double out = instance.cut().excess(z), in = instance.cut().excess(deepest);
      if (out > 0.0) z = deepest + (-in / (out - in)) * (z - deepest);
      RC_ASSERT((v - x).dot(z - x) <= 1e-10 * (1.0 + (v - x).norm()));
    }
  }
}

TEST(CutDomain, UsesTheWholeSpaceInClosedForm) {
  std::mt19937_64 random(3);
  Instance instance(whole_space(Vector::Zero(5), 4.0), 0.4, random);
  const Vector v = 20.0 * instance.normal;
  const Vector x = instance.project(v);
  EXPECT_NEAR(instance.cut().excess(x), 0.0, 1e-12);
  EXPECT_NEAR((v - x).norm() * instance.normal.norm(), (v - x).dot(instance.normal), 1e-9);  // straight along w
}

TEST(CutDomain, SaysWhenTheCutMissesTheSetAndStaysInIt) {
  std::mt19937_64 random(5);
  for (const ConvexSetPtr& domain : domains(6, random)) {
    Instance instance(domain, -0.25, random);  // beyond the lowest point
    bool meets = true;
    const Vector x = instance.project(test::random_vector(6, random), &meets);
    EXPECT_FALSE(meets) << domain->name();
    EXPECT_LE(domain->violation(x), 1e-12);
    Vector s(6);
    EXPECT_FALSE(instance.cut_domain.minimize_linear(test::random_vector(6, random), instance.cut(), s));
    EXPECT_LE(domain->violation(s), 1e-12);
  }
}

TEST(CutDomain, ACutWithoutNormalCutsNothing) {
  std::mt19937_64 random(6);
  Instance instance(l1_ball(Vector::Zero(4), 1.0), 0.5, random);
  instance.normal.setZero();
  instance.slack = 0.0;
  const Vector v = 4.0 * test::random_vector(4, random);
  bool meets = false;
  EXPECT_EQ(instance.project(v, &meets), instance.projected(v));
  EXPECT_TRUE(meets);
}

TEST(CutDomain, NeedsFewProjections) {
  std::mt19937_64 random(7);
  Instance instance(l1_ball(Vector::Zero(200), 3.0), 0.4, random);
  for (int i = 0; i < 50; ++i) instance.project(test::random_vector(200, random));
  EXPECT_LE(instance.monitor.work().projections, 50 * 10);
}

// Weak duality: no point of the cut set lies below max over mu >= 0 of  min over Z <c + mu w, .> - mu rhs.
double dual_optimum(const Instance& instance, const Vector& c) {
  const auto dual = [&](double mu) {
    Scratch scratch;
    const Vector direction = c + mu * instance.normal;
    return instance.problem.domain().linear_lower_bound(direction, scratch) -
           mu * (instance.slack + instance.normal.dot(instance.anchor));
  };
  double low = 0.0, high = 1e4;
  for (int i = 0; i < 300; ++i) {
    const double left = low + (high - low) / 3.0, right = high - (high - low) / 3.0;
    (dual(left) < dual(right) ? low : high) = dual(left) < dual(right) ? left : right;
  }
  return std::max(dual(0.0), dual(0.5 * (low + high)));
}

RC_GTEST_PROP(CutDomain, LinearMinimumMeetsItsDual, (std::uint64_t seed, unsigned short where)) {
  std::mt19937_64 random(seed);
  const double depth = 0.02 + 0.96 * where / 65536.0;
  for (const ConvexSetPtr& domain : domains(7, random)) {
    Instance instance(domain, depth, random);
    const Vector c = test::random_vector(7, random);
    Vector s(7);
    RC_ASSERT(instance.cut_domain.minimize_linear(c, instance.cut(), s));
    RC_ASSERT(domain->violation(s) <= 1e-12);
    RC_ASSERT(instance.cut().excess(s) <= 1e-12);
    RC_ASSERT(std::abs(c.dot(s) - dual_optimum(instance, c)) <= 1e-8);
  }
}

std::vector<Vector> vertices(const ConvexSetPtr& domain) {
  const Index n = domain->dimension();
  const SetShape shape = domain->shape();
  std::vector<Vector> all;
  if (const auto* sides = std::get_if<BoxShape>(&shape)) {
    for (int bits = 0; bits < (1 << n); ++bits) {
      all.push_back(*sides->lower);
      for (Index i = 0; i < n; ++i)
        if ((bits >> i) & 1) all.back()[i] = (*sides->upper)[i];
    }
  } else if (const auto* l1 = std::get_if<L1BallShape>(&shape)) {
    for (Index i = 0; i < n; ++i)
      for (double sign : {-1.0, 1.0}) all.push_back(*l1->centre + sign * l1->radius * Vector::Unit(n, i));
  } else {
    for (Index i = 0; i < n; ++i) all.push_back(std::get<SimplexShape>(shape).total * Vector::Unit(n, i));
  }
  return all;
}

// A cut that touches the set in a face: the points of the face satisfy it to rounding only, and all of them count.
TEST(CutDomain, LinearMinimumOverAFaceLooksAtTheWholeFace) {
  std::mt19937_64 random(13);
  for (int repeat = 0; repeat < 50; ++repeat) {
    Instance instance(simplex(8, 1.0), 0.5, random);
    instance.normal.head(4).setConstant(instance.normal.minCoeff() - 0.01);
    instance.anchor.setZero();
    instance.anchor.head(4) << 0.1, 0.2, 0.3, 0.4;
    instance.slack = 0.0;
    const Vector c = test::random_vector(8, random);
    Vector s(8);
    ASSERT_TRUE(instance.cut_domain.minimize_linear(c, instance.cut(), s));
    EXPECT_NEAR(c.dot(s), c.head(4).minCoeff(), 1e-10);
    EXPECT_LE(instance.cut().excess(s), 1e-14);
  }
}

// A linear program with one more inequality has a solution on an edge between two vertices.
TEST(CutDomain, LinearMinimumIsTheBestMixtureOfTwoVertices) {
  std::mt19937_64 random(11);
  for (int repeat = 0; repeat < 40; ++repeat)
    for (const ConvexSetPtr& domain : {box(Vector::Constant(5, -1.0), Vector::Constant(5, 0.5)), simplex(5, 1.0),
                                       l1_ball(test::random_vector(5, random), 2.0)}) {
      Instance instance(domain, 0.1 + 0.02 * repeat, random);
      Vector c = test::random_vector(5, random);
      if (repeat % 5 == 0) c = instance.normal * (repeat % 2 == 0 ? 1.0 : -1.0);
      const std::vector<Vector> all = vertices(domain);
      double best = kInfinity;
      for (const Vector& p : all)
        for (const Vector& q : all) {
          const double in = instance.cut().excess(p), out = instance.cut().excess(q);
          if (in > 0.0) continue;
          const Vector mixture = out > 0.0 ? Vector(p + (-in / (out - in)) * (q - p)) : p;
          best = std::min(best, c.dot(mixture));
        }
      Vector s(5);
      ASSERT_TRUE(instance.cut_domain.minimize_linear(c, instance.cut(), s));
      EXPECT_NEAR(c.dot(s), best, 1e-12) << domain->name();
      EXPECT_LE(instance.cut().excess(s), 1e-13);
    }
}

}  // namespace
}  // namespace fcbio
