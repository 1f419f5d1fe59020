// Values against a second, plain evaluation in double precision, and against numbers worked out by hand.
#include "values.hpp"

#include <gtest/gtest.h>

#include "samples.hpp"

namespace fcbio::verify {
namespace {

using samples::Generator;

RowMajorMatrix dense(const data::Matrix& data, Index n) {
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

double plain_row(const data::LeastSquares&, double u, double b) { return 0.5 * (u - b) * (u - b); }
double plain_row(const data::Logistic&, double u, double b) { return std::log1p(std::exp(-b * u)); }
double plain_row(const data::Huber& huber, double u, double b) {
  const double r = u - b, delta = huber.delta;
  return std::abs(r) <= delta ? 0.5 * r * r : delta * std::abs(r) - 0.5 * delta * delta;
}
double plain_row(const data::Absolute&, double u, double b) { return std::abs(u - b); }
double plain_row(const data::Quantile& quantile, double u, double b) {
  const double r = u - b;
  return r < 0 ? quantile.tau * -r : (1 - quantile.tau) * r;
}
double plain_row(const data::Hinge&, double u, double b) { return b * u < 1 ? 1 - b * u : 0.0; }
double plain_row(const data::SquaredHinge&, double u, double b) {
  return b * u < 1 ? 0.5 * (1 - b * u) * (1 - b * u) : 0.0;
}

double plain_value(const data::Term& term, const Vector& x) {
  const auto image = [&](const data::Matrix& matrix) { return Vector(dense(matrix, x.size()) * x); };
  const double value = std::visit(
      Overloaded{
          [&](const data::SquaredNorm& norm) {
            double sum = 0;
            for (Index j = 0; j < x.size(); ++j)
              sum += samples::weight_at(norm.weights, j) * std::pow(x[j] - norm.center[j], 2);
            return 0.5 * sum;
          },
          [&](const data::L1Norm& norm) {
            double sum = 0;
            for (Index j = 0; j < x.size(); ++j)
              sum += samples::weight_at(norm.weights, j) * std::abs(x[j] - norm.center[j]);
            return sum;
          },
          [&](const data::Linear& linear) { return linear.coefficients.dot(x); },
          [&](const data::Quadratic& quadratic) {
            return 0.5 * x.dot(image(quadratic.matrix)) + quadratic.coefficients.dot(x) + quadratic.constant;
          },
          [&](const data::MaxAffine& pieces) { return (image(pieces.data) + pieces.target).maxCoeff(); },
          [&](const data::LogSumExp& pieces) {
            return std::log((image(pieces.data) + pieces.target).array().exp().sum());
          },
          [&]<test::RowSum Kind>(const Kind& kind) {
            const Vector u = image(kind.data);
            double sum = 0;
            for (Index i = 0; i < u.size(); ++i)
              sum += samples::weight_at(kind.sample_weights, i) * plain_row(kind, u[i], kind.target[i]);
            return sum / (kind.average ? static_cast<double>(u.size()) : 1.0);
          },
      },
      term.kind);
  return term.weight * value;
}

TEST(Values, AgreeWithAPlainEvaluationOfEveryFunction) {
  Generator random(1);
  for (const std::string& function : samples::kFunctions) {
    for (int trial = 0; trial < 50; ++trial) {
      const Index n = 1 + trial % 5;
      const std::vector<data::Term> terms = {samples::term(random, function, n, 1 + trial % 7)};
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
  const std::vector<data::Term> terms = {{data::SquaredNorm{Vector::Zero(2)}, 2},
                                         {data::Linear{Vector{{1, -1}}}, 3}};
  const RealVector x = {3, 4};
  EXPECT_EQ(function_value(term_views(terms, 2), x).value, 2 * 12.5L + 3 * (3 - 4));
}

TEST(Values, AverageDividesByTheRows) {
  const std::vector<data::Term> terms = {
      {data::Absolute{{RowMajorMatrix{{1.0}, {1.0}, {1.0}, {1.0}}}, Vector{{0, 1, 2, 5}}, true}}};
  EXPECT_EQ(function_value(term_views(terms, 1), RealVector{1}).value, 6.0L / 4);
}

TEST(Values, LogisticDoesNotOverflow) {
  const std::vector<data::Term> terms = {{data::Logistic{{RowMajorMatrix{{1e6}}}, Vector{{-1}}}}};
  EXPECT_EQ(function_value(term_views(terms, 1), RealVector{1}).value, 1e6L);
  EXPECT_EQ(function_value(term_views(terms, 1), RealVector{-1}).value, 0.0L);
}

TEST(Values, ChangeWithinADistanceIsNeverUnderestimated) {
  Generator random(2);
  for (const std::string& function : samples::kFunctions) {
    for (int trial = 0; trial < 100; ++trial) {
      const Index n = 1 + trial % 4;
      const std::vector<data::Term> terms = {samples::term(random, function, n, 5)};
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
  data::Term term;
  auto& squares = term.kind.emplace<data::LeastSquares>();
  squares.data = data::Matrix{RowMajorMatrix::Ones(3, 2)};
  squares.target = Vector::Ones(2);
  try {
    TermView view(term, 2);
    FAIL() << "two targets for three rows were accepted";
  } catch (const std::invalid_argument& refusal) {
    EXPECT_NE(std::string(refusal.what()).find("expected 3 targets, one per row, found 2"), std::string::npos);
  }
  squares.target = Vector::Ones(3);
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
