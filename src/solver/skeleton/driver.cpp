#include "solver/skeleton/driver.hpp"

#include <array>

namespace fcbio {

Driver::Outcome Driver::advance(std::int64_t slice) {
  const std::int64_t now = spent();
  slice_end_ = slice < std::numeric_limits<std::int64_t>::max() - now ? now + slice
                                                                      : std::numeric_limits<std::int64_t>::max();
  return resume();
}

Driver* race(Driver& first, Driver& second, const Monitor& monitor) {
  constexpr std::int64_t kFirstSlice = 100, kMostSlice = std::int64_t{1} << 50;
  std::array<Driver*, 2> running{&first, &second};
  for (std::int64_t slice = kFirstSlice; running[0] != nullptr || running[1] != nullptr;
       slice = std::min(2 * slice, kMostSlice))
    for (Driver*& driver : running) {
      if (driver == nullptr) continue;
      const Driver::Outcome outcome = driver->advance(slice);
      if (outcome == Driver::Outcome::complete) return driver;
      if (monitor.stopped()) return nullptr;
      if (outcome == Driver::Outcome::exhausted) driver = nullptr;
    }
  return nullptr;
}

}  // namespace fcbio
