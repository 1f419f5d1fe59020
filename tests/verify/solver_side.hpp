// What the solver gives the checker: its sets, made from the same plain data, and their witnesses.
#pragma once

#include "build/problem.hpp"
#include "claims.hpp"
#include "samples.hpp"

namespace fcbio::verify::samples {

/// The domain as the solver has it.
inline std::shared_ptr<const Problem> solver_problem(const data::Set& set, const Vector& start) {
  data::Problem data;
  data.dimension = start.size();
  data.domain = set;
  data.domain.dimension = start.size();
  data.start = start;
  data.upper = data.lower = {data::Term{data::Linear{Vector::Zero(start.size())}}};
  return std::make_shared<const Problem>(build::make_problem(data));
}

inline ClaimedSetBound claimed(const SetWitness& witness) {
  ClaimedSetBound out;
  out.multipliers = doubles(witness.multipliers);
  for (const Vector& share : witness.shares) out.shares.push_back(doubles(share));
  for (const SetWitness& part : witness.parts) out.parts.push_back(claimed(part));
  return out;
}

/// What the solver's set finds for a direction.
inline ClaimedSetBound witness_for(const ConvexSet& set, const Vector& direction, double* bound = nullptr) {
  SetWitness witness;
  Scratch scratch;
  const double found = set.prove_linear_bound(direction, witness, scratch);
  if (bound != nullptr) *bound = found;
  return claimed(witness);
}

}  // namespace fcbio::verify::samples
