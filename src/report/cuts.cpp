#include "report/cuts.hpp"

#include <cmath>

#include "io/value_at.hpp"

namespace fcbio::report {
std::vector<Cut> proved_cuts(const Problem& problem, const Result& result) {
  std::vector<Cut> cuts;
  const Certificate& known = result.certificate;
  const Witness& witness = result.witness;
  if (known.evidence == Evidence::proved && known.upper_lower_bound && witness.upper_bound.kind != "none") {
    const double multiplier = witness.multiplier;
    double slope = 0.0;  // mu g(reference)
    if (multiplier > 0.0 && witness.reference.size() == problem.dimension())
      slope = multiplier * io::value_at(problem.lower(), witness.reference);
    const double rounding = 4.0 * kEpsilon * (std::abs(*known.upper_lower_bound) + std::abs(slope));
    const double value = *known.upper_lower_bound + slope - rounding;
    const bool complete = multiplier == 0.0 || witness.reference.size() == problem.dimension();
    if (complete && std::isfinite(value)) cuts.push_back({multiplier, value});
  }
  const double floor = problem.upper().lower_bound();
  if (std::isfinite(floor)) cuts.push_back({0.0, floor});
  return cuts;
}

}  // namespace fcbio::report
