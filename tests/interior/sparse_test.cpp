// The sparse form of the linear system against the dense ones, and the method on programs that only it can solve.
#include <gtest/gtest.h>

#include <random>

#include "fcbio/threads.hpp"
#include "interior/interior_point.hpp"
#include "interior/kkt_sparse.hpp"

namespace fcbio::interior {
namespace {

Program open_program(Index n) {
  Program program;
  program.variables = n;
  program.cost = program.curvature = Vector::Zero(n);
  program.lower = Vector::Constant(n, -kInfinity);
  program.upper = Vector::Constant(n, kInfinity);
  return program;
}

class RowBuilder {
 public:
  explicit RowBuilder(Index cols) {
    csr_.cols = cols;
    csr_.starts = {0};
  }
  void add(std::vector<std::pair<Index, double>> numbers) {
    std::sort(numbers.begin(), numbers.end());
    for (const auto& [column, number] : numbers) {
      if (!csr_.columns.empty() && static_cast<Index>(csr_.columns.size()) > csr_.starts.back() &&
          csr_.columns.back() == column)
        continue;
      csr_.columns.push_back(static_cast<std::int32_t>(column));
      csr_.values.push_back(number);
    }
    csr_.starts.push_back(static_cast<std::int64_t>(csr_.values.size()));
    ++csr_.rows;
  }
  Rows build() const { return Rows::sparse(csr_); }

 private:
  CsrMatrix csr_;
};

Rows made_dense(const Rows& rows) {
  RowMajorMatrix matrix = RowMajorMatrix::Zero(rows.rows(), rows.cols());
  for (Index i = 0; i < rows.rows(); ++i) rows.visit_row(i, [&](Index j, double value) { matrix(i, j) = value; });
  return Rows::dense(std::move(matrix));
}

Program made_dense(Program program) {
  for (Block& block : program.blocks)
    if (!block.rows.is_identity()) block.rows = made_dense(block.rows);
  return program;
}

/// The cheapest flow from one corner of a grid to the other: arcs to the right and down with random costs and
/// capacities, an equation for every node.  They depend on each other: their sum is 0.
Program flow(Index side) {
  const auto node = [side](Index i, Index j) { return i * side + j; };
  std::mt19937_64 random(17);
  std::uniform_real_distribution<double> uniform(0.5, 1.5);
  struct Arc {
    Index from, to;
  };
  std::vector<Arc> arcs;
  for (Index i = 0; i < side; ++i)
    for (Index j = 0; j < side; ++j) {
      if (i + 1 < side) arcs.push_back({node(i, j), node(i + 1, j)});
      if (j + 1 < side) arcs.push_back({node(i, j), node(i, j + 1)});
    }
  Program program = open_program(static_cast<Index>(arcs.size()));
  std::vector<std::vector<std::pair<Index, double>>> rows(static_cast<std::size_t>(side * side));
  for (std::size_t a = 0; a < arcs.size(); ++a) {
    rows[static_cast<std::size_t>(arcs[a].from)].emplace_back(static_cast<Index>(a), 1.0);
    rows[static_cast<std::size_t>(arcs[a].to)].emplace_back(static_cast<Index>(a), -1.0);
    program.cost[static_cast<Index>(a)] = uniform(random);
    program.lower[static_cast<Index>(a)] = 0.0;
    program.upper[static_cast<Index>(a)] = uniform(random);
  }
  RowBuilder builder(program.variables);
  for (const auto& row : rows) builder.add(row);
  Vector supply = Vector::Zero(side * side);
  supply[0] = 1.0;
  supply[side * side - 1] = -1.0;
  program.blocks.push_back({.kind = BlockKind::limits, .rows = builder.build(), .low = supply, .high = supply});
  return program;
}

/// Hinge losses on rows with `per_row` numbers near a diagonal, an l1 norm and a box.
Program band(Index rows, Index n, Index per_row) {
  std::mt19937_64 random(23);
  std::normal_distribution<double> normal;
  Program program = open_program(n);
  program.lower.setConstant(-1.0);
  program.upper.setConstant(1.0);
  RowBuilder builder(n);
  for (Index i = 0; i < rows; ++i) {
    std::vector<std::pair<Index, double>> numbers;
    const auto first = static_cast<Index>(random() % static_cast<std::uint64_t>(n - per_row));
    for (Index k = 0; k < per_row; ++k) numbers.emplace_back(first + k, normal(random));
    builder.add(numbers);
  }
  program.blocks.push_back({.kind = BlockKind::loss,
                            .rows = builder.build(),
                            .low = Vector::Constant(rows, -1.0),
                            .high = Vector::Zero(rows),
                            .kink = Vector::Ones(rows)});
  program.blocks.push_back({.kind = BlockKind::loss,
                            .rows = Rows::identity(n),
                            .low = Vector::Constant(n, -0.1),
                            .high = Vector::Constant(n, 0.1),
                            .kink = Vector::Zero(n)});
  return program;
}

/// Of programs with linear costs and losses without bends.
double value(const Program& program, const Vector& x) {
  double sum = program.cost.dot(x);
  for (const Block& block : program.blocks) {
    if (block.kind != BlockKind::loss) continue;
    Vector image(block.rows.rows());
    block.rows.apply(x, image);
    image -= block.kink;
    sum += image.cwiseProduct(block.low).cwiseMax(image.cwiseProduct(block.high)).sum();
  }
  return sum;
}

struct Solve {
  int steps = 0;
  Vector x;
  double operations = 0.0;
  bool good = false;
};

Solve run_to(const Program& program, double aim) {
  InteriorPoint method(program);
  Solve run;
  run.operations = method.factor_operations();
  method.start(Vector::Zero(program.variables));
  for (run.steps = 1; run.steps <= 80; ++run.steps) {
    if (method.step(nullptr) != InteriorPoint::Step::taken && !method.change_form()) break;
    if (method.complementarity() <= aim && method.stationarity() <= aim && method.infeasibility() <= aim) {
      run.good = true;
      break;
    }
  }
  run.x = method.x();
  return run;
}

// Everything at once: few numbers in most rows, a dense row, a dense column, equations, a ball, a free variable.
TEST(SparseForm, SolvesTheSystemByRowsAndByColumns) {
  const Index n = 60;
  Program program = open_program(n);
  program.lower.head(n - 1).setConstant(0.0);
  std::mt19937_64 random(31);
  std::normal_distribution<double> normal;
  RowBuilder builder(n);
  for (Index i = 0; i < 300; ++i)
    builder.add({{static_cast<Index>(random() % 59), normal(random)},
                 {static_cast<Index>(random() % 59), normal(random)},
                 {n - 1, normal(random)}});
  std::vector<std::pair<Index, double>> all;
  for (Index j = 0; j < n; ++j) all.emplace_back(j, normal(random));
  builder.add(all);
  Vector low = Vector::Constant(301, -kInfinity);
  low.head(20).setZero();
  program.blocks.push_back(
      {.kind = BlockKind::limits, .rows = builder.build(), .low = low, .high = Vector::Zero(301)});
  program.balls.push_back({.first = 10, .centre = Vector::Zero(20), .radius = 1.0});
  Stack stack(program);
  stack.balls()[0].segment(10, 20) = Vector::NullaryExpr(20, [&] { return normal(random); });
  const auto positive = [&] { return 0.1 + std::abs(normal(random)); };
  const Vector d = Vector::NullaryExpr(n, positive);
  Vector t = Vector::NullaryExpr(stack.rows(), positive);
  t.head(20).setZero();
  const Vector p = Vector::NullaryExpr(n, [&] { return normal(random); });
  const Vector q = Vector::NullaryExpr(stack.rows(), [&] { return normal(random); });
  for (const bool by_rows : {false, true}) {
    SparsePlan plan(program, stack, by_rows);
    ASSERT_TRUE(plan.analyse(kInfinity));
    const std::unique_ptr<KktForm> form = sparse_form(program, stack, plan);
    ASSERT_TRUE(form->factor(d, t, nullptr)) << by_rows;
    Vector x = p, y = q;
    form->solve(x, y);
    Vector first = d.cwiseProduct(x), second(stack.rows());
    stack.add_transpose(y, first);
    stack.apply(x, second);
    EXPECT_LE((first - p).norm(), 1e-10 * (1.0 + y.norm())) << by_rows;
    EXPECT_LE((second - t.cwiseProduct(y) - q).norm(), 1e-10 * (1.0 + x.norm())) << by_rows;
  }
}

TEST(SparseForm, SameStepsAndSolutionsAsDense) {
  const Program flows = flow(16), bands = band(900, 300, 4), wide = band(200, 400, 5);
  for (const auto& [program, aim] : {std::pair(&flows, 1e-11), std::pair(&bands, 1e-11), std::pair(&wide, 1e-7)}) {
    const Solve sparse = run_to(*program, aim), dense = run_to(made_dense(*program), aim);
    ASSERT_TRUE(sparse.good);
    ASSERT_TRUE(dense.good);
    EXPECT_LT(10.0 * sparse.operations, dense.operations);
    EXPECT_NEAR(sparse.steps, dense.steps, 1);
    EXPECT_NEAR(value(*program, sparse.x), value(*program, dense.x), std::max(aim, 1e-9));
    EXPECT_LE((sparse.x - dense.x).cwiseAbs().maxCoeff(), 1e-6);  // where they hardly change the value
  }
}

TEST(SparseForm, DenseWhereThePatternDoesNotPay) {
  // Every second number: A'A is full, and a dense factor is faster.
  std::mt19937_64 random(5);
  Program program = open_program(120);
  program.lower.setConstant(-1.0);
  program.upper.setConstant(1.0);
  RowBuilder builder(120);
  for (Index i = 0; i < 300; ++i) {
    std::vector<std::pair<Index, double>> numbers;
    for (Index j = 0; j < 120; ++j)
      if (random() % 2 == 0) numbers.emplace_back(j, 1.0);
    builder.add(numbers);
  }
  program.blocks.push_back({.kind = BlockKind::limits,
                            .rows = builder.build(),
                            .low = Vector::Constant(300, -1.0),
                            .high = Vector::Ones(300)});
  const Stack stack(program);
  EXPECT_EQ(Kkt(program).operations(), form_by_columns(program, stack)->operations());
}

// A hundred thousand rows with three numbers each, and a network of some thousand arcs: a dense factor would have a side
// of 20,000, or of 5,000.
TEST(SparseForm, LargePrograms) {
  const Solve many = run_to(band(100000, 20000, 3), 1e-6);
  EXPECT_TRUE(many.good);
  EXPECT_LE(many.steps, 40);
  EXPECT_LE(many.operations, 1e7);
  const Solve network = run_to(flow(50), 1e-8);
  EXPECT_TRUE(network.good);
  EXPECT_LE(network.steps, 40);
  EXPECT_LE(network.operations, 1e7);
}

TEST(SparseForm, AStopIsHeardInsideAFactorisation) {
  const Program program = flow(30);
  InteriorPoint method(program);
  ASSERT_GT(method.factor_operations(), 2e5);
  method.start(Vector::Zero(program.variables));
  OperationBudget budget(0.5 * method.factor_operations());
  EXPECT_EQ(method.step(&budget), InteriorPoint::Step::stopped);
}

TEST(SparseForm, SameBitsForAnyNumberOfThreads) {
  const Program program = band(3000, 1000, 12);
  Vector first;
  for (const int threads : {1, 3}) {
    const ThreadScope scope(threads);
    const Solve run = run_to(program, 1e-8);
    ASSERT_TRUE(run.good);
    if (threads == 1) first = run.x;
    EXPECT_EQ(run.x, first);
  }
}

TEST(SparseForm, TooLargeForAnyFactorIsTold) {
  // Random rows of two hundred among 30,000 variables: any factor fills up.
  std::mt19937_64 random(1);
  const Index n = 30000, rows = 12000;
  Program program = open_program(n);
  program.lower.setConstant(-1.0);
  program.upper.setConstant(1.0);
  RowBuilder builder(n);
  for (Index i = 0; i < rows; ++i) {
    std::vector<std::pair<Index, double>> numbers;
    for (int k = 0; k < 200; ++k) numbers.emplace_back(static_cast<Index>(random() % n), 1.0);
    builder.add(numbers);
  }
  program.blocks.push_back({.kind = BlockKind::limits,
                            .rows = builder.build(),
                            .low = Vector::Constant(rows, -1.0),
                            .high = Vector::Ones(rows)});
  EXPECT_FALSE(Kkt(program).fits());
}

}  // namespace
}  // namespace fcbio::interior
