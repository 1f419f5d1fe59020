#include "inner/bundle_quadratic.hpp"

#include <cmath>

namespace fcbio {
namespace {

constexpr double kRidge = 1e-13;

}  // namespace

NonnegativeQuadratic::NonnegativeQuadratic(Index capacity)
    : order_(static_cast<std::size_t>(capacity)),
      is_active_(static_cast<std::size_t>(capacity)),
      factor_(capacity, capacity),
      solution_(capacity),
      right_(capacity),
      residual_(capacity) {}

// A new last row of the factor.
void NonnegativeQuadratic::enter(const Eigen::MatrixXd& gram, Index index) {
  const Index i = active_++;
  order_[static_cast<std::size_t>(i)] = index;
  is_active_[static_cast<std::size_t>(index)] = 1;
  for (Index j = 0; j < i; ++j) {
    const double sum = gram(active_at(j), index) - factor_.col(i).head(j).dot(factor_.col(j).head(j));
    factor_(j, i) = sum / factor_(j, j);
  }
  const double pivot = gram(index, index) + kRidge - factor_.col(i).head(i).squaredNorm();
  factor_(i, i) = std::sqrt(std::max(pivot, kRidge));
}

// Row `position` of the factor is dropped; the rows below it, one number too long then, are made triangular again
// by rotations.
void NonnegativeQuadratic::leave(Index position) {
  is_active_[static_cast<std::size_t>(active_at(position))] = 0;
  --active_;
  for (Index i = position; i < active_; ++i) {
    order_[static_cast<std::size_t>(i)] = active_at(i + 1);
    factor_.col(i).head(i + 2) = factor_.col(i + 1).head(i + 2);
  }
  for (Index k = position; k < active_; ++k) {
    const double length = std::hypot(factor_(k, k), factor_(k + 1, k));
    const double cosine = factor_(k, k) / length, sine = factor_(k + 1, k) / length;
    factor_(k, k) = length;
    for (Index i = k + 1; i < active_; ++i) {
      const double left = factor_(k, i), right = factor_(k + 1, i);
      factor_(k, i) = cosine * left + sine * right;
      factor_(k + 1, i) = cosine * right - sine * left;
    }
  }
}

void NonnegativeQuadratic::solve_active(const Vector& right, Vector& out) const {
  for (Index i = 0; i < active_; ++i)
    out[i] = (right[i] - factor_.col(i).head(i).dot(out.head(i))) / factor_(i, i);
  for (Index i = active_ - 1; i >= 0; --i) {
    out[i] /= factor_(i, i);
    out.head(i) -= out[i] * factor_.col(i).head(i);
  }
}

void NonnegativeQuadratic::settle(const Vector& linear, Vector& v) {
  while (active_ > 0) {
    for (Index i = 0; i < active_; ++i) right_[i] = linear[active_at(i)];
    solve_active(right_, solution_);
    double step = 1.0;
    Index blocking = -1;
    for (Index i = 0; i < active_; ++i) {
      const double from = v[active_at(i)];
      const double room = from > 0.0 ? from / (from - solution_[i]) : 0.0;
      if (!(solution_[i] <= 0.0) || !(room < step)) continue;
      step = room;
      blocking = i;
    }
    if (blocking < 0) {
      for (Index i = 0; i < active_; ++i) v[active_at(i)] = solution_[i];
      return;
    }
    double largest = 0.0;
    for (Index i = 0; i < active_; ++i) {
      double& number = v[active_at(i)];
      number = i == blocking ? 0.0 : number + step * (solution_[i] - number);
      largest = std::max(largest, number);
    }
    for (Index i = active_ - 1; i >= 0; --i) {
      double& number = v[active_at(i)];
      if (number > 1e-15 * largest) continue;
      number = 0.0;
      leave(i);
    }
  }
}

void NonnegativeQuadratic::solve(const Eigen::MatrixXd& gram, const Vector& linear, Index size, Vector& v,
                                 bool same_gram) {
  if (!same_gram) {
    active_ = 0;
    std::fill(is_active_.begin(), is_active_.end(), char{0});
  }
  for (Index i = active_ - 1; i >= 0; --i)
    if (active_at(i) >= size || !(v[active_at(i)] > 0.0)) leave(i);
  for (Index j = 0; j < size; ++j)
    if (v[j] > 0.0 && !is_active_[static_cast<std::size_t>(j)]) enter(gram, j);
  settle(linear, v);

  const double tolerance = 1e-12 * std::max(0.0, linear.head(size).maxCoeff());
  const Index most_entries = 3 * size + 20;
  for (Index entries = 0; entries < most_entries && active_ < size; ++entries) {
    residual_.head(size) = linear.head(size);
    for (Index i = 0; i < active_; ++i)
      residual_.head(size) -= v[active_at(i)] * gram.col(active_at(i)).head(size);
    Index entering = -1;
    for (Index j = 0; j < size; ++j)
      if (!is_active_[static_cast<std::size_t>(j)] && residual_[j] > tolerance &&
          (entering < 0 || residual_[j] > residual_[entering]))
        entering = j;
    if (entering < 0) return;
    enter(gram, entering);
    settle(linear, v);
    if (!is_active_[static_cast<std::size_t>(entering)] || v[entering] <= 0.0) return;  // rounding: no gain left
  }
}

}  // namespace fcbio
