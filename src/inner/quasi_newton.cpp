#include "inner/quasi_newton.hpp"

#include <algorithm>
#include <cmath>

namespace fcbio {
namespace {

constexpr double kFlat = 1e-13;  // s'y below this share of |s||y| says nothing about curvature
constexpr double kOnSphere = 1e-10;
constexpr int kMostSecularTurns = 60;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

}  // namespace

QuasiNewton::QuasiNewton(Index n, Index memory)
    : n_(n),
      memory_(memory),
      steps_(n, memory),
      upper_changes_(n, memory),
      lower_changes_(n, memory),
      changes_(n, memory),
      s_y_(Vector::Zero(memory)),
      s_s_(s_y_),
      y_y_(s_y_),
      alpha_(s_y_),
      ss_(Eigen::MatrixXd::Zero(memory, memory)),
      sy_(ss_),
      yy_(ss_),
      in_products_(at(memory), false),
      slot_products_(s_y_),
      kernel_(Eigen::MatrixXd::Zero(2 * memory, 2 * memory)),
      wide_products_(kernel_),
      lu_(2 * memory),
      kernel_lu_(2 * memory),
      narrow_(Vector::Zero(2 * memory)),
      solution_(narrow_),
      wide_z_(narrow_),
      inverse_z_(narrow_) {
  order_.reserve(at(memory));
  used_.reserve(at(memory));
}

void QuasiNewton::clear() {
  order_.clear();
  used_.clear();
  std::fill(in_products_.begin(), in_products_.end(), false);
}

Index QuasiNewton::next_slot() {
  if (pairs() < memory_)
    order_.push_back(pairs());
  else
    std::rotate(order_.begin(), order_.begin() + 1, order_.end());
  return order_.back();
}

void QuasiNewton::select() {
  used_.clear();
  for (Index slot : order_)
    if (s_y_[slot] > kFlat * std::sqrt(s_s_[slot] * y_y_[slot])) used_.push_back(slot);
  if (!used_.empty()) sigma_ = s_y_[used_.back()] / s_s_[used_.back()];
}

void QuasiNewton::add(const Weights& weights, VectorIn s, VectorIn y_upper, VectorIn y_lower) {
  const Index slot = next_slot();
  steps_.col(slot) = s;
  upper_changes_.col(slot) = y_upper;
  lower_changes_.col(slot) = y_lower;
  changes_.col(slot) = weights.upper * y_upper + weights.lower * y_lower;
  s_s_[slot] = s.squaredNorm();
  s_y_[slot] = s.dot(changes_.col(slot));
  y_y_[slot] = changes_.col(slot).squaredNorm();
  in_products_[at(slot)] = false;
  select();
}

void QuasiNewton::combine(const Weights& weights) {
  for (Index slot : order_) {
    changes_.col(slot) = weights.upper * upper_changes_.col(slot) + weights.lower * lower_changes_.col(slot);
    s_y_[slot] = steps_.col(slot).dot(changes_.col(slot));
    y_y_[slot] = changes_.col(slot).squaredNorm();
    in_products_[at(slot)] = false;
  }
  select();
}

void QuasiNewton::solve(VectorIn r, VectorOut out) {
  out = r;
  for (auto slot = used_.rbegin(); slot != used_.rend(); ++slot) {
    alpha_[*slot] = steps_.col(*slot).dot(out) / s_y_[*slot];
    out -= alpha_[*slot] * changes_.col(*slot);
  }
  out /= sigma_;
  for (Index slot : used_) {
    const double beta = changes_.col(slot).dot(out) / s_y_[slot];
    out += (alpha_[slot] - beta) * steps_.col(slot);
  }
}

void QuasiNewton::update_inner_products() {
  const Index m = pairs();  // slots 0 .. m-1 are filled
  for (Index slot : order_) {
    if (in_products_[at(slot)]) continue;
    ss_.col(slot).head(m).noalias() = steps_.leftCols(m).transpose() * steps_.col(slot);
    ss_.row(slot).head(m) = ss_.col(slot).head(m).transpose();
    yy_.col(slot).head(m).noalias() = changes_.leftCols(m).transpose() * changes_.col(slot);
    yy_.row(slot).head(m) = yy_.col(slot).head(m).transpose();
    sy_.col(slot).head(m).noalias() = steps_.leftCols(m).transpose() * changes_.col(slot);
    slot_products_.head(m).noalias() = changes_.leftCols(m).transpose() * steps_.col(slot);
    sy_.row(slot).head(m) = slot_products_.head(m).transpose();
    in_products_[at(slot)] = true;
  }
}

void QuasiNewton::build_compact() {
  update_inner_products();
  const Index m = usable();
  for (Index i = 0; i < m; ++i) {
    const Index a = used_[at(i)];
    for (Index j = 0; j < m; ++j) {
      const Index b = used_[at(j)];
      kernel_(i, j) = sigma_ * ss_(a, b);
      kernel_(i, m + j) = i > j ? sy_(a, b) : 0.0;  // strictly lower part of S'Y
      kernel_(m + j, i) = kernel_(i, m + j);
      kernel_(m + i, m + j) = i == j ? -sy_(a, a) : 0.0;
      wide_products_(i, j) = sigma_ * sigma_ * ss_(a, b);
      wide_products_(i, m + j) = sigma_ * sy_(a, b);
      wide_products_(m + j, i) = sigma_ * sy_(a, b);
      wide_products_(m + i, m + j) = yy_(a, b);
    }
  }
  kernel_lu_.matrix(2 * m) = kernel_.topLeftCorner(2 * m, 2 * m);
  kernel_lu_.factorize();
}

void QuasiNewton::project_on_pairs(VectorIn r) {
  const Index filled = pairs(), m = usable();
  slot_products_.head(filled).noalias() = steps_.leftCols(filled).transpose() * r;
  for (Index i = 0; i < m; ++i) narrow_[i] = sigma_ * slot_products_[used_[at(i)]];
  slot_products_.head(filled).noalias() = changes_.leftCols(filled).transpose() * r;
  for (Index i = 0; i < m; ++i) narrow_[m + i] = slot_products_[used_[at(i)]];
}

void QuasiNewton::add_pairs(double scale, VectorOut out) const {
  const Index m = usable();
  for (Index i = 0; i < m; ++i) {
    const Index slot = used_[at(i)];
    out += (scale * sigma_ * solution_[i]) * steps_.col(slot) + (scale * solution_[m + i]) * changes_.col(slot);
  }
}

void QuasiNewton::solve_shifted(double shift) {
  const Index size = 2 * usable();
  lu_.matrix(size) =
      (sigma_ + shift) * kernel_.topLeftCorner(size, size) - wide_products_.topLeftCorner(size, size);
  lu_.factorize();
  solution_.head(size) = narrow_.head(size);
  lu_.solve(solution_.head(size));
}

void QuasiNewton::multiply(VectorIn v, VectorOut out) {
  out = sigma_ * v;
  const Index size = 2 * usable();
  if (size == 0) return;
  project_on_pairs(v);
  solution_.head(size) = narrow_.head(size);
  kernel_lu_.solve(solution_.head(size));
  add_pairs(-1.0, out);
}

// z(nu) = (B + nu I)^{-1} r shortens as nu grows, and 1/|z(nu)| is concave and nearly linear: Newton's method on
// it, from nu = 0, approaches the root from the left without overshooting.  All in the 2m numbers W z:
//   d|z|^2/dnu = -2 z'(B + nu I)^{-1} z,   so   nu <- nu + |z|^2 / z'(B + nu I)^{-1} z * (|z| - radius)/radius.
void QuasiNewton::solve_in_ball(VectorIn r, double radius, VectorOut out) {
  if (usable() == 0) {
    out = r / sigma_;
    if (const double length = out.norm(); length > radius) out *= radius / length;
    return;
  }
  project_on_pairs(r);
  const Index size = 2 * usable();
  const auto q = narrow_.head(size), c = solution_.head(size);
  auto wz = wide_z_.head(size), inverse = inverse_z_.head(size);
  const double rr = r.squaredNorm();
  const double most = std::sqrt(rr) / radius;  // (B + nu)^{-1} has norm at most 1/nu
  double nu = 0.0;
  for (int turn = 0; turn < kMostSecularTurns; ++turn) {
    const double a = sigma_ + nu;
    solve_shifted(nu);
    wz.noalias() = wide_products_.topLeftCorner(size, size) * c;
    const double squared = (rr + 2.0 * q.dot(c) + c.dot(wz)) / (a * a);  // |z|^2
    const double length = std::sqrt(std::max(squared, 0.0));
    if (!(length > radius * (1.0 + kOnSphere))) break;
    wz = (wz + q) / a;  // W z
    inverse = wz;
    lu_.solve(inverse);
    const double slope = (squared + wz.dot(inverse)) / a;  // z'(B + nu I)^{-1} z
    const double next = nu + squared / slope * (length - radius) / radius;
    if (!(next > nu && next <= most)) {  // rounding
      nu = most;
      solve_shifted(nu);
      break;
    }
    nu = next;
  }
  out = r / (sigma_ + nu);
  add_pairs(1.0 / (sigma_ + nu), out);
  if (const double reached = out.norm(); reached > radius) out *= radius / reached;
}

void QuasiNewton::prepare_free(const std::vector<Index>& free) {
  const Index m = usable(), count = static_cast<Index>(free.size());
  if (m == 0) return;
  if (free_wide_.size() == 0) free_wide_.resize(n_, 2 * memory_);
  for (Index i = 0; i < m; ++i) {
    const auto s = steps_.col(used_[at(i)]);
    const auto y = changes_.col(used_[at(i)]);
    for (Index j = 0; j < count; ++j) {
      free_wide_(j, i) = sigma_ * s[free[at(j)]];
      free_wide_(j, m + i) = y[free[at(j)]];
    }
  }
  auto matrix = lu_.matrix(2 * m);
  for (Index i = 0; i < 2 * m; ++i) {
    matrix.col(i).noalias() = -free_wide_.topLeftCorner(count, 2 * m).transpose() * free_wide_.col(i).head(count);
    matrix.col(i) += sigma_ * kernel_.col(i).head(2 * m);
  }
  lu_.factorize();
}

// (B_FF)^{-1} r = ( r + W_F' (sigma K - W_F W_F')^{-1} W_F r ) / sigma.
void QuasiNewton::solve_free(const std::vector<Index>& free, VectorIn r, VectorOut out) {
  out = r / sigma_;
  const Index size = 2 * usable(), count = static_cast<Index>(free.size());
  if (size == 0) return;
  const auto wide = free_wide_.topLeftCorner(count, size);
  solution_.head(size).noalias() = wide.transpose() * r;
  lu_.solve(solution_.head(size));
  solution_.head(size) /= sigma_;
  out.noalias() += wide * solution_.head(size);
}

}  // namespace fcbio
