// NPY: every type, version and order, against bytes put together by hand as NumPy's format description says.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "data_support.hpp"
#include "fcbio/error.hpp"
#include "io/npy.hpp"

namespace fcbio::io {
namespace {

using testing::refusal;

std::string npy(int version, const std::string& header, const std::string& data) {
  std::string text = "\x93NUMPY";
  text += static_cast<char>(version);
  text += '\0';
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  for (std::size_t i = 0; i < length_bytes; ++i) text += static_cast<char>(header.size() >> (8 * i));
  return text + header + data;
}

std::string header(const std::string& type, const std::string& shape, bool fortran = false) {
  return "{'descr': '" + type + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': " + shape +
         ", }      \n";
}

template <class Number>
std::string bytes(const std::vector<Number>& numbers, bool swapped = false) {
  std::string text;
  for (const Number number : numbers) {
    std::string item(sizeof(Number), '\0');
    std::memcpy(item.data(), &number, sizeof(Number));
    if (swapped) std::reverse(item.begin(), item.end());
    text += item;
  }
  return text;
}

NpyArray parse(const std::string& text) { return parse_npy({text, "f.npy"}); }
std::string refused(const std::string& text) {
  return refusal([&] { parse(text); });
}

template <class Number>
void expect_type(const std::string& type, bool negative) {
  const Number a = negative ? static_cast<Number>(-3) : static_cast<Number>(3);
  const std::vector<Number> numbers = {static_cast<Number>(1), a,
                                       static_cast<Number>(0), static_cast<Number>(100),
                                       static_cast<Number>(5), static_cast<Number>(6)};
  RowMajorMatrix expected(2, 3);
  expected << 1, negative ? -3 : 3, 0, 100, 5, 6;
  EXPECT_EQ(parse(npy(1, header("<" + type, "(2, 3)"), bytes(numbers))).values, expected) << type;
  EXPECT_EQ(parse(npy(1, header(">" + type, "(2, 3)"), bytes(numbers, true))).values, expected) << type;
  if (sizeof(Number) == 1) {
    EXPECT_EQ(parse(npy(1, header("|" + type, "(2, 3)"), bytes(numbers))).values, expected) << type;
  }
}

TEST(Npy, TypesInBothByteOrders) {
  expect_type<double>("f8", true);
  expect_type<float>("f4", true);
  expect_type<std::int8_t>("i1", true);
  expect_type<std::int16_t>("i2", true);
  expect_type<std::int32_t>("i4", true);
  expect_type<std::int64_t>("i8", true);
  expect_type<std::uint8_t>("u1", false);
  expect_type<std::uint16_t>("u2", false);
  expect_type<std::uint32_t>("u4", false);
  expect_type<std::uint64_t>("u8", false);
  EXPECT_EQ(parse(npy(1, header("|b1", "(3,)"), std::string("\1\0\1", 3))).values,
            Vector((Vector(3) << 1, 0, 1).finished()));
  EXPECT_EQ(parse(npy(1, header("<u8", "(1,)"), bytes<std::uint64_t>({~std::uint64_t{0}}))).values(0, 0), 0x1p64);
  EXPECT_EQ(parse(npy(1, header("<u4", "(1,)"), bytes<std::uint32_t>({~std::uint32_t{0}}))).values(0, 0),
            4294967295.0);
}

TEST(Npy, VersionsOrdersAndShapes) {
  const std::string data = bytes<double>({1, 2, 3, 4, 5, 6});
  for (const int version : {1, 2, 3}) {
    EXPECT_EQ(parse(npy(version, header("<f8", "(2, 3)"), data)).values,
              (RowMajorMatrix(2, 3) << 1, 2, 3, 4, 5, 6).finished());
    EXPECT_EQ(parse(npy(version, header("<f8", "(2, 3)", true), data)).values,
              (RowMajorMatrix(2, 3) << 1, 3, 5, 2, 4, 6).finished());
  }
  const NpyArray vector = parse(npy(1, header("<f8", "(6,)"), data));
  EXPECT_EQ(vector.dimensions, 1);
  EXPECT_EQ(vector.values.rows(), 6);
  EXPECT_EQ(vector.values.cols(), 1);
  EXPECT_EQ(parse(npy(1, header("<f8", "(1, 6)"), data)).dimensions, 2);
  EXPECT_EQ(parse(npy(1, header("<f8", "(6L, 1L)"), data)).values.rows(), 6);
  EXPECT_EQ(parse(npy(1, "{\"shape\":(3,2),\"descr\":\"<f8\",\"fortran_order\":False}", data)).values.rows(), 3);
}

TEST(Npy, TypesThatAreRefused) {
  for (const char* type : {"<c16", "|O", "<U5", "|S3", "<f2", "<f16", "<M8[s]", "=f8", "|f8", "f8", ""}) {
    EXPECT_EQ(
        refused(npy(1, header(type, "(1,)"), std::string(16, '\0'))),
        std::string("f.npy: expected an array of float64, float32, integers or bool, found numbers of the NumPy "
                    "type '") +
            type + "'; convert it with .astype(float) and save it again");
  }
  EXPECT_EQ(
      refused(npy(1, "{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,), }", std::string(8, '\0'))),
      "f.npy: expected an array of real numbers, found an array of records; write it with numpy.save of a real "
      "1-D or 2-D array");
}

TEST(Npy, ShapesThatAreRefused) {
  EXPECT_EQ(
      refused(npy(1, header("<f8", "()"), std::string(8, '\0'))),
      "f.npy: expected an array of 1 or 2 dimensions, found 0 dimensions; reshape the array and save it again");
  EXPECT_EQ(
      refused(npy(1, header("<f8", "(1, 1, 1)"), std::string(8, '\0'))),
      "f.npy: expected an array of 1 or 2 dimensions, found 3 dimensions; reshape the array and save it again");
  EXPECT_EQ(refused(npy(1, header("<f8", "(0, 3)"), "")),
            "f.npy: expected an array with elements, found one of shape 0 x 3; check how the file was made");
}

TEST(Npy, SizesThatDisagree) {
  const std::string data = bytes<double>({1, 2, 3, 4, 5, 6});
  const std::string ending = "; the file is truncated or damaged: copy or download it again";
  EXPECT_EQ(refused(npy(1, header("<f8", "(2, 3)"), data.substr(1))),
            "f.npy: expected 2 x 3 numbers of 8 bytes, found 47 bytes of data" + ending);
  EXPECT_EQ(refused(npy(1, header("<f8", "(2, 3)"), data + "x")),
            "f.npy: expected 2 x 3 numbers of 8 bytes, found 49 bytes of data" + ending);
  EXPECT_EQ(refused(npy(1, header("<f8", "(7,)"), data)),
            "f.npy: expected 7 numbers of 8 bytes, found 48 bytes of data" + ending);
  // Products that wrap around must not pass.
  EXPECT_EQ(refused(npy(1, header("<f8", "(4294967296, 4294967296)"), data)),
            "f.npy: expected 4294967296 x 4294967296 numbers of 8 bytes, found 48 bytes of data" + ending);
  EXPECT_EQ(refused(npy(1, header("<f8", "(2305843009213693952,)"), "")),
            "f.npy: expected 2305843009213693952 numbers of 8 bytes, found 0 bytes of data" + ending);
}

TEST(Npy, NumbersThatAreNotFinite) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(
      refused(npy(1, header("<f8", "(2, 3)"), bytes<double>({1, 2, 3, 4, 5, nan}))),
      "f.npy: expected finite numbers, found nan in row 1, column 2 (counted from 0); remove or replace entries "
      "that are not finite");
  EXPECT_EQ(
      refused(npy(1, header("<f4", "(2, 3)", true),
                  bytes<float>({1, 2, -std::numeric_limits<float>::infinity(), 4, 5, 6}))),
      "f.npy: expected finite numbers, found -inf in row 0, column 1 (counted from 0); remove or replace entries "
      "that are not finite");
}

TEST(Npy, DamagedHeaders) {
  const std::string malformed =
      "f.npy: expected an NPY header with descr, fortran_order and shape, found a header that is not well formed; "
      "write it with numpy.save of a real 1-D or 2-D array";
  for (const char* text :
       {"", "{", "{}", "{'descr': '<f8'}", "{'descr': '<f8', 'fortran_order': False, 'shape': (1,)",
        "{'descr': '<f8', 'fortran_order': 0, 'shape': (1,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (-1,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1,)} x",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), 'more': 1}",
        "{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (1,)}"}) {
    EXPECT_EQ(refused(npy(1, text, std::string(8, '\0'))), malformed) << text;
  }
  EXPECT_EQ(refused("1,2,3\n"),
            "f.npy: expected an NPY file, found other data (no NPY signature at its beginning); write it with "
            "numpy.save of a real 1-D or 2-D array");
  EXPECT_EQ(
      refused(npy(4, header("<f8", "(1,)"), std::string(8, '\0'))),
      "f.npy: expected NPY version 1, 2 or 3, found version 4; write it with numpy.save of a real 1-D or 2-D "
      "array");
}

TEST(Npy, CutAnywhereIsRefused) {
  const std::string whole = npy(2, header("<f8", "(2,)"), bytes<double>({1, 2}));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_NE(refused(whole.substr(0, size)), "(accepted)") << size;
  }
  EXPECT_EQ(
      refused(whole.substr(0, 20)),
      "f.npy: expected a complete NPY header, found that the file ends too early; copy or download it again");
}

RC_GTEST_PROP(Npy, WritingAndReadingAreInverse, ()) {
  RowMajorMatrix matrix(*rc::gen::inRange<Index>(1, 6), *rc::gen::inRange<Index>(1, 6));
  for (Index i = 0; i < matrix.size(); ++i) matrix.data()[i] = *rc::gen::arbitrary<double>();
  const NpyArray back = parse(format_npy(matrix));
  RC_ASSERT(back.dimensions == 2);
  RC_ASSERT(back.values == matrix);
  const Vector column = matrix.col(0);
  const NpyArray vector = parse(format_npy(column));
  RC_ASSERT(vector.dimensions == 1);
  RC_ASSERT(Vector(vector.values.col(0)) == column);
}

TEST(Npy, WrittenAsNumpyWritesIt) {
  const Vector vector = (Vector(2) << 1.0, -2.0).finished();
  std::string expected = "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }";
  expected.resize(117, ' ');
  EXPECT_EQ(format_npy(vector), npy(1, expected + "\n", bytes<double>({1.0, -2.0})));
  EXPECT_THROW(format_npy(Vector(0)), InvalidArgument);
  EXPECT_THROW(format_npy(RowMajorMatrix::Constant(1, 1, std::numeric_limits<double>::infinity()).eval()),
               InvalidArgument);
}

}  // namespace
}  // namespace fcbio::io
