// See claims.hpp.  Names are copied one by one on purpose: the checker has no type in common with the solver.
#include "claims/claims.hpp"

namespace fcbio::claims {
namespace {

std::vector<double> plain(const Vector& vector) { return {vector.begin(), vector.end()}; }

std::vector<std::vector<double>> plain(const PartVectors& vectors) {
  std::vector<std::vector<double>> out;
  for (const Vector& vector : vectors) out.push_back(plain(vector));
  return out;
}

verify::ClaimedSetBound plain(const SetWitness& set) {
  verify::ClaimedSetBound out{plain(set.multipliers), plain(set.shares), {}};
  for (const SetWitness& part : set.parts) out.parts.push_back(plain(part));
  return out;
}

verify::ClaimedBound plain(const BoundWitness& bound) {
  return {bound.kind, plain(bound.upper_duals), plain(bound.lower_duals), plain(bound.point), plain(bound.domain)};
}

void copy_point(verify::Claims& claims, const Vector& x, const Accuracy& accuracy, const Witness& witness) {
  claims.x = plain(x);
  claims.upper_accuracy = accuracy.upper;
  claims.lower_accuracy = accuracy.lower;
  claims.upper_relative = accuracy.upper_relative;
  claims.lower_relative = accuracy.lower_relative;
  claims.tight = accuracy.tight;
  claims.absolute = accuracy.absolute;
  claims.multiplier = witness.multiplier;
  claims.lower_bound = plain(witness.lower_bound);
  claims.upper_bound = plain(witness.upper_bound);
  claims.reference = plain(witness.reference);
  if (const auto& region = witness.region)
    claims.region = verify::ClaimedRegion{region->by, region->radius, region->beta, plain(region->point)};
}

/// Certificate and StoredResult use the same names for the bounds.
template <class Bounds>
void copy_bounds(verify::Claims& claims, const Bounds& bounds) {
  claims.upper_excess = bounds.upper_excess;
  claims.lower_gap = bounds.lower_gap;
  claims.upper_lower_bound = bounds.upper_lower_bound;
  claims.lower_lower_bound = bounds.lower_lower_bound;
  claims.shortfall = bounds.shortfall;
  claims.tight_level = bounds.tight_level;
  claims.tight_excess = bounds.tight_excess;
  claims.upper_deficit = bounds.upper_deficit;
}

void copy_error_bound(verify::Claims& claims, const std::optional<HolderBound>& holder, HolderSource source) {
  if (holder)
    claims.error_bound = {holder->alpha, holder->beta, holder->gradient_bound, source == HolderSource::computed};
}

std::vector<std::string> not_checked(const io::StoredResult& stored) {
  std::vector<std::string> names = {"version", "message", "work", "seconds", "seed", "options"};
  if (!stored.engine.empty()) names.insert(names.begin() + 1, "engine");
  return names;
}

}  // namespace

verify::Claims claims_of(const Result& result, const std::string& fingerprint) {
  verify::Claims claims;
  claims.fingerprint = fingerprint;
  claims.status = to_string(result.status);
  claims.evidence = to_string(result.certificate.evidence);
  claims.upper_value = result.upper_value;
  claims.lower_value = result.lower_value;
  copy_bounds(claims, result.certificate);
  copy_error_bound(claims, result.certificate.holder, result.certificate.holder_source);
  copy_point(claims, result.x, result.accuracy, result.witness);
  return claims;
}

verify::Claims claims_of(const io::StoredResult& stored) {
  verify::Claims claims;
  claims.fingerprint = stored.fingerprint;
  claims.status = stored.status;
  claims.evidence = stored.evidence;
  claims.upper_value = stored.upper_value.value_or(kUnknown);
  claims.lower_value = stored.lower_value.value_or(kUnknown);
  copy_bounds(claims, stored);
  copy_error_bound(claims, stored.accuracy.holder, stored.holder_source);
  copy_point(claims, stored.x, stored.accuracy, stored.witness);
  claims.record = verify::Record{stored.dimension,    stored.method,      {}, stored.accuracy_from, stored.digest,
                                 stored.digest_found, not_checked(stored)};
  return claims;
}

}  // namespace fcbio::claims
