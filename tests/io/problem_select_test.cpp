#include "io/problem_select.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace fcbio::io {
namespace {

// Problem files rely on these orders: they were computed by another program (Python) from the description, whose
// generator gives 6457827717110365317, 3203168211198807973, 9817491932198370423 for seed 1234567, as published.
TEST(ShuffledOrder, IsPinned) {
  EXPECT_EQ(shuffled_order(10, 0), (std::vector<Index>{6, 3, 2, 9, 8, 1, 4, 7, 0, 5}));
  EXPECT_EQ(shuffled_order(10, 1), (std::vector<Index>{4, 2, 8, 1, 9, 3, 0, 6, 7, 5}));
  EXPECT_EQ(shuffled_order(10, 42), (std::vector<Index>{0, 9, 5, 8, 6, 4, 7, 2, 1, 3}));
  EXPECT_EQ(shuffled_order(5, 7), (std::vector<Index>{4, 1, 3, 0, 2}));
  EXPECT_EQ(shuffled_order(1, 7), (std::vector<Index>{0}));
}

RC_GTEST_PROP(ShuffledOrder, IsAPermutation, ()) {
  const auto count = *rc::gen::inRange<Index>(1, 200);
  std::vector<Index> order = shuffled_order(count, *rc::gen::arbitrary<std::uint64_t>());
  std::sort(order.begin(), order.end());
  std::vector<Index> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), Index{0});
  RC_ASSERT(order == all);
}

TEST(RowRange, OpenEnds) {
  const auto is = [](std::string_view text, Index begin, Index end) {
    const RowRange range = parse_row_range(text, 10);
    return range.begin == begin && range.end == end;
  };
  EXPECT_TRUE(is("2:5", 2, 5));
  EXPECT_TRUE(is("2:", 2, 10));
  EXPECT_TRUE(is(":5", 0, 5));
  EXPECT_TRUE(is(":", 0, 10));
  EXPECT_TRUE(is("0:10", 0, 10));
  for (const char* bad : {"", "5", "5:2", "3:3", "0:11", "10:", ":0", "-1:2", "a:b", "1:2:3", "1 :2", "1.0:2",
                          "99999999999999999999:"})
    EXPECT_THROW(parse_row_range(bad, 10), std::invalid_argument) << bad;
}

Vector labels(std::initializer_list<double> values) {
  return Eigen::Map<const Vector>(values.begin(), static_cast<Index>(values.size()));
}

TEST(MapLabels, TwoClasses) {
  Vector signs = labels({1, -1, 1});
  EXPECT_EQ(map_labels(signs), "");
  EXPECT_EQ(signs, labels({1, -1, 1}));

  Vector zero_one = labels({1, 0, 1});
  EXPECT_EQ(map_labels(zero_one), "labels mapped: 0 -> -1, 1 -> +1");
  EXPECT_EQ(zero_one, labels({1, -1, 1}));

  Vector one_two = labels({2, 1, 1});
  EXPECT_EQ(map_labels(one_two), "labels mapped: 1 -> -1, 2 -> +1");
  EXPECT_EQ(one_two, labels({1, -1, -1}));
}

TEST(MapLabels, OneClass) {
  Vector ones = labels({1, 1});
  EXPECT_EQ(map_labels(ones), "");
  EXPECT_EQ(ones, labels({1, 1}));
  Vector zeros = labels({0, 0});
  EXPECT_EQ(map_labels(zeros), "labels mapped: 0 -> -1, 1 -> +1");
  EXPECT_EQ(zeros, labels({-1, -1}));
}

TEST(MapLabels, RefusesTheRestWithTheValues) {
  for (const auto& [values, text] :
       {std::pair(labels({0, 2}), "0, 2"), std::pair(labels({-1, 0}), "-1, 0"),
        std::pair(labels({-1, 0, 1}), "-1, 0, 1"), std::pair(labels({2, 2}), "2"),
        std::pair(labels({9, 8, 7, 6, 5}), "5, 6, 7, 8, 9"), std::pair(labels({0.5, 1}), "0.5, 1")}) {
    Vector changed = values;
    try {
      map_labels(changed);
      ADD_FAILURE() << text;
    } catch (const std::invalid_argument& found) {
      EXPECT_STREQ(found.what(), text);
      EXPECT_EQ(changed, values);
    }
  }
}

RowMajorMatrix dense_of(const data::Matrix& data) {
  if (const auto* dense = std::get_if<RowMajorMatrix>(&data.matrix)) return *dense;
  const auto& sparse = std::get<CsrMatrix>(data.matrix);
  RowMajorMatrix matrix = RowMajorMatrix::Zero(sparse.rows, sparse.cols);
  for (Index i = 0; i < sparse.rows; ++i)
    for (auto k = static_cast<std::size_t>(sparse.starts[static_cast<std::size_t>(i)]);
         k < static_cast<std::size_t>(sparse.starts[static_cast<std::size_t>(i) + 1]); ++k)
      matrix(i, sparse.columns[k]) = sparse.values[k];
  return matrix;
}

// Sparse selection, padding and ones against the dense twin.
TEST(SelectRows, SparseAsDense) {
  RowMajorMatrix dense(4, 3);
  dense << 1, 0, 2, 0, 0, 0, 0, 3, 0, 4, 5, 6;
  CsrMatrix sparse{4, 3, {0, 2, 2, 3, 6}, {0, 2, 1, 0, 1, 2}, {1, 2, 3, 4, 5, 6}};
  const std::vector<Index> rows = {3, 1, 0, 3};
  data::Matrix from_dense = select_rows({dense}, rows);
  data::Matrix from_sparse = select_rows({sparse}, rows);
  RowMajorMatrix expected(4, 3);
  expected << 4, 5, 6, 0, 0, 0, 1, 0, 2, 4, 5, 6;
  EXPECT_EQ(dense_of(from_dense), expected);
  EXPECT_EQ(dense_of(from_sparse), expected);

  append_column(from_dense, 1.0);
  append_column(from_sparse, 1.0);
  EXPECT_EQ(from_sparse.cols(), 4);
  EXPECT_EQ(dense_of(from_dense), dense_of(from_sparse));
  EXPECT_EQ(Vector(dense_of(from_dense).col(3)), Vector::Ones(4));

  data::Matrix padded{sparse};
  pad_columns(padded, 6);
  EXPECT_EQ(padded.cols(), 6);
  append_column(padded, 1.0);
  EXPECT_EQ(padded.cols(), 7);
  EXPECT_EQ(Vector(dense_of(padded).col(6)), Vector::Ones(4));
  EXPECT_EQ(dense_of(padded).leftCols(3), dense);
}

TEST(TakeColumn, EveryPlace) {
  RowMajorMatrix matrix(2, 3);
  matrix << 1, 2, 3, 4, 5, 6;
  for (Index column = 0; column < 3; ++column) {
    RowMajorMatrix rest = matrix;
    const Vector taken = take_column(rest, column);
    EXPECT_EQ(taken, matrix.col(column));
    ASSERT_EQ(rest.cols(), 2);
    for (Index j = 0; j < 2; ++j) EXPECT_EQ(rest.col(j), matrix.col(j < column ? j : j + 1));
  }
}

}  // namespace
}  // namespace fcbio::io
