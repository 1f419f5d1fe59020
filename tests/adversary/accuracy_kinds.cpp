// Absolute accuracy under an error bound of g that is true by construction, or one that the solver computes; tight
// accuracy where the value function is known.
#include <fmt/format.h>

#include <algorithm>

#include "kinds.hpp"
#include "maximizer.hpp"
#include "shapes.hpp"
#include "terms.hpp"
#include "values.hpp"

namespace fcbio::adversary {
namespace {

/// f is linear, with a gradient bound just above its slope.
void set_linear_upper(Dice& dice, HostileProblem& problem, double size) {
  const Vector slope = dice.normals(problem.data.dimension, 1.0 / size);
  problem.data.accuracy.holder->gradient_bound = double_above(norm(exact(slope)));
  problem.data.upper = {data::Term{data::Linear{slope}}};
}

/// Z is one point: any bound is true.
HostileProblem told_on_a_point(Dice& dice) {
  for (;;) {
    Shape shape = affine_shape(dice);
    const auto* affine = std::get_if<data::Affine>(&shape.set.kind);
    if (affine == nullptr || affine->matrix.rows() != shape.set.dimension) continue;
    HostileProblem problem;
    problem.note = "point: " + shape.note;
    problem.data.dimension = shape.set.dimension;
    problem.data.domain = shape.set;
    const Vector c = dice.normals(shape.set.dimension, 1.0 / shape.reach);
    const auto point = only_maximizer(shape.set, exact(c)), other = only_maximizer(shape.set, exact(-c));
    if (!point || !other || *point != *other) continue;
    problem.data.accuracy.absolute = true;
    problem.data.accuracy.holder = HolderBound{dice.pick({1.0, 2.0, 4.0}), dice.power_of_ten(-3, 3), 1.0};
    problem.data.lower = random_terms(dice, problem.data.dimension, 1.0 / shape.reach, shape.reach);
    set_linear_upper(dice, problem, shape.reach);
    problem.truth.lower = value(problem.data.lower, *point);
    problem.truth.upper = value(problem.data.upper, *point);
    return problem;
  }
}

/// A linear g over a ball of radius R grows by |c|/(2R) times the squared distance from its minimiser; over a
/// simplex or an l1 ball by half the gap between its two lowest vertices (per unit of total) times the distance.
HostileProblem told_linear(Dice& dice) {
  for (;;) {
    const Shape shape = plain_shape(dice);
    const auto* ball = std::get_if<data::Ball>(&shape.set.kind);
    const bool simplex = std::holds_alternative<data::Simplex>(shape.set.kind);
    const bool l1_ball = std::holds_alternative<data::L1Ball>(shape.set.kind);
    if (ball == nullptr && !simplex && !l1_ball) continue;
    const Vector c = dice.power_of_ten(-2, 4) * shape.direction;
    const ExactVector direction = exact(c);
    const auto solution = only_maximizer(shape.set, direction);
    if (!solution) continue;
    HostileProblem problem;
    problem.note = data::name_of(shape.set);
    problem.data.dimension = c.size();
    problem.data.domain = shape.set;
    problem.data.lower = {data::Term{data::Linear{-c}}};
    HolderBound holder;
    if (ball != nullptr) {
      holder.alpha = 2.0;
      holder.beta = double_below(norm(direction) / ball->radius);
    } else {
      ExactVector scores;
      for (const Exact& entry : direction) {
        scores.push_back(entry);
        if (l1_ball) scores.push_back(-entry);
      }
      if (scores.size() < 2) continue;
      std::sort(scores.begin(), scores.end());
      // Away from the best vertex v by t (in the 1-norm at most 2t) costs at least t times the gap to the next
      // score.
      holder.alpha = 1.0;
      holder.beta = double_below((scores.back() - scores[scores.size() - 2]) / 2);
      if (holder.beta <= 0.0) continue;
    }
    problem.data.accuracy.absolute = true;
    problem.data.accuracy.holder = holder;
    set_linear_upper(dice, problem, shape.size);
    problem.data.accuracy.upper = dice.pick({1e-2, 1e-4, 1e-6});
    problem.data.accuracy.lower = 1e-3 * c.norm() * shape.size;
    problem.truth.lower = value(problem.data.lower, *solution);
    problem.truth.upper = value(problem.data.upper, *solution);
    return problem;
  }
}

/// A x = b with A of small integers: the minimiser is b pulled back exactly, by Cramer's rule in exact numbers.
ExactVector least_squares_solution(const RowMajorMatrix& a, const Vector& b) {
  const Index n = a.cols();
  std::vector<ExactVector> rows;
  for (Index i = 0; i < a.rows(); ++i) rows.push_back(exact_row(a, i));
  std::vector<ExactVector> system(static_cast<std::size_t>(n),
                                  ExactVector(static_cast<std::size_t>(n) + 1, Exact(0)));
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < rows[i].size(); ++j) {
      for (std::size_t k = 0; k < rows[i].size(); ++k) system[j][k] += rows[i][j] * rows[i][k];
      system[j].back() += rows[i][j] * b[static_cast<Index>(i)];
    }
  for (std::size_t k = 0; k < system.size(); ++k) {  // positive definite: no pivoting needed
    const Exact inverse = 1 / system[k][k];
    for (std::size_t i = 0; i < system.size(); ++i)
      if (i != k) add(system[i], -system[i][k] * inverse, system[k]);
  }
  ExactVector x;
  for (std::size_t k = 0; k < system.size(); ++k) x.push_back(system[k].back() / system[k][k]);
  return x;
}

}  // namespace

HostileProblem make_told(Dice& dice) { return dice.chance(0.4) ? told_on_a_point(dice) : told_linear(dice); }

HostileProblem make_computed(Dice& dice) {
  for (;;) {
    const Index n = dice.integer(1, 6), rows = n + dice.integer(0, 3);
    const double scale = dice.power_of_ten(-4, 4);
    RowMajorMatrix a = dice.normals(rows, n, scale);
    if (n > 1) a.col(n - 1) = a.col(0) + dice.power_of_ten(-6, 0) * a.col(n - 1);  // badly conditioned
    const double size = dice.power_of_ten(-3, 3);
    const Vector middle = dice.normals(n, size * dice.pick({0.0, 1.0, 1e3}));
    const Vector near = middle + dice.normals(n, 0.1 * size);
    const Vector b =
        a * near + (dice.chance(0.5) ? dice.normals(rows, 0.01 * scale * size) : Vector(Vector::Zero(rows)));
    const ExactVector solution = least_squares_solution(a, b);
    HostileProblem problem;
    problem.data.dimension = n;
    problem.data.domain = dice.chance(0.5)
                              ? ball(middle, size * std::sqrt(static_cast<double>(n)))
                              : box(middle - Vector::Constant(n, size), middle + Vector::Constant(n, size));
    const ExactVector off = minus(solution, exact(middle));
    bool inside = true;
    for (const Exact& entry : off) inside = inside && abs(entry) < size;
    if (!inside) continue;
    data::Term term{data::LeastSquares{{a}, b}};
    if (dice.chance(0.3)) term.weight = dice.power_of_ten(-3, 3);
    problem.data.lower = {term};
    problem.data.upper = {random_term(dice,
                                      dice.pick<data::FunctionKind>({data::Linear{}, data::SquaredNorm{},
                                                                     data::Logistic{}, data::LeastSquares{}}),
                                      n, 1.0 / size, middle.norm() + size)};
    problem.data.accuracy.absolute = true;
    problem.data.accuracy.upper = dice.pick({1e-2, 1e-4, 1e-6});
    problem.truth.lower = value(problem.data.lower, solution);
    problem.truth.upper = value(problem.data.upper, solution);
    problem.note = data::name_of(problem.data.domain);
    return problem;
  }
}

/// g = w/2 |x - a|^2 with a inside Z: the points with g <= level are a ball about a.
HostileProblem make_tight(Dice& dice) {
  const Index n = dice.integer(1, 6);
  const double size = dice.power_of_ten(-3, 3);
  const Vector a = dice.normals(n, size * dice.pick({0.0, 1.0, 1e4}));
  HostileProblem problem;
  problem.data.dimension = n;
  problem.data.domain =
      dice.chance(0.5) ? ball(a, size) : box(a - Vector::Constant(n, size), a + Vector::Constant(n, size));
  data::Term lower{data::SquaredNorm{a}};
  if (dice.chance(0.5)) lower.weight = dice.power_of_ten(-3, 3);
  const bool linear = dice.pick({true, false});
  const Vector slope_or_center = linear ? dice.normals(n, 1.0 / size) : Vector(a + dice.normals(n, size));
  data::Term upper{data::SquaredNorm{slope_or_center}};
  if (linear) upper.kind = data::Linear{slope_or_center};
  problem.data.lower = {lower};
  problem.data.upper = {upper};
  problem.data.accuracy = {dice.pick({1e-3, 1e-5}), 1e-4 * lower.weight * size * size, true};
  problem.truth.lower = Exact(0);
  problem.truth.upper = value(problem.data.upper, exact(a));
  problem.truth.value_function = [a, linear, slope_or_center, weight = lower.weight, size](const Exact& level) {
    const Exact radius = std::min(root(2 * level / weight), Exact(0.9 * size));  // beyond: a bound from above only
    const ExactVector to = linear ? exact(slope_or_center) : minus(exact(slope_or_center), exact(a));
    if (linear) return Exact(dot(to, exact(a)) - radius * norm(to));
    const Exact left = std::max(Exact(norm(to) - radius), Exact(0));
    return Exact(left * left / 2);
  };
  problem.note = fmt::format("{}, {}", data::name_of(problem.data.domain), data::name_of(upper));
  return problem;
}

}  // namespace fcbio::adversary
