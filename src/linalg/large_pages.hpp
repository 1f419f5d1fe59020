// Memory for arrays that are read from one end to the other at every product: where they are large the system is
// asked for large pages.  A processor's own read-ahead ends with its page, and every page costs a look into the
// page table; with 4 kB pages a product that waits for memory takes 10 to 20 % longer (measured, one core).  Only
// a request: nothing depends on the answer.
#pragma once

#include <cstddef>
#include <limits>
#include <new>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace fcbio {

template <class Number>
class LargePages {
 public:
  using value_type = Number;
  LargePages() = default;
  template <class Other>
  LargePages(const LargePages<Other>&) {}

  Number* allocate(std::size_t count) {
    if (count > (std::numeric_limits<std::size_t>::max() - kPage) / sizeof(Number))
      throw std::bad_array_new_length();
    if (!large(count)) return static_cast<Number*>(::operator new(count * sizeof(Number)));
    void* place = ::operator new (whole_pages(count), std::align_val_t{kPage});
#ifdef __linux__
    madvise(place, whole_pages(count), MADV_HUGEPAGE);
#endif
    return static_cast<Number*>(place);
  }
  void deallocate(Number* place, std::size_t count) {
    if (large(count))
      ::operator delete (place, std::align_val_t{kPage});
    else
      ::operator delete(place);
  }
  friend bool operator==(const LargePages&, const LargePages&) { return true; }

 private:
  static constexpr std::size_t kPage = std::size_t{1} << 21;
  /// From here on the rest of the last page does not matter.
  static bool large(std::size_t count) { return count * sizeof(Number) >= 16 * kPage; }
  static std::size_t whole_pages(std::size_t count) {
    return (count * sizeof(Number) + kPage - 1) / kPage * kPage;
  }
};

template <class Number>
using LargeArray = std::vector<Number, LargePages<Number>>;

}  // namespace fcbio
