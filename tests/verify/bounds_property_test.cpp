// Whatever the witness says, what comes out as proved is true: random problems, random (mostly bad) witnesses,
// compared with the functions at sampled points of Z.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "bounds.hpp"
#include "samples.hpp"
#include "solver_side.hpp"
#include "values.hpp"

namespace fcbio::verify {
namespace {

using samples::Generator;

struct Random {
  data::Problem data;
  Claims claims;
  Vector start;
};

std::string pick(Generator& random, const std::vector<std::string>& names) {
  return names[random() % names.size()];
}

std::vector<std::vector<double>> random_duals(Generator& random, const std::vector<data::Term>& terms, Index n) {
  std::vector<std::vector<double>> duals;
  for (const data::Term& term : terms) {
    duals.push_back(samples::doubles(samples::gaussian(random, static_cast<Index>(samples::dual_size(term, n)))));
  }
  return duals;
}

Random random_problem(Generator& random) {
  Random result;
  const Index n = 1 + static_cast<Index>(random() % 5);
  result.data.dimension = n;
  result.data.domain = samples::set(random, pick(random, samples::kSets), n);
  result.start = samples::gaussian(random, n);
  result.data.start = result.start;
  for (auto* terms : {&result.data.upper, &result.data.lower}) {
    const std::size_t count = 1 + random() % 2;
    for (std::size_t t = 0; t < count; ++t) {
      terms->push_back(samples::term(random, pick(random, samples::kFunctions), n, 4));
    }
  }
  Claims& claims = result.claims;
  claims.multiplier = std::pow(10.0, samples::uniform(random, -2, 3));
  claims.lower_bound.kind = claims.upper_bound.kind = "dual";
  claims.lower_bound.lower_duals = random_duals(random, result.data.lower, n);
  claims.upper_bound.upper_duals = random_duals(random, result.data.upper, n);
  claims.upper_bound.lower_duals = random_duals(random, result.data.lower, n);
  claims.lower_bound.point = claims.upper_bound.point = samples::doubles(samples::gaussian(random, n));
  // Random points of Z, brought to where membership can be proved; random witnesses of the sets.
  const auto solver = samples::solver_problem(result.data.domain, result.start);
  Vector reference = samples::member(random, result.data.domain, result.start);
  solver->domain().settle(reference);
  claims.reference = samples::doubles(reference);
  claims.lower_bound.domain = samples::witness_for(solver->domain(), samples::gaussian(random, n));
  claims.upper_bound.domain = samples::witness_for(solver->domain(), samples::gaussian(random, n));
  return result;
}

RC_GTEST_PROP(Bounds, AreTrueWhateverTheWitness, ()) {
  Generator random(*rc::gen::arbitrary<std::uint64_t>());
  const Random sample = random_problem(random);
  const CheckedProblem problem = make_problem(sample.data);
  const Proof lower = prove_lower_level(problem, sample.claims);
  const Proof upper = prove_upper_level(problem, sample.claims);
  // The witness of one slope may leave another with an open side of a box; otherwise there is a bound.
  RC_PRE(!std::holds_alternative<data::Intersection>(sample.data.domain.kind) ||
         (lower.proved() && upper.proved()));
  RC_ASSERT(lower.failure == "");
  RC_ASSERT(upper.failure == "");
  const RealVector reference(sample.claims.reference.begin(), sample.claims.reference.end());
  const Real at_reference = function_value(problem.lower, reference).value;
  for (int k = 0; k < 30; ++k) {
    const RealVector z = samples::reals(samples::member(random, sample.data.domain, sample.start));
    const Number f = function_value(problem.upper, z), g = function_value(problem.lower, z);
    // Samples are members to rounding of double only.
    const Real allowed =
        1e-11L * (1 + f.magnitude + sample.claims.multiplier * (g.magnitude + std::abs(at_reference)));
    RC_ASSERT(lower.bound <= g.value + allowed);
    // For every z of Z:  f(z) + mu (g(z) - g(reference)) >= bound; at x* the middle part is <= 0.
    RC_ASSERT(upper.bound <= f.value + sample.claims.multiplier * (g.value - at_reference) + allowed);
  }
}

/// With the duals of the minimiser itself the bound is not only true but tight: min over a ball of 1/2 |x - c|^2 +
/// <h, x> is attained at the projection p of c - h.
RC_GTEST_PROP(Bounds, AreTightAtTheMinimiser, ()) {
  Generator random(*rc::gen::arbitrary<std::uint64_t>());
  const Index n = 1 + static_cast<Index>(random() % 6);
  data::Problem data;
  data.dimension = n;
  data.domain =
      samples::set(random, pick(random, {"ball", "box", "simplex", "l1-ball", "halfspace", "affine"}), n);
  data::Term norm = samples::term(random, "squared-norm", n, 1);
  std::get<data::SquaredNorm>(norm.kind).weights = Vector();
  const data::Term linear = samples::term(random, "linear", n, 1);
  data.upper = {linear};
  data.lower = {norm, linear};
  for (auto* terms : {&data.upper, &data.lower})
    for (data::Term& term : *terms) term.weight = 1;
  const Vector& center = std::get<data::SquaredNorm>(norm.kind).center;
  const Vector& slope = std::get<data::Linear>(linear.kind).coefficients;
  const CheckedProblem problem = make_problem(data);
  const auto solver = samples::solver_problem(data.domain, Vector::Zero(n));
  Vector nearest = center - slope;
  Scratch scratch;
  solver->domain().project(nearest, scratch);
  const RealVector p = samples::reals(nearest);
  Claims claims;
  claims.lower_bound.kind = "dual";
  claims.lower_bound.lower_duals = {{}, {}};
  for (const Real number : p) claims.lower_bound.point.push_back(static_cast<double>(number));
  claims.lower_bound.domain =
      samples::witness_for(solver->domain(), nearest - center + slope);  // the gradient there
  const Proof proof = prove_lower_level(problem, claims);
  RC_ASSERT(proof.proved());
  const Real value = function_value(problem.lower, p).value;
  RC_ASSERT(proof.bound <= value + 1e-12L * (1 + std::abs(value)));  // p is in Z to rounding of double
  RC_ASSERT(proof.bound >= value - 1e-12L * (1 + std::abs(value)));
}

}  // namespace
}  // namespace fcbio::verify
