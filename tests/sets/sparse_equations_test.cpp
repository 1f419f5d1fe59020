// Distances to the solutions of sparse equations, against those of a dense pseudo-inverse.
#include "sets/sparse_equations.hpp"

#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <random>

namespace fcbio::sets {
namespace {

/// The equations of flows on a grid of side x side nodes: one row for each node, one column for each arc.
struct Flows {
  CsrMatrix rows;
  std::vector<double> values;
  Eigen::MatrixXd dense;

  explicit Flows(Index side) {
    const Index nodes = side * side;
    std::vector<std::pair<Index, Index>> arcs;
    for (Index i = 0; i < side; ++i)
      for (Index j = 0; j < side; ++j) {
        if (i + 1 < side) arcs.emplace_back(i * side + j, (i + 1) * side + j);
        if (j + 1 < side) arcs.emplace_back(i * side + j, i * side + j + 1);
      }
    dense = Eigen::MatrixXd::Zero(nodes, static_cast<Index>(arcs.size()));
    for (std::size_t a = 0; a < arcs.size(); ++a) {
      dense(arcs[a].first, static_cast<Index>(a)) = 1.0;
      dense(arcs[a].second, static_cast<Index>(a)) = -1.0;
    }
    values.assign(static_cast<std::size_t>(nodes), 0.0);
    values.front() = 1.0;
    values.back() = -1.0;
    compress();
  }
  void compress() {
    rows = {};
    rows.rows = dense.rows();
    rows.cols = dense.cols();
    rows.starts = {0};
    for (Index i = 0; i < dense.rows(); ++i) {
      for (Index j = 0; j < dense.cols(); ++j)
        if (dense(i, j) != 0.0) {
          rows.columns.push_back(static_cast<std::int32_t>(j));
          rows.values.push_back(dense(i, j));
        }
      rows.starts.push_back(static_cast<std::int64_t>(rows.values.size()));
    }
  }
  Vector right() const { return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size())); }
  std::optional<SparseEquations> make(const std::vector<bool>& fixed) const {
    return SparseEquations::make(rows, values, fixed);
  }
};

Vector anywhere(Index n) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  return Vector::NullaryExpr(n, [&] { return normal(random); });
}

TEST(SparseEquations, DistancesAreNotShorterThanTheTrueOnes) {
  const Flows flows(7);
  std::vector<bool> fixed(static_cast<std::size_t>(flows.rows.cols), false);
  for (const bool some_fixed : {false, true}) {
    if (some_fixed) fixed[3] = fixed[20] = fixed[41] = true;
    const std::optional<SparseEquations> equations = flows.make(fixed);
    ASSERT_TRUE(equations);  // the sum of all rows is 0, exactly
    Eigen::MatrixXd free = flows.dense;
    for (std::size_t j = 0; j < fixed.size(); ++j)
      if (fixed[j]) free.col(static_cast<Index>(j)).setZero();
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(free, Eigen::ComputeThinU | Eigen::ComputeThinV);
    const Vector x = anywhere(flows.rows.cols);
    const Vector off = flows.right() - flows.dense * x;
    const double nearest = svd.solve(off).norm(), distance = equations->distance(x);
    EXPECT_GE(distance, nearest);
    EXPECT_LE(distance, 100.0 * off.norm());
    Vector near = x;
    equations->approach(near);
    EXPECT_LE((flows.dense * near - flows.right()).norm(), 1e-12);
    EXPECT_NEAR((near - x).norm(), nearest, 1e-8);
    EXPECT_LE(equations->distance(near), 1e-12);
    for (std::size_t j = 0; j < fixed.size(); ++j) {
      if (!fixed[j]) continue;
      EXPECT_EQ(near[static_cast<Index>(j)], x[static_cast<Index>(j)]);
    }
    Vector along = anywhere(flows.rows.cols);
    equations->flatten(along);
    if (some_fixed) continue;
    EXPECT_LE((flows.dense * along).norm(), 1e-12);
  }
}

TEST(SparseEquations, NothingIsProvedWhereRowsDependButForTheirValues) {
  Flows flows(6);
  const std::vector<bool> free(static_cast<std::size_t>(flows.rows.cols), false);
  flows.values[4] = 0x1p-45;  // the sum of all values is not 0 any more
  EXPECT_FALSE(flows.make(free));
}

TEST(SparseEquations, NothingIsProvedWhereRowsDependButForRounding) {
  Flows flows(6);
  const std::vector<bool> free(static_cast<std::size_t>(flows.rows.cols), false);
  flows.dense(0, 0) = 1.0 + 0x1p-50;
  flows.compress();
  EXPECT_FALSE(flows.make(free));
}

}  // namespace
}  // namespace fcbio::sets
