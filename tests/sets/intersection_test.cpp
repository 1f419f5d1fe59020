// Intersections against truths that can be enumerated or bisected: polygons (all vertices), ball and box, thin
// wedges.  Above all: a linear lower bound is never high.
#include <gtest/gtest.h>

#include <algorithm>

#include "sets/support.hpp"

namespace fcbio::test {
namespace {

struct HalfPlane {
  Vector normal;
  double value;
};

/// The vertices of a bounded polygon {n_i'x <= v_i}: all crossings of two lines that satisfy the rest.
std::vector<Vector> vertices_of(const std::vector<HalfPlane>& planes) {
  std::vector<Vector> vertices;
  for (std::size_t i = 0; i < planes.size(); ++i) {
    for (std::size_t j = i + 1; j < planes.size(); ++j) {
      const auto& [a, u] = planes[i];
      const auto& [b, v] = planes[j];
      const double determinant = a[0] * b[1] - a[1] * b[0];
      if (std::abs(determinant) < 1e-12) continue;
      const Vector x = vec({(u * b[1] - v * a[1]) / determinant, (a[0] * v - b[0] * u) / determinant});
      bool inside = true;
      for (const HalfPlane& plane : planes) inside = inside && plane.normal.dot(x) <= plane.value + 1e-9;
      if (inside) vertices.push_back(x);
    }
  }
  return vertices;
}

double smallest(const std::vector<Vector>& vertices, const Vector& direction) {
  double best = kInfinity;
  for (const Vector& vertex : vertices) best = std::min(best, direction.dot(vertex));
  return best;
}

/// The nearest point of the polygon: inside, or the nearest of the nearest points of all chords between vertices.
Vector nearest(const std::vector<HalfPlane>& planes, const std::vector<Vector>& vertices, const Vector& x) {
  bool inside = true;
  for (const HalfPlane& plane : planes) inside = inside && plane.normal.dot(x) <= plane.value;
  if (inside) return x;
  Vector best = vertices.front();
  for (const Vector& p : vertices) {
    for (const Vector& q : vertices) {
      const double length = (q - p).squaredNorm();
      const double t = length > 0.0 ? std::clamp((x - p).dot(q - p) / length, 0.0, 1.0) : 0.0;
      const Vector candidate = p + t * (q - p);
      if ((x - candidate).norm() < (x - best).norm()) best = candidate;
    }
  }
  return best;
}

std::vector<HalfPlane> sides_of_box(double low, double high) {
  return {{vec({1.0, 0.0}), high}, {vec({-1.0, 0.0}), -low}, {vec({0.0, 1.0}), high}, {vec({0.0, -1.0}), -low}};
}

/// Halfspaces of radius 10 (their balls are never active) with the box [low, high]^2.
ConvexSetPtr polygon(const std::vector<HalfPlane>& planes, double low, double high) {
  std::vector<ConvexSetPtr> members;
  for (const HalfPlane& plane : planes) members.push_back(halfspace(plane.normal, plane.value, 10.0));
  members.push_back(box(vec({low, low}), vec({high, high})));
  return intersection(members);
}

void expect_polygon(const std::vector<HalfPlane>& cuts, double low, double high, std::uint64_t seed) {
  const ConvexSetPtr set = polygon(cuts, low, high);
  std::vector<HalfPlane> planes = cuts;
  for (const HalfPlane& side : sides_of_box(low, high)) planes.push_back(side);
  const std::vector<Vector> vertices = vertices_of(planes);
  ASSERT_FALSE(vertices.empty());
  Random random(seed);
  std::vector<Vector> directions;
  for (int k = 0; k < 100; ++k) directions.push_back(random.vector(2));
  for (const HalfPlane& plane : planes) {  // ties: a whole edge is optimal
    directions.push_back(-plane.normal);
    directions.push_back(1e6 * plane.normal);
  }
  for (const Vector& direction : directions) {
    const double truth = smallest(vertices, direction);
    const double bound = lower_bound(*set, direction);
    EXPECT_LE(bound, truth + 1e-15 * direction.norm()) << direction.transpose();
    EXPECT_GE(bound, truth - 1e-9 * direction.norm()) << direction.transpose();
  }
  for (int k = 0; k < 100; ++k) {
    const Vector x = random.vector(2, k % 2 == 0 ? 1.0 : 8.0);
    const Vector p = projected(*set, x);
    EXPECT_LE((p - nearest(planes, vertices, x)).norm(), 1e-11) << x.transpose();
    EXPECT_LE(set->violation(p), 1e-14);
  }
}

TEST(Polygon, ThePlanningProblem) {
  expect_polygon({{vec({1.0, 1.0}), 1.0}, {vec({4.0, 6.0}), 5.0}}, 0.0, 10.0, 1);
}

TEST(Polygon, BoundsAreNotHighEvenByTheLastBit) {
  const ConvexSetPtr set = polygon({{vec({1.0, 1.0}), 1.0}, {vec({4.0, 6.0}), 5.0}}, 0.0, 10.0);
  Random random(21);
  for (int k = 0; k < 1000; ++k) {
    const Vector direction = random.vector(2);
    const long double first = direction[0];
    const long double second = direction[1];
    const long double truth = std::min({0.0L, first, second * 5.0L / 6.0L, 0.5L * first + 0.5L * second});
    EXPECT_LE(static_cast<long double>(lower_bound(*set, direction)), truth) << direction.transpose();
  }
}

TEST(BallAndBox, BoundsAreNotHighEvenByTheLastBit) {
  // The ball holds the box, so the minimum is a sum of 300 products: rounded up about every second time.
  const Index n = 300;
  Random random(22);
  const Vector lower = -random.vector(n).cwiseAbs();
  const Vector upper = random.vector(n).cwiseAbs();
  const ConvexSetPtr set = intersection({ball(Vector::Zero(n), 30.0), box(lower, upper)});
  for (int k = 0; k < 100; ++k) {
    const Vector direction = random.vector(n);
    long double truth = 0.0L;
    for (Index i = 0; i < n; ++i) {
      truth += static_cast<long double>(direction[i]) * (direction[i] > 0.0 ? lower[i] : upper[i]);
    }
    const double bound = lower_bound(*set, direction);
    EXPECT_LE(static_cast<long double>(bound), truth);
    EXPECT_NEAR(bound, static_cast<double>(truth), 1e-10);
  }
}

TEST(Polygon, DirectionsNearlyNormalToAnEdge) {
  // The minimiser is a vertex, but all of the edge is nearly as good: the proximal steps travel along the edge.
  const ConvexSetPtr set = polygon({{vec({1.0, 1.0}), 1.0}}, 0.0, 10.0);
  for (double tilt : {1e-2, 1e-4, 1e-6, -1e-6}) {
    const double truth = std::min(-1.0 - tilt, -1.0);
    const double bound = lower_bound(*set, vec({-1.0 - tilt, -1.0}));
    EXPECT_LE(bound, truth) << tilt;
    EXPECT_GE(bound, truth - 1e-10) << tilt;
  }
}

TEST(Polygon, RandomCuts) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    Random random(seed + 50);
    std::vector<HalfPlane> cuts;
    for (std::uint64_t k = 0; k < 1 + seed % 5; ++k) cuts.push_back({random.vector(2), random.uniform(0.1, 1.0)});
    expect_polygon(cuts, -2.0, 2.0, seed);
  }
}

TEST(Polygon, ASegmentAndAPoint) {
  // x1 + x2 <= 1 and x1 + x2 >= 1 leave a segment; with x1 - x2 <= -1 a single point, (0, 1).
  const std::vector<HalfPlane> segment = {{vec({1.0, 1.0}), 1.0}, {vec({-1.0, -1.0}), -1.0}};
  expect_polygon(segment, 0.0, 3.0, 2);
  std::vector<HalfPlane> point = segment;
  point.push_back({vec({1.0, -1.0}), -1.0});
  expect_polygon(point, 0.0, 3.0, 3);
}

TEST(Polygon, ThinWedges) {
  // {y <= 0, y >= x tan(angle)}: the rim of both balls, where plain Dykstra stalls for thousands of cycles, and
  // the tip, where the shares of the direction are 1 / angle times as long as the direction.
  for (double angle : {0.3, 0.03, 0.003}) {
    const Vector tilted = vec({std::sin(angle), -std::cos(angle)});
    const ConvexSetPtr set = intersection({halfspace(vec({0.0, 1.0}), 0.0, 10.0), halfspace(tilted, 0.0, 10.0)});
    Random random(4);
    for (int k = 0; k < 40; ++k) {
      const Vector direction = random.vector(2);
      // Over the sector between the angles pi and pi + angle.
      double truth = std::min({0.0, 10.0 * direction.dot(vec({-1.0, 0.0})),
                               10.0 * direction.dot(vec({-std::cos(angle), -std::sin(angle)}))});
      const Vector deep = -direction / direction.norm();
      if (deep[1] <= 0.0 && tilted.dot(deep) <= 0.0) truth = -10.0 * direction.norm();
      const double bound = lower_bound(*set, direction);
      EXPECT_LE(bound, truth + 1e-14 * direction.norm()) << angle << ": " << direction.transpose();
      EXPECT_GE(bound, truth - 1e-6 * direction.norm()) << angle << ": " << direction.transpose();
    }
    // From the right of the tip the nearest point is the tip.
    EXPECT_LE(projected(*set, vec({1.0, 0.3 * angle})).norm(), 1e-13 / (angle * angle));
  }
}

/// min over {|z - centre| <= radius, lower <= z <= upper}: the multiplier of the ball by bisection; a lower and an
/// upper bound of the truth.
std::pair<double, double> ball_box_minimum(const Vector& d, const Vector& centre, double radius,
                                           const Vector& lower, const Vector& upper) {
  const auto at = [&](double m) { return Vector((centre - d / m).cwiseMax(lower).cwiseMin(upper)); };
  double low = 1e-9;
  double high = 1e9;
  if ((at(low) - centre).norm() > radius) {
    for (int k = 0; k < 400; ++k) {
      const double middle = std::sqrt(low * high);
      ((at(middle) - centre).norm() > radius ? low : high) = middle;
    }
  } else {
    high = low;
  }
  const Vector z = at(high);
  const double dual = d.dot(z) + 0.5 * high * ((z - centre).squaredNorm() - radius * radius);
  return {dual, d.dot(z)};
}

TEST(BallAndBox, LinearBoundsAndProjections) {
  for (Index n : {1, 2, 5, 30, 200}) {
    for (double fraction : {0.3, 0.8, 1.3, 3.0}) {
      Random random(static_cast<std::uint64_t>(n) + 7);
      const Vector lower = Vector::Constant(n, -0.1);
      const Vector upper = Vector::Ones(n);
      const Vector centre = random.vector(n, 0.05);
      const double radius = fraction * std::sqrt(static_cast<double>(n) / 3.0);
      const ConvexSetPtr set = intersection({ball(centre, radius), box(lower, upper)});
      for (int k = 0; k < 10; ++k) {
        const Vector direction = random.vector(n);
        const auto [below, above] = ball_box_minimum(direction, centre, radius, lower, upper);
        const double scale = direction.norm() * radius;
        const double bound = lower_bound(*set, direction);
        EXPECT_LE(bound, above + 1e-14 * scale) << "n " << n << ", fraction " << fraction;
        EXPECT_GE(bound, below - 1e-9 * scale) << "n " << n << ", fraction " << fraction;
        const Vector x = random.vector(n, 2.0);
        const auto clamp = [&](const Vector& y) { return Vector(y.cwiseMax(lower).cwiseMin(upper)); };
        EXPECT_LE((projected(*set, x) - project_with_ball(clamp, centre, radius, x)).norm(), 1e-11);
      }
    }
  }
}

TEST(Intersection, BallsThatBarelyOverlap) {
  // The lens is 1e-7 wide and 6e-4 high: slow for Dykstra, so the bound may be loose; it must not be high.
  const double distance = 2.0 - 1e-7;
  const ConvexSetPtr set = intersection({ball(vec({0.0, 0.0}), 1.0), ball(vec({distance, 0.0}), 1.0)});
  const double height = std::sqrt(1.0 - 0.25 * distance * distance);
  const Vector top = vec({0.5 * distance, height});
  const Vector bottom = vec({0.5 * distance, -height});
  Random random(9);
  for (int k = 0; k < 30; ++k) {
    const Vector direction = random.vector(2);
    const double reached = std::min(direction.dot(top), direction.dot(bottom));
    EXPECT_LE(lower_bound(*set, direction), reached + 1e-15);
    EXPECT_GE(lower_bound(*set, direction), reached - 0.1 * direction.norm());
  }
}

TEST(Intersection, UnboundedMembersThatAreTogetherUnbounded) {
  const ConvexSetPtr set = intersection({box(vec({0.0, -kInfinity}), vec({kInfinity, kInfinity})),
                                         box(vec({-kInfinity, 1.0}), vec({kInfinity, kInfinity}))});
  EXPECT_EQ(lower_bound(*set, vec({-1.0, 0.0})), -kInfinity);
  EXPECT_LE(lower_bound(*set, vec({1.0, 2.0})), 2.0);
  EXPECT_NEAR(lower_bound(*set, vec({0.0, 1.0})), 1.0, 1e-13);  // one member alone shows it
  Vector centre(2);
  EXPECT_FALSE(set->enclosing_ball(centre).has_value());
  EXPECT_FALSE(set->diameter().has_value());
  EXPECT_EQ(projected(*set, vec({-3.0, -3.0})), vec({0.0, 1.0}));
}

TEST(Intersection, AnUnboundedMemberCostsNothing) {
  // The orthant and a halfspace of radius 5: the simplex below 2 x1 + x2 + x3 <= 2.
  const ConvexSetPtr set = intersection(
      {box(Vector::Zero(3), Vector::Constant(3, kInfinity)), halfspace(vec({2.0, 1.0, 1.0}), 2.0, 5.0)});
  const std::vector<Vector> vertices = {Vector::Zero(3), vec({1.0, 0.0, 0.0}), vec({0.0, 2.0, 0.0}),
                                        vec({0.0, 0.0, 2.0})};
  Random random(10);
  for (int k = 0; k < 50; ++k) {
    const Vector direction = random.vector(3);
    const double truth = smallest(vertices, direction);
    EXPECT_LE(lower_bound(*set, direction), truth + 1e-15);
    EXPECT_GE(lower_bound(*set, direction), truth - 1e-10 * direction.norm());
  }
  Vector vertex(3);
  EXPECT_FALSE(set->minimize_linear(vec({1.0, 1.0, 1.0}), vertex));
}

TEST(Intersection, SmallestBallAndDiameterOfTheMembers) {
  const ConvexSetPtr set =
      intersection({ball(vec({0.0, 0.0}), 4.0), simplex(2), box(vec({-9.0, -9.0}), vec({9.0, 9.0}))});
  Vector centre(2);
  EXPECT_NEAR(*set->enclosing_ball(centre), std::sqrt(0.5), 1e-15);
  EXPECT_EQ(centre, vec({0.5, 0.5}));
  EXPECT_NEAR(*set->diameter(), std::sqrt(2.0), 1e-15);
}

TEST(Intersection, ViolationIsThatOfTheWorstMember) {
  const ConvexSetPtr set = intersection({ball(vec({0.0, 0.0}), 1.0), box(vec({0.0, 0.0}), vec({1.0, 1.0}))});
  EXPECT_EQ(set->violation(vec({0.5, 0.5})), 0.0);
  EXPECT_NEAR(set->violation(vec({0.0, -3.0})), 3.0, 1e-15);
  EXPECT_NEAR(set->violation(vec({1.0, 1.0})), std::sqrt(2.0) - 1.0, 1e-15);
}

TEST(Intersection, NestedIsTheSameAsFlat) {
  const ConvexSetPtr a = ball(Vector::Zero(3), 1.0);
  const ConvexSetPtr b = box(Vector::Zero(3), Vector::Ones(3));
  const ConvexSetPtr c = halfspace(vec({1.0, 1.0, 1.0}), 1.0, 2.0);
  const ConvexSetPtr flat = intersection({a, b, c});
  const ConvexSetPtr nested = intersection({intersection({a, b}), c});
  Random random(12);
  for (int k = 0; k < 10; ++k) {
    const Vector x = random.vector(3, 2.0);
    EXPECT_EQ(projected(*flat, x), projected(*nested, x));
    EXPECT_EQ(lower_bound(*flat, x), lower_bound(*nested, x));
  }
}

TEST(Intersection, MembersStayAsTheyAre) {
  const ConvexSetPtr set = intersection({ball(vec({0.0, 0.0}), 1.0), box(vec({0.0, 0.0}), vec({1.0, 1.0}))});
  EXPECT_EQ(projected(*set, vec({0.3, 0.4})), vec({0.3, 0.4}));
}

TEST(Intersection, SinglePoints) {
  const ConvexSetPtr set = intersection({ball(vec({1.0, 2.0}), 0.0), box(vec({0.0, 0.0}), vec({3.0, 3.0}))});
  EXPECT_EQ(projected(*set, vec({9.0, -9.0})), vec({1.0, 2.0}));
  EXPECT_NEAR(lower_bound(*set, vec({3.0, -1.0})), 1.0, 1e-13);
  EXPECT_LE(lower_bound(*set, vec({3.0, -1.0})), 1.0);
  const ConvexSetPtr line = intersection({ball(vec({0.0}), 1.0), box(vec({1.0}), vec({5.0}))});
  EXPECT_NEAR(projected(*line, vec({-7.0}))[0], 1.0, 1e-14);
  EXPECT_NEAR(lower_bound(*line, vec({2.0})), 2.0, 1e-9);
  EXPECT_LE(lower_bound(*line, vec({2.0})), 2.0);
}

TEST(Intersection, WithTheWholeSpaceVouchedFor) {
  // The orthant alone is unbounded; the radius vouched for makes bounds possible.
  const ConvexSetPtr set =
      intersection({box(vec({0.0, 0.0}), vec({kInfinity, kInfinity})), whole_space(vec({0.0, 0.0}), 5.0)});
  EXPECT_EQ(projected(*set, vec({100.0, -1.0})), vec({100.0, 0.0}));
  const double bound = lower_bound(*set, vec({-3.0, 4.0}));
  EXPECT_LE(bound, -15.0);
  EXPECT_GE(bound, -25.0);
}

TEST(Intersection, SameBitsEveryTimeAndWithAnyScratch) {
  const auto found = std::find_if(examples().begin(), examples().end(), [](const Example& example) {
    return std::string_view(example.label) == "simplex, halfspace and box";
  });
  ASSERT_NE(found, examples().end());
  const ConvexSetPtr set = found->set;
  ASSERT_EQ(set->name(), "intersection");
  Random random(13);
  Scratch used;
  for (int k = 0; k < 20; ++k) {
    const Vector x = random.vector(set->dimension(), 3.0);
    Vector again = x;
    set->project(again, used);  // a scratch full of what other calls left
    EXPECT_EQ(again, projected(*set, x));
    EXPECT_EQ(set->linear_lower_bound(x, used), lower_bound(*set, x));
  }
}

TEST(Intersection, RefusesToBoundDirectionsThatAreNotFinite) {
  const ConvexSetPtr set = intersection({ball(vec({0.0, 0.0}), 1.0), box(vec({0.0, 0.0}), vec({1.0, 1.0}))});
  EXPECT_EQ(lower_bound(*set, vec({kInfinity, 0.0})), -kInfinity);
  EXPECT_EQ(lower_bound(*set, vec({std::nan(""), 0.0})), -kInfinity);
}

TEST(Intersection, AWatchEndsTheSearchAndTheBoundStaysTrue) {
  // A thin wedge: thousands of cycles.  min of x_0 over it is -1.
  const ConvexSetPtr wedge = intersection({halfspace(vec({-1.0, 100.0}), 1.0, 10.0),
                                           halfspace(vec({-1.0, -100.0}), 1.0, 10.0), ball(vec({0.0, 0.0}), 3.0)});
  Scratch unwatched;
  const double full = wedge->linear_lower_bound(vec({1.0, 0.3}), unwatched);
  double before = -kInfinity;
  for (const double operations : {0.0, 1e3, 1e4, 1e6, 1e9}) {
    OperationBudget budget(operations);
    Scratch scratch(budget);
    const double bound = wedge->linear_lower_bound(vec({1.0, 0.3}), scratch);
    EXPECT_LE(bound, full + 1e-9);
    EXPECT_TRUE(std::isfinite(bound));
    EXPECT_GE(bound, before - 1e-9);
    before = bound;
  }
  EXPECT_EQ(before, full);
}

TEST(Intersection, AWatchEndsAProjection) {
  struct Count final : Watch {
    std::int64_t projections = 0, allowed = 0;
    bool is_over(double, std::int64_t more) override { return (projections += more) > allowed; }
  };
  const ConvexSetPtr wedge =
      intersection({halfspace(vec({-1.0, 100.0}), 1.0, 10.0), halfspace(vec({-1.0, -100.0}), 1.0, 10.0)});
  for (const std::int64_t allowed : {0, 1, 5, 20}) {
    Count count;
    count.allowed = allowed;
    Scratch scratch(count);
    Vector x = vec({-5.0, 0.3});
    wedge->project(x, scratch);
    EXPECT_LE(count.projections, allowed + 2);  // a cycle is finished
    EXPECT_TRUE(x.allFinite());
  }
}

TEST(Intersection, WhatIsNotFoundInShortTimeIsNotRefused) {
  // Two slabs that are apart by a hair, in so many coordinates that a few cycles use up the constructor's budget.
  const Index n = 2'000'000;
  Vector normal = Vector::Ones(n);
  const ConvexSetPtr first = halfspace(normal, -1.0, 1e4);
  normal[0] = 1.5;
  const ConvexSetPtr second = halfspace(-normal, 0.999, 1e4);
  EXPECT_NO_THROW(intersection({first, second, ball(Vector::Zero(n), 1e4)}));
}

}  // namespace
}  // namespace fcbio::test
