#include "fuzz_check.hpp"
#include "io/csv.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fcbio::io;
  try {
    const CsvData parsed = parse_csv({fuzz::text_of(data, size), "fuzz.csv"});
    fuzz::require_sound(parsed.matrix);
    fuzz::require(parsed.column_names.empty() ||
                  parsed.column_names.size() == static_cast<std::size_t>(parsed.matrix.cols()));
    const CsvData again = parse_csv({format_csv(parsed.matrix), "again.csv"});
    fuzz::require(again.matrix == parsed.matrix && again.column_names.empty());
  } catch (const InputError&) {
  }
  return 0;
}
