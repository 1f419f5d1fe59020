// |x - c|_1 = sum |x_j - c_j|.  Dual d in [-1, 1]^n, slope d, constant -<d, c>; no pass.  Subgradient at the kink:
// 0.
#include <algorithm>
#include <cmath>

#include "fcbio/term.hpp"
#include "functions/check.hpp"
#include "functions/rounding.hpp"

namespace fcbio {
namespace {

using functions::kUnderflow;
using functions::norm;
using functions::rounded_up;
using functions::rounding_factor;
using functions::sum_depth;

class L1Norm final : public Term {
 public:
  explicit L1Norm(Vector centre) : centre_(std::move(centre)) {}

  std::string_view name() const override { return "l1-norm"; }
  Index dimension() const override { return centre_.size(); }
  PassCost cost() const override { return {}; }

  double value(VectorIn x, VectorIn) const override {
    return functions::sum_of(dimension(),
                             [p = x.data(), c = centre_.data()](Index i) { return std::abs(p[i] - c[i]); });
  }

  void mark_used(VectorIn rest, std::vector<bool>& used) const override {
    for (Index j = 0; j < dimension(); ++j)
      if (centre_[j] != rest[j]) used[static_cast<std::size_t>(j)] = true;
  }
  TermPtr restricted(const std::vector<Index>& used) const override { return l1_norm_term(centre_(used)); }
  void restore_dual(const std::vector<Index>& used, Vector& dual) const override {
    Vector whole = Vector::Zero(dimension());  // the slope of a variable at rest
    whole(used) = dual;
    dual = std::move(whole);
  }

  Index dual_size() const override { return dimension(); }
  void linear_dual(VectorIn x, VectorIn, VectorOut d) const override {
    for (Index i = 0; i < dimension(); ++i) d[i] = sign(x[i] - centre_[i]);
  }
  void add_gradient(double weight, VectorIn, VectorIn, VectorIn d, VectorOut gradient) const override {
    gradient += weight * d;
  }
  double slope_along(VectorIn x, VectorIn, VectorIn v, VectorIn, VectorOut) const override {
    return functions::sum_of(dimension(), [p = x.data(), c = centre_.data(), q = v.data()](Index i) {
      return sign(p[i] - c[i]) * q[i];
    });
  }
  bool add_hessian_product(double, VectorIn, VectorIn, VectorIn, Scratch&, VectorOut) const override {
    return false;
  }

  void repair_dual(VectorOut d) const override {
    for (Index i = 0; i < dimension(); ++i) d[i] = std::min(1.0, std::max(-1.0, d[i]));  // a NaN gives -1
  }
  double dual_constant(VectorIn d) const override { return -functions::dot(d, centre_); }
  void add_slope(double weight, VectorIn d, VectorOut slope) const override { slope += weight * d; }

  /// A sum of nonnegative summands, each of one rounding.
  double value_rounding(VectorIn x, VectorIn u) const override {
    return rounding_factor(sum_depth(dimension()) + 2) * value(x, u) + kUnderflow;
  }
  /// One multiplication by the weight, one addition.
  double slope_rounding(VectorIn d) const override { return rounding_factor(2) * norm(d) + kUnderflow; }
  double dual_constant_rounding(VectorIn d) const override {
    return rounding_factor(sum_depth(dimension()) + 2) * functions::absolute_dot(d, centre_) + kUnderflow;
  }

  bool prox(double step, VectorOut x) const override {
    for (Index i = 0; i < dimension(); ++i) {
      const double offset = x[i] - centre_[i];
      x[i] = std::abs(offset) <= step ? centre_[i] : x[i] - std::copysign(step, offset);
    }
    return true;
  }
  const Vector* l1_centre() const override { return &centre_; }

  bool smooth() const override { return false; }
  CostedBound smoothness() const override { return {}; }
  /// At most one per coordinate, and none less.
  CostedBound lipschitz(VectorIn, double) const override {
    return {rounded_up(std::sqrt(static_cast<double>(dimension())), 2), 0};
  }
  double lower_bound() const override { return 0.0; }

 private:
  static double sign(double offset) { return offset > 0.0 ? 1.0 : (offset < 0.0 ? -1.0 : offset); }  // 0, or NaN

  Vector centre_;
};

}  // namespace

TermPtr l1_norm_term(Vector centre) {
  functions::require_numbers("l1-norm", "center", centre);
  return std::make_shared<L1Norm>(std::move(centre));
}

}  // namespace fcbio
