#include "io/checksum.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>

namespace fcbio::io {

namespace {

constexpr std::uint64_t kPrime1 = 0x9E3779B185EBCA87U, kPrime2 = 0xC2B2AE3D27D4EB4FU,
                        kPrime3 = 0x165667B19E3779F9U, kPrime4 = 0x85EBCA77C2B2AE63U,
                        kPrime5 = 0x27D4EB2F165667C5U;

/// Little-endian.
template <class Word>
std::uint64_t load_word(const char* bytes) {
  Word word;
  std::memcpy(&word, bytes, sizeof(word));
  if constexpr (std::endian::native == std::endian::big) {
    Word swapped = 0;
    for (std::size_t i = 0; i < sizeof(Word); ++i)
      swapped = static_cast<Word>(swapped << 8 | (word >> 8 * i & 0xFF));
    word = swapped;
  }
  return word;
}

std::uint64_t mix(std::uint64_t lane, std::uint64_t word) {
  return std::rotl(lane + word * kPrime2, 31) * kPrime1;
}

}  // namespace

std::uint64_t checksum(std::string_view bytes) {
  const char* p = bytes.data();
  const char* const end = p + bytes.size();
  std::uint64_t sum = kPrime5;
  if (bytes.size() >= 32) {
    std::array<std::uint64_t, 4> lanes = {kPrime1 + kPrime2, kPrime2, 0, 0 - kPrime1};
    for (; end - p >= 32; p += 32)
      for (std::size_t lane = 0; lane < 4; ++lane)
        lanes[lane] = mix(lanes[lane], load_word<std::uint64_t>(p + 8 * lane));
    sum = std::rotl(lanes[0], 1) + std::rotl(lanes[1], 7) + std::rotl(lanes[2], 12) + std::rotl(lanes[3], 18);
    for (const std::uint64_t lane : lanes) sum = (sum ^ mix(0, lane)) * kPrime1 + kPrime4;
  }
  sum += bytes.size();
  for (; end - p >= 8; p += 8) sum = std::rotl(sum ^ mix(0, load_word<std::uint64_t>(p)), 27) * kPrime1 + kPrime4;
  if (end - p >= 4) {
    sum = std::rotl(sum ^ load_word<std::uint32_t>(p) * kPrime1, 23) * kPrime2 + kPrime3;
    p += 4;
  }
  for (; p != end; ++p) sum = std::rotl(sum ^ static_cast<unsigned char>(*p) * kPrime5, 11) * kPrime1;
  sum = (sum ^ sum >> 33) * kPrime2;
  sum = (sum ^ sum >> 29) * kPrime3;
  return sum ^ sum >> 32;
}

}  // namespace fcbio::io
