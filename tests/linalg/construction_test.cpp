// What the makers of maps accept, refuse (with the text) and promise; the two maps without data; the adjoint
// check.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "fcbio/eigen_sparse.hpp"
#include "fcbio/error.hpp"
#include "linalg/csr.hpp"
#include "linalg/samples.hpp"
#include "support/refusal.hpp"

namespace fcbio {
namespace {

using ::testing::HasSubstr;

using test::refusal;

CsrMatrix small_csr() {
  // 1 0 2
  // 0 0 3
  return {2, 3, {0, 2, 3}, {0, 2, 2}, {1.0, 2.0, 3.0}};
}

std::string sparse_refusal(const std::function<void(CsrMatrix&)>& damage) {
  CsrMatrix matrix = small_csr();
  damage(matrix);
  return refusal([&matrix] { sparse_map(matrix); });
}

TEST(Construction, RefusesEmptyShapes) {
  EXPECT_EQ(refusal([] { dense_map(RowMajorMatrix(0, 3)); }),
            "dense_map: expected at least one row and one column, found 0 x 3; give data that is not empty");
  EXPECT_THAT(refusal([] { dense_map(Eigen::MatrixXd(3, 0)); }), HasSubstr("found 3 x 0"));
  EXPECT_THAT(refusal([] { sparse_map(CsrMatrix{}); }), HasSubstr("sparse_map: expected at least one row"));
  EXPECT_THAT(refusal([] { identity_map(0); }), HasSubstr("identity_map: expected at least one row"));
  EXPECT_THAT(refusal([] { identity_map(-1); }), HasSubstr("found -1 x -1"));
}

TEST(Construction, RefusesNumbersThatAreNotFinite) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), kInfinity, -kInfinity}) {
    Eigen::MatrixXd matrix = samples::dense(4, 3, 1);
    matrix(2, 1) = bad;
    for (const samples::Storage storage : samples::kStorages) {
      const std::string text = refusal([&] { samples::map(storage, matrix); });
      EXPECT_THAT(text, HasSubstr("expected finite numbers"));
      EXPECT_THAT(text, HasSubstr("at row 2, column 1 (counted from 0)")) << samples::name(storage);
    }
  }
}

TEST(Construction, RefusesNumbersWhoseSquaresOverflow) {
  for (const samples::Storage storage : samples::kStorages) {
    for (const double size : {1e151, 1e300, std::numeric_limits<double>::max()}) {
      EXPECT_THAT(refusal([&] { samples::map(storage, Eigen::MatrixXd::Constant(2, 2, size)); }),
                  HasSubstr("Frobenius norm is at most 1e150"));
    }
  }
}

TEST(Construction, RefusesBadSparseRows) {
  EXPECT_EQ(sparse_refusal([](CsrMatrix&) {}), "accepted");
  EXPECT_THAT(sparse_refusal([](CsrMatrix& m) { m.starts.pop_back(); }),
              HasSubstr("expected rows + 1 = 3 starts, found 2"));
  EXPECT_THAT(sparse_refusal([](CsrMatrix& m) { m.values.pop_back(); }),
              HasSubstr("found 3 columns and 2 values"));
  EXPECT_THAT(sparse_refusal([](CsrMatrix& m) { m.starts = {1, 2, 3}; }), HasSubstr("found starts from 1 to 3"));
  EXPECT_THAT(sparse_refusal([](CsrMatrix& m) { m.starts = {0, 2, 4}; }), HasSubstr("found starts from 0 to 4"));
  EXPECT_THAT(sparse_refusal([](CsrMatrix& m) {
                m.rows = 3;
                m.starts = {0, 5, 2, 3};
              }),
              HasSubstr("found 5 followed by 2 at row 1"));
  EXPECT_THAT(sparse_refusal([](CsrMatrix& m) {
                m.columns = {2, 0, 2};
              }),
              HasSubstr("found column 0 after column 2 in row 0"));
  EXPECT_THAT(sparse_refusal([](CsrMatrix& m) {
                m.columns = {2, 2, 2};
              }),
              HasSubstr("found column 2 after column 2 in row 0"));
  EXPECT_THAT(sparse_refusal([](CsrMatrix& m) { m.columns[2] = 3; }),
              HasSubstr("expected columns from 0 to 2, found column 3 in row 1"));
  EXPECT_THAT(sparse_refusal([](CsrMatrix& m) { m.columns[0] = -1; }), HasSubstr("found column -1 in row 0"));
  EXPECT_THAT(sparse_refusal([](CsrMatrix& m) { m.cols = Index{1} << 31; }), HasSubstr("at most 2147483647"));
}

TEST(Construction, ReadsCompressedAndUncompressedEigenMatrices) {
  Eigen::SparseMatrix<double, Eigen::RowMajor> matrix(2, 3);
  matrix.reserve(Eigen::VectorXi::Constant(2, 3));  // spare room between the rows
  matrix.insert(1, 2) = 3.0;
  matrix.insert(0, 2) = 2.0;
  matrix.insert(0, 0) = 1.0;
  ASSERT_FALSE(matrix.isCompressed());
  for (int pass = 0; pass < 2; ++pass) {
    const CsrMatrix result = to_csr(matrix);
    EXPECT_EQ(result.starts, small_csr().starts);
    EXPECT_EQ(result.columns, small_csr().columns);
    EXPECT_EQ(result.values, small_csr().values);
    matrix.makeCompressed();
  }
}

TEST(Identity, IsFreeAndExact) {
  const LinearMapPtr map = identity_map(3);
  EXPECT_TRUE(map->free());
  EXPECT_EQ(map->norm_bound().squared, 1.0);
  EXPECT_EQ(map->norm_bound().passes, 0);
  EXPECT_GE(map->frobenius_bound(), std::sqrt(3.0));
  EXPECT_LE(map->frobenius_bound(), std::sqrt(3.0) * (1.0 + 4.0 * kEpsilon));
  const Vector x = samples::vector(3, 1);
  Vector image(3);
  map->apply(x, image);
  EXPECT_EQ(image, x);
  Vector gradient = Vector::Ones(3);
  map->add_transpose(-2.0, x, gradient);
  EXPECT_EQ(gradient, Vector(Vector::Ones(3) - 2.0 * x));
  EXPECT_FALSE(dense_map(Eigen::MatrixXd::Identity(3, 3).eval())->free());
}

UserMap user_of(const Eigen::MatrixXd& matrix, double squared_norm) {
  UserMap map;
  map.rows = matrix.rows();
  map.cols = matrix.cols();
  map.apply = [matrix](VectorIn x, VectorOut image) { image = matrix * x; };
  map.add_transpose = [matrix](double weight, VectorIn dual, VectorOut gradient) {
    gradient += weight * (matrix.transpose() * dual);
  };
  map.squared_norm = squared_norm;
  return map;
}

TEST(UserMap, PassesProductsOnAndChecksWhatItIsTold) {
  const Eigen::MatrixXd matrix = samples::dense(6, 4, 2);
  const double squared_norm = matrix.squaredNorm();
  const UserMap good = user_of(matrix, squared_norm);
  const LinearMapPtr map = user_map(good);
  EXPECT_EQ(map->norm_bound().squared, squared_norm);
  EXPECT_EQ(map->norm_bound().passes, 0);
  EXPECT_GE(map->frobenius_bound(), std::sqrt(4.0 * squared_norm));
  EXPECT_FALSE(map->free());
  Vector image(6);
  const Vector x = samples::vector(4, 3);
  map->apply(x, image);
  EXPECT_TRUE(samples::is_product(matrix, x, image));

  const auto with = [&good](const std::function<void(UserMap&)>& damage) {
    UserMap bad = good;
    damage(bad);
    return refusal([&bad] { user_map(bad); });
  };
  EXPECT_EQ(with([](UserMap& m) { m.apply = nullptr; }),
            "user_map: expected both products, found only add_transpose; set both functions");
  EXPECT_THAT(with([](UserMap& m) { m.add_transpose = nullptr; }), HasSubstr("found only apply"));
  EXPECT_THAT(with([](UserMap& m) { m.apply = nullptr, m.add_transpose = nullptr; }), HasSubstr("found neither"));
  EXPECT_THAT(with([](UserMap& m) { m.rows = 0; }), HasSubstr("found 0 x 4"));
  for (const double bad : {-1.0, kInfinity, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THAT(with([bad](UserMap& m) { m.squared_norm = bad; }), HasSubstr("finite, non-negative squared_norm"));
  }
}

TEST(AdjointCheck, CatchesEveryKindOfWrongTranspose) {
  for (const double unit : {1.0, 1e-20, 1e20}) {
    const Eigen::MatrixXd matrix = unit * samples::dense(50, 40, 2);
    const UserMap good = user_of(matrix, matrix.squaredNorm());
    EXPECT_TRUE(adjoint_is_consistent(*user_map(good)));
    EXPECT_TRUE(adjoint_is_consistent(*user_map(good), 77));
    const auto accepted = [&good](const std::function<void(UserMap&)>& damage) {
      UserMap bad = good;
      damage(bad);
      return adjoint_is_consistent(*user_map(bad));
    };
    Eigen::MatrixXd wrong = matrix;
    wrong(3, 4) *= 1.0 + 1e-6;
    EXPECT_FALSE(accepted([&](UserMap& m) { m.add_transpose = user_of(wrong, 0.0).add_transpose; }));
    EXPECT_FALSE(accepted([&](UserMap& m) {  // overwrites
      m.add_transpose = [matrix](double weight, VectorIn dual, VectorOut gradient) {
        gradient = weight * (matrix.transpose() * dual);
      };
    }));
    EXPECT_FALSE(accepted([&](UserMap& m) {  // drops the weight
      m.add_transpose = [matrix](double, VectorIn dual, VectorOut gradient) {
        gradient += matrix.transpose() * dual;
      };
    }));
    EXPECT_FALSE(accepted([&](UserMap& m) {  // adds to the image
      m.apply = [matrix](VectorIn x, VectorOut image) { image += matrix * x; };
    }));
    EXPECT_FALSE(accepted([&](UserMap& m) {
      m.apply = [](VectorIn, VectorOut image) { image.setConstant(std::numeric_limits<double>::quiet_NaN()); };
    }));
  }
}

}  // namespace
}  // namespace fcbio
