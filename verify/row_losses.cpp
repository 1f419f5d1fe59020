// The table of row losses.  Classifiers have labels b = -1 or +1 and duals d = -b p with p the free number.
#include "row_losses.hpp"

#include <algorithm>
#include <array>

namespace fcbio::verify {
namespace {

/// t log t, with the limit 0 at t = 0.
Real t_log_t(Real t) { return t > 0 ? t * std::log(t) : 0; }

/// log(1 + exp(-margin)) without overflow or cancellation.
Real softplus_of_minus(Real margin) {
  return margin > 0 ? std::log1p(std::exp(-margin)) : -margin + std::log1p(std::exp(margin));
}

Number quadratic_conjugate(Real d, Real b, Real) { return {d * d / 2 + d * b, d * d / 2 + std::abs(d * b)}; }

const std::array<RowLoss, 7> kRowLosses = {{
    {"least-squares",  // (u - b)^2 / 2
     [](Real u, Real b, Real) { return (u - b) * (u - b) / 2; },
     [](Real u, Real b, Real, Real reach) { return std::abs(u - b) + reach; },
     [](Real d, Real, Real) { return d; }, quadratic_conjugate},

    {"huber",  // r^2/2 where |r| <= delta, delta |r| - delta^2/2 beyond;  r = u - b
     [](Real u, Real b, Real delta) {
       const Real r = std::abs(u - b);
       return r <= delta ? r * r / 2 : delta * (r - delta / 2);
     },
     [](Real u, Real b, Real delta, Real reach) { return std::min(delta, std::abs(u - b) + reach); },
     [](Real d, Real, Real delta) { return std::clamp(d, -delta, delta); }, quadratic_conjugate},

    {"absolute",  // |u - b|
     [](Real u, Real b, Real) { return std::abs(u - b); }, [](Real, Real, Real, Real) -> Real { return 1; },
     [](Real d, Real, Real) { return std::clamp<Real>(d, -1, 1); },
     [](Real d, Real b, Real) { return exact(d * b); }},

    {"quantile",  // max(tau r, (tau - 1) r);  r = b - u
     [](Real u, Real b, Real tau) { return std::max(tau * (b - u), (tau - 1) * (b - u)); },
     [](Real, Real, Real tau, Real) { return std::max(tau, 1 - tau); },
     [](Real d, Real, Real tau) { return std::clamp(d, -tau, 1 - tau); },
     [](Real d, Real b, Real) { return exact(d * b); }},

    {"logistic",  // log(1 + exp(-b u));  conjugate p log p + (1 - p) log(1 - p), p in [0, 1]
     [](Real u, Real b, Real) { return softplus_of_minus(b * u); },
     [](Real u, Real b, Real, Real reach) { return 1 / (1 + std::exp(b * u - reach)); },
     [](Real d, Real b, Real) { return -b * std::clamp<Real>(-b * d, 0, 1); },
     [](Real d, Real b, Real) {
       const Real p = -b * d;
       return exact(t_log_t(p) + (p < 1 ? (1 - p) * std::log1p(-p) : 0));
     }},

    {"hinge",  // max(0, 1 - b u);  conjugate -p, p in [0, 1]
     [](Real u, Real b, Real) { return std::max<Real>(0, 1 - b * u); },
     [](Real u, Real b, Real, Real reach) -> Real { return b * u - reach < 1 ? 1 : 0; },
     [](Real d, Real b, Real) { return -b * std::clamp<Real>(-b * d, 0, 1); },
     [](Real d, Real b, Real) { return exact(b * d); }},

    {"squared-hinge",  // max(0, 1 - b u)^2 / 2;  conjugate p^2/2 - p, p >= 0
     [](Real u, Real b, Real) {
       const Real short_of = std::max<Real>(0, 1 - b * u);
       return short_of * short_of / 2;
     },
     [](Real u, Real b, Real, Real reach) { return std::max<Real>(0, 1 - b * u + reach); },
     [](Real d, Real b, Real) { return -b * std::max<Real>(-b * d, 0); },
     [](Real d, Real b, Real) -> Number {
       return {d * d / 2 + b * d, d * d / 2 + std::abs(d)};
     }},
}};

}  // namespace

const RowLoss* find_row_loss(std::string_view name) {
  for (const RowLoss& loss : kRowLosses) {
    if (loss.name == name) return &loss;
  }
  return nullptr;
}

}  // namespace fcbio::verify
