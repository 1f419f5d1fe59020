// A 64-bit hash, the same on every machine and in every run.  It names things; it does not withstand an enemy.
//
// Everything becomes a sequence of 64-bit words, mixed in order by one lane of MurmurHash3 (Appleby, public
// domain):  word <- rotl(word c1, 31) c2;  h <- 5 rotl(h xor word, 27) + 0x52dce729;  and its 64-bit finaliser.
// Numbers count by value: -0 is 0.
#pragma once

#include <bit>
#include <cstdint>
#include <string>

#include "fcbio/types.hpp"

namespace fcbio::data {

class Hash {
 public:
  void word(std::uint64_t w) {
    w *= 0x87C37B91114253D5U;
    w = std::rotl(w, 31) * 0x4CF5AD432745937FU;
    state_ = std::rotl(state_ ^ w, 27) * 5 + 0x52DCE729U;
    ++words_;
  }
  void count(Index n) { word(static_cast<std::uint64_t>(n)); }
  void real(double number) { word(number == 0.0 ? 0U : std::bit_cast<std::uint64_t>(number)); }
  void text(const std::string& characters) {
    count(static_cast<Index>(characters.size()));
    for (const char character : characters) word(static_cast<unsigned char>(character));
  }
  void vector(const Vector& numbers) {
    count(numbers.size());
    for (const double number : numbers) real(number);
  }
  std::uint64_t finish() const {
    std::uint64_t h = state_ ^ words_;
    h = (h ^ (h >> 33)) * 0xFF51AFD7ED558CCDU;
    h = (h ^ (h >> 33)) * 0xC4CEB9FE1A85EC53U;
    return h ^ (h >> 33);
  }

 private:
  std::uint64_t state_ = 0;
  std::uint64_t words_ = 0;
};

}  // namespace fcbio::data
