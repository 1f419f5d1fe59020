// The order in which the unknowns of a sparse symmetric system are eliminated, and what its factor costs: CHOLMOD's
// analysis (minimum degree on the pattern), before any number is computed with.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "fcbio/types.hpp"

namespace fcbio {

/// The pattern of a symmetric matrix as a union of cliques: any two members of a clique may have a nonzero between them.
/// So is that of A'A by the rows of A; a single entry is a clique of two.
struct Cliques {
  Index vertices = 0;
  std::vector<std::int64_t> starts = {0};
  std::vector<std::int32_t> members;  ///< of clique after clique, none twice in one

  std::size_t count() const { return starts.size() - 1; }
  std::span<const std::int32_t> of(std::size_t clique) const {
    return {members.data() + starts[clique], static_cast<std::size_t>(starts[clique + 1] - starts[clique])};
  }
  /// What was appended to `members` since the last call is one more.
  void close() { starts.push_back(static_cast<std::int64_t>(members.size())); }
};

struct SparseOrdering {
  std::vector<std::int32_t> order;   ///< the vertices as they are eliminated: a postorder of the elimination tree
  std::vector<std::int32_t> counts;  ///< numbers of each column of the factor, its diagonal included
  double numbers = 0.0;              ///< of the factor
  double operations = 0.0;           ///< of a factorisation, additions and multiplications
};

/// What a factorisation costs in any order, nearly: a factor has a number for every entry of the pattern, and so many
/// columns of counts c cost sum of c^2, at least their number times the square of the mean.  The entries are counted at a
/// sample of vertices, which takes a small share of the time of order_sparse().
double least_operations(const Cliques& cliques);

/// `late` vertices are eliminated after all others; empty: there are none.  Nothing: memory does not suffice.
std::optional<SparseOrdering> order_sparse(const Cliques& cliques, const std::vector<bool>& late);

}  // namespace fcbio
