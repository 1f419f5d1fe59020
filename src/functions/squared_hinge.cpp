// Squared hinge: h(u, b) = 1/2 max(0, 1 - b u)^2,  b = -1 or +1.
// With s = -b r >= 0:  h*(r) = s^2/2 - s.  The second derivative is taken as 1 where 1 - b u > 0, else 0.
#include "functions/check.hpp"
#include "functions/weighted_loss.hpp"

namespace fcbio {
namespace {

struct SquaredHinge {
  static constexpr std::string_view kName = "squared-hinge";
  static constexpr bool kTwiceDifferentiable = true;
  static constexpr double kBend = 1.0;

  double value(double u, double b) const {
    const double miss = shortfall(u, b);
    return 0.5 * miss * miss;
  }
  double derivative(double u, double b) const { return -b * shortfall(u, b); }
  double curvature(double u, double b) const { return 1.0 - b * u > 0.0 ? 1.0 : 0.0; }
  double nearest_dual(double r, double b) const { return -b * std::max(0.0, -b * r); }
  double conjugate(double r, double b) const {
    const double s = -b * r;
    return s * (0.5 * s - 1.0);
  }
  std::optional<double> smoothness() const { return 1.0; }
  double steepest(double u, double b, double radius) const { return shortfall(u, b) + radius; }

  static double shortfall(double u, double b) {
    const double miss = 1.0 - b * u;
    return miss <= 0.0 ? 0.0 : miss;  // a NaN stays one
  }
};

}  // namespace

LossPtr squared_hinge_loss(Vector labels) {
  functions::require_labels(SquaredHinge::kName, labels);
  return functions::make_separable_loss(std::move(labels), SquaredHinge{});
}

}  // namespace fcbio
