// What a term may leave to a general rule.
#include "fcbio/term.hpp"

#include "functions/rounding.hpp"

namespace fcbio {

double Term::slope_along(VectorIn x, VectorIn u, VectorIn v, VectorIn, VectorOut dual_scratch) const {
  Vector gradient = Vector::Zero(dimension());
  linear_dual(x, u, dual_scratch);
  add_gradient(1.0, x, u, dual_scratch, gradient);
  return functions::dot(gradient, v);
}

CostedBound Term::change(VectorIn x, VectorIn, double distance) const {
  CostedBound bound = lipschitz(x, distance);
  if (bound.value) bound.value = functions::rounded_up(*bound.value * distance, 2);
  return bound;
}

}  // namespace fcbio
