// The generators against what defines them: pseudo-inverses by an SVD, optimality conditions, formulas written out
// the slow way.
#include <gtest/gtest.h>

#include <Eigen/SVD>

#include "catalogue/catalogue.hpp"
#include "catalogue/categories.hpp"
#include "catalogue/collinear.hpp"
#include "catalogue/nesterov_lasso.hpp"
#include "naive.hpp"
#include "support/kinds.hpp"

namespace fcbio::catalogue {
namespace {

Vector pseudo_inverse_times(const Eigen::MatrixXd& a, const Vector& b, double threshold) {
  Eigen::JacobiSVD<Eigen::MatrixXd> svd(a, Eigen::ComputeThinU | Eigen::ComputeThinV);
  svd.setThreshold(threshold);
  return svd.solve(b);
}

TEST(Collinear, HasTheRangesAndTheRankOfItsRecipe) {
  Random random(3);
  const CollinearRegression regression = collinear_regression(80, 12, random);
  const Eigen::MatrixXd a = regression.data;
  ASSERT_EQ(a.cols(), 25);
  for (Index j = 0; j < 12; ++j) {
    EXPECT_DOUBLE_EQ(a.col(j).minCoeff(), -1.0);
    EXPECT_DOUBLE_EQ(a.col(j).maxCoeff(), 1.0);
  }
  EXPECT_EQ(Vector(a.col(12)), Vector::Ones(80));
  EXPECT_DOUBLE_EQ(regression.target.minCoeff(), 0.0);
  EXPECT_DOUBLE_EQ(regression.target.maxCoeff(), 1.0);
  const Vector values = Eigen::JacobiSVD<Eigen::MatrixXd>(a).singularValues();
  EXPECT_GT(values[12], 1e-3 * values[0]);
  EXPECT_LT(values[13], 1e-13 * values[0]);
  // The others combine exactly kCombinedColumns of the first 13.
  const Eigen::MatrixXd mix = a.leftCols(13).colPivHouseholderQr().solve(a.rightCols(12));
  for (Index j = 0; j < 12; ++j) {
    EXPECT_EQ((mix.col(j).array().abs() > 1e-9).count(), kCombinedColumns);
    EXPECT_LT(mix.col(j).cwiseAbs().maxCoeff(), 1.0 + 1e-9);
  }
}

TEST(Collinear, TheAnswerIsThePseudoInverse) {
  for (const char* average : {"false", "true"}) {
    const Instance instance =
        find_entry("min-norm-collinear").make({{"rows", "120"}, {"features", "15"}, {"average", average}}, 9);
    const auto& lower = std::get<data::LeastSquares>(instance.data.lower.front().kind);
    const Eigen::MatrixXd a = naive::dense(lower.data);
    const Vector reference = pseudo_inverse_times(a, lower.target, 1e-10);
    EXPECT_LT((*instance.solution - reference).norm(), 1e-11);
    EXPECT_NEAR(*instance.lower_optimum,
                0.5 * (a * reference - lower.target).squaredNorm() / (lower.average ? 120.0 : 1.0), 1e-12);
    EXPECT_GT(*instance.lower_optimum, 1e-4);  // inconsistent, as real data are
  }
}

TEST(ElasticNet, TheToldRadiusHoldsTheShortestSolution) {
  const Instance instance = find_entry("elastic-net").make({{"rows", "60"}, {"features", "10"}}, 4);
  ASSERT_EQ(data::name_of(instance.data.domain), "whole-space");
  const auto& lower = std::get<data::LeastSquares>(instance.data.lower.front().kind);
  const Vector shortest = pseudo_inverse_times(naive::dense(lower.data), lower.target, 1e-10);
  const double value = shortest.lpNorm<1>() + 0.01 * shortest.squaredNorm();
  EXPECT_NEAR(naive::value(instance.data.upper, shortest), value, 1e-12);
  const double radius = *std::get<data::WholeSpace>(instance.data.domain.kind).radius;
  EXPECT_NEAR(radius + 0.01 * radius * radius, value, 1e-8 * value);
}

// The numbers are numpy's: numpy.random.RandomState(123456).random_sample(124), entries 0, 1, 2, 3 and 123.
TEST(Categories, NumpysUniformNumbers) {
  const Vector numbers = numpy_uniform(123456, 124);
  EXPECT_EQ(numbers[0], 0x1.0408c283d15acp-3);
  EXPECT_EQ(numbers[1], 0x1.eef5a3f97ae30p-1);
  EXPECT_EQ(numbers[2], 0x1.0aba38da58504p-2);
  EXPECT_EQ(numbers[3], 0x1.cb6295f1d8588p-1);
  EXPECT_EQ(numbers[123], 0x1.ad54c54f85070p-2);
}

TEST(Categories, LogisticMinNormStartsFromTheProjectionOfThePublishedStart) {
  const Instance instance = find_entry("logistic-min-norm").make({}, 1);
  const Vector raw = numpy_uniform(123456, 124);
  const Vector& start = *instance.data.start;
  EXPECT_NEAR(start.lpNorm<1>(), 10.0, 1e-12);
  // Soft thresholding by one number.
  const double threshold = raw.maxCoeff() - start.maxCoeff();
  for (Index j = 0; j < 124; ++j) EXPECT_NEAR(start[j], std::max(0.0, raw[j] - threshold), 1e-13);
}

TEST(Categories, OneValuePerGroupAndBothLabels) {
  Random random(6);
  const CsrMatrix rows = categorical_rows(200, 30, 7, random);
  const Eigen::MatrixXd dense = naive::dense({rows});
  ASSERT_EQ(dense.cols(), 31);
  for (Index group = 0; group < 7; ++group) {
    const Index first = group * 30 / 7;
    const Index size = (group + 1) * 30 / 7 - first;
    EXPECT_EQ(Vector(dense.middleCols(first, size).rowwise().sum()), Vector::Ones(200));
    EXPECT_GT(dense.col(first).sum(), dense.col(first + size - 1).sum());
  }
  EXPECT_EQ(Vector(dense.col(30)), Vector::Ones(200));
  const Vector labels = noisy_labels(rows, 0.25, 1.0, random);
  EXPECT_EQ((labels.array() == 1.0).count(), 50);
  EXPECT_EQ((labels.array() == -1.0).count(), 150);
}

// At x* the gradient of g vanishes, and x* lies in the range of the transposed data: the shortest minimiser.
TEST(LogisticRepeated, TheAnswerIsTheShortestMinimiser) {
  const Instance instance = find_entry("logistic-repeated").make({}, 2);
  const auto& lower = std::get<data::Logistic>(instance.data.lower.front().kind);
  const Eigen::MatrixXd a = naive::dense(lower.data);
  ASSERT_EQ(a.rows(), 360);
  const Vector& x = *instance.solution;
  const Vector u = a * x;
  Vector pull(u.size());
  for (Index i = 0; i < u.size(); ++i) pull[i] = -lower.target[i] / (1.0 + std::exp(lower.target[i] * u[i]));
  EXPECT_LT((a.transpose() * pull).norm(), 1e-11);
  EXPECT_LT((pseudo_inverse_times(a, u, 1e-10) - x).norm(), 1e-11);
  EXPECT_GT(x.norm(), 0.5);
}

TEST(NesterovLasso, TheOptimumOfThePenalisedProblemIsOne) {
  Random random(8);
  const SparseRegression regression = nesterov_lasso(30, 80, 10, random);
  const Vector& x = regression.lasso;
  EXPECT_EQ((x.array() != 0.0).count(), 10);
  const Vector pull = regression.data.transpose() * (regression.target - regression.data * x);
  for (Index j = 0; j < 80; ++j) {
    if (x[j] != 0.0)
      EXPECT_NEAR(pull[j], x[j] > 0.0 ? 1.0 : -1.0, 1e-12);
    else
      EXPECT_LE(std::abs(pull[j]), 1.0 + 1e-12);
  }
}

TEST(NesterovLasso, TheShortestSolutionIsThePseudoInverse) {
  const Instance instance =
      find_entry("nesterov-lasso").make({{"rows", "30"}, {"columns", "80"}, {"support", "10"}, {"norm", "l2"}}, 3);
  const auto& lower = std::get<data::LeastSquares>(instance.data.lower.front().kind);
  const Vector reference = pseudo_inverse_times(naive::dense(lower.data), lower.target, 1e-12);
  EXPECT_LT((*instance.solution - reference).norm(), 1e-12);
}

TEST(FairLogistic, TheUpperLevelIsTheSquaredCovariance) {
  const Instance instance = find_entry("fair-logistic").make({}, 2);
  const Eigen::MatrixXd row = naive::rows(instance.data.upper);
  ASSERT_EQ(row.rows(), 1);
  Random random(1);
  const Vector x = random.normal_vector(row.cols());
  EXPECT_NEAR(naive::value(instance.data.upper, x), (row * x).squaredNorm(), 1e-12);
  EXPECT_NEAR(row(0, row.cols() - 1), 0.0, 1e-14);  // the intercept does not covary
  // One value per group: covariances of a group's columns with anything sum to that of a constant, 0.
  EXPECT_NEAR(row.leftCols(5).sum(), 0.0, 1e-13);
  EXPECT_GT(row.cwiseAbs().maxCoeff(), 0.02);  // but the attribute does depend on the features
}

// The rows of the problem are those of |B - D X|^2: apply them to a dictionary and compare with matrix products.
TEST(Dictionary, RowsAreTheEntriesOfTheProduct) {
  const OptionValues values{
      {"length", "4"}, {"atoms", "7"}, {"old_atoms", "5"}, {"samples", "9"}, {"new_samples", "6"}};
  const Instance instance = find_entry("dictionary").make(values, 2);
  Random random(5);
  const Vector x = random.normal_vector(28);
  for (const data::Term* term : {&instance.data.lower.front(), &instance.data.upper.front()}) {
    const bool is_lower = term == &instance.data.lower.front();
    const Index count = is_lower ? 9 : 6;
    const Eigen::MatrixXd rows = naive::dense(*data::rows_of(*term));
    ASSERT_EQ(rows.rows(), count * 4);
    const Vector target = test::target_of(*term);
    double sum = 0.0;
    for (Index j = 0; j < count; ++j) {
      Vector code(7);  // from the first entry's row, and the same for the others
      for (Index i = 0; i < 7; ++i) code[i] = rows(j * 4, i * 4);
      EXPECT_EQ((code.array() != 0.0).count(), 5);
      if (is_lower) {
        EXPECT_TRUE(code.tail(2).isZero());
      }
      for (double entry : code)
        if (entry != 0.0) {
          EXPECT_GE(std::abs(entry), 0.2);
          EXPECT_LE(std::abs(entry), 1.0);
        }
      const Vector sample = Eigen::Map<const Eigen::MatrixXd>(x.data(), 4, 7) * code;
      sum += (sample - target.segment(j * 4, 4)).squaredNorm();
    }
    EXPECT_NEAR(naive::value(*term, x), 0.5 * sum / static_cast<double>(count), 1e-10);
  }
}

TEST(Dictionary, DefaultSizeIsThePublishedOneAndTheTruthFits) {
  const Instance instance = find_entry("dictionary").make({}, 1);
  EXPECT_EQ(instance.data.dimension, 25 * 50);
  EXPECT_EQ(test::target_of(instance.data.upper.front()).size(), 200 * 25);
  // The mean square of a target is that of five coefficients, E c^2 = 31/75, times unit atoms of 25 entries.
  const double mean_square = test::target_of(instance.data.lower.front()).squaredNorm() / (250.0 * 25.0);
  EXPECT_NEAR(mean_square, 5.0 * (31.0 / 75.0) / 25.0, 0.01);
}

TEST(PolynomialLogistic, ColumnsAreStandardisedMonomials) {
  const Instance instance = find_entry("polynomial-logistic").make({{"rows", "50"}, {"features", "4"}}, 3);
  const Eigen::MatrixXd a = naive::rows(instance.data.lower);
  ASSERT_EQ(a.cols(), 35);  // (4 + 3)! / (4! 3!)
  int constant = 0;
  for (Index j = 0; j < 35; ++j) {
    EXPECT_NEAR(a.col(j).mean(), 0.0, 1e-12);
    const double variance = a.col(j).squaredNorm() / 50.0;
    if (variance == 0.0)
      ++constant;
    else
      EXPECT_NEAR(variance, 1.0, 1e-12);
  }
  EXPECT_EQ(constant, 1);
  EXPECT_EQ(find_entry("polynomial-logistic").make({{"rows", "3"}, {"features", "30"}}, 1).data.dimension, 5456);
}

TEST(RegressionSplit, SixtyAndTwentyPercentOfTheRows) {
  const Instance instance = find_entry("regression-split").make({{"rows", "53"}, {"columns", "40"}}, 1);
  EXPECT_EQ(test::target_of(instance.data.lower.front()).size(), 31);
  EXPECT_EQ(test::target_of(instance.data.upper.front()).size(), 11);
  EXPECT_EQ(data::name_of(instance.data.domain), "l1-ball");
}

TEST(HingeDocuments, TheUpperLevelIsTheMeanAbsoluteWeight) {
  const Instance instance = find_entry("hinge-documents").make({{"rows", "20"}, {"columns", "40"}}, 1);
  Random random(2);
  const Vector x = random.normal_vector(40);
  EXPECT_NEAR(naive::value(instance.data.upper, x), x.cwiseAbs().mean(), 1e-14);
  EXPECT_EQ(std::get<data::Box>(instance.data.domain.kind).upper, Vector::Constant(40, 50.0));
}

// P1 of the measured table: 40 x 100, singular values 3 * 10^(-2i/39), |x*| = 1, ball of radius 2, unit start.
TEST(MinimumNorm, TheDefaultIsTheMeasuredProblem) {
  const Instance instance = find_entry("min-norm").make({}, 1);
  const Eigen::MatrixXd a = naive::rows(instance.data.lower);
  ASSERT_EQ(a.rows(), 40);
  ASSERT_EQ(a.cols(), 100);
  const Vector values = Eigen::JacobiSVD<Eigen::MatrixXd>(a).singularValues();
  for (Index i = 0; i < 40; ++i)
    EXPECT_NEAR(values[i], 3.0 * std::pow(10.0, -2.0 * static_cast<double>(i) / 39.0), 1e-13);
  EXPECT_NEAR(instance.solution->norm(), 1.0, 1e-13);
  EXPECT_DOUBLE_EQ(*instance.upper_optimum, 0.5);
  EXPECT_EQ(std::get<data::Ball>(instance.data.domain.kind).radius, 2.0);
  EXPECT_NEAR(instance.data.start->norm(), 1.0, 1e-14);
}

}  // namespace
}  // namespace fcbio::catalogue
