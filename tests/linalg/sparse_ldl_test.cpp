// Sparse factors against dense ones, on patterns that are hard in different ways.
#include "linalg/sparse_ldl.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <numeric>
#include <random>

#include "fcbio/threads.hpp"

namespace fcbio {
namespace {

using Matrix = Eigen::MatrixXd;

struct System {
  Cliques cliques;
  Matrix matrix;
  std::vector<bool> negative;

  explicit System(Index size) : matrix(Matrix::Zero(size, size)), negative(static_cast<std::size_t>(size), false) {
    cliques.vertices = size;
  }
  void add(const std::vector<std::int32_t>& members, const std::vector<double>& numbers, double weight) {
    for (std::size_t i = 0; i < members.size(); ++i)
      for (std::size_t j = 0; j < members.size(); ++j)
        matrix(members[i], members[j]) += weight * numbers[i] * numbers[j];
    cliques.members.insert(cliques.members.end(), members.begin(), members.end());
    cliques.close();
  }
  void add_entry(std::int32_t i, std::int32_t j, double number) {
    matrix(i, j) = matrix(j, i) = number;
    cliques.members.insert(cliques.members.end(), {i, j});
    cliques.close();
  }
};

/// What the factor makes of a right side; empty: it could not be made.
Vector solved(const System& system, const Vector& right, const std::vector<bool>& late = {},
              bool may_vanish = false, Watch* watch = nullptr) {
  const std::optional<SparseOrdering> ordering = order_sparse(system.cliques, late);
  if (!ordering) return {};
  SparseLdl ldl(system.cliques, *ordering);
  std::vector<SparseLdl::Pivot> pivots(ordering->order.size());
  for (std::size_t k = 0; k < pivots.size(); ++k)
    pivots[k] = {system.negative[static_cast<std::size_t>(ordering->order[k])], may_vanish};
  const auto fill = [&](const SupernodeBlock& block) {
    for (std::int32_t column = block.begin; column < block.end; ++column)
      for (std::size_t k = static_cast<std::size_t>(column); k < pivots.size(); ++k) {
        const double number = system.matrix(ordering->order[k], ordering->order[static_cast<std::size_t>(column)]);
        if (number != 0.0) block.at(static_cast<std::int32_t>(k), column) += number;
      }
    return 1.0;
  };
  if (!ldl.factor(pivots, fill, watch)) return {};
  Vector x(right.size());
  for (Index v = 0; v < right.size(); ++v) x[ldl.place(v)] = right[v];
  ldl.solve(x);
  Vector out(right.size());
  for (Index v = 0; v < right.size(); ++v) out[v] = x[ldl.place(v)];
  return out;
}

/// A grid of side x side squares with one clique for each edge, and a little on the diagonal.
System grid(std::int32_t side, double diagonal) {
  System system(side * side);
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform(0.1, 10.0);
  for (std::int32_t i = 0; i < side; ++i)
    for (std::int32_t j = 0; j < side; ++j) {
      const std::int32_t at = i * side + j;
      if (i + 1 < side) system.add({at, at + side}, {1.0, -1.0}, uniform(random));
      if (j + 1 < side) system.add({at, at + 1}, {1.0, -1.0}, uniform(random));
    }
  system.matrix.diagonal().array() += diagonal;
  return system;
}

Vector random_vector(Index size) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  return Vector::NullaryExpr(size, [&] { return normal(random); });
}

TEST(SparseLdl, GridsBandsAndArrowsAgainstDense) {
  std::vector<System> systems{grid(1, 1.0), grid(2, 1.0), grid(23, 1e-3)};
  System band(150), arrow(90), full(70), apart(40);
  for (std::int32_t i = 0; i + 4 < 150; ++i)
    band.add({i, i + 1, i + 3, i + 4}, {1.0, -2.0, 0.5, 1.0}, 1.0 + 0.1 * (i % 7));
  band.matrix.diagonal().array() += 0.5;
  for (std::int32_t i = 1; i < 90; ++i) arrow.add({0, i}, {1.0, 0.3}, 2.0);
  arrow.matrix.diagonal().array() += 0.1;
  std::vector<std::int32_t> everybody(70);
  std::vector<double> ones(70, 1.0);
  for (std::int32_t i = 0; i < 70; ++i) everybody[static_cast<std::size_t>(i)] = i;
  full.add(everybody, ones, 1.0);
  full.matrix.diagonal().array() += 1.0;
  apart.matrix.diagonal().setConstant(3.0);
  for (System* system : {&band, &arrow, &full, &apart}) systems.push_back(*system);
  for (const System& system : systems) {
    const Vector right = random_vector(system.matrix.rows());
    const Vector x = solved(system, right);
    ASSERT_EQ(x.size(), right.size());
    EXPECT_LE((system.matrix * x - right).norm(), 1e-10 * right.norm()) << system.matrix.rows();
  }
}

// (H, A'; A, -T) with some T = 0: the rows are late, so that no pivot is 0.
TEST(SparseLdl, QuasiDefinite) {
  System system = grid(12, 0.5);
  const Index n = system.matrix.rows(), rows = 60;
  System larger(n + rows);
  larger.matrix.topLeftCorner(n, n) = system.matrix;
  larger.cliques.starts = system.cliques.starts;
  larger.cliques.members = system.cliques.members;
  std::mt19937_64 random(9);
  std::vector<bool> late(static_cast<std::size_t>(n + rows), false);
  for (std::int32_t i = 0; i < rows; ++i) {
    const auto row = static_cast<std::int32_t>(n) + i;
    late[static_cast<std::size_t>(row)] = larger.negative[static_cast<std::size_t>(row)] = true;
    for (int k = 0; k < 3; ++k)
      larger.add_entry(row, static_cast<std::int32_t>(random() % static_cast<std::uint64_t>(n)), 1.0 + k);
    if (i % 2 == 0) larger.matrix(row, row) = -0.25;
  }
  const Vector right = random_vector(n + rows);
  const Vector x = solved(larger, right, late);
  ASSERT_EQ(x.size(), right.size());
  EXPECT_LE((larger.matrix * x - right).norm(), 1e-10 * right.norm());
}

TEST(SparseLdl, APivotOfTheWrongSignIsTold) {
  System system = grid(8, 1.0);
  system.matrix(20, 20) = -1.0;
  EXPECT_EQ(solved(system, random_vector(64)).size(), 0);
  System infinite = grid(4, 1.0);
  infinite.matrix(3, 3) = kInfinity;
  EXPECT_EQ(solved(infinite, random_vector(16)).size(), 0);
}

// A Laplacian is singular: the last pivot is rounding, its unknown 0, and consistent right sides are solved.
TEST(SparseLdl, WhatDependsOnOthersIsLeftOut) {
  const System system = grid(15, 0.0);
  Vector right = random_vector(225);
  right.array() -= right.mean();
  const Vector x = solved(system, right, {}, true);
  ASSERT_EQ(x.size(), 225);
  EXPECT_EQ((x.array() == 0.0).count(), 1);
  EXPECT_LE((system.matrix * x - right).norm(), 1e-9 * right.norm());
}

TEST(SparseLdl, StopsInsideAFactorisation) {
  const System system = grid(40, 1.0);
  OperationBudget small(1e5), large(1e9);
  EXPECT_EQ(solved(system, random_vector(1600), {}, false, &small).size(), 0);
  EXPECT_TRUE(small.is_spent());
  EXPECT_EQ(solved(system, random_vector(1600), {}, false, &large).size(), 1600);
}

TEST(SparseLdl, CountsWhatADenseFactorCosts) {
  System full(50);
  std::vector<std::int32_t> everybody(50);
  for (std::int32_t i = 0; i < 50; ++i) everybody[static_cast<std::size_t>(i)] = i;
  full.add(everybody, std::vector<double>(50, 1.0), 1.0);
  const std::optional<SparseOrdering> ordering = order_sparse(full.cliques, {});
  ASSERT_TRUE(ordering);
  EXPECT_EQ(ordering->numbers, 50.0 * 51.0 / 2.0);
  EXPECT_EQ(ordering->operations, 50.0 * 51.0 * 101.0 / 6.0);
  EXPECT_EQ(least_operations(full.cliques), 50.0 * 25.5 * 25.5);
}

TEST(SparseLdl, NoOrderCostsLessThanThePatternSays) {
  for (const int side : {5, 20, 60}) {
    System system = grid(side, 1.0);
    const double grid_alone = least_operations(system.cliques);
    EXPECT_LE(grid_alone, order_sparse(system.cliques, {})->operations);
    std::vector<std::int32_t> half(static_cast<std::size_t>(side * side / 2));
    std::iota(half.begin(), half.end(), 0);
    system.add(half, std::vector<double>(half.size(), 0.1), 1.0);
    const double least = least_operations(system.cliques), found = order_sparse(system.cliques, {})->operations;
    EXPECT_LE(least, found);
    EXPECT_GE(least, 0.1 * found);
  }
}

TEST(SparseLdl, SameBitsForAnyNumberOfThreads) {
  System dense_inside = grid(30, 1.0);
  std::vector<std::int32_t> block(400);
  for (std::int32_t i = 0; i < 400; ++i) block[static_cast<std::size_t>(i)] = 2 * i;
  dense_inside.add(block, std::vector<double>(400, 0.1), 1.0);
  const Vector right = random_vector(900);
  Vector first;
  for (const int threads : {1, 2, 3}) {
    const ThreadScope scope(threads);
    const Vector x = solved(dense_inside, right);
    if (threads == 1) first = x;
    EXPECT_EQ(x, first) << threads;
  }
  EXPECT_EQ(first.size(), 900);
}

}  // namespace
}  // namespace fcbio
