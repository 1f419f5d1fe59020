// l1 norm over the minimisers of the mean logistic loss on polynomial features: all monomials up to a degree of a
// few measurements (the constant one included), each column moved to mean 0 and scaled to variance 1; the constant
// column becomes 0, as in the published experiment.
//
// With more columns than rows the classes can be separated, so the loss has no minimiser in the whole space: Z is
// a ball, on whose boundary the minimisers lie.
#include <cmath>

#include "catalogue/builders.hpp"

namespace fcbio::catalogue {
namespace {

/// Exponent vectors of total degree at most `degree`, the constant first.
void add_monomials(std::vector<std::vector<int>>& all, std::vector<int>& exponents, std::size_t variable,
                   std::int64_t degree) {
  if (variable == exponents.size()) {
    all.push_back(exponents);
    return;
  }
  for (std::int64_t power = 0; power <= degree; ++power) {
    exponents[variable] = static_cast<int>(power);
    add_monomials(all, exponents, variable + 1, degree - power);
  }
  exponents[variable] = 0;
}

void standardise(RowMajorMatrix& matrix) {
  const auto rows = static_cast<double>(matrix.rows());
  for (Index j = 0; j < matrix.cols(); ++j) {
    double mean = 0.0;
    for (Index i = 0; i < matrix.rows(); ++i) mean += matrix(i, j) / rows;
    double variance = 0.0;
    for (Index i = 0; i < matrix.rows(); ++i) variance += (matrix(i, j) - mean) * (matrix(i, j) - mean) / rows;
    const double scale = variance > 1e-20 * mean * mean ? 1.0 / std::sqrt(variance) : 0.0;
    for (Index i = 0; i < matrix.rows(); ++i) matrix(i, j) = (matrix(i, j) - mean) * scale;
  }
}

Instance polynomial_logistic(const Parameters& options, Random& random) {
  std::vector<std::vector<int>> monomials;
  std::vector<int> exponents(static_cast<std::size_t>(options.features), 0);
  add_monomials(monomials, exponents, 0, options.degree);
  const auto n = static_cast<Index>(monomials.size());

  // Positive, skewed measurements whose size depends on the class, with some overlap.
  Vector shift(options.features), labels(options.rows);
  for (Index j = 0; j < options.features; ++j) shift[j] = random.uniform(0.1, 0.5);
  RowMajorMatrix data(options.rows, n);
  for (Index i = 0; i < options.rows; ++i) {
    labels[i] = random.uniform() < 0.6 ? 1.0 : -1.0;
    const double common = 0.3 * random.normal();
    Vector measured(options.features);
    for (Index j = 0; j < options.features; ++j)
      measured[j] = std::exp(common + 0.3 * random.normal() - 0.5 * labels[i] * shift[j]);
    for (Index j = 0; j < n; ++j) {
      double product = 1.0;
      for (Index k = 0; k < options.features; ++k)
        for (int power = 0; power < monomials[static_cast<std::size_t>(j)][static_cast<std::size_t>(k)]; ++power)
          product *= measured[k];
      data(i, j) = product;
    }
  }
  standardise(data);
  Instance instance;
  instance.data =
      assemble(ball_set(n, options.radius), l1_norm_term_data(Vector::Zero(n)),
               data_term("logistic", {std::move(data)}, std::move(labels), true), Accuracy{1e-2, 1e-4});
  return instance;
}

}  // namespace

std::vector<Entry> polynomial_entries() {
  return {seeded_entry({"polynomial-logistic",
                        "l1 norm over the minimisers of the mean logistic loss on polynomial features in a ball",
                        "no closed form: the certificate is the answer", "P13", "80 x 84"},
                       Parameters{.rows = 80, .features = 6, .degree = 3, .radius = 10.0},
                       ParameterTable({
                           {"rows", &Parameters::rows, {2, 1e6}, {}, "examples"},
                           {"features",
                            &Parameters::features,
                            {1, 40},
                            {},
                            "measurements; n = (features + degree)! / (features! degree!)"},
                           {"degree", &Parameters::degree, {1, 4}, {}, "largest degree of a monomial"},
                           {"radius", &Parameters::radius, {0, kInfinity, true}, {}, "radius of the ball Z"},
                       }),
                       polynomial_logistic)};
}

}  // namespace fcbio::catalogue
