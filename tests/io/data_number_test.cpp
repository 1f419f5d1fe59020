// Numbers as text: always the nearest double, whichever path was taken.  The C library's strtod is the judge.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>

#include "io/number.hpp"

namespace fcbio::io {
namespace {

std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }

void expect_as_strtod(const std::string& text) {
  const double judge = std::strtod(text.c_str(), nullptr);
  const NumberText number = whole_number(text);
  if (std::isinf(judge)) {
    EXPECT_EQ(number.kind, NumberKind::overflow) << text;
  } else {
    ASSERT_EQ(number.kind, NumberKind::finite) << text;
    EXPECT_EQ(bits(number.value), bits(judge)) << text;
  }
}

TEST(Number, FormsThatAreNumbers) {
  for (const char* text : {"0",
                           "-0",
                           "+0",
                           "1",
                           "+1",
                           "-1.",
                           ".5",
                           "-.5",
                           "5.e3",
                           "1e5",
                           "1E+5",
                           "1e-5",
                           "007",
                           "0.1",
                           "0.30000000000000004",
                           "1e22",
                           "1e23",
                           "9007199254740993",
                           "123456789012345678901",
                           "0e99999999999999999999",
                           "0.000000000000000000000000000000000001e36"}) {
    expect_as_strtod(text);
  }
}

TEST(Number, FormsThatAreNot) {
  for (const char* text :
       {"",    "+",    "-",  ".",     "e5", ".e5",   "1e",   "1e+",  "--1",   "+-1", "1 ",      " 1",
        "1,5", "0x10", "1f", "1_000", "na", "infin", "nanx", "1..2", "1e5.5", "i",   "\xC2\xBD"}) {
    EXPECT_EQ(whole_number(text).kind, NumberKind::malformed) << text;
  }
}

TEST(Number, NanAndInfinityAreKnownInAnyCase) {
  for (const char* text : {"nan", "NaN", "-nan", "inf", "Inf", "-INF", "+inf", "infinity", "-Infinity"}) {
    EXPECT_EQ(whole_number(text).kind, NumberKind::not_finite) << text;
  }
}

TEST(Number, EdgesOfTheRange) {
  for (const char* text : {"1.7976931348623157e308",
                           "1.7976931348623158e308",
                           "1.7976931348623159e308",
                           "1e308",
                           "1e309",
                           "-1e309",
                           "1e999",
                           "1e99999999999999999999",
                           "123e400",
                           "2.2250738585072014e-308",
                           "2.2250738585072011e-308",
                           "4.9406564584124654e-324",
                           "2.4703282292062328e-324",
                           "2.4703282292062327e-324",
                           "3e-324",
                           "2e-324",
                           "1e-400",
                           "-1e-400",
                           "1e-99999999999999999999",
                           "0.00000000000000000000000001e-310"}) {
    expect_as_strtod(text);
  }
  // Many zeros do not hide the size of a number.
  expect_as_strtod(std::string("1").append(400, '0').append("e-400"));
  expect_as_strtod(std::string("1").append(400, '0'));
  expect_as_strtod("0." + std::string(400, '0') + "1e401");
  expect_as_strtod("0." + std::string(400, '0') + "1");
}

TEST(Number, HalfwayCasesRoundToEven) {
  for (const char* text : {"9007199254740993", "9007199254740995", "9007199254740993.0000000000000000000000000001",
                           "1.00000000000000011102230246251565404236316680908203125",
                           "1.00000000000000011102230246251565404236316680908203124",
                           "1.00000000000000033306690738754696212708950042724609375"}) {
    expect_as_strtod(text);
  }
}

TEST(Number, RandomDecimalsAreRoundedAsByTheCLibrary) {
  std::mt19937_64 random(7);
  const auto below = [&random](std::uint64_t limit) { return random() % limit; };
  for (int trial = 0; trial < 200'000; ++trial) {
    std::string text;
    if (below(3) == 0) text += below(2) == 0 ? '-' : '+';
    const std::uint64_t whole = below(trial % 2 == 0 ? 4 : 22);
    const std::uint64_t fraction = below(trial % 2 == 0 ? 9 : 22) + (whole == 0 ? 1 : 0);
    for (std::uint64_t i = 0; i < whole; ++i) text += static_cast<char>('0' + below(10));
    if (fraction > 0) text += '.';
    for (std::uint64_t i = 0; i < fraction; ++i) text += static_cast<char>('0' + below(10));
    if (below(2) == 0) {
      const int spread = below(2) == 0 ? 25 : 340;
      text += 'e';
      text += std::to_string(static_cast<int>(below(static_cast<std::uint64_t>(2 * spread))) - spread);
    }
    expect_as_strtod(text);
    if (HasFailure()) return;
  }
}

TEST(Number, EveryDoubleSurvivesWritingAndReading) {
  std::mt19937_64 random(8);
  for (int trial = 0; trial < 200'000; ++trial) {
    // Random bits reach all exponents, denormals included, where random reals would not.
    const double value = std::bit_cast<double>(trial % 8 == 0 ? random() >> 12 : random());
    if (!std::isfinite(value)) continue;
    std::string text;
    append_number(text, value);
    const NumberText number = whole_number(text);
    ASSERT_EQ(number.kind, NumberKind::finite) << text;
    ASSERT_EQ(bits(number.value), bits(value)) << text;
  }
  std::string text;
  append_number(text, 0.1);
  append_number(text, -0.0);
  EXPECT_EQ(text, "0.1-0");
}

TEST(Number, PrefixEndsWhereTheNumberEnds) {
  const std::string text = "12.5e 7";
  const NumberText number = read_number(text.data(), text.data() + text.size());
  EXPECT_EQ(number.kind, NumberKind::finite);
  EXPECT_EQ(number.value, 12.5);
  EXPECT_EQ(number.end - text.data(), 4);
}

TEST(Number, NothingIsReadBehindTheEnd) {
  const std::string text = "12345";
  const NumberText number = read_number(text.data(), text.data() + 3);
  EXPECT_EQ(number.value, 123.0);
  EXPECT_EQ(number.end, text.data() + 3);
}

}  // namespace
}  // namespace fcbio::io
