// Log-sum-exp: phi(u) = log sum_i exp(v_i),  v = u + b.
//
// With top = max v:  phi = top + log sum exp(v_i - top), so nothing overflows and phi(u + t) = phi(u) + t.
//     phi' = p = exp(v - top) / sum,   phi'' = diag(p) - p p',   phi*(r) = sum r log r - <r, b> on the simplex.
// Smoothness: w' phi'' w is the variance of the entries of w under p, at most a quarter of their squared range,
// and (w_i - w_j)^2 <= 2 |w|^2; so 1/2.
//
// Rounding.  Forming v_i, and v_i - top, moves v_i by at most three roundings of the largest |v_i| that matters;
// phi moves by no more than that.  Entries more than kNegligible below the top add less than exp(-800) and do not
// matter.  The sum is at least 1 and relatively right to sum_depth + a few, so its logarithm, at most log m, is
// absolutely right to that; then one more rounding of the result.
#include <algorithm>
#include <cmath>

#include "functions/check.hpp"
#include "functions/rounded_loss.hpp"
#include "functions/simplex_dual.hpp"

namespace fcbio {
namespace {

constexpr double kNegligible = 800.0;

class LogSumExp final : public functions::RoundedLoss {
 public:
  explicit LogSumExp(Vector offsets) : offsets_(std::move(offsets)) {}

  std::string_view name() const override { return "log-sum-exp"; }
  Index size() const override { return offsets_.size(); }

  double value(VectorIn u) const override {
    const double top = largest(u);
    return top + std::log(functions::sum_of(size(), [&](Index i) { return std::exp(u[i] + offsets_[i] - top); }));
  }
  void derivative(VectorIn u, VectorOut r) const override {
    const double top = largest(u);
    for (Index i = 0; i < size(); ++i) r[i] = std::exp(u[i] + offsets_[i] - top);
    const double total = functions::sum_of(size(), [&](Index i) { return r[i]; });
    for (Index i = 0; i < size(); ++i) r[i] /= total;
  }
  bool hessian_product(VectorIn u, VectorIn v, VectorOut out) const override {
    derivative(u, out);
    const double mean = functions::dot(out, v);
    for (Index i = 0; i < size(); ++i) out[i] *= v[i] - mean;
    return true;
  }

  void make_dual_feasible(VectorOut r) const override { functions::scale_to_simplex(r); }
  double conjugate(VectorIn r) const override {
    return functions::sum_of(size(),
                             [&](Index i) { return r[i] > 0.0 ? r[i] * (std::log(r[i]) - offsets_[i]) : 0.0; });
  }

  std::optional<double> smoothness() const override { return 0.5; }
  std::optional<double> lipschitz(VectorIn, double) const override { return 1.0; }

  double value_rounding(VectorIn u) const override {
    const double top = largest(u);
    double reach = 0.0;
    for (Index i = 0; i < size(); ++i) {
      const double entry = u[i] + offsets_[i];
      if (entry >= top - kNegligible) reach = std::max(reach, std::abs(entry));
    }
    const double logarithm = 1.0 + std::log(static_cast<double>(size()));
    return functions::rounding_factor(4) * (reach + logarithm) +
           functions::rounding_factor(functions::sum_depth(size()) + 4) + functions::kUnderflow;
  }
  /// Per unit of scaling, sum r log r - <r, b> moves by itself and by sum r = 1 more.
  double conjugate_rounding(VectorIn r) const override {
    const double magnitude = functions::sum_of(size(), [&](Index i) {
      return r[i] > 0.0 ? r[i] * (std::abs(std::log(r[i])) + std::abs(offsets_[i])) : 0.0;
    });
    return functions::rounding_factor(functions::sum_depth(size()) + 6) * magnitude +
           dual_rounding() * (1.0 + magnitude) + functions::kUnderflow;
  }
  double dual_rounding() const override { return functions::simplex_rounding(size()); }

 private:
  /// NaN if any entry is.
  double largest(VectorIn u) const {
    double top = u[0] + offsets_[0];
    for (Index i = 1; i < size(); ++i) {
      const double entry = u[i] + offsets_[i];
      if (!(entry <= top)) top = entry;
      if (std::isnan(top)) return top;
    }
    return top;
  }

  Vector offsets_;
};

}  // namespace

LossPtr log_sum_exp_loss(Vector b) {
  functions::require_numbers("log-sum-exp", "offsets", b);
  return std::make_shared<LogSumExp>(std::move(b));
}

}  // namespace fcbio
