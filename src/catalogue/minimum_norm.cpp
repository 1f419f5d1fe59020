// Minimum-norm least squares: f = 1/2 |x|^2 over the minimisers of g = 1/2 |Ax - b|^2 in a ball about 0.
//
// With A = U diag(s) V' and b = A V z + (a part orthogonal to the range, of norm `noise`):
//   |z| <= radius:  x* = A+ b = V z,  f* = |z|^2/2,  g* = noise^2/2.
//   |z| >  radius:  the ball cuts A+ b off.  Then g has one minimiser in the ball, the trust-region point
//                   x = V w,  w_i = s_i^2 z_i / (s_i^2 + mu),  with mu > 0 such that |w| = radius,
//                   so f* = radius^2/2 and g* = 1/2 sum (mu s_i z_i / (s_i^2 + mu))^2 + noise^2/2.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "catalogue/builders.hpp"
#include "catalogue/page_views.hpp"
#include "catalogue/portable.hpp"
#include "fcbio/error.hpp"

namespace fcbio::catalogue {
namespace {

constexpr double kMost = 1e6;  // rows or columns

Instance minimum_norm_instance(RowMajorMatrix a, Vector b, double radius, Random& random) {
  const Index n = a.cols();
  Instance instance;
  instance.data = assemble(ball_set(n, radius), squared_norm_term_data(Vector::Zero(n)),
                           data_term("least-squares", {std::move(a)}, std::move(b), false), kUsualAccuracy);
  instance.data.start = random.unit_vector(n);
  return instance;
}

// |w(mu)| falls from |z| at mu = 0 to 0; the root of |w(mu)| = radius by bisection to the last bit.
double trust_region_multiplier(const Vector& s, const Vector& z, double radius) {
  const auto norm = [&](double mu) {
    double sum = 0.0;
    for (Index i = 0; i < z.size(); ++i) {
      const double w = s[i] * s[i] * z[i] / (s[i] * s[i] + mu);
      sum += w * w;
    }
    return std::sqrt(sum);
  };
  double low = 0.0;
  double high = 1.0;
  while (norm(high) > radius) high *= 2.0;
  for (;;) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) return high;
    (norm(middle) > radius ? low : high) = middle;
  }
}

Instance minimum_norm(const Parameters& options, Random& random) {
  const Index m = options.rows;
  const Index n = options.columns;
  const Index largest = std::min(m, n);
  const Index rank = options.rank == 0 ? largest : options.rank;
  if (rank > largest)
    throw InvalidArgument(
        fmt::format("option 'rank': expected at most min(rows, columns) = {}, found {}", largest, rank));
  if (options.noise > 0.0 && rank == m)
    throw InvalidArgument(
        fmt::format("option 'noise': an inconsistent part needs rank < rows, found rank = rows = {}; "
                    "give --set rank=R with R < {}",
                    m, m));

  // One more row than the rank for the left factor: its last row carries the part of b outside the range.
  const bool inconsistent = options.noise > 0.0;
  const auto gaussian = [&](Index rows, Index cols) {
    RowMajorMatrix matrix(rows, cols);
    for (Index i = 0; i < rows; ++i)
      for (Index j = 0; j < cols; ++j) matrix(i, j) = random.normal();
    return orthonormal_rows(std::move(matrix)).rows;
  };
  const RowMajorMatrix u = gaussian(rank + (inconsistent ? 1 : 0), m);  // rows are the columns of U
  const RowMajorMatrix v = gaussian(rank, n);
  const Vector z = random.unit_vector(rank);
  Vector s(rank);
  for (Index i = 0; i < rank; ++i) {
    const double position = rank == 1 ? 0.0 : static_cast<double>(i) / static_cast<double>(rank - 1);
    s[i] = 3.0 * std::pow(options.condition, -position);
  }

  RowMajorMatrix a = RowMajorMatrix::Zero(m, n);
  Vector b = Vector::Zero(m);
  for (Index k = 0; k < rank; ++k)
    for (Index i = 0; i < m; ++i) {
      const double left = u(k, i) * s[k];
      for (Index j = 0; j < n; ++j) a(i, j) += left * v(k, j);
      b[i] += left * z[k];
    }
  if (inconsistent)
    for (Index i = 0; i < m; ++i) b[i] += options.noise * u(rank, i);

  double lower_optimum = 0.5 * options.noise * options.noise;
  Vector w = z;
  if (options.radius < 1.0) {
    const double mu = trust_region_multiplier(s, z, options.radius);
    for (Index i = 0; i < rank; ++i) {
      const double residual = mu * s[i] * z[i] / (s[i] * s[i] + mu);
      lower_optimum += 0.5 * residual * residual;
      w[i] = s[i] * s[i] * z[i] / (s[i] * s[i] + mu);
    }
  }
  Instance instance = minimum_norm_instance(std::move(a), std::move(b), options.radius, random);
  instance.upper_optimum = 0.5 * std::min(1.0, options.radius * options.radius);
  instance.lower_optimum = lower_optimum;
  instance.solution = times_transpose(v, w);
  return instance;
}

/// g* = 0 and x* = A+ b when the rows are independent and the ball does not cut A+ b off; else nothing is told.
void tell_smallest_solution(Instance& instance, double radius) {
  const auto& lower = std::get<data::LeastSquares>(instance.data.lower.front().kind);
  Vector x = smallest_solution(std::get<RowMajorMatrix>(lower.data.matrix), lower.target);
  const double square = dot(x, x);
  if (!std::isfinite(square) || square > radius * radius) return;
  instance.upper_optimum = 0.5 * square;
  instance.lower_optimum = 0.0;
  instance.solution = std::move(x);
}

void check_wide(const Parameters& shape) {
  if (shape.rows > shape.columns)
    throw InvalidArgument(
        fmt::format("option 'rows': expected at most columns = {}, found {}; with more rows than "
                    "columns there is nothing left for the upper level to choose",
                    shape.columns, shape.rows));
}

Instance gaussian(const Parameters& shape, Random& random) {
  check_wide(shape);
  RowMajorMatrix a(shape.rows, shape.columns);
  const double deviation = 1.0 / std::sqrt(static_cast<double>(shape.columns));
  for (Index i = 0; i < a.rows(); ++i)
    for (Index j = 0; j < a.cols(); ++j) a(i, j) = deviation * random.normal();
  Vector b = times(a, random.unit_vector(a.cols()));
  Instance instance = minimum_norm_instance(std::move(a), std::move(b), shape.radius, random);
  tell_smallest_solution(instance, shape.radius);
  return instance;
}

Instance wikipedia(const Parameters& shape, Random& random) {
  check_wide(shape);
  PageViewRegression views = page_view_regression(shape.rows, shape.columns, random);
  Instance instance = minimum_norm_instance(std::move(views.data), std::move(views.target), shape.radius, random);
  tell_smallest_solution(instance, shape.radius);
  return instance;
}

const Parameters kShape{.rows = 400, .columns = 729, .radius = 2.0};

ParameterTable shape_table() {
  return ParameterTable({
      {"rows", &Parameters::rows, {1, kMost}, {}, "rows of A; at most columns"},
      {"columns", &Parameters::columns, {1, kMost}, {}, "columns of A: the dimension n"},
      {"radius", &Parameters::radius, {0, kInfinity, true}, {}, "radius of the ball Z"},
  });
}

}  // namespace

std::vector<Entry> minimum_norm_entries() {
  return {
      seeded_entry(
          {"min-norm", "minimum-norm least squares with chosen singular values in a ball",
           "x* = A+ b with |A+ b| = 1, f* = 1/2, g* = noise^2/2 (closed form); with radius < 1 the ball cuts A+ b "
           "off and x* is the one minimiser of g on the sphere",
           "P1", "40 x 100"},
          Parameters{.rows = 40, .columns = 100, .condition = 100.0, .radius = 2.0},
          ParameterTable({
              {"rows", &Parameters::rows, {1, kMost}, {}, "rows of A"},
              {"columns", &Parameters::columns, {1, kMost}, {}, "columns of A: the dimension n"},
              {"rank", &Parameters::rank, {0, kMost}, {}, "rank of A; 0: min(rows, columns)"},
              {"condition",
               &Parameters::condition,
               {1, 1e12},
               {},
               "largest over smallest non-zero singular value; the largest is 3"},
              {"radius",
               &Parameters::radius,
               {0, kInfinity, true},
               {},
               "radius of the ball Z; below 1 it cuts A+ b off"},
              {"noise",
               &Parameters::noise,
               {0, kInfinity},
               {},
               "norm of the part of b outside the range of A; needs rank < rows"},
          }),
          minimum_norm),
      seeded_entry(
          {"min-norm-gaussian", "minimum-norm least squares with independent Gaussian entries in a ball",
           "x* = A+ b, f* = |A+ b|^2/2, g* = 0 (computed by an orthogonal factorisation)", "P1", "400 x 729"},
          kShape, shape_table(), gaussian),
      seeded_entry(
          {"min-norm-wikipedia",
           "minimum-norm least squares on synthetic daily page views (ill-conditioned) in a ball",
           "x* = A+ b, f* = |A+ b|^2/2, g* = 0 when |A+ b| <= radius; otherwise not known", "P1", "400 x 729"},
          kShape, shape_table(), wikipedia),
  };
}

}  // namespace fcbio::catalogue
