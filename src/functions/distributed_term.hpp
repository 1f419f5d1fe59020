// A sum over rows of data that lie on many ranks: one term behind the interface of all terms.  Its rows are cut into
// shards (parallel/shard_sum.hpp); each rank holds the terms of its own shards, loss(map x) each.  x is on all ranks.
//
//   image, dual      of the own rows, so that points and duals are combined without a word to the others
//   value, constant of a dual, slope along a line, bounds of rounding errors
//                    of every shard from its owner, added up in the order of shards
//   gradient, slope of a dual, product with the Hessian
//                    likewise, along the tree
//
// What comes out of a sum is the same to the bit on all ranks, and for any number of ranks; so is what a solve decides
// from it.  Every call that returns a sum is a collective one.
#pragma once

#include "fcbio/problem.hpp"
#include "parallel/shard_sum.hpp"

namespace fcbio::functions {

/// `own`: the terms of the shards of this rank, of so many variables.  `model`: a loss like theirs of one row; it tells, on
/// ranks without a shard too, what does not depend on the rows.  The summands must be bounded below by 0.
TermPtr distributed_term(parallel::Communicator& ranks, Index shards, std::vector<TermPtr> own, LossPtr model,
                         Index dimension);

/// Not null: a part with a weight whose rows lie on many ranks.
const Term* distributed_part(const Problem& problem);

/// Numbers of the own rows of `term` (a dual, an image) become those of all rows, on all ranks; of a term on one rank they
/// stay what they are.  Collective.
void complete_rows(const Term& term, Vector& numbers);
/// The reverse: numbers of all rows, the same on all ranks, become those of the own rows.  Empty on all ranks: they were
/// another number, or not finite.  Collective.
void keep_own_rows(const Term& term, Vector& numbers);

}  // namespace fcbio::functions
