// Which iterations of a long run a report shows: by the iteration number alone, so that two runs of the same problem
// have the same samples, and so many that memory stays small: each up to 1000, then each 10th up to 10 000, each 100th
// up to 100 000 and so on.
#pragma once

#include <cstdint>

namespace fcbio::report {

inline bool is_sampled(std::int64_t iteration) {
  std::int64_t step = 1;
  for (std::int64_t rest = iteration; rest > 1000; rest = (rest + 9) / 10) step *= 10;
  return iteration % step == 0;
}

}  // namespace fcbio::report
