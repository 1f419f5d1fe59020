#include "inner/quasi_newton.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/at.hpp"
#include "linalg/row_products.hpp"

namespace fcbio {
namespace {

constexpr double kNoCurvature = 1e-13;  // s'y below this share of |s||y| says nothing about curvature
constexpr double kOnSphere = 1e-10;
constexpr int kMostSecularTurns = 60;
constexpr double kBefore = 0.8;    // of the last multiplier of the ball: where the next search begins
constexpr Index kMostInBall = 30;  // pairs

/// Multiplications of the factorisation of a square matrix.
double factorization(Index size) {
  const auto rows = static_cast<double>(size);
  return rows * rows * rows / 3.0;
}
double product(Index rows, Index columns) { return static_cast<double>(rows) * static_cast<double>(columns); }

}  // namespace

QuasiNewton::QuasiNewton(Index n, Index memory)
    : n_(n),
      memory_(memory),
      s_y_(Vector::Zero(memory)),
      s_s_(s_y_),
      y_y_(s_y_),
      known_(at(memory), false),
      by_steps_{s_y_, s_y_, s_y_, s_y_},
      by_changes_{s_y_, s_y_, s_y_, s_y_} {
  order_.reserve(at(memory));
  used_.reserve(at(memory));
}

void QuasiNewton::make_room() {
  if (steps_.cols() == memory_) return;
  for (Eigen::MatrixXd* vectors : {&steps_, &upper_changes_, &lower_changes_, &changes_}) vectors->resize(n_, memory_);
  for (Eigen::MatrixXd* products : {&ss_, &sy_, &yy_})
    if (products->size() == 0) products->setZero(memory_, memory_);
  for (Eigen::MatrixXd* compact : {&kernel_, &wide_products_}) compact->setZero(2 * memory_, 2 * memory_);
  for (SmallLu* lu : {&lu_, &kernel_lu_}) *lu = SmallLu(2 * memory_);
  for (Vector* numbers : {&on_r_, &on_v_, &right_, &solution_, &on_z_, &inverse_z_}) numbers->setZero(2 * memory_);
}

void QuasiNewton::clear() {
  last_nu_ = 0.0;
  order_.clear();
  used_.clear();
}

void QuasiNewton::archive(Archive& archive) {
  archive(sigma_, s_y_, s_s_, y_y_, order_, used_, ss_, sy_, yy_, known_, last_nu_, operations_);
  if (pairs() > 0) make_room();
  for (Eigen::MatrixXd* vectors : {&steps_, &upper_changes_, &lower_changes_, &changes_})
    archive.leading_columns(*vectors, pairs());
}

Index QuasiNewton::next_slot() {
  make_room();
  if (pairs() < memory_)
    order_.push_back(pairs());
  else
    std::rotate(order_.begin(), order_.begin() + 1, order_.end());
  return order_.back();
}

void QuasiNewton::select() {
  used_.clear();
  for (Index slot : order_)
    if (s_y_[slot] > kNoCurvature * std::sqrt(s_s_[slot] * y_y_[slot])) used_.push_back(slot);
  if (!used_.empty()) sigma_ = s_y_[used_.back()] / s_s_[used_.back()];
}

void QuasiNewton::add(const Weights& weights, VectorIn s, VectorIn y_upper, VectorIn y_lower) {
  add(weights, 1.0, s, {y_upper.data(), nullptr}, {y_lower.data(), nullptr});
}

void QuasiNewton::add(const Weights& weights, double length, VectorIn direction, const GradientChange& upper,
                      const GradientChange& lower) {
  const Index slot = next_slot();
  const PairSums sums = write_pair(length, direction, upper, lower, weights.upper, weights.lower,
                                   {steps_.col(slot).data(), upper_changes_.col(slot).data(),
                                    lower_changes_.col(slot).data(), changes_.col(slot).data()});
  s_s_[slot] = sums.pp;
  s_y_[slot] = sums.pq;
  y_y_[slot] = sums.qq;
  known_[at(slot)] = false;
  select();
}

void QuasiNewton::combine(const Weights& weights) {
  for (Index slot : order_) {
    changes_.col(slot) = weights.upper * upper_changes_.col(slot) + weights.lower * lower_changes_.col(slot);
    s_y_[slot] = steps_.col(slot).dot(changes_.col(slot));
    y_y_[slot] = changes_.col(slot).squaredNorm();
    known_[at(slot)] = false;
  }
  select();
}

void QuasiNewton::store_products(Index slot) {
  const Index m = pairs();
  ss_.col(slot).head(m) = by_steps_[0].head(m);
  ss_.row(slot).head(m) = by_steps_[0].head(m).transpose();
  sy_.row(slot).head(m) = by_changes_[0].head(m).transpose();
  sy_.col(slot).head(m) = by_steps_[1].head(m);
  yy_.col(slot).head(m) = by_changes_[1].head(m);
  yy_.row(slot).head(m) = by_changes_[1].head(m).transpose();
  known_[at(slot)] = true;
}

void QuasiNewton::project(const double* s, const double* y, const double* r, const double* v) {
  tall_inner_products({steps_.data(), n_, pairs(), n_}, {s, y, r, v}, by_steps_);
  tall_inner_products({changes_.data(), n_, pairs(), n_}, {s, y, r, v}, by_changes_);
  for (const double* vector : {s, y, r, v})
    if (vector != nullptr) count(product(2 * pairs(), n_));
}

void QuasiNewton::update_products(bool newest_too) {
  for (Index slot : order_) {
    if (known_[at(slot)] || (slot == order_.back() && !newest_too)) continue;
    project(steps_.col(slot).data(), changes_.col(slot).data(), nullptr, nullptr);
    store_products(slot);
  }
}

void QuasiNewton::project(const double* r, const double* v) {
  update_products(false);
  const Index newest = order_.back(), size = 2 * usable();
  if (known_[at(newest)]) {
    project(nullptr, nullptr, r, v);
  } else {
    project(steps_.col(newest).data(), changes_.col(newest).data(), r, v);
    store_products(newest);
  }
  gather(by_steps_[2], by_changes_[2], on_r_.head(size));
  if (v != nullptr) gather(by_steps_[3], by_changes_[3], on_v_.head(size));
}

void QuasiNewton::solve(VectorIn r, VectorOut out, double scale) {
  const Index m = usable();
  if (m == 0) {
    out = (scale / sigma_) * r;
    return;
  }
  project(r.data(), nullptr);
  const double gamma = 1.0 / sigma_;
  auto onto_steps = solution_.head(m);          // R^{-1} S'r
  auto coefficients = solution_.segment(m, m);  // of S
  for (Index i = m - 1; i >= 0; --i) {
    double sum = on_r_[i] / sigma_;  // the projection carries sigma
    for (Index j = i + 1; j < m; ++j) sum -= sy_(used_[at(i)], used_[at(j)]) * onto_steps[j];
    onto_steps[i] = sum / s_y_[used_[at(i)]];
  }
  for (Index i = 0; i < m; ++i) {  // R^{-T} ( (D + gamma Y'Y) R^{-1} S'r - gamma Y'r )
    double sum = s_y_[used_[at(i)]] * onto_steps[i] - gamma * on_r_[m + i];
    for (Index j = 0; j < m; ++j) sum += gamma * yy_(used_[at(i)], used_[at(j)]) * onto_steps[j];
    for (Index j = 0; j < i; ++j) sum -= sy_(used_[at(j)], used_[at(i)]) * coefficients[j];
    coefficients[i] = sum / s_y_[used_[at(i)]];
  }
  right_.head(m) = coefficients / sigma_;  // W carries sigma
  right_.segment(m, m) = -gamma * onto_steps;
  combine_pairs(scale, right_.head(2 * m), scale * gamma, r, 0.0, r, out);
}

void QuasiNewton::build_compact() {
  update_products(true);
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
  kernel_is_factorized_ = false;
}

void QuasiNewton::gather(const Vector& on_steps, const Vector& on_changes, VectorOut on_pairs) const {
  const Index m = usable();
  for (Index i = 0; i < m; ++i) {
    on_pairs[i] = sigma_ * on_steps[used_[at(i)]];
    on_pairs[m + i] = on_changes[used_[at(i)]];
  }
}

void QuasiNewton::combine_pairs(double scale, VectorIn coefficients, double p_weight, VectorIn p, double q_weight,
                                VectorIn q, VectorOut out) {
  const Index filled = pairs(), m = usable();
  Vector &of_steps = by_steps_[0], &of_changes = by_changes_[0];
  of_steps.setZero();
  of_changes.setZero();
  for (Index i = 0; i < m; ++i) {
    of_steps[used_[at(i)]] = scale * sigma_ * coefficients[i];
    of_changes[used_[at(i)]] = scale * coefficients[m + i];
  }
  tall_combination({p_weight,
                    q_weight,
                    p.data(),
                    q.data(),
                    {steps_.data(), n_, filled, n_},
                    {changes_.data(), n_, filled, n_},
                    of_steps.data(),
                    of_changes.data()},
                   out.data());
  count(product(2 * filled, n_));
}

void QuasiNewton::factorize_shifted(double shift) {
  const Index size = 2 * usable();
  lu_.matrix(size) =
      (sigma_ + shift) * kernel_.topLeftCorner(size, size) - wide_products_.topLeftCorner(size, size);
  lu_.factorize();
  count(factorization(size));
}

void QuasiNewton::multiply(VectorIn v, VectorOut out) {
  const Index size = 2 * usable();
  if (size == 0) {
    out = sigma_ * v;
    return;
  }
  if (!kernel_is_factorized_) {
    kernel_lu_.matrix(size) = kernel_.topLeftCorner(size, size);
    kernel_lu_.factorize();
    count(factorization(size));
    kernel_is_factorized_ = true;
  }
  project(v.data(), nullptr);
  solution_.head(size) = on_r_.head(size);
  kernel_lu_.solve(solution_.head(size));
  combine_pairs(-1.0, solution_.head(size), sigma_, v, 0.0, v, out);
}

// d(nu) = -(B + nu I)^{-1} (r + nu v) and z = v + d shortens as nu grows; 1/|z(nu)| is concave and nearly linear:
// Newton's method on it, from nu = 0, approaches the root from the left without overshooting,
//   nu <- nu + |z|^2 / z'(B + nu I)^{-1} z * (|z| - radius)/radius.
// All of it happens in the 2m numbers W r, W v; the vectors themselves are read and written once.
void QuasiNewton::solve_in_ball(VectorIn r, VectorIn v, double radius, VectorOut out) {
  // Each nu is a factorisation of 2m x 2m numbers: beyond this it would cost more than a step saves.  The next
  // add() takes the others in again.
  if (usable() > kMostInBall) used_.erase(used_.begin(), used_.end() - kMostInBall);
  const Index size = 2 * usable();
  const auto [vv, vr, rr] = pair_sums(v, r);
  if (size > 0) project(r.data(), v.data());
  build_compact();
  const auto on_v = on_v_.head(size);
  auto on_h = right_.head(size), e = solution_.head(size), on_z = on_z_.head(size),
       inverse = inverse_z_.head(size);
  const auto products = wide_products_.topLeftCorner(size, size);
  double nu = kBefore * last_nu_;  // nearly the same as in the last step, and from the left
  for (int turn = 0;; ++turn) {
    const double a = sigma_ + nu;
    on_h = on_r_.head(size) + nu * on_v;  // W h,  h = r + nu v
    factorize_shifted(nu);
    e = -on_h;
    lu_.solve(e);  // d = (-h + W'e) / a
    on_z.noalias() = products * e;
    const double hh = rr + 2.0 * nu * vr + nu * nu * vv;
    const double vd = (on_v.dot(e) - vr - nu * vv) / a;
    const double dd = (hh - 2.0 * on_h.dot(e) + e.dot(on_z)) / (a * a);
    const double squared = vv + 2.0 * vd + dd;  // |z|^2
    const double length = std::sqrt(std::max(squared, 0.0));
    const bool outside = length > radius * (1.0 + kOnSphere);
    if (!outside && turn == 0 && nu > 0.0) {  // the root lies further to the left
      nu = 0.0;
      continue;
    }
    if (!outside || turn == kMostSecularTurns) break;
    on_z = on_v + (on_z - on_h) / a;  // W z
    inverse = on_z;
    lu_.solve(inverse);
    const double slope = (squared + on_z.dot(inverse)) / a;  // z'(B + nu I)^{-1} z
    const double next = nu + squared / slope * (length - radius) / radius;
    if (!(next > nu && std::isfinite(next))) break;  // rounding: the caller pulls the point back
    nu = next;
  }
  last_nu_ = nu;
  const double a = sigma_ + nu;
  combine_pairs(1.0 / a, e, -1.0 / a, r, -nu / a, v, out);
}

void QuasiNewton::prepare_free(const std::vector<Index>& free, double nu) {
  free_sigma_ = sigma_ + nu;
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
  for (Index i = 0; i < 2 * m; ++i) matrix.col(i) = free_sigma_ * kernel_.col(i).head(2 * m);
  const RowBlock pairs{free_wide_.data(), 2 * m, count, free_wide_.outerStride()};
  add_row_products(pairs, pairs, -1.0, true, matrix.data(), matrix.outerStride());  // column i has row i, up to i
  for (Index i = 1; i < 2 * m; ++i) matrix.row(i).head(i) = matrix.col(i).head(i).transpose();
  lu_.factorize();
  QuasiNewton::count(product(2 * m, 2 * m) * static_cast<double>(count) + factorization(2 * m));
}

// With sigma + nu for sigma:  (B_FF)^{-1} r = ( r + W_F' (sigma K - W_F W_F')^{-1} W_F r ) / sigma.
void QuasiNewton::solve_free(const std::vector<Index>& free, VectorIn r, VectorOut out) {
  out = r / free_sigma_;
  const Index size = 2 * usable(), count = static_cast<Index>(free.size());
  if (size == 0) return;
  const auto wide = free_wide_.topLeftCorner(count, size);
  solution_.head(size).noalias() = wide.transpose() * r;
  lu_.solve(solution_.head(size));
  solution_.head(size) /= free_sigma_;
  out.noalias() += wide * solution_.head(size);
}

}  // namespace fcbio
