// The simplex {x >= 0 : sum of x_i = total}; total 0 is the single point 0.
//   projection      max(x - tau, 0) with the threshold of threshold.hpp, scaled to sum to total to the last bit or
//   so linear minimum  total min over i of c_i
#include <algorithm>
#include <cmath>

#include "fcbio/set.hpp"
#include "sets/checks.hpp"
#include "sets/conditions.hpp"
#include "sets/extended.hpp"
#include "sets/threshold.hpp"

namespace fcbio {
namespace {

class Simplex final : public ConvexSet {
 public:
  Simplex(Index n, double total) : n_(n), total_(total) {
    sets::require_dimension("simplex", n_);
    sets::require_size("simplex", "total", total_);
  }

  std::string_view name() const override { return "simplex"; }
  Index dimension() const override { return n_; }
  SetShape shape() const override { return SimplexShape{total_}; }

  void project(VectorOut x, Scratch&) const override {
    if (total_ == 0.0) {
      x.setZero();
      return;
    }
    const auto threshold = sets::find_threshold(n_, total_, [&](Index i) { return x[i]; });
    for (Index i = 0; i < n_; ++i) x[i] = threshold.excess(x[i]);
    const double sum = x.sum();
    if (sum > 0.0) x *= total_ / sum;  // zero only where total / n underflows
  }

  double linear_lower_bound(VectorIn direction, Scratch&) const override { return total_ * direction.minCoeff(); }

  double prove_linear_bound(VectorIn direction, SetWitness& witness, Scratch&) const override {
    witness = SetWitness{};
    sets::ExtendedSum sum;
    sum.add(sets::Extended{total_} * direction.minCoeff(),
            sets::Extended{total_} * direction.lpNorm<Eigen::Infinity>());
    return sets::rounded_down(sum.at_least());
  }

  bool minimize_linear(VectorIn direction, VectorOut vertex) const override {
    Index best = 0;
    direction.minCoeff(&best);
    vertex.setZero();
    vertex[best] = total_;
    return true;
  }

  std::optional<double> enclosing_ball(VectorOut centre) const override {
    centre.setConstant(total_ / static_cast<double>(n_));
    return total_ * std::sqrt(1.0 - 1.0 / static_cast<double>(n_));
  }
  std::optional<double> diameter() const override { return n_ == 1 ? 0.0 : total_ * std::sqrt(2.0); }

  /// Largest excess of a defining constraint: of -x_i <= 0, or of the equation divided by the norm sqrt(n).
  double violation(VectorIn x) const override {
    const double imbalance = std::abs(x.sum() - total_) / std::sqrt(static_cast<double>(n_));
    return std::max(imbalance, std::max(0.0, -x.minCoeff()));
  }

  bool describe(sets::Conditions& conditions, Index first) const override {
    conditions.sides.push_back({first, n_, nullptr, nullptr});
    conditions.equations.push_back({first, Vector::Ones(n_), total_});
    return true;
  }
  bool interior_point(VectorOut s) const override {
    s.setConstant(total_ / static_cast<double>(n_));
    return true;
  }
  /// For x >= 0 the point x total / (sum of x) is a member, at the distance |x| |total - sum| / sum.
  double settle(VectorOut x) const override {
    x = x.cwiseMax(0.0);
    sets::ExtendedSum sum;
    for (Index j = 0; j < n_; ++j) sum.add(x[j]);
    const sets::Extended off = std::abs(sum.value() - total_) + sum.error();
    if (sum.value() == total_ && n_ == 1) return 0.0;
    if (!(sum.at_least() > 0)) return total_ == 0.0 && sum.value() == 0 ? 0.0 : kInfinity;
    return sets::rounded_up(sets::norm_at_most(x, nullptr, n_) * off / sum.at_least() * (1 + 1e-9L));
  }

 private:
  Index n_;
  double total_;
};

}  // namespace

ConvexSetPtr simplex(Index n, double total) { return std::make_shared<Simplex>(n, total); }

}  // namespace fcbio
