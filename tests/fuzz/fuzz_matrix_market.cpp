#include <variant>

#include "fuzz_check.hpp"
#include "io/matrix_market.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fcbio::io;
  try {
    const data::Matrix parsed = parse_matrix_market({fuzz::text_of(data, size), "fuzz.mtx"});
    std::visit([](const auto& matrix) { fuzz::require_sound(matrix); }, parsed.matrix);
  } catch (const InputError&) {
  }
  return 0;
}
