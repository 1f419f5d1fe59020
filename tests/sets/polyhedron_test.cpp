// Polyhedra: bounds and projections against members, emptiness with the rows that conflict, hints, told radii.
#include <gtest/gtest.h>

#include "fcbio/error.hpp"
#include "sets/conditions.hpp"
#include "sets/support.hpp"

namespace fcbio::test {
namespace {

const RowMajorMatrix kOnes = RowMajorMatrix::Ones(1, 3);

TEST(Polyhedra, BoundsAndProjectionsAgreeWithTheSimplex) {
  // {x >= 0, sum x = 1} as a polyhedron; the same bounds and nearest points as the simplex has.
  const ConvexSetPtr rows = polyhedron(kOnes, vec({1.0}), vec({1.0}), Vector::Zero(3));
  const ConvexSetPtr known = simplex(3);
  Random random(5);
  Scratch scratch;
  for (int trial = 0; trial < 50; ++trial) {
    const Vector direction = random.vector(3);
    SetWitness witness;
    const double proved = rows->prove_linear_bound(direction, witness, scratch);
    EXPECT_LE(proved, direction.minCoeff());
    EXPECT_NEAR(proved, direction.minCoeff(), 1e-8 * (1.0 + direction.norm()));
    Vector x = random.vector(3, 3.0), y = x;
    rows->project(x, scratch);
    known->project(y, scratch);
    EXPECT_LE((x - y).norm(), 1e-6);
  }
}

TEST(Polyhedra, AHintIsEvaluatedAndNotReplaced) {
  const ConvexSetPtr set = polyhedron(kOnes, {}, vec({2.0}), Vector::Zero(3));
  Scratch scratch;
  SetWitness witness;
  witness.multipliers = vec({-0.5});  // poor, but a bound: -1 from the row, and slopes (-0.5, 0.5, 0.5) on [0, 2]
  EXPECT_NEAR(set->prove_linear_bound(vec({-1.0, 0.0, 0.0}), witness, scratch), -2.0, 1e-10);
  EXPECT_EQ(witness.multipliers[0], -0.5);
  witness.multipliers = vec({0.5, 1.0});  // not a hint for one row
  EXPECT_NEAR(set->prove_linear_bound(vec({-1.0, -1.0, 0.0}), witness, scratch), -2.0, 1e-8);
  EXPECT_EQ(witness.multipliers.size(), 1);
}

TEST(Polyhedra, DualsOfConditionsMakeHints) {
  const ConvexSetPtr both = intersection({halfspace(vec({1.0, 1.0}), 1.0), box(Vector::Zero(2), Vector::Ones(2))});
  const auto shape = std::get<PolyhedronShape>(both->shape());
  ASSERT_EQ(shape.row_upper->size(), 1);
  EXPECT_EQ((*shape.row_upper)[0], 1.0);
  sets::Conditions conditions;
  ASSERT_TRUE(both->describe(conditions, 0));
  sets::ConditionDuals duals = sets::ConditionDuals::of_rows(conditions, vec({-1.0}));
  Vector share = Vector::Zero(2);
  SetWitness witness;
  both->take_duals(duals, share, witness);
  EXPECT_EQ(share, vec({-1.0, -1.0}));
  Scratch scratch;
  EXPECT_NEAR(both->prove_linear_bound(vec({-1.0, -1.0}), witness, scratch), -1.0, 1e-12);
}

TEST(Polyhedra, EmptyOnesAreRefusedWithTheRowsThatConflict) {
  try {
    polyhedron(RowMajorMatrix{{1.0, 1.0}, {1.0, -1.0}, {1.0, 1.0}}, vec({3.0, -kInfinity, -kInfinity}),
               vec({kInfinity, 5.0, 1.0}), Vector::Constant(2, -10.0), Vector::Constant(2, 10.0));
    FAIL() << "expected a refusal";
  } catch (const InvalidArgument& refusal) {
    const std::string what = refusal.what();
    EXPECT_NE(what.find("row 0 >= 3"), std::string::npos) << what;
    EXPECT_NE(what.find("row 2 <= 1"), std::string::npos) << what;
    EXPECT_EQ(what.find("row 1"), std::string::npos) << what;
  }
}

TEST(Polyhedra, OpenSidesNeedARadius) {
  Scratch scratch;
  SetWitness witness;
  const ConvexSetPtr open = polyhedron(kOnes, vec({1.0}), {}, Vector::Zero(3));
  EXPECT_FALSE(open->diameter());
  EXPECT_EQ(open->prove_linear_bound(vec({-1.0, 0.0, 0.0}), witness, scratch), -kInfinity);
  const ConvexSetPtr told = polyhedron(kOnes, vec({1.0}), {}, Vector::Zero(3), {}, 5.0);
  EXPECT_TRUE(told->rests_on_told_radius());
  EXPECT_EQ(told->reach(), 5.0);
  witness = {};
  const double proved = told->prove_linear_bound(vec({-1.0, 0.0, 0.0}), witness, scratch);
  EXPECT_LE(proved, -5.0);  // attained at (5, 0, 0)
  EXPECT_GE(proved, -5.5);
  EXPECT_NEAR(orthant(2, 2.0)->prove_linear_bound(vec({-3.0, 4.0}), witness, scratch), -6.0, 1e-12);
  EXPECT_THROW(box(Vector::Zero(2), Vector::Ones(2), 1.0), InvalidArgument);
}

}  // namespace
}  // namespace fcbio::test
