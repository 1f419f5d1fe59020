// What the interface promises, for every example set: the variational inequality of a projection,
// nonexpansiveness, linear bounds that are never high and that a vertex attains, enclosing balls, violations.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "sets/support.hpp"

namespace fcbio::test {
namespace {

constexpr double kTight = 1e-11;

/// Members: projections of points near and far, vertices, and mixtures of those.
std::vector<Vector> sample_members(const ConvexSet& set, Random& random, int count) {
  std::vector<Vector> members;
  Scratch scratch;
  for (int k = 0; k < count; ++k) {
    Vector z = random.vector(set.dimension(), k % 3 == 0 ? 0.3 : (k % 3 == 1 ? 2.0 : 20.0));
    set.project(z, scratch);
    members.push_back(z);
    Vector vertex(set.dimension());
    if (set.minimize_linear(random.vector(set.dimension()), vertex)) members.push_back(vertex);
    const Vector& other = members[static_cast<std::size_t>(k) / 2];
    members.push_back(0.3 * z + 0.7 * other);
  }
  return members;
}

class EverySet : public testing::TestWithParam<std::size_t> {
 protected:
  const ConvexSet& set() const { return *examples()[GetParam()].set; }
  Random random_{GetParam() + 100};
};

TEST_P(EverySet, ProjectionLandsInsideAndStays) {
  for (double scale : {0.1, 1.0, 10.0, 1e4}) {
    for (int k = 0; k < 10; ++k) {
      const Vector x = random_.vector(set().dimension(), scale);
      const Vector p = projected(set(), x);
      ASSERT_TRUE(p.allFinite());
      EXPECT_LE(set().violation(p), 1e-13 * (1.0 + p.norm()));
      EXPECT_LE((projected(set(), p) - p).norm(), 1e-13 * (1.0 + p.norm()));
    }
  }
}

TEST_P(EverySet, ProjectionSatisfiesTheVariationalInequality) {
  const std::vector<Vector> members = sample_members(set(), random_, 30);
  for (int k = 0; k < 20; ++k) {
    const Vector x = random_.vector(set().dimension(), k % 2 == 0 ? 1.0 : 15.0);
    const Vector p = projected(set(), x);
    for (const Vector& z : members) {
      EXPECT_LE((x - p).dot(z - p), kTight * (1.0 + x.norm()) * (1.0 + z.norm()));
    }
  }
}

TEST_P(EverySet, LinearBoundIsNeverHighAndAVertexAttainsIt) {
  const std::vector<Vector> members = sample_members(set(), random_, 30);
  for (int k = 0; k < 40; ++k) {
    Vector direction = random_.vector(set().dimension());
    if (k % 4 == 1) direction = direction.unaryExpr([](double d) { return std::round(d); });  // ties and zeros
    const double bound = lower_bound(set(), direction);
    ASSERT_FALSE(std::isnan(bound));
    ASSERT_LT(bound, kInfinity);
    for (const Vector& z : members) {
      EXPECT_LE(bound, direction.dot(z) + 1e-13 * direction.norm() * (1.0 + z.norm()));
    }
    Vector vertex(set().dimension());
    if (set().minimize_linear(direction, vertex)) {
      ASSERT_TRUE(vertex.allFinite());
      // Halfspaces and affine sets take off what their multipliers lose to rounding; for a cap of one point, whose
      // best multiplier is infinite, that is about the square root of the unit.
      const double loss = set().name() == "halfspace" && set().diameter() == 0.0 ? 1e-6 : 1e-12;
      EXPECT_NEAR(bound, direction.dot(vertex), loss * direction.norm() * (1.0 + vertex.norm()));
      EXPECT_LE(set().violation(vertex), 1e-13 * (1.0 + vertex.norm()));
    }
  }
}

TEST_P(EverySet, ZeroDirectionHasBoundZero) {
  const Vector zero = Vector::Zero(set().dimension());
  EXPECT_EQ(lower_bound(set(), zero), 0.0);
  Vector vertex(set().dimension());
  if (set().minimize_linear(zero, vertex)) {
    EXPECT_LE(set().violation(vertex), 1e-13 * (1.0 + vertex.norm()));
  }
}

TEST_P(EverySet, EnclosingBallAndDiameterHoldTheMembers) {
  const std::vector<Vector> members = sample_members(set(), random_, 40);
  Vector centre(set().dimension());
  const auto radius = set().enclosing_ball(centre);
  const auto diameter = set().diameter();
  EXPECT_EQ(radius.has_value(), diameter.has_value());
  if (!radius) return;
  for (const Vector& z : members) {
    EXPECT_LE((z - centre).norm(), *radius + 1e-13 * (1.0 + z.norm()));
    for (const Vector& other : members) {
      EXPECT_LE((z - other).norm(), *diameter + 1e-13 * (1.0 + z.norm()));
    }
  }
}

TEST_P(EverySet, ViolationIsPositiveOutside) {
  for (int k = 0; k < 20; ++k) {
    const Vector x = random_.vector(set().dimension(), 5.0);
    const double distance = (x - projected(set(), x)).norm();
    const double violation = set().violation(x);
    if (distance > 1e-10) {
      // The weakest measure is the largest excess of one of at most 20 constraints (or of a ball and a plane).
      EXPECT_GT(violation, 1e-3 * distance);
      EXPECT_FALSE(set().contains(x, 1e-4 * distance));
    } else {
      EXPECT_LE(violation, 1e-12);
    }
  }
}

std::string label_of(const testing::TestParamInfo<std::size_t>& info) {
  std::string label = examples()[info.param].label;
  for (char& letter : label) {
    if (!std::isalnum(static_cast<unsigned char>(letter))) letter = '_';
  }
  return label;
}

INSTANTIATE_TEST_SUITE_P(Sets, EverySet, testing::Range<std::size_t>(0, examples().size()), label_of);

/// Numbers with many ties, zeros and a few large ones.
rc::Gen<Vector> arbitrary_vector(Index n) {
  const auto entry =
      rc::gen::map(rc::gen::pair(rc::gen::inRange(-400, 401),
                                 rc::gen::weightedElement<double>({{8, 0.01}, {2, 0.1}, {1, 10.0}})),
                   [](const std::pair<int, double>& pair) { return pair.first * pair.second; });
  return rc::gen::map(
      rc::gen::container<std::vector<double>>(static_cast<std::size_t>(n), entry),
      [](const std::vector<double>& numbers) {
        return Vector(Eigen::Map<const Vector>(numbers.data(), static_cast<Index>(numbers.size())));
      });
}

RC_GTEST_PROP(AnySet, ProjectionIsNonexpansive, ()) {
  const auto which = *rc::gen::inRange<std::size_t>(0, examples().size());
  const ConvexSet& set = *examples()[which].set;
  const Vector x = *arbitrary_vector(set.dimension());
  const Vector y = *arbitrary_vector(set.dimension());
  const double before = (x - y).norm();
  const double after = (projected(set, x) - projected(set, y)).norm();
  // Firmly: |Px - Py|^2 <= <x - y, Px - Py>, of which nonexpansiveness is a consequence.
  const double inner = (x - y).dot(projected(set, x) - projected(set, y));
  RC_ASSERT(after <= before + 1e-11 * (1.0 + x.norm() + y.norm()));
  RC_ASSERT(after * after <= inner + 1e-11 * (1.0 + x.norm() + y.norm()) * (1.0 + before));
}

RC_GTEST_PROP(AnySet, ProjectionIsNearerThanAnyVertex, ()) {
  const auto which = *rc::gen::inRange<std::size_t>(0, examples().size());
  const ConvexSet& set = *examples()[which].set;
  const Vector x = *arbitrary_vector(set.dimension());
  const Vector direction = *arbitrary_vector(set.dimension());
  Vector vertex(set.dimension());
  // Over the whole space with a radius the vertex is that of the ball; the example has no radius.
  if (!set.minimize_linear(direction, vertex)) return;
  const Vector p = projected(set, x);
  RC_ASSERT((x - p).norm() <= (x - vertex).norm() + 1e-12 * (1.0 + x.norm()));
  RC_ASSERT(lower_bound(set, direction) <= direction.dot(p) + 1e-13 * (1.0 + direction.norm()) * (1.0 + p.norm()));
}

RC_GTEST_PROP(AnySet, LinearBoundIsConcaveAndHomogeneous, ()) {
  const auto which = *rc::gen::inRange<std::size_t>(0, examples().size());
  const ConvexSet& set = *examples()[which].set;
  const Vector c = *arbitrary_vector(set.dimension());
  const Vector d = *arbitrary_vector(set.dimension());
  Vector centre = Vector::Zero(set.dimension());
  const double size = 1.0 + set.enclosing_ball(centre).value_or(10.0) + centre.norm();
  const double tolerance = 1e-10 * size * (1.0 + c.norm() + d.norm());
  const double of_c = lower_bound(set, c);
  const double of_d = lower_bound(set, d);
  if (std::isfinite(of_c) && std::isfinite(of_d)) {
    RC_ASSERT(lower_bound(set, c + d) >= of_c + of_d - tolerance);
    RC_ASSERT(std::abs(lower_bound(set, 4.0 * c) - 4.0 * of_c) <= tolerance);
  }
}

}  // namespace
}  // namespace fcbio::test
