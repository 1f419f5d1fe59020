// Fair classification, the convex form: among the minimisers of the mean logistic loss in an l1 ball, the one
// whose scores Xx depend least on a sensitive attribute z.
//
//     f(x) = ( 1/rows sum_i (z_i - mean z) a_i'x )^2 = (c'x)^2,  c = X'(z - mean z)/rows:  least squares of one
//     row.
//
// (The published form has sigmoid(Xx) in place of Xx, which is not convex.)
#include <algorithm>

#include "catalogue/builders.hpp"
#include "catalogue/categories.hpp"

namespace fcbio::catalogue {
namespace {

Instance fair_logistic(const Parameters& options, Random& random) {
  constexpr Index kGroups = 10;
  CsrMatrix rows =
      categorical_rows(options.rows, options.columns, std::min<Index>(kGroups, options.columns), random);
  const Vector sensitive = noisy_labels(rows, 0.5, 2.0, random);
  Vector labels = noisy_labels(rows, 0.25, 3.0, random);
  const Index n = rows.cols;

  double mean = 0.0;
  for (double z : sensitive) mean += z / static_cast<double>(rows.rows);
  RowMajorMatrix covariance = RowMajorMatrix::Zero(1, n);
  for (Index i = 0; i < rows.rows; ++i) {
    const auto first = static_cast<std::size_t>(rows.starts[static_cast<std::size_t>(i)]);
    const auto last = static_cast<std::size_t>(rows.starts[static_cast<std::size_t>(i) + 1]);
    for (std::size_t k = first; k < last; ++k)
      covariance(0, rows.columns[k]) += (sensitive[i] - mean) * rows.values[k] / static_cast<double>(rows.rows);
  }
  data::Term upper = data_term("least-squares", {std::move(covariance)}, Vector::Zero(1), false);
  upper.weight = 2.0;
  Instance instance;
  instance.data =
      assemble(l1_ball_set(n, options.radius), std::move(upper),
               data_term("logistic", {std::move(rows)}, std::move(labels), true), Accuracy{1e-4, 1e-4});
  return instance;
}

}  // namespace

std::vector<Entry> fair_entries() {
  return {seeded_entry(
      {"fair-logistic", "squared covariance of scores and a sensitive attribute over mean logistic loss, l1 ball",
       "no closed form: the certificate is the answer", "P7", "400 x 51"},
      Parameters{.rows = 400, .columns = 50, .radius = 100.0},
      ParameterTable({
          {"rows", &Parameters::rows, {2, 1e6}, {}, "examples"},
          {"columns", &Parameters::columns, {1, 1e5}, {}, "0/1 features in 10 groups; n is one more"},
          {"radius", &Parameters::radius, {0, kInfinity, true}, {}, "radius of the l1 ball Z"},
      }),
      fair_logistic)};
}

}  // namespace fcbio::catalogue
