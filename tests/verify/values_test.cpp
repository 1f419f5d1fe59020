// Values against a second, plain evaluation in double precision, and against numbers worked out by hand.
#include "values.hpp"

#include <gtest/gtest.h>

#include "samples.hpp"

namespace fcbio::verify {
namespace {

using samples::Generator;

RowMajorMatrix dense(const io::DataMatrix& data, Index n) {
  if (const auto* matrix = std::get_if<RowMajorMatrix>(&data.matrix)) return *matrix;
  const auto& sparse = std::get<CsrMatrix>(data.matrix);
  RowMajorMatrix result = RowMajorMatrix::Zero(sparse.rows, n);
  for (Index i = 0; i < sparse.rows; ++i) {
    const auto row = static_cast<std::size_t>(i);
    for (auto k = sparse.starts[row]; k < sparse.starts[row + 1]; ++k) {
      result(i, sparse.columns[static_cast<std::size_t>(k)]) = sparse.values[static_cast<std::size_t>(k)];
    }
  }
  return result;
}

double plain_row(const io::TermData& term, double u, double b) {
  const double r = u - b, margin = b * u;
  if (term.function == "least-squares") return 0.5 * r * r;
  if (term.function == "logistic") return std::log1p(std::exp(-margin));
  if (term.function == "absolute") return std::abs(r);
  if (term.function == "quantile") return r < 0 ? term.tau * -r : (1 - term.tau) * r;
  if (term.function == "hinge") return margin < 1 ? 1 - margin : 0.0;
  if (term.function == "squared-hinge") return margin < 1 ? 0.5 * (1 - margin) * (1 - margin) : 0.0;
  return std::abs(r) <= term.delta ? 0.5 * r * r : term.delta * std::abs(r) - 0.5 * term.delta * term.delta;
}

double plain_value(const io::TermData& term, const Vector& x) {
  double sum = 0;
  if (term.function == "squared-norm") return term.weight * 0.5 * (x - term.vector).squaredNorm();
  if (term.function == "l1-norm") return term.weight * (x - term.vector).lpNorm<1>();
  if (term.function == "linear") return term.weight * term.vector.dot(x);
  const RowMajorMatrix m = dense(*term.data, x.size());
  const Vector u = m * x;
  if (term.function == "quadratic") return term.weight * (0.5 * x.dot(u) + term.vector.dot(x) + term.constant);
  if (term.function == "max-affine") return term.weight * (u + term.target).maxCoeff();
  if (term.function == "log-sum-exp") return term.weight * std::log((u + term.target).array().exp().sum());
  for (Index i = 0; i < u.size(); ++i) sum += plain_row(term, u[i], term.target[i]);
  return term.weight * sum / (term.average ? static_cast<double>(u.size()) : 1.0);
}

TEST(Values, AgreeWithAPlainEvaluationOfEveryFunction) {
  Generator random(1);
  for (const std::string& function : samples::kFunctions) {
    for (int trial = 0; trial < 50; ++trial) {
      const Index n = 1 + trial % 5;
      const std::vector<io::TermData> terms = {samples::term(random, function, n, 1 + trial % 7)};
      const Vector x = 2 * samples::gaussian(random, n);
      const Number value = function_value(term_views(terms, static_cast<std::size_t>(n)), samples::reals(x));
      const double plain = plain_value(terms[0], x);
      EXPECT_NEAR(static_cast<double>(value.value), plain, 1e-12 * (1 + std::abs(plain))) << function;
      EXPECT_LE(std::abs(static_cast<double>(value.value) - plain), 10 * kDoubleDigits * value.magnitude)
          << function;
      EXPECT_GE(value.magnitude * (1 + 1e-15L), std::abs(value.value)) << function;
    }
  }
}

TEST(Values, OfTwoTermsAreSummedWithTheirWeights) {
  io::TermData norm, linear;
  norm.function = "squared-norm";
  norm.weight = 2;
  norm.vector = Vector::Zero(2);
  linear.function = "linear";
  linear.weight = 3;
  linear.vector = Vector{{1, -1}};
  const std::vector<io::TermData> terms = {norm, linear};
  const RealVector x = {3, 4};
  EXPECT_EQ(function_value(term_views(terms, 2), x).value, 2 * 12.5L + 3 * (3 - 4));
}

TEST(Values, AverageDividesByTheRows) {
  io::TermData term;
  term.function = "absolute";
  term.average = true;
  term.data = io::DataMatrix{RowMajorMatrix{{1.0}, {1.0}, {1.0}, {1.0}}};
  term.target = Vector{{0, 1, 2, 5}};
  const std::vector<io::TermData> terms = {term};
  EXPECT_EQ(function_value(term_views(terms, 1), RealVector{1}).value, 6.0L / 4);
}

TEST(Values, LogisticDoesNotOverflow) {
  io::TermData term;
  term.function = "logistic";
  term.data = io::DataMatrix{RowMajorMatrix{{1e6}}};
  term.target = Vector{{-1}};
  const std::vector<io::TermData> terms = {term};
  EXPECT_EQ(function_value(term_views(terms, 1), RealVector{1}).value, 1e6L);
  EXPECT_EQ(function_value(term_views(terms, 1), RealVector{-1}).value, 0.0L);
}

TEST(Values, ChangeWithinADistanceIsNeverUnderestimated) {
  Generator random(2);
  for (const std::string& function : samples::kFunctions) {
    for (int trial = 0; trial < 100; ++trial) {
      const Index n = 1 + trial % 4;
      const std::vector<io::TermData> terms = {samples::term(random, function, n, 5)};
      const auto views = term_views(terms, static_cast<std::size_t>(n));
      const Vector x = samples::gaussian(random, n);
      const double distance = std::pow(10.0, samples::uniform(random, -6, 1));
      const Vector z = x + distance * samples::gaussian(random, n).normalized();
      const Real change = std::abs(function_value(views, samples::reals(z)).value -
                                   function_value(views, samples::reals(x)).value);
      const Real allowed = largest_change(views, samples::reals(x), distance);
      EXPECT_LE(change, allowed * (1 + 1e-9L) + 1e-14L) << function;
      EXPECT_LE(allowed, 1e3 * distance * (1 + distance)) << function;
    }
  }
}

TEST(Values, RefuseWhatDoesNotFit) {
  io::TermData term;
  term.function = "cosine";
  EXPECT_THROW(TermView(term, 2), std::invalid_argument);
  term.function = "least-squares";
  EXPECT_THROW(TermView(term, 2), std::invalid_argument);  // no data
  term.data = io::DataMatrix{RowMajorMatrix::Ones(3, 2)};
  term.target = Vector::Ones(2);
  try {
    TermView view(term, 2);
    FAIL() << "two targets for three rows were accepted";
  } catch (const std::invalid_argument& refusal) {
    EXPECT_NE(std::string(refusal.what()).find("expected 3 targets, one per row, found 2"), std::string::npos);
  }
  term.target = Vector::Ones(3);
  EXPECT_NO_THROW(TermView(term, 2));
  EXPECT_THROW(TermView(term, 1), std::invalid_argument);  // more columns than variables
  term.weight = -1;
  EXPECT_THROW(TermView(term, 2), std::invalid_argument);
}

TEST(Accumulators, KeepWhatPlainSumsLose) {
  Accumulator sum;
  sum.add(1);
  sum.add(1e30L);
  sum.add(-1e30L);
  EXPECT_EQ(sum.value(), 1);
  EXPECT_GE(sum.number().magnitude, 2e30L);
}

}  // namespace
}  // namespace fcbio::verify
