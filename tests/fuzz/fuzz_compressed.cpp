#include "fuzz_check.hpp"
#include "io/compressed_stream.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fcbio::io;
  constexpr std::uint64_t kLargest = std::uint64_t{1} << 22;
  for (const Compression compression : {Compression::gzip, Compression::xz, Compression::zstd}) {
    try {
      MemorySource packed(fuzz::text_of(data, size));
      const auto decoder = make_decoder(compression, packed, "fuzz", kLargest);
      fuzz::require(read_all(*decoder, "fuzz", kLargest).size() <= kLargest);
    } catch (const InputError&) {
    } catch (const std::bad_alloc&) {  // an xz dictionary beyond the limit
    }
  }
  return 0;
}
