// The bound of |M|^2: never below the truth, not far above it, and its price.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <thread>

#include "linalg/samples.hpp"
#include "linalg/spectral_bound.hpp"

namespace fcbio {
namespace {

double true_square(const Eigen::MatrixXd& matrix) {
  const Eigen::MatrixXd gram =
      matrix.rows() < matrix.cols() ? Eigen::MatrixXd(matrix * matrix.transpose()) : matrix.transpose() * matrix;
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(gram, Eigen::EigenvaluesOnly).eigenvalues().maxCoeff();
}

/// Passes products on to a map and counts them.
class Counting final : public LinearMap {
 public:
  explicit Counting(LinearMapPtr map) : map_(std::move(map)) {}
  Index rows() const override { return map_->rows(); }
  Index cols() const override { return map_->cols(); }
  void apply(VectorIn x, VectorOut image) const override {
    ++products_;
    map_->apply(x, image);
  }
  void add_transpose(double weight, VectorIn dual, VectorOut gradient) const override {
    ++products_;
    map_->add_transpose(weight, dual, gradient);
  }
  NormBound norm_bound() const override { return map_->norm_bound(); }
  double frobenius_bound() const override { return map_->frobenius_bound(); }
  std::int64_t products() const { return products_; }

 private:
  LinearMapPtr map_;
  mutable std::int64_t products_ = 0;
};

EntryBounds bounds_of(const Eigen::MatrixXd& matrix) {
  return entry_bounds("test", matrix.rows(), matrix.cols(), [&matrix](const auto& visitor) {
    // In the order of the column-major map, for the same bits.
    for (Index j = 0; j < matrix.cols(); ++j) {
      for (Index i = 0; i < matrix.rows(); ++i) visitor(i, j, matrix(i, j));
    }
  });
}

NormBound expect_safe_and_near(const Eigen::MatrixXd& matrix, double truth, double slack) {
  const LinearMapPtr map = dense_map(matrix);
  const NormBound bound = map->norm_bound();
  // The truth itself is only known to rounding.
  EXPECT_GE(bound.squared, truth * (1.0 - 1e-13));
  EXPECT_LE(bound.squared, truth * slack);
  EXPECT_LE(bound.nearest, std::min(bound.squared, truth * (1.0 + 1e-12)));
  EXPECT_GE(bound.nearest, bound.squared / slack);
  EXPECT_LE(bound.squared, map->frobenius_bound() * map->frobenius_bound() * (1.0 + 4.0 * kEpsilon));
  const NormBound again = map->norm_bound();
  EXPECT_EQ(again.squared, bound.squared);
  EXPECT_EQ(again.passes, bound.passes);
  const Counting counting(map);
  const NormBound counted = spectral_bound(counting, bounds_of(matrix));
  EXPECT_EQ(counted.passes, counting.products());
  EXPECT_EQ(counted.passes, bound.passes);
  EXPECT_EQ(counted.squared, bound.squared);
  return bound;
}

TEST(NormBound, IsExactForFewRowsOrColumns) {
  for (const auto& [rows, cols] :
       {std::pair<Index, Index>{1, 1}, {1, 50}, {50, 1}, {64, 64}, {2000, 30}, {30, 2000}}) {
    const Eigen::MatrixXd matrix = samples::dense(rows, cols, 4);
    const NormBound bound = expect_safe_and_near(matrix, true_square(matrix), 1.0 + 1e-9);
    EXPECT_EQ(bound.passes, std::min(rows, cols));
  }
}

TEST(NormBound, HoldsForGaussianMatrices) {
  for (const auto& [rows, cols] :
       {std::pair<Index, Index>{65, 65}, {65, 400}, {400, 100}, {729, 400}, {300, 2500}}) {
    const Eigen::MatrixXd matrix = samples::dense(rows, cols, 6);
    const NormBound bound = expect_safe_and_near(matrix, true_square(matrix), 1.15);
    EXPECT_EQ(bound.passes, 120);
  }
}

struct Spectrum {
  const char* name;
  Vector singular;
  Index rows;
  Index cols;
};

class NormBoundOfSpectrum : public ::testing::TestWithParam<Spectrum> {};

TEST_P(NormBoundOfSpectrum, IsSafeAndNear) {
  const Spectrum& spectrum = GetParam();
  const Eigen::MatrixXd matrix = samples::with_spectrum(spectrum.rows, spectrum.cols, spectrum.singular, 8);
  const double largest = spectrum.singular.maxCoeff();
  expect_safe_and_near(matrix, largest * largest, 1.15);
}

Vector with_head(Vector tail, double head) {
  tail[0] = head;
  return tail;
}

INSTANTIATE_TEST_SUITE_P(
    Spectra, NormBoundOfSpectrum,
    ::testing::Values(
        Spectrum{"AllEqual", Vector::Ones(200), 300, 200}, Spectrum{"AllEqualSquare", Vector::Ones(150), 150, 150},
        Spectrum{"TwoClusters", (Vector(200) << Vector::Ones(100), Vector::Constant(100, 0.999)).finished(), 300,
                 200},
        Spectrum{"TinyGap", with_head(Vector::LinSpaced(400, 0.999999, 0.9), 1.0), 500, 400},
        Spectrum{"OneAlone", with_head(Vector::Constant(400, 1e-6), 1.0), 400, 500},
        Spectrum{"OneAboveMany", with_head(Vector::Ones(400), 1.05), 400, 500},
        Spectrum{"RankOne", Vector::Constant(1, 3.0), 200, 300},
        Spectrum{"RankFive", Vector::LinSpaced(5, 1.0, 2.0), 300, 200},
        Spectrum{"RankEighty", Vector::LinSpaced(80, 1.0, 2.0), 300, 200},
        Spectrum{"Geometric",
                 Vector::LinSpaced(300, 0.0, -12.0).unaryExpr([](double e) { return std::pow(10.0, e); }), 300,
                 300},
        Spectrum{"LargeAndFlat", Vector::LinSpaced(1500, 0.2, 1.0), 1500, 1500}),
    [](const auto& sample) { return std::string(sample.param.name); });

TEST(NormBound, StopsWhereTheKrylovSpaceEnds) {
  // Rank 2: a run meets the two directions and the kernel, so it ends after 3 steps; the second run after 1 more.
  const Eigen::MatrixXd matrix = samples::with_spectrum(300, 200, Vector::LinSpaced(2, 1.0, 2.0), 8);
  const NormBound bound = dense_map(matrix)->norm_bound();
  EXPECT_EQ(bound.passes, 2 * (3 + 1));
}

TEST(NormBound, IsExactWhenTheBasisFillsTheSpace) {
  // 40 columns, but too long for the Gram matrix to be formed from stored columns: Lanczos to the end.
  const Index rows = 300000;
  const Index cols = 40;
  std::mt19937_64 engine(3);
  CsrMatrix sparse;
  sparse.rows = rows;
  sparse.cols = cols;
  sparse.starts.push_back(0);
  Eigen::MatrixXd gram = Eigen::MatrixXd::Zero(cols, cols);
  for (Index i = 0; i < rows; ++i) {
    const auto j = static_cast<std::int32_t>(engine() % 39);
    const double first = samples::gaussian(engine);
    const double second = samples::gaussian(engine);
    sparse.columns.insert(sparse.columns.end(), {j, j + 1});
    sparse.values.insert(sparse.values.end(), {first, second});
    sparse.starts.push_back(2 * (i + 1));
    gram(j, j) += first * first;
    gram(j + 1, j + 1) += second * second;
    gram(j, j + 1) += first * second;
    gram(j + 1, j) += first * second;
  }
  const double truth = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(gram).eigenvalues().maxCoeff();
  const NormBound bound = sparse_map(sparse)->norm_bound();
  EXPECT_GE(bound.squared, truth * (1.0 - 1e-12));
  EXPECT_LE(bound.squared, truth * (1.0 + 1e-6));
  EXPECT_EQ(bound.passes, 2 * cols);
}

TEST(NormBound, UsesTheDeterministicBoundsWhereTheyAreBetter) {
  // Diagonal: largest column sum times largest row sum is the truth; Lanczos alone would be 7 per cent above it.
  Eigen::MatrixXd diagonal = Eigen::MatrixXd::Zero(200, 200);
  diagonal.diagonal() = Vector::LinSpaced(200, -3.0, 2.0);
  expect_safe_and_near(diagonal, 9.0, 1.0 + 1e-10);
  // Rank one: the Frobenius norm is the truth.
  const Eigen::MatrixXd outer = samples::vector(300, 1) * samples::vector(200, 2).transpose();
  expect_safe_and_near(outer, outer.squaredNorm(), 1.0 + 1e-10);
}

TEST(NormBound, IsZeroForTheZeroMatrix) {
  for (const Index size : {3, 100}) {
    for (const samples::Storage storage : samples::kStorages) {
      const LinearMapPtr map = samples::map(storage, Eigen::MatrixXd::Zero(size, size));
      EXPECT_EQ(map->norm_bound().squared, 0.0);
      EXPECT_EQ(map->norm_bound().passes, 0);
      EXPECT_EQ(map->frobenius_bound(), 0.0);
    }
  }
}

TEST(NormBound, DoesNotMindExtremeUnits) {
  for (const Index size : {20, 100}) {
    const Eigen::MatrixXd matrix = samples::dense(size, size, 4);
    const double truth = dense_map(matrix)->norm_bound().squared;
    for (const int exponent : {-400, 400}) {
      const double unit = std::ldexp(1.0, exponent);
      EXPECT_EQ(dense_map(Eigen::MatrixXd(unit * matrix))->norm_bound().squared / unit / unit, truth);
    }
    // The square is below the smallest number: the bound is rounded up, not to zero.
    const LinearMapPtr tiny = dense_map(Eigen::MatrixXd(1e-200 * matrix));
    EXPECT_GT(tiny->norm_bound().squared, 0.0);
    EXPECT_LT(tiny->norm_bound().squared, 1e-300);
    EXPECT_GE(tiny->frobenius_bound(), 1e-200 * matrix.norm() * (1.0 - 1e-14));
    EXPECT_LE(tiny->frobenius_bound(), 1e-200 * matrix.norm() * (1.0 + 1e-10));
  }
}

TEST(NormBound, IsTheSameForAllStoragesUpToRounding) {
  const Eigen::MatrixXd matrix = samples::thinned(300, 250, 0.1, 12);
  const NormBound reference = samples::map(samples::Storage::row_major, matrix)->norm_bound();
  EXPECT_GE(reference.squared, true_square(matrix));
  for (const samples::Storage storage : samples::kStorages) {
    const LinearMapPtr map = samples::map(storage, matrix);
    EXPECT_NEAR(map->norm_bound().squared, reference.squared, 1e-8 * reference.squared);
    EXPECT_EQ(map->norm_bound().passes, reference.passes);
    EXPECT_GE(map->frobenius_bound(), matrix.norm());
    EXPECT_LE(map->frobenius_bound(), matrix.norm() * (1.0 + 1e-10));
  }
}

TEST(NormBound, IsFoundOnceByManyThreads) {
  const LinearMapPtr map = dense_map(samples::dense(200, 300, 9));
  std::vector<NormBound> found(4);
  std::vector<std::thread> threads;
  for (NormBound& one : found) threads.emplace_back([&map, &one] { one = map->norm_bound(); });
  for (std::thread& thread : threads) thread.join();
  for (const NormBound& one : found) {
    EXPECT_EQ(one.squared, map->norm_bound().squared);
    EXPECT_EQ(one.passes, 120);
  }
}

}  // namespace
}  // namespace fcbio
