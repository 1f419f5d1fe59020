#include "baselines/isotropic.hpp"

#include <fmt/format.h>

namespace fcbio {
namespace {

// A term without a dual is its own minorant: constant + <slope, x> + curvature/2 |x|^2, exactly.
bool is_own_minorant(const Term& term) { return term.dual_size() == 0; }

}  // namespace

double IsotropicFunction::value(VectorIn x) const {
  const double quadratic = constant + 0.5 * curvature * (x - centre).squaredNorm();
  return l1_weight > 0.0 ? quadratic + l1_weight * (x - *l1_centre).lpNorm<1>() : quadratic;
}

std::optional<IsotropicFunction> isotropic(const Function& function) {
  IsotropicFunction found;
  found.centre = Vector::Zero(function.dimension());
  const Vector no_dual;
  for (const Function::Part& part : function.parts()) {
    if (part.weight == 0.0) continue;
    if (const Vector* centre = part.term->l1_centre(); centre != nullptr) {
      if (found.l1_centre != nullptr && *found.l1_centre != *centre) return std::nullopt;
      found.l1_centre = centre;
      found.l1_weight += part.weight;
    } else if (is_own_minorant(*part.term)) {
      found.curvature += part.weight * part.term->exact_curvature();
      found.constant += part.weight * part.term->dual_constant(no_dual);
      part.term->add_slope(part.weight, no_dual, found.centre);
    } else {
      return std::nullopt;
    }
  }
  if (!(found.curvature > 0.0)) return std::nullopt;
  found.centre /= -found.curvature;  // so far the slope at 0
  found.constant -= 0.5 * found.curvature * found.centre.squaredNorm();
  return found;
}

std::string upper_not_isotropic(const Problem& problem, bool l1_allowed) {
  const std::optional<IsotropicFunction> found = isotropic(problem.upper());
  if (found && (l1_allowed || found->l1_weight == 0.0)) return {};
  return fmt::format("the upper function is not of the form weight/2 |x - c|^2{} (it is {})",
                     l1_allowed ? ", with or without an l1 norm" : "", problem.upper().describe());
}

}  // namespace fcbio
