#include "io/number.hpp"

#include <array>
#include <charconv>
#include <cstddef>
#include <system_error>

namespace fcbio::io {

namespace {

constexpr std::array<double, 23> kPowersOfTen = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                 1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
constexpr std::int64_t kLargestExactPower = 22;
constexpr std::uint64_t kLargestExactInteger = std::uint64_t{1} << 53;
constexpr std::ptrdiff_t kSafeDigits = 19;                    // 10^19 - 1 fits into 64 bits
constexpr std::int64_t kExponentCeiling = 1'000'000'000'000;  // beyond any file's length: stops the counting

/// Length of `word` if the text begins with it, ignoring case; else 0.  `word` is in lower case.
std::size_t matches(const char* first, const char* last, std::string_view word) {
  if (static_cast<std::size_t>(last - first) < word.size()) return 0;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (static_cast<char>(first[i] | 0x20) != word[i]) return 0;
  }
  return word.size();
}

NumberText read_word(const char* first, const char* last) {
  for (const std::string_view word : {"infinity", "inf", "nan"}) {
    if (const std::size_t length = matches(first, last, word); length > 0) {
      return {0.0, NumberKind::not_finite, first + length};
    }
  }
  return {0.0, NumberKind::malformed, first};
}

/// Decimal exponent of the first digit that is not zero: 3 for 1234.5, -2 for 0.05.  There is such a digit.
std::int64_t leading_exponent(const char* digits, const char* point, std::int64_t exponent) {
  const char* p = digits;
  while (*p == '0' || *p == '.') ++p;
  return (p < point ? point - p - 1 : point - p) + exponent;
}

/// The general case.  [digits, end) is known to follow the grammar and has no sign; `point` is where the decimal
/// point is, or would be.
NumberText read_slowly(const char* digits, const char* end, const char* point, std::int64_t exponent,
                       bool negative) {
  double value = 0.0;
  const auto [used, error] = std::from_chars(digits, end, value);
  if (error == std::errc::result_out_of_range) {
    if (leading_exponent(digits, point, exponent) > 0) return {0.0, NumberKind::overflow, end};
    value = 0.0;
  } else if (error != std::errc() || used != end) {
    return {0.0, NumberKind::malformed, digits};
  }
  return {negative ? -value : value, NumberKind::finite, end};
}

}  // namespace

NumberText read_number(const char* first, const char* last) {
  const char* p = first;
  bool negative = false;
  if (p != last && (*p == '-' || *p == '+')) negative = *p++ == '-';

  const char* const digits = p;
  std::uint64_t mantissa = 0;  // wraps for long numbers, which do not use it
  for (; p != last && is_digit(*p); ++p) mantissa = 10 * mantissa + static_cast<std::uint64_t>(*p - '0');
  const char* const point = p;
  std::ptrdiff_t digit_count = p - digits;
  std::int64_t shift = 0;
  if (p != last && *p == '.') {
    ++p;
    const char* const fraction = p;
    for (; p != last && is_digit(*p); ++p) mantissa = 10 * mantissa + static_cast<std::uint64_t>(*p - '0');
    shift = fraction - p;
    digit_count += p - fraction;
  }
  if (digit_count == 0) return read_word(digits, last);

  std::int64_t exponent = 0;
  if (p != last && (*p == 'e' || *p == 'E')) {
    const char* q = p + 1;
    const bool down = q != last && *q == '-';
    if (q != last && (*q == '-' || *q == '+')) ++q;
    if (q != last && is_digit(*q)) {
      for (; q != last && is_digit(*q); ++q) {
        if (exponent < kExponentCeiling) exponent = 10 * exponent + (*q - '0');
      }
      if (down) exponent = -exponent;
      p = q;
    }
  }

  const std::int64_t power = exponent + shift;
  if (digit_count > kSafeDigits || mantissa > kLargestExactInteger || power > kLargestExactPower ||
      power < -kLargestExactPower) {
    return read_slowly(digits, p, point, exponent, negative);
  }
  double value = static_cast<double>(mantissa);
  if (power < 0) {
    value /= kPowersOfTen[static_cast<std::size_t>(-power)];
  } else {
    value *= kPowersOfTen[static_cast<std::size_t>(power)];
  }
  return {negative ? -value : value, NumberKind::finite, p};
}

NumberText whole_number(std::string_view text) {
  const char* const last = text.data() + text.size();
  NumberText number = read_number(text.data(), last);
  if (number.end != last) number.kind = NumberKind::malformed;
  return number;
}

void append_number(std::string& text, double value) {
  std::array<char, 32> buffer;
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  text.append(buffer.data(), result.ptr);
}

}  // namespace fcbio::io
