#include "terms.hpp"

#include <algorithm>
#include <concepts>
#include <stdexcept>

#include "core/overloaded.hpp"
#include "support/kinds.hpp"

namespace fcbio::adversary {
namespace {

using test::Centred;
using test::Classifier;
using test::OfRows;
using test::RowSum;

void set_parameters(Dice& dice, data::Term& term, double size) {
  if (auto* huber = std::get_if<data::Huber>(&term.kind)) huber->delta = size * dice.power_of_ten(-2, 1);
  if (auto* quantile = std::get_if<data::Quantile>(&term.kind)) quantile->tau = dice.pick({0.5, 0.1, 0.9, 0.3});
  if (dice.chance(0.4)) term.weight = dice.power_of_ten(-3, 3);
}

/// Mostly none; else of very different sizes, some 0.
Vector some_weights(Dice& dice, Index count) {
  if (dice.chance(0.7)) return {};
  Vector weights(count);
  for (double& weight : weights) weight = dice.chance(0.2) ? 0.0 : dice.power_of_ten(-3, 3);
  weights[0] = 1.0;
  return weights;
}

template <OfRows Kind>
void fill_falling(Dice& dice, Kind& kind, const Vector& c, const Exact& most, double size) {
  const Index rows = dice.chance(0.3) ? dice.integer(2, 3) : 1;
  RowMajorMatrix data(rows, c.size());
  kind.target = Vector::Zero(rows);
  for (Index row = 0; row < rows; ++row) {
    // A power of two times c: exactly a multiple of it.  The slope changes where `factor * <c, x>` is of size 1.
    double factor = dice.power_of_two(-2, 2);
    if constexpr (Classifier<Kind> || std::same_as<Kind, data::LogSumExp>)
      factor *= std::exp2(-std::ceil(std::log2(size)) + (dice.chance(0.3) ? 4 : -2));
    const Exact end = Exact(factor) * most;
    const double sign = dice.sign();
    double& target = kind.target[row];
    if constexpr (Classifier<Kind>) {
      if constexpr (!std::same_as<Kind, data::Logistic>)
        while (Exact(factor) * most >= 1) factor /= 2;
      target = sign;
      data.row(row) = (sign * factor) * c.transpose();
    } else if constexpr (!RowSum<Kind>) {
      target = factor * size * dice.normal();
      data.row(row) = -factor * c.transpose();
    } else {
      const double beyond =
          double_above(end) + (dice.chance(0.3) ? 0.0 : factor * size * dice.power_of_ten(-6, 1));
      target = sign * beyond;
      data.row(row) = (sign * factor) * c.transpose();
    }
  }
  const bool average = dice.chance(0.2);
  if constexpr (RowSum<Kind>) {
    kind.average = average;
    kind.sample_weights = some_weights(dice, rows);
  }
  kind.data = data::Matrix{std::move(data)};
}

}  // namespace

data::FunctionKind any_function(Dice& dice) {
  static const std::vector<std::string> names = data::names_of(std::type_identity<data::FunctionKind>{});
  return test::function_called(
      names[static_cast<std::size_t>(dice.integer(0, static_cast<int>(names.size()) - 1))]);
}

data::Term random_term(Dice& dice, data::FunctionKind kind, Index n, double data_scale, double point_scale) {
  data::Term term;
  term.kind = std::move(kind);
  set_parameters(dice, term, data_scale * point_scale);
  std::visit(Overloaded{
                 [&]<Centred Kind>(Kind& norm) {
                   norm.center = dice.chance(0.3) ? Vector::Zero(n).eval() : dice.normals(n, point_scale);
                   norm.weights = some_weights(dice, n);
                 },
                 [&](data::Linear& linear) { linear.coefficients = dice.normals(n, data_scale); },
                 [&](data::Quadratic& quadratic) {
                   // small integers: Q is exact, so positive semidefinite
                   RowMajorMatrix root(dice.integer(1, 4), n);
                   for (Index i = 0; i < root.size(); ++i) root.data()[i] = dice.integer(-9, 9);
                   quadratic.matrix = data::Matrix{
                       RowMajorMatrix(std::exp2(std::round(std::log2(data_scale))) * (root.transpose() * root))};
                   quadratic.coefficients = dice.normals(n, data_scale * point_scale);
                   quadratic.constant = dice.chance(0.5) ? 0.0 : dice.normal();
                 },
                 [&]<OfRows Kind>(Kind& function) {
                   const Index rows = dice.integer(1, 5);
                   function.data = data::Matrix{dice.normals(rows, n, data_scale)};
                   function.target = dice.normals(rows, data_scale * point_scale);
                   if constexpr (RowSum<Kind>) function.sample_weights = some_weights(dice, rows);
                   if constexpr (Classifier<Kind>) {
                     for (double& label : function.target) label = label < 0.0 ? -1.0 : 1.0;
                     function.average = dice.chance(0.3);
                   }
                 },
             },
             term.kind);
  return term;
}

std::vector<data::Term> random_terms(Dice& dice, Index n, double data_scale, double point_scale) {
  std::vector<data::Term> terms;
  const int count = dice.chance(0.3) ? 2 : 1;
  for (int i = 0; i < count; ++i)
    terms.push_back(random_term(dice, any_function(dice), n, data_scale, point_scale));
  return terms;
}

std::vector<data::Term> falling_terms(Dice& dice, const Vector& c, const Exact& most) {
  std::vector<data::Term> terms;
  const int count = dice.chance(0.3) ? dice.integer(2, 3) : 1;
  const double size = std::max(std::abs(nearest_double(most)), 1e-30);
  for (int i = 0; i < count; ++i) {
    data::Term term;
    term.kind = dice.pick<data::FunctionKind>({data::Linear{}, data::LeastSquares{}, data::Absolute{},
                                               data::Huber{}, data::Quantile{}, data::Logistic{}, data::Hinge{},
                                               data::SquaredHinge{}, data::MaxAffine{}, data::LogSumExp{}});
    set_parameters(dice, term, size);
    std::visit(Overloaded{
                   [&](data::Linear& linear) { linear.coefficients = -c; },
                   [&]<OfRows Kind>(Kind& kind) { fill_falling(dice, kind, c, most, size); },
                   [](const auto&) { throw std::logic_error("not a function of one direction"); },
               },
               term.kind);
    terms.push_back(std::move(term));
  }
  return terms;
}

}  // namespace fcbio::adversary
