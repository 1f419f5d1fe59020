// Logistic: h(u, b) = log(1 + exp(-z)),  z = b u,  b = -1 or +1.
//
// With e = exp(-|z|), which never overflows,
//     h = max(0, -z) + log1p(e),   h' = -b s,  s = 1/(1 + exp(z)) = e/(1+e) or 1/(1+e),   h'' = e/(1+e)^2,
// each accurate to a few roundings at both tails.  The conjugate, with p = -b r in [0, 1], is
//     h*(r) = p log p + (1-p) log(1-p),   0 log 0 = 0;
// both summands are negative, so nothing cancels, and log(1-p) = log1p(-p) keeps it right for tiny p.
#include "functions/check.hpp"
#include "functions/separable_loss.hpp"

namespace fcbio {
namespace {

struct Logistic {
  static constexpr std::string_view kName = "logistic";
  static constexpr bool kTwiceDifferentiable = true;

  double value(double u, double b) const {
    const double z = b * u;
    return std::max(0.0, -z) + std::log1p(std::exp(-std::abs(z)));
  }
  double derivative(double u, double b) const { return -b * miss_probability(b * u); }
  double curvature(double u, double) const {
    const double e = std::exp(-std::abs(u));
    return e / ((1.0 + e) * (1.0 + e));
  }
  double nearest_dual(double r, double b) const { return -b * functions::clip(-b * r, 0.0, 1.0); }
  double conjugate(double r, double b) const {
    const double p = -b * r;
    const double yes = p > 0.0 ? p * std::log(p) : 0.0;
    const double no = p < 1.0 ? (1.0 - p) * std::log1p(-p) : 0.0;
    return yes + no;
  }
  std::optional<double> smoothness() const { return 0.25; }
  double steepest(double u, double b, double radius) const { return miss_probability(b * u - radius); }

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
