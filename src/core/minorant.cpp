#include "core/minorant.hpp"

#include <utility>

#include "linalg/sweeps.hpp"

namespace fcbio {

MinorantAverage::MinorantAverage(const Function& function)
    : function_(&function),
      slope_(Vector::Zero(function.dimension())),
      points_(Vector::Zero(function.exact_curvature() > 0.0 ? function.dimension() : 0)),
      sums_(function.make_duals()),
      normalized_(function.make_duals()) {}

void MinorantAverage::clear() {
  weight_ = 0.0;
  slope_.setZero();
  points_.setZero();
  for (Vector& sum : sums_) sum.setZero();
}

void MinorantAverage::blend(double keep, double weight, const Linearization& at_y, VectorIn y) {
  weight_ = keep * weight_ + weight;
  fcbio::blend(keep, slope_, weight, at_y.gradient, slope_);
  if (points_.size() > 0) fcbio::blend(keep, points_, weight, y, points_);
  for (std::size_t i = 0; i < sums_.size(); ++i) fcbio::blend(keep, sums_[i], weight, at_y.duals[i], sums_[i]);
}

const PartVectors& MinorantAverage::duals() const {
  const auto& parts = function_->parts();
  for (std::size_t i = 0; i < sums_.size(); ++i) {
    normalized_[i] = sums_[i] / weight_;
    // Where a dual carries numbers derived from the rest, the average is consistent by linearity, and
    // recomputing them would cost a pass; the final proof does that.
    if (parts[i].term->witness_size() == parts[i].term->dual_size()) parts[i].term->repair_dual(normalized_[i]);
  }
  return normalized_;
}

double MinorantAverage::constant() const {
  const PartVectors& normalized = duals();
  double sum = 0.0;
  for (std::size_t i = 0; i < normalized.size(); ++i)
    sum += function_->parts()[i].weight * function_->parts()[i].term->dual_constant(normalized[i]);
  return sum;
}

double MinorantAverage::combine(double a_scale, const MinorantAverage* a, double b_scale, const MinorantAverage* b,
                                VectorOut slope) {
  if (a == nullptr) return combine(b_scale, b, 0.0, nullptr, slope);
  const MinorantAverage* other = b != nullptr ? b : a;
  fcbio::blend(a_scale / a->weight_, a->slope_, b != nullptr ? b_scale / b->weight_ : 0.0, other->slope_, slope);
  double constant = a_scale * a->constant();
  if (b != nullptr) constant += b_scale * b->constant();
  // A term m/2 |x - c|^2 has gradient m (y - c): taking m y away leaves the slope -m c that goes with its
  // curvature.
  for (const auto& [scale, average] : {std::pair{a_scale, a}, std::pair{b_scale, b}})
    if (average != nullptr && average->points_.size() > 0)
      slope -= (scale * average->function_->exact_curvature() / average->weight_) * average->points_;
  return constant;
}

double minimum_over_domain(Oracle& oracle, double constant, double curvature, VectorIn slope, Vector& point,
                           Vector& residual) {
  if (curvature <= 0.0) return constant + oracle.linear_lower_bound(slope);
  point = slope / -curvature;
  oracle.project_where_bounded(point);
  residual = slope + curvature * point;
  return constant - 0.5 * curvature * point.squaredNorm() + oracle.linear_lower_bound(residual);
}

MinorantBounds::MinorantBounds(const Problem& problem)
    : slope_(Vector::Zero(problem.dimension())), point_(slope_), residual_(slope_) {}

double MinorantBounds::minimum(Oracle& oracle, const MinorantAverage& average) {
  const double constant = MinorantAverage::combine(1.0, &average, 0.0, nullptr, slope_);
  return minimum_over_domain(oracle, constant, average.function().exact_curvature(), slope_, point_, residual_);
}

double MinorantBounds::lagrangian(Oracle& oracle, const MinorantAverage& upper, double mu,
                                  const MinorantAverage& lower) {
  const double constant = MinorantAverage::combine(1.0, &upper, mu, mu > 0.0 ? &lower : nullptr, slope_);
  const double curvature =
      upper.function().exact_curvature() + (mu > 0.0 ? mu * lower.function().exact_curvature() : 0.0);
  return minimum_over_domain(oracle, constant, curvature, slope_, point_, residual_);
}

}  // namespace fcbio
