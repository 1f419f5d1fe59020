// CSV: fields, the header rule, and refusals.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "data_support.hpp"
#include "fcbio/error.hpp"
#include "io/csv.hpp"

namespace fcbio::io {
namespace {

using testing::refusal;
using Names = std::vector<std::string>;

CsvData parse(std::string_view text) { return parse_csv({text, "f.csv"}); }
std::string refused(std::string_view text) {
  return refusal([&] { parse(text); });
}

RowMajorMatrix two_by_two() { return (RowMajorMatrix(2, 2) << 1.0, -2.5, 3.0, 4e-3).finished(); }

TEST(Csv, SeparatorsBlanksQuotesAndLineEndings) {
  for (const std::string_view text :
       {"1,-2.5\n3,4e-3\n", "1;-2.5\n3;4e-3", "1\t-2.5\r\n3\t4e-3\r\n", " 1 , -2.5 \n\t3,4e-3\t\n\n \n",
        "\n\n1,-2.5\n3,4e-3\n", "\"1\",\"-2.5\"\n3, \"4e-3\" \n", "+1,-2.5\n3.,.004\n",
        "\xEF\xBB\xBF"
        "1,-2.5\n3,4e-3\n"}) {
    const CsvData data = parse(text);
    EXPECT_EQ(data.matrix, two_by_two()) << text;
    EXPECT_TRUE(data.column_names.empty()) << text;
  }
}

TEST(Csv, HeaderIsAFirstRowWithoutNumbers) {
  EXPECT_EQ(parse("a,b\n1,-2.5\n3,4e-3\n").column_names, (Names{"a", "b"}));
  EXPECT_EQ(parse("a,b\n1,-2.5\n3,4e-3\n").matrix, two_by_two());
  EXPECT_EQ(parse("\"a, b\",\"say \"\"hi\"\"\"\n1,2\n").column_names, (Names{"a, b", "say \"hi\""}));
  EXPECT_EQ(parse("\"a;b\", c d \n1,2\n").column_names, (Names{"a;b", "c d"}));
  EXPECT_EQ(parse(",b\n1,2\n").column_names, (Names{"", "b"}));
  EXPECT_EQ(parse("x1\n7\n").column_names, (Names{"x1"}));
  EXPECT_EQ(parse("1e,0x2\n1,2\n").column_names, (Names{"1e", "0x2"}));
}

TEST(Csv, NotFiniteNumbersCountAsNumbersInTheFirstRow) {
  // If `nan` made a row a header, a damaged first row would be lost without a word.
  EXPECT_EQ(refused("nan,inf\n1,2\n"),
            "f.csv:1: expected a finite number, found 'nan'; remove or replace entries that are not finite");
  EXPECT_EQ(refused("1e999,-1e999\n1,2\n"),
            "f.csv:1: expected a number that double precision can hold, found '1e999'; rescale the data");
  EXPECT_EQ(
      refused("a,NaN\n1,2\n"),
      "f.csv:1: expected a first row of numbers only (data) or of names only (a header), found the number 'NaN' "
      "and 'a'; give every column a name that is not a number, or remove the header");
}

TEST(Csv, MixedFirstRow) {
  EXPECT_EQ(
      refused("a,2\n1,2\n"),
      "f.csv:1: expected a first row of numbers only (data) or of names only (a header), found the number '2' "
      "and 'a'; give every column a name that is not a number, or remove the header");
  EXPECT_EQ(
      refused("\n1,,3\n1,2,3\n"),
      "f.csv:2: expected a first row of numbers only (data) or of names only (a header), found the number '1' "
      "and an empty field; give every column a name that is not a number, or remove the header");
}

TEST(Csv, RaggedRows) {
  EXPECT_EQ(refused("1,2,3\n4,5\n"),
            "f.csv:2: expected 3 fields as in line 1, found 2 fields; give every row the same number of fields");
  EXPECT_EQ(refused("\na,b\n1,2\n4,5,6\n"),
            "f.csv:4: expected 2 fields as in line 2, found 3 fields; give every row the same number of fields");
  EXPECT_EQ(refused("1,2\n3\n"),
            "f.csv:2: expected 2 fields as in line 1, found 1 field; give every row the same number of fields");
  EXPECT_EQ(refused("1,2\n\n3,4\n"),
            "f.csv:2: expected 2 fields as in line 1, found a blank line; remove blank lines between rows");
}

TEST(Csv, BadFields) {
  EXPECT_EQ(refused("1,2\n3,x\n"), "f.csv:2: expected a number, found 'x'; write numbers like -1.5 or 2e-3");
  EXPECT_EQ(refused("1,2\n3,\n"),
            "f.csv:2: expected a number, found an empty field; write numbers like -1.5 or 2e-3");
  EXPECT_EQ(refused("1,2\n3,1 2\n"), "f.csv:2: expected a number, found '1 2'; write numbers like -1.5 or 2e-3");
  EXPECT_EQ(refused("a;b\n1,5;2\n"),
            "f.csv:2: expected a number in column 'a', found '1,5'; write numbers like -1.5 or 2e-3");
  EXPECT_EQ(refused("1,2\n3,-inf\n"),
            "f.csv:2: expected a finite number, found '-inf'; remove or replace entries that are not finite");
  EXPECT_EQ(refused("1,2\n3,1e400\n"),
            "f.csv:2: expected a number that double precision can hold, found '1e400'; rescale the data");
  EXPECT_EQ(
      refused("\"a,b\n1,2\n"),
      "f.csv:1: expected a quoted field that ends with a quote before the separator, found 'a,b\\x0a1,2\\x0a'; close "
      "the quotes and write \"\" for a quote inside");
  EXPECT_EQ(refused("\"a\"x,b\n1,2\n").substr(0, 41), "f.csv:1: expected a quoted field that end");
}

TEST(Csv, QuotedFieldsHoldSeparatorsQuotesAndEndsOfLines) {
  const CsvTable table = parse_csv_table({"name,\"a\nb\",c\n\"x, \"\"y\"\"\r\nz\", 2 ,3\nlast,5,?\n", "f.csv"});
  EXPECT_EQ(table.data.column_names, (Names{"name", "a\nb", "c"}));
  EXPECT_EQ(table.data.matrix, (RowMajorMatrix(2, 3) << 0.0, 2.0, 3.0, 0.0, 5.0, 0.0).finished());
  ASSERT_EQ(table.texts.size(), 3U);
  EXPECT_EQ(table.texts[0].text, "x, \"y\"\r\nz");
  EXPECT_EQ(table.texts[0].line, 3);
  EXPECT_EQ(table.texts[1].text, "last");
  EXPECT_EQ(table.texts[1].line, 5);  // lines inside quotes count
  EXPECT_EQ(table.texts[2].row, 1);
  EXPECT_EQ(table.texts[2].column, 2);
  EXPECT_EQ(refused("a,b\n\"1\n\",2\n3,x\n").substr(0, 9), "f.csv:2: ");
  EXPECT_EQ(parse("a,b\n\"1\",2\n3,\"4\"\n").matrix, (RowMajorMatrix(2, 2) << 1.0, 2.0, 3.0, 4.0).finished());
}

TEST(Csv, TabsAsTheSeparatorWhateverElseOccurs) {
  const CsvData data = parse_csv({"a;b\tc, d\n1\t2\n", "f.tsv"}, '\t');
  EXPECT_EQ(data.column_names, (Names{"a;b", "c, d"}));
  EXPECT_EQ(data.matrix, (RowMajorMatrix(1, 2) << 1.0, 2.0).finished());
}

TEST(Csv, NothingToRead) {
  for (const std::string_view text : {"", "\n\r\n", "  \n"}) {
    EXPECT_EQ(refused(text), "f.csv: expected rows of numbers, found none; check how the file was made");
  }
  EXPECT_EQ(refused("a,b\n\n"),
            "f.csv: expected rows of numbers, found a header only; check how the file was made");
}

TEST(Csv, ManyLines) {
  std::string text = "row,half\n";
  for (int row = 0; row < 100'000; ++row) text += std::to_string(row) + "," + std::to_string(row) + ".5\n";
  const CsvData data = parse(text);
  ASSERT_EQ(data.matrix.rows(), 100'000);
  for (Index row = 0; row < 100'000; ++row) {
    ASSERT_EQ(data.matrix(row, 0), static_cast<double>(row));
    ASSERT_EQ(data.matrix(row, 1), static_cast<double>(row) + 0.5);
  }
  EXPECT_EQ(refused(text + "1\n").substr(0, 14), "f.csv:100002: ");
}

RC_GTEST_PROP(Csv, WritingAndReadingAreInverse, (bool with_names)) {
  const auto rows = *rc::gen::inRange<Index>(1, 6);
  const auto columns = *rc::gen::inRange<Index>(1, 6);
  RowMajorMatrix matrix(rows, columns);
  for (Index i = 0; i < matrix.size(); ++i) matrix.data()[i] = *rc::gen::arbitrary<double>();
  Names names;
  for (Index column = 0; with_names && column < columns; ++column) {
    const auto inside = *rc::gen::container<std::string>(rc::gen::element(' ', ',', ';', '"', 'x', '\t', '\n'));
    names.push_back(std::string("n").append(inside).append("n"));
  }
  const CsvData back = parse(format_csv(matrix, names));
  RC_ASSERT(back.matrix == matrix);
  RC_ASSERT(back.column_names == names);
}

TEST(Csv, WhatCannotBeReadIsNotWritten) {
  EXPECT_THROW(format_csv(RowMajorMatrix(0, 2)), InvalidArgument);
  EXPECT_THROW(format_csv(RowMajorMatrix::Constant(1, 1, std::numeric_limits<double>::quiet_NaN())),
               InvalidArgument);
  EXPECT_THROW(format_csv(two_by_two(), {"a"}), InvalidArgument);
  EXPECT_THROW(format_csv(two_by_two(), {"a", " 2"}), InvalidArgument);
  EXPECT_EQ(format_csv(two_by_two(), {"a", "b"}), "\"a\",\"b\"\n1,-2.5\n3,0.004\n");
}

}  // namespace
}  // namespace fcbio::io
