// Sparse rows of a caller's, who may have made a mistake or may change them while they are borrowed.
#pragma once

#include <cstdint>
#include <span>

#include "fcbio/matrix.hpp"

namespace fcbio::python {

/// Whatever goes over rows that pass stays within the arrays.  Throws InvalidArgument with what was expected and found.
void require_sound(const CsrView& view);

/// Lines (rows, or else columns) whose entries stand in any order, and may be said in several parts.
struct SparseLines {
  Index rows = 0, cols = 0;
  bool by_rows = true;
  std::span<const std::int64_t> starts;
  std::span<const std::int32_t> places;
  std::span<const double> values;
};

/// Entries in any order, likewise.
struct SparseTriples {
  Index rows = 0, cols = 0;
  std::span<const std::int32_t> row_of, column_of;
  std::span<const double> values;
};

void require_sound(const SparseLines& lines);
void require_sound(const SparseTriples& triples);
/// What require_sound() demands, in order; parts of an entry are added up as they stand.
CsrMatrix rows_of(const SparseLines& lines);
CsrMatrix rows_of(const SparseTriples& triples);

}  // namespace fcbio::python
