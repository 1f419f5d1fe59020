#include "solver/skeleton/driver.hpp"

#include <array>

#include "core/checkpoints.hpp"

namespace fcbio {

Driver::Outcome Driver::advance(std::int64_t slice, std::int64_t projections) {
  const auto after = [](std::int64_t now, std::int64_t more) { return more < kNoEnd - now ? now + more : kNoEnd; };
  if (!monitor_.is_resuming()) {
    slice_end_ = after(spent(), slice);
    projections_end_ = after(monitor_.work().projections, projections);
  }
  return resume();
}

Driver* race(Driver& first, Driver& second, Monitor& monitor) {
  constexpr std::int64_t kFirstSlice = 100, kMostSlice = std::int64_t{1} << 50;
  const std::array<Driver*, 2> drivers{&first, &second};
  std::array<bool, 2> runs{true, true};
  std::int64_t slice = kFirstSlice;
  std::size_t turn = 0;
  const Frame frame(monitor, [&](Archive& archive) { archive(runs, slice, turn); });
  for (; runs[0] || runs[1]; slice = std::min(2 * slice, kMostSlice), turn = 0)
    for (; turn < drivers.size(); ++turn) {
      if (!runs[turn]) continue;
      const Driver::Outcome outcome = drivers[turn]->advance(slice);
      if (outcome == Driver::Outcome::complete) return drivers[turn];
      if (monitor.stopped()) return nullptr;
      if (outcome == Driver::Outcome::exhausted) runs[turn] = false;
    }
  return nullptr;
}

}  // namespace fcbio
