// 1/2 x'Qx + c'x + constant, Q symmetric and positive semidefinite.  Image u = Q x.  Dual d = (y, Q y):
//     1/2 x'Qx >= <Q y, x> - 1/2 y'Q y      for every y, because (x-y)'Q(x-y) >= 0, tight at x = y;
// slope Q y + c, constant -1/2 y'Q y + constant.  A witness stores y; repair_dual() recomputes Q y from it, so
// that the pair is right whatever averaging did to it.
//
// Where only  lambda_min(Q) >= -lambda  is proved, the right side may be too high by lambda/2 |x - y|^2, which is
// at most lambda/2 (reach + |y|)^2 for |x| <= reach.
//
// Rounding, with F >= |Q|_F:  e(x) = factor(n+2) F |x| bounds the error of Q x.
//   value     1/2 |x| e(x)  +  factor(depth + 4) (sum |x_i| (|u_i|/2 + |c_i|) + |constant|)
//   slope     e(y)  +  factor(4) (|Q y| + |c|), per unit of weight
//   constant  1/2 |y| e(y)  +  factor(depth + 4) (1/2 sum |y_i (Qy)_i| + |constant|)
#include "fcbio/term.hpp"
#include "functions/check.hpp"
#include "functions/quadratic_checks.hpp"
#include "functions/rounding.hpp"

namespace fcbio {
namespace {

using functions::absolute_dot;
using functions::dot;
using functions::kUnderflow;
using functions::norm;
using functions::rounded_up;
using functions::rounding_factor;
using functions::sum_depth;

class Quadratic final : public Term {
 public:
  Quadratic(LinearMapPtr map, Vector c, double constant, functions::Curvature curvature)
      : map_(std::move(map)), c_(std::move(c)), constant_(constant), curvature_(curvature) {}

  std::string_view name() const override { return "quadratic"; }
  Index dimension() const override { return c_.size(); }
  PassCost cost() const override { return {.image = 1, .value = 0, .gradient = 0, .slope = 1}; }

  Index image_size() const override { return dimension(); }
  void image(VectorIn x, VectorOut u) const override { map_->apply(x, u); }

  double value(VectorIn x, VectorIn u) const override {
    const double sum = functions::sum_of(
        dimension(), [p = x.data(), q = u.data(), c = c_.data()](Index i) { return p[i] * (0.5 * q[i] + c[i]); });
    return sum + constant_;
  }
  bool value_needs_x() const override { return true; }

  Index dual_size() const override { return 2 * dimension(); }
  Index witness_size() const override { return dimension(); }
  void linear_dual(VectorIn x, VectorIn u, VectorOut d) const override {
    d.head(dimension()) = x;
    d.tail(dimension()) = u;
  }
  void add_gradient(double weight, VectorIn, VectorIn u, VectorIn, VectorOut gradient) const override {
    gradient += weight * (u + c_);
  }
  double slope_along(VectorIn, VectorIn u, VectorIn v, VectorIn, VectorOut) const override {
    return functions::sum_of(
        dimension(), [q = u.data(), c = c_.data(), p = v.data()](Index i) { return (q[i] + c[i]) * p[i]; });
  }
  bool add_hessian_product(double weight, VectorIn, VectorIn, VectorIn v, Scratch&, VectorOut out) const override {
    map_->add_transpose(weight, v, out);  // Q' = Q
    return true;
  }

  const LinearMap* quadratic_map() const override { return map_.get(); }

  void repair_dual(VectorOut d) const override { map_->apply(d.head(dimension()), d.tail(dimension())); }
  double dual_constant(VectorIn d) const override {
    return constant_ - 0.5 * dot(d.head(dimension()), d.tail(dimension()));
  }
  void add_slope(double weight, VectorIn d, VectorOut slope) const override {
    slope += weight * (d.tail(dimension()) + c_);
  }

  double value_rounding(VectorIn x, VectorIn u) const override {
    const double magnitude = functions::sum_of(dimension(), [p = x.data(), q = u.data(), c = c_.data()](Index i) {
      return std::abs(p[i]) * (0.5 * std::abs(q[i]) + std::abs(c[i]));
    });
    return 0.5 * norm(x) * product_error(x) + sum_factor() * (magnitude + std::abs(constant_)) + kUnderflow;
  }
  double slope_rounding(VectorIn d) const override {
    return product_error(d.head(dimension())) + rounding_factor(4) * (norm(d.tail(dimension())) + norm(c_)) +
           kUnderflow;
  }
  double dual_constant_rounding(VectorIn d) const override {
    const auto y = d.head(dimension());
    const double magnitude = 0.5 * absolute_dot(y, d.tail(dimension())) + std::abs(constant_);
    return 0.5 * norm(y) * product_error(y) + sum_factor() * magnitude + kUnderflow;
  }

  bool smooth() const override { return true; }
  CostedBound smoothness() const override {
    const NormBound bound = map_->norm_bound();
    return {rounded_up(std::sqrt(bound.squared), 2), bound.passes};
  }
  CostedBound lipschitz(VectorIn centre, double radius) const override {
    const CostedBound smooth = smoothness();
    Vector gradient(dimension());
    map_->apply(centre, gradient);
    gradient += c_;
    const double bound = norm(gradient) + product_error(centre) + *smooth.value * radius;
    if (!std::isfinite(bound)) return {std::nullopt, smooth.passes + 1};
    return {rounded_up(bound, sum_depth(dimension()) + 8), smooth.passes + 1};
  }
  double strong_convexity() const override { return curvature_.strong_convexity; }
  double minorant_excess(VectorIn d, double reach) const override {
    if (curvature_.concavity == 0.0) return 0.0;
    const double distance = reach + norm(d.head(dimension()));
    return rounded_up(0.5 * curvature_.concavity * distance * distance, sum_depth(dimension()) + 8);
  }

 private:
  double product_error(VectorIn x) const {
    return rounding_factor(map_->longest_sum() + 2) * map_->frobenius_bound() * norm(x) + kUnderflow;
  }
  double sum_factor() const { return rounding_factor(sum_depth(dimension()) + 4); }

  LinearMapPtr map_;
  Vector c_;
  double constant_;
  functions::Curvature curvature_;
};

void require_data(Index rows, Index cols, const Vector& c, double constant) {
  functions::require_numbers("quadratic", "coefficients", c);
  if (!std::isfinite(constant)) {
    refuse("quadratic", "a finite constant", functions::number_text(constant), "give a finite number");
  }
  if (rows != c.size() || cols != c.size()) {
    const std::string n = std::to_string(c.size());
    refuse("quadratic", "a " + n + " x " + n + " matrix, as there are " + n + " coefficients",
           shape_text(rows, cols), "give Q with one row and one column per coefficient");
  }
}

}  // namespace

TermPtr quadratic_term(RowMajorMatrix q, Vector c, double constant) {
  require_data(q.rows(), q.cols(), c, constant);
  auto map = dense_map(q);  // refuses numbers that are not finite
  q = functions::checked_symmetric(std::move(q));
  const functions::Curvature curvature = functions::prove_semidefinite(q, *map);
  return std::make_shared<Quadratic>(dense_map(std::move(q)), std::move(c), constant, curvature);
}

TermPtr quadratic_term(CsrMatrix q, Vector c, double constant) {
  require_data(q.rows, q.cols, c, constant);
  auto map = sparse_map(q);  // refuses what is not a well-formed sparse matrix
  q = functions::checked_symmetric(std::move(q));
  const functions::Curvature curvature = functions::prove_semidefinite(q, *map);
  return std::make_shared<Quadratic>(sparse_map(std::move(q)), std::move(c), constant, curvature);
}

}  // namespace fcbio
