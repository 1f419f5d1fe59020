// Every minimiser x of g over Z has g(x) <= g(p) for the point p of Z:
//   squared-norm   w/2 |x - c|^2 <= g(p) - (lower bounds of the other terms of g);
//   l1-norm        the same with w |x - c|_1, and |x - c| <= |x - c|_1;
//   linear         g = <c, x> over a box: x_j is at the side where c_j x_j is least, or between two where c_j = 0;
//   least-squares  g = w/2 |Ax - b|^2, A of full column rank, beta <= w s^2:  beta/2 |x - p|^2 <= w/2 |A(x - p)|^2
//                  <= (sqrt(g(x)) + sqrt(g(p)))^2 <= 4 g(p);
//   nearest        f = v/2 |x - c|^2 over the whole space, p = c, A of full rank: x is the minimiser of g nearest to
//                  c, and beta/2 |x - c|^2 <= g(c) - g* <= g(c).
#include "enclosure.hpp"

#include <algorithm>

#include "error_bound.hpp"
#include "membership.hpp"
#include "values.hpp"

namespace fcbio::verify {
namespace {

Enclosure not_enclosed(std::string why) { return {kRealInfinity, std::move(why)}; }

/// Of a norm.
RealVector centre_of(const TermView& view) {
  RealVector centre(view.dimension());
  for (std::size_t j = 0; j < centre.size(); ++j) centre[j] = view.coefficient(j);
  return centre;
}

Real distance(std::span<const Real> a, std::span<const Real> b) {
  RealVector difference(a.begin(), a.end());
  for (std::size_t j = 0; j < difference.size(); ++j) difference[j] -= b[j];
  return norm(difference) * (1 + kRounding);
}

/// About the centre, as a ball about where the region's radius is counted from.
Enclosure about(const Region& region, std::span<const Real> centre, Real squared_radius) {
  const RealVector origin =
      region.kind == RegionKind::whole_space ? region.center : RealVector(centre.size(), Real{0});
  const Real radius = distance(centre, origin) + std::sqrt(std::max<Real>(squared_radius, 0)) * (1 + kRounding);
  return {radius * (1 + kRounding), {}};
}

/// By a squared norm or an l1 norm in g.
Enclosure by_norm(const CheckedProblem& problem, bool squared, Real most) {
  for (std::size_t i = 0; i < problem.lower.size(); ++i) {
    const TermView& own = problem.lower[i];
    const bool fits = squared ? own.is_squared_norm() : own.name() == "l1-norm" && !own.is_weighted();
    if (!fits || !(own.weight() > 0)) continue;
    std::vector<TermView> others = problem.lower;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    const Number known = known_lower_bound(others);
    const Real rest = others.empty() ? Real{0} : known.value - known.error();
    if (!std::isfinite(rest)) return not_enclosed("a term of g beside the norm has no known lower bound");
    const Real left = std::max<Real>((most - rest) / own.weight(), 0);
    return about(problem.domain, centre_of(own), squared ? 2 * left : left * left);
  }
  return not_enclosed("g has no such norm");
}

Enclosure by_linear(const CheckedProblem& problem) {
  const Region& box = problem.domain;
  if (box.kind != RegionKind::box) return not_enclosed("the domain is not a box");
  if (problem.lower.size() != 1 || problem.lower[0].form() != Form::linear || !(problem.lower[0].weight() > 0))
    return not_enclosed("g is not one linear term");
  RealVector furthest(problem.dimension);
  for (std::size_t j = 0; j < furthest.size(); ++j) {
    const Real slope = problem.lower[0].coefficient(j);
    const Real low = slope < 0 ? box.upper[j] : box.lower[j], high = slope > 0 ? box.lower[j] : box.upper[j];
    furthest[j] = std::max(std::abs(low), std::abs(high));
  }
  return about(box, RealVector(problem.dimension, 0), norm(furthest) * norm(furthest));
}

Enclosure by_least_squares(const CheckedProblem& problem, const ClaimedRegion& claimed, std::span<const Real> point,
                           Real most) {
  if (const std::string why = LeastSquares::misfit(problem.lower); !why.empty()) return not_enclosed(why);
  const bool nearest = claimed.by == "nearest";
  if (nearest) {
    if (problem.domain.kind != RegionKind::whole_space) return not_enclosed("the domain is not the whole space");
    if (problem.upper.size() != 1 || !problem.upper[0].is_squared_norm() || !(problem.upper[0].weight() > 0))
      return not_enclosed("f is not a squared norm");
    if (distance(point, centre_of(problem.upper[0])) > 0) return not_enclosed("the point is not the centre of f");
  } else if (problem.lower[0].rows() < problem.dimension) {
    return not_enclosed("the data of g has fewer rows than columns");
  }
  if (!LeastSquares(problem.lower).proves(claimed.beta)) return not_enclosed("beta is not proved");
  return about(problem.domain, point, (nearest ? 2 : 8) * most / Real{claimed.beta});
}

}  // namespace

Enclosure prove_enclosure(const CheckedProblem& problem, const ClaimedRegion& claimed) {
  if (problem.domain.kind != RegionKind::whole_space && problem.domain.kind != RegionKind::box &&
      problem.domain.kind != RegionKind::polyhedron)
    return not_enclosed("the domain is not a set whose open sides take a radius");
  const bool is_point = claimed.point.size() == problem.dimension && all_finite(claimed.point);
  if (!is_point) return not_enclosed("the point of the region is not a point of the problem");
  const RealVector point(claimed.point.begin(), claimed.point.end());
  if (proved_distance(problem.domain, point) != 0) return not_enclosed("the point of the region is not in Z");
  const Number value = function_value(problem.lower, point);
  const Real most = value.value + value.error();
  if (!std::isfinite(most)) return not_enclosed("g is not finite at the point of the region");
  if (claimed.by == "squared-norm" || claimed.by == "l1-norm")
    return by_norm(problem, claimed.by == "squared-norm", most);
  if (claimed.by == "linear") return by_linear(problem);
  if (claimed.by == "least-squares" || claimed.by == "nearest")
    return by_least_squares(problem, claimed, point, most);
  return not_enclosed("expected squared-norm, l1-norm, linear, least-squares or nearest");
}

void restrict_to(Region& region, Real radius) {
  if (region.kind == RegionKind::whole_space)
    region.radius = std::min(region.radius, radius);
  else
    region.known_reach = std::min(region.known_reach, radius);
}

}  // namespace fcbio::verify
