#include "core/proof.hpp"

#include <cmath>

#include "core/minorant.hpp"
#include "functions/rounding.hpp"
#include "sets/checks.hpp"

namespace fcbio {
namespace {

double down(double value, double error) { return std::nextafter(value - error, -kInfinity); }

}  // namespace

CheckedValue checked_value(Oracle& oracle, Level level, Point& point) {
  CheckedValue checked;
  const Function& function = oracle.problem().function(level);
  double magnitude = 0.0;
  for (std::size_t i = 0; i < function.parts().size(); ++i) {
    const Function::Part& part = function.parts()[i];
    const Term::Proved proved = part.term->proved_value(point.x, point.images_of(level)[i]);
    const double value = part.weight * proved.value;
    checked.value += value;
    checked.rounding += part.weight * proved.rounding;
    magnitude += std::abs(value);
  }
  oracle.charge(level, function.cost().image + function.cost().value);
  if (!std::isfinite(checked.value)) oracle.monitor().stop(Status::not_finite);
  checked.rounding += 4.0 * kEpsilon * magnitude * static_cast<double>(function.parts().size() + 1);
  return checked;
}

CheckedValue checked_reference(Oracle& oracle, Point& point) {
  const Problem& problem = oracle.problem();
  oracle.project(point.x);
  const double off = problem.domain().settle(point.x);
  CheckedValue checked = checked_value(oracle, Level::lower, point);
  if (off <= 0.0) return checked;
  const CostedBound change = problem.lower().change(point.x, point.images_of(Level::lower), off);
  oracle.charge(Level::lower, change.passes);
  checked.rounding += off < kInfinity && change.value ? *change.value : kInfinity;
  return checked;
}

double prove_minimum(Oracle& oracle, const std::vector<DualPart>& dual_parts, BoundWitness& witness,
                     const BoundHint* hint) {
  const Problem& problem = oracle.problem();
  const double reach = problem.domain().reach();
  if (!(reach < kInfinity)) return -kInfinity;  // no linear bound over an unbounded set survives rounding

  const Index n = problem.dimension();
  const double per_sum = 2.0 * kEpsilon * static_cast<double>(n + 8);  // error of a sum of n products, relative
  Vector slope = Vector::Zero(n);
  double constant = 0.0, curvature = 0.0;
  double curvature_error = 0.0;
  double constant_error = 0.0;  // of `constant`
  double slope_error = 0.0;     // of `slope`, in norm
  witness.kind = "dual";
  for (const DualPart& dual_part : dual_parts) {
    const Function& function = problem.function(dual_part.level);
    PartVectors& stored = dual_part.level == Level::upper ? witness.upper_duals : witness.lower_duals;
    for (std::size_t i = 0; i < function.parts().size(); ++i) {
      const Function::Part& part = function.parts()[i];
      const double weight = dual_part.factor * part.weight;
      Vector dual = (*dual_part.duals)[i];
      part.term->repair_dual(dual);
      const double rounding = part.term->add_proved_slope(weight, dual, slope);
      const double term_constant = part.term->dual_constant(dual);
      constant += weight * term_constant;
      constant_error += weight * part.term->minorant_excess(dual, reach);  // of a quadratic, if almost convex
      if (const double exact = part.term->exact_curvature(); exact > 0.0) {
        // Where the weight or the sum is rounded, the curvature is off by a unit in its last place.
        const double sum = curvature + weight * exact;
        if (std::fma(dual_part.factor, part.weight, -weight) != 0.0 || weight * exact != weight ||
            sum - curvature != weight || sum - weight != curvature)
          curvature_error += kEpsilon * sum;
        curvature = sum;
      }
      constant_error += weight * part.term->dual_constant_rounding(dual) +
                        8.0 * kEpsilon * (std::abs(weight * term_constant) + std::abs(constant));
      slope_error += weight * rounding + 8.0 * kEpsilon * sets::norm_of(slope);
      stored.emplace_back(dual.head(part.term->witness_size()));
    }
    oracle.charge(dual_part.level, function.cost().slope);
  }

  double bound = constant;
  if (curvature > 0.0) {
    // The quadratic is linearised at the witness's point, whatever that is worth.
    if (hint != nullptr && hint->point.size() == n && hint->point.allFinite()) {
      witness.point = hint->point;
    } else {
      witness.point = slope / -curvature;
      oracle.project_where_bounded(witness.point);
    }
    slope_error += 4.0 * kEpsilon * (sets::norm_of(slope) + curvature * sets::norm_of(witness.point));
    constant_error += per_sum * curvature * witness.point.squaredNorm();
    bound -= 0.5 * curvature * witness.point.squaredNorm();
    slope += curvature * witness.point;
  }
  if (hint != nullptr) witness.domain = hint->domain;
  const double linear = oracle.prove_linear_bound(slope, witness.domain);
  constant_error += 8.0 * kEpsilon * (std::abs(bound) + std::abs(linear));
  bound += linear;
  const double error =
      constant_error + slope_error * reach + curvature_error * reach * reach + functions::kUnderflow;
  return std::isfinite(bound) && std::isfinite(error) ? down(bound, error) : -kInfinity;
}

double lagrangian_bound(double low, double mu, const CheckedValue& reference) {
  const double subtracted = mu * reference.value;
  return down(low - subtracted, mu * reference.rounding + 4.0 * kEpsilon * (std::abs(low) + std::abs(subtracted)));
}

double excess(const CheckedValue& value, double bound) {
  const double error = value.rounding + 2.0 * kEpsilon * (std::abs(value.value) + std::abs(bound));
  return std::nextafter(value.value - bound + error, kInfinity);
}

}  // namespace fcbio
