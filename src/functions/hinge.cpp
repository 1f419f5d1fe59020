// Hinge: h(u, b) = max(0, 1 - b u),  b = -1 or +1.  With s = -b r in [0, 1]:  h*(r) = -s.
// Subgradient at the kink: 0.
#include "functions/check.hpp"
#include "functions/weighted_loss.hpp"

namespace fcbio {
namespace {

struct Hinge {
  static constexpr std::string_view kName = "hinge";
  static constexpr bool kTwiceDifferentiable = false;
  static constexpr double kBend = 0.0;

  double value(double u, double b) const {
    const double miss = 1.0 - b * u;
    return miss <= 0.0 ? 0.0 : miss;  // a NaN stays one
  }
  double derivative(double u, double b) const {
    const double miss = 1.0 - b * u;
    return miss > 0.0 ? -b : (miss <= 0.0 ? 0.0 : miss);
  }
  double curvature(double, double) const { return 0.0; }
  double nearest_dual(double r, double b) const { return -b * functions::clip(-b * r, 0.0, 1.0); }
  double conjugate(double r, double b) const { return b * r; }
  std::optional<double> smoothness() const { return std::nullopt; }
  double steepest(double u, double b, double radius) const { return 1.0 - b * u + radius < 0.0 ? 0.0 : 1.0; }
};

}  // namespace

LossPtr hinge_loss(Vector labels) {
  functions::require_labels(Hinge::kName, labels);
  return functions::make_separable_loss(std::move(labels), Hinge{});
}

}  // namespace fcbio
