#include "functions/rounded_loss.hpp"

#include <cmath>

#include "functions/rounding.hpp"

namespace fcbio {

bool Loss::derivatives_of(std::span<const Index>, VectorIn, VectorOut) const { return false; }

bool Loss::curvature(VectorIn, VectorOut) const { return false; }

bool Loss::hessian_product(VectorIn u, VectorIn v, VectorOut out) const {
  if (!curvature(u, out)) return false;
  out.array() *= v.array();
  return true;
}

namespace functions {

double value_rounding(const Loss& loss, VectorIn u) {
  if (const auto* known = dynamic_cast<const RoundedLoss*>(&loss)) return known->value_rounding(u);
  const double slope = loss.lipschitz(u, 0.0).value_or(kInfinity);
  return rounding_factor(u.size() + 64) * (std::abs(loss.value(u)) + slope * norm(u)) + kUnderflow;
}

double conjugate_rounding(const Loss& loss, VectorIn r) {
  if (const auto* known = dynamic_cast<const RoundedLoss*>(&loss)) return known->conjugate_rounding(r);
  const double reach = norm(r) * std::sqrt(static_cast<double>(r.size()));
  return rounding_factor(r.size() + 64) * (std::abs(loss.conjugate(r)) + reach) + kUnderflow;
}

double dual_rounding(const Loss& loss) {
  if (const auto* known = dynamic_cast<const RoundedLoss*>(&loss)) return known->dual_rounding();
  return rounding_factor(loss.size() + 64);
}

}  // namespace functions
}  // namespace fcbio
