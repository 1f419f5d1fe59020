// Products of all storages against obvious loops, and the refusals of the product calls.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

#include "fcbio/error.hpp"
#include "linalg/samples.hpp"

namespace fcbio {
namespace {

void expect_right_products(const Eigen::MatrixXd& matrix, const LinearMap& map, std::uint64_t seed) {
  ASSERT_EQ(map.rows(), matrix.rows());
  ASSERT_EQ(map.cols(), matrix.cols());
  const Vector x = samples::vector(matrix.cols(), seed);
  const Vector y = samples::vector(matrix.rows(), seed + 1);
  const Vector start = samples::vector(matrix.cols(), seed + 2);

  // What was in the image must not matter, not even NaN.
  Vector image = Vector::Constant(matrix.rows(), std::numeric_limits<double>::quiet_NaN());
  map.apply(x, image);
  EXPECT_TRUE(samples::is_product(matrix, x, image));

  Vector gradient = start;
  map.add_transpose(-2.5, y, gradient);
  EXPECT_TRUE(samples::is_product(matrix.transpose(), y, gradient, -2.5, &start));

  map.add_transpose(0.0, y, gradient = start);
  EXPECT_EQ(gradient, start);

  gradient.setConstant(std::numeric_limits<double>::quiet_NaN());
  map.transpose(-2.5, y, gradient);
  EXPECT_TRUE(samples::is_product(matrix.transpose(), y, gradient, -2.5));
}

struct Shape {
  Index rows;
  Index cols;
  double density;
};

class ProductsOfShape : public ::testing::TestWithParam<Shape> {};

TEST_P(ProductsOfShape, AgreeWithObviousLoops) {
  const auto [rows, cols, density] = GetParam();
  const Eigen::MatrixXd matrix = samples::thinned(rows, cols, density, 11);
  for (const samples::Storage storage : samples::kStorages) {
    SCOPED_TRACE(samples::name(storage));
    expect_right_products(matrix, *samples::map(storage, matrix), 5);
  }
}

// One row, one column, few and many, both sides of every limit of the sharding: 512 numbers (tiny), 65536 (a
// second shard), lines of 2048 (long) and 4096 (cut across), and sparse rows that are empty.
INSTANTIATE_TEST_SUITE_P(
    Shapes, ProductsOfShape,
    ::testing::Values(Shape{1, 1, 1.0}, Shape{1, 7, 1.0}, Shape{7, 1, 1.0}, Shape{3, 5, 1.0}, Shape{1, 70000, 1.0},
                      Shape{70000, 1, 1.0}, Shape{2, 200000, 1.0}, Shape{200000, 3, 1.0}, Shape{16, 32, 1.0},
                      Shape{16, 33, 1.0}, Shape{40, 100, 1.0}, Shape{100, 40, 0.1}, Shape{400, 729, 1.0},
                      Shape{729, 400, 1.0}, Shape{5000, 100, 1.0}, Shape{100, 5000, 1.0}, Shape{300, 1023, 1.0},
                      Shape{300, 1024, 1.0}, Shape{300, 1025, 1.0}, Shape{1023, 300, 1.0}, Shape{60, 2047, 1.0},
                      Shape{60, 2048, 1.0}, Shape{50, 4095, 1.0}, Shape{50, 4096, 1.0}, Shape{50, 4097, 1.0},
                      Shape{20, 9000, 1.0}, Shape{1537, 211, 1.0}, Shape{600, 700, 0.002}, Shape{60, 70, 0.0}),
    [](const auto& sample) {
      return std::to_string(sample.param.rows) + "x" + std::to_string(sample.param.cols) + "at" +
             std::to_string(static_cast<int>(1000 * sample.param.density));
    });

TEST(Products, OfASingleEntryAndEmptyRows) {
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(5, 4);
  matrix(3, 2) = -7.0;
  for (const samples::Storage storage : samples::kStorages) {
    const LinearMapPtr map = samples::map(storage, matrix);
    Vector image = Vector::Ones(5);
    map->apply(Vector::LinSpaced(4, 1.0, 4.0), image);
    EXPECT_EQ(image, Vector::Unit(5, 3) * -21.0);
    Vector gradient = Vector::Ones(4);
    map->add_transpose(2.0, Vector::LinSpaced(5, 1.0, 5.0), gradient);
    EXPECT_EQ(gradient, Vector(Vector::Ones(4) + Vector::Unit(4, 2) * -56.0));
  }
}

TEST(Products, OfSparseRowsOfEveryLength) {
  // Row i has i entries: every remainder of the unrolled kernel.
  Eigen::MatrixXd matrix = samples::dense(20, 20, 3);
  for (Index i = 0; i < 20; ++i) matrix.row(i).tail(20 - i).setZero();
  expect_right_products(matrix, *samples::map(samples::Storage::sparse, matrix), 9);
}

TEST(Rows, OneAtATimeAreThoseOfTheMatrix) {
  Eigen::MatrixXd matrix = samples::thinned(37, 90, 0.2, 5);
  matrix.row(3).setZero();
  matrix.rightCols(40).setZero();  // many empty columns: sparse storage leaves them out
  for (const samples::Storage storage : samples::kStorages) {
    const LinearMapPtr map = samples::map(storage, matrix);
    const RowReader reader = map->read_rows();
    for (Index i = 0; i < matrix.rows(); ++i) {
      const RowView row = reader.row(i);
      Vector dense = Vector::Zero(matrix.cols());
      for (Index k = 0; k < row.count; ++k)
        dense[row.columns != nullptr ? Index{row.columns[k]} : k] += row.values[k];
      EXPECT_EQ(dense, Vector(matrix.row(i).transpose())) << samples::name(storage) << " " << i;
    }
  }
}

TEST(Products, OfOneVeryLongSparseRow) {
  // Nearly all the work is in one row: shards must still cover every row exactly once.
  Eigen::MatrixXd matrix = samples::thinned(50, 100000, 1e-5, 3);
  matrix.row(17) = samples::vector(100000, 4);
  expect_right_products(matrix, *samples::map(samples::Storage::sparse, matrix), 9);
}

RC_GTEST_PROP(Adjoint, BelongsToTheMap, ()) {
  const Index rows = *rc::gen::inRange<Index>(1, 60);
  const Index cols = *rc::gen::inRange<Index>(1, 60);
  const double density = *rc::gen::element(0.05, 0.3, 1.0);
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const Eigen::MatrixXd matrix = samples::thinned(rows, cols, density, seed);
  const Vector x = samples::vector(cols, seed + 1);
  const Vector y = samples::vector(rows, seed + 2);
  for (const samples::Storage storage : samples::kStorages) {
    const LinearMapPtr map = samples::map(storage, matrix);
    Vector image(rows);
    Vector gradient = Vector::Zero(cols);
    map->apply(x, image);
    map->add_transpose(1.0, y, gradient);
    RC_ASSERT(std::abs(image.dot(y) - gradient.dot(x)) <=
              4.0 * static_cast<double>(rows + cols) * kEpsilon * map->frobenius_bound() * x.norm() * y.norm());
    RC_ASSERT(adjoint_is_consistent(*map, seed));
  }
}

TEST(Products, RefuseVectorsOfTheWrongSize) {
  const Eigen::MatrixXd matrix = samples::dense(3, 5, 1);
  std::vector<LinearMapPtr> maps;
  for (const samples::Storage storage : samples::kStorages) maps.push_back(samples::map(storage, matrix));
  UserMap user;
  user.rows = 3;
  user.cols = 5;
  user.apply = [](VectorIn, VectorOut) { FAIL() << "called with wrong sizes"; };
  user.add_transpose = [](double, VectorIn, VectorOut) { FAIL() << "called with wrong sizes"; };
  maps.push_back(user_map(user));
  for (const LinearMapPtr& map : maps) {
    Vector three(3);
    Vector five(5);
    try {
      map->apply(three, five);
      FAIL() << "accepted";
    } catch (const InvalidArgument& error) {
      EXPECT_STREQ(
          error.what(),
          "apply of a 3 x 5 map: expected an input of 5 and an output of 3 numbers, found 3 and 5; resize "
          "the vectors before the product");
    }
    try {
      map->add_transpose(1.0, three, three);
      FAIL() << "accepted";
    } catch (const InvalidArgument& error) {
      EXPECT_STREQ(
          error.what(),
          "add_transpose of a 3 x 5 map: expected an input of 3 and an output of 5 numbers, found 3 and 3; "
          "resize the vectors before the product");
    }
  }
  Vector two(2);
  Vector three(3);
  EXPECT_THROW(identity_map(3)->apply(two, three), InvalidArgument);
  EXPECT_THROW(identity_map(3)->add_transpose(1.0, three, two), InvalidArgument);
}

// 1e5 products of alternating sign and very different size, most of which cancel: accurate products are right to
// within what they say, which is next to nothing, and ordinary ones are not.
TEST(AccurateProducts, AreRightHoweverManyProductsTheyAddUp) {
  const Index rows = 100000, cols = 3;
  Eigen::MatrixXd matrix = samples::dense(rows, cols, 71);
  const Vector dual = samples::vector(rows, 72), x = samples::vector(cols, 73);
  matrix.row(rows - 1).array() += 1e8;
  for (const samples::Storage storage : samples::kStorages) {
    const LinearMapPtr map = samples::map(storage, matrix);
    Vector slope(cols), image(rows);
    const double slope_error = map->accurate_transpose(dual, slope), image_error = map->accurate_apply(x, image);
    const auto exact_slope = (matrix.cast<long double>().transpose() * dual.cast<long double>()).eval();
    const auto exact_image = (matrix.cast<long double>() * x.cast<long double>()).eval();
    EXPECT_LE(static_cast<double>((slope.cast<long double>() - exact_slope).norm()),
              kEpsilon * slope.norm() + slope_error + 1e-18 * map->frobenius_bound() * dual.norm());
    EXPECT_LE(static_cast<double>((image.cast<long double>() - exact_image).norm()),
              kEpsilon * image.norm() + image_error + 1e-18 * map->frobenius_bound() * x.norm());
    EXPECT_LT(slope_error, 1e-20 * map->frobenius_bound() * dual.norm());
  }
}

}  // namespace
}  // namespace fcbio
