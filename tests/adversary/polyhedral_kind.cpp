// f and g piecewise linear, Z a polyhedron: both levels are linear programs, solved exactly one after the other.
#include <algorithm>
#include <stdexcept>

#include "core/overloaded.hpp"
#include "kinds.hpp"
#include "maximizer.hpp"
#include "shapes.hpp"
#include "support/kinds.hpp"
#include "terms.hpp"
#include "values.hpp"

namespace fcbio::adversary {
namespace {

/// Adds epigraphs of terms to the program and their costs to the row.
class Epigraphs {
 public:
  Epigraphs(LinearProgram& program, LinearProgram::Row& cost) : program_(program), cost_(cost) {}

  void add(const data::Term& term) {
    weight_ = term.weight;
    if (data::is_average(term)) weight_ /= Exact(data::rows_of(term)->rows());
    std::visit(Overloaded{
                   [&](const data::Linear& linear) {
                     const ExactVector c = exact(linear.coefficients);
                     for (std::size_t j = 0; j < c.size(); ++j) cost_.emplace_back(j, weight_ * c[j]);
                   },
                   [&](const data::L1Norm& norm) {
                     const ExactVector c = exact(norm.center);
                     for (std::size_t j = 0; j < c.size(); ++j) {
                       const std::size_t height = program_.add_variable(true);
                       ExactVector unit(c.size(), Exact(0));
                       unit[j] = 1;
                       at_least(height, unit, 1, -c[j]);
                       at_least(height, unit, -1, c[j]);
                       cost_.emplace_back(height, weight_ * weight_at(norm.weights, j));
                     }
                   },
                   [&](const data::MaxAffine& pieces) {
                     const std::vector<ExactVector> rows = exact_rows(pieces.data);
                     const ExactVector targets = exact(pieces.target);
                     const std::size_t height = program_.add_variable(false);
                     for (std::size_t i = 0; i < rows.size(); ++i) at_least(height, rows[i], 1, targets[i]);
                     cost_.emplace_back(height, weight_);
                   },
                   [&](const data::Absolute& absolute) {
                     each_row(absolute, [&](std::size_t height, const ExactVector& row, const Exact& b) {
                       at_least(height, row, 1, -b);
                       at_least(height, row, -1, b);
                     });
                   },
                   [&](const data::Quantile& quantile) {
                     const Exact tau = quantile.tau;
                     each_row(quantile, [&](std::size_t height, const ExactVector& row, const Exact& b) {
                       at_least(height, row, -tau, tau * b);
                       at_least(height, row, 1 - tau, (tau - 1) * b);
                     });
                   },
                   [&](const data::Hinge& hinge) {
                     each_row(hinge, [&](std::size_t height, const ExactVector& row, const Exact& b) {
                       at_least(height, row, -b, 1);
                     });
                   },
                   [](const auto&) { throw std::logic_error("not piecewise linear"); },
               },
               term.kind);
  }

 private:
  /// height >= slope * <row, x> + constant
  void at_least(std::size_t height, const ExactVector& row, const Exact& slope, const Exact& constant) {
    LinearProgram::Row inequality = {{height, Exact(-1)}};
    for (std::size_t j = 0; j < row.size(); ++j)
      if (!row[j].is_zero()) inequality.emplace_back(j, slope * row[j]);
    program_.add_row(std::move(inequality), -constant, false);
  }

  template <test::RowSum Kind, class Bound>
  void each_row(const Kind& kind, const Bound& bound) {
    const std::vector<ExactVector> rows = exact_rows(kind.data);
    const ExactVector targets = exact(kind.target);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::size_t height = program_.add_variable(true);
      bound(height, rows[i], targets[i]);
      cost_.emplace_back(height, weight_ * weight_at(kind.sample_weights, i));
    }
  }

  LinearProgram& program_;
  LinearProgram::Row& cost_;
  Exact weight_;
};

std::vector<data::Term> piecewise_linear(Dice& dice, Index n, double data_scale, double point_scale) {
  std::vector<data::Term> terms;
  const int count = dice.chance(0.3) ? 2 : 1;
  for (int i = 0; i < count; ++i) {
    data::Term term =
        random_term(dice,
                    dice.pick<data::FunctionKind>({data::Linear{}, data::Absolute{}, data::Quantile{},
                                                   data::Hinge{}, data::L1Norm{}, data::MaxAffine{}}),
                    n, data_scale, point_scale);
    std::visit(
        []<class Kind>(Kind& kind) {
          if constexpr (test::OfRows<Kind>) {
            const Index kept = std::min<Index>(kind.data.rows(), 3);
            kind.data = data::Matrix{RowMajorMatrix(std::get<RowMajorMatrix>(kind.data.matrix).topRows(kept))};
            kind.target = kind.target.head(kept).eval();
            if constexpr (test::RowSum<Kind>)
              if (kind.sample_weights.size() > 0) kind.sample_weights = kind.sample_weights.head(kept).eval();
          }
        },
        term.kind);
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
      const auto smooth = [](const data::Term& term) {
        return std::visit(Overloaded{
                              [](const data::Linear&) { return false; },
                              [](const data::Absolute&) { return false; },
                              [](const data::Quantile&) { return false; },
                              [](const data::Hinge&) { return false; },
                              [](const data::MaxAffine&) { return false; },
                              [](const auto&) { return true; },
                          },
                          term.kind);
      };
      if (std::any_of(problem.data.lower.begin(), problem.data.lower.end(), smooth)) continue;
    }
    LinearProgram program;
    for (Index j = 0; j < n; ++j) program.add_variable(false);
    if (!add_polyhedron(shape.set, program)) continue;
    LinearProgram::Row lower, upper;
    for (const data::Term& term : problem.data.lower) Epigraphs(program, lower).add(term);
    for (const data::Term& term : problem.data.upper) Epigraphs(program, upper).add(term);
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
