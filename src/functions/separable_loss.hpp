// phi(u) = sum_i h(u_i, b_i) for a nonnegative convex scalar function h: one loop for all of them.
//
// A Kernel says what h is.  Its members, for one entry u with target or label b:
//   kName                      as in the problem file
//   kTwiceDifferentiable       whether curvature() means something
//   kBend                      the loss is that of a DualBoxShape (loss.hpp) with kink b, this bend and the domain that
//                              nearest_dual tells; otherwise shape_of(targets) says what it is
//   value, derivative, curvature
//   nearest_dual(r, b)         the nearest r in the domain of the conjugate; NaN goes to an end of a bounded one
//   conjugate(r, b)            h*(r) = max over u of r u - h(u, b), finite on that domain
//   smoothness()               Lipschitz constant of the derivative, or empty
//   steepest(u, b, radius)     at least |derivative| over [u - radius, u + radius]; may be infinite
// value and conjugate must have a relative error of at most kKernelRoundings roundings (no cancellation inside),
// so that |computed sum - sum| <= rounding_factor(sum_depth(m) + kKernelRoundings) * sum |h|.
//
// A kernel may work on arrays instead (values, derivatives, curvatures, conjugates: see ArrayKernel), as
// accurately; it then needs `derivative` only of the scalar functions above. Long vectors are cut into shards of
// whole blocks, a function of the length alone: a sum then goes through the blocks of its shard and the shards, both
// compensated, as sum_depth allows.
#pragma once

#include <array>
#include <cmath>
#include <concepts>
#include <optional>
#include <utility>

#include "fcbio/threads.hpp"
#include "functions/rounded_loss.hpp"
#include "functions/rounding.hpp"
#include "linalg/shards.hpp"

namespace fcbio::functions {

inline constexpr Index kKernelRoundings = 12;

/// in, targets, count, out; out may be in.
template <class Kernel>
concept ArrayKernel = requires(const Kernel kernel, const double* in, const double* b, Index count, double* out) {
  { kernel.values(in, b, count, out) } -> std::same_as<void>;
  { kernel.derivatives(in, b, count, out) } -> std::same_as<void>;
  { kernel.curvatures(in, b, count, out) } -> std::same_as<void>;
  { kernel.conjugates(in, b, count, out) } -> std::same_as<void>;
};

/// Shards of whole blocks, at least 32 each: some 20 microseconds of the cheapest kernel that uses them.
class LossShards {
 public:
  explicit LossShards(Index size)
      : size_(size), blocks_((size + kSumBlock - 1) / kSumBlock), shards_(shard_count(blocks_, kBlocksPerShard)) {}
  Index count() const { return shards_; }
  Index begin(Index shard) const { return std::min(size_, blocks_ * shard / shards_ * kSumBlock); }

 private:
  static constexpr Index kBlocksPerShard = 32;
  Index size_, blocks_, shards_;
};

/// Applies apply(first, count) to the pieces of 0 .. size-1, on the worker threads.
template <class Apply>
void for_each_shard(Index size, const Apply& apply) {
  const struct Job {
    LossShards shards;
    const Apply& apply;
  } work{LossShards(size), apply};
  run_shards(work.shards.count(), [&work](Index shard) {  // one reference: no allocation
    const Index begin = work.shards.begin(shard);
    work.apply(begin, work.shards.begin(shard + 1) - begin);
  });
}

/// Sum over 0 .. size-1 of summand(i) after fill(first, count, out) has put the numbers of a block into `out`.
template <class Fill, class Summand>
double sum_of_blocks(Index size, const Fill& fill, const Summand& summand) {
  std::array<double, kMaximalShards> totals{};
  const struct Job {
    LossShards shards;
    const Fill& fill;
    const Summand& summand;
    double* totals;
  } work{LossShards(size), fill, summand, totals.data()};
  run_shards(work.shards.count(), [&work](Index shard) {
    const Index end = work.shards.begin(shard + 1);
    std::array<double, kSumBlock> block;
    CompensatedSum total;
    for (Index begin = work.shards.begin(shard); begin < end; begin += kSumBlock) {
      const Index count = std::min(kSumBlock, end - begin);
      work.fill(begin, count, block.data());
      total.add(sum_of(count, [&](Index i) { return work.summand(block[static_cast<std::size_t>(i)]); }));
    }
    work.totals[shard] = total.value();
  });
  CompensatedSum total;
  for (Index shard = 0; shard < work.shards.count(); ++shard) total.add(totals[static_cast<std::size_t>(shard)]);
  return total.value();
}

template <class Kernel>
class SeparableLoss final : public RoundedLoss {
 public:
  SeparableLoss(Vector targets, Kernel kernel) : targets_(std::move(targets)), kernel_(kernel) {}

  std::string_view name() const override { return Kernel::kName; }
  Index size() const override { return targets_.size(); }
  LossShape shape() const override {
    if constexpr (requires { Kernel::kBend; }) {
      DualBoxShape box{Vector(size()), Vector(size()), targets_, Kernel::kBend};
      for (Index i = 0; i < size(); ++i) {
        box.low[i] = kernel_.nearest_dual(-kInfinity, targets_[i]);
        box.high[i] = kernel_.nearest_dual(kInfinity, targets_[i]);
      }
      return box;
    } else {
      return Kernel::shape_of(targets_);
    }
  }

  double value(VectorIn u) const override {
    if constexpr (ArrayKernel<Kernel>) {
      return sum_of_blocks(
          size(),
          [&](Index first, Index count, double* out) {
            kernel_.values(u.data() + first, targets_.data() + first, count, out);
          },
          [](double h) { return h; });
    } else {
      return sum_of(size(), [&, p = u.data(), b = targets_.data()](Index i) { return kernel_.value(p[i], b[i]); });
    }
  }
  void derivative(VectorIn u, VectorOut r) const override {
    if constexpr (ArrayKernel<Kernel>) {
      for_each_shard(size(), [&](Index first, Index count) {
        kernel_.derivatives(u.data() + first, targets_.data() + first, count, r.data() + first);
      });
    } else {
      for (Index i = 0; i < size(); ++i) r[i] = kernel_.derivative(u[i], targets_[i]);
    }
  }
  bool derivatives_of(std::span<const Index> entries, VectorIn u, VectorOut r) const override {
    for (std::size_t k = 0; k < entries.size(); ++k) {
      const auto place = static_cast<Index>(k);
      r[place] = kernel_.derivative(u[place], targets_[entries[k]]);
    }
    return true;
  }
  bool curvature(VectorIn u, VectorOut w) const override {
    if (!Kernel::kTwiceDifferentiable) return false;
    if constexpr (ArrayKernel<Kernel>) {
      for_each_shard(size(), [&](Index first, Index count) {
        kernel_.curvatures(u.data() + first, targets_.data() + first, count, w.data() + first);
      });
    } else {
      for (Index i = 0; i < size(); ++i) w[i] = kernel_.curvature(u[i], targets_[i]);
    }
    return true;
  }

  void make_dual_feasible(VectorOut r) const override {
    for (Index i = 0; i < size(); ++i) r[i] = kernel_.nearest_dual(r[i], targets_[i]);
  }
  double conjugate(VectorIn r) const override {
    return conjugate_sum(r, [](double h) { return h; });
  }

  std::optional<double> smoothness() const override { return kernel_.smoothness(); }

  /// The smaller of |phi'(centre)| + smoothness * radius and the norm of the entrywise bounds.
  std::optional<double> lipschitz(VectorIn centre, double radius) const override {
    const double* p = centre.data();
    const double* b = targets_.data();
    double bound = root_of_squares(size(), [&](Index i) { return kernel_.steepest(p[i], b[i], radius); });
    if (const auto smooth = kernel_.smoothness()) {
      const double at_centre = root_of_squares(size(), [&](Index i) { return kernel_.derivative(p[i], b[i]); });
      bound = std::min(bound, at_centre + *smooth * radius);
    }
    return rounded_up(bound, sum_depth(size()) + kKernelRoundings) + kUnderflow;
  }

  double lower_bound() const override { return 0.0; }
  LossPtr weighted(Vector weights, std::string name) const override;  // weighted_loss.hpp

  double value_rounding(VectorIn u) const override {
    return rounding_factor(sum_depth(size()) + kKernelRoundings) * value(u) + kUnderflow;
  }
  double conjugate_rounding(VectorIn r) const override {
    const double magnitude = conjugate_sum(r, [](double h) { return std::abs(h); });
    return rounding_factor(sum_depth(size()) + kKernelRoundings) * magnitude + kUnderflow;
  }

 private:
  template <class Summand>
  double conjugate_sum(VectorIn r, const Summand& summand) const {
    if constexpr (ArrayKernel<Kernel>) {
      return sum_of_blocks(
          size(),
          [&](Index first, Index count, double* out) {
            kernel_.conjugates(r.data() + first, targets_.data() + first, count, out);
          },
          summand);
    } else {
      return sum_of(size(), [&, p = r.data(), b = targets_.data()](Index i) {
        return summand(kernel_.conjugate(p[i], b[i]));
      });
    }
  }

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
