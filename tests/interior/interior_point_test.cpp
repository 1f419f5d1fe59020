// The interior-point method on programs with known answers, and the two forms of its linear system against each other.
#include "interior/interior_point.hpp"

#include <gtest/gtest.h>

#include <random>

namespace fcbio::interior {
namespace {

Program empty_program(Index n) {
  Program program;
  program.variables = n;
  program.cost = program.curvature = Vector::Zero(n);
  program.lower = Vector::Constant(n, -kInfinity);
  program.upper = Vector::Constant(n, kInfinity);
  return program;
}

/// Steps taken until the complementarity is below `aim`; -1: never.
int run(InteriorPoint& method, double aim, int most = 60) {
  for (int step = 1; step <= most; ++step) {
    if (method.step(nullptr) != InteriorPoint::Step::taken) return method.complementarity() <= aim ? step : -1;
    if (method.complementarity() <= aim && method.stationarity() <= 1e3 * aim) return step;
  }
  return -1;
}

// min sum |x - c_i| over x: the median.
TEST(InteriorPoint, MedianOfNumbers) {
  Program program = empty_program(1);
  program.blocks.push_back({.kind = BlockKind::loss,
                            .rows = Rows::dense(RowMajorMatrix::Ones(5, 1)),
                            .low = Vector::Constant(5, -1.0),
                            .high = Vector::Ones(5),
                            .kink = Vector{{3.0, -7.0, 0.5, 11.0, 1.0}}});
  InteriorPoint method(program);
  method.start(Vector::Zero(1));
  ASSERT_GT(run(method, 1e-10), 0);
  EXPECT_NEAR(method.x()[0], 1.0, 1e-9);
  EXPECT_LT(method.dual(0).cwiseAbs().maxCoeff(), 1.0);  // strictly inside, at every step
}

// min <c, x> on the ball |x - m| <= r: m - r c/|c|.
TEST(InteriorPoint, LinearFunctionOnABall) {
  Program program = empty_program(3);
  program.cost = Vector{{1.0, -2.0, 2.0}};
  program.balls.push_back({.first = 0, .centre = Vector{{5.0, 0.0, 1.0}}, .radius = 6.0});
  InteriorPoint method(program);
  method.start(Vector::Zero(3));
  ASSERT_GT(run(method, 1e-12), 0);
  EXPECT_LE((method.x() - Vector{{3.0, 4.0, -3.0}}).norm(), 1e-6);
}

// The soft threshold: min 1/2 |x - b|^2 + |x|_1.
TEST(InteriorPoint, SquaresAndAnL1Norm) {
  const Vector b{{3.0, -0.5, 0.2, -4.0}};
  Program program = empty_program(4);
  program.blocks.push_back({.kind = BlockKind::loss,
                            .rows = Rows::dense(RowMajorMatrix::Identity(4, 4)),
                            .low = Vector::Constant(4, -kInfinity),
                            .high = Vector::Constant(4, kInfinity),
                            .kink = b,
                            .bend = 1.0});
  program.blocks.push_back({.kind = BlockKind::loss,
                            .rows = Rows::identity(4),
                            .low = Vector::Constant(4, -1.0),
                            .high = Vector::Ones(4),
                            .kink = Vector::Zero(4)});
  InteriorPoint method(program);
  method.start(Vector::Zero(4));
  ASSERT_GT(run(method, 1e-13), 0);
  EXPECT_LE((method.x() - Vector{{2.0, 0.0, 0.0, -3.0}}).norm(), 1e-6);
}

// log(1 + exp(-u)) + u/2 is least at 0.
TEST(InteriorPoint, LogisticLossMeetsItsDerivative) {
  Program program = empty_program(1);
  program.cost[0] = 0.5;
  program.lower[0] = -50.0;
  program.upper[0] = 80.0;
  program.blocks.push_back(
      {.kind = BlockKind::logistic, .rows = Rows::dense(RowMajorMatrix::Ones(1, 1)), .kink = Vector::Ones(1)});
  InteriorPoint method(program);
  method.start(Vector::Constant(1, 7.0));
  ASSERT_GT(run(method, 1e-12), 0);
  EXPECT_NEAR(method.x()[0], 0.0, 1e-7);
  EXPECT_NEAR(method.dual(0)[0], -0.5, 1e-7);
}

/// Hinge losses on random rows, an l1 norm, two equations and a box: everything the forms must agree on.
Program mixed_program(Index rows, Index n, bool sparse) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  const RowMajorMatrix data = RowMajorMatrix::NullaryExpr(rows, n, [&] { return normal(random); });
  Program program = empty_program(n);
  program.lower.setConstant(-2.0);
  program.upper.setConstant(3.0);
  CsrMatrix csr;
  csr.rows = rows;
  csr.cols = n;
  csr.starts = {0};
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < n; ++j) {
      csr.columns.push_back(static_cast<std::int32_t>(j));
      csr.values.push_back(data(i, j));
    }
    csr.starts.push_back(static_cast<std::int64_t>(csr.values.size()));
  }
  program.blocks.push_back({.kind = BlockKind::loss,
                            .rows = sparse ? Rows::sparse(csr) : Rows::dense(data),
                            .low = Vector::Constant(rows, -1.0),
                            .high = Vector::Zero(rows),
                            .kink = Vector::Ones(rows)});
  program.blocks.push_back({.kind = BlockKind::loss,
                            .rows = Rows::identity(n),
                            .low = Vector::Constant(n, -0.1),
                            .high = Vector::Constant(n, 0.1),
                            .kink = Vector::Zero(n)});
  RowMajorMatrix sums = RowMajorMatrix::Zero(2, n);
  sums.row(0).setOnes();
  sums(1, 0) = 1.0;
  sums(1, 1) = -1.0;
  program.blocks.push_back({.kind = BlockKind::limits,
                            .rows = Rows::dense(sums),
                            .low = Vector{{1.0, 0.0}},
                            .high = Vector{{1.0, 0.0}}});
  return program;
}

TEST(InteriorPoint, FormsOfTheSystemAgree) {
  for (const bool sparse : {false, true}) {
    const Program program = mixed_program(6, 9, sparse);
    const Stack stack(program);
    std::mt19937_64 random(11);
    std::uniform_real_distribution<double> uniform(0.1, 2.0);
    const Vector d = Vector::NullaryExpr(9, [&] { return uniform(random); });
    Vector t = Vector::NullaryExpr(stack.rows(), [&] { return uniform(random); });
    t.tail(2).setZero();  // the equations
    const Vector p = Vector::NullaryExpr(9, [&] { return uniform(random); });
    const Vector q = Vector::NullaryExpr(stack.rows(), [&] { return uniform(random); });
    for (const auto& form : {form_by_columns(program, stack), form_by_rows(program, stack)}) {
      Vector x = p, y = q;
      ASSERT_TRUE(form->factor(d, t, nullptr));
      form->solve(x, y);
      Vector first = d.cwiseProduct(x), second(stack.rows());
      stack.add_transpose(y, first);
      stack.apply(x, second);
      EXPECT_LE((first - p).norm(), 1e-12) << sparse;
      EXPECT_LE((second - t.cwiseProduct(y) - q).norm(), 1e-12) << sparse;
    }
  }
}

// The number of steps hardly depends on the size: what makes one engine for all.
TEST(InteriorPoint, FewStepsWhateverTheSize) {
  for (const Index n : {5, 20, 80}) {
    const Program program = mixed_program(2 * n, n, n == 20);
    InteriorPoint method(program);
    method.start(Vector::Constant(n, 1.0 / static_cast<double>(n)));
    const int steps = run(method, 1e-9 * static_cast<double>(n));
    EXPECT_GT(steps, 0) << n;
    EXPECT_LE(steps, 25) << n;
    EXPECT_LE(method.infeasibility(), 1e-12) << n;
  }
}

TEST(InteriorPoint, AStopIsHeardInsideAFactorisation) {
  const Program program = mixed_program(40, 30, false);
  InteriorPoint method(program);
  method.start(Vector::Zero(30));
  OperationBudget budget(100.0);
  EXPECT_EQ(method.step(&budget), InteriorPoint::Step::stopped);
}

}  // namespace
}  // namespace fcbio::interior
