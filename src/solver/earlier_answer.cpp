#include "solver/earlier_answer.hpp"

#include <optional>

namespace fcbio {
namespace {

/// As terms want them; empty: they are not duals of this function.
std::optional<PartVectors> duals_of(const Function& function, const PartVectors& stored) {
  const std::vector<Function::Part>& parts = function.parts();
  if (stored.size() != parts.size()) return std::nullopt;
  PartVectors duals = function.make_duals();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (stored[i].size() != parts[i].term->witness_size() || !stored[i].allFinite()) return std::nullopt;
    duals[i].head(stored[i].size()) = stored[i];
    parts[i].term->repair_dual(duals[i]);
  }
  return duals;
}

/// What it proves of f* and g* is as good as its parts: a wrong one proves less.
BoundHint hint_of(const BoundWitness& witness) { return {witness.domain, witness.point}; }

class Taking {
 public:
  Taking(Oracle& oracle, Ledger& ledger) : oracle_(oracle), ledger_(ledger), point_(oracle.problem()) {}

  void take_point(const Vector& x) {
    if (!move_to(x)) return;
    PerLevel<double> values;
    for (Level level : kLevels) {
      oracle_.update_images(level, point_);
      values[level] = oracle_.value(level, point_);
    }
    if (oracle_.monitor().stopped()) return;
    ledger_.offer_reference(point_.x, values.lower);
    ledger_.set_candidate(point_.x, values.upper, values.lower);
  }
  void take_reference(const Vector& x) {
    if (!move_to(x)) return;
    oracle_.update_images(Level::lower, point_);
    const double g = oracle_.value(Level::lower, point_);
    if (!oracle_.monitor().stopped()) ledger_.offer_reference(point_.x, g);
  }
  void take_lower_bound(const BoundWitness& witness) {
    const std::optional<PartVectors> duals = duals_of(oracle_.problem().lower(), witness.lower_duals);
    if (!duals) return;
    const BoundHint hint = hint_of(witness);
    BoundWitness proof;
    const double bound = prove_minimum(oracle_, {{Level::lower, 1.0, &*duals}}, proof, &hint);
    ledger_.offer_lower_bound(bound, *duals, &hint);
  }
  void take_upper_bound(const BoundWitness& witness, double mu) {
    if (!(mu >= 0.0) || !std::isfinite(mu)) return;
    const Problem& problem = oracle_.problem();
    const std::optional<PartVectors> upper = duals_of(problem.upper(), witness.upper_duals);
    const std::optional<PartVectors> lower =
        mu > 0.0 ? duals_of(problem.lower(), witness.lower_duals) : problem.lower().make_duals();
    if (!upper || !lower) return;
    const BoundHint hint = hint_of(witness);
    BoundWitness proof;
    std::vector<DualPart> parts{{Level::upper, 1.0, &*upper}};
    if (mu > 0.0) parts.push_back({Level::lower, mu, &*lower});
    const double low = prove_minimum(oracle_, parts, proof, &hint);
    ledger_.offer_cut(mu, low, *upper, *lower, &hint);
  }

 private:
  bool move_to(const Vector& x) {
    if (x.size() != oracle_.problem().dimension() || !x.allFinite()) return false;
    point_.x = x;
    oracle_.project(point_.x);
    return !oracle_.monitor().stopped();
  }

  Oracle& oracle_;
  Ledger& ledger_;
  Point point_;
};

}  // namespace

void take_answer(Oracle& oracle, Ledger& ledger, const EarlierAnswer& answer) {
  const PassCost f = oracle.problem().upper().cost(), g = oracle.problem().lower().cost();
  if (!oracle.monitor().may_spend(f.image + f.value + 2 * (g.image + g.value) + f.slope + 2 * g.slope)) return;
  Taking taking(oracle, ledger);
  taking.take_point(answer.x);
  taking.take_reference(answer.witness.reference);
  taking.take_lower_bound(answer.witness.lower_bound);
  taking.take_upper_bound(answer.witness.upper_bound, answer.witness.multiplier);
}

}  // namespace fcbio
