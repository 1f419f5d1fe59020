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
  std::vector<io::TermData> terms;
  ExactVector subgradient;
  std::vector<ExactVector> curved;
};

PlantedLevel plant_terms(Dice& dice, const std::vector<std::string>& functions, const ExactVector& z,
                         const TermStyle& style) {
  PlantedLevel level{{}, ExactVector(z.size(), Exact(0)), {}};
  for (const std::string& function : functions) {
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
    if (level.terms.back().function == "squared-norm") {
      for (std::size_t j = 0; j < z.size(); ++j) {
        level.curved.emplace_back(z.size(), Exact(0));
        level.curved.back()[j] = 1;
      }
    }
  }
}

std::vector<std::string> some_functions(Dice& dice, int most) {
  std::vector<std::string> functions;
  const int count = dice.integer(1, most);
  for (int i = 0; i < count; ++i) functions.emplace_back(kFunctions[dice.integer(0, 12)]);
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

      std::vector<std::string> functions = some_functions(dice, 2);
      if (extremes.homogeneous_lower) functions = {dice.pick({"absolute", "quantile", "linear", "max-affine"})};
      PlantedLevel lower = plant_terms(dice, functions, z, style);
      const ExactVector nu = planted.normal(dice);
      ExactVector wanted(z.size(), Exact(0));
      const Exact force = Exact(style.data_unit) * dice.power_of_two(-4, 4);
      add(wanted, -force, nu);
      if (extremes.homogeneous_lower) {
        const ExactVector missing = minus(wanted, lower.subgradient);
        io::TermData linear;
        linear.function = "linear";
        linear.vector = to_doubles(missing);
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
      if (planted.set.kind == "product" || planted.set.kind == "whole-space") problem.data.start.reset();
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

/// Data and targets times a power of two; empty where that is not exact.
std::optional<std::vector<io::TermData>> shrunk_data(std::vector<io::TermData> terms, int exponent) {
  bool fits = true;
  const auto shrink = [&](double& number) {
    const double small = std::ldexp(number, exponent);
    fits = fits && Exact(small) == ldexp(Exact(number), exponent);
    number = small;
  };
  for (io::TermData& term : terms) {
    if (term.data) {
      auto& matrix = std::get<RowMajorMatrix>(term.data->matrix);
      std::for_each(matrix.data(), matrix.data() + matrix.size(), shrink);
    }
    for (double& number : term.target) shrink(number);
    for (double& number : term.vector) shrink(number);
  }
  return fits ? std::optional(std::move(terms)) : std::nullopt;
}

}  // namespace

HostileProblem make_planted(Dice& dice) { return plant(dice, {}); }

HostileProblem make_extreme(Dice& dice) {
  const std::string what = dice.pick({"rows", "tiny weight", "huge weight", "denormal", "zero weight"});
  HostileProblem problem = plant(dice, {what == "rows", what == "denormal"});
  problem.note = what + ", " + problem.note;
  Accuracy& accuracy = problem.data.accuracy;
  const auto scale_lower = [&](double factor) {
    for (io::TermData& term : problem.data.lower) term.weight *= factor;
    *problem.truth.lower *= factor;
    if (dice.chance(0.5)) accuracy.lower = std::max(accuracy.lower * factor, 1e-307);
  };
  if (what == "tiny weight") scale_lower(std::ldexp(1.0, dice.integer(-990, -30)));
  if (what == "huge weight") scale_lower(std::ldexp(1.0, dice.integer(20, 40)));
  if (what == "zero weight") {
    io::TermData nothing = random_term(dice, "absolute", problem.data.dimension, 1.0, 1.0);
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
