// Max-affine: phi(u) = max_i u_i + b_i,  phi*(r) = -<r, b> on the simplex.  Subgradient: the unit vector of the
// first largest entry.
//
// Rounding.  Every u_i + b_i is rounded once, and both the computed and the true maximum are such entries, so the
// value is off by one rounding of itself.  The repaired dual is r = s r' with |s - 1| <= simplex_rounding, so the
// conjugate is off by that much of <r', b> as well as by its own sum.
#include <algorithm>
#include <cmath>

#include "functions/check.hpp"
#include "functions/rounded_loss.hpp"
#include "functions/simplex_dual.hpp"

namespace fcbio {
namespace {

class MaxAffine final : public functions::RoundedLoss {
 public:
  explicit MaxAffine(Vector offsets) : offsets_(std::move(offsets)) {}

  std::string_view name() const override { return "max-affine"; }
  Index size() const override { return offsets_.size(); }
  LossShape shape() const override { return MaxAffineShape{&offsets_}; }

  double value(VectorIn u) const override {
    const Index at = first_largest(u);
    return u[at] + offsets_[at];
  }
  void derivative(VectorIn u, VectorOut r) const override {
    r.setZero();
    const Index at = first_largest(u);
    r[at] = std::isnan(u[at]) ? u[at] : 1.0;
  }

  void make_dual_feasible(VectorOut r) const override { functions::scale_to_simplex(r); }
  double conjugate(VectorIn r) const override { return -functions::dot(r, offsets_); }

  std::optional<double> smoothness() const override { return std::nullopt; }
  std::optional<double> lipschitz(VectorIn, double) const override { return 1.0; }

  double value_rounding(VectorIn u) const override {
    return functions::rounding_factor(1) * std::abs(value(u)) + functions::kUnderflow;
  }
  double conjugate_rounding(VectorIn r) const override {
    const double relative = functions::rounding_factor(functions::sum_depth(size()) + 1) + dual_rounding();
    return relative * functions::absolute_dot(r, offsets_) + functions::kUnderflow;
  }
  double dual_rounding() const override { return functions::simplex_rounding(size()); }

 private:
  /// A NaN wins, so that it shows in the value.
  Index first_largest(VectorIn u) const {
    Index at = 0;
    for (Index i = 0; i < size(); ++i) {
      const double entry = u[i] + offsets_[i];
      if (std::isnan(entry)) return i;
      if (entry > u[at] + offsets_[at]) at = i;
    }
    return at;
  }

  Vector offsets_;
};

}  // namespace

LossPtr max_affine_loss(Vector b) {
  functions::require_numbers("max-affine", "offsets", b);
  return std::make_shared<MaxAffine>(std::move(b));
}

}  // namespace fcbio
