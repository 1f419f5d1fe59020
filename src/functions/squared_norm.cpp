// 1/2 |x - c|^2 = 1/2 |c|^2 - <c, x> + 1/2 |x|^2.  Its own minorant: no dual, the curvature is kept exactly.
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

class SquaredNorm final : public Term {
 public:
  explicit SquaredNorm(Vector centre) : centre_(std::move(centre)) {}

  std::string_view name() const override { return "squared-norm"; }
  Index dimension() const override { return centre_.size(); }
  PassCost cost() const override { return {}; }

  double value(VectorIn x, VectorIn) const override { return 0.5 * squared_distance(x); }

  void mark_used(VectorIn rest, std::vector<bool>& used) const override {
    for (Index j = 0; j < dimension(); ++j)
      if (centre_[j] != rest[j]) used[static_cast<std::size_t>(j)] = true;
  }
  TermPtr restricted(const std::vector<Index>& used) const override { return squared_norm_term(centre_(used)); }

  Index dual_size() const override { return 0; }
  void linear_dual(VectorIn, VectorIn, VectorOut) const override {}
  void add_gradient(double weight, VectorIn x, VectorIn, VectorIn, VectorOut gradient) const override {
    gradient += weight * (x - centre_);
  }
  double slope_along(VectorIn x, VectorIn, VectorIn v, VectorIn, VectorOut) const override {
    return functions::sum_of(
        dimension(), [p = x.data(), c = centre_.data(), q = v.data()](Index i) { return (p[i] - c[i]) * q[i]; });
  }
  bool add_hessian_product(double weight, VectorIn, VectorIn, VectorIn v, Scratch&, VectorOut out) const override {
    out += weight * v;
    return true;
  }

  double dual_constant(VectorIn) const override { return 0.5 * functions::dot(centre_, centre_); }
  void add_slope(double weight, VectorIn, VectorOut slope) const override { slope -= weight * centre_; }
  double exact_curvature() const override { return 1.0; }

  /// A sum of nonnegative summands, each of three roundings.
  double value_rounding(VectorIn x, VectorIn) const override {
    return rounding_factor(sum_depth(dimension()) + 3) * 0.5 * squared_distance(x) + kUnderflow;
  }
  /// One multiplication by the weight, one addition.
  double slope_rounding(VectorIn) const override { return rounding_factor(2) * norm(centre_) + kUnderflow; }
  double dual_constant_rounding(VectorIn) const override {
    return rounding_factor(sum_depth(dimension()) + 1) * 0.5 * functions::dot(centre_, centre_) + kUnderflow;
  }

  bool prox(double step, VectorOut x) const override {
    x = (x + step * centre_) / (1.0 + step);
    return true;
  }

  CostedBound smoothness() const override { return {1.0, 0}; }
  CostedBound lipschitz(VectorIn at, double radius) const override {
    const double bound = rounded_up(std::sqrt(squared_distance(at)) + radius, sum_depth(dimension()) + 4);
    if (!std::isfinite(bound)) return {};
    return {bound, 0};
  }
  double lower_bound() const override { return 0.0; }

 private:
  double squared_distance(VectorIn x) const {
    return functions::sum_of(dimension(), [p = x.data(), c = centre_.data()](Index i) {
      const double r = p[i] - c[i];
      return r * r;
    });
  }

  Vector centre_;
};

}  // namespace

TermPtr squared_norm_term(Vector centre) {
  functions::require_numbers("squared-norm", "center", centre);
  return std::make_shared<SquaredNorm>(std::move(centre));
}

}  // namespace fcbio
