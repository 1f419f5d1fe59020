#include "io/memory.hpp"

#include <unistd.h>

namespace fcbio::io {

std::uint64_t physical_memory() {
  constexpr std::uint64_t kPlenty = std::uint64_t{1} << 46;
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page = ::sysconf(_SC_PAGESIZE);
  return pages > 0 && page > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page) : kPlenty;
}

}  // namespace fcbio::io
