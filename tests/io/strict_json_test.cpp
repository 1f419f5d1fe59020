#include "io/strict_json.hpp"

#include <gtest/gtest.h>

#include "data_support.hpp"

namespace fcbio::io {
namespace {

using Json = nlohmann::json;
using testing::refusal;

std::string refused(const std::string& text) {
  return refusal([&] { parse_strict_json({text, "r.json"}); });
}

std::string nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

TEST(StrictJson, IsWhatThePlainParserMakesOfHonestText) {
  for (const char* text :
       {"{}", "[]", "3", "-0.5e-3", "\"a\\u00e9\\n\"", "null", "true",
        R"({"a": [1, -2, 3.5, {"b": {}, "a": []}, [[]]], "c": {"a": 18446744073709551615, "b": "x"}, "": false})"})
    EXPECT_EQ(parse_strict_json({text, "r.json"}), Json::parse(text)) << text;
}

TEST(StrictJson, SyntaxErrorsNameTheLine) {
  EXPECT_EQ(refused("{\"a\": 1,\n\"b\" 3}"),
            "r.json:2: expected JSON, found a syntax error at byte 14; give a result.json as written by fcbio");
  for (const char* text : {"", "{", "[1,]", "{\"a\"}", "1 2", "nan", "[1", "\"\xff\"", "{\"a\": 01}", "/**/1"})
    EXPECT_NE(refused(text), "(accepted)") << text;
}

TEST(StrictJson, AKeyTwiceInOneObjectIsNamed) {
  EXPECT_EQ(refused(R"({"x": 1, "c": {"gap": 2, "bound": 1, "gap": 2}})"),
            "r.json: expected each key once in an object, found \"c.gap\" twice; give a result.json as written by "
            "fcbio");
  EXPECT_EQ(
      refused(R"({"x": [0, {"a": {}, "a": 1}]})"),
      "r.json: expected each key once in an object, found \"x[1].a\" twice; give a result.json as written by "
      "fcbio");
  EXPECT_EQ(
      refused(R"({"x": 1, "\u0078": 1})"),
      "r.json: expected each key once in an object, found \"x\" twice; give a result.json as written by fcbio");
  EXPECT_EQ(refused(R"({"a": {"b": 1}, "b": {"a": 1, "b": [{"b": 2}, {"b": 3}]}})"), "(accepted)");
}

TEST(StrictJson, DeepNestingIsRefusedWhateverItsDepth) {
  const std::string text =
      "r.json: expected at most 32 nested arrays and objects, found more than that; give a result.json as written "
      "by fcbio";
  EXPECT_EQ(refused(nested(kDeepestJson)), "(accepted)");
  EXPECT_EQ(refused(nested(kDeepestJson + 1)), text);
  EXPECT_EQ(refused(nested(1'000'000)), text);
  EXPECT_EQ(refused(std::string(1'000'000, '[')), text);
  std::string objects;
  for (std::size_t i = 0; i < 100'000; ++i) objects += "{\"a\":";
  EXPECT_EQ(refused(objects), text);
}

TEST(StrictJson, NumbersBeyondDoubleAreRefused) {
  EXPECT_EQ(refused("{\"a\":\n1e999}"),
            "r.json:2: expected a number that double precision can hold, found '1e999'; rescale the data");
  EXPECT_NE(refused("-1e309"), "(accepted)");
  std::string long_number(401, '0');
  long_number[0] = '1';
  EXPECT_NE(refused(long_number), "(accepted)");
  EXPECT_EQ(refused("1.7976931348623157e308"), "(accepted)");
}

}  // namespace
}  // namespace fcbio::io
