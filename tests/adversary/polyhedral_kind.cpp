// f and g piecewise linear, Z a polyhedron: both levels are linear programs, solved exactly one after the other.
#include <algorithm>

#include "kinds.hpp"
#include "maximizer.hpp"
#include "shapes.hpp"
#include "terms.hpp"
#include "values.hpp"

namespace fcbio::adversary {
namespace {

/// Adds the term's epigraph to the program and its cost to the row.
void add_term(const io::TermData& term, LinearProgram& program, LinearProgram::Row& cost) {
  const auto n = static_cast<std::size_t>(term.data ? term.data->cols() : term.vector.size());
  using Row = LinearProgram::Row;
  const Exact weight = term.average ? Exact(term.weight) / Exact(term.data->rows()) : Exact(term.weight);
  if (term.function == "linear") {
    for (std::size_t j = 0; j < n; ++j) cost.emplace_back(j, weight * term.vector[static_cast<Index>(j)]);
    return;
  }
  /// height >= slope * <row, x> + constant
  const auto at_least = [&](std::size_t height, const ExactVector& row, const Exact& slope,
                            const Exact& constant) {
    Row inequality = {{height, Exact(-1)}};
    for (std::size_t j = 0; j < row.size(); ++j)
      if (!row[j].is_zero()) inequality.emplace_back(j, slope * row[j]);
    program.add_row(std::move(inequality), -constant, false);
  };
  if (term.function == "l1-norm") {
    for (std::size_t j = 0; j < n; ++j) {
      const std::size_t height = program.add_variable(true);
      ExactVector unit(n, Exact(0));
      unit[j] = 1;
      const Exact c = term.vector[static_cast<Index>(j)];
      at_least(height, unit, 1, -c);
      at_least(height, unit, -1, c);
      cost.emplace_back(height, weight);
    }
    return;
  }
  const std::vector<ExactVector> rows = rows_of(*term.data);
  const auto target = [&](std::size_t i) { return Exact(term.target[static_cast<Index>(i)]); };
  if (term.function == "max-affine") {
    const std::size_t height = program.add_variable(false);
    for (std::size_t i = 0; i < rows.size(); ++i) at_least(height, rows[i], 1, target(i));
    cost.emplace_back(height, weight);
    return;
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t height = program.add_variable(true);
    const Exact b = target(i), tau = term.tau;
    if (term.function == "absolute") {
      at_least(height, rows[i], 1, -b);
      at_least(height, rows[i], -1, b);
    } else if (term.function == "quantile") {
      at_least(height, rows[i], -tau, tau * b);
      at_least(height, rows[i], 1 - tau, (tau - 1) * b);
    } else {  // hinge
      at_least(height, rows[i], -b, 1);
    }
    cost.emplace_back(height, weight);
  }
}

std::vector<io::TermData> piecewise_linear(Dice& dice, Index n, double data_scale, double point_scale) {
  std::vector<io::TermData> terms;
  const int count = dice.chance(0.3) ? 2 : 1;
  for (int i = 0; i < count; ++i) {
    const std::string function = dice.pick({"linear", "absolute", "quantile", "hinge", "l1-norm", "max-affine"});
    io::TermData term = random_term(dice, function, n, data_scale, point_scale);
    if (term.data && term.data->rows() > 3) {
      const RowMajorMatrix& all = std::get<RowMajorMatrix>(term.data->matrix);
      const Index kept = 3;
      term.data = io::DataMatrix{RowMajorMatrix(all.topRows(kept))};
      term.target = term.target.head(kept).eval();
    }
    terms.push_back(std::move(term));
  }
  return terms;
}

}  // namespace

HostileProblem make_polyhedral(Dice& dice) {
  for (;;) {
    const Shape shape = dice.chance(0.2) ? wedge_shape(dice) : polytope_shape(dice);
    const Index n = shape.set.dimension;
    HostileProblem problem;
    problem.note = shape.note;
    problem.data.dimension = n;
    problem.data.domain = shape.set;
    const double data_scale = dice.chance(0.6) ? 1.0 / shape.reach : dice.power_of_ten(-4, 4) / shape.size;
    problem.data.lower = piecewise_linear(dice, n, data_scale, shape.reach);
    problem.data.upper = piecewise_linear(dice, n, 1.0 / shape.reach, shape.reach);
    if (shape.note.starts_with("thin") || shape.note.starts_with("flat")) {  // the apex, by one row
      problem.data.lower = falling_terms(dice, shape.direction, Exact(shape.reach));
      const auto smooth = [](const io::TermData& term) {
        return term.function != "linear" && term.function != "absolute" && term.function != "quantile" &&
               term.function != "hinge" && term.function != "max-affine";
      };
      if (std::any_of(problem.data.lower.begin(), problem.data.lower.end(), smooth)) continue;
    }
    LinearProgram program;
    for (Index j = 0; j < n; ++j) program.add_variable(false);
    if (!add_polyhedron(shape.set, program)) continue;
    LinearProgram::Row lower, upper;
    for (const io::TermData& term : problem.data.lower) add_term(term, program, lower);
    for (const io::TermData& term : problem.data.upper) add_term(term, program, upper);
    const auto solution = program.minimize(lower, upper);
    if (!solution) continue;
    const ExactVector x(solution->point.begin(), solution->point.begin() + n);
    if (!inside_all_balls(shape.set, x)) continue;
    problem.truth.lower = value(problem.data.lower, x);
    problem.truth.upper = value(problem.data.upper, x);
    if (!negligible(*problem.truth.lower - solution->first, abs(solution->first) + 1) ||
        !negligible(*problem.truth.upper - solution->second, abs(solution->second) + 1))
      throw std::logic_error("the linear program and the definition of the functions disagree");
    const double relative = dice.pick({1e-3, 1e-6, 1e-6});
    if (dice.chance(0.7)) {
      problem.data.accuracy.upper = relative * std::max(std::abs(nearest_double(*problem.truth.upper)), 1e-3);
      problem.data.accuracy.lower = relative * std::max(std::abs(nearest_double(*problem.truth.lower)), 1e-3);
    }
    return problem;
  }
}

}  // namespace fcbio::adversary
