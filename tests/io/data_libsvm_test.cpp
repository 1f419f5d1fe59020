// LIBSVM text: what is read, what is refused and how, and that writing and reading are inverse.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>
#include <random>
#include <string>
#include <vector>

#include "data_support.hpp"
#include "fcbio/error.hpp"
#include "io/libsvm.hpp"

namespace fcbio::io {
namespace {

using testing::refusal;

LibsvmData parse(std::string_view text) { return parse_libsvm({text, "f.svm"}); }
std::string refused(std::string_view text) {
  return refusal([&] { parse(text); });
}

TEST(Libsvm, PlainFile) {
  const LibsvmData data = parse("+1 1:0.5 4:-2\n-1.5\n2e1 2:1\n");
  EXPECT_EQ(data.matrix.rows, 3);
  EXPECT_EQ(data.matrix.cols, 4);
  EXPECT_EQ(data.matrix.starts, (std::vector<std::int64_t>{0, 2, 2, 3}));
  EXPECT_EQ(data.matrix.columns, (std::vector<std::int32_t>{0, 3, 1}));
  EXPECT_EQ(data.matrix.values, (std::vector<double>{0.5, -2.0, 1.0}));
  EXPECT_EQ(data.labels, (Vector(3) << 1.0, -1.5, 20.0).finished());
}

TEST(Libsvm, LineEndingsCommentsBlanksAndQueriesDoNotMatter) {
  const LibsvmData plain = parse("1 1:0.5 4:-2\n0 2:1\n");
  for (const std::string_view text :
       {"1 1:0.5 4:-2\r\n0 2:1\r\n", "1 1:0.5 4:-2\n0 2:1", "1 1:0.5 4:-2\r\n0 2:1\r",
        "\n \n1 1:0.5 4:-2\n\n0 2:1\n\n", "# head 9:9\n1 1:0.5 4:-2 # tail 7:8\n  # more\n0 2:1#\n",
        "  1\t1:0.5   4:-2  \n\t0\t2:1\t\n",
        "\xEF\xBB\xBF"
        "1 1:0.5 4:-2\n0 2:1\n",
        "1 qid:3 1:0.5 4:-2\n0 qid:3 2:1\n", "1.0 01:0.50 4:-2.0\n0 2:1e0\n"}) {
    const LibsvmData data = parse(text);
    EXPECT_EQ(data.matrix.starts, plain.matrix.starts) << text;
    EXPECT_EQ(data.matrix.columns, plain.matrix.columns) << text;
    EXPECT_EQ(data.matrix.values, plain.matrix.values) << text;
    EXPECT_EQ(data.matrix.cols, plain.matrix.cols) << text;
    EXPECT_EQ(data.labels, plain.labels) << text;
  }
}

TEST(Libsvm, ExplicitZerosAreKept) { EXPECT_EQ(parse("1 1:0 2:0.0\n").matrix.nonzeros(), 2); }

TEST(Libsvm, LargestIndex) { EXPECT_EQ(parse("1 2147483647:1\n").matrix.cols, 2147483647); }

TEST(Libsvm, BadIndices) {
  EXPECT_EQ(refused("1 1:2\n1 0:1.5\n"),
            "f.svm:2: expected an index of at least 1, found '0:1.5'; LIBSVM indices count from 1: add 1 to every "
            "index of the file");
  EXPECT_EQ(refused("1 5:2 3:1\n"),
            "f.svm:1: expected an index above 5, found '3:1'; sort each row by index and give each index once");
  EXPECT_EQ(refused("1 5:2 5:1\n"),
            "f.svm:1: expected an index above 5, found '5:1'; sort each row by index and give each index once");
  for (const std::string_view index : {"2147483648", "4294967297", "18446744073709551617",
                                       "99999999999999999999999", "0000000000000000000000001"}) {
    const std::string pair = std::string(index) + ":1";
    EXPECT_EQ(refused("# first\n1 " + pair), "f.svm:2: expected an index of at most 2147483647, found '" + pair +
                                                 "'; number the features from 1 without large gaps");
  }
  for (const std::string_view pair : {"-1:2", "+1:2", "1.5:2", "x:2", ":2", "7", "1 :2", "qid:1"}) {
    const std::string word(pair.substr(0, pair.find(' ')));
    EXPECT_EQ(refused("1 9:1\n0 2:1\n0 2:1 " + std::string(pair) + "\n"),
              "f.svm:3: expected index:value with a whole number as index, found '" + word +
                  "'; write each row as: label index:value index:value ...");
  }
}

TEST(Libsvm, BadNumbers) {
  for (const std::string_view value : {"1x", "--1", "0x1", "1:2", "1,5", "1e"}) {
    EXPECT_EQ(refused("1 1:1\n\n1 3:" + std::string(value) + " 4:1\n"),
              "f.svm:3: expected a number, found '" + std::string(value) + "'; write numbers like -1.5 or 2e-3");
  }
  EXPECT_EQ(refused("1 1:\n"),
            "f.svm:1: expected a number, found an empty field; write numbers like -1.5 or 2e-3");
  for (const std::string_view value : {"nan", "-inf", "Infinity"}) {
    EXPECT_EQ(refused("1 1:" + std::string(value)), "f.svm:1: expected a finite number, found '" +
                                                        std::string(value) +
                                                        "'; remove or replace entries that are not finite");
    EXPECT_EQ(refused(std::string(value) + " 1:1"), "f.svm:1: expected a finite number, found '" +
                                                        std::string(value) +
                                                        "'; remove or replace entries that are not finite");
  }
  EXPECT_EQ(refused("1 1:1e999"),
            "f.svm:1: expected a number that double precision can hold, found '1e999'; rescale the data");
}

TEST(Libsvm, BadLabelsAndQueries) {
  EXPECT_EQ(
      refused("1 1:1\n 1:2 3:4\n"),
      "f.svm:2: expected a label before the index:value pairs, found '1:2'; begin each row with its label or "
      "target");
  EXPECT_EQ(refused("1,2 1:1\n"), "f.svm:1: expected a number, found '1,2'; write numbers like -1.5 or 2e-3");
  EXPECT_EQ(refused("yes 1:1\n"), "f.svm:1: expected a number, found 'yes'; write numbers like -1.5 or 2e-3");
  EXPECT_EQ(refused("1 qid:x 1:1\n"),
            "f.svm:1: expected qid: with a whole number, found 'qid:x'; correct or remove the query number");
}

TEST(Libsvm, OldMacintoshLineEndingsAreRefusedNotMisread) { EXPECT_NE(refused("1 1:1\r-1 2:1\r"), "(accepted)"); }

TEST(Libsvm, UnprintableAndLongWordsAreShownSafely) {
  EXPECT_EQ(refused(std::string("1 1:\0\x1b[m\n", 10)),
            "f.svm:1: expected a number, found '\\x00\\x1b[m'; write numbers like -1.5 or 2e-3");
  EXPECT_EQ(refused("1 " + std::string(1000, 'z')),
            "f.svm:1: expected index:value with a whole number as index, found '" + std::string(40, 'z') +
                "...'; write each row as: label index:value index:value ...");
}

TEST(Libsvm, NothingToReadIsRefused) {
  for (const std::string_view text : {"", "\n\n", "# only a comment\n", "  \r\n"}) {
    EXPECT_EQ(refused(text),
              "f.svm: expected rows of the form: label index:value ..., found none; check how the file was made");
  }
  EXPECT_EQ(refused("1\n-1\n"),
            "f.svm: expected index:value pairs, found labels only; check how the file was made");
}

TEST(Libsvm, Looks) {
  for (const std::string_view text : {"1 1:2\n", "\n# c\n-1 qid:1 1:2", "1.5 7:nan"}) {
    EXPECT_TRUE(looks_like_libsvm(text)) << text;
  }
  for (const std::string_view text : {"", "1 2\n", "1,2\n", "a 1:2\n", "1 a:2\n", "1 1:b\n", "1\n1 1:2\n"}) {
    EXPECT_FALSE(looks_like_libsvm(text)) << text;
  }
}

TEST(Libsvm, ManyLinesKeepTheirNumbers) {
  std::string text;
  for (int row = 0; row < 100'000; ++row) {
    text += std::to_string(row % 2) + " " + std::to_string(row % 50 + 1) + ":" + std::to_string(row) + "\n";
  }
  const LibsvmData data = parse(text);
  ASSERT_EQ(data.matrix.rows, 100'000);
  EXPECT_EQ(data.matrix.cols, 50);
  for (std::size_t row = 0; row < 100'000; ++row) {
    ASSERT_EQ(data.matrix.starts[row + 1], static_cast<std::int64_t>(row) + 1);
    ASSERT_EQ(data.matrix.columns[row], static_cast<std::int32_t>(row % 50));
    ASSERT_EQ(data.matrix.values[row], static_cast<double>(row));
    ASSERT_EQ(data.labels[static_cast<Index>(row)], static_cast<double>(row % 2));
  }
  EXPECT_EQ(refused(text + "1 2:x\n").substr(0, 14), "f.svm:100001: ");
}

RC_GTEST_PROP(Libsvm, WritingAndReadingAreInverse, ()) {
  const auto rows = *rc::gen::inRange<std::size_t>(1, 8);
  CsrMatrix matrix;
  matrix.rows = static_cast<Index>(rows);
  matrix.starts.push_back(0);
  Vector labels(matrix.rows);
  for (std::size_t row = 0; row < rows; ++row) {
    labels[static_cast<Index>(row)] = *rc::gen::arbitrary<double>();
    for (std::int32_t column = 0; column < 6; ++column) {
      if (row > 0 && *rc::gen::arbitrary<bool>()) continue;
      matrix.columns.push_back(3 * column);
      matrix.values.push_back(*rc::gen::arbitrary<double>() * (*rc::gen::arbitrary<bool>() ? 1e-300 : 1.0));
    }
    matrix.starts.push_back(static_cast<std::int64_t>(matrix.values.size()));
  }
  matrix.cols = 16;
  const LibsvmData back = parse(format_libsvm(matrix, labels));
  RC_ASSERT(back.matrix.rows == matrix.rows);
  RC_ASSERT(back.matrix.cols == matrix.cols);
  RC_ASSERT(back.matrix.starts == matrix.starts);
  RC_ASSERT(back.matrix.columns == matrix.columns);
  RC_ASSERT(back.matrix.values == matrix.values);
  RC_ASSERT(back.labels == labels);
}

TEST(Libsvm, WhatCannotBeReadIsNotWritten) {
  CsrMatrix matrix;
  matrix.rows = 1;
  matrix.cols = 1;
  matrix.starts = {0, 1};
  matrix.columns = {0};
  matrix.values = {std::numeric_limits<double>::quiet_NaN()};
  EXPECT_THROW(format_libsvm(matrix, Vector::Zero(1)), InvalidArgument);
  matrix.values = {1.0};
  EXPECT_THROW(format_libsvm(matrix, Vector::Zero(2)), InvalidArgument);
  EXPECT_THROW(format_libsvm(matrix, Vector::Constant(1, std::numeric_limits<double>::infinity())),
               InvalidArgument);
  EXPECT_EQ(format_libsvm(matrix, Vector::Constant(1, -1.0)), "-1 1:1\n");
}

}  // namespace
}  // namespace fcbio::io
