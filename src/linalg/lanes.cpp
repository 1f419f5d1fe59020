// Asks the processor once.  An ordinary variable, not a compiler's dispatch: that one runs before the sanitizers
// are up.
#include "linalg/lanes.hpp"

namespace fcbio {

#ifdef __x86_64__
bool use_avx2 = [] {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") != 0;
}();
#else
bool use_avx2 = false;
#endif

}  // namespace fcbio
