// From plain data to the solver's objects.
#pragma once

#include "data/problem.hpp"
#include "fcbio/problem.hpp"

namespace fcbio::build {

/// What the constructors refuse (an asymmetric Q, an empty intersection ...) is an InvalidArgument that names the
/// table of the problem file, and for problems that were read from a file an InputError with file and line.
Problem make_problem(const data::Problem& data);
/// The same, but the matrices move into the problem instead of being copied.
Problem make_problem(data::Problem&& data);

/// One level and the domain alone, for problems that have other parts than plain data.
Function make_function(std::vector<data::Term> terms, const char* level);
ConvexSetPtr make_set(const data::Set& set, VectorIn start);

}  // namespace fcbio::build
