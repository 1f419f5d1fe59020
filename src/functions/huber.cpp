// Huber: with r = u - b, h = r^2/2 where |r| <= delta, else delta |r| - delta^2/2 = delta (|r| - delta/2).
// h*(r) = r^2/2 + r b on [-delta, delta].  The second derivative is taken as 1 inside and 0 outside.
#include "functions/check.hpp"
#include "functions/weighted_loss.hpp"

namespace fcbio {
namespace {

struct Huber {
  static constexpr std::string_view kName = "huber";
  static constexpr bool kTwiceDifferentiable = true;
  static constexpr double kBend = 1.0;
  double delta;

  double value(double u, double b) const {
    const double r = std::abs(u - b);
    return r <= delta ? 0.5 * r * r : delta * (r - 0.5 * delta);
  }
  double derivative(double u, double b) const { return std::clamp(u - b, -delta, delta); }
  double curvature(double u, double b) const { return std::abs(u - b) <= delta ? 1.0 : 0.0; }
  double nearest_dual(double r, double) const { return functions::clip(r, -delta, delta); }
  double conjugate(double r, double b) const { return r * (0.5 * r + b); }
  std::optional<double> smoothness() const { return 1.0; }
  double steepest(double u, double b, double radius) const { return std::min(delta, std::abs(u - b) + radius); }
};

}  // namespace

LossPtr huber_loss(Vector b, double delta) {
  functions::require_numbers(Huber::kName, "targets", b);
  if (!(delta > 0.0) || !std::isfinite(delta)) {
    refuse(std::string(Huber::kName), "delta > 0 and finite", functions::number_text(delta),
           "give the residual at which the loss turns from quadratic to linear");
  }
  return functions::make_separable_loss(std::move(b), Huber{delta});
}

}  // namespace fcbio
