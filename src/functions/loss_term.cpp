// phi(M x).  Image u = M x (none where M is free: then u is x itself).  Dual r in the domain of phi*:
//     phi(M x) >= <r, M x> - phi*(r),   slope M' r,   constant -phi*(r),   tight at x for r = phi'(M x).
//
// Rounding, with F >= |M|_F and sums of at most k = longest_sum() products (k is small for sparse data):
//   image   row i of M x is a sum of at most k products, so its error is at most factor(k+2) |row i| |x|; together
//           |error of u| <= e := factor(k+2) F |x|, for any order of summation.
//   value   phi moves by at most lipschitz(u, e) e, and its own evaluation by the loss's value_rounding(u).  This
//           is for u computed as M x by one product; a u that was combined from others has drifted further.
//   slope   column sums of at most k products with weighted entries: factor(k+4) F |r|, per unit of weight and
//   added to
//           zero.  Where phi* lives on a simplex, r is dual_rounding |r| away from a feasible one: F times that.
//   constant  the loss's conjugate_rounding(r).
// Proofs take accurate products (LinearMap::accurate_apply), whose errors do not grow with the number of rows.
#include <cmath>
#include <utility>

#include "fcbio/term.hpp"
#include "functions/check.hpp"
#include "functions/rounded_loss.hpp"
#include "functions/rounding.hpp"

namespace fcbio {
namespace {

using functions::kUnderflow;
using functions::norm;
using functions::rounded_up;
using functions::rounding_factor;

// What a checker in extended precision allows for, as shares of the sizes of all products that are added up
// (docs/certificates.md, section 6): it charges 64 units of its own precision, and takes the steepest slope within 1e-15
// of those sizes.  What is claimed here must leave it that much, also where all products cancel.
constexpr double kCheckerError = 1e-17, kCheckerReach = 2e-15;

class LossTerm final : public Term {
 public:
  LossTerm(LinearMapPtr map, LossPtr loss) : map_(std::move(map)), loss_(std::move(loss)) {}

  std::string_view name() const override { return loss_->name(); }
  Index dimension() const override { return map_->cols(); }
  PassCost cost() const override {
    if (map_->free()) return {};
    return {.image = 1, .value = 0, .gradient = 1, .slope = 1};
  }

  Index image_size() const override { return map_->free() ? 0 : map_->rows(); }
  void image(VectorIn x, VectorOut u) const override {
    if (!map_->free()) map_->apply(x, u);
  }

  double value(VectorIn x, VectorIn u) const override { return loss_->value(image_of(x, u)); }

  void mark_used(VectorIn, std::vector<bool>& used) const override { map_->mark_used(used); }
  TermPtr restricted(const std::vector<Index>& used) const override {
    LinearMapPtr map = map_->restricted(used);
    return map != nullptr ? loss_term(std::move(map), loss_) : nullptr;
  }

  Index dual_size() const override { return map_->rows(); }
  void linear_dual(VectorIn x, VectorIn u, VectorOut d) const override { loss_->derivative(image_of(x, u), d); }
  void add_gradient(double weight, VectorIn, VectorIn, VectorIn d, VectorOut gradient) const override {
    map_->add_transpose(weight, d, gradient);
  }
  void gradient(double weight, VectorIn, VectorIn, VectorIn d, VectorOut gradient) const override {
    map_->transpose(weight, d, gradient);
  }
  double slope_along(VectorIn x, VectorIn u, VectorIn v, VectorIn v_image, VectorOut dual) const override {
    loss_->derivative(image_of(x, u), dual);
    return functions::dot(dual, image_of(v, v_image));
  }
  bool add_hessian_product(double weight, VectorIn x, VectorIn u, VectorIn v, Scratch& scratch,
                           VectorOut out) const override {
    Vector& image_of_v = scratch.vector(0, map_->rows());
    Vector& curved = scratch.vector(1, map_->rows());
    map_->apply(v, image_of_v);
    if (!loss_->hessian_product(image_of(x, u), image_of_v, curved)) return false;
    map_->add_transpose(weight, curved, out);
    return true;
  }

  const LinearMap* map() const override { return map_.get(); }
  const Loss* loss() const override { return loss_.get(); }
  bool curvature(VectorIn x, VectorIn u, VectorOut w) const override {
    return loss_->curvature(image_of(x, u), w);
  }

  void repair_dual(VectorOut d) const override { loss_->make_dual_feasible(d); }
  double dual_constant(VectorIn d) const override { return -loss_->conjugate(d); }
  void add_slope(double weight, VectorIn d, VectorOut slope) const override {
    map_->add_transpose(weight, d, slope);
  }

  double value_rounding(VectorIn x, VectorIn u) const override {
    const double own = functions::value_rounding(*loss_, image_of(x, u));
    if (map_->free()) return own;
    const double image_error =
        rounding_factor(map_->longest_sum() + 2) * map_->frobenius_bound() * norm(x) + kUnderflow;
    return own + loss_->lipschitz(u, image_error).value_or(kInfinity) * image_error;
  }
  double slope_rounding(VectorIn d) const override {
    const double infeasible = functions::dual_rounding(*loss_);
    if (map_->free()) return (rounding_factor(2) + infeasible) * norm(d) + kUnderflow;
    return (rounding_factor(map_->longest_sum() + 4) + infeasible) * map_->frobenius_bound() * norm(d) +
           kUnderflow;
  }
  double dual_constant_rounding(VectorIn d) const override { return functions::conjugate_rounding(*loss_, d); }

  Proved proved_value(VectorIn x, VectorOut u) const override {
    if (map_->free()) return {value(x, u), value_rounding(x, u)};
    const double further = map_->accurate_apply(x, u);
    const double image_error = rounding_factor(2) * norm(u) + further + kUnderflow;
    const double size = map_->frobenius_bound() * norm(x) + norm(u) + std::sqrt(static_cast<double>(u.size()));
    const double steepest = loss_->lipschitz(u, std::max(image_error, kCheckerReach * size)).value_or(kInfinity);
    const double own = functions::value_rounding(*loss_, u);
    return {loss_->value(u), own + steepest * (image_error + kCheckerError * size)};
  }
  double add_proved_slope(double weight, VectorIn d, VectorOut slope) const override {
    if (map_->free()) return Term::add_proved_slope(weight, d, slope);
    Vector product(map_->cols());
    const double further = map_->accurate_transpose(d, product);
    slope += weight * product;
    const double infeasible = functions::dual_rounding(*loss_) * map_->frobenius_bound() * norm(d);
    const double size = map_->frobenius_bound() * norm(d);
    return rounding_factor(4) * norm(product) + further + infeasible + kCheckerError * size + kUnderflow;
  }

  bool differentiable() const override { return loss_->differentiable(); }
  bool smooth() const override { return loss_->smoothness().has_value(); }
  CostedBound smoothness() const override {
    const auto constant = loss_->smoothness();
    if (!constant) return {};
    const NormBound bound = map_->norm_bound();
    return {rounded_up(*constant * bound.squared, 2), bound.passes};
  }
  /// |M' phi'(M x)| <= |M| |phi'(u)|, and u stays within |M| radius of M centre.
  CostedBound lipschitz(VectorIn centre, double radius) const override {
    const NormBound bound = map_->norm_bound();
    const double map_norm = rounded_up(std::sqrt(bound.squared), 4);
    Vector u(map_->rows());
    map_->apply(centre, u);
    const double image_error =
        map_->free() ? 0.0 : rounding_factor(map_->longest_sum() + 2) * map_->frobenius_bound() * norm(centre);
    const auto slope = loss_->lipschitz(u, rounded_up(map_norm * radius, 2) + image_error);
    const std::int64_t passes = map_->free() ? 0 : bound.passes + 1;
    if (!slope || !std::isfinite(*slope)) return {std::nullopt, passes};
    return {rounded_up(map_norm * *slope, 4), passes};
  }
  /// u moves by at most |M|_F distance, which is what a checker that adds up the rows one by one can afford too.
  CostedBound change(VectorIn x, VectorIn u, double distance) const override {
    const double moved = map_->free() ? distance : rounded_up(map_->frobenius_bound() * distance, 2);
    const auto slope = loss_->lipschitz(image_of(x, u), moved);
    if (!slope || !std::isfinite(*slope)) return {};
    return {rounded_up(*slope * moved, 4), 0};
  }
  double lower_bound() const override { return loss_->lower_bound(); }

 private:
  VectorIn image_of(VectorIn x, VectorIn u) const { return map_->free() ? x : u; }

  LinearMapPtr map_;
  LossPtr loss_;
};

}  // namespace

TermPtr loss_term(LinearMapPtr map, LossPtr loss) {
  if (!map || !loss) refuse("loss term", "a map and a loss", "a null pointer", "pass both");
  if (map->rows() != loss->size()) {
    refuse(std::string(loss->name()), "one target per row of the data: " + std::to_string(map->rows()),
           std::to_string(loss->size()) + " targets", "give data and targets of the same length");
  }
  return std::make_shared<LossTerm>(std::move(map), std::move(loss));
}

}  // namespace fcbio
