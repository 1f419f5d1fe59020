// Sparse rows in bands of columns, ready for products.
//
// A product of sparse rows with a vector reads the vector at random places.  As long as the vector fits into the
// second-level cache that costs little; a vector of millions would wait for memory at every number (measured:
// eight times slower).  So the columns are cut into bands of at most 65536, whose piece of the vector fits (512
// kB), and the numbers are stored band after band: the place inside a band then needs 16 bits instead of 32.
// Cutting is not worth while when a row has next to nothing in a band: then there is one band, with 32-bit
// columns.
//
// Everything about the order of additions is a function of the matrix only.
#pragma once

#include <cstdint>
#include <vector>

#include "fcbio/linear_map.hpp"
#include "linalg/large_pages.hpp"

namespace fcbio {

class BandedRows {
 public:
  /// The transpose of a matrix, which must have passed require_csr.
  static BandedRows transpose_of(const CsrMatrix& matrix);
  /// The transpose of such a transpose: the matrix itself.
  static BandedRows transpose_of(const BandedRows& rows);

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  /// The largest number of entries in a row.
  Index longest_row() const { return longest_row_; }
  Index bands() const { return bands_; }
  Index bytes() const;

  /// out <- A in, on fixed shards.  No allocation.
  void multiply(const double* in, double* out) const;
  /// out <- out + weight A in.
  void add_product(double weight, const double* in, double* out) const;

 private:
  struct Work;
  BandedRows(Index rows, Index cols, Index nonzeros);
  template <class VisitEntries>
  void fill(const VisitEntries& visit_entries);
  void cut_shards();
  void run(const Work& work) const;
  void run_shard(const Work& work, Index shard) const;
  template <class Place>
  void run_band(const Work& work, const Place* places, Index band, Index begin, Index end) const;
  std::size_t key(Index band, Index row) const { return static_cast<std::size_t>(band * rows_ + row); }

  Index rows_, cols_;
  Index width_;  // of a band, a power of two
  int width_bits_;
  Index bands_;
  Index longest_row_ = 0;
  LargeArray<std::int64_t> starts_;   // of (band, row), band after band; one more at the end
  LargeArray<std::uint16_t> narrow_;  // place within the band; one of the two is in use
  LargeArray<std::int32_t> wide_;
  LargeArray<double> values_;
  std::vector<Index> limits_;  // first rows of the shards, and the end
};

}  // namespace fcbio
