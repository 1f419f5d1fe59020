// NumPy's .npy: magic, version, a Python dictionary literal {descr, fortran_order, shape}, then the raw numbers.
// Versions 1, 2 and 3; bool, signed and unsigned integers of 1 to 8 bytes, float32 and float64, either byte order;
// C or Fortran order; 1-D and 2-D.  64-bit integers beyond 2^53 are rounded to the nearest double.  Everything
// else (objects, complex, strings, records, other shapes) is refused, and so is a file of the wrong length.
#pragma once

#include <filesystem>
#include <string>

#include "fcbio/linear_map.hpp"
#include "io/text_source.hpp"

namespace fcbio::io {

struct NpyArray {
  RowMajorMatrix values;  ///< a 1-D array is one column
  int dimensions = 2;     ///< of the array in the file: 1 or 2
};

/// Throws InputError; also for an array without elements or with one that is not finite (NaN, or infinity where
/// that is refused).
NpyArray parse_npy(const TextSource& source, Infinity infinity = Infinity::refused);

/// Version 1, float64, C order.  Throws InvalidArgument for no elements or numbers not finite.
std::string format_npy(const Vector& vector);          ///< 1-D
std::string format_npy(const RowMajorMatrix& matrix);  ///< 2-D
void write_npy(const std::filesystem::path& file, const Vector& vector);
void write_npy(const std::filesystem::path& file, const RowMajorMatrix& matrix);

}  // namespace fcbio::io
