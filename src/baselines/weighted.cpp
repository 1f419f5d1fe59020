#include "baselines/weighted.hpp"

namespace fcbio {

void weighted_gradient(MethodRun& run, double a, double b, VectorIn x, Vector& out) {
  out = a * run.smooth_gradient(Level::upper, x);
  out += b * run.smooth_gradient(Level::lower, x);
}

bool is_curved(const Problem& problem, Level level) {
  for (const Function::Part& part : problem.function(level).parts())
    if (part.weight > 0.0 && part.term->l1_centre() == nullptr &&
        part.term->smoothness().value.value_or(0.0) > 0.0)
      return true;
  return false;
}

double curvature_bound(MethodRun& run, Level level) {
  return is_curved(run.problem(), level) ? run.smoothness(level) : 0.0;
}

}  // namespace fcbio
