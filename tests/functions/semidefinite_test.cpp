// A proof that a matrix is positive semidefinite, or nearly: never wrong, and good enough for singular matrices.
// Truth is known exactly: integers times integers, and 2 x 2 blocks in closed form.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "fcbio/eigen_sparse.hpp"
#include "fcbio/error.hpp"
#include "functions/cases.hpp"
#include "functions/quadratic_checks.hpp"

namespace fcbio::test {
namespace {

using ::testing::HasSubstr;

functions::Curvature curvature_of(const RowMajorMatrix& q) {
  return functions::prove_semidefinite(q, *dense_map(q));
}

bool is_refused(const RowMajorMatrix& q) {
  try {
    curvature_of(q);
  } catch (const InvalidArgument&) {
    return true;
  }
  return false;
}

/// A'A for an integer A of rank `rank` at most: exact in double.
RowMajorMatrix integer_gram(Random& random, Index n, Index rank) {
  RowMajorMatrix a(rank, n);
  for (Index i = 0; i < a.size(); ++i) a.data()[i] = static_cast<double>(static_cast<int>(random() % 19) - 9);
  return a.transpose() * a;
}

TEST(Semidefinite, SingularMatricesAreProvedToAFewRoundings) {
  Random random(401);
  for (const Index n : {2, 3, 7, 20, 60, 200}) {
    for (int trial = 0; trial < 5; ++trial) {
      const RowMajorMatrix q = integer_gram(random, n, std::max<Index>(1, n / 2));
      const functions::Curvature found = curvature_of(q);
      EXPECT_GE(found.concavity, 0.0);
      EXPECT_LE(found.concavity, 1e-17 * static_cast<double>(n) * q.trace()) << n;
      EXPECT_EQ(found.strong_convexity, 0.0);
    }
  }
}

TEST(Semidefinite, DefiniteAndDominantMatricesArePaidForWithNothing) {
  Random random(402);
  for (const Index n : {2, 10, 100, 600}) {
    RowMajorMatrix q = integer_gram(random, n, n);
    q.diagonal().array() += 1.0;
    EXPECT_EQ(curvature_of(q).concavity, 0.0) << n;
  }
  // The Laplacian of a cycle: singular, rows sum to 0, at any size.
  for (const Index n : {3, 100, 2100}) {
    RowMajorMatrix q = RowMajorMatrix::Zero(n, n);
    for (Index i = 0; i < n; ++i) {
      q(i, i) = 2.0;
      q(i, (i + 1) % n) -= 1.0;
      q((i + 1) % n, i) -= 1.0;
    }
    EXPECT_EQ(curvature_of(q).concavity, 0.0) << n;
  }
}

TEST(Semidefinite, ALargeSparseLaplacianIsAcceptedWithAnyWeights) {
  Random random(403);
  const Index n = 20000;
  Eigen::SparseMatrix<double, Eigen::RowMajor> matrix(n, n);
  std::vector<Eigen::Triplet<double>> entries;
  std::vector<double> diagonal(static_cast<std::size_t>(n), 0.0);
  for (Index i = 0; i < n; ++i) {
    for (const Index j : {(i + 1) % n, (i + 137) % n}) {
      const double weight = std::ldexp(static_cast<double>(random() >> 11), -53) + 0.1;
      const int a = static_cast<int>(i), b = static_cast<int>(j);
      entries.emplace_back(a, b, -weight);
      entries.emplace_back(b, a, -weight);
      diagonal[static_cast<std::size_t>(i)] += weight;  // rounded: the rows sum to 0 only nearly
      diagonal[static_cast<std::size_t>(j)] += weight;
    }
  }
  for (int i = 0; i < n; ++i) entries.emplace_back(i, i, diagonal[static_cast<std::size_t>(i)]);
  matrix.setFromTriplets(entries.begin(), entries.end());
  const CsrMatrix q = to_csr(matrix);
  const functions::Curvature found = functions::prove_semidefinite(q, *sparse_map(q));
  EXPECT_GT(found.concavity, 0.0);
  EXPECT_LT(found.concavity, 1e-13);
}

/// [a c; c b]: the least eigenvalue is (ab - c^2) / ((a+b)/2 + hypot((a-b)/2, c)), without cancellation but in ab
/// - c^2.
long double least_eigenvalue(double a, double b, double c) {
  const long double half = (static_cast<long double>(a) + b) / 2;
  const long double high = half + std::hypot((static_cast<long double>(a) - b) / 2, static_cast<long double>(c));
  // Products of doubles in two parts, exactly.
  const double ab = a * b, cc = c * c;
  const long double determinant =
      (static_cast<long double>(ab) - cc) + (static_cast<long double>(std::fma(a, b, -ab)) - std::fma(c, c, -cc));
  return determinant / high;
}

TEST(Semidefinite, WhatIsProvedIsTrueForAlmostConvexBlocks) {
  Random random(404);
  int accepted = 0, refused = 0, charged = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    const double a = std::exp2(static_cast<double>(static_cast<int>(random() % 80) - 40)) *
                     (1.0 + 1e-3 * static_cast<double>(random() % 999));
    const double b = std::exp2(static_cast<double>(static_cast<int>(random() % 80) - 40)) *
                     (1.0 + 1e-3 * static_cast<double>(random() % 999));
    double c = std::sqrt(a) * std::sqrt(b);
    for (std::uint64_t steps = random() % 6; steps > 0; --steps)
      c = std::nextafter(c, random() % 2 == 0 ? 0.0 : kInfinity);
    const RowMajorMatrix q{{a, c}, {c, b}};
    const long double truth = least_eigenvalue(a, b, c);
    if (is_refused(q)) {
      ++refused;
      EXPECT_LT(truth, 0.0L);  // a matrix that is positive semidefinite is never refused
      continue;
    }
    ++accepted;
    const functions::Curvature found = curvature_of(q);
    if (found.concavity > 0.0) ++charged;
    EXPECT_GE(truth, -static_cast<long double>(found.concavity)) << a << " " << b << " " << c;
  }
  EXPECT_GT(accepted, 1000);
  EXPECT_GT(charged, 100);
  EXPECT_GE(refused, 0);
}

TEST(Semidefinite, IndefiniteByALittleIsRefused) {
  EXPECT_TRUE(is_refused(RowMajorMatrix{{1e12, 0.0}, {0.0, -4e-4}}));
  EXPECT_TRUE(is_refused(RowMajorMatrix{{1.0, 0.0}, {0.0, -1e-300}}));
  EXPECT_TRUE(is_refused(RowMajorMatrix{{1.0, 1e-200}, {1e-200, 0.0}}));
  EXPECT_TRUE(is_refused(RowMajorMatrix{{1.0, 1.0 + 1e-14}, {1.0 + 1e-14, 1.0}}));
  Random random(405);
  for (const Index n : {3, 20, 100, 600}) {
    RowMajorMatrix q = integer_gram(random, n, n - 1);
    q.diagonal().array() -= (n > 500 ? 3e-14 : 3e-15) * static_cast<double>(n) * q.trace();
    EXPECT_TRUE(is_refused(q)) << n;
  }
}

TEST(Semidefinite, LargeMatricesWithoutAProofAreRefusedWithTheRemedy) {
  const Index n = 2500;  // pentadiagonal 1 -4 6 -4 1: positive definite, not dominant
  Eigen::SparseMatrix<double, Eigen::RowMajor> matrix(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = std::max<Index>(0, i - 2); j <= std::min(n - 1, i + 2); ++j)
      matrix.insert(i, j) = std::abs(i - j) == 0 ? 6.0 : (std::abs(i - j) == 1 ? -4.0 : 1.0);
  }
  try {
    quadratic_term(to_csr(matrix), Vector::Zero(n));
    FAIL() << "nothing was refused";
  } catch (const InvalidArgument& error) {
    EXPECT_THAT(error.what(), HasSubstr("a matrix whose convexity can be proved"));
    EXPECT_THAT(error.what(), HasSubstr("as least-squares data"));
  }
}

TEST(Semidefinite, TheExcessCoversTheMinorant) {
  Random random(406);
  const RowMajorMatrix q{{1.0, 1.0}, {1.0, std::nextafter(1.0, 0.0)}};  // least eigenvalue -5.6e-17
  const TermPtr term = quadratic_term(q, Vector::Zero(2));
  for (int trial = 0; trial < 200; ++trial) {
    const Vector y = gaussian(random, 2, 10.0), x = gaussian(random, 2, 100.0);
    Vector d(4);
    d << y, 0.0, 0.0;
    term->repair_dual(d);
    const RealVector step = x.cast<Real>() - y.cast<Real>();
    const Real bend = step.dot(q.cast<Real>() * step) / 2;  // of the function above its linearisation at y
    EXPECT_GE(bend + static_cast<Real>(term->minorant_excess(d, x.norm())), 0.0L);
  }
  EXPECT_GT(term->minorant_excess(Vector::Zero(4), 1.0), 0.0);
  EXPECT_EQ(quadratic_term(RowMajorMatrix::Identity(2, 2), Vector::Zero(2))->minorant_excess(Vector::Zero(4), 1e9),
            0.0);
}

}  // namespace
}  // namespace fcbio::test
