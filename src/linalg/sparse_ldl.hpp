// The factor K = L D L' of a sparse symmetric matrix whose pivots have known signs: positive definite, negative
// definite, or quasi-definite, that is (H, A'; A, -T) with H, T > 0 in any order of elimination.  Supernode after
// supernode (linalg/supernodes.hpp), each of which takes from the earlier ones what falls into it (left-looking), by
// products of dense rows.
//
// The numbers are computed here and not by CHOLMOD, from which the order comes: a factorisation must stop when a watch
// asks for it, and its bits must depend neither on threads nor on the BLAS that a system has.
#pragma once

#include "fcbio/watch.hpp"
#include "linalg/supernodes.hpp"

namespace fcbio {

/// Where the numbers of a supernode are wanted: entry (row, column) of the matrix, both by their places in the order of
/// elimination, row >= column.
struct SupernodeBlock {
  std::int32_t begin, end;    ///< columns that are wanted
  const std::int32_t* local;  ///< where a place of the supernode's rows is found in the block
  double* numbers;
  Index width;
  double& at(std::int32_t row, std::int32_t column) const {
    return numbers[local[row] * width + (column - begin)];
  }
};

class SparseLdl {
 public:
  SparseLdl(const Cliques& cliques, const SparseOrdering& ordering);

  Index size() const { return static_cast<Index>(places_.size()); }
  /// When a vertex is eliminated.
  std::int32_t place(Index vertex) const { return places_[static_cast<std::size_t>(vertex)]; }

  /// What is known of a pivot, by places: its sign; and whether it may be nothing but rounding (an equation that depends
  /// on others): then the unknown is left out, as 0.
  struct Pivot {
    bool negative = false, may_vanish = false;
  };
  /// `fill(block)` adds the matrix to a block of zeros and tells the operations that this took.  False: a pivot has the
  /// wrong sign, or the watch asked to stop.
  template <class Fill>
  bool factor(const std::vector<Pivot>& pivots, const Fill& fill, Watch* watch) {
    start();
    for (std::size_t s = 0; s < supernodes_.count(); ++s) {
      if (is_over(fill(open(s)), watch) || !finish(s, pivots, watch)) return false;
    }
    return true;
  }
  /// x <- K^{-1} x, in the order of elimination.
  void solve(VectorOut x) const;
  /// Whether the pivot was nothing but rounding.
  bool vanished(std::int32_t place) const;
  /// Most numbers in a row of L, which is what its rounding errors grow with.
  Index longest_row() const;

 private:
  void start();
  SupernodeBlock open(std::size_t s);
  bool finish(std::size_t s, const std::vector<Pivot>& pivots, Watch* watch);
  bool subtract(std::size_t descendant, std::size_t s, Watch* watch);
  bool factor_columns(std::size_t s, Index begin, Index end, const std::vector<Pivot>& pivots);
  bool is_over(double operations, Watch* watch);
  double* block(std::size_t s) { return numbers_.data() + supernodes_.block_starts[s]; }
  const double* block(std::size_t s) const { return numbers_.data() + supernodes_.block_starts[s]; }

  Supernodes supernodes_;
  std::vector<std::int32_t> places_;
  std::vector<double> numbers_;   // of L, supernode by supernode
  std::vector<double> diagonal_;  // D
  std::vector<double> sizes_;     // of what was added and subtracted to make each pivot
  std::vector<std::int32_t> local_;
  // Supernodes that have something for a later one, as lists; `reached_`: how many of its rows are done.
  std::vector<std::int32_t> first_waiting_, next_waiting_, reached_;
  std::vector<double> product_, weights_;
  double done_ = 0.0;
};

}  // namespace fcbio
