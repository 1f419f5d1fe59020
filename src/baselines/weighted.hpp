// The sum  a f + b g  as penalty and diagonal methods see it: gradient of its smooth part (the l1 norms are left
// to MethodRun::prox), and L of f where 0 has to be told from "so small that it does not matter".
#pragma once

#include "baselines/method_run.hpp"

namespace fcbio {

/// out <- a f'(x) + b g'(x), smooth parts; one evaluation per level.
void weighted_gradient(MethodRun& run, double a, double b, VectorIn x, Vector& out);

/// Whether the smooth part of a level is more than a linear function.  Charges nothing: what it asks for is
/// computed once and charged by MethodRun::smoothness.
bool is_curved(const Problem& problem, Level level);

/// L of the smooth part; 0 where that is linear.
double curvature_bound(MethodRun& run, Level level);

}  // namespace fcbio
