// A randomised range finder (Halko, Martinsson, Tropp 2011):  M ~ Q B  with Q'Q = I and  B = Q'M,  grown by a few columns
// at a time until the caller has enough.  M'M - B'B >= 0 is then the square of what is left.
//
// The first columns are M times Gaussian vectors; then block after block of Krylov's: M times the last rows of B, made
// orthogonal to all before.  So each column costs two passes, and the range is nearly the best of its rank: as random
// columns it would have to be half as large again.
//
// Seeded; bits depend on the numbers and the sizes only, not on the threads.
#pragma once

#include "fcbio/linear_map.hpp"
#include "fcbio/watch.hpp"
#include "linalg/archive.hpp"

namespace fcbio {

class RangeFinder {
 public:
  static constexpr Index kBlock = 4;  ///< columns at a time

  /// The numbers of the map must be at hand, and the map must outlive this.
  RangeFinder(const LinearMap& map, std::uint64_t seed);

  /// Up to `columns` columns, or as many as there is rank for.  Two passes for each that is new.  False: `watch` asked
  /// to stop, and there are as many as before or a few more.
  bool grow(Index columns, Watch* watch);

  Index rank() const { return rank_; }
  /// Whether there is no rank left: M = Q B to rounding, or Q is square.
  bool is_complete() const { return complete_; }
  /// Q' and B: the first rank() rows.
  const RowMajorMatrix& range() const { return range_; }
  const RowMajorMatrix& image() const { return image_; }
  /// |M - Q B|_F^2, to rounding of |M|_F^2; 0 where complete.
  double residual() const;
  double squared_norm() const { return squared_norm_; }  ///< |M|_F^2

  void archive(Archive& archive) {
    archive(range_, image_, squared_norm_, projected_, first_length_, rank_, block_, complete_);
  }

 private:
  void make_room(Index columns);
  bool multiply(const RowMajorMatrix& vectors, Watch* watch);
  bool project(Index count, Watch* watch);
  double orthogonalise(Index row);

  const LinearMap& map_;
  std::uint64_t seed_;
  RowMajorMatrix range_, image_;                 // Q' and B
  double squared_norm_ = 0.0, projected_ = 0.0;  // |M|_F^2, |B|_F^2
  double first_length_ = 0.0;                    // of a column
  Index rank_ = 0, block_ = 0;                   // all, and those of the last block
  bool complete_ = false;
};

}  // namespace fcbio
