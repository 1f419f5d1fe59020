#include "fuzz_check.hpp"
#include "io/npy.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fcbio::io;
  try {
    const NpyArray parsed = parse_npy({fuzz::text_of(data, size), "fuzz.npy"});
    fuzz::require_sound(parsed.values);
    const NpyArray again = parse_npy({format_npy(parsed.values), "again.npy"});
    fuzz::require(again.values == parsed.values);
  } catch (const InputError&) {
  }
  return 0;
}
