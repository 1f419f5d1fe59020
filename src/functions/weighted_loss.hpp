// phi(u) = sum_i w_i h(u_i, b_i), w_i >= 0: a separable loss whose summands carry weights, with the kernels and
// the sums of separable_loss.hpp.
//
// The dual of a summand is r = w d with d in the domain of h*, and phi*(r) = sum_i w_i h*(r_i / w_i); where w_i =
// 0 the only dual is 0.  A product w d that was rounded need not divide back into the domain: r is then within one
// rounding of a feasible dual, which is what dual_rounding() says and what conjugate() means.  The quotient d is
// off by one rounding too, which moves h*(d) by at most kEpsilon |d h*'(d)|: Kernel::dual_sensitivity(d, b), or
// for the kernels with a kink and a bend |d| (|b| + bend |d|).
#pragma once

#include <string>

#include "functions/separable_loss.hpp"

namespace fcbio::functions {

template <class Kernel>
class WeightedLoss final : public RoundedLoss {
 public:
  WeightedLoss(Vector targets, Kernel kernel, Vector weights, std::string name)
      : targets_(std::move(targets)),
        weights_(std::move(weights)),
        kernel_(kernel),
        heaviest_(weights_.maxCoeff()),
        name_(std::move(name)) {}

  std::string_view name() const override { return name_; }
  Index size() const override { return targets_.size(); }
  /// Weights scale the domain of the duals; bends of their own, row by row, no engine knows.
  LossShape shape() const override {
    if constexpr (requires { Kernel::kBend; }) {
      if (Kernel::kBend != 0.0) return {};
      DualBoxShape box{Vector(size()), Vector(size()), targets_, 0.0};
      for (Index i = 0; i < size(); ++i) {
        box.low[i] = weights_[i] * kernel_.nearest_dual(-kInfinity, targets_[i]);
        box.high[i] = weights_[i] * kernel_.nearest_dual(kInfinity, targets_[i]);
      }
      return box;
    } else {
      return {};
    }
  }

  double value(VectorIn u) const override {
    return weighted_sum(
        [&](Index first, Index count, double* out) { fill_values(u.data() + first, first, count, out); });
  }
  void derivative(VectorIn u, VectorOut r) const override {
    for_each_shard(size(), [&](Index first, Index count) {
      if constexpr (ArrayKernel<Kernel>) {
        kernel_.derivatives(u.data() + first, targets_.data() + first, count, r.data() + first);
      } else {
        for (Index i = first; i < first + count; ++i) r[i] = kernel_.derivative(u[i], targets_[i]);
      }
      for (Index i = first; i < first + count; ++i) r[i] *= weights_[i];
    });
  }
  bool derivatives_of(std::span<const Index> entries, VectorIn u, VectorOut r) const override {
    for (std::size_t k = 0; k < entries.size(); ++k) {
      const auto place = static_cast<Index>(k);
      r[place] = weights_[entries[k]] * kernel_.derivative(u[place], targets_[entries[k]]);
    }
    return true;
  }
  bool curvature(VectorIn u, VectorOut w) const override {
    if (!Kernel::kTwiceDifferentiable) return false;
    for_each_shard(size(), [&](Index first, Index count) {
      if constexpr (ArrayKernel<Kernel>) {
        kernel_.curvatures(u.data() + first, targets_.data() + first, count, w.data() + first);
      } else {
        for (Index i = first; i < first + count; ++i) w[i] = kernel_.curvature(u[i], targets_[i]);
      }
      for (Index i = first; i < first + count; ++i) w[i] *= weights_[i];
    });
    return true;
  }

  void make_dual_feasible(VectorOut r) const override {
    for (Index i = 0; i < size(); ++i) r[i] = weights_[i] * unweighted_dual(r[i], i);
  }
  double conjugate(VectorIn r) const override {
    return weighted_sum(
        [&](Index first, Index count, double* out) { fill_conjugates(r.data() + first, first, count, out); });
  }

  std::optional<double> smoothness() const override {
    const auto unweighted = kernel_.smoothness();
    return unweighted ? std::optional(rounded_up(heaviest_ * *unweighted, 1)) : std::nullopt;
  }

  std::optional<double> lipschitz(VectorIn centre, double radius) const override {
    const double* p = centre.data();
    const double* b = targets_.data();
    const double* w = weights_.data();
    double bound = root_of_squares(
        size(), [&](Index i) { return w[i] > 0.0 ? w[i] * kernel_.steepest(p[i], b[i], radius) : 0.0; });
    if (const auto smooth = smoothness()) {
      const double at_centre =
          root_of_squares(size(), [&](Index i) { return w[i] * kernel_.derivative(p[i], b[i]); });
      bound = std::min(bound, at_centre + *smooth * radius);
    }
    return rounded_up(bound, sum_depth(size()) + kKernelRoundings + 1) + kUnderflow;
  }

  double lower_bound() const override { return 0.0; }

  double value_rounding(VectorIn u) const override { return sum_rounding() * value(u) + kUnderflow; }
  double conjugate_rounding(VectorIn r) const override {
    const double magnitude = weighted_sum([&](Index first, Index count, double* out) {
      fill_conjugates(r.data() + first, first, count, out);
      for (Index i = 0; i < count; ++i) out[i] = std::abs(out[i]);
    });
    const double moved = weighted_sum([&](Index first, Index count, double* out) {
      for (Index i = 0; i < count; ++i) out[i] = sensitivity(unweighted_dual(r[first + i], first + i), first + i);
    });
    return sum_rounding() * magnitude + 2.0 * kEpsilon * rounded_up(moved, sum_depth(size()) + 4) + kUnderflow;
  }
  double dual_rounding() const override { return rounding_factor(2); }

 private:
  double sum_rounding() const { return rounding_factor(sum_depth(size()) + kKernelRoundings + 1); }

  double unweighted_dual(double r, Index i) const {
    return weights_[i] > 0.0 ? kernel_.nearest_dual(r / weights_[i], targets_[i])
                             : kernel_.nearest_dual(0.0, targets_[i]);
  }
  double sensitivity(double d, Index i) const {
    if constexpr (requires { Kernel::kBend; }) {
      return std::abs(d) * (std::abs(targets_[i]) + Kernel::kBend * std::abs(d));
    } else {
      return kernel_.dual_sensitivity(d, targets_[i]);
    }
  }

  void fill_values(const double* u, Index first, Index count, double* out) const {
    if constexpr (ArrayKernel<Kernel>) {
      kernel_.values(u, targets_.data() + first, count, out);
    } else {
      for (Index i = 0; i < count; ++i) out[i] = kernel_.value(u[i], targets_[first + i]);
    }
  }
  void fill_conjugates(const double* r, Index first, Index count, double* out) const {
    for (Index i = 0; i < count; ++i) out[i] = unweighted_dual(r[i], first + i);
    if constexpr (ArrayKernel<Kernel>) {
      kernel_.conjugates(out, targets_.data() + first, count, out);
    } else {
      for (Index i = 0; i < count; ++i) out[i] = kernel_.conjugate(out[i], targets_[first + i]);
    }
  }
  /// Sum of w_i times what fill(first, count, out) writes; a weight of 0 leaves out what is infinite, too, but
  /// shows what is not a number.
  template <class Fill>
  double weighted_sum(const Fill& fill) const {
    return sum_of_blocks(
        size(),
        [&](Index first, Index count, double* out) {
          fill(first, count, out);
          for (Index i = 0; i < count; ++i)
            if (weights_[first + i] > 0.0 || !std::isinf(out[i]))
              out[i] *= weights_[first + i];
            else
              out[i] = 0.0;
        },
        [](double summand) { return summand; });
  }

  Vector targets_, weights_;
  Kernel kernel_;
  double heaviest_;
  std::string name_;
};

template <class Kernel>
LossPtr SeparableLoss<Kernel>::weighted(Vector weights, std::string name) const {
  return std::make_shared<WeightedLoss<Kernel>>(targets_, kernel_, std::move(weights), std::move(name));
}

}  // namespace fcbio::functions
