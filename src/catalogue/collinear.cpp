// Co-linear regression: the data of collinear.hpp and two problems on it.
//
// elastic-net:  f = |x|_1 + ridge/2 |x|^2.  Of the minimisers of g, x* has f(x*) <= f(A+ b) =: F, and
//   |x*| + ridge/2 |x*|^2 <= f(x*), so |x*| <= r with r + ridge/2 r^2 = F: a radius that is proved, not guessed.
#include "catalogue/collinear.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "catalogue/builders.hpp"
#include "catalogue/portable.hpp"
#include "fcbio/error.hpp"

namespace fcbio::catalogue {
namespace {

/// Column j to [low, high]; a constant column becomes low.
void scale_column(RowMajorMatrix& matrix, Index j, double low, double high) {
  double least = matrix(0, j);
  double most = matrix(0, j);
  for (Index i = 0; i < matrix.rows(); ++i) {
    least = std::min(least, matrix(i, j));
    most = std::max(most, matrix(i, j));
  }
  const double width = most > least ? most - least : 1.0;
  for (Index i = 0; i < matrix.rows(); ++i) matrix(i, j) = low + (high - low) * ((matrix(i, j) - least) / width);
}

/// Correlated features: a few common factors, decreasing in strength, and noise of each feature's own.
RowMajorMatrix songs(Index rows, Index features, Random& random) {
  const Index factors = std::min<Index>(12, features);
  RowMajorMatrix loadings(factors, features);
  for (Index k = 0; k < factors; ++k)
    for (Index j = 0; j < features; ++j) loadings(k, j) = random.normal() / static_cast<double>(k + 1);
  RowMajorMatrix matrix(rows, features);
  for (Index i = 0; i < rows; ++i) {
    const Vector factor = random.normal_vector(factors);
    const Vector common = times_transpose(loadings, factor);
    for (Index j = 0; j < features; ++j) matrix(i, j) = common[j] + 0.5 * random.normal();
  }
  for (Index j = 0; j < features; ++j) scale_column(matrix, j, -1.0, 1.0);
  return matrix;
}

RowMajorMatrix transposed(const RowMajorMatrix& matrix) { return matrix.transpose(); }

}  // namespace

CollinearRegression collinear_regression(Index rows, Index features, Random& random) {
  const Index independent = features + 1;
  RowMajorMatrix base(rows, independent);  // B
  base.leftCols(features) = songs(rows, features, random);
  base.col(features).setOnes();

  RowMajorMatrix target(rows, 1);
  const Vector weights = random.normal_vector(features);
  for (Index i = 0; i < rows; ++i)
    target(i, 0) = dot(base.row(i).head(features).transpose(), weights) + 2.0 * random.normal();
  scale_column(target, 0, 0.0, 1.0);

  RowMajorMatrix mix = RowMajorMatrix::Zero(independent, independent + features);  // [I, C]
  for (Index j = 0; j < independent; ++j) mix(j, j) = 1.0;
  const Index combined = std::min(kCombinedColumns, independent);
  for (Index j = 0; j < features; ++j) {
    const std::vector<Index> chosen = random.permutation(independent);
    for (Index k = 0; k < combined; ++k)
      mix(chosen[static_cast<std::size_t>(k)], independent + j) = random.uniform(-1.0, 1.0);
  }

  CollinearRegression result;
  result.data = RowMajorMatrix::Zero(rows, mix.cols());
  for (Index i = 0; i < rows; ++i)
    for (Index k = 0; k < independent; ++k)
      for (Index j = 0; j < mix.cols(); ++j) result.data(i, j) += base(i, k) * mix(k, j);
  result.target = target.col(0);

  // B' = L Q, so By = Q'(L'y) and the minimiser solves L'y = Qb.
  const RowFactors factors = orthonormal_rows(transposed(base));
  Vector y = times(factors.rows, result.target);
  const Vector residual = result.target - times_transpose(factors.rows, y);
  for (Index i = independent - 1; i >= 0; --i) {
    for (Index k = i + 1; k < independent; ++k) y[i] -= factors.lower(k, i) * y[k];
    y[i] /= factors.lower(i, i);
  }
  result.shortest = smallest_solution(mix, y);
  result.least_squares = 0.5 * dot(residual, residual);
  return result;
}

namespace {

CollinearRegression checked_regression(const Parameters& options, Random& random) {
  if (options.rows <= options.features)
    throw InvalidArgument(fmt::format("option 'rows': expected more than features = {}, found {}; raise rows",
                                      options.features, options.rows));
  return collinear_regression(options.rows, options.features, random);
}

/// The set asked for, `radius` where it was given (at least `least`), else `otherwise`.
data::Set domain_of(const Parameters& options, Index n, double least, double otherwise) {
  const double radius = options.radius == 0.0 ? otherwise : options.radius;
  if (radius < least)
    throw InvalidArgument(
        fmt::format("option 'radius': solutions are known to lie within {:.6g}, found {}; raise "
                    "radius, or set it to 0 for the default",
                    least, options.radius));
  return options.set == "ball" ? ball_set(n, radius) : whole_space_set(n, radius);
}

Instance min_norm_collinear(const Parameters& options, Random& random) {
  CollinearRegression regression = checked_regression(options, random);
  const Index n = regression.data.cols();
  const double square = dot(regression.shortest, regression.shortest);
  Instance instance;
  instance.data = assemble(
      domain_of(options, n, std::sqrt(square), 2.0 * std::sqrt(square)), squared_norm_term_data(Vector::Zero(n)),
      data_term("least-squares", {std::move(regression.data)}, std::move(regression.target), options.average),
      Accuracy{1e-5, 1e-6});
  instance.upper_optimum = 0.5 * square;
  instance.lower_optimum =
      options.average ? regression.least_squares / static_cast<double>(options.rows) : regression.least_squares;
  instance.solution = std::move(regression.shortest);
  return instance;
}

Instance elastic_net(const Parameters& options, Random& random) {
  CollinearRegression regression = checked_regression(options, random);
  const Index n = regression.data.cols();
  double value = 0.5 * options.ridge * dot(regression.shortest, regression.shortest);  // F = f(A+ b)
  for (Index j = 0; j < n; ++j) value += std::abs(regression.shortest[j]);
  // The root of r + ridge/2 r^2 = F in the form that also holds for ridge = 0, raised by more than its rounding.
  const double radius = (1.0 + 1e-9) * 2.0 * value / (1.0 + std::sqrt(1.0 + 2.0 * options.ridge * value));
  Instance instance;
  instance.data = assemble(
      domain_of(options, n, radius, radius), l1_norm_term_data(Vector::Zero(n)),
      data_term("least-squares", {std::move(regression.data)}, std::move(regression.target), options.average),
      Accuracy{1e-3, 1e-4});
  instance.data.upper.push_back(squared_norm_term_data(Vector::Zero(n), options.ridge));
  return instance;
}

ParameterTable table(const char* radius_help, bool with_ridge) {
  ParameterTable entries({
      {"rows", &Parameters::rows, {2, 1e6}, {}, "rows of the data; more than features"},
      {"features", &Parameters::features, {1, 1e4}, {}, "independent features; n = 2 features + 1"},
      {"set", &Parameters::set, {}, {"whole-space", "ball"}, "the domain Z"},
      {"radius", &Parameters::radius, {0, kInfinity}, {}, radius_help},
      {"average", &Parameters::average, {}, {}, "divide g by the number of rows"},
  });
  if (with_ridge) entries.push_back({"ridge", &Parameters::ridge, {0, kInfinity}, {}, "weight of 1/2 |x|^2 in f"});
  return entries;
}

}  // namespace

std::vector<Entry> collinear_entries() {
  return {
      seeded_entry(
          {"min-norm-collinear",
           "minimum-norm least squares with as many co-linear columns as features; whole space or ball",
           "x* = A+ b, f* = |A+ b|^2/2, g* = the least-squares residual (computed by orthogonal factorisations)",
           "P1", "1000 x 181"},
          Parameters{.rows = 1000, .features = 90, .radius = 0.0, .set = "whole-space"},
          table("radius of Z, about the start 0; 0: twice |A+ b|", false), min_norm_collinear),
      seeded_entry({"elastic-net",
                    "|x|_1 + ridge/2 |x|^2 over the minimisers of least squares with co-linear columns; whole "
                    "space or ball",
                    "no closed form: the certificate is the answer", "P5", "200 x 61"},
                   Parameters{.rows = 200, .features = 30, .radius = 0.0, .ridge = 0.02, .set = "whole-space"},
                   table("radius of Z, about the start 0; 0: a proved bound of |x*|", true), elastic_net),
  };
}

}  // namespace fcbio::catalogue
