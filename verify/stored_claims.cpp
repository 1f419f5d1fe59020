#include "stored_claims.hpp"

namespace fcbio::verify {
namespace {

std::vector<double> numbers(const Vector& vector) { return {vector.begin(), vector.end()}; }

std::vector<std::vector<double>> numbers(const std::vector<Vector>& vectors) {
  std::vector<std::vector<double>> result;
  for (const Vector& vector : vectors) result.push_back(numbers(vector));
  return result;
}

ClaimedBound to_claim(const BoundWitness& witness) {
  return {witness.kind, numbers(witness.upper_duals), numbers(witness.lower_duals), numbers(witness.point)};
}

}  // namespace

Claims to_claims(const io::StoredResult& result) {
  Claims claims;
  claims.fingerprint = result.fingerprint;
  claims.status = result.status;
  claims.evidence = result.evidence;
  claims.x = numbers(result.x);
  claims.upper_value = result.upper_value;
  claims.lower_value = result.lower_value;
  claims.upper_accuracy = result.accuracy.upper;
  claims.lower_accuracy = result.accuracy.lower;
  claims.upper_excess = result.upper_excess;
  claims.lower_gap = result.lower_gap;
  claims.upper_lower_bound = result.upper_lower_bound;
  claims.lower_lower_bound = result.lower_lower_bound;
  claims.multiplier = result.witness.multiplier;
  claims.lower_bound = to_claim(result.witness.lower_bound);
  claims.upper_bound = to_claim(result.witness.upper_bound);
  claims.reference = numbers(result.witness.reference);
  return claims;
}

}  // namespace fcbio::verify
