// Minorants by Fenchel-Young: phi(u) >= <d, u> - phi*(d), so constant = -phi*(d) and slope = M'd.
// docs/certificates.md has the table and the proofs.
#include "minorants.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fcbio::verify {
namespace {

/// How many numbers the dual of a term has.
std::size_t dual_size(const TermView& view) {
  if (view.form() == Form::linear || view.is_squared_norm()) return 0;
  return view.rows();
}

/// Adds weight * M'd to the slope.
void add_transpose(const TermView& view, Real weight, std::span<const Real> d, Minorant& minorant) {
  view.each_entry([&](std::size_t i, std::size_t j, Real a) { minorant.slope[j].add(weight * d[i] * a); });
}

void add_row_losses(const TermView& view, Real weight, std::span<const Real> dual, Minorant& minorant) {
  RealVector d(dual.begin(), dual.end());
  for (std::size_t i = 0; i < d.size(); ++i) {
    const Real share = view.row_weight(i);  // w loss(u) >= w (d u - loss*(d)); the dual that is stored is w d
    if (share == 0) {
      d[i] = 0;
      continue;
    }
    d[i] = view.row_loss().nearest_dual(d[i] / share, view.target(i), view.parameter());
    minorant.constant.add(-weight * share, view.row_loss().conjugate(d[i], view.target(i), view.parameter()));
    d[i] *= share;
  }
  add_transpose(view, weight, d, minorant);
}

/// 1/2 |x - c|^2 is its own minorant.
void add_squared_norm(const TermView& view, Real weight, Minorant& minorant) {
  for (std::size_t j = 0; j < view.dimension(); ++j) {
    const Real c = view.coefficient(j);
    minorant.constant.add(weight * c * c / 2);
    minorant.slope[j].add(-weight * c);
  }
  minorant.curvature += weight;
}

/// max-affine and log-sum-exp: d in the unit simplex.
void add_simplex_dual(const TermView& view, Real weight, std::span<const Real> dual, Minorant& minorant) {
  RealVector d(dual.begin(), dual.end());
  Accumulator total;
  for (Real& share : d) total.add(share = std::max<Real>(share, 0));
  for (Real& share : d) {
    share = total.value() > 0 ? share / total.value() : 1 / static_cast<Real>(d.size());
  }
  for (std::size_t i = 0; i < d.size(); ++i) {
    minorant.constant.add(weight * d[i] * view.target(i));
    if (view.form() == Form::smoothed && d[i] > 0) minorant.constant.add(-weight * d[i] * std::log(d[i]));
  }
  add_transpose(view, weight, d, minorant);
}

void add_linear(const TermView& view, Real weight, Minorant& minorant) {
  for (std::size_t j = 0; j < view.dimension(); ++j) minorant.slope[j].add(weight * view.coefficient(j));
}

/// 1/2 x'Qx = y'Qx - 1/2 y'Qy + 1/2 (x-y)'Q(x-y), and the last is at least -lambda/2 |x-y|^2 (convexity.hpp).
void add_quadratic(const TermView& view, Real weight, std::span<const Real> y, Minorant& minorant) {
  add_linear(view, weight, minorant);
  minorant.constant.add(weight * view.constant());
  if (const Real lambda = view.concavity(); lambda > 0) {
    const Real farthest = minorant.reach + norm(y);
    minorant.constant.add(-weight * lambda / 2 * farthest * farthest);
  }
  view.each_entry([&](std::size_t i, std::size_t j, Real q) {
    minorant.constant.add(-weight * y[i] * q * y[j] / 2);
    minorant.slope[j].add(weight * y[i] * q / 2);  // the symmetric part of Q, whatever is stored
    minorant.slope[i].add(weight * q * y[j] / 2);
  });
}

void add_term(const TermView& view, Real weight, std::span<const Real> dual, Minorant& minorant) {
  switch (view.form()) {
    case Form::rows:
      if (view.is_squared_norm()) return add_squared_norm(view, weight, minorant);
      return add_row_losses(view, weight, dual, minorant);
    case Form::largest:
    case Form::smoothed:
      return add_simplex_dual(view, weight, dual, minorant);
    case Form::linear:
      return add_linear(view, weight, minorant);
    case Form::quadratic:
      return add_quadratic(view, weight, dual, minorant);
  }
}

/// What the mathematics alone says about one unweighted term; -infinity: nothing.
Real intrinsic_lower_bound(const TermView& view) {
  if (view.form() == Form::rows) return 0;
  if (view.form() != Form::quadratic) return -kRealInfinity;
  for (std::size_t j = 0; j < view.dimension(); ++j) {
    if (view.coefficient(j) != 0) return -kRealInfinity;
  }
  return view.concavity() == 0 ? view.constant() : -kRealInfinity;
}

}  // namespace

std::string add_minorant(const std::vector<TermView>& terms, const std::vector<std::vector<double>>& duals,
                         Real factor, Minorant& minorant) {
  if (duals.size() != terms.size()) {
    return fmt::format("expected {} dual vectors, one per term, found {}", terms.size(), duals.size());
  }
  for (std::size_t t = 0; t < terms.size(); ++t) {
    const Real weight = factor * terms[t].weight();
    if (weight == 0) continue;
    const std::vector<double>& stored = duals[t];
    if (stored.size() != dual_size(terms[t])) {
      return fmt::format("dual of '{}': expected {} numbers, found {}", terms[t].name(), dual_size(terms[t]),
                         stored.size());
    }
    if (!std::all_of(stored.begin(), stored.end(), [](double d) { return std::isfinite(d); })) {
      return fmt::format("dual of '{}': expected finite numbers", terms[t].name());
    }
    add_term(terms[t], weight, RealVector(stored.begin(), stored.end()), minorant);
  }
  return {};
}

Number known_lower_bound(const std::vector<TermView>& terms) {
  Accumulator sum;
  int counted = 0;
  bool exact_so_far = true;
  for (const TermView& view : terms) {
    if (view.weight() == 0) continue;
    Real bound = view.weight() * intrinsic_lower_bound(view);
    exact_so_far = exact_so_far && (bound == 0 || view.weight() == 1);
    // Told of the mean where `average` is set, so it is not divided by the rows again.
    if (view.term().lower_bound) {
      const Real told = Real{view.term().weight} * *view.term().lower_bound;
      if (told > bound) {
        bound = told;
        exact_so_far = exact_so_far && (told == 0 || view.term().weight == 1.0);
      }
    }
    if (!std::isfinite(bound)) return {-kRealInfinity, kRealInfinity};
    if (bound != 0) ++counted;
    sum.add(bound);
  }
  // One number that nothing was done to is exact.
  const Number number = sum.number();
  return exact_so_far && counted <= 1 ? Number{number.value, 0} : number;
}

}  // namespace fcbio::verify
