// The kinds of hostile problems, each a seeded generator.
#pragma once

#include <string>
#include <vector>

#include "dice.hpp"
#include "hostile_problem.hpp"

namespace fcbio::adversary {

struct Kind {
  std::string name;
  HostileProblem (*make)(Dice& dice);
};

const std::vector<Kind>& kinds();

/// Problem number `index` of a kind; the same in every run of a build.
HostileProblem make_problem(const Kind& kind, std::uint64_t seed, std::uint64_t index);

// g of one direction over sets with a closed form (direction_kinds.cpp).
HostileProblem make_plain(Dice& dice);
HostileProblem make_affine(Dice& dice);
HostileProblem make_cap(Dice& dice);
HostileProblem make_lens(Dice& dice);
HostileProblem make_wedge(Dice& dice);
HostileProblem make_polytope(Dice& dice);
// Piecewise linear f and g over polyhedra, by exact linear programs (polyhedral_kind.cpp).
HostileProblem make_polyhedral(Dice& dice);
// Optimality conditions planted in small numbers: every function over every set (planted_kinds.cpp).
HostileProblem make_planted(Dice& dice);
HostileProblem make_extreme(Dice& dice);
// Quadratics with a hardly negative curvature, on small boxes (quadratic_kind.cpp).
HostileProblem make_quadratic(Dice& dice);
// Absolute and tight accuracy (accuracy_kinds.cpp).
HostileProblem make_told(Dice& dice);
HostileProblem make_computed(Dice& dice);
HostileProblem make_tight(Dice& dice);
// Nothing nasty, no truth: how often is the answer certified, and does it verify (sane_kind.cpp)?
HostileProblem make_sane(Dice& dice);

}  // namespace fcbio::adversary
