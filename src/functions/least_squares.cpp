// Least squares: h(u, b) = 1/2 (u - b)^2,  h*(r) = r^2/2 + r b  on the whole line.
#include "functions/check.hpp"
#include "functions/weighted_loss.hpp"

namespace fcbio {
namespace {

struct LeastSquares {
  static constexpr std::string_view kName = "least-squares";
  static constexpr bool kTwiceDifferentiable = true;
  static constexpr double kBend = 1.0;

  double value(double u, double b) const { return 0.5 * (u - b) * (u - b); }
  double derivative(double u, double b) const { return u - b; }
  double curvature(double, double) const { return 1.0; }
  double nearest_dual(double r, double) const { return r; }
  double conjugate(double r, double b) const { return r * (0.5 * r + b); }
  std::optional<double> smoothness() const { return 1.0; }
  double steepest(double u, double b, double radius) const { return std::abs(u - b) + radius; }
};

}  // namespace

LossPtr least_squares_loss(Vector b) {
  functions::require_numbers(LeastSquares::kName, "targets", b);
  return functions::make_separable_loss(std::move(b), LeastSquares{});
}

}  // namespace fcbio
