#include "build/presolve.hpp"

#include <fmt/format.h>

namespace fcbio::build {
namespace {

constexpr Index kWorthwhile = 8;  // one in so many

std::vector<Index> variables_used(const Problem& problem, const Vector& rest) {
  std::vector<bool> used(static_cast<std::size_t>(problem.dimension()), false);
  for (const Level level : kLevels)
    for (const Function::Part& part : problem.function(level).parts()) part.term->mark_used(rest, used);
  problem.domain().mark_used(used);
  std::vector<Index> list;
  for (std::size_t j = 0; j < used.size(); ++j)
    if (used[j]) list.push_back(static_cast<Index>(j));
  return list;
}

/// Empty where some term cannot be restricted.
std::optional<Function> restricted(const Function& function, const std::vector<Index>& used) {
  Function smaller;
  for (const Function::Part& part : function.parts()) {
    TermPtr term = part.term->restricted(used);
    if (term == nullptr) return {};
    smaller += Function(std::move(term), part.weight);
  }
  if (const double bound = function.lower_bound(); bound > -kInfinity) smaller.tell_lower_bound(bound);
  return smaller;
}

}  // namespace

Presolved::Presolved(const Problem& problem, const Accuracy& accuracy) : whole_(problem) {
  const Index n = problem.dimension();
  rest_ = Vector::Zero(n);
  if (accuracy.absolute || !problem.domain().resting_point(problem.given_start(), rest_)) return;
  used_ = variables_used(problem, rest_);
  const auto used = static_cast<Index>(used_.size());
  if (used == 0 || kWorthwhile * (n - used) < n) return;
  ConvexSetPtr domain = problem.domain().restricted(used_);
  std::optional<Function> upper = restricted(problem.upper(), used_), lower = restricted(problem.lower(), used_);
  if (domain == nullptr || !upper || !lower) return;
  smaller_.emplace(std::move(*upper), std::move(*lower), std::move(domain), problem.given_start()(used_));
}

std::string Presolved::note() const {
  if (idle() == 0) return {};
  return fmt::format("{} of {} variables appear in no data and are left out of the computation", idle(),
                     whole_.dimension());
}

void Presolved::restore(VectorIn point, VectorOut whole) const {
  whole = rest_;
  for (std::size_t k = 0; k < used_.size(); ++k) whole[used_[k]] = point[static_cast<Index>(k)];
}

void Presolved::restore(Vector& point) const {
  if (point.size() == 0) return;
  Vector whole(rest_.size());
  restore(point, whole);
  point = std::move(whole);
}

void Presolved::restore(BoundWitness& witness) const {
  restore(witness.point);
  const auto restore_duals = [this](Level level, PartVectors& duals) {
    for (std::size_t i = 0; i < duals.size(); ++i)
      if (duals[i].size() > 0) whole_.function(level).parts()[i].term->restore_dual(used_, duals[i]);
  };
  restore_duals(Level::upper, witness.upper_duals);
  restore_duals(Level::lower, witness.lower_duals);
}

void Presolved::restore(Result& result) const {
  if (!smaller_) return;
  restore(result.x);
  restore(result.witness.reference);
  restore(result.witness.lower_bound);
  restore(result.witness.upper_bound);
  if (std::optional<RegionWitness>& region = result.witness.region) {
    restore(region->point);
    Vector idle = rest_;
    for (const Index j : used_) idle[j] = 0.0;
    region->radius += idle.norm() * (1.0 + 1e-9);  // idle variables are at rest at every solution that counts
  }
}

}  // namespace fcbio::build
