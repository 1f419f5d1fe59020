#include "fuzz_check.hpp"
#include "io/matrix_market.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fcbio;
  using namespace fcbio::io;
  try {
    fuzz::require_sound(parse_matrix_market({fuzz::text_of(data, size), "fuzz.mtx"}));
  } catch (const InputError&) {
  }
  return 0;
}
