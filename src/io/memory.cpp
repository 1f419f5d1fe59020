#include "io/memory.hpp"

#include <unistd.h>

#include <fstream>

namespace fcbio::io {

std::uint64_t physical_memory() {
  constexpr std::uint64_t kPlenty = std::uint64_t{1} << 46;
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page = ::sysconf(_SC_PAGESIZE);
  return pages > 0 && page > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page) : kPlenty;
}

std::uint64_t resident_memory() {
  std::ifstream pages("/proc/self/statm");
  std::uint64_t all = 0, resident = 0;
  const long page = ::sysconf(_SC_PAGESIZE);
  return pages >> all >> resident && page > 0 ? resident * static_cast<std::uint64_t>(page) : 0;
}

}  // namespace fcbio::io
