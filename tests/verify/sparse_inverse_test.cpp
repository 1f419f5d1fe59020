// The checker's distance to the solutions of sparse equations, against a dense pseudo-inverse.
#include "sparse_inverse.hpp"

#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <random>

namespace fcbio::verify {
namespace {

struct Sparse {
  SparseRows rows;
  RealVector values;
  std::vector<bool> fixed;
  Eigen::MatrixXd dense;
  Eigen::VectorXd right;

  explicit Sparse(Eigen::MatrixXd matrix, Eigen::VectorXd sides)
      : dense(std::move(matrix)), right(std::move(sides)) {
    for (Eigen::Index i = 0; i < dense.rows(); ++i) {
      for (Eigen::Index j = 0; j < dense.cols(); ++j)
        if (dense(i, j) != 0.0) {
          rows.columns.push_back(static_cast<std::size_t>(j));
          rows.numbers.push_back(dense(i, j));
        }
      rows.starts.push_back(rows.columns.size());
      values.push_back(right[i]);
    }
    fixed.assign(static_cast<std::size_t>(dense.cols()), false);
  }
  Real distance(const Eigen::VectorXd& x) const {
    RealVector point(x.begin(), x.end());
    return SparseInverse(rows, values, fixed).distance(point);
  }
};

/// A ring of arcs with chords; the rows add up to 0.
Eigen::MatrixXd ring(Eigen::Index nodes) {
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(nodes, 2 * nodes);
  for (Eigen::Index i = 0; i < nodes; ++i) {
    matrix(i, i) = 1.0;
    matrix((i + 1) % nodes, i) = -1.0;
    matrix(i, nodes + i) = 1.0;
    matrix((i + 7) % nodes, nodes + i) = -1.0;
  }
  return matrix;
}

TEST(SparseInverse, DistancesAreNotShorterThanTheTrueOnes) {
  Eigen::VectorXd sides = Eigen::VectorXd::Zero(40);
  sides[3] = 2.0;
  sides[30] = -2.0;
  Sparse equations(ring(40), sides);
  std::mt19937_64 random(4);
  std::normal_distribution<double> normal;
  for (const bool some_fixed : {false, true}) {
    if (some_fixed) equations.fixed[0] = equations.fixed[50] = true;
    Eigen::MatrixXd free = equations.dense;
    for (std::size_t j = 0; j < equations.fixed.size(); ++j)
      if (equations.fixed[j]) free.col(static_cast<Eigen::Index>(j)).setZero();
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(free, Eigen::ComputeThinU | Eigen::ComputeThinV);
    // One of the rows depends on the others and is dropped; which one is the factorisation's choice.
    double least = svd.singularValues()[0];
    for (Eigen::Index dropped = 0; dropped < 40; ++dropped) {
      Eigen::MatrixXd others = free;
      others.row(dropped).swap(others.row(39));
      others.conservativeResize(39, Eigen::NoChange);
      least = std::min(least, Eigen::JacobiSVD<Eigen::MatrixXd>(others).singularValues()[38]);
    }
    const Eigen::VectorXd x = Eigen::VectorXd::NullaryExpr(80, [&] { return normal(random); });
    const Eigen::VectorXd off = equations.right - equations.dense * x;
    const auto nearest = static_cast<Real>(svd.solve(off).norm());
    const Real distance = equations.distance(x);
    EXPECT_GE(distance, nearest * (1 - 1e-12L));
    // What is proved of the least eigenvalue is at least a third of it.
    EXPECT_LE(distance, static_cast<Real>(off.norm() / least) * std::sqrt(3.0L));
  }
}

TEST(SparseInverse, NothingIsProvedOfRowsThatDependButForTheirValues) {
  Eigen::VectorXd sides = Eigen::VectorXd::Zero(40);
  sides[3] = 2.0;
  EXPECT_FALSE(std::isfinite(Sparse(ring(40), sides).distance(Eigen::VectorXd::Zero(80))));
}

TEST(SparseInverse, IndependentRowsOfAnySize) {
  Eigen::MatrixXd matrix = ring(30).topRows(29);
  matrix.row(5) *= 1e6;
  matrix.row(9) *= 1e-6;
  const Eigen::VectorXd x = Eigen::VectorXd::Ones(60);
  const Eigen::VectorXd right = matrix * x;  // exact
  EXPECT_LE(Sparse(matrix, right).distance(x), 1e-30L);  // no rounding but that of second order, which is charged
  Eigen::VectorXd moved = x;
  moved[0] += 1e-3;
  EXPECT_GE(Sparse(matrix, right).distance(moved), 4e-4L);
  EXPECT_LE(Sparse(matrix, right).distance(moved), 1.0L);
}

}  // namespace
}  // namespace fcbio::verify
