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

}  // namespace fcbio
