// The minorant inequality for every function and arbitrary duals, and its tightness at the right one.
#include "minorants.hpp"

#include <gtest/gtest.h>

#include "samples.hpp"
#include "values.hpp"

namespace fcbio::verify {
namespace {

using samples::Generator;

constexpr Real kReach = 30;  // no sample is farther from 0

Real minorant_at(const Minorant& minorant, std::span<const Real> x) {
  Real value = minorant.constant.value();
  for (std::size_t j = 0; j < x.size(); ++j) value += minorant.slope[j].value() * x[j];
  return value + minorant.curvature / 2 * dot(x, x);
}

std::vector<double> random_dual(Generator& random, const data::Term& term, Index n) {
  Vector dual = samples::gaussian(random, static_cast<Index>(samples::dual_size(term, n)));
  // From far outside the domain to well inside it.
  dual *= std::pow(10.0, samples::uniform(random, -3, 2));
  return samples::doubles(dual);
}

TEST(Minorants, NeverExceedTheFunctionWhateverTheDual) {
  Generator random(3);
  for (const std::string& function : samples::kFunctions) {
    for (int trial = 0; trial < 400; ++trial) {
      const Index n = 1 + trial % 5;
      const std::vector<data::Term> terms = {samples::term(random, function, n, 1 + trial % 6)};
      const auto views = term_views(terms, static_cast<std::size_t>(n));
      Minorant minorant(static_cast<std::size_t>(n), kReach);
      ASSERT_EQ(add_minorant(views, {random_dual(random, terms[0], n)}, 1, minorant), "");
      for (int point = 0; point < 5; ++point) {
        const RealVector x = samples::reals(3 * samples::gaussian(random, n));
        const Number value = function_value(views, x);
        const Real below = minorant_at(minorant, x);
        const Real rounding = 1e-15L * (value.magnitude + minorant.constant.number().magnitude);
        EXPECT_LE(below, value.value + rounding) << function;
      }
    }
  }
}

// (Sub)gradients of the row losses at u, worked out by hand.
double derivative(const data::LeastSquares&, double u, double b) { return u - b; }
double derivative(const data::Huber& huber, double u, double b) {
  return std::clamp(u - b, -huber.delta, huber.delta);
}
double derivative(const data::Absolute&, double u, double b) { return u > b ? 1 : -1; }
double derivative(const data::Quantile& quantile, double u, double b) {
  return u < b ? -quantile.tau : 1 - quantile.tau;
}
double derivative(const data::Logistic&, double u, double b) { return -b / (1 + std::exp(b * u)); }
double derivative(const data::Hinge&, double u, double b) { return b * u < 1 ? -b : 0; }
double derivative(const data::SquaredHinge&, double u, double b) { return b * u < 1 ? -b * (1 - b * u) : 0; }

std::vector<double> touching_dual(const data::Term& term, const TermView& view, const Vector& x) {
  const auto image = [&] {
    std::vector<double> rows;
    for (const Number& row : view.image(samples::reals(x))) rows.push_back(static_cast<double>(row.value));
    return rows;
  };
  const auto shifted_image = [&](const Vector& target) {
    std::vector<double> rows = image();
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] += target[static_cast<Index>(i)];
    return rows;
  };
  return std::visit(Overloaded{
                        [](const data::Linear&) { return std::vector<double>(); },
                        [&](const data::SquaredNorm& norm) {
                          std::vector<double> dual;
                          for (Index j = 0; !data::is_absent(norm.weights, 1.0) && j < x.size(); ++j)
                            dual.push_back(norm.weights[j] * (x[j] - norm.center[j]));
                          return dual;
                        },
                        [&](const data::Quadratic&) { return samples::doubles(x); },
                        [&](const data::L1Norm& norm) {
                          std::vector<double> dual;
                          for (Index j = 0; j < x.size(); ++j)
                            dual.push_back(samples::weight_at(norm.weights, j) * (x[j] > norm.center[j] ? 1 : -1));
                          return dual;
                        },
                        [&](const data::MaxAffine& pieces) {
                          std::vector<double> dual = shifted_image(pieces.target);
                          const double largest = *std::max_element(dual.begin(), dual.end());
                          for (double& row : dual) row = row == largest ? 1.0 : 0.0;
                          return dual;
                        },
                        [&](const data::LogSumExp& pieces) {  // not normalised: the checker does that
                          std::vector<double> dual = shifted_image(pieces.target);
                          const double largest = *std::max_element(dual.begin(), dual.end());
                          for (double& row : dual) row = std::exp(row - largest);
                          return dual;
                        },
                        [&]<test::RowSum Kind>(const Kind& kind) {
                          std::vector<double> dual = image();
                          for (std::size_t i = 0; i < dual.size(); ++i)
                            dual[i] = samples::weight_at(kind.sample_weights, static_cast<Index>(i)) *
                                      derivative(kind, dual[i], kind.target[static_cast<Index>(i)]);
                          return dual;
                        },
                    },
                    term.kind);
}

TEST(Minorants, TouchTheFunctionAtTheDualOfItsDerivative) {
  Generator random(4);
  for (const std::string& function : samples::kFunctions) {
    for (int trial = 0; trial < 50; ++trial) {
      const Index n = 1 + trial % 4;
      const std::vector<data::Term> terms = {samples::term(random, function, n, 6)};
      const auto views = term_views(terms, static_cast<std::size_t>(n));
      const Vector x = samples::gaussian(random, n);
      Minorant minorant(static_cast<std::size_t>(n), kReach);
      ASSERT_EQ(add_minorant(views, {touching_dual(terms[0], views[0], x)}, 1, minorant), "");
      const Real value = function_value(views, samples::reals(x)).value;
      EXPECT_NEAR(static_cast<double>(minorant_at(minorant, samples::reals(x))), static_cast<double>(value),
                  1e-12 * (1 + std::abs(static_cast<double>(value))))
          << function;
    }
  }
}

TEST(Minorants, OfAnAverageOfDualsIsAtLeastTheAverageOfMinorants) {
  Generator random(5);
  for (const std::string& function : samples::kFunctions) {
    for (int trial = 0; trial < 50; ++trial) {
      const Index n = 3;
      const std::vector<data::Term> terms = {samples::term(random, function, n, 5)};
      const auto views = term_views(terms, 3);
      const auto a = touching_dual(terms[0], views[0], samples::gaussian(random, n));
      const auto b = touching_dual(terms[0], views[0], samples::gaussian(random, n));
      if (function == "log-sum-exp") continue;  // its touching duals above are not normalised
      std::vector<double> middle(a.size());
      for (std::size_t i = 0; i < a.size(); ++i) middle[i] = 0.5 * (a[i] + b[i]);
      Minorant of_a(3, kReach), of_b(3, kReach), of_middle(3, kReach);
      ASSERT_EQ(add_minorant(views, {a}, 1, of_a) + add_minorant(views, {b}, 1, of_b) +
                    add_minorant(views, {middle}, 1, of_middle),
                "");
      const RealVector x = samples::reals(samples::gaussian(random, n));
      EXPECT_GE(minorant_at(of_middle, x), (minorant_at(of_a, x) + minorant_at(of_b, x)) / 2 - 1e-13L) << function;
    }
  }
}

TEST(Minorants, SayWhatIsWrongWithADual) {
  Generator random(6);
  const std::vector<data::Term> terms = {samples::term(random, "hinge", 2, 3)};
  const auto views = term_views(terms, 2);
  Minorant minorant(2);
  EXPECT_EQ(add_minorant(views, {}, 1, minorant), "expected 1 dual vectors, one per term, found 0");
  EXPECT_EQ(add_minorant(views, {{1, 2}}, 1, minorant), "dual of 'hinge': expected 3 numbers, found 2");
  EXPECT_EQ(add_minorant(views, {{1, kInfinity, 2}}, 1, minorant), "dual of 'hinge': expected finite numbers");
}

TEST(KnownBounds, AreThoseOfTheMathematicsAndThoseTold) {
  Generator random(7);
  for (const std::string& function : samples::kFunctions) {
    std::vector<data::Term> terms = {samples::term(random, function, 2, 4)};
    const bool open =
        function == "linear" || function == "quadratic" || function == "max-affine" || function == "log-sum-exp";
    EXPECT_EQ(known_lower_bound(term_views(terms, 2)).value, open ? -kRealInfinity : 0) << function;
    terms[0].lower_bound = 0.25;
    EXPECT_EQ(known_lower_bound(term_views(terms, 2)).value, Real{terms[0].weight} * 0.25L) << function;
    terms[0].lower_bound = -0.25;
    EXPECT_EQ(known_lower_bound(term_views(terms, 2)).value, open ? Real{terms[0].weight} * -0.25L : 0)
        << function;
    terms[0].weight = 0;
    terms[0].lower_bound.reset();
    EXPECT_EQ(known_lower_bound(term_views(terms, 2)).value, 0) << function;
  }
}

}  // namespace
}  // namespace fcbio::verify
