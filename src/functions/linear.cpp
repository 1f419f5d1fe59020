// <c, x>.  Its own minorant: no dual, constant 0, slope c.
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

class Linear final : public Term {
 public:
  explicit Linear(Vector coefficients) : coefficients_(std::move(coefficients)) {}

  std::string_view name() const override { return "linear"; }
  Index dimension() const override { return coefficients_.size(); }
  PassCost cost() const override { return {}; }

  double value(VectorIn x, VectorIn) const override { return functions::dot(coefficients_, x); }

  void mark_used(VectorIn, std::vector<bool>& used) const override {
    for (Index j = 0; j < dimension(); ++j)
      if (coefficients_[j] != 0.0) used[static_cast<std::size_t>(j)] = true;
  }
  TermPtr restricted(const std::vector<Index>& used) const override { return linear_term(coefficients_(used)); }

  Index dual_size() const override { return 0; }
  void linear_dual(VectorIn, VectorIn, VectorOut) const override {}
  void add_gradient(double weight, VectorIn, VectorIn, VectorIn, VectorOut gradient) const override {
    gradient += weight * coefficients_;
  }
  double slope_along(VectorIn, VectorIn, VectorIn v, VectorIn, VectorOut) const override {
    return functions::dot(coefficients_, v);
  }
  bool add_hessian_product(double, VectorIn, VectorIn, VectorIn, Scratch&, VectorOut) const override {
    return true;
  }

  double dual_constant(VectorIn) const override { return 0.0; }
  void add_slope(double weight, VectorIn, VectorOut slope) const override { slope += weight * coefficients_; }

  double value_rounding(VectorIn x, VectorIn) const override {
    return rounding_factor(sum_depth(dimension()) + 1) * functions::absolute_dot(coefficients_, x) + kUnderflow;
  }
  /// One multiplication by the weight, one addition.
  double slope_rounding(VectorIn) const override { return rounding_factor(2) * norm(coefficients_) + kUnderflow; }
  double dual_constant_rounding(VectorIn) const override { return 0.0; }

  bool prox(double step, VectorOut x) const override {
    x -= step * coefficients_;
    return true;
  }

  CostedBound smoothness() const override { return {0.0, 0}; }
  CostedBound lipschitz(VectorIn, double) const override {
    return {rounded_up(norm(coefficients_), sum_depth(dimension()) + 3), 0};
  }

 private:
  Vector coefficients_;
};

}  // namespace

TermPtr linear_term(Vector coefficients) {
  functions::require_numbers("linear", "coefficients", coefficients);
  return std::make_shared<Linear>(std::move(coefficients));
}

}  // namespace fcbio
