#include "core/ledger.hpp"

#include <array>
#include <cmath>
#include <utility>

namespace fcbio {

Ledger::Ledger(const Problem& problem)
    : problem_(problem),
      candidate_(problem.start()),
      reference_(problem.start()),
      upper_lower_bound_(problem.upper().lower_bound()),
      lower_lower_bound_(problem.lower().lower_bound()) {
  for (Proof* proof : {&lower_proof_, &plain_proof_, &lagrangian_proof_}) {
    proof->upper_duals = problem.upper().make_duals();
    proof->lower_duals = problem.lower().make_duals();
  }
}

namespace {

std::optional<BoundHint> kept(const BoundHint* hint) {
  return hint != nullptr ? std::optional<BoundHint>(*hint) : std::nullopt;
}

}  // namespace

void Ledger::set_candidate(VectorIn x, double f, double g, bool settles) {
  proved_.reset();
  candidate_settles_ = settles;
  candidate_ = x;
  candidate_upper_ = f;
  candidate_lower_ = g;
}

void Ledger::offer_reference(VectorIn x, double g) {
  if (!(g < reference_value_)) return;
  proved_.reset();
  reference_ = x;
  reference_value_ = g;
}

void Ledger::offer_lower_bound(double bound, const PartVectors& duals, const BoundHint* hint) {
  if (!(bound > lower_lower_bound_)) return;
  proved_.reset();
  lower_lower_bound_ = bound;
  lower_proof_.bound = bound;
  lower_proof_.lower_duals = duals;
  lower_proof_.hint = kept(hint);
}

void Ledger::offer_cut(double mu, double low, const PartVectors& upper_duals, const PartVectors& lower_duals,
                       const BoundHint* hint) {
  const double paid = mu > 0.0 ? mu * cut_level() : 0.0;
  const double noise = noise_unit() * (std::abs(low) + 2.0 * std::abs(paid));
  const double bound = low - paid - noise;
  Proof& proof = mu > 0.0 ? lagrangian_proof_ : plain_proof_;
  if (!(bound > proof.bound)) return;
  proved_.reset();
  proof.bound = bound;
  upper_lower_bound_ = std::max(upper_lower_bound_, bound);
  proof.multiplier = mu;
  proof.upper_duals = upper_duals;
  proof.hint = kept(hint);
  if (mu > 0.0) proof.lower_duals = lower_duals;
}

double Ledger::quiet_multiplier(double loss) const {
  const double size = 3.0 * noise_unit() * std::abs(cut_level());  // |low| is mu |g|, or little more
  return size > 0.0 ? loss / size : kInfinity;
}

std::int64_t Ledger::proof_cost(const Problem& problem) {
  const PassCost f = problem.upper().cost(), g = problem.lower().cost();
  return f.image + f.value + 2 * (g.image + g.value) + 2 * f.slope + 2 * g.slope;
}

void Ledger::archive(Archive& archive) {
  archive(proved_, candidate_, reference_, candidate_settles_, candidate_upper_, candidate_lower_,
          reference_value_, upper_lower_bound_, lower_lower_bound_, tight_level_, lower_proof_, plain_proof_,
          lagrangian_proof_);
}

void Ledger::prove(Oracle& oracle, Result& result) {
  const auto take = [&result](const Result& from) {
    result.x = from.x;
    result.upper_value = from.upper_value;
    result.lower_value = from.lower_value;
    result.certificate = from.certificate;
    result.witness = from.witness;
  };
  if (proved_) return take(*proved_);
  Result fresh;
  prove_afresh(oracle, fresh);
  take(fresh);
  // What was stopped may have been cut short: another time there may be more to be had.
  if (!oracle.monitor().stopped()) proved_ = std::move(fresh);
}

void Ledger::prove_afresh(Oracle& oracle, Result& result) const {
  Certificate& certificate = result.certificate;
  Witness& witness = result.witness;
  // Settled where that moves it by rounding only: the claims are about x as it is, in Z or next to it.  A vertex, which
  // breaks no condition as far as doubles can tell, stays where it is.
  result.x = candidate_;
  if (candidate_settles_ && problem_.domain().violation(result.x) > 0.0) problem_.domain().settle(result.x);
  if (!((result.x - candidate_).norm() <= 64.0 * kEpsilon * candidate_.norm())) result.x = candidate_;
  Point point(problem_);
  point.x = result.x;
  const CheckedValue f = checked_value(oracle, Level::upper, point);
  const CheckedValue g = checked_value(oracle, Level::lower, point);
  result.upper_value = std::isfinite(f.value) ? f.value : candidate_upper_;
  result.lower_value = std::isfinite(g.value) ? g.value : candidate_lower_;
  if (!std::isfinite(f.value) || !std::isfinite(g.value)) return;  // a function that broke down proves nothing

  // g* >= lower_lower_bound
  double lower_lower_bound = problem_.lower().lower_bound();
  if (lower_lower_bound > -kInfinity) witness.lower_bound.kind = "known";
  if (lower_proof_.bound > -kInfinity) {
    BoundWitness dual;
    const double bound = prove_minimum(oracle, {{Level::lower, 1.0, &lower_proof_.lower_duals}}, dual,
                                       lower_proof_.hint ? &*lower_proof_.hint : nullptr);
    if (bound > lower_lower_bound) {
      lower_lower_bound = bound;
      witness.lower_bound = std::move(dual);
    }
  }
  // f* >= upper_lower_bound
  double upper_lower_bound = problem_.upper().lower_bound();
  double tight_bound = upper_lower_bound;  // of v(tight_level_)
  if (upper_lower_bound > -kInfinity) witness.upper_bound.kind = "known";
  // The more promising one first: the other is not worth its price where it cannot do better.
  std::array<const Proof*, 2> proofs{&plain_proof_, &lagrangian_proof_};
  if (plain_proof_.bound < lagrangian_proof_.bound) std::swap(proofs[0], proofs[1]);
  for (const Proof* proof : proofs) {
    if (!(proof->bound > upper_lower_bound)) continue;
    const double mu = proof->multiplier;
    BoundWitness dual;
    std::vector<DualPart> parts{{Level::upper, 1.0, &proof->upper_duals}};
    if (mu > 0.0) parts.push_back({Level::lower, mu, &proof->lower_duals});
    const double low = prove_minimum(oracle, parts, dual, proof->hint ? &*proof->hint : nullptr);
    double bound = low;
    if (mu > 0.0) {
      point.x = reference_;
      bound = lagrangian_bound(low, mu, checked_reference(oracle, point));
    }
    if (!(bound > upper_lower_bound)) continue;
    upper_lower_bound = bound;
    tight_bound = mu > 0.0 ? lagrangian_bound(low, mu, {cut_level(), 0.0}) : low;
    witness.upper_bound = std::move(dual);
    witness.multiplier = mu;
    witness.reference = mu > 0.0 ? point.x : Vector();
  }

  const double lower_gap = excess(g, lower_lower_bound), upper_excess = excess(f, upper_lower_bound);
  if (lower_lower_bound > -kInfinity && std::isfinite(lower_gap)) {
    certificate.lower_lower_bound = lower_lower_bound;
    certificate.lower_gap = lower_gap;
  }
  if (upper_lower_bound > -kInfinity && std::isfinite(upper_excess)) {
    certificate.upper_lower_bound = upper_lower_bound;
    certificate.upper_excess = upper_excess;
    certificate.shortfall = std::max(0.0, -upper_excess);  // upper_excess is rounded up
  }
  if (const double tight = excess(f, tight_bound); tight_level_ > -kInfinity && std::isfinite(tight)) {
    certificate.tight_level = cut_level();
    certificate.tight_excess = tight;
  }
  certificate.evidence = certificate.lower_gap && certificate.upper_excess ? Evidence::proved : Evidence::none;
}

}  // namespace fcbio
