#include "python/sparse_rows.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>

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

[[noreturn]] void refuse_not_finite(const CsrView& view) {
  std::size_t row = 0, k = 0;
  while (std::isfinite(view.values[k])) ++k;
  while (static_cast<std::size_t>(view.starts[row + 1]) <= k) ++row;
  throw InvalidArgument("expected finite numbers, found " + std::to_string(view.values[k]) + " in row " +
                        std::to_string(row) + ", column " + std::to_string(view.columns[k]));
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

}  // namespace

void require_sound(const CsrView& view) {
  if (view.rows < 1 || view.cols < 1 || view.starts.size() != static_cast<std::size_t>(view.rows) + 1 ||
      view.columns.size() != view.values.size() || view.starts.front() != 0 ||
      view.starts.back() != static_cast<std::int64_t>(view.values.size()))
    throw InvalidArgument("expected row starts from 0 to the number of stored values");
  require_ascending(view);
  if (!all_finite(view.values)) refuse_not_finite(view);
}

}  // namespace fcbio::python
