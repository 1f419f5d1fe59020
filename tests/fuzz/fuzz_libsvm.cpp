#include "fuzz_check.hpp"
#include "io/libsvm.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fcbio::io;
  const std::string_view text = fuzz::text_of(data, size);
  looks_like_libsvm(text);
  try {
    const LibsvmData parsed = parse_libsvm({text, "fuzz.svm"});
    fuzz::require_sound(parsed.matrix);
    fuzz::require(parsed.labels.size() == parsed.matrix.rows && parsed.labels.allFinite());
    const LibsvmData again = parse_libsvm({format_libsvm(parsed.matrix, parsed.labels), "again.svm"});
    fuzz::require(again.matrix.starts == parsed.matrix.starts && again.matrix.columns == parsed.matrix.columns);
    fuzz::require(again.matrix.values == parsed.matrix.values && again.matrix.cols == parsed.matrix.cols);
    fuzz::require(again.labels == parsed.labels);
  } catch (const InputError&) {
  }
  return 0;
}
