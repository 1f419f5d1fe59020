// Comparing rows with tiles.
#include "linalg/stored_map.hpp"

#include <bit>

#include "linalg/at.hpp"
#include "linalg/tiled_rows.hpp"

namespace fcbio {
namespace {

std::uint64_t scramble(std::uint64_t word) {
  word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9U;
  word = (word ^ (word >> 27)) * 0x94D049BB133111EBU;
  return word ^ (word >> 31);
}

/// The same for the same numbers in any order.
class EntrySum {
 public:
  void add(Index row, Index column, double value) {
    if (value == 0.0) return;
    const auto place = static_cast<std::uint64_t>(row) << 32 | static_cast<std::uint64_t>(column);
    sum_ += scramble(scramble(place + 0x9E3779B97F4A7C15U) + std::bit_cast<std::uint64_t>(value));
  }
  bool operator==(const EntrySum&) const = default;

 private:
  std::uint64_t sum_ = 0;
};

}  // namespace

bool same_entries(const CsrView& rows, const SparseMapPlan& plan, const TileNumbers& transposed,
                  const TileNumbers& forward) {
  const auto column = [&plan](Index inner) { return plan.used.empty() ? inner : plan.used[at(inner)]; };
  EntrySum of_rows, of_transposed, of_forward;
  for (Index row = 0; row < rows.rows; ++row)
    for (std::int64_t k = rows.starts[at(row)]; k < rows.starts[at(row) + 1]; ++k)
      of_rows.add(row, rows.columns[at(k)], rows.values[at(k)]);
  TiledRows::over(plan.transposed, transposed, nullptr).visit_all([&](Index inner, Index row, double value) {
    of_transposed.add(row, column(inner), value);
  });
  TiledRows::over(plan.forward, forward, nullptr).visit_all([&](Index row, Index inner, double value) {
    of_forward.add(row, column(inner), value);
  });
  return of_rows == of_transposed && of_rows == of_forward;
}

}  // namespace fcbio
