// Nonsmooth problems with known answers.
//
// nemirovski:  f = |x - 50|_1 over the minimisers of 1/2 |Mx - e1|^2, M bidiagonal on the first coordinates (1 on
//   the diagonal, -1 below), so Mx = e1 forces x_j = 1 there and leaves the others free: they go to 50.
//
// hinge-l1:  f = |x|_1 over the minimisers of the mean hinge loss, planted so that every margin is exactly 1 at
// x*.
//   With K the rows times their labels, g* = 0 means K x >= 1, and x* solves  min |x|_1 s.t. K x >= 1  if some y
//   >= 0 has  (K'y)_j = sign(x*_j) where x*_j != 0,  |(K'y)_j| <= 1 elsewhere  (linear programming duality; f* =
//   sum y). Rescaling columns by d_j and x*_j by 1/d_j keeps K x*, so any K0 with K0 x0 = 1 and the right signs of
//   K0'y on the support can be made to satisfy this.
#include <fmt/format.h>

#include <cmath>

#include "catalogue/builders.hpp"
#include "catalogue/portable.hpp"
#include "fcbio/error.hpp"

namespace fcbio::catalogue {
namespace {

Instance nemirovski(const Parameters& options) {
  const Index n = options.dimension;
  const Index chain = options.chain;
  if (chain > n)
    throw InvalidArgument(fmt::format("option 'chain': expected at most dimension = {}, found {}", n, chain));
  RowMajorMatrix matrix = RowMajorMatrix::Zero(chain, n);
  for (Index j = 0; j < chain; ++j) matrix(j, j) = 1.0;
  for (Index j = 0; j + 1 < chain; ++j) matrix(j + 1, j) = -1.0;
  Vector target = Vector::Zero(chain);
  target[0] = 1.0;

  data::Set domain = whole_space_set(n, options.radius);
  Vector x = Vector::Constant(n, options.center);
  x.head(chain).setOnes();
  const double distance = std::sqrt(dot(x, x));  // from the start, 0
  if (distance > options.radius)
    throw InvalidArgument(
        fmt::format("option 'radius': the solution is {:.6g} away from the start, found radius {}; "
                    "raise radius",
                    distance, options.radius));
  Instance instance;
  instance.data =
      assemble(std::move(domain), l1_norm_term_data(Vector::Constant(n, options.center)),
               data_term("least-squares", {std::move(matrix)}, std::move(target), false), Accuracy{1e-2, 1e-2});
  instance.upper_optimum = static_cast<double>(chain) * std::abs(options.center - 1.0);
  instance.lower_optimum = 0.0;
  instance.solution = std::move(x);
  return instance;
}

Instance hinge_l1(const Parameters& options, Random& random) {
  const Index m = options.rows;
  const Index n = options.columns;
  if (options.support > n)
    throw InvalidArgument(
        fmt::format("option 'support': expected at most columns = {}, found {}", n, options.support));
  const std::vector<Index> order = random.permutation(n);
  Vector x = Vector::Zero(n);
  for (std::size_t k = 0; k < static_cast<std::size_t>(options.support); ++k) {
    const double size = random.uniform(0.5, 1.5);
    x[order[k]] = random.uniform() < 0.5 ? -size : size;
  }
  RowMajorMatrix noise(m, n);
  for (Index i = 0; i < m; ++i)
    for (Index j = 0; j < n; ++j) noise(i, j) = random.normal();
  Vector y(m), shrink(n), labels(m);
  for (Index i = 0; i < m; ++i) y[i] = random.uniform(0.5, 1.5);
  for (Index j = 0; j < n; ++j) shrink[j] = random.uniform(0.1, 0.9);
  for (Index i = 0; i < m; ++i) labels[i] = random.uniform() < 0.5 ? -1.0 : 1.0;

  // K0 = (strength x' + noise), each row divided by its margin; the strength grows until margins are positive and
  // K0'y has the signs of x on the support.  Both hold for a strength large enough.
  RowMajorMatrix k(m, n);
  Vector image(n);
  for (double strength = 1.0;; strength *= 1.5) {
    bool fits = true;
    for (Index i = 0; i < m && fits; ++i) {
      for (Index j = 0; j < n; ++j) k(i, j) = strength * x[j] + noise(i, j);
      const double margin = dot(k.row(i).transpose(), x);
      fits = margin > 0.1 * strength * dot(x, x);
      for (Index j = 0; j < n; ++j) k(i, j) /= margin;
    }
    if (!fits) continue;
    image = times_transpose(k, y);
    for (Index j = 0; j < n; ++j) fits = fits && (x[j] == 0.0 || image[j] * x[j] > 0.0);
    if (fits) break;
  }
  for (Index j = 0; j < n; ++j) {
    const double scale = (x[j] != 0.0 ? 1.0 : shrink[j]) / std::abs(image[j]);
    for (Index i = 0; i < m; ++i) k(i, j) *= scale;
    x[j] /= scale;
  }
  // x* of norm 1 in a ball of radius 2.
  const double norm = std::sqrt(dot(x, x));
  double upper_optimum = 0.0;
  for (Index j = 0; j < n; ++j) upper_optimum += std::abs(x[j] /= norm);
  for (Index i = 0; i < m; ++i)
    for (Index j = 0; j < n; ++j) k(i, j) *= norm * labels[i];

  Instance instance;
  instance.data = assemble(ball_set(n, 2.0), l1_norm_term_data(Vector::Zero(n)),
                           data_term("hinge", {std::move(k)}, std::move(labels), true), Accuracy{1e-2, 1e-2});
  instance.upper_optimum = upper_optimum;
  instance.lower_optimum = 0.0;
  instance.solution = std::move(x);
  return instance;
}

}  // namespace

std::vector<Entry> nonsmooth_entries() {
  return {
      seeded_entry({"hinge-l1", "l1 norm over the minimisers of the mean hinge loss in a ball (both nonsmooth)",
                    "planted by linear programming duality: |x*| = 1, f* = |x*|_1, g* = 0", "", "20 x 40"},
                   Parameters{.rows = 20, .columns = 40, .support = 5},
                   ParameterTable({
                       {"rows", &Parameters::rows, {1, 1e5}, {}, "examples"},
                       {"columns", &Parameters::columns, {1, 1e5}, {}, "features: the dimension n"},
                       {"support", &Parameters::support, {1, 1e5}, {}, "non-zero coordinates of the solution"},
                   }),
                   hinge_l1),
      fixed_entry(
          {"nemirovski", "l1 distance to a centre over the minimisers of a bidiagonal least squares; whole space",
           "x* = 1 on the chain, the centre elsewhere; f* = chain * |centre - 1|, g* = 0", "P12", "4 x 7"},
          Parameters{.dimension = 7, .chain = 4, .radius = 150.0, .center = 50.0},
          ParameterTable({
              {"dimension", &Parameters::dimension, {1, 1e5}, {}, "number of variables"},
              {"chain",
               &Parameters::chain,
               {1, 1e5},
               {},
               "variables tied by the least squares; at most dimension"},
              {"center", &Parameters::center, {}, {}, "every coordinate of the centre of f"},
              {"radius",
               &Parameters::radius,
               {0, kInfinity, true},
               {},
               "known bound of the distance from the start"},
          }),
          nemirovski),
  };
}

}  // namespace fcbio::catalogue
