#include "solver/solution_region.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/proof.hpp"
#include "sets/checks.hpp"
#include "solver/least_squares_bound.hpp"

namespace fcbio {
namespace {

constexpr double kOutwards = 1.0 + 1e-6;  // more than the rounding of all that is computed here
constexpr const char *kBySquares = "squared-norm", *kByAbsolutes = "l1-norm", *kByLinear = "linear",
                     *kByLeastSquares = "least-squares", *kByNearest = "nearest";

bool is_whole_space(const Problem& problem) {
  return std::holds_alternative<WholeSpaceShape>(problem.domain().shape());
}

/// From where a radius of the set is counted.
Vector origin(const Problem& problem) {
  const SetShape shape = problem.domain().shape();
  const auto* space = std::get_if<WholeSpaceShape>(&shape);
  return space != nullptr ? *space->start : Vector(Vector::Zero(problem.dimension()));
}

/// c of the term 1/2 |x - c|^2.
std::optional<Vector> centre_of(const Term& term, Index n) {
  if (term.name() != "squared-norm") return std::nullopt;
  Vector slope = Vector::Zero(n);
  term.add_slope(-1.0, Vector(), slope);
  return slope;
}

/// f of one term v/2 |x - c|^2, v > 0: its centre.
std::optional<Vector> centre_of_only_term(const Function& function) {
  std::optional<Vector> centre;
  for (const Function::Part& part : function.parts()) {
    if (part.weight == 0.0) continue;
    if (centre) return std::nullopt;
    centre = centre_of(*part.term, function.dimension());
    if (!centre) return std::nullopt;
  }
  return centre;
}

double value_from_above(Oracle& oracle, const Vector& x) {
  Point point(oracle.problem());
  point.x = x;
  const CheckedValue value = checked_value(oracle, Level::lower, point);
  return value.value + value.rounding;
}

RegionWitness region_about(const Problem& problem, const char* by, const Vector& centre, double radius,
                           double beta, const Vector& point) {
  return {by, kOutwards * ((centre - origin(problem)).norm() + radius), beta, point};
}

/// g(start) less what the other terms of g are known to be at least.
double left_for(const Function::Part& own, Oracle& oracle, const Vector& start) {
  double others = 0.0;
  for (const Function::Part& part : oracle.problem().lower().parts())
    if (&part != &own && part.weight > 0.0) others += part.weight * part.term->lower_bound();
  return std::max(value_from_above(oracle, start) - others, 0.0);
}

/// A squared norm or an l1 norm in g.
std::optional<RegionWitness> by_norm(Oracle& oracle, const Vector& start) {
  const Problem& problem = oracle.problem();
  for (const Function::Part& own : problem.lower().parts()) {
    const std::optional<Vector> centre = centre_of(*own.term, problem.dimension());
    const Vector* l1_centre = own.term->l1_centre();
    if ((!centre && l1_centre == nullptr) || !(own.weight > 0.0)) continue;
    const double most = left_for(own, oracle, start) / own.weight;
    if (!std::isfinite(most)) return std::nullopt;
    if (centre) return region_about(problem, kBySquares, *centre, std::sqrt(2.0 * most), 0.0, start);
    return region_about(problem, kByAbsolutes, *l1_centre, most, 0.0, start);
  }
  return std::nullopt;
}

/// g = <c, x> over a box: coordinates with c_j != 0 are at a side, the others between two.
std::optional<RegionWitness> by_linear(const Problem& problem, const Vector& start) {
  const SetShape shape = problem.domain().shape();
  const auto* box = std::get_if<BoxShape>(&shape);
  const auto& parts = problem.lower().parts();
  if (box == nullptr || parts.size() != 1 || parts[0].term->name() != "linear" || !(parts[0].weight > 0.0))
    return std::nullopt;
  Vector slope = Vector::Zero(problem.dimension());
  parts[0].term->add_slope(1.0, Vector(), slope);
  Vector furthest(problem.dimension());
  for (Index j = 0; j < furthest.size(); ++j) {
    const double low = slope[j] < 0.0 ? (*box->upper)[j] : (*box->lower)[j];
    const double high = slope[j] > 0.0 ? (*box->lower)[j] : (*box->upper)[j];
    furthest[j] = std::max(std::abs(low), std::abs(high));
  }
  const double radius = furthest.norm();
  if (!std::isfinite(radius)) return std::nullopt;
  return region_about(problem, kByLinear, origin(problem), radius, 0.0, start);
}

std::optional<RegionWitness> by_least_squares(Oracle& oracle, const Vector& start) {
  const Problem& problem = oracle.problem();
  if (!LeastSquaresBound::misfit(problem).empty()) return std::nullopt;
  const std::optional<Vector> centre =
      is_whole_space(problem) ? centre_of_only_term(problem.upper()) : std::nullopt;
  for (const Function::Part& part : problem.lower().parts())
    if (part.weight > 0.0 && part.term->map()->rows() < problem.dimension() && !centre) return std::nullopt;
  const LeastSquaresBound squares(oracle, LeastSquaresBound::Effort::rough);
  if (!(squares.beta() > 0.0)) return std::nullopt;
  const Vector& from = centre ? *centre : start;
  const double most = value_from_above(oracle, from);
  if (!std::isfinite(most)) return std::nullopt;
  const double radius = (centre ? 1.0 : 2.0) * std::sqrt(2.0 * most / squares.beta());
  return region_about(problem, centre ? kByNearest : kByLeastSquares, from, radius, squares.beta(), from);
}

}  // namespace

bool has_enclosing_lower_level(const Problem& problem) {
  if (!is_whole_space(problem) && problem.domain().within(1.0) == nullptr) return false;
  const auto& parts = problem.lower().parts();
  return by_linear(problem, problem.start()) || std::any_of(parts.begin(), parts.end(), [](const Function::Part& own) {
           return own.weight > 0.0 && (own.term->name() == "squared-norm" || own.term->l1_centre() != nullptr);
         });
}

std::optional<RegionWitness> find_solution_region(const Problem& problem, Monitor& monitor) {
  if (!is_whole_space(problem) && problem.domain().within(1.0) == nullptr) return std::nullopt;
  Oracle oracle(problem, monitor);
  const PassCost cost = problem.lower().cost();
  if (!monitor.may_spend(2 * (cost.image + cost.value))) return std::nullopt;
  Vector start = problem.start();
  if (problem.domain().settle(start) != 0.0) return std::nullopt;
  if (auto region = by_norm(oracle, start)) return region;
  if (auto region = by_linear(problem, start)) return region;
  return by_least_squares(oracle, start);
}

Problem within_region(const Problem& problem, const RegionWitness& region) {
  ConvexSetPtr domain = is_whole_space(problem) ? whole_space(origin(problem), region.radius)
                                                : problem.domain().within(region.radius);
  return Problem(problem.upper(), problem.lower(), std::move(domain), problem.start());
}

std::string region_in_words(const Problem& problem, const RegionWitness& region) {
  const char* why = region.by == kBySquares        ? "by the squared norm in g"
                    : region.by == kByAbsolutes    ? "by the l1 norm in g"
                    : region.by == kByLinear       ? "by the sides at which the linear g is least"
                    : region.by == kByLeastSquares ? "by the rank of the least squares of g"
                                                   : "as the least-squares solution nearest to the centre of f";
  return fmt::format("{} no solution is further than {:.3g} from {}", why, region.radius,
                     is_whole_space(problem) ? "the start" : "0");
}

}  // namespace fcbio
