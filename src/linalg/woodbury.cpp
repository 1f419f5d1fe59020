#include "linalg/woodbury.hpp"

#include <algorithm>
#include <utility>

#include "linalg/row_products.hpp"

namespace fcbio {
namespace {

constexpr int kRefinements = 2;
constexpr double kRefined = 1e-12;  // residual of a solution, of its right side
// Three solutions, each with a product and a solution of refinement, and a product with H, each 4 n k.
constexpr double kSolutions = 10.0;

}  // namespace

void Woodbury::set(RowMajorMatrix band, RowMajorMatrix columns) {
  if (banded_.size() != band.rows() || banded_.band() + 1 != band.cols())
    banded_ = BandedCholesky(band.rows(), band.cols() - 1);
  if (cholesky_.matrix().rows() != columns.cols()) {
    cholesky_ = Cholesky(columns.cols());
    small_.resize(columns.cols());
  }
  band_ = std::move(band);
  columns_ = std::move(columns);
  factored_ = false;
}

void Woodbury::multiply(VectorIn x, Vector& out) const {
  small_.noalias() = columns_.transpose() * x;
  out.noalias() = columns_ * small_;
  for (Index i = 0; i < size(); ++i) {
    out[i] += band_(i, 0) * x[i];
    for (Index d = 1; d <= std::min(i, banded_.band()); ++d) {
      out[i] += band_(i, d) * x[i - d];
      out[i - d] += band_(i, d) * x[i];
    }
  }
}

double Woodbury::multiply_operations() const {
  return 4.0 * static_cast<double>(size()) * static_cast<double>(rank() + banded_.band() + 1);
}

double Woodbury::operations(Index size, Index rank, Index band) {
  const auto n = static_cast<double>(size), k = static_cast<double>(rank), width = static_cast<double>(band + 1);
  return n * k * k + 2.0 * n * k * width + cholesky_operations(rank) + n * width * width +
         kSolutions * 4.0 * n * (k + width);
}

bool Woodbury::factor(const Vector& diagonal, const std::vector<Index>& free, Watch* watch) {
  factored_ = false;
  diagonal_ = diagonal;
  all_free_ = free.empty();
  is_free_.assign(static_cast<std::size_t>(size()), all_free_);
  for (Index j : free) is_free_[static_cast<std::size_t>(j)] = true;
  RowMajorMatrix& matrix = banded_.matrix();
  matrix = band_;
  matrix.col(0) += diagonal;
  woven_ = columns_;
  for (Index i = 0; i < size(); ++i) {
    if (!is_free(i)) {
      matrix.row(i).setZero();
      matrix(i, 0) = 1.0;
      woven_.row(i).setZero();
    }
    for (Index d = 1; d <= std::min(i, banded_.band()); ++d)
      if (!is_free(i - d)) matrix(i, d) = 0.0;
  }
  if (!banded_.factor()) return false;
  banded_.solve_lower(woven_);
  cholesky_.matrix().setIdentity();
  factored_ = add_weighted_gram({woven_.data(), size(), rank(), rank()}, nullptr, cholesky_.matrix().data(),
                                rank(), watch) &&
              cholesky_.factor(rank(), watch);
  return factored_;
}

void Woodbury::solve(Vector& x) {
  clear_fixed(x);
  right_ = x;
  solve_once(x);
  for (int round = 0; round < kRefinements; ++round) {
    multiply(x, left_);
    left_ = right_ - left_ - diagonal_.cwiseProduct(x);
    clear_fixed(left_);
    if (!(left_.norm() > kRefined * right_.norm())) break;
    solve_once(left_);
    x += left_;
  }
}

void Woodbury::clear_fixed(Vector& x) const {
  if (all_free_) return;
  for (Index i = 0; i < x.size(); ++i)
    if (!is_free(i)) x[i] = 0.0;
}

void Woodbury::solve_once(Vector& x) {
  banded_.solve_lower(VectorOut(x));
  small_.noalias() = woven_.transpose() * x;
  cholesky_.solve(small_);
  x.noalias() -= woven_ * small_;
  banded_.solve_upper(x);
}

}  // namespace fcbio
