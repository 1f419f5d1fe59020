// From plain data to the solver's objects.
#pragma once

#include "data/problem.hpp"
#include "fcbio/problem.hpp"
#include "fcbio/result.hpp"
#include "parallel/communicator.hpp"

namespace fcbio::build {

/// What the constructors refuse (an asymmetric Q, an empty intersection ...) is an InvalidArgument that names the
/// table of the problem file, and for problems that were read from a file an InputError with file and line.
Problem make_problem(const data::Problem& data);
/// The same, but the matrices move into the problem instead of being copied; on many ranks, the rows of this rank.
Problem make_problem(data::Problem&& data, parallel::Communicator& ranks = parallel::alone());
/// Makes what each rank has of the duals of a result the duals of all rows.  Collective.
void complete_witness(const Problem& problem, Result& result);
/// The reverse: leaves each rank what its own rows have of the duals of a witness.  Collective.
void keep_own_witness(const Problem& problem, Witness& witness);

/// One level and the domain alone, for problems that have other parts than plain data.
Function make_function(std::vector<data::Term> terms, const char* level);
ConvexSetPtr make_set(const data::Set& set, VectorIn start);

}  // namespace fcbio::build
