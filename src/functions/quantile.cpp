// Quantile: with r = b - u, h = max(tau r, (tau - 1) r): the best constant u is the tau-quantile of the targets.
// h*(s) = s b for s in [-tau, 1 - tau].  Subgradient at the kink: 0.
//
// 1 - tau need not be a floating-point number; over_slope is the largest one not above it, so that a repaired
// dual lies in the exact domain.
#include "functions/check.hpp"
#include "functions/weighted_loss.hpp"

namespace fcbio {
namespace {

struct Quantile {
  static constexpr std::string_view kName = "quantile";
  static constexpr bool kTwiceDifferentiable = false;
  static constexpr double kBend = 0.0;
  double tau;
  double over_slope;

  explicit Quantile(double share) : tau(share), over_slope(1.0 - share) {
    // Exact for tau >= 1/2; below, over_slope >= 1/2, so 1 - over_slope is exact and tells which way it rounded.
    if (tau < 0.5 && 1.0 - over_slope < tau) over_slope = std::nextafter(over_slope, 0.0);
  }

  double value(double u, double b) const {
    const double r = b - u;
    return r > 0.0 ? tau * r : (tau - 1.0) * r;
  }
  double derivative(double u, double b) const { return u < b ? -tau : (u > b ? over_slope : u - b); }  // 0, or NaN
  double curvature(double, double) const { return 0.0; }
  double nearest_dual(double r, double) const { return functions::clip(r, -tau, over_slope); }
  double conjugate(double r, double b) const { return r * b; }
  std::optional<double> smoothness() const { return std::nullopt; }
  double steepest(double, double, double) const { return std::max(tau, 1.0 - tau); }
};

}  // namespace

LossPtr quantile_loss(Vector b, double tau) {
  functions::require_numbers(Quantile::kName, "targets", b);
  if (!(tau > 0.0 && tau < 1.0)) {
    refuse(std::string(Quantile::kName), "tau strictly between 0 and 1", functions::number_text(tau),
           "0.5 is the median, 0.9 the upper decile");
  }
  return functions::make_separable_loss(std::move(b), Quantile(tau));
}

}  // namespace fcbio
