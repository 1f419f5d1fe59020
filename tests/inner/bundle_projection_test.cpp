// Projections on level sets of a bundle: optimality conditions on every kind of set, a naive twin, and proofs of
// emptiness.
#include "inner/bundle_projection.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/problems.hpp"

namespace fcbio {
namespace {

const std::vector<std::string> kSets{"ball", "box", "simplex", "l1-ball", "whole-space", "product", "halfspace"};

ConvexSetPtr set_named(const std::string& name, Index n, std::mt19937_64& random) {
  const Vector centre = 0.3 * test::random_vector(n, random);
  if (name == "ball") return ball(centre, 1.0);
  if (name == "box") return box(centre - Vector::Constant(n, 0.5), centre + Vector::Constant(n, 0.7));
  if (name == "simplex") return simplex(n, 1.5);
  if (name == "l1-ball") return l1_ball(centre, 1.2);
  if (name == "whole-space") return whole_space(centre, 2.0);
  if (name == "product") return product({simplex(n / 2, 1.0), ball(Vector::Zero(n - n / 2), 1.0)});
  return halfspace(Vector::Ones(n), 0.2, 1.0);
}

struct Setting {
  Problem problem;
  Monitor monitor;
  Oracle oracle;
  Bundle bundle;
  Vector centre, member;
  LevelProjection projection;
  LevelProjection::Levels levels{0.4, -0.2};
  Vector nu, x;

  Setting(const std::string& name, Index n, Index cuts, std::mt19937_64& random)
      : problem(squared_norm(Vector::Zero(n)), linear(Vector::Ones(n)), set_named(name, n, random)),
        oracle(problem, monitor),
        bundle(problem, cuts, LevelProjection::shift_of(problem)),
        centre(test::random_vector(n, random)),
        member(test::random_vector(n, random)),
        projection(oracle, cuts),
        nu(Vector::Zero(cuts)),
        x(Vector::Zero(n)) {
    oracle.project(centre);
    oracle.project(member);
    // Of the whole space only the ball about its start is used.
    const Vector shift = LevelProjection::shift_of(problem);
    if (name == "whole-space") member = shift + 1.9 * (member - shift).normalized();
  }
  double level(Index i) const {
    return bundle.weight(Level::upper, i) * levels.upper + bundle.weight(Level::lower, i) * levels.lower;
  }
  // <a, x> + constant <= level of its kind.
  void add(Level kind, const Vector& slope, double constant) {
    Linearization at(problem.function(kind));
    at.gradient = slope;
    at.value = constant;
    bundle.add(kind, at, Vector::Zero(slope.size()));
  }
  /// Cuts of very different lengths that `member` satisfies, half of them with equality.
  void add_satisfied(Index count, std::mt19937_64& random) {
    std::uniform_real_distribution<double> uniform;
    for (Index i = 0; i < count; ++i) {
      const Level kind = i % 2 == 0 ? Level::upper : Level::lower;
      const Vector slope =
          std::pow(10.0, 2.0 * uniform(random) - 1.0) * test::random_vector(member.size(), random);
      const double slack = i % 4 < 2 ? 0.0 : uniform(random);
      add(kind, slope, (kind == Level::upper ? levels.upper : levels.lower) - slope.dot(member) - slack);
    }
  }
  bool run() { return projection.project(bundle, levels, centre, nu, x); }
  double excess(Index i) const { return bundle.slope(i).dot(x) + bundle.constant(i) - level(i); }
};

RC_GTEST_PROP(LevelProjection, MeetsTheOptimalityConditionsOnEverySet, ()) {
  std::mt19937_64 random(*rc::gen::arbitrary<std::uint32_t>());
  const std::string name = *rc::gen::elementOf(kSets);
  const Index n = *rc::gen::inRange<Index>(2, 12), cuts = *rc::gen::inRange<Index>(1, 10);
  Setting setting(name, n, cuts, random);
  setting.add_satisfied(cuts, random);
  if (*rc::gen::arbitrary<bool>()) setting.nu = test::random_vector(cuts, random).cwiseMax(0.0);  // any start
  RC_ASSERT(setting.run());
  RC_ASSERT(setting.problem.domain().violation(setting.x) <= 1e-9);
  Vector unprojected = setting.centre;
  for (Index i = 0; i < cuts; ++i) {
    const double norm = setting.bundle.slope(i).norm();
    RC_ASSERT(setting.nu[i] >= 0.0);
    RC_ASSERT(setting.excess(i) <= 1e-5 * norm);
    RC_ASSERT(setting.nu[i] * norm * std::abs(setting.excess(i)) <= 1e-4 * norm);
    unprojected -= setting.nu[i] * setting.bundle.slope(i);
  }
  if (name == "whole-space") {  // taken as the ball about the start
    const Vector shift = LevelProjection::shift_of(setting.problem);
    if ((unprojected - shift).norm() > 2.0) unprojected = shift + 2.0 * (unprojected - shift).normalized();
  } else {
    setting.oracle.project(unprojected);
  }
  RC_ASSERT((unprojected - setting.x).norm() <= 1e-4);
}

// What was in memory before must not matter: the same bits whether that was zeros or no numbers at all.
TEST(LevelProjection, ReadsNothingThatWasNotWritten) {
  const Index n = 8, cuts = 12;
  const auto with_memory_full_of = [&](double number) {
    {
      std::vector<std::vector<double>> dirt;
      for (const std::size_t size : {cuts, n, n * cuts, cuts * cuts, Index{2} * cuts, cuts + 1, cuts * (cuts + 1)})
        for (int copies = 0; copies < 40; ++copies) dirt.emplace_back(size, number);
    }
    std::mt19937_64 random(3);
    Setting setting("product", n, cuts, random);
    setting.add_satisfied(cuts, random);
    EXPECT_TRUE(setting.run());
    return setting.x;
  };
  const Vector clean = with_memory_full_of(0.0);
  EXPECT_TRUE(clean.allFinite());
  EXPECT_EQ(with_memory_full_of(kUnknown), clean);
  EXPECT_EQ(with_memory_full_of(1e300), clean);
}

// Projected gradient ascent on the dual function.
Vector naive_projection(Setting& setting) {
  const Index cuts = setting.bundle.size();
  Vector nu = Vector::Zero(cuts), x = setting.centre;
  const double length = 1.0 / setting.bundle.gram().topLeftCorner(cuts, cuts).trace();
  for (int k = 0; k < 40000; ++k) {
    x = setting.centre;
    for (Index i = 0; i < cuts; ++i) x -= nu[i] * setting.bundle.slope(i);
    setting.oracle.project(x);
    for (Index i = 0; i < cuts; ++i) {
      const double excess = setting.bundle.slope(i).dot(x) + setting.bundle.constant(i) - setting.level(i);
      nu[i] = std::max(0.0, nu[i] + length * excess);
    }
  }
  return x;
}

TEST(LevelProjection, AgreesWithTheNaiveTwin) {
  std::mt19937_64 random(17);
  for (const std::string& name : kSets) {
    if (name == "whole-space") continue;  // the twin projects on all of it
    for (int round = 0; round < 4; ++round) {
      Setting setting(name, 6, 4, random);
      setting.levels = {0.0, 0.0};
      for (Index i = 0; i < 4; ++i) {
        const Vector slope = test::random_vector(6, random).normalized();
        setting.add(i % 2 == 0 ? Level::upper : Level::lower, slope, -slope.dot(setting.member) - 0.01);
      }
      ASSERT_TRUE(setting.run()) << name;
      EXPECT_LE((setting.x - naive_projection(setting)).norm(), 1e-4) << name << ", round " << round;
    }
  }
}

RC_GTEST_PROP(LevelProjection, ProvesThatAnEmptyLevelSetIsEmpty, ()) {
  std::mt19937_64 random(*rc::gen::arbitrary<std::uint32_t>());
  const std::string name = *rc::gen::elementOf(kSets);
  const Index n = *rc::gen::inRange<Index>(2, 12), cuts = *rc::gen::inRange<Index>(2, 10);
  Setting setting(name, n, cuts, random);
  setting.add_satisfied(cuts - 2, random);
  // Two cuts that contradict each other, with some of the others needed or not.
  const Vector slope = test::random_vector(n, random);
  const double gap = std::pow(10.0, -*rc::gen::inRange(0, 5)) * slope.norm();
  setting.add(Level::upper, slope, setting.levels.upper - slope.dot(setting.member));
  setting.add(Level::lower, -slope, setting.levels.lower + slope.dot(setting.member) + gap);
  RC_ASSERT(!setting.run());
  Vector sum = Vector::Zero(n);
  double constant = 0.0;
  for (Index i = 0; i < cuts; ++i) {
    RC_ASSERT(setting.nu[i] >= 0.0);
    sum += setting.nu[i] * setting.bundle.slope(i);
    constant += setting.nu[i] * (setting.bundle.constant(i) - setting.level(i));
  }
  RC_ASSERT(constant + setting.oracle.linear_lower_bound(sum) > 0.0);
}

TEST(LevelProjection, EmptyBecauseOfTheSetAlone) {
  std::mt19937_64 random(4);
  for (const std::string& name : kSets) {
    Setting setting(name, 4, 1, random);
    Vector slope = test::random_vector(4, random);
    slope[0] += 1.0;
    const double least = setting.oracle.linear_lower_bound(slope);
    setting.add(Level::upper, slope, setting.levels.upper - least + 1e-3);  // wants <slope, x> <= least - 0.001
    EXPECT_FALSE(setting.run()) << name;
    EXPECT_GT(setting.nu[0], 0.0) << name;
  }
}

TEST(LevelProjection, CutsWithoutSlopeAreVoidOrDecisive) {
  std::mt19937_64 random(8);
  for (const std::string& name : kSets) {
    Setting setting(name, 4, 3, random);
    setting.add_satisfied(1, random);
    setting.add(Level::lower, Vector::Zero(4), setting.levels.lower - 0.1);
    EXPECT_TRUE(setting.run()) << name;
    EXPECT_EQ(setting.nu[1], 0.0) << name;
    setting.add(Level::upper, Vector::Zero(4), setting.levels.upper + 0.1);
    EXPECT_FALSE(setting.run()) << name;
    EXPECT_GT(setting.nu[2], 0.0) << name;
  }
}

TEST(LevelProjection, DuplicateCutsChangeNothing) {
  for (const std::string& name : kSets) {
    std::mt19937_64 random(9), same(9);
    Setting once(name, 5, 3, random), often(name, 5, 12, same);
    for (Index i = 0; i < 3; ++i) {
      const Vector slope = test::random_vector(5, random);
      const double constant = once.levels.upper - slope.dot(once.member);
      once.add(Level::upper, slope, constant);
      for (int copy = 0; copy < 4; ++copy) often.add(Level::upper, slope, constant);
    }
    ASSERT_TRUE(once.run()) << name;
    ASSERT_TRUE(often.run()) << name;
    EXPECT_LE((once.x - often.x).norm(), 1e-5) << name;
  }
}

TEST(LevelProjection, ACentreThatSatisfiesAllCutsStays) {
  std::mt19937_64 random(10);
  for (const std::string& name : kSets) {
    Setting setting(name, 5, 6, random);
    setting.centre = setting.member;
    setting.add_satisfied(6, random);
    ASSERT_TRUE(setting.run()) << name;
    EXPECT_LE((setting.x - setting.member).norm(), 1e-9) << name;
  }
}

}  // namespace
}  // namespace fcbio
