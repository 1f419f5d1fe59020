// Absolute deviation: h(u, b) = |u - b|,  h*(r) = r b on [-1, 1].  Subgradient at the kink: 0.
#include "functions/check.hpp"
#include "functions/weighted_loss.hpp"

namespace fcbio {
namespace {

struct Absolute {
  static constexpr std::string_view kName = "absolute";
  static constexpr bool kTwiceDifferentiable = false;
  static constexpr double kBend = 0.0;

  double value(double u, double b) const { return std::abs(u - b); }
  double derivative(double u, double b) const { return u > b ? 1.0 : (u < b ? -1.0 : u - b); }  // 0, or NaN
  double curvature(double, double) const { return 0.0; }
  double nearest_dual(double r, double) const { return functions::clip(r, -1.0, 1.0); }
  double conjugate(double r, double b) const { return r * b; }
  std::optional<double> smoothness() const { return std::nullopt; }
  double steepest(double, double, double) const { return 1.0; }
};

}  // namespace

LossPtr absolute_loss(Vector b) {
  functions::require_numbers(Absolute::kName, "targets", b);
  return functions::make_separable_loss(std::move(b), Absolute{});
}

}  // namespace fcbio
