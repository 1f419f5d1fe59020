// What a problem file asks to be done with a table of data before it becomes a term: take a column out as the
// target, map class labels to -1 / +1, shuffle and select rows, pad columns, append a column of ones.
// Pure functions on plain data; the messages of refusals are made by the callers, who know file and line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/matrix.hpp"

namespace fcbio::io {

/// A reordering of 0 .. count-1 that depends only on count and seed and will never change: problem files rely on
/// it.  Fisher-Yates from the last place down, place i swapped with place uniform(i + 1), where uniform(m) draws
/// 64-bit words of the splitmix64 sequence of `seed` until one is >= 2^64 mod m and takes it modulo m.
std::vector<Index> shuffled_order(Index count, std::uint64_t seed);

/// begin <= i < end
struct RowRange {
  Index begin = 0;
  Index end = 0;
};
/// "a:b", "a:", ":b" or ":" of `count` rows, 0 <= a < b <= count; throws std::invalid_argument with what was
/// found ("2 rows and an end of 5").
RowRange parse_row_range(std::string_view text, Index count);

data::Matrix select_rows(const data::Matrix& data, const std::vector<Index>& rows);
Vector select_entries(const Vector& vector, const std::vector<Index>& entries);

/// Removes a column of dense data and returns it.
Vector take_column(RowMajorMatrix& matrix, Index column);

/// Appends empty columns until there are `cols`; dense data stays as it is.
void pad_columns(data::Matrix& data, Index cols);
/// Appends a column whose entries are all `entry`.
void append_column(data::Matrix& data, double entry);

/// {-1, +1} stay, {0, 1} and {1, 2} are mapped (smaller -> -1); a single class is taken for part of the first of
/// these pairs it fits.  Returns what to tell the user, empty when nothing was changed.  Throws
/// std::invalid_argument with the values found when the labels are not binary.
std::string map_labels(Vector& labels);

}  // namespace fcbio::io
