// Logistic: h(u, b) = log(1 + exp(-z)),  z = b u,  b = -1 or +1.
//
// With e = exp(-|z|), which never overflows,
//     h = max(0, -z) + log1p(e),   h' = -b s,  s = 1/(1 + exp(z)) = e/(1+e) or 1/(1+e),   h'' = e/(1+e)^2,
// each accurate to a few roundings at both tails.  The conjugate, with p = -b r in [0, 1], is
//     h*(r) = p log p + (1-p) log(1-p),   0 log 0 = 0;
// both summands are negative, so nothing cancels, and log(1-p) = log1p(-p) keeps it right for tiny p.
// Vectors go through logistic_kernels.hpp; the bounds of slopes, one number at a time, through the standard
// library.
#include "functions/check.hpp"
#include "functions/logistic_kernels.hpp"
#include "functions/weighted_loss.hpp"

namespace fcbio {
namespace {

struct Logistic {
  static constexpr std::string_view kName = "logistic";
  static constexpr bool kTwiceDifferentiable = true;
  static LossShape shape_of(const Vector& labels) { return LogisticShape{&labels}; }

  double derivative(double u, double b) const { return -b * miss_probability(b * u); }
  double nearest_dual(double r, double b) const { return -b * functions::clip(-b * r, 0.0, 1.0); }
  void values(const double* u, const double* b, Index count, double* out) const {
    functions::logistic_values(u, b, count, out);
  }
  void derivatives(const double* u, const double* b, Index count, double* out) const {
    functions::logistic_slopes(u, b, count, out);
  }
  void curvatures(const double* u, const double* b, Index count, double* out) const {
    functions::logistic_curvatures(u, b, count, out);
  }
  void conjugates(const double* r, const double* b, Index count, double* out) const {
    functions::logistic_conjugates(r, b, count, out);
  }
  static_assert(functions::kLogisticUlps <= static_cast<double>(functions::kKernelRoundings));
  std::optional<double> smoothness() const { return 0.25; }
  double steepest(double u, double b, double radius) const { return miss_probability(b * u - radius); }
  /// With p off by e = kEpsilon p, p log p moves by at most e (1 + |log p|) < 1.5 kEpsilon, and q log q, q = 1 -
  /// p, by at most e (1 + |log e|) < 38 kEpsilon.
  double dual_sensitivity(double, double) const { return 40.0; }

  /// 1 / (1 + exp(z))
  static double miss_probability(double z) {
    const double e = std::exp(-std::abs(z));
    return (z > 0.0 ? e : 1.0) / (1.0 + e);
  }
};

}  // namespace

LossPtr logistic_loss(Vector labels) {
  functions::require_labels(Logistic::kName, labels);
  return functions::make_separable_loss(std::move(labels), Logistic{});
}

}  // namespace fcbio
