// The checker's own error bound of least squares: what it proves, where it finds the nearest minimiser, and that
// lies about either are caught.
#include "error_bound.hpp"

#include <gtest/gtest.h>

#include <Eigen/SVD>

#include "checker.hpp"
#include "known_problems.hpp"

namespace fcbio::verify {
namespace {

using samples::gaussian;
using samples::Generator;
using samples::uniform;

TEST(ErrorBound, ProvesExactlyWhatIsBelowTheLeastEigenvalue) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    Generator random(seed);
    const Index rows = 1 + static_cast<Index>(random() % 12), n = 1 + static_cast<Index>(random() % 12);
    const RowMajorMatrix a = gaussian(random, rows, n);
    const Vector b = gaussian(random, rows), x = gaussian(random, n);
    const double weight = uniform(random, 0.2, 3.0);
    const bool average = seed % 2 == 0;
    const data::Matrix data = seed % 3 == 0 ? data::Matrix{samples::compressed(a)} : data::Matrix{a};
    const std::vector<data::Term> terms{{data::LeastSquares{data, b, average}, weight}};
    const std::vector<TermView> views = term_views(terms, static_cast<std::size_t>(n));
    ASSERT_EQ(LeastSquares::misfit(views), "");
    const LeastSquares squares(views);
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(a, Eigen::ComputeFullU | Eigen::ComputeFullV);
    const double least = svd.singularValues()[std::min(rows, n) - 1];
    const double beta = weight * least * least / (average ? static_cast<double>(rows) : 1.0);
    EXPECT_TRUE(squares.proves(beta * (1 - 1e-9)));
    EXPECT_FALSE(squares.proves(beta * (1 + 1e-9)));
    EXPECT_FALSE(squares.proves(0));
    EXPECT_FALSE(squares.proves(-beta));
    EXPECT_FALSE(squares.proves(kInfinity));
    const LeastSquares::Nearest nearest = squares.nearest(samples::reals(x), 0.9 * beta);
    const Vector naive = x - svd.solve(a * x - b);
    Real off = 0;
    for (Index j = 0; j < n; ++j) off += std::pow(nearest.point[static_cast<std::size_t>(j)] - naive[j], 2.0L);
    EXPECT_LE(std::sqrt(off), 1e-10);
    EXPECT_LE(nearest.error, 1e-12);
  }
}

TEST(ErrorBound, DependentRowsProveNothing) {
  RowMajorMatrix a(2, 3);
  a << 1, 2, 3, 2, 4, 6;
  const std::vector<data::Term> terms{known::on_data<data::LeastSquares>(a, Vector{{1, 2}})};
  const std::vector<TermView> views = term_views(terms, 3);
  EXPECT_FALSE(LeastSquares(views).proves(1e-25));
}

TEST(ErrorBound, DepthIsThatOfTheSet) {
  const RealVector start{0, 0};
  const auto depth = [&](const data::Set& set, Real x, Real y) {
    return static_cast<double>(depth_in(make_region(set, start), RealVector{x, y}));
  };
  const Vector center{{1, 0}};
  EXPECT_NEAR(depth({data::Ball{2, center}, 2}, 1, 1), 1.0, 1e-15);
  EXPECT_NEAR(depth({data::Ball{2, center}, 2}, 1, 3), -1.0, 1e-15);
  EXPECT_NEAR(depth({data::L1Ball{2, center}, 2}, 1, 1), 1 / std::sqrt(2.0), 1e-15);
  EXPECT_NEAR(depth({data::NonnegativeBall{2}, 2}, 0.25, 1), 0.25, 1e-15);
  EXPECT_NEAR(depth({data::NonnegativeBall{2}, 2}, 1.5, 0.5), 2 - std::sqrt(2.5), 1e-15);
  EXPECT_NEAR(depth(known::box(Vector{{-1, -kInfinity}}, Vector{{1, 5}}), 0.5, 4.75), 0.25, 1e-15);
  EXPECT_EQ(depth({data::Simplex{}, 2}, 0.5, 0.5), -kInfinity);
  EXPECT_EQ(depth({data::WholeSpace{2}, 2}, 50, 0.5), kInfinity);
}

TEST(ErrorBound, DeficitGrowsLikeTheRootOfTheGap) {
  EXPECT_NEAR(static_cast<double>(holder_deficit({2, 0.5, 3}, 0.25L)), 3.0, 1e-15);  // 3 sqrt(2 * 0.25 / 0.5)
  EXPECT_NEAR(static_cast<double>(holder_deficit({1, 4, 2}, 6)), 3.0, 1e-15);
  EXPECT_EQ(holder_deficit({2, 1, 1}, 0), 0);
  EXPECT_EQ(holder_deficit({2, 1, 1}, -1), 0);
}

}  // namespace
}  // namespace fcbio::verify
