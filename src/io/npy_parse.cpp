#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "io/npy.hpp"
#include "io/npy_header.hpp"

namespace fcbio::io {

namespace {

template <class Number>
Number load(const char* bytes, bool swapped) {
  std::array<char, sizeof(Number)> copy;
  std::memcpy(copy.data(), bytes, sizeof(Number));
  if (swapped) std::reverse(copy.begin(), copy.end());
  return std::bit_cast<Number>(copy);
}

template <class Number>
void fill(const char* bytes, const NpyHeader& header, RowMajorMatrix& values) {
  const bool swapped = header.order == (std::endian::native == std::endian::little ? '>' : '<');
  const Index outer = header.column_major ? values.cols() : values.rows();
  const Index inner = header.column_major ? values.rows() : values.cols();
  for (Index i = 0; i < outer; ++i) {
    for (Index j = 0; j < inner; ++j, bytes += sizeof(Number)) {
      double& value = header.column_major ? values(j, i) : values(i, j);
      value = static_cast<double>(load<Number>(bytes, swapped));
      if (header.kind == 'b') value = value != 0.0 ? 1.0 : 0.0;
    }
  }
}

using Fill = void (*)(const char*, const NpyHeader&, RowMajorMatrix&);

/// The header was checked: these are all there are.
Fill fill_for(const NpyHeader& header) {
  switch (header.item_size) {
    case 1:
      return header.kind == 'i' ? fill<std::int8_t> : fill<std::uint8_t>;
    case 2:
      return header.kind == 'i' ? fill<std::int16_t> : fill<std::uint16_t>;
    case 4:
      if (header.kind == 'f') return fill<float>;
      return header.kind == 'i' ? fill<std::int32_t> : fill<std::uint32_t>;
    default:
      if (header.kind == 'f') return fill<double>;
      return header.kind == 'i' ? fill<std::int64_t> : fill<std::uint64_t>;
  }
}

std::string shape_text(const NpyHeader& header) {
  std::string text = std::to_string(header.shape[0]);
  if (header.shape.size() == 2) text += " x " + std::to_string(header.shape[1]);
  return text;
}

void check_finite(const TextSource& source, const RowMajorMatrix& values, Infinity infinity) {
  if (values.allFinite()) return;
  for (Index row = 0; row < values.rows(); ++row) {
    for (Index column = 0; column < values.cols(); ++column) {
      const double value = values(row, column);
      if (std::isfinite(value) || (infinity == Infinity::accepted && std::isinf(value))) continue;
      std::string found;
      append_number(found, std::isnan(value) ? std::abs(value) : value);
      refuse(source, 0, "finite numbers",
             found + " in row " + std::to_string(row) + ", column " + std::to_string(column) + " (counted from 0)",
             "remove or replace entries that are not finite");
    }
  }
}

}  // namespace

NpyArray parse_npy(const TextSource& source, Infinity infinity) {
  static_assert(std::numeric_limits<double>::is_iec559 && sizeof(double) == 8 && sizeof(float) == 4);
  const NpyHeader header = parse_npy_header(source);
  const std::int64_t rows = header.shape[0];
  const std::int64_t columns = header.shape.size() == 2 ? header.shape[1] : 1;
  if (rows == 0 || columns == 0) {
    refuse(source, 0, "an array with elements", "one of shape " + shape_text(header),
           "check how the file was made");
  }
  const std::size_t stored = source.text.size() - header.data_start;
  const auto most =
      static_cast<std::int64_t>(stored / header.item_size);  // also keeps the product from overflowing
  if (rows > most / columns || static_cast<std::size_t>(rows * columns) * header.item_size != stored) {
    refuse(source, 0,
           shape_text(header) + " numbers of " + counted(static_cast<std::int64_t>(header.item_size), "byte"),
           counted(static_cast<std::int64_t>(stored), "byte") + " of data",
           "the file is truncated or damaged: copy or download it again");
  }
  NpyArray array;
  array.dimensions = static_cast<int>(header.shape.size());
  array.values.resize(rows, columns);
  fill_for(header)(source.text.data() + header.data_start, header, array.values);
  check_finite(source, array.values, infinity);
  return array;
}

}  // namespace fcbio::io
