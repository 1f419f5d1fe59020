// The capped simplex {0 <= x <= cap : sum of x_i = total}.
//   projection      min(max(x - tau, 0), cap), tau by bisection between the knots, then scaled in its free entries
//   linear minimum  cap for the least coefficients until total is used up
#include <algorithm>
#include <cmath>
#include <numeric>

#include "fcbio/error.hpp"
#include "fcbio/set.hpp"
#include "sets/checks.hpp"
#include "sets/membership.hpp"

namespace fcbio {
namespace {

class CappedSimplex final : public ConvexSet {
 public:
  CappedSimplex(Index n, double total, double cap)
      : total_(total), cap_(cap), row_(RowMajorMatrix::Ones(1, std::max<Index>(n, 0))) {
    sets::require_dimension("capped-simplex", n);
    sets::require_size("capped-simplex", "total", total);
    sets::require_size("capped-simplex", "cap", cap);
    if (!(cap * static_cast<double>(n) >= total))
      throw InvalidArgument("capped-simplex: expected cap times the dimension >= total, found cap " +
                            sets::text_of(cap) + ", dimension " + sets::text_of(n) + " and total " +
                            sets::text_of(total) +
                            ", which leaves the set empty; raise the cap or lower the total");
    lower_ = Vector::Zero(n);
    upper_ = Vector::Constant(n, cap);
    sum_ = Vector::Constant(1, total);
  }

  std::string_view name() const override { return "capped-simplex"; }
  Index dimension() const override { return lower_.size(); }
  SetShape shape() const override {
    return PolyhedronShape{&row_, nullptr, &sum_, &sum_, &lower_, &upper_, std::nullopt};
  }

  void project(VectorOut x, Scratch& scratch) const override {
    const Vector& given = scratch.vector(0, dimension()) = x;
    const auto sum_at = [&](double tau) { return (given.array() - tau).max(0.0).min(cap_).sum(); };
    double low = given.minCoeff() - cap_, high = given.maxCoeff();  // sums n cap and 0
    for (int k = 0; k < 200; ++k) {
      const double middle = 0.5 * low + 0.5 * high;
      if (!(low < middle && middle < high)) break;
      (sum_at(middle) > total_ ? low : high) = middle;
    }
    // Between two neighbouring numbers the free entries share what is missing.
    x = (given.array() - high).max(0.0).min(cap_);
    const auto free = (x.array() > 0.0 && x.array() < cap_);
    const auto count = static_cast<double>(free.count());
    const double missing = total_ - x.sum();
    if (count > 0.0)
      x = free.select((x.array() + missing / count).max(0.0).min(cap_), x.array());
    else if (missing > 0.0)
      fill(given, high, missing, x);
  }

  double linear_lower_bound(VectorIn direction, Scratch& scratch) const override {
    SetWitness none;
    return prove_linear_bound(direction, none, scratch);
  }
  double prove_linear_bound(VectorIn direction, SetWitness& witness, Scratch& scratch) const override {
    witness = SetWitness{};
    Vector& sorted = scratch.vector(0, dimension()) = direction;
    std::sort(sorted.begin(), sorted.end());
    sets::ExtendedSum sum;
    sets::Extended left = total_;
    for (const double slope : sorted) {
      const sets::Extended part = std::min<sets::Extended>(left, cap_);
      if (!(part > 0)) break;
      sum.add_product(part, slope);
      left -= part;
    }
    const sets::Extended size = sets::Extended{total_} * direction.lpNorm<Eigen::Infinity>();
    return sets::rounded_down(sum.value() - sets::kAllowance * size * 2);
  }

  bool minimize_linear(VectorIn direction, VectorOut vertex) const override {
    thread_local std::vector<Index> order;  // kept, so that a loop does not allocate
    order.resize(static_cast<std::size_t>(dimension()));
    std::iota(order.begin(), order.end(), Index{0});
    std::sort(order.begin(), order.end(), [&](Index a, Index b) {
      return direction[a] != direction[b] ? direction[a] < direction[b] : a < b;
    });
    double left = total_;
    for (const Index j : order) {
      vertex[j] = std::min(left, cap_);
      left -= vertex[j];
    }
    return true;
  }

  /// About the even point: |x - t/n|^2 = |x|^2 - t^2/n, and |x|^2 <= cap t.
  std::optional<double> enclosing_ball(VectorOut centre) const override {
    centre.setConstant(total_ / static_cast<double>(dimension()));
    return radius();
  }
  std::optional<double> diameter() const override { return 2.0 * radius(); }
  double violation(VectorIn x) const override {
    const double imbalance = std::abs(x.sum() - total_) / std::sqrt(static_cast<double>(dimension()));
    return std::max({imbalance, -x.minCoeff(), x.maxCoeff() - cap_, 0.0});
  }

  bool describe(sets::Conditions& conditions, Index first) const override {
    conditions.sides.push_back({first, dimension(), &lower_, &upper_});
    conditions.equations.push_back({first, row_.row(0), total_});
    return true;
  }
  bool interior_point(VectorOut s) const override {
    const double even = total_ / static_cast<double>(dimension());
    s.setConstant(std::min(even, cap_));
    return even > 0.0 && even < cap_;
  }

 private:
  double radius() const {
    const double square = std::min(cap_, total_) * total_ - total_ * total_ / static_cast<double>(dimension());
    return std::sqrt(std::max(square, 0.0) + 8.0 * kEpsilon * total_ * total_) * (1.0 + 1e-12);
  }
  /// Entries that were cut off only by rounding take what is missing.
  void fill(const Vector& given, double tau, double missing, VectorOut x) const {
    Index best = -1;
    for (Index j = 0; j < x.size(); ++j)
      if (x[j] == 0.0 && (best < 0 || given[j] > given[best])) best = j;
    if (best >= 0 && missing <= 1e-9 * (cap_ + std::abs(tau))) x[best] = std::min(missing, cap_);
  }

  double total_, cap_;
  RowMajorMatrix row_;
  Vector lower_, upper_, sum_;
};

}  // namespace

ConvexSetPtr capped_simplex(Index n, double total, double cap) {
  return std::make_shared<CappedSimplex>(n, total, cap);
}

}  // namespace fcbio
