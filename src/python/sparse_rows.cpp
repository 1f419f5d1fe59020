#include "python/sparse_rows.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "fcbio/error.hpp"

namespace fcbio::python {
namespace {

/// One pass without branches: it is part of what a call from Python costs.
bool all_finite(std::span<const double> numbers) {
  constexpr std::uint64_t kExponent = 0x7FF0000000000000U;
  std::uint64_t bad = 0;
  for (const double number : numbers)
    bad |= (std::bit_cast<std::uint64_t>(number) & kExponent) == kExponent ? 1U : 0U;
  return bad == 0;
}

std::size_t first_not_finite(std::span<const double> numbers) {
  return static_cast<std::size_t>(
      std::ranges::find_if_not(numbers, [](double number) { return std::isfinite(number); }) - numbers.begin());
}

/// The line in which the k-th entry stands.
Index line_of(std::span<const std::int64_t> starts, std::size_t k) {
  return std::ranges::upper_bound(starts, static_cast<std::int64_t>(k)) - starts.begin() - 1;
}

[[noreturn]] void refuse_not_finite(double number, Index row, Index column) {
  throw InvalidArgument("expected finite numbers, found " + std::to_string(number) + " in row " +
                        std::to_string(row) + ", column " + std::to_string(column));
}

/// Starts that never descend, and in each row columns that ascend within the matrix; nothing outside of the arrays is
/// looked at on the way.
void require_ascending(const CsrView& view) {
  for (std::size_t i = 0; i + 1 < view.starts.size(); ++i) {
    const std::int64_t begin = view.starts[i], end = view.starts[i + 1];
    if (begin > end || end > view.starts.back()) throw InvalidArgument("expected row starts that never descend");
    if (begin == end) continue;
    const auto row = view.columns.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
    unsigned disorder = 0;
    for (std::size_t k = 1; k < row.size(); ++k) disorder |= row[k] <= row[k - 1] ? 1U : 0U;
    for (const std::int32_t column : {row.front(), row.back(), disorder != 0 ? *std::ranges::min_element(row) : 0,
                                      disorder != 0 ? *std::ranges::max_element(row) : 0})
      if (column < 0 || column >= view.cols)
        throw InvalidArgument("expected column indices from 0 to " + std::to_string(view.cols - 1) + ", found " +
                              std::to_string(column) + " in row " + std::to_string(i));
    if (disorder != 0) throw InvalidArgument("expected column indices that ascend within a row");
  }
}

void require_starts(std::span<const std::int64_t> starts, Index lines, std::size_t places, std::size_t values,
                    const char* what) {
  if (starts.size() != static_cast<std::size_t>(lines) + 1 || places != values || starts.front() != 0 ||
      starts.back() != static_cast<std::int64_t>(values))
    throw InvalidArgument(std::string("expected ") + what + " starts from 0 to the number of stored values");
}

void require_places(std::span<const std::int32_t> places, Index count, const char* what) {
  if (places.empty()) return;
  const auto [least, most] = std::ranges::minmax(places);
  if (least < 0 || most >= count)
    throw InvalidArgument(std::string("expected ") + what + " indices from 0 to " + std::to_string(count - 1) +
                          ", found " + std::to_string(least < 0 ? least : most));
}

/// Adds up the parts of entries; in each row columns ascend, or are the same where there are parts.
void add_up_parts(CsrMatrix& matrix) {
  std::size_t end = 0;
  for (Index row = 0; row < matrix.rows; ++row) {
    auto& begin = matrix.starts[static_cast<std::size_t>(row)];
    const auto first = static_cast<std::size_t>(begin);
    const auto last = static_cast<std::size_t>(matrix.starts[static_cast<std::size_t>(row) + 1]);
    begin = static_cast<std::int64_t>(end);
    for (std::size_t k = first; k < last; ++k) {
      if (k > first && matrix.columns[k] == matrix.columns[end - 1]) {
        matrix.values[end - 1] += matrix.values[k];
        continue;
      }
      matrix.columns[end] = matrix.columns[k];
      matrix.values[end++] = matrix.values[k];
    }
  }
  matrix.starts.back() = static_cast<std::int64_t>(end);
  matrix.columns.resize(end);
  matrix.values.resize(end);
}

/// Brings the columns of each row into order, parts of an entry in the order in which they stood; true if there are
/// such parts.
bool put_rows_in_order(CsrMatrix& matrix) {
  bool parts = false;
  std::vector<std::pair<std::int32_t, double>> row;
  for (Index i = 0; i < matrix.rows; ++i) {
    const auto begin = static_cast<std::size_t>(matrix.starts[static_cast<std::size_t>(i)]);
    const auto end = static_cast<std::size_t>(matrix.starts[static_cast<std::size_t>(i) + 1]);
    const std::span columns(matrix.columns.data() + begin, end - begin);
    if (!std::ranges::is_sorted(columns)) {
      row.clear();
      for (std::size_t k = begin; k < end; ++k) row.emplace_back(matrix.columns[k], matrix.values[k]);
      std::ranges::stable_sort(row, {}, &std::pair<std::int32_t, double>::first);
      for (std::size_t k = begin; k < end; ++k) std::tie(matrix.columns[k], matrix.values[k]) = row[k - begin];
    }
    parts = parts || std::ranges::adjacent_find(columns) != columns.end();
  }
  return parts;
}

/// visit(visitor) calls visitor(row, column, value) for every entry, each time in the same order.
template <class Visit>
CsrMatrix collect_rows(Index rows, Index cols, std::size_t count, const Visit& visit) {
  CsrMatrix matrix{rows, cols, std::vector<std::int64_t>(static_cast<std::size_t>(rows) + 1, 0), {}, {}};
  matrix.columns.resize(count);
  matrix.values.resize(count);
  // The start of a row is moved on while it is filled: one place further ahead than where it belongs.
  std::vector<std::int64_t>& next = matrix.starts;
  visit([&next](Index row, Index, double) { ++next[static_cast<std::size_t>(row)]; });
  std::int64_t before = 0;
  for (std::int64_t& start : next) before += std::exchange(start, before);
  visit([&](Index row, Index column, double value) {
    const auto k = static_cast<std::size_t>(next[static_cast<std::size_t>(row)]++);
    matrix.columns[k] = static_cast<std::int32_t>(column);
    matrix.values[k] = value;
  });
  std::shift_right(next.begin(), next.end(), 1);
  next.front() = 0;
  next.back() = static_cast<std::int64_t>(count);
  if (put_rows_in_order(matrix)) add_up_parts(matrix);
  return matrix;
}

}  // namespace

void require_sound(const SparseLines& lines) {
  const char *const of = lines.by_rows ? "row" : "column", *const across = lines.by_rows ? "column" : "row";
  require_starts(lines.starts, lines.by_rows ? lines.rows : lines.cols, lines.places.size(), lines.values.size(),
                 of);
  if (!std::ranges::is_sorted(lines.starts))
    throw InvalidArgument(std::string("expected ") + of + " starts that never descend");
  require_places(lines.places, lines.by_rows ? lines.cols : lines.rows, across);
  if (all_finite(lines.values)) return;
  const std::size_t k = first_not_finite(lines.values);
  const Index line = line_of(lines.starts, k), place = lines.places[k];
  refuse_not_finite(lines.values[k], lines.by_rows ? line : place, lines.by_rows ? place : line);
}

void require_sound(const SparseTriples& triples) {
  if (triples.row_of.size() != triples.values.size() || triples.column_of.size() != triples.values.size())
    throw InvalidArgument("expected a row index and a column index for every stored value");
  require_places(triples.row_of, triples.rows, "row");
  require_places(triples.column_of, triples.cols, "column");
  if (all_finite(triples.values)) return;
  const std::size_t k = first_not_finite(triples.values);
  refuse_not_finite(triples.values[k], triples.row_of[k], triples.column_of[k]);
}

CsrMatrix rows_of(const SparseLines& lines) {
  require_sound(lines);
  return collect_rows(lines.rows, lines.cols, lines.values.size(), [&lines](const auto& visitor) {
    for (std::size_t line = 0; line + 1 < lines.starts.size(); ++line)
      for (auto k = static_cast<std::size_t>(lines.starts[line]);
           k < static_cast<std::size_t>(lines.starts[line + 1]); ++k) {
        const auto own = static_cast<Index>(line), across = Index{lines.places[k]};
        visitor(lines.by_rows ? own : across, lines.by_rows ? across : own, lines.values[k]);
      }
  });
}

CsrMatrix rows_of(const SparseTriples& triples) {
  require_sound(triples);
  return collect_rows(triples.rows, triples.cols, triples.values.size(), [&triples](const auto& visitor) {
    for (std::size_t k = 0; k < triples.values.size(); ++k)
      visitor(Index{triples.row_of[k]}, Index{triples.column_of[k]}, triples.values[k]);
  });
}

void require_sound(const CsrView& view) {
  if (view.rows < 1 || view.cols < 1 || view.starts.size() != static_cast<std::size_t>(view.rows) + 1 ||
      view.columns.size() != view.values.size() || view.starts.front() != 0 ||
      view.starts.back() != static_cast<std::int64_t>(view.values.size()))
    throw InvalidArgument("expected row starts from 0 to the number of stored values");
  require_ascending(view);
  if (all_finite(view.values)) return;
  const std::size_t k = first_not_finite(view.values);
  refuse_not_finite(view.values[k], line_of(view.starts, k), view.columns[k]);
}

}  // namespace fcbio::python
