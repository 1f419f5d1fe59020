// Every constructor refuses what makes no sense, and says what it expected, what it found and what to do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fcbio/error.hpp"
#include "sets/support.hpp"
#include "support/refusal.hpp"

namespace fcbio::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const double kNan = std::numeric_limits<double>::quiet_NaN();

using test::refusal;

TEST(Refusals, RadiusThatIsNegativeOrNotFinite) {
  EXPECT_THAT(refusal([] { ball(vec({0.0}), -1.0); }),
              AllOf(HasSubstr("ball"), HasSubstr("radius >= 0"), HasSubstr("found -1"), HasSubstr("give")));
  EXPECT_THAT(refusal([] { ball(vec({0.0}), kNan); }), HasSubstr("found nan"));
  EXPECT_THAT(refusal([] { l1_ball(vec({0.0}), kInfinity); }),
              AllOf(HasSubstr("l1-ball"), HasSubstr("found inf")));
  EXPECT_THAT(refusal([] { nonnegative_ball(2, -2.5); }), HasSubstr("found -2.5"));
  EXPECT_THAT(refusal([] { simplex(2, -3.0); }), AllOf(HasSubstr("total"), HasSubstr("found -3")));
  EXPECT_THAT(refusal([] { halfspace(vec({1.0}), 1.0, -1.0); }), HasSubstr("found -1"));
  EXPECT_THAT(refusal([] { affine_subspace(RowMajorMatrix::Ones(1, 1), vec({0.0}), kNan); }),
              HasSubstr("found nan"));
  EXPECT_THAT(refusal([] { whole_space(vec({1.0}), -4.0); }), AllOf(HasSubstr("whole-space"), HasSubstr("-4")));
}

TEST(Refusals, NoCoordinates) {
  const std::string expected = "dimension of at least 1, found 0";
  EXPECT_THAT(refusal([] { ball(Vector(), 1.0); }), HasSubstr(expected));
  EXPECT_THAT(refusal([] { box(Vector(), Vector()); }), HasSubstr(expected));
  EXPECT_THAT(refusal([] { simplex(0); }), HasSubstr(expected));
  EXPECT_THAT(refusal([] { l1_ball(Vector(), 1.0); }), HasSubstr(expected));
  EXPECT_THAT(refusal([] { nonnegative_ball(-1, 1.0); }), HasSubstr("found -1"));
  EXPECT_THAT(refusal([] { halfspace(Vector(), 1.0, 1.0); }), HasSubstr(expected));
  EXPECT_THAT(refusal([] { affine_subspace(RowMajorMatrix(0, 0), Vector(), 1.0); }), HasSubstr(expected));
  EXPECT_THAT(refusal([] { whole_space(Vector(), 1.0); }), HasSubstr(expected));
}

TEST(Refusals, NumbersThatAreNotFinite) {
  EXPECT_THAT(refusal([] { ball(vec({0.0, kNan}), 1.0); }), AllOf(HasSubstr("center"), HasSubstr("index 1")));
  EXPECT_THAT(refusal([] { l1_ball(vec({kInfinity}), 1.0); }), AllOf(HasSubstr("inf"), HasSubstr("index 0")));
  EXPECT_THAT(refusal([] { halfspace(vec({1.0, kNan}), 1.0, 1.0); }), HasSubstr("coefficients"));
  EXPECT_THAT(refusal([] { halfspace(vec({1.0}), kInfinity, 1.0); }), HasSubstr("finite value"));
  RowMajorMatrix m = RowMajorMatrix::Ones(2, 3);
  m(1, 2) = kNan;
  EXPECT_THAT(refusal([&] {
                affine_subspace(m, vec({0.0, 0.0}), 1.0);
              }),
              AllOf(HasSubstr("row 1"), HasSubstr("index 2")));
  EXPECT_THAT(refusal([] { affine_subspace(RowMajorMatrix::Ones(1, 2), vec({kNan}), 1.0); }), HasSubstr("values"));
  EXPECT_THAT(refusal([] { whole_space(vec({kNan}), 1.0); }), HasSubstr("start"));
}

TEST(Refusals, EmptyBox) {
  EXPECT_THAT(refusal([] {
                box(vec({0.0, 2.0}), vec({1.0, 1.5}));
              }),
              AllOf(HasSubstr("lower 2"), HasSubstr("upper 1.5"), HasSubstr("index 1"), HasSubstr("empty")));
  EXPECT_THAT(refusal([] { box(vec({kInfinity}), vec({kInfinity})); }), HasSubstr("index 0"));
  EXPECT_THAT(refusal([] { box(vec({-kInfinity}), vec({-kInfinity})); }), HasSubstr("upper may be +inf"));
  EXPECT_THAT(refusal([] { box(vec({kNan}), vec({1.0})); }), HasSubstr("found lower nan"));
  EXPECT_THAT(refusal([] { box(vec({0.0}), vec({kNan})); }), HasSubstr("upper nan"));
  EXPECT_THAT(refusal([] { box(vec({0.0, 1.0}), vec({1.0})); }), HasSubstr("found 2 and 1"));
}

TEST(Refusals, EmptyHalfspace) {
  EXPECT_THAT(refusal([] {
                halfspace(vec({3.0, 4.0}), -11.0, 2.0);
              }),
              AllOf(HasSubstr("-radius |c| = -10"), HasSubstr("found value -11"), HasSubstr("radius 2"),
                    HasSubstr("|c| 5"), HasSubstr("empty")));
  EXPECT_THAT(refusal([] { halfspace(vec({0.0, 0.0}), 1.0, 2.0); }), HasSubstr("not all zero"));
  EXPECT_EQ(refusal([] { halfspace(vec({3.0, 4.0}), -10.0, 2.0); }), "accepted");  // one point
}

TEST(Refusals, AffineWithoutASolution) {
  RowMajorMatrix m(2, 2);
  m << 1.0, 1.0, 2.0, 2.0;
  EXPECT_THAT(refusal([&] {
                affine_subspace(m, vec({1.0, 3.0}), 9.0);
              }),
              AllOf(HasSubstr("residual"), HasSubstr("rank 1 of 2"), HasSubstr("contradict")));
  EXPECT_EQ(refusal([&] { affine_subspace(m, vec({1.0, 2.0}), 9.0); }), "accepted");
  EXPECT_THAT(refusal([] { affine_subspace(RowMajorMatrix::Zero(1, 2), vec({3.0}), 9.0); }),
              AllOf(HasSubstr("0 = 3"), HasSubstr("row 0")));
  EXPECT_THAT(refusal([] {
                affine_subspace(RowMajorMatrix::Identity(2, 2), vec({3.0, 4.0}), 4.5);
              }),
              AllOf(HasSubstr("found 5"), HasSubstr("4.5"), HasSubstr("raise the radius")));
  EXPECT_THAT(refusal([] { affine_subspace(RowMajorMatrix::Identity(2, 2), vec({3.0}), 4.5); }),
              HasSubstr("1 values and 2 rows"));
  EXPECT_THAT(refusal([] { affine_subspace(RowMajorMatrix(0, 2), Vector(), 4.5); }),
              HasSubstr("at least one equation"));
}

TEST(Refusals, CompoundSets) {
  EXPECT_THAT(refusal([] { product({}); }), HasSubstr("at least one set, found none"));
  EXPECT_THAT(refusal([] { product({simplex(2), nullptr}); }), HasSubstr("factor 1"));
  EXPECT_THAT(refusal([] { intersection({}); }), HasSubstr("at least one set, found none"));
  EXPECT_THAT(refusal([] { intersection({nullptr}); }), HasSubstr("member 0"));
  EXPECT_THAT(
      refusal([] {
        intersection({simplex(2), simplex(3)});
      }),
      AllOf(HasSubstr("found 2 for member 0 and 3 for member 1"), HasSubstr("same number of coordinates")));
}

TEST(Refusals, EmptyIntersection) {
  // Two discs a distance of 0.5 apart.
  EXPECT_THAT(refusal([] {
                intersection({ball(vec({0.0, 0.0}), 1.0), ball(vec({2.5, 0.0}), 1.0)});
              }),
              AllOf(HasSubstr("violates a member by 0.5"), HasSubstr("separates"), HasSubstr("enlarge")));
  // An open box and a ball that misses it by 1.
  EXPECT_THAT(refusal([] {
                intersection({box(vec({3.0}), vec({kInfinity})), ball(vec({1.0}), 1.0)});
              }),
              HasSubstr("violates a member by 1"));
  // Any two of these halfplanes meet, the three do not.
  EXPECT_THAT(refusal([] {
                intersection({halfspace(vec({0.0, -1.0}), -0.2, 5.0), halfspace(vec({1.0, 1.0}), 0.0, 5.0),
                              halfspace(vec({-1.0, 1.0}), 0.0, 5.0)});
              }),
              HasSubstr("no"));
  // They touch in one point: that is a set.
  EXPECT_EQ(refusal([] { intersection({ball(vec({0.0, 0.0}), 1.0), ball(vec({2.0, 0.0}), 1.0)}); }), "accepted");
}

}  // namespace
}  // namespace fcbio::test
