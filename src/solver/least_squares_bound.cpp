#include "solver/least_squares_bound.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "functions/distributed_term.hpp"
#include "functions/rounding.hpp"
#include "linalg/row_products.hpp"
#include "sets/checks.hpp"

namespace fcbio {
namespace {

using functions::rounding_factor;

constexpr double kGenerous = 1.001;  // covers the rounding of bounds that are computed from bounds
constexpr int kInverseIterations = 30, kRoughIterations = 4;    // for the estimate only
constexpr double kRoughShare = 0.5;                             // of an estimate that may be too large
constexpr double kShares[] = {0.99, 0.9, 0.7, 0.4, 0.1, 0.01};  // of the estimate, tried as shifts

const Function::Part* only_part(const Function& function) {
  const Function::Part* found = nullptr;
  for (const Function::Part& part : function.parts()) {
    if (part.weight == 0.0) continue;
    if (found != nullptr) return nullptr;
    found = &part;
  }
  return found;
}

std::int64_t passes_of(double operations, const LinearMap& map) {
  return static_cast<std::int64_t>(std::ceil(operations / (2.0 * static_cast<double>(map.numbers()))));
}

}  // namespace

std::string LeastSquaresBound::misfit(const Problem& problem) {
  const Function::Part* part = only_part(problem.lower());
  if (part == nullptr) return "a lower function of several terms";
  if (functions::distributed_part(problem) != nullptr)
    return "rows on many ranks, of which it needs all in one place (start the program without mpirun)";
  if (part->term->name() != "least-squares" || part->term->map() == nullptr)
    return fmt::format("the lower function '{}'", part->term->name());
  const LinearMap& map = *part->term->map();
  if (!map.copy_rows(nullptr)) return "least squares with data that is known by its products only";
  if (std::min(map.rows(), map.cols()) > kLargestSide || map.rows() > kLargestData / map.cols())
    return fmt::format(
        "least squares with data of {} x {}, and its smallest singular value is computed only where one side has "
        "at most {} and all of it at most {} numbers",
        map.rows(), map.cols(), kLargestSide, kLargestData);
  return {};
}

LeastSquaresBound::LeastSquaresBound(Oracle& oracle, Effort effort)
    : oracle_(oracle),
      part_(*only_part(oracle.problem().lower())),
      map_(*part_.term->map()),
      wide_(map_.rows() <= map_.cols()),
      size_(std::min(map_.rows(), map_.cols())),
      frobenius_(map_.frobenius_bound()),
      cholesky_(size_) {
  Monitor& monitor = oracle_.monitor();
  interrupted_ = !monitor.may_spend(size_);
  if (interrupted_) return;
  RowMajorMatrix rows;
  map_.copy_rows(&rows);
  if (!wide_) rows = RowMajorMatrix(rows.transpose());
  gram_ = RowMajorMatrix::Zero(size_, size_);
  const RowBlock block{rows.data(), rows.rows(), rows.cols(), rows.cols()};
  interrupted_ = !add_row_products(block, block, 1.0, true, gram_.data(), size_, &monitor);
  if (interrupted_) return;
  oracle_.charge(Level::lower, size_);

  if (!factor(0.0)) return;
  const int iterations = effort == Effort::full ? kInverseIterations : kRoughIterations;
  const std::int64_t solves =
      passes_of(2.0 * iterations * static_cast<double>(size_) * static_cast<double>(size_), map_);
  interrupted_ = !monitor.may_spend(solves);
  if (interrupted_) return;
  oracle_.charge(Level::lower, solves);
  const double estimated = estimate(iterations);
  const double lost =
      kGenerous * (rounding_factor(rows.cols() + size_ + 8) * frobenius_ * frobenius_ + functions::kUnderflow);
  for (const double share : kShares) {
    if (effort == Effort::rough && share > kRoughShare) continue;
    const double shift = share * estimated;
    if (!(shift > 2.0 * lost)) break;  // not clearly above rounding
    if (factor(shift)) {
      least_ = shift - kGenerous * lost;
      beta_ = part_.weight * least_ * (1.0 - 8.0 * kEpsilon);
      break;
    }
    if (interrupted_) return;
  }
  if (effort == Effort::full && beta_ > 0.0 && !factor(0.0)) beta_ = 0.0;  // what nearest() solves with
  gram_.resize(0, 0);
}

// K - shift I.
bool LeastSquaresBound::factor(double shift) {
  const std::int64_t cost = passes_of(cholesky_operations(size_), map_);
  interrupted_ = !oracle_.monitor().may_spend(cost);
  if (interrupted_) return false;
  cholesky_.matrix() = gram_;
  cholesky_.matrix().diagonal().array() -= shift;
  oracle_.charge(Level::lower, cost);
  const bool factored = cholesky_.factor(size_, &oracle_.monitor());
  interrupted_ = oracle_.monitor().stopped();
  return factored && !interrupted_;
}

// 1 / |K^{-1} v| for a unit vector v that inverse iteration turns towards the least eigenvector: from above.
double LeastSquaresBound::estimate(int iterations) const {
  Vector v(size_);
  for (Index i = 0; i < size_; ++i) v[i] = 1.0 + 0.5 * std::sin(static_cast<double>(7 * i + 1));
  double estimated = kInfinity;
  for (int iteration = 0; iteration < iterations; ++iteration) {
    v /= v.norm();
    cholesky_.solve(v);
    if (!v.allFinite() || v.norm() == 0.0) return 0.0;
    estimated = std::min(estimated, 1.0 / v.norm());
  }
  return estimated;
}

std::int64_t LeastSquaresBound::nearest_cost(const Problem& problem) {
  const LinearMap& map = *only_part(problem.lower())->term->map();
  return 2 * kRounds + (map.rows() <= map.cols() ? 1 : 2);
}

// A correction p <- p - A'K^{-1}(Ap - b), or p - K^{-1}A'(Ap - b), leaves the component of p in the null space of
// A alone but for rounding (`drift`), so that the point of S nearest to p stays the one nearest to x.  How far it
// is from p follows from the last residual:  |Ap - b| / s,  or  |A'(Ap - b)| / s^2.
LeastSquaresBound::Nearest LeastSquaresBound::nearest(VectorIn x) {
  const Term& term = *part_.term;
  Nearest found{x, kInfinity};
  Vector image(map_.rows()), residual(map_.rows()), step(map_.cols());
  double drift = 0.0;
  const auto evaluate = [&] {
    map_.apply(found.point, image);
    term.linear_dual(found.point, image, residual);  // Ap - b
  };
  const auto pull_back = [&] {
    step.setZero();
    map_.add_transpose(1.0, residual, step);
  };
  for (int round = 0; round < kRounds; ++round) {
    evaluate();
    if (wide_) {
      cholesky_.solve(residual);
      pull_back();
      drift += term.slope_rounding(residual);
    } else {
      pull_back();
      cholesky_.solve(step);
    }
    found.point -= step;
    drift += 2.0 * kEpsilon * (sets::norm_of(found.point) + sets::norm_of(step));
  }
  evaluate();
  const double residual_error = rounding_factor(map_.longest_sum() + 4) * frobenius_ * sets::norm_of(found.point) +
                                kEpsilon * sets::norm_of(residual);
  double distance = 0.0;
  if (wide_) {
    distance = (sets::norm_of(residual) + residual_error) / std::sqrt(least_);
  } else {
    pull_back();
    drift = 0.0;  // there is no null space
    distance = (sets::norm_of(step) + term.slope_rounding(residual) + frobenius_ * residual_error) / least_;
  }
  oracle_.charge(Level::lower, nearest_cost(oracle_.problem()));
  const double error = kGenerous * (distance + drift) + functions::kUnderflow;
  found.error = std::isfinite(error) ? error : kInfinity;
  return found;
}

}  // namespace fcbio
