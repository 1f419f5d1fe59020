// A file in the binary form with anything in it.  Checksums would stop nearly every change before it reaches the code
// behind them, so they are put right first where the first byte asks for it: what is opened is then refused or sound,
// and its products stay within their arrays.
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <string>

#include "fcbio/error.hpp"
#include "fuzz_check.hpp"
#include "io/checksum.hpp"
#include "io/fcb_file.hpp"
#include "io/fcb_format.hpp"

namespace {

using namespace fcbio;
using namespace fcbio::io;

template <class Word>
Word word_at(const std::string& file, std::size_t offset) {
  Word word{};
  if (offset <= file.size() && file.size() - offset >= sizeof(word))
    std::memcpy(&word, file.data() + offset, sizeof(word));
  return word;
}

void put_word(std::string& file, std::size_t offset, std::uint64_t word) {
  if (offset <= file.size() && file.size() - offset >= sizeof(word))
    std::memcpy(file.data() + offset, &word, sizeof(word));
}

/// Offsets as in fcb_format.cpp: sections' checksums, then the directory's, then the header's.
void mend(std::string& file) {
  put_word(file, 16, file.size());
  const auto begin = std::min<std::uint64_t>(word_at<std::uint64_t>(file, 24), file.size());
  const auto size = std::min<std::uint64_t>(word_at<std::uint64_t>(file, 32), file.size() - begin);
  std::uint64_t place = begin + 6 * 8;
  const std::uint64_t count = std::min<std::uint64_t>(word_at<std::uint64_t>(file, begin + 5 * 8), 64);
  for (std::uint64_t section = 0; section < count && place < begin + size; ++section) {
    const auto offset = std::min<std::uint64_t>(word_at<std::uint64_t>(file, place + 8), file.size());
    const auto length = std::min<std::uint64_t>(word_at<std::uint64_t>(file, place + 16), file.size() - offset);
    place += 24;
    for (std::uint64_t done = 0; done < length; done += kFcbBlock, place += 8)
      put_word(file, place,
               checksum(std::string_view(file).substr(offset + done, std::min(kFcbBlock, length - done))));
  }
  put_word(file, 40, checksum(std::string_view(file).substr(begin, size)));
  if (file.size() >= kFcbHeader) put_word(file, 56, checksum(std::string_view(file).substr(0, 56)));
}

void use(const std::string& file) {
  const DataFile data = read_fcb(file);
  fuzz::require(data.labels.size() == 0 || data.labels.size() == data.matrix.rows());
  data.matrix.owned();  // reads every number
  const auto* sparse = std::get_if<data::BorrowedCsr>(&data.matrix.matrix);
  if (sparse == nullptr) return;
  if (const LinearMapPtr map = sparse->lender->ready_map(sparse->view.cols)) {
    Vector image(map->rows()), gradient(map->cols());
    map->apply(Vector::Ones(map->cols()), image);
    map->transpose(1.0, image, gradient);
  }
  check_fcb(file);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string name = "/dev/shm/fuzz-" + std::to_string(::getpid()) + ".fcb";
  if (size == 0) return 0;
  std::string bytes(fuzz::text_of(data + 1, size - 1));
  if (data[0] % 2 == 1) mend(bytes);
  std::ofstream(name, std::ios::binary) << bytes;
  try {
    use(name);
  } catch (const InputError&) {
  }
  ::unlink(name.c_str());
  return 0;
}
