// MNG: minimal norm gradient method (Beck, Sabach, Math. Program. 2014), for f(x) = m/2 |x - c|^2 + constant.
// x_0 = argmin f = c, M = L_g:
//
//     y = P_Z( x - g'(x)/M ),     G = M (x - y),
//     x+ = argmin{ f(z) : <G, x - z> >= 3/(4M) |G|^2,  <f'(x), z - x> >= 0 }.                 Returned: y.
//
// Both halfspaces contain every minimiser of g.  The step is in closed form (baselines/two_halfspaces.hpp) where
// the published codes call a quadratic program; for another f it would need a solver of its own, and it is
// refused.
//
// Guarantee.  |x_{k+1} - c|^2 >= |x_k - c|^2 + |x_{k+1} - x_k|^2 and |x_{k+1} - x_k| >= 3/(4M) |G_k|; the sum is
// at most R^2, R = |x* - c|, and g(y) - g* <= <G, x - x*> <= |G| R, so that
//     min over i < k of  g(y_i) - g*  <=  (4/3) M R^2 / sqrt(k),      and x_k -> x*.
// x may lie outside Z; y is in Z.
#include "baselines/baselines.hpp"
#include "baselines/isotropic.hpp"
#include "baselines/needs.hpp"
#include "baselines/published.hpp"
#include "baselines/two_halfspaces.hpp"

namespace fcbio {
namespace {

Result mng(MethodRun& run, const BaselineOptions&) {
  const Vector c = isotropic(run.problem().upper())->centre;
  const double m = run.smoothness(Level::lower);
  Vector x = c, y = c, g = c, next = c;
  while (run.may_step(0, 1)) {
    y = x - (1.0 / m) * run.gradient(Level::lower, x);
    if (run.stopped()) break;
    run.project(y);
    g = m * (x - y);
    nearest_in_two_halfspaces(c, x, g, 0.75 / m * g.squaredNorm(), next);
    x.swap(next);
    run.step_done(y);
  }
  return run.finish();
}

std::string mng_misfit(const Problem& problem) {
  if (std::string why = level_not_smooth(problem, Level::lower); !why.empty()) return why;
  std::string why = upper_not_isotropic(problem, false);
  return why.empty() ? why : why + ", and only for that is its minimum over two halfspaces known";
}

}  // namespace

std::vector<MethodInfo> mng_methods() {
  return {published<BaselineOptions>(
      {"mng", "minimal norm gradient method (Beck, Sabach 2014)", "f = weight/2 |x - c|^2, smooth g",
       "smallest lower gap so far O(k^-1/2), x_k -> x*; f: none known", false},
      {}, mng_misfit, mng)};
}

}  // namespace fcbio
