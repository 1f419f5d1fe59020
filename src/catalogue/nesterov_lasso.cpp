// Linear inverse problems on Nesterov's generator: |x|_1 or 1/2 |x|^2 over the minimisers of 1/2 |Ax - b|^2, rows
// of A independent.  The generator's own optimum is one of the penalised problem, not x*.  For l2, x* = A+ b and
// g* = 0; for l1, |x*| <= |x*|_1 <= |A+ b|_1 is the radius.
#include "catalogue/nesterov_lasso.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "catalogue/builders.hpp"
#include "catalogue/portable.hpp"
#include "fcbio/error.hpp"

namespace fcbio::catalogue {

SparseRegression nesterov_lasso(Index rows, Index columns, Index support, Random& random) {
  SparseRegression result;
  RowMajorMatrix& a = result.data;
  a.resize(rows, columns);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < columns; ++j) a(i, j) = random.uniform(-1.0, 1.0);
  Vector y(rows);
  for (double& entry : y) entry = random.uniform();
  const double norm = std::sqrt(dot(y, y));
  for (double& entry : y) entry /= norm;

  const Vector along = times_transpose(a, y);
  std::vector<Index> order(static_cast<std::size_t>(columns));
  for (Index j = 0; j < columns; ++j) order[static_cast<std::size_t>(j)] = j;
  std::stable_sort(order.begin(), order.end(),
                   [&](Index left, Index right) { return std::abs(along[left]) > std::abs(along[right]); });
  result.lasso = Vector::Zero(columns);
  for (Index k = 0; k < columns; ++k) {
    const Index j = order[static_cast<std::size_t>(k)];
    const double size = std::abs(along[j]);
    double scale = 1.0;
    if (k < support) {
      scale = 1.0 / size;
      result.lasso[j] = std::copysign(random.uniform() / std::sqrt(static_cast<double>(support)), along[j]);
    } else if (size > 0.1) {
      scale = random.uniform() / size;
    }
    for (Index i = 0; i < rows; ++i) a(i, j) *= scale;
  }
  result.target = y + times(a, result.lasso);
  return result;
}

namespace {

Instance linear_inverse(const Parameters& options, Random& random) {
  if (options.support > options.columns)
    throw InvalidArgument(fmt::format("option 'support': expected at most columns = {}, found {}", options.columns,
                                      options.support));
  if (options.rows > options.columns)
    throw InvalidArgument(
        fmt::format("option 'rows': expected at most columns = {}, found {}; with more rows than "
                    "columns there is nothing left for the upper level to choose",
                    options.columns, options.rows));
  SparseRegression regression = nesterov_lasso(options.rows, options.columns, options.support, random);
  const Index n = options.columns;
  Vector shortest = smallest_solution(regression.data, regression.target);
  const double square = dot(shortest, shortest);
  double sum = 0.0;
  for (double entry : shortest) sum += std::abs(entry);
  const bool sparse = options.norm == "l1";
  Instance instance;
  instance.data =
      assemble(whole_space_set(n, sparse ? (1.0 + 1e-9) * sum : 2.0 * std::sqrt(square)),
               sparse ? l1_norm_term_data(Vector::Zero(n)) : squared_norm_term_data(Vector::Zero(n)),
               data_term("least-squares", {std::move(regression.data)}, std::move(regression.target), false),
               sparse ? Accuracy{1e-2, 1e-4} : Accuracy{1e-6, 1e-6});
  if (sparse) return instance;
  instance.upper_optimum = 0.5 * square;
  instance.lower_optimum = 0.0;
  instance.solution = std::move(shortest);
  return instance;
}

}  // namespace

std::vector<Entry> lasso_entries() {
  return {seeded_entry(
      {"nesterov-lasso", "l1 norm or squared norm over the solutions of Nesterov's sparse regression; whole space",
       "norm = l2: x* = A+ b, f* = |A+ b|^2/2, g* = 0; norm = l1: g* = 0, f* is not known (the generator's own "
       "optimum is one of 1/2 |Ax - b|^2 + |x|_1)",
       "P10", "100 x 250"},
      Parameters{.rows = 100, .columns = 250, .support = 25, .norm = "l1"},
      ParameterTable({
          {"rows", &Parameters::rows, {1, 1e5}, {}, "rows of A; at most columns"},
          {"columns", &Parameters::columns, {1, 1e5}, {}, "columns of A: the dimension n"},
          {"support", &Parameters::support, {1, 1e5}, {}, "non-zero entries of the generator's optimum"},
          {"norm", &Parameters::norm, {}, {"l1", "l2"}, "f = |x|_1 or 1/2 |x|^2"},
      }),
      linear_inverse)};
}

}  // namespace fcbio::catalogue
