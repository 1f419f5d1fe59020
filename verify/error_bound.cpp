// A Cholesky factorisation of H that runs to its end shows that the least eigenvalue of H is at least
// -(m + 1) u trace(H), u being the unit of long double, and an entry of the Gram matrix is off by at most N u
// times the norms of its two rows.  Both are counted generously in lost_.
#include "error_bound.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>

#include "membership.hpp"

namespace fcbio::verify {
namespace {

constexpr std::size_t kLargestSide = 2000;

const TermView* only_term(const std::vector<TermView>& terms) {
  const TermView* found = nullptr;
  for (const TermView& view : terms) {
    if (view.weight() == 0) continue;
    if (found != nullptr) return nullptr;
    found = &view;
  }
  return found;
}

Real at_most(const Number& number) { return std::abs(number.value) + number.error(); }

/// (Ap)_i - b_i.
std::vector<Number> residuals(const TermView& view, const RealVector& point) {
  std::vector<Number> rows = view.image(point);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Real b = view.target(i);
    rows[i] = {rows[i].value - b, rows[i].magnitude + std::abs(b)};
  }
  return rows;
}

/// A'r; the magnitudes cover the errors of the r_i.
std::vector<Number> pull_back(const TermView& view, const std::vector<Number>& rows) {
  std::vector<Accumulator> sums(view.dimension());
  view.each_entry([&](std::size_t i, std::size_t j, Real a) { sums[j].add(a, rows[i]); });
  std::vector<Number> out(sums.size());
  for (std::size_t j = 0; j < sums.size(); ++j) out[j] = sums[j].number();
  return out;
}

Real norm_at_most(const std::vector<Number>& numbers) {
  Real square = 0;
  for (const Number& number : numbers) square += at_most(number) * at_most(number);
  return std::sqrt(square) * (1 + 1e-9L);
}

using Column = Eigen::Matrix<Real, Eigen::Dynamic, 1>;

Column values(const std::vector<Number>& numbers) {
  Column column(static_cast<Index>(numbers.size()));
  for (std::size_t i = 0; i < numbers.size(); ++i) column[static_cast<Index>(i)] = numbers[i].value;
  return column;
}

}  // namespace

Real holder_deficit(const ClaimedErrorBound& bound, Real gap) {
  if (!(gap > 0)) return gap <= 0 ? 0 : kRealInfinity;
  const Real alpha = bound.alpha;
  return bound.gradient_bound * std::pow(alpha * gap / bound.beta, 1 / alpha);
}

Real depth_in(const Region& region, std::span<const Real> point) {
  return has_interior(region) ? room(region, point) : -kRealInfinity;
}

std::string LeastSquares::misfit(const std::vector<TermView>& lower) {
  const TermView* view = only_term(lower);
  if (view == nullptr || !std::holds_alternative<data::LeastSquares>(view->term().kind))
    return "an error bound can be computed for one least-squares term only";
  if (view->is_weighted()) return "no error bound is computed for least squares with sample weights";
  if (std::min(view->rows(), view->dimension()) > kLargestSide)
    return fmt::format("an error bound is computed only where one side of the data is at most {}", kLargestSide);
  return {};
}

LeastSquares::LeastSquares(const std::vector<TermView>& lower)
    : view_(*only_term(lower)), wide_(view_.rows() <= view_.dimension()) {
  const auto side = static_cast<Index>(std::min(view_.rows(), view_.dimension()));
  const auto length = static_cast<Index>(std::max(view_.rows(), view_.dimension()));
  Matrix lines = Matrix::Zero(side, length);
  view_.each_entry([&](std::size_t i, std::size_t j, Real a) {
    lines(static_cast<Index>(wide_ ? i : j), static_cast<Index>(wide_ ? j : i)) += a;
  });
  gram_ = Matrix::Zero(side, side);
  gram_.selfadjointView<Eigen::Lower>().rankUpdate(lines);
  lost_ = 2 * std::numeric_limits<Real>::epsilon() * static_cast<Real>(length + side + 16) * lines.squaredNorm();
}

bool LeastSquares::proves(double beta) const {
  if (!(beta > 0) || !std::isfinite(beta)) return false;
  Matrix shifted = gram_;
  shifted.diagonal().array() -= beta / view_.weight() * (1 + kRounding) + lost_;
  const Eigen::LLT<Matrix> factor(shifted);
  return factor.info() == Eigen::Success && shifted.allFinite();
}

// Corrections p <- p - A'K^{-1}(Ap - b) move p within the row space, but for what rounding adds (`drift`): the
// point of S nearest to p stays the same.  With more rows than columns it is the only point of S.
LeastSquares::Nearest LeastSquares::nearest(std::span<const Real> x, double beta) const {
  const Real least = beta / view_.weight();
  const Eigen::LLT<Matrix> factor(gram_);
  Nearest found{RealVector(x.begin(), x.end()), kRealInfinity};
  Real drift = 0;
  for (int round = 0; round < 2; ++round) {
    std::vector<Number> rows = residuals(view_, found.point);
    std::vector<Accumulator> moved(found.point.size());
    for (std::size_t j = 0; j < moved.size(); ++j) moved[j].add(found.point[j]);
    if (wide_) {
      const Column step = factor.solve(values(rows));
      view_.each_entry(
          [&](std::size_t i, std::size_t j, Real a) { moved[j].add(-a * step[static_cast<Index>(i)]); });
    } else {
      const Column step = factor.solve(values(pull_back(view_, rows)));
      for (std::size_t j = 0; j < moved.size(); ++j) moved[j].add(-step[static_cast<Index>(j)]);
    }
    Real square = 0;
    for (std::size_t j = 0; j < moved.size(); ++j) {
      const Number number = moved[j].number();
      found.point[j] = number.value;
      square += number.error() * number.error();
    }
    drift += std::sqrt(square);
  }
  const std::vector<Number> rows = residuals(view_, found.point);
  const Real error =
      wide_ ? norm_at_most(rows) / std::sqrt(least) + drift : norm_at_most(pull_back(view_, rows)) / least;
  if (std::isfinite(error)) found.error = error * (1 + 1e-9L);
  return found;
}

}  // namespace fcbio::verify
