// Numbers as text, read and written without a locale.
//
// A number is   [+-] digits [. digits] [e [+-] digits]   with at least one digit before the e.  The result is the
// double nearest to the decimal (ties to even), always: a decimal m * 10^k with m <= 2^53 and |k| <= 22 is one
// exact multiplication or division of two doubles, hence rounded once; every other goes through std::from_chars.
// Numbers too small for a double become the nearest one (a denormal or zero); too large ones are `overflow`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace fcbio::io {

inline bool is_digit(char c) { return static_cast<unsigned char>(c - '0') < 10; }

/// Whether +-inf is a number here.
enum class Infinity : std::uint8_t { refused, accepted };

enum class NumberKind : std::uint8_t {
  finite,
  not_finite,  ///< nan, inf or infinity, in any case
  overflow,    ///< a decimal beyond the range of double
  malformed,   ///< not a number
};

struct NumberText {
  double value = 0.0;  ///< meaningful only when finite
  NumberKind kind = NumberKind::malformed;
  const char* end = nullptr;  ///< behind the last character used
};

/// Reads the longest number that begins at `first`.
NumberText read_number(const char* first, const char* last);
/// Reads a number that is the whole text: anything left over makes it malformed.
NumberText whole_number(std::string_view text);

/// Appends the shortest decimal that reads back as the same double.
void append_number(std::string& text, double value);

}  // namespace fcbio::io
