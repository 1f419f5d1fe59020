// The point of a set at which a linear function is largest, in closed form or by an exact linear program.
#pragma once

#include <optional>

#include "data/problem.hpp"
#include "linear_program.hpp"

namespace fcbio::adversary {

/// Empty where it is not the only one, or where no closed form is known.
std::optional<ExactVector> only_maximizer(const data::Set& set, const ExactVector& c);

/// The set as rows of a linear program in its first variables, which must be there.  The balls that cut halfspaces
/// and affine sets are left out: a solution counts only if inside_all_balls().  False: not a polyhedron.
bool add_polyhedron(const data::Set& set, LinearProgram& program);
bool inside_all_balls(const data::Set& set, const ExactVector& x);

}  // namespace fcbio::adversary
