// phi(u) = sum_i h(u_i, b_i) for a nonnegative convex scalar function h: one loop for all of them.
//
// A Kernel says what h is.  Its members, for one entry u with target or label b:
//   kName                      as in the problem file
//   kTwiceDifferentiable       whether curvature() means something
//   value, derivative, curvature
//   nearest_dual(r, b)         the nearest r in the domain of the conjugate; NaN goes to an end of a bounded one
//   conjugate(r, b)            h*(r) = max over u of r u - h(u, b), finite on that domain
//   smoothness()               Lipschitz constant of the derivative, or empty
//   steepest(u, b, radius)     at least |derivative| over [u - radius, u + radius]; may be infinite
// value and conjugate must have a relative error of at most kKernelRoundings roundings (no cancellation inside),
// so that |computed sum - sum| <= rounding_factor(sum_depth(m) + kKernelRoundings) * sum |h|.
#pragma once

#include <cmath>
#include <optional>
#include <utility>

#include "functions/rounded_loss.hpp"
#include "functions/rounding.hpp"

namespace fcbio::functions {

inline constexpr Index kKernelRoundings = 12;

template <class Kernel>
class SeparableLoss final : public RoundedLoss {
 public:
  SeparableLoss(Vector targets, Kernel kernel) : targets_(std::move(targets)), kernel_(kernel) {}

  std::string_view name() const override { return Kernel::kName; }
  Index size() const override { return targets_.size(); }

  double value(VectorIn u) const override {
    return sum_of(size(), [&, p = u.data(), b = targets_.data()](Index i) { return kernel_.value(p[i], b[i]); });
  }
  void derivative(VectorIn u, VectorOut r) const override {
    for (Index i = 0; i < size(); ++i) r[i] = kernel_.derivative(u[i], targets_[i]);
  }
  bool curvature(VectorIn u, VectorOut w) const override {
    if (!Kernel::kTwiceDifferentiable) return false;
    for (Index i = 0; i < size(); ++i) w[i] = kernel_.curvature(u[i], targets_[i]);
    return true;
  }

  void make_dual_feasible(VectorOut r) const override {
    for (Index i = 0; i < size(); ++i) r[i] = kernel_.nearest_dual(r[i], targets_[i]);
  }
  double conjugate(VectorIn r) const override {
    return sum_of(size(),
                  [&, p = r.data(), b = targets_.data()](Index i) { return kernel_.conjugate(p[i], b[i]); });
  }

  std::optional<double> smoothness() const override { return kernel_.smoothness(); }

  /// The smaller of |phi'(centre)| + smoothness * radius and the norm of the entrywise bounds.
  std::optional<double> lipschitz(VectorIn centre, double radius) const override {
    const double* p = centre.data();
    const double* b = targets_.data();
    double bound = std::sqrt(sum_of(size(), [&](Index i) {
      const double slope = kernel_.steepest(p[i], b[i], radius);
      return slope * slope;
    }));
    if (const auto smooth = kernel_.smoothness()) {
      const double at_centre = std::sqrt(sum_of(size(), [&](Index i) {
        const double slope = kernel_.derivative(p[i], b[i]);
        return slope * slope;
      }));
      bound = std::min(bound, at_centre + *smooth * radius);
    }
    return rounded_up(bound, sum_depth(size()) + kKernelRoundings) + kUnderflow;
  }

  double lower_bound() const override { return 0.0; }

  double value_rounding(VectorIn u) const override {
    return rounding_factor(sum_depth(size()) + kKernelRoundings) * value(u) + kUnderflow;
  }
  double conjugate_rounding(VectorIn r) const override {
    const double magnitude = sum_of(size(), [&, p = r.data(), b = targets_.data()](Index i) {
      return std::abs(kernel_.conjugate(p[i], b[i]));
    });
    return rounding_factor(sum_depth(size()) + kKernelRoundings) * magnitude + kUnderflow;
  }

 private:
  Vector targets_;
  Kernel kernel_;
};

template <class Kernel>
LossPtr make_separable_loss(Vector targets, Kernel kernel) {
  return std::make_shared<SeparableLoss<Kernel>>(std::move(targets), kernel);
}

/// The nearest number of [low, high]; NaN gives low, which keeps a bound valid though weak.
inline double clip(double value, double low, double high) { return std::min(high, std::max(low, value)); }

}  // namespace fcbio::functions
