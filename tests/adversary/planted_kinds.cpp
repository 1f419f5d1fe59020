// Optimality conditions planted exactly.  At a point z of Z, with N the normal cone of Z:
//   -nu is a subgradient of g for some nu in N, so z minimises g over Z, and every minimiser x has <nu, x - z> = 0
//   and <a, x - z> = 0 for the rows a along which g is strictly convex at z; f has a subgradient  kappa nu + sum
//   lambda_a a - nu_f,  nu_f in N, so f(x) >= f(z) for all of them.
// All of it is made of small integers times powers of two, so that the last term, which corrects the sum of the
// subgradients, has doubles as coefficients without rounding.
#include <algorithm>

#include "kinds.hpp"
#include "planted_set.hpp"
#include "planted_term.hpp"
#include "terms.hpp"
#include "values.hpp"

namespace fcbio::adversary {
namespace {

struct PlantedLevel {
  std::vector<data::Term> terms;
  ExactVector subgradient;
  std::vector<ExactVector> curved;
};

PlantedLevel plant_terms(Dice& dice, const std::vector<data::FunctionKind>& functions, const ExactVector& z,
                         const TermStyle& style) {
  PlantedLevel level{{}, ExactVector(z.size(), Exact(0)), {}};
  for (const data::FunctionKind& function : functions) {
    PlantedTerm planted = plant_term(dice, function, z, style);
    add(level.subgradient, 1, planted.subgradient);
    level.curved.insert(level.curved.end(), planted.curved.begin(), planted.curved.end());
    level.terms.push_back(std::move(planted.term));
  }
  return level;
}

/// Makes the subgradient what it has to be.
void correct(Dice& dice, PlantedLevel& level, const ExactVector& wanted, const ExactVector& z) {
  const ExactVector missing = minus(wanted, level.subgradient);
  if (squared_norm(missing) != 0) {
    level.terms.push_back(term_with_gradient(dice, missing, z));
    if (std::holds_alternative<data::SquaredNorm>(level.terms.back().kind)) {
      for (std::size_t j = 0; j < z.size(); ++j) {
        level.curved.emplace_back(z.size(), Exact(0));
        level.curved.back()[j] = 1;
      }
    }
  }
}

std::vector<data::FunctionKind> some_functions(Dice& dice, int most) {
  std::vector<data::FunctionKind> functions;
  const int count = dice.integer(1, most);
  for (int i = 0; i < count; ++i) functions.push_back(any_function(dice));
  return functions;
}

struct Extremes {
  bool odd_rows = false;
  bool homogeneous_lower = false;  ///< g positively homogeneous in its data
};

HostileProblem plant(Dice& dice, const Extremes& extremes) {
  for (;;) {
    try {
      const Index n = dice.dimension(1);
      const double unit = dice.power_of_two(-14, 14);
      const PlantedSet planted = plant_set(dice, n, unit);
      const ExactVector& z = planted.point;
      const TermStyle style{dice.power_of_two(-20, 20), unit, extremes.odd_rows};
      const TermStyle upper_style{dice.chance(0.5) ? 1.0 / unit : dice.power_of_two(-20, 20), unit,
                                  extremes.odd_rows};

      std::vector<data::FunctionKind> functions = some_functions(dice, 2);
      if (extremes.homogeneous_lower)
        functions = {dice.pick<data::FunctionKind>(
            {data::Absolute{}, data::Quantile{}, data::Linear{}, data::MaxAffine{}})};
      PlantedLevel lower = plant_terms(dice, functions, z, style);
      const ExactVector nu = planted.normal(dice);
      ExactVector wanted(z.size(), Exact(0));
      const Exact force = Exact(style.data_unit) * dice.power_of_two(-4, 4);
      add(wanted, -force, nu);
      if (extremes.homogeneous_lower) {
        const ExactVector missing = minus(wanted, lower.subgradient);
        const data::Term linear{data::Linear{to_doubles(missing)}};
        if (squared_norm(missing) != 0) lower.terms.push_back(linear);
      } else {
        correct(dice, lower, wanted, z);
      }

      PlantedLevel upper = plant_terms(dice, some_functions(dice, 2), z, upper_style);
      wanted.assign(z.size(), Exact(0));
      const Exact upper_force = Exact(upper_style.data_unit) * dice.power_of_two(-4, 4);
      add(wanted, upper_force * dice.integer(-4, 4), nu);
      add(wanted, -upper_force, planted.normal(dice));
      for (const ExactVector& row : lower.curved) add(wanted, upper_force * dice.integer(-2, 2), row);
      correct(dice, upper, wanted, z);

      HostileProblem problem;
      problem.note = planted.note;
      problem.data.dimension = n;
      problem.data.domain = planted.set;
      problem.data.lower = std::move(lower.terms);
      problem.data.upper = std::move(upper.terms);
      if (dice.chance(0.2)) problem.data.start = Vector(to_doubles(z));
      if (std::holds_alternative<data::Product>(planted.set.kind) ||
          std::holds_alternative<data::WholeSpace>(planted.set.kind))
        problem.data.start.reset();
      problem.truth.lower = value(problem.data.lower, z);
      problem.truth.upper = value(problem.data.upper, z);
      if (dice.chance(0.7)) {
        const double relative = dice.pick({1e-3, 1e-6, 1e-6, 1e-8});
        const auto scale = [&](const ExactVector& slope, const Exact& at) {
          return std::max(nearest_double(abs(at) + norm(slope) * unit), 1e-300);
        };
        problem.data.accuracy.lower = relative * scale(lower.subgradient, *problem.truth.lower);
        problem.data.accuracy.upper = relative * scale(upper.subgradient, *problem.truth.upper);
      }
      problem.data.accuracy.tight = dice.chance(0.08);
      return problem;
    } catch (const NotADouble&) {
    }
  }
}

/// Makes numbers smaller by a power of two, and sees whether that is exact.
struct Shrinker {
  int exponent;
  bool fits = true;

  void operator()(double& number) {
    const double small = std::ldexp(number, exponent);
    fits = fits && Exact(small) == ldexp(Exact(number), exponent);
    number = small;
  }
  void operator()(data::Matrix& data) {
    auto& dense = std::get<RowMajorMatrix>(data.matrix);
    for (Index i = 0; i < dense.size(); ++i) (*this)(dense.data()[i]);
  }
  void operator()(Vector& vector) {
    for (double& number : vector) (*this)(number);
  }

  void operator()(const data::DataField&, data::Matrix& data) { (*this)(data); }
  void operator()(const data::SquareMatrixField&, data::Matrix& matrix) { (*this)(matrix); }
  void operator()(const data::TargetField&, Vector& target) { (*this)(target); }
  void operator()(const data::VectorField&, Vector& vector) { (*this)(vector); }
  // No function that this is for has a parameter with a scale.
  void operator()(const data::AverageField&, bool&) {}
  void operator()(const data::NumberField&, double&) {}
  void operator()(const data::SampleWeightsField&, Vector&) {}
};

/// Data and targets times a power of two; empty where that is not exact.
std::optional<std::vector<data::Term>> shrunk_data(std::vector<data::Term> terms, int exponent) {
  Shrinker shrink{exponent};
  for (data::Term& term : terms) std::visit([&](auto& kind) { data::for_each_field(kind, shrink); }, term.kind);
  return shrink.fits ? std::optional(std::move(terms)) : std::nullopt;
}

}  // namespace

HostileProblem make_planted(Dice& dice) { return plant(dice, {}); }

HostileProblem make_extreme(Dice& dice) {
  const std::string what = dice.pick({"rows", "tiny weight", "huge weight", "denormal", "zero weight"});
  HostileProblem problem = plant(dice, {what == "rows", what == "denormal"});
  problem.note = what + ", " + problem.note;
  Accuracy& accuracy = problem.data.accuracy;
  const auto scale_lower = [&](double factor) {
    for (data::Term& term : problem.data.lower) term.weight *= factor;
    *problem.truth.lower *= factor;
    if (dice.chance(0.5)) accuracy.lower = std::max(accuracy.lower * factor, 1e-307);
  };
  if (what == "tiny weight") scale_lower(std::ldexp(1.0, dice.integer(-990, -30)));
  if (what == "huge weight") scale_lower(std::ldexp(1.0, dice.integer(20, 40)));
  if (what == "zero weight") {
    data::Term nothing = random_term(dice, data::Absolute{}, problem.data.dimension, 1.0, 1.0);
    nothing.weight = 0.0;
    problem.data.lower.push_back(nothing);
    problem.data.upper.push_back(nothing);
  }
  if (what == "denormal") {
    for (int exponent = dice.integer(-1060, -980);; exponent += 10) {
      const auto shrunk = shrunk_data(problem.data.lower, exponent);
      if (!shrunk) continue;
      problem.data.lower = *shrunk;
      *problem.truth.lower = ldexp(*problem.truth.lower, exponent);
      break;
    }
    accuracy.lower = dice.pick({1e-6, 1e-300, 1e-320});
  }
  return problem;
}

}  // namespace fcbio::adversary
