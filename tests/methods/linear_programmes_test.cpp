// Lexicographic linear programmes: answers on vertices and faces to the last digits, programmes without a solution and
// hostile ones.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "fcbio/error.hpp"
#include "fcbio/method.hpp"
#include "support/refusal.hpp"

namespace fcbio {
namespace {

using ::testing::HasSubstr;

constexpr double kOpen = kInfinity;

Vector many(Index n, double value) { return Vector::Constant(n, value); }

std::string told(const Problem& problem) {
  try {
    const Result result = solve(problem, {});
    return "no refusal, but " + result.message;
  } catch (const InvalidArgument& refusal) {
    return refusal.what();
  }
}

// Faces -----------------------------------------------------------------------------------------------------------

TEST(LinearProgrammes, TheAnswerIsAVertexToTheLastBit) {
  // Max x1 + x2 on x1 + x2 + x3 <= 1; of these the largest x1.
  const Problem problem(
      linear(Vector{{-1.0, 0.0, 0.0}}), linear(Vector{{-1.0, -1.0, 0.0}}),
      polyhedron(RowMajorMatrix{{1.0, 1.0, 1.0}}, many(1, -kOpen), many(1, 1.0), many(3, 0.0), many(3, 1.0)));
  const Result result = solve(problem, {.accuracy = {1e-6, 1e-6}});
  ASSERT_EQ(result.status, Status::certified) << result.message;
  EXPECT_EQ(result.x, (Vector{{1.0, 0.0, 0.0}}));
}

TEST(LinearProgrammes, ThirdsAreAsNearAsDoublesCanBe) {
  // 3 x1 <= 1 and 3 x2 <= 2 x1 meet in (1/3, 2/9).
  const Problem problem(linear(Vector{{0.0, -1.0}}), linear(Vector{{-1.0, 0.0}}),
                        polyhedron(RowMajorMatrix{{3.0, 0.0}, {-2.0, 3.0}}, many(2, -kOpen), Vector{{1.0, 0.0}},
                                   many(2, 0.0), many(2, 1.0)));
  const Result result = solve(problem, {.accuracy = {1e-6, 1e-6}});
  ASSERT_EQ(result.status, Status::certified) << result.message;
  EXPECT_EQ(result.x[0], 1.0 / 3.0);
  EXPECT_NEAR(result.x[1], 2.0 / 9.0, 1e-16);
}

TEST(LinearProgrammes, TheNearestPointOfAFaceIsExact) {
  // Max x1 + x2 + x3 on x1 + x2 <= 1, x3 + x4 <= 1.2; of these the nearest to (0.9, 0, 0, 0.7).
  const ConvexSetPtr domain =
      intersection({box(many(4, 0.0), many(4, 1.0)), halfspace(Vector{{1.0, 1.0, 0.0, 0.0}}, 1.0, 10.0),
                    halfspace(Vector{{0.0, 0.0, 1.0, 1.0}}, 1.2, 10.0)});
  const Problem problem(squared_norm(Vector{{0.9, 0.0, 0.0, 0.7}}), linear(Vector{{-1.0, -1.0, -1.0, 0.0}}),
                        domain);
  const Result result = solve(problem, {.accuracy = {1e-6, 1e-6}});
  ASSERT_EQ(result.status, Status::certified) << result.message;
  const Vector expected{{0.5 * (1.0 + 0.9), 0.5 * (1.0 - 0.9), 1.0, 1.2 - 1.0}};
  for (Index j = 0; j < 4; ++j) EXPECT_NEAR(result.x[j], expected[j], 2.0 * kEpsilon) << j;
}

TEST(LinearProgrammes, MoreRowsThanVariablesMeetInTheVertex) {
  // A pyramid with 12 sides through (1, 1, 1), one of them twice; f wants its top, and so does g.
  RowMajorMatrix rows(13, 3);
  for (Index i = 0; i < 13; ++i) {
    const double angle = 2.0 * 3.14159265358979 * static_cast<double>(i % 12) / 12.0;
    rows.row(i) << std::cos(angle), std::sin(angle), 1.0;
  }
  const Vector sides = rows * Vector::Ones(3);
  const Problem problem(linear(Vector{{0.1, 0.0, -1.0}}), linear(Vector{{0.0, 0.0, -1.0}}),
                        polyhedron(rows, many(13, -kOpen), sides, many(3, 0.0), many(3, 3.0)));
  const Result result = solve(problem, {.accuracy = {1e-6, 1e-6}});
  ASSERT_EQ(result.status, Status::certified) << result.message;
  for (Index j = 0; j < 3; ++j) EXPECT_NEAR(result.x[j], 1.0, 1e-12) << j;
}

// Multipliers that are too large leave f no digits beside mu g.
TEST(LinearProgrammes, SteepAndFlatProgrammesTakeFewSteps) {
  for (const double eps : {1e-6})
    for (unsigned seed = 1; seed <= 8; ++seed) {
      std::mt19937_64 random(seed);
      std::normal_distribution<double> normal;
      std::uniform_real_distribution<double> uniform;
      const Index n = 10 + static_cast<Index>(5 * seed), m = 20;
      const RowMajorMatrix a = RowMajorMatrix::NullaryExpr(m, n, [&] { return normal(random); });
      const Vector x = Vector::NullaryExpr(n, [&] { return uniform(random) < 0.3 ? 0.0 : uniform(random); });
      Vector high = a * x, g = Vector::Zero(n);
      for (Index i = 0; i < m; ++i) {
        if (i % 3 == 0)
          g -= uniform(random) * a.row(i).transpose();
        else
          high[i] += uniform(random);
      }
      for (Index j = 0; j < n; ++j)
        if (x[j] == 0.0) g[j] += uniform(random);
      const Vector f = Vector::NullaryExpr(n, [&] { return normal(random); });
      const Problem problem(linear(f), linear(g),
                            polyhedron(a, many(m, -kOpen), high, many(n, 0.0), many(n, 1.0)));
      const Result result = solve(problem, {.accuracy = {eps, eps}});
      ASSERT_EQ(result.status, Status::certified) << seed << ", " << eps << ": " << result.message;
      EXPECT_LE(result.work.iterations, 150) << seed << ", " << eps;
      EXPECT_NEAR(result.lower_value, g.dot(x), eps) << seed << ", " << eps;
    }
}

/// Integer rows of which many meet in a planted point of halves, some twice, with costs that have ties.  `opposite`: two
/// rows against each other leave no room; `crowded`: so many meet that there is no other point.
Problem degenerate_programme(unsigned seed, Index n, Index m, bool opposite, bool crowded) {
  std::mt19937_64 random(seed);
  const auto draw = [&](int from, int to) {
    return static_cast<double>(std::uniform_int_distribution<int>(from, to)(random));
  };
  const auto happens = [&](double share) { return std::bernoulli_distribution(share)(random); };
  RowMajorMatrix a = RowMajorMatrix::NullaryExpr(m, n, [&] { return draw(-3, 3); });
  const Vector x = Vector::NullaryExpr(n, [&] { return draw(0, 2) / 2.0; });
  for (Index i = 1; i < m; ++i)
    if (happens(0.2)) a.row(i) = a.row(static_cast<Index>(draw(0, static_cast<int>(i) - 1)));
  const Vector way = Vector::NullaryExpr(n, [&] { return draw(-9, 9) + 0.5; });
  for (Index i = 0; i < m; ++i)  // all allow one direction, which sides may forbid
    if (!crowded && a.row(i).dot(way) > 0.0) a.row(i) = -a.row(i);
  Vector high = a * x, g = Vector::Zero(n);
  for (Index i = 0; i < m; ++i) {
    const bool tight = happens(0.6);
    if (tight && happens(0.3)) g -= draw(0, 3) * a.row(i).transpose();
    if (!tight) high[i] += 0.25 * draw(1, 4);
  }
  if (opposite) {
    a.row(1) = -a.row(0);
    high[0] = a.row(0).dot(x);
    high[1] = -high[0];
  }
  for (Index j = 0; j < n; ++j)
    if (x[j] == 0.0) g[j] += draw(0, 1);
  const Vector f = Vector::NullaryExpr(n, [&] { return draw(-2, 2); });
  return Problem(linear(f), linear(g), polyhedron(a, many(m, -kOpen), high, many(n, 0.0), many(n, 1.0)));
}

TEST(LinearProgrammes, NoRoomBetweenTwoRows) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    const Problem problem = degenerate_programme(seed, 20 + 3 * static_cast<Index>(seed), 40, true, false);
    const Result result = solve(problem, {.accuracy = {1e-6, 1e-6}});
    ASSERT_EQ(result.status, Status::certified) << seed << ": " << result.message;
    EXPECT_EQ(result.engine, "interior-point") << seed;
    EXPECT_LE(result.work.iterations, 200) << seed;
  }
}

TEST(LinearProgrammes, ManyRowsLeaveASinglePoint) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    const Problem problem = degenerate_programme(seed, 5 + 2 * static_cast<Index>(seed), 200, false, true);
    const Result result = solve(problem, {.accuracy = {1e-6, 1e-6}});
    ASSERT_EQ(result.status, Status::certified) << seed << ": " << result.message;
    EXPECT_LE(result.work.iterations, 30) << seed;
    for (Index j = 0; j < result.x.size(); ++j) EXPECT_EQ(2.0 * result.x[j], std::round(2.0 * result.x[j])) << seed;
  }
}

TEST(LinearProgrammes, ManyHalfspacesAreOnePolyhedron) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  const Index n = 12, count = 150;
  std::vector<ConvexSetPtr> members{box(many(n, -1.0), many(n, 1.0))};
  for (Index i = 0; i < count; ++i)
    members.push_back(halfspace(Vector::NullaryExpr(n, [&] { return normal(random); }), 1.5, 4.0));
  const Vector centre = Vector::NullaryExpr(n, [&] { return normal(random); });
  const Problem problem(squared_norm(centre), linear(Vector::Unit(n, 0)), intersection(members));
  const Result result = solve(problem, {.accuracy = {1e-6, 1e-6}});
  ASSERT_EQ(result.status, Status::certified) << result.message;
  EXPECT_EQ(result.engine, "interior-point");
  EXPECT_LE(result.work.iterations, 80);
  EXPECT_LE(result.work.projections, (count + 1) * 1000);  // a projection on each member: a cycle
}

// Without a solution ----------------------------------------------------------------------------------------------

/// x >= 0 with x2 = x3: no coordinate is a ray by itself, (0, 1, 1) is one.
ConvexSetPtr tied_pair() {
  return polyhedron(RowMajorMatrix{{0.0, 1.0, -1.0}}, many(1, 0.0), many(1, 0.0), many(3, 0.0), many(3, kOpen),
                    10.0);
}

TEST(LinearProgrammes, ARayAlongEquationsIsToldOfEitherLevel) {
  EXPECT_THAT(told(Problem(squared_norm(Vector::Zero(3)), linear(Vector{{1.0, -1.0, 0.0}}), tied_pair())),
              HasSubstr("the lower function falls without end along a ray of the domain"));
  const std::string upper =
      told(Problem(linear(Vector{{0.0, -1.0, 0.0}}), linear(Vector{{1.0, 0.0, 0.0}}), tied_pair()));
  EXPECT_THAT(upper, HasSubstr("the upper function falls without end along a ray"));
  EXPECT_THAT(upper, HasSubstr("give the domain a bound"));
}

// g = (x1 + x2 - 1)^2 / 2 does not see (-1, 1).
TEST(LinearProgrammes, ARayThatDataDoNotSee) {
  const auto lower = [] { return least_squares(dense_map(RowMajorMatrix{{1.0, 1.0}}), Vector::Ones(1)); };
  const ConvexSetPtr space = whole_space(Vector::Zero(2), 10.0);
  EXPECT_THAT(told(Problem(linear(Vector{{1.0, 0.0}}), lower(), space)),
              HasSubstr("the upper function falls without end along a ray"));
  EXPECT_THAT(told(Problem(linear(Vector{{1.0, 1.0}}), lower(), space)), HasSubstr("no refusal, but proved"));
}

// The same programmes with what holds them back are solved.
TEST(LinearProgrammes, AProgrammeThatIsHeldIsNotRefused) {
  const RowMajorMatrix rows{{0.0, 1.0, -1.0}, {0.0, 1.0, 1.0}};
  const ConvexSetPtr held =
      polyhedron(rows, Vector{{0.0, -kOpen}}, Vector{{0.0, 4.0}}, many(3, 0.0), many(3, kOpen), 10.0);
  const Result result = solve(Problem(linear(Vector{{0.0, -1.0, 0.0}}), linear(Vector{{1.0, 0.0, 0.0}}), held),
                              {.accuracy = {1e-6, 1e-6}});
  ASSERT_EQ(result.status, Status::certified) << result.message;
  EXPECT_NEAR(result.x[1], 2.0, 1e-9);
  EXPECT_NEAR(result.x[2], 2.0, 1e-9);
}

TEST(LinearProgrammes, RandomRaysAreFound) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform;
    const Index n = 4 + static_cast<Index>(seed), m = 2 + static_cast<Index>(seed % 7);
    const bool of_upper = seed % 2 == 1, equations = seed % 4 >= 2;
    const Vector d = Vector::NullaryExpr(n, [&] {
                       return uniform(random) < 0.5 ? 0.0 : 0.5 + uniform(random);
                     }).cwiseMax(Vector::Unit(n, 0));
    const auto across = [&](const Vector& row) { return Vector(row - row.dot(d) / d.squaredNorm() * d); };
    RowMajorMatrix a(m, n);
    for (Index i = 0; i < m; ++i) {
      a.row(i) = across(Vector::NullaryExpr(n, [&] { return normal(random); }));
      if (!equations || i > 0) a.row(i) -= (0.1 + uniform(random)) * d.transpose();
    }
    const Vector x = Vector::NullaryExpr(n, [&] { return uniform(random); });
    Vector low = many(m, -kOpen), high = a * x + Vector::NullaryExpr(m, [&] { return uniform(random); });
    if (equations) low[0] = high[0] = a.row(0).dot(x);
    Vector f = Vector::NullaryExpr(n, [&] { return normal(random); }), g = across(f) - d;
    if (of_upper) {
      f = g;
      g = d.unaryExpr([&](double along) { return along > 0.0 ? 0.0 : uniform(random); });
    }
    EXPECT_THAT(told(Problem(linear(f), linear(g), polyhedron(a, low, high, many(n, 0.0), many(n, kOpen), 100.0))),
                HasSubstr("falls without end"))
        << seed;
  }
}

// Hostile ones ----------------------------------------------------------------------------------------------------

TEST(LinearProgrammes, ConflictsBetweenHalfspacesNameTheRows) {
  const std::string words = test::refusal([] {
    intersection({box(many(2, 0.0), many(2, 1.0)), halfspace(Vector{{-1.0, 0.0}}, -0.75),
                  halfspace(Vector{{0.0, -1.0}}, -0.75), halfspace(Vector{{1.0, 1.0}}, 1.25)});
  });
  EXPECT_THAT(words, HasSubstr("common point"));
  EXPECT_THAT(words, HasSubstr("row 2 <= 1.25"));
}

TEST(LinearProgrammes, RepeatedRowsZeroRowsAndFreeVariables) {
  // x1 + x2 = 1 twice, a row of zeros, the same inequality twice; x3 is free and tied to nothing but g.
  const RowMajorMatrix rows{{1.0, 1.0, 0.0}, {1.0, 1.0, 0.0}, {0.0, 0.0, 0.0}, {1.0, -1.0, 0.0}, {1.0, -1.0, 0.0}};
  const Vector low{{1.0, 1.0, -1.0, -kOpen, -kOpen}}, high{{1.0, 1.0, 1.0, 0.5, 0.5}};
  const Vector lower{{0.0, 0.0, -kOpen}}, upper{{kOpen, kOpen, kOpen}};
  const Problem problem(squared_norm(Vector{{1.0, 0.0, 2.0}}), linear(Vector{{-1.0, 0.0, 0.0}}),
                        polyhedron(rows, low, high, lower, upper, 10.0));
  const Result result = solve(problem, {.accuracy = {1e-6, 1e-6}});
  ASSERT_EQ(result.status, Status::certified) << result.message;
  EXPECT_NEAR(result.x[0], 0.75, 1e-6);
  EXPECT_NEAR(result.x[1], 0.25, 1e-6);
  EXPECT_NEAR(result.x[2], 2.0, 1e-2);
}

TEST(LinearProgrammes, BadNumbersAreRefusedWithTheirPlace) {
  const auto words = [](const Vector& row, const Vector& low, const Vector& high) {
    return test::refusal(
        [&] { polyhedron(RowMajorMatrix(row.transpose()), low, high, many(2, 0.0), many(2, 1.0)); });
  };
  EXPECT_THAT(words(Vector{{1.0, kOpen}}, many(1, 0.0), many(1, 1.0)), HasSubstr("in row 0, column 1"));
  EXPECT_THAT(words(Vector{{1.0, 1.0}}, many(1, 2.0), many(1, 1.0)), HasSubstr("lower <= upper"));
  EXPECT_THAT(words(Vector{{0.0, 0.0}}, many(1, 1.0), many(1, 2.0)), HasSubstr("row 0 of zeros"));
  EXPECT_THAT(words(Vector{{1.0, 1.0}}, many(1, 3.0), many(1, 4.0)), HasSubstr("row 0 >= 3"));
  EXPECT_THAT(words(Vector{{1.0, 1.0}}, many(1, kUnknown), many(1, 4.0)), HasSubstr("lower <= upper"));
}

}  // namespace
}  // namespace fcbio
