#include "linalg/tile_plan.hpp"

#include <algorithm>
#include <limits>

#include "linalg/at.hpp"
#include "linalg/refusal.hpp"

namespace fcbio {
namespace {

constexpr Index kMostRows = Index{1} << 16;  // of a block, and columns of a band: what 16 bits can tell
constexpr Index kMostNumbers = std::numeric_limits<Index>::max() / 16;

void require_plan(bool holds, const char* expected) {
  if (!holds) refuse("tiles", expected, "something else", "make the tiles anew");
}

/// 0 = first <= ... <= last = end.
bool climbs(const std::vector<Index>& numbers, Index end) {
  return !numbers.empty() && numbers.front() == 0 && numbers.back() == end &&
         std::is_sorted(numbers.begin(), numbers.end());
}

void check_blocks(const TilePlan& plan) {
  require_plan(plan.blocks.size() >= 2 && climbs(plan.blocks, plan.rows), "blocks that cover the rows");
  for (std::size_t block = 1; block < plan.blocks.size(); ++block) {
    const Index height = plan.blocks[block] - plan.blocks[block - 1];
    require_plan(height >= 1 && height <= kMostRows, "blocks of 1 to 65536 rows");
  }
}

void check_tiles(const TilePlan& plan) {
  const auto tiles = static_cast<Index>(plan.tile_bands.size());
  const auto blocks = static_cast<Index>(plan.blocks.size()) - 1;
  require_plan(static_cast<Index>(plan.stripe_starts.size()) == blocks * plan.stripes + 1 &&
                   climbs(plan.stripe_starts, tiles),
               "stripes that cover the tiles");
  for (const Index band : plan.tile_bands) require_plan(band >= 0 && band < plan.bands(), "tiles in bands");
  require_plan(plan.run_ends.size() == plan.tile_bands.size(), "runs for every tile");
  Index before = 0;
  for (const Index end : plan.run_ends) {
    require_plan(end >= before, "runs for every tile");
    before = end;
  }
  require_plan(before == static_cast<Index>(plan.runs.size()), "runs for every tile");
}

}  // namespace

TileTotals check_plan(const TilePlan& plan) {
  require_shape("tiles", plan.rows, plan.cols);
  require_plan(plan.band_bits >= 1 && plan.band_bits <= 16, "bands of at most 65536 columns");
  require_plan(plan.stripes >= 1 && plan.stripes <= plan.bands(), "at most as many stripes as bands");
  require_plan(plan.longest_row >= 0 && plan.longest_row <= plan.cols, "rows no longer than the columns");
  check_blocks(plan);
  check_tiles(plan);
  TileTotals totals;
  for (const TileRun& run : plan.runs) {
    require_plan(run.packs >= 1 && run.groups >= 1, "runs with numbers");
    const Index packs = Index{run.packs} * run.groups;  // below 2^62
    require_plan(packs <= (kMostNumbers - totals.values) / kPack, "numbers that can be counted");
    totals.values += kPack * packs;
    totals.owners += run.owners();
  }
  return totals;
}

}  // namespace fcbio
