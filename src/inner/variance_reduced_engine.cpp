#include "inner/variance_reduced_engine.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace fcbio {
namespace {

constexpr double kWeaken = 0.25;   // of lambda
constexpr double kInTheWay = 0.5;  // share of the gap of phi that the gap of phi_lambda must fall to
// Where the estimate of L may be too small: snapshots without progress before it is doubled.  By theory the gap falls
// by a constant factor in 1/theta of them.
constexpr double kPatience = 20.0, kPatienceByTheta = 4.0;
constexpr double kProgress = 0.9;  // of the gap
// Of an inner step besides its rows, in numbers of a row visited: sweeps over whole vectors, and all that is called.
constexpr double kVectorWork = 3.0, kStepWork = 400.0;
// A batch makes up for that.  In theory one of b rows does the work of b while b <= 2 S/L; one of this many S/L draws
// at most 3 times the rows, in less time.
constexpr double kLargestBatch = 16.0;
constexpr double kMostSnapshots = 0.75;  // the proof asks for no more
constexpr std::int64_t kMostDraws = 1 << 16;

}  // namespace

VarianceReducedEngine::VarianceReducedEngine(Oracle& oracle, const VarianceReducedOptions& options)
    : Engine(oracle),
      options_(options),
      random_(static_cast<std::uint64_t>(options.seed)),
      anchor_(Vector::Zero(oracle.problem().dimension())),
      y_(anchor_),
      z_(anchor_),
      x_(anchor_),
      base_(anchor_),
      next_(anchor_),
      gradient_(anchor_),
      point_(anchor_),
      slope_(anchor_),
      tangent_(oracle.problem()) {}

std::string VarianceReducedEngine::misfit(const Problem& problem) { return FiniteSum::misfit(problem); }

void VarianceReducedEngine::archive(Archive& archive) {
  bool has_sum = sum_.has_value();
  std::stringstream chance;
  chance << random_;
  std::string chance_text = chance.str();
  archive(has_sum, constants_, batch_, drawn_, chance_text, regularization_, smoothness_share_, modulus_,
          snapshot_chance_, theta_, alpha_, epoch_passes_, least_gap_, idle_, anchor_, y_, z_, base_);
  chance.str(chance_text);
  chance >> random_;
  if (has_sum && !sum_) sum_.emplace(oracle_);
  if (has_sum) archive(*sum_);
}

std::int64_t VarianceReducedEngine::step_cost(const Weights& weights) const {
  std::int64_t passes = static_cast<std::int64_t>(std::ceil(epoch_passes_));
  for (Level level : kLevels) {
    if (!weights.uses(level)) continue;
    const PassCost cost = oracle_.problem().function(level).cost();
    passes += cost.image + cost.value + cost.gradient + (cost.image > 0 ? 1 : 0);  // and what is rounded up
  }
  return passes;
}

bool VarianceReducedEngine::begin(const Weights& weights, Iterate& at) {
  Monitor& monitor = oracle_.monitor();
  if (!sum_) {
    if (!monitor.may_spend(FiniteSum::cost(oracle_.problem()))) return false;
    sum_.emplace(oracle_);
  }
  for (Level level : kLevels) {
    if (!weights.uses(level) || at.linearized[level]) continue;
    const PassCost cost = oracle_.problem().function(level).cost();
    if (!monitor.may_spend(cost.value + cost.gradient)) return false;
    at.linearize(oracle_, level);
  }
  if (monitor.stopped()) return false;
  anchor_ = at.point.x;
  constants_ = sum_->constants(weights);
  plan(weights);
  // As large as it can be without being felt in the rate of the method.
  regularization_ = std::max(0.0, 0.25 * snapshot_chance_ * modulus_ - constants_.curvature);
  start_at(at);
  prepare_steps(weights, at);
  return true;
}

/// Batch, snapshot chance and K.
void VarianceReducedEngine::plan(const Weights&) {
  const double smoothness = std::min(constants_.total, smoothness_share_ * constants_.smoothness);
  const double wanted =
      (kVectorWork * static_cast<double>(anchor_.size()) + kStepWork) / constants_.numbers_per_draw;
  const double most = std::min(kLargestBatch * constants_.total / smoothness, constants_.components);
  const auto by_cost = static_cast<std::int64_t>(std::max(1.0, std::floor(std::min(wanted, most))));
  const std::int64_t batch = std::min(options_.batch > 0 ? options_.batch : by_cost, kMostDraws);
  batch_.draws.resize(static_cast<std::size_t>(batch));
  drawn_ = false;
  const auto b = static_cast<double>(batch);
  snapshot_chance_ = std::min(kMostSnapshots, b / (options_.epoch * constants_.components));
  modulus_ = smoothness + 2.0 * constants_.total / b;
  epoch_passes_ = constants_.passes_per_draw * std::max(b, options_.epoch * constants_.components);
}

void VarianceReducedEngine::start_at(const Iterate& at) {
  y_ = z_ = at.point.x;
  least_gap_ = kInfinity;
  idle_ = 0;
}

void VarianceReducedEngine::prepare_steps(const Weights& weights, const Iterate& at) {
  const double sigma = constants_.curvature + regularization_;
  theta_ = std::min(0.5, std::sqrt(sigma / (snapshot_chance_ * modulus_)));
  if (!options_.momentum) theta_ = 0.5;
  alpha_ = 1.0 / (theta_ * modulus_);
  at.gradient(weights, gradient_);
  base_ = constants_.curvature * at.point.x + regularization_ * anchor_ - gradient_;
}

bool VarianceReducedEngine::step(const Weights& weights, Iterate& at) {
  double left = epoch_passes_;
  for (;;) {
    if (!drawn_) sum_->draw(weights, random_, batch_);
    drawn_ = batch_.passes > left;
    if (drawn_) return true;
    left -= batch_.passes;
    if (!inner_step(weights, at)) return false;
    if (uniform(random_) < snapshot_chance_) return take_snapshot(weights, at);
  }
}

bool VarianceReducedEngine::inner_step(const Weights& weights, const Iterate& at) {
  const Vector& w = at.point.x;
  x_ = theta_ * z_ + 0.5 * w + (0.5 - theta_) * y_;
  const double scale = 1.0 / (1.0 / alpha_ + constants_.curvature + regularization_);
  next_ = (scale / alpha_) * z_ + scale * base_;
  sum_->add_difference(weights, batch_, x_, at, -scale, next_);
  oracle_.project(next_);
  y_ = x_ + theta_ * (next_ - z_);
  std::swap(z_, next_);
  const double operations = 4.0 * constants_.numbers_per_draw * static_cast<double>(batch_.draws.size());
  return !oracle_.monitor().is_over(operations + 8.0 * static_cast<double>(w.size()));
}

bool VarianceReducedEngine::take_snapshot(const Weights& weights, Iterate& at) {
  at.point.x = y_;
  for (Level level : kLevels) {
    at.linearized[level] = false;
    if (!weights.uses(level)) continue;
    oracle_.update_images(level, at.point);
    at.linearize(oracle_, level);
  }
  if (oracle_.monitor().stopped()) return false;
  weaken_regularization(weights, at);
  prepare_steps(weights, at);
  return true;
}

void VarianceReducedEngine::weaken_regularization(const Weights& weights, const Iterate& at) {
  const Vector& w = at.point.x;
  at.gradient(weights, gradient_);
  const double gap = tangent_gap(oracle_, w, gradient_, constants_.curvature, point_, slope_);
  const auto regularized_gap = [&] {
    next_ = gradient_ + regularization_ * (w - anchor_);
    return tangent_gap(oracle_, w, next_, constants_.curvature + regularization_, point_, slope_);
  };
  double of_regularized = regularized_gap();
  if (regularization_ > 0.0 && of_regularized <= kInTheWay * gap) {
    while (of_regularized <= kInTheWay * gap && regularization_ > 0.0) {
      regularization_ *= kWeaken;
      of_regularized = regularized_gap();
    }
    start_at(at);
    return;
  }
  if (of_regularized < kProgress * least_gap_) {
    least_gap_ = of_regularized;
    idle_ = 0;
  } else if (++idle_ >= kPatience + kPatienceByTheta / theta_ &&
             smoothness_share_ * constants_.smoothness < constants_.total) {
    smoothness_share_ *= 2.0;
    plan(weights);
    start_at(at);
  }
}

EngineBound VarianceReducedEngine::bound(const Weights& weights, const Iterate& at) {
  return tangent_.at(oracle_, weights, at);
}

}  // namespace fcbio
