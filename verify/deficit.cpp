#include "deficit.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "error_bound.hpp"
#include "membership.hpp"
#include "short_text.hpp"
#include "values.hpp"

namespace fcbio::verify {
namespace {

Deficit no_deficit(std::string why) { return {kRealInfinity, std::move(why)}; }

std::string text(double alpha, double beta, double gradient_bound) {
  return fmt::format("{:.17g}, {:.17g}, {:.17g}", alpha, beta, gradient_bound);
}

/// Returns `holds`.
bool add(std::vector<Line>& lines, std::string name, std::string claimed, std::string found, bool holds,
         std::string note_if_not) {
  lines.push_back({std::move(name), std::move(claimed), std::move(found), holds ? Outcome::ok : Outcome::failed,
                   holds ? std::string{} : std::move(note_if_not)});
  return holds;
}

/// From above, from f(x) from below.
Real rise(const Number& there, const Number& here) {
  return there.value + there.error() - (here.value - here.error());
}

/// x may miss Z by rounding, and the bound speaks of points of Z: it is used at one within the proved distance.
Deficit by_told_bound(const CheckedProblem& problem, const Claims& claims, const std::optional<HolderBound>& told,
                      const Proof& lower, std::vector<Line>& lines) {
  const ClaimedErrorBound& bound = *claims.error_bound;
  const std::string claimed = text(bound.alpha, bound.beta, bound.gradient_bound);
  const std::string in_file = told ? text(told->alpha, told->beta, told->gradient_bound) : "none";
  if (!add(lines, "error bound", claimed, in_file, claimed == in_file,
           "the problem file tells another error bound, or none"))
    return no_deficit("it rests on an error bound that the problem file does not tell");
  lines.push_back({"error bound", "", "", Outcome::assumed,
                   "(beta/alpha) dist^alpha <= g - g* on Z and |f'| <= gradient_bound on the minimisers of g, as "
                   "`holder` of the problem file says"});
  if (!lower.proved()) return no_deficit(lower.failure);
  const RealVector x(claims.x.begin(), claims.x.end());
  const Real off = proved_distance(problem.domain, x);
  if (!std::isfinite(off)) return no_deficit("x is not proved to be a point of Z, or near to one");
  const Number g = function_value(problem.lower, x);
  const Real gap = g.value + g.error() + largest_change(problem.lower, x, off) - lower.bound;
  const Real moved = largest_change(problem.upper, x, off);
  return {holder_deficit(bound, gap) * (1 + kRounding) + moved, {}};
}

/// f* <= f(p) for the minimiser p of g nearest to x.
Deficit by_computed_bound(const CheckedProblem& problem, const Claims& claims, const Proof& lower,
                          std::vector<Line>& lines) {
  const ClaimedErrorBound& bound = *claims.error_bound;
  const std::string constants = fmt::format("alpha {}, beta {:.6g}", bound.alpha, bound.beta);
  if (const std::string why = LeastSquares::misfit(problem.lower); !why.empty()) {
    add(lines, "error bound", constants, "-", false, why);
    return no_deficit("it has no error bound");
  }
  const LeastSquares squares(problem.lower);
  const bool proved = bound.alpha == 2 && squares.proves(bound.beta);
  if (!add(lines, "error bound", constants, proved ? "proved" : "not proved", proved,
           "alpha must be 2 and beta at most weight times the square of the smallest singular value"))
    return no_deficit("its error bound is not proved");

  const RealVector x(claims.x.begin(), claims.x.end());
  const LeastSquares::Nearest nearest = squares.nearest(x, bound.beta);
  const Real depth = depth_in(problem.domain, nearest.point);
  if (!add(lines, "nearest minimiser", "in Z",
           fmt::format("depth {}, known to {}", short_text(depth), short_text(nearest.error)),
           depth >= nearest.error,
           "the minimiser of g over the whole space that is nearest to x is not inside the domain"))
    return no_deficit("the error bound does not hold at x");

  const Number here = function_value(problem.upper, x), there = function_value(problem.upper, nearest.point);
  const Real change = largest_change(problem.upper, nearest.point, nearest.error);
  // What |f'| must at least be, by the two values; more about it is not needed for what follows.
  RealVector step = x;
  for (std::size_t j = 0; j < step.size(); ++j) step[j] -= nearest.point[j];
  const Real risen = -rise(here, there) - change;
  const Real steepest = risen > 0 ? risen / (norm(step) + nearest.error) : 0;
  add(lines, "gradient bound", fmt::format("{:.6g}", bound.gradient_bound), "at least " + short_text(steepest),
      bound.gradient_bound >= steepest, "f changes faster than that between x and the nearest minimiser");
  Real deficit = rise(there, here) + change;
  // Or without the point: it is within (alpha gap / beta)^(1/alpha) of x, and f rises by no more than that allows.
  if (lower.proved()) {
    const Number g = function_value(problem.lower, x);
    const Real gap = std::max<Real>(g.value + g.error() - lower.bound, 0);
    deficit =
        std::min(deficit, largest_change(problem.upper, x, std::sqrt(2 * gap / bound.beta) * (1 + kRounding)));
  }
  return {deficit, {}};
}

}  // namespace

Deficit prove_deficit(const CheckedProblem& problem, const Claims& claims, const std::optional<HolderBound>& told,
                      const Proof& lower, std::vector<Line>& lines) {
  if (!claims.error_bound) return no_deficit("a deficit needs an error bound, and the result names none");
  return claims.error_bound->computed ? by_computed_bound(problem, claims, lower, lines)
                                      : by_told_bound(problem, claims, told, lower, lines);
}

}  // namespace fcbio::verify
