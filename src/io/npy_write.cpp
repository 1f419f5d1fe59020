#include <fmt/format.h>

#include <bit>

#include "fcbio/error.hpp"
#include "io/atomic_file.hpp"
#include "io/npy.hpp"

namespace fcbio::io {

namespace {

constexpr std::size_t kAlignment = 64;  // of the first number, as the format recommends
constexpr std::size_t kPreamble = 10;   // magic, version, length

std::string format_numbers(const double* numbers, Index count, bool all_finite, const std::string& shape) {
  static_assert(std::endian::native == std::endian::little, "the numbers are written as they are in memory");
  if (count == 0 || !all_finite) {
    throw InvalidArgument("write_npy: expected numbers, all finite, found " +
                          std::string(count == 0 ? "none" : "one that is not") +
                          "; such a file could not be read again");
  }
  std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': " + shape + ", }";
  const std::size_t unpadded = kPreamble + header.size() + 1;
  header.append((kAlignment - unpadded % kAlignment) % kAlignment, ' ');
  header += '\n';

  const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(double);
  std::string text;
  text.reserve(kPreamble + header.size() + bytes);
  text += "\x93NUMPY\x01";
  text += '\0';
  text += static_cast<char>(header.size() % 256);
  text += static_cast<char>(header.size() / 256);
  text += header;
  text.append(reinterpret_cast<const char*>(numbers), bytes);
  return text;
}

}  // namespace

std::string format_npy(const Vector& vector) {
  return format_numbers(vector.data(), vector.size(), vector.allFinite(), fmt::format("({},)", vector.size()));
}

std::string format_npy(const RowMajorMatrix& matrix) {
  return format_numbers(matrix.data(), matrix.size(), matrix.allFinite(),
                        fmt::format("({}, {})", matrix.rows(), matrix.cols()));
}

void write_npy(const std::filesystem::path& file, const Vector& vector) {
  write_file_atomically(file, format_npy(vector));
}

void write_npy(const std::filesystem::path& file, const RowMajorMatrix& matrix) {
  write_file_atomically(file, format_npy(matrix));
}

}  // namespace fcbio::io
