#include "inner/smoothed_problem.hpp"

#include <algorithm>
#include <cmath>

namespace fcbio {
namespace {

/// sum_i of  max over low_i <= y <= high_i of  y (u_i - kink_i) - bend/2 y^2, for a bend that its owner may change.
class SmoothedLoss final : public Loss {
 public:
  SmoothedLoss(std::string_view name, DualBoxShape shape, std::shared_ptr<const double> bend)
      : name_(name), shape_(std::move(shape)), bend_(std::move(bend)) {}

  std::string_view name() const override { return name_; }
  Index size() const override { return shape_.kink.size(); }

  double value(VectorIn u) const override {
    const double bend = *bend_;
    double sum = 0.0;
    for (Index i = 0; i < size(); ++i) {
      const double miss = u[i] - shape_.kink[i];
      const double y = nearest(miss / bend, i);
      sum += y * (miss - 0.5 * bend * y);
    }
    return sum;
  }
  void derivative(VectorIn u, VectorOut r) const override {
    const double scale = 1.0 / *bend_;
    for (Index i = 0; i < size(); ++i) r[i] = nearest((u[i] - shape_.kink[i]) * scale, i);
  }
  void make_dual_feasible(VectorOut r) const override {
    for (Index i = 0; i < size(); ++i) r[i] = nearest(r[i], i);
  }
  double conjugate(VectorIn r) const override { return r.dot(shape_.kink) + 0.5 * *bend_ * r.squaredNorm(); }
  std::optional<double> smoothness() const override { return 1.0 / *bend_; }
  std::optional<double> lipschitz(VectorIn, double) const override {
    return shape_.low.cwiseAbs().cwiseMax(shape_.high.cwiseAbs()).norm();
  }

 private:
  double nearest(double y, Index i) const {  // a NaN stays one
    return y < shape_.low[i] ? shape_.low[i] : (y > shape_.high[i] ? shape_.high[i] : y);
  }
  std::string name_;
  DualBoxShape shape_;
  std::shared_ptr<const double> bend_;
};

const DualBoxShape* kinked_shape(const Term& term, LossShape& storage) {
  if (term.differentiable() || term.loss() == nullptr || term.map() == nullptr) return nullptr;
  storage = term.loss()->shape();
  const auto* shape = std::get_if<DualBoxShape>(&storage);
  return shape != nullptr && shape->low.allFinite() && shape->high.allFinite() ? shape : nullptr;
}

}  // namespace

std::string SmoothedProblem::misfit(const Problem& problem) {
  for (Level level : kLevels)
    for (const Function::Part& part : problem.function(level).parts()) {
      LossShape storage;
      if (part.weight == 0.0 || part.term->l1_centre() != nullptr || part.term->differentiable()) continue;
      if (kinked_shape(*part.term, storage) == nullptr)
        return "the term '" + std::string(part.term->name()) + "' has kinks that it cannot round off";
    }
  return {};
}

SmoothedProblem::SmoothedProblem(const Problem& whole) : whole_(whole) {
  PerLevel<Function> smoothed;
  for (Level level : kLevels) {
    const std::vector<Function::Part>& parts = whole.function(level).parts();
    for (std::size_t i = 0; i < parts.size(); ++i) {
      TermPtr term = parts[i].term;
      if (parts[i].weight == 0.0 || term->l1_centre() != nullptr) continue;
      LossShape storage;
      if (const DualBoxShape* shape = kinked_shape(*term, storage)) {
        const double squares = shape->low.cwiseAbs2().cwiseMax(shape->high.cwiseAbs2()).sum();
        kinks_.push_back({level, parts[i].weight, squares, std::make_shared<double>(1.0)});
        // The map lives in the term.
        term = loss_term(LinearMapPtr(term, term->map()),
                         std::make_shared<SmoothedLoss>(term->name(), *shape, kinks_.back().bend));
      }
      smoothed[level] += Function(std::move(term), parts[i].weight);
      sources_[level].push_back(i);
    }
    if (sources_[level].empty()) {  // an l1 norm alone
      smoothed[level] = Function(linear_term(Vector::Zero(whole.dimension())));
      sources_[level].push_back(parts.size());
    }
  }
  problem_.emplace(std::move(smoothed.upper), std::move(smoothed.lower), whole.domain_pointer(), whole.start());
}

bool SmoothedProblem::has_kinks(const Weights& weights) const {
  return std::any_of(kinks_.begin(), kinks_.end(), [&](const Kink& kink) { return weights.uses(kink.level); });
}

void SmoothedProblem::set_error(const Weights& weights, double error) {
  const auto count = static_cast<double>(
      std::count_if(kinks_.begin(), kinks_.end(), [&](const Kink& kink) { return weights.uses(kink.level); }));
  for (Kink& kink : kinks_)
    if (weights.uses(kink.level))
      *kink.bend = std::max(2.0 * error / (count * weights.of(kink.level) * kink.weight * kink.squares),
                            std::numeric_limits<double>::min());
}

void SmoothedProblem::take(const Weights& weights, const Point& whole, Point& smoothed) const {
  smoothed.x = whole.x;
  for (Level level : kLevels) {
    if (!weights.uses(level)) continue;
    for (std::size_t i = 0; i < sources_[level].size(); ++i)
      if (smoothed.images[level][i].size() > 0)
        smoothed.images[level][i] = whole.images[level][sources_[level][i]];
  }
}

void SmoothedProblem::give(const Weights& weights, const Point& smoothed, Point& whole) const {
  whole.x = smoothed.x;
  for (Level level : kLevels) {
    if (!weights.uses(level)) continue;
    for (std::size_t i = 0; i < sources_[level].size(); ++i)
      if (smoothed.images[level][i].size() > 0)
        whole.images[level][sources_[level][i]] = smoothed.images[level][i];
  }
}

}  // namespace fcbio
