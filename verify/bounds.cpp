// The two inequalities behind every certificate (proofs in docs/certificates.md):
//
//   g* >= min over Z of a minorant of g;
//   f* >= low - mu g(r),  low <= min over Z of (minorant of f + mu minorant of g),  mu >= 0,  r in Z.
//
// A minorant with curvature q > 0 is made affine at the witness's point p, whatever p is:
//   q/2 |z|^2 >= q <p, z> - q/2 |p|^2.
#include "bounds.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "membership.hpp"
#include "reach.hpp"
#include "values.hpp"

namespace fcbio::verify {
namespace {

Proof failed(std::string why) { return {-kRealInfinity, std::move(why)}; }

Proof from_number(const Number& number) {
  const Real bound = number.value - number.error();
  if (!std::isfinite(bound)) return failed("no finite lower bound over Z follows from this witness");
  return {bound, {}};
}

/// What keeps a stored vector from being a point of R^n, in words; empty: nothing.
std::string not_a_point(const std::vector<double>& numbers, std::size_t dimension, const char* name) {
  if (numbers.size() != dimension) {
    return fmt::format("witness {}: expected {} numbers, found {}", name, dimension, numbers.size());
  }
  if (!std::all_of(numbers.begin(), numbers.end(), [](double number) { return std::isfinite(number); })) {
    return fmt::format("witness {}: expected finite numbers", name);
  }
  return {};
}

/// sum <- sum + a lower bound of the minorant over Z.  Returns the failure in words.
std::string add_minimum(const CheckedProblem& problem, const Minorant& minorant, const ClaimedBound& witness,
                        Accumulator& sum) {
  const auto& [kind, upper_duals, lower_duals, point, domain] = witness;
  sum.add(minorant.constant.number());
  std::vector<Accumulator> slope = minorant.slope;
  const Real q = minorant.curvature;
  if (q > 0) {
    if (std::string wrong = not_a_point(point, problem.dimension, "point"); !wrong.empty()) return wrong;
    for (std::size_t j = 0; j < problem.dimension; ++j) {
      const Real p = point[j];
      slope[j].add(q * p);
      sum.add(-q * p * p / 2);
    }
  }
  std::vector<Number> numbers(slope.size());
  for (std::size_t j = 0; j < slope.size(); ++j) numbers[j] = slope[j].number();
  std::string wrong;
  sum.add(linear_lower_bound(problem.domain, numbers, domain, wrong));
  return wrong;
}

Proof prove_known(const std::vector<TermView>& terms) {
  const Number bound = known_lower_bound(terms);
  if (!std::isfinite(bound.value))
    return failed("no lower bound of the function is known; tell one with lower_bound");
  return from_number(bound);
}

Proof no_witness(const std::string& kind) {
  return failed(kind == "none" ? "the result holds no witness for this bound"
                               : fmt::format("expected a witness of kind known, dual or none, found '{}'", kind));
}

/// sum <- sum - mu g(r), with what g may rise on the proved way from r to a point of Z.
std::string subtract_reference(const CheckedProblem& problem, const Claims& claims, Accumulator& sum) {
  if (std::string wrong = not_a_point(claims.reference, problem.dimension, "reference"); !wrong.empty())
    return wrong;
  const RealVector reference(claims.reference.begin(), claims.reference.end());
  const Real off = proved_distance(problem.domain, reference);
  if (!std::isfinite(off)) return "witness reference: it is not proved to be a point of Z, or near to one";
  const Real multiplier = claims.multiplier;
  sum.add(-multiplier, function_value(problem.lower, reference));
  sum.add(-multiplier * largest_change(problem.lower, reference, off));
  return {};
}

}  // namespace

CheckedProblem make_problem(const data::Problem& data) {
  CheckedProblem problem;
  problem.dimension = static_cast<std::size_t>(data.dimension);
  problem.upper = term_views(data.upper, problem.dimension);
  problem.lower = term_views(data.lower, problem.dimension);
  RealVector start(problem.dimension, 0);
  if (data.start && data.start->size() == data.dimension) start.assign(data.start->begin(), data.start->end());
  problem.domain = make_region(data.domain, start);
  return problem;
}

Proof prove_lower_level(const CheckedProblem& problem, const Claims& claims) {
  const ClaimedBound& witness = claims.lower_bound;
  if (witness.kind == "known") return prove_known(problem.lower);
  if (witness.kind != "dual") return no_witness(witness.kind);
  Minorant minorant(problem.dimension, reach(problem.domain));
  Accumulator sum;
  if (std::string wrong = add_minorant(problem.lower, witness.lower_duals, 1, minorant); !wrong.empty()) {
    return failed(wrong);
  }
  if (std::string wrong = add_minimum(problem, minorant, witness, sum); !wrong.empty()) return failed(wrong);
  return from_number(sum.number());
}

namespace {

/// f + multiplier g over Z, less multiplier times what `subtract` puts in the place of g.
template <class Subtract>
Proof prove_lagrangian(const CheckedProblem& problem, const Claims& claims, const Subtract& subtract) {
  const ClaimedBound& witness = claims.upper_bound;
  if (witness.kind == "known") return prove_known(problem.upper);
  if (witness.kind != "dual") return no_witness(witness.kind);
  const Real multiplier = claims.multiplier;
  if (!(multiplier >= 0) || !std::isfinite(multiplier)) {
    return failed(fmt::format("witness multiplier: expected a finite number >= 0, found {}", claims.multiplier));
  }
  Minorant minorant(problem.dimension, reach(problem.domain));
  Accumulator sum;
  if (std::string wrong = add_minorant(problem.upper, witness.upper_duals, 1, minorant); !wrong.empty()) {
    return failed(wrong);
  }
  if (multiplier > 0) {
    if (std::string wrong = add_minorant(problem.lower, witness.lower_duals, multiplier, minorant);
        !wrong.empty()) {
      return failed(wrong);
    }
    if (std::string wrong = subtract(sum); !wrong.empty()) return failed(wrong);
  }
  if (std::string wrong = add_minimum(problem, minorant, witness, sum); !wrong.empty()) return failed(wrong);
  return from_number(sum.number());
}

}  // namespace

Proof prove_upper_level(const CheckedProblem& problem, const Claims& claims) {
  return prove_lagrangian(problem, claims,
                          [&](Accumulator& sum) { return subtract_reference(problem, claims, sum); });
}

Proof prove_value_function(const CheckedProblem& problem, const Claims& claims) {
  if (!claims.tight_level || !std::isfinite(*claims.tight_level)) return failed("no finite tight_level");
  return prove_lagrangian(problem, claims, [&](Accumulator& sum) {
    sum.add(-Real{claims.multiplier} * Real{*claims.tight_level});
    return std::string{};
  });
}

}  // namespace fcbio::verify
