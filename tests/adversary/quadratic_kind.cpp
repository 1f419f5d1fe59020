// g = 1/2 x'Qx + c'x with a curvature of -1e-3 .. -1e-18 of the largest one, or a Gram matrix as rounding leaves
// it, on a box: the true minimum is found by looking at the stationary point of every face.
#include <fmt/format.h>

#include "kinds.hpp"
#include "shapes.hpp"
#include "terms.hpp"
#include "values.hpp"

namespace fcbio::adversary {
namespace {

/// The solution of a small system; empty where it is singular.
std::optional<ExactVector> solve_system(std::vector<ExactVector> rows, ExactVector right) {
  const std::size_t n = right.size();
  Exact size = 0;
  for (const ExactVector& row : rows)
    for (const Exact& entry : row) size = std::max(size, Exact(abs(entry)));
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (abs(rows[i][k]) > abs(rows[pivot][k])) pivot = i;
    if (negligible(rows[pivot][k], size)) return std::nullopt;
    std::swap(rows[k], rows[pivot]);
    std::swap(right[k], right[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const Exact factor = rows[i][k] / rows[k][k];
      add(rows[i], -factor, rows[k]);
      right[i] -= factor * right[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) right[k] -= rows[k][j] * right[j];
    right[k] /= rows[k][k];
  }
  return right;
}

/// Every point at which the minimum over the box may be: corners, and stationary points of faces.
template <class Visit>
void each_candidate(const data::Quadratic& quadratic, const data::Box& box, Visit visit) {
  const std::vector<ExactVector> q = exact_rows(quadratic.matrix);
  const ExactVector c = exact(quadratic.coefficients), low = exact(box.lower), high = exact(box.upper);
  const std::size_t n = c.size();
  std::vector<int> state(n, 0);  // 0: low, 1: high, 2: free
  for (;;) {
    std::vector<std::size_t> free;
    ExactVector x(n, Exact(0));
    for (std::size_t j = 0; j < n; ++j) {
      if (state[j] == 2) free.push_back(j);
      if (state[j] != 2) x[j] = state[j] == 0 ? low[j] : high[j];
    }
    std::vector<ExactVector> rows;
    ExactVector right;
    for (const std::size_t i : free) {
      right.push_back(-c[i] - dot(q[i], x));
      rows.emplace_back();
      for (const std::size_t j : free) rows.back().push_back(q[i][j]);
    }
    const auto inner = solve_system(std::move(rows), std::move(right));
    if (inner) {
      bool inside = true;
      for (std::size_t k = 0; k < free.size(); ++k) {
        x[free[k]] = (*inner)[k];
        inside = inside && x[free[k]] >= low[free[k]] && x[free[k]] <= high[free[k]];
      }
      if (inside) visit(x);
    }
    std::size_t j = 0;
    while (j < n && state[j] == 2) state[j++] = 0;
    if (j == n) return;
    ++state[j];
  }
}

RowMajorMatrix hardly_convex(Dice& dice, Index n, std::string& note) {
  const double scale = dice.power_of_ten(-4, 8);
  const double below = dice.power_of_ten(-18, -3);
  if (dice.chance(0.5)) {
    RowMajorMatrix q = RowMajorMatrix::Zero(n, n);
    for (Index j = 0; j < n; ++j) q(j, j) = scale * (j == 0 ? 1.0 : dice.power_of_ten(-6, 0));
    q(n - 1, n - 1) = dice.chance(0.2) ? 0.0 : -below * scale;
    note = fmt::format("diagonal, curvature -{:.2g}", below);
    return q;
  }
  const RowMajorMatrix factor = dice.normals(dice.integer(1, static_cast<int>(n) - 1), n, std::sqrt(scale));
  RowMajorMatrix q = factor.transpose() * factor;
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < i; ++j) q(i, j) = q(j, i);
  note = "rounded Gram matrix";
  if (dice.chance(0.5)) {
    q.diagonal().array() -= below * scale;
    note += fmt::format(", curvature -{:.2g}", below);
  }
  return q;
}

}  // namespace

HostileProblem make_quadratic(Dice& dice) {
  const Index n = dice.integer(2, 3);
  HostileProblem problem;
  const RowMajorMatrix q = hardly_convex(dice, n, problem.note);
  const double size = dice.power_of_ten(-1, 2);
  const double scale = q.cwiseAbs().maxCoeff();
  const Vector c =
      dice.chance(0.4) ? Vector::Zero(n).eval() : dice.normals(n, scale * size * dice.power_of_ten(-12, 0));
  const data::Quadratic quadratic{{q}, c};
  const data::Term term{quadratic};
  const Vector middle = dice.chance(0.5) ? Vector::Zero(n).eval() : dice.normals(n, size);
  data::Problem& data = problem.data;
  data.dimension = n;
  data.domain =
      box(middle - Vector::Constant(n, size), middle + Vector::Constant(n, size * dice.uniform(0.5, 1.0)));
  data.lower = {term};
  data.upper = {
      random_term(dice, dice.pick<data::FunctionKind>({data::Linear{}, data::SquaredNorm{}, data::LeastSquares{}}),
                  n, 1.0 / size, size)};
  const bool in_upper = dice.chance(0.15);  // the same trouble above
  if (in_upper) std::swap(data.upper, data.lower);

  std::optional<Exact> least;
  ExactVector argument;
  bool tie = false;
  each_candidate(quadratic, std::get<data::Box>(data.domain.kind), [&](const ExactVector& x) {
    const Exact at = value(term, x);
    if (!least || at < *least) {
      tie = false;
      least = at;
      argument = x;
    } else if (at == *least && x != argument) {
      tie = true;
    }
  });
  // With the nonconvex function above there is no truth but a necessary one: nothing is judged, verify must agree.
  if (!in_upper) {
    problem.truth.lower = least;
    if (!tie) problem.truth.upper = value(data.upper, argument);
  }
  const double relative = dice.pick({1e-3, 1e-6});
  if (dice.chance(0.5)) data.accuracy.lower = relative * scale * size * size;
  return problem;
}

}  // namespace fcbio::adversary
