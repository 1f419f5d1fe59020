// The instances on which no zero-respecting first-order method can find absolute optima: f only sees the last half
// of the coordinates, and information about g travels one coordinate per query, so after T queries from 0 f has
// not moved. n = 2T.  Of g:
//
//   smooth     h(x) = 1/4 ( 1/2 (x_1^2 + sum (x_i - x_{i+1})^2 + x_n^2) - R x_1 ),  R = 1/sqrt(n), 1-smooth:
//              x*_j = R (1 - j/(n+1)),  g* = -R^2/8 n/(n+1) = -1/(8(n+1)),  f* = (T+1)/(24(2T+1)).
//   Lipschitz  r(x) = sqrt(n)/(1+sqrt(n)) max_j x_j + 1/(2(1+sqrt(n))) |x|^2, 1-Lipschitz in the unit ball:
//              x*_j = -1/sqrt(n),  g* = -1/(2(1+sqrt(n))),  f* = 1/4.
// f = 1/2 sum over j > T of x_j^2.  One minimiser of g: no choice is left to f.
#include <algorithm>
#include <cmath>

#include "catalogue/builders.hpp"

namespace fcbio::catalogue {
namespace {

/// Rows first .. n-1 of the identity.
CsrMatrix last_coordinates(Index first, Index n) {
  CsrMatrix matrix;
  matrix.rows = n - first;
  matrix.cols = n;
  matrix.starts.push_back(0);
  for (Index j = first; j < n; ++j) {
    matrix.columns.push_back(static_cast<std::int32_t>(j));
    matrix.values.push_back(1.0);
    matrix.starts.push_back(static_cast<std::int64_t>(matrix.values.size()));
  }
  return matrix;
}

data::Term last_half(Index steps) {
  return data_term("least-squares", {last_coordinates(steps, 2 * steps)}, Vector::Zero(steps), false);
}

Instance hard_smooth(const Parameters& options) {
  const Index n = 2 * options.steps;
  const double r = 1.0 / std::sqrt(static_cast<double>(n));
  CsrMatrix hessian;
  hessian.rows = hessian.cols = n;
  hessian.starts.push_back(0);
  for (Index i = 0; i < n; ++i) {
    for (Index j = std::max<Index>(0, i - 1); j <= std::min(n - 1, i + 1); ++j) {
      hessian.columns.push_back(static_cast<std::int32_t>(j));
      hessian.values.push_back(i == j ? 0.5 : -0.25);
    }
    hessian.starts.push_back(static_cast<std::int64_t>(hessian.values.size()));
  }
  data::Quadratic quadratic{{std::move(hessian)}, Vector::Zero(n)};
  quadratic.coefficients[0] = -0.25 * r;

  Instance instance;
  instance.data = assemble(ball_set(n, options.radius), last_half(options.steps), {std::move(quadratic)},
                           Accuracy{1e-6, 1e-6});
  const auto t = static_cast<double>(options.steps);
  instance.upper_optimum = (t + 1.0) / (24.0 * (2.0 * t + 1.0));
  instance.lower_optimum = -1.0 / (8.0 * (2.0 * t + 1.0));
  Vector x(n);
  for (Index j = 0; j < n; ++j) x[j] = r * (1.0 - static_cast<double>(j + 1) / static_cast<double>(n + 1));
  instance.solution = std::move(x);
  return instance;
}

Instance hard_lipschitz(const Parameters& options) {
  const Index n = 2 * options.steps;
  const double root = std::sqrt(static_cast<double>(n));
  data::Term largest = data_term("max-affine", {last_coordinates(0, n)}, Vector::Zero(n), false);
  largest.weight = root / (1.0 + root);
  Instance instance;
  instance.data =
      assemble(ball_set(n, options.radius), last_half(options.steps), std::move(largest), Accuracy{1e-2, 1e-2});
  instance.data.lower.push_back(squared_norm_term_data(Vector::Zero(n), 1.0 / (1.0 + root)));
  instance.upper_optimum = 0.25;
  instance.lower_optimum = -0.5 / (1.0 + root);
  instance.solution = Vector::Constant(n, -1.0 / root);
  return instance;
}

Entry hard_entry(EntryText text, Instance (*make)(const Parameters&)) {
  return fixed_entry(std::move(text), Parameters{.steps = 10, .radius = 1.0},
                     ParameterTable({
                         {"steps", &Parameters::steps, {1, 1e6}, {}, "queries T for which f cannot move; n = 2T"},
                         {"radius", &Parameters::radius, {1, kInfinity}, {}, "radius of the ball Z"},
                     }),
                     make);
}

}  // namespace

std::vector<Entry> hard_entries() {
  return {
      hard_entry({"hard-smooth",
                  "sum of x_j^2/2 over j > T, over the minimiser of the smooth chain: first-order methods cannot "
                  "move f in T queries",
                  "x*_j = (1 - j/(2T+1))/sqrt(2T), f* = (T+1)/(24(2T+1)) >= 1/48, g* = -1/(8(2T+1))", "P15", "20"},
                 hard_smooth),
      hard_entry({"hard-lipschitz",
                  "sum of x_j^2/2 over j > T, over the minimiser of the Lipschitz chain: first-order methods "
                  "cannot move f in T queries",
                  "x*_j = -1/sqrt(2T), f* = 1/4, g* = -1/(2(1 + sqrt(2T)))", "P15", "20 x 20"},
                 hard_lipschitz),
  };
}

}  // namespace fcbio::catalogue
