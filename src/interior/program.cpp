#include "interior/program.hpp"

namespace fcbio::interior {

void open_rows_of_zeros(Block& block) {
  for (Index i = 0; i < block.rows.rows(); ++i) {
    bool any = false;
    block.rows.visit_row(i, [&](Index, double value) { any = any || value != 0.0; });
    if (any) continue;
    block.low[i] = -kInfinity;
    block.high[i] = kInfinity;
  }
}

}  // namespace fcbio::interior
