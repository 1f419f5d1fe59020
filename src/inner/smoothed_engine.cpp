#include "inner/smoothed_engine.hpp"

#include <algorithm>
#include <cmath>

#include "core/overloaded.hpp"

namespace fcbio {
namespace {

constexpr Index kPairs = 12;
constexpr double kMostError = 0.5;  // of the gap: more than that, and the smoothing becomes less
constexpr double kLessSmoothing = 0.4;
constexpr double kLeastSmoothing = 1e-13;
constexpr int kMostSmoothedSteps = 100;  // with one smoothing
constexpr int kOfferEvery = 3;           // steps between bounds
constexpr double kLeastSlope = 1e-12;    // cosine below which a direction is not worth a search
constexpr double kMostDrift = 1e-12;     // of carried images, in sum, relative to 1 + |x|

double soft_threshold(double value, double by) {
  return value > by ? value - by : (value < -by ? value + by : 0.0);
}

}  // namespace

std::string SmoothedEngine::misfit(const Problem& problem) {
  if (std::string why = SmoothedProblem::misfit(problem); !why.empty()) return why;
  return L1Part::misfit(problem);
}

bool SmoothedEngine::steps_within(const ConvexSet& set) {
  return std::visit(Overloaded{
                        [](const BoxShape&) { return true; },
                        [](const BallShape&) { return true; },
                        [](const WholeSpaceShape&) { return true; },
                        [](const SimplexShape&) { return false; },
                        [](const L1BallShape&) { return false; },
                        [](const NonnegativeBallShape&) { return false; },
                        [](const PolyhedronShape&) { return false; },
                        [](std::monostate) { return false; },
                    },
                    set.shape());
}

SmoothedEngine::SmoothedEngine(Oracle& oracle)
    : Engine(oracle),
      smoothed_(oracle.problem()),
      soft_(smoothed_.problem(), oracle.monitor()),
      l1_(oracle.problem()),
      rows_(oracle),
      model_(oracle.problem().dimension(), kPairs),
      search_(smoothed_.problem()),
      inner_(smoothed_.problem()),
      direction_(smoothed_.problem()),
      before_{Linearization(smoothed_.problem().upper()), Linearization(smoothed_.problem().lower())},
      duals_(oracle.problem()),
      gradient_(Vector::Zero(oracle.problem().dimension())),
      pseudo_(gradient_),
      target_(gradient_),
      numbers_(stored_numbers(oracle.problem())) {}

void SmoothedEngine::archive(Archive& archive) {
  archive(smoothed_, soft_, rows_, model_, inner_, duals_, gradient_, most_, share_, drift_, upper_in_use_,
          offered_, steps_, steps_at_check_, steps_at_smoothing_, next_offer_at_);
}

// The images of a direction and a gradient; sometimes images once more, or a gradient after the smoothing changed.
std::int64_t SmoothedEngine::step_cost(const Weights& weights) const {
  std::int64_t passes = 0;
  for (Level level : kLevels) {
    if (!weights.uses(level)) continue;
    const PassCost cost = smoothed_.problem().function(level).cost();
    passes += 2 * cost.image + 2 * (cost.value + cost.gradient) + cost.value;
  }
  return passes;
}

std::int64_t SmoothedEngine::end_cost(const Weights& weights) const {
  std::int64_t passes = 0;
  for (Level level : kLevels) {
    if (!weights.uses(level)) continue;
    const PassCost cost = smoothed_.problem().function(level).cost();
    passes += cost.image + 2 * cost.value + cost.gradient;
  }
  return passes;
}

bool SmoothedEngine::begin(const Weights& weights, Iterate& at) {
  smoothed_.take(weights, at.point, inner_.point);
  rows_.begin(weights);
  for (Level level : kLevels)
    if (weights.uses(level) && !(most_[level] >= at.value(level))) most_[level] = at.value(level);
  if (weights.uses(Level::upper) != upper_in_use_) share_ = kFirstShare;
  upper_in_use_ = weights.uses(Level::upper);
  set_share(weights, share_);
  steps_ = steps_at_check_ = steps_at_smoothing_ = 0;
  return oracle_.monitor().may_spend(end_cost(weights)) && linearize(weights);
}

bool SmoothedEngine::linearize(const Weights& weights) {
  for (Level level : kLevels)
    if (weights.uses(level)) inner_.linearize(soft_, level);
  inner_.gradient(weights, gradient_);
  offered_ = false;
  return !oracle_.monitor().stopped();
}

void SmoothedEngine::set_share(const Weights& weights, double share) {
  share_ = share;
  double scale = 0.0;
  for (Level level : kLevels)
    if (weights.uses(level))
      scale += weights.of(level) * (most_[level] - std::max(oracle_.problem().function(level).lower_bound(), 0.0));
  smoothed_.set_error(weights, share_ * (scale > 0.0 ? scale : 1.0));
  model_.clear();
  steps_at_smoothing_ = steps_;
}

void SmoothedEngine::pseudo_gradient(const Weights& weights) {
  const double w = l1_.weight(weights);
  if (w > 0.0) {
    const Vector& c = l1_.centre();
    for (Index j = 0; j < pseudo_.size(); ++j) {
      const double offset = inner_.point.x[j] - c[j];
      pseudo_[j] = offset != 0.0 ? gradient_[j] + std::copysign(w, offset) : soft_threshold(gradient_[j], w);
    }
  } else {
    pseudo_ = gradient_;
  }
  if (const SetShape shape = oracle_.problem().domain().shape(); const auto* box = std::get_if<BoxShape>(&shape)) {
    const Vector& x = inner_.point.x;
    for (Index j = 0; j < pseudo_.size(); ++j)
      if ((x[j] <= (*box->lower)[j] && pseudo_[j] > 0.0) || (x[j] >= (*box->upper)[j] && pseudo_[j] < 0.0))
        pseudo_[j] = 0.0;
  }
}

/// direction_.x <- target_ - x, with its slopes.
void SmoothedEngine::set_direction(const Weights& weights) {
  direction_.x = target_ - inner_.point.x;
  const double w = l1_.weight(weights);
  l1_slope_ = w > 0.0 ? w * (l1_.norm(target_) - l1_.norm(inner_.point.x)) : 0.0;
  descent_ = gradient_.dot(direction_.x) + l1_slope_;
}

bool SmoothedEngine::direction(const Weights& weights) {
  const Vector& x = inner_.point.x;
  const double size = pseudo_.norm();
  if (size == 0.0) return false;
  const bool has_l1 = l1_.weight(weights) > 0.0;
  const SetShape shape = oracle_.problem().domain().shape();
  if (model_.usable() == 0) {  // only a direction: its length is searched for
    const double reach = oracle_.problem().domain().diameter().value_or(1.0);
    model_.set_sigma(size / (reach > 0.0 ? 0.01 * reach : 1.0) + std::numeric_limits<double>::min());
  }
  if (const auto* ball = std::get_if<BallShape>(&shape); ball != nullptr && !has_l1) {
    target_ = x - *ball->centre;
    model_.solve_in_ball(gradient_, target_, ball->radius, direction_.x);
    target_ = x + direction_.x;
  } else {
    model_.solve(pseudo_, target_, -1.0);
    for (Index j = 0; j < x.size(); ++j) target_[j] = pseudo_[j] == 0.0 ? x[j] : x[j] + target_[j];
    if (has_l1) {
      const Vector& c = l1_.centre();
      for (Index j = 0; j < x.size(); ++j) {
        const double side = x[j] != c[j] ? x[j] - c[j] : -pseudo_[j];
        if ((target_[j] - c[j]) * side <= 0.0) target_[j] = c[j];
      }
    }
  }
  oracle_.project(target_);
  set_direction(weights);
  return descent_ < -kLeastSlope * size * direction_.x.norm();
}

/// A step of the proximal gradient method, whose length is searched for, too.
bool SmoothedEngine::proximal_direction(const Weights& weights) {
  const double sigma = std::max(model_.sigma(), std::numeric_limits<double>::min());
  target_ = inner_.point.x - gradient_ / sigma;
  l1_.prox(oracle_, l1_.weight(weights) / sigma, target_);
  const Vector& x = inner_.point.x;
  if (l1_.weight(weights) > 0.0) {  // the way stays in one orthant
    const Vector& c = l1_.centre();
    for (Index j = 0; j < x.size(); ++j)
      if ((target_[j] - c[j]) * (x[j] - c[j]) < 0.0) target_[j] = c[j];
    oracle_.project(target_);
  }
  set_direction(weights);
  return descent_ < 0.0;
}

/// How far the way stays in Z, and in its orthant where there is an l1 norm.
double SmoothedEngine::longest_step() const {
  if (l1_slope_ != 0.0) return 1.0;
  const Vector &x = inner_.point.x, &d = direction_.x;
  const auto in_box = [&](const BoxShape& box) {
    double most = kInfinity;
    for (Index j = 0; j < x.size(); ++j)
      if (d[j] != 0.0) most = std::min(most, ((d[j] > 0.0 ? *box.upper : *box.lower)[j] - x[j]) / d[j]);
    return most;
  };
  const auto in_ball = [&](const BallShape& ball) {
    const double vv = (x - *ball.centre).squaredNorm(), vd = (x - *ball.centre).dot(d), dd = d.squaredNorm();
    const double slack = std::max(0.0, ball.radius * ball.radius - vv);
    return dd > 0.0 ? (-vd + std::sqrt(vd * vd + dd * slack)) / dd : 1.0;
  };
  const double most = std::visit(Overloaded{
                                     [&](const BoxShape& box) { return in_box(box); },
                                     [&](const BallShape& ball) { return in_ball(ball); },
                                     [](const WholeSpaceShape&) { return kInfinity; },
                                     [](const SimplexShape&) { return 1.0; },
                                     [](const L1BallShape&) { return 1.0; },
                                     [](const NonnegativeBallShape&) { return 1.0; },
                                     [](const PolyhedronShape&) { return 1.0; },
                                     [](std::monostate) { return 1.0; },
                                 },
                                 oracle_.problem().domain().shape());
  return std::max(1.0, most);
}

bool SmoothedEngine::step(const Weights& weights, Iterate& at) {
  const double phi = at.phi(weights);
  const bool has_kinks = smoothed_.has_kinks(weights);
  // What was rounded off is known: the smoothed value is at hand.
  const double rounded_off = phi - inner_.phi(weights) - l1_.weight(weights) * l1_.norm(inner_.point.x);
  if (has_kinks && share_ > kLeastSmoothing &&
      (rounded_off > kMostError * (phi - rows_.low()) || steps_ - steps_at_smoothing_ >= kMostSmoothedSteps)) {
    set_share(weights, kLessSmoothing * share_);
    if (!linearize(weights)) return false;
  }
  pseudo_gradient(weights);
  if (!direction(weights)) {
    model_.clear();
    if (!proximal_direction(weights)) {
      // A minimiser of the smoothed problem.
      if (!has_kinks || !(share_ > kLeastSmoothing)) return false;
      set_share(weights, kLessSmoothing * share_);
      if (!linearize(weights)) return false;
      pseudo_gradient(weights);
      if (!direction(weights) && !proximal_direction(weights)) return ++steps_, true;
    }
  }
  for (Level level : kLevels)
    if (weights.uses(level)) soft_.update_images(level, direction_);
  const double alpha = search(weights);
  if (oracle_.monitor().stopped() || !(alpha > 0.0)) return false;
  inner_.point.set_combination(1.0, inner_.point, alpha, direction_);
  if (alpha == 1.0) inner_.point.x = target_;  // coordinates that end at c are there
  target_ = inner_.point.x;
  oracle_.project(inner_.point.x);
  drift_ += kEpsilon + (inner_.point.x - target_).norm() / (1.0 + target_.norm());
  for (Level level : kLevels) {
    if (!weights.uses(level)) continue;
    std::swap(before_[level], inner_.at[level]);
    if (drift_ > kMostDrift) soft_.update_images(level, inner_.point);
  }
  if (drift_ > kMostDrift) drift_ = 0.0;
  if (!linearize(weights)) return false;
  PerLevel<GradientChange> changes;
  for (Level level : kLevels)
    if (weights.uses(level)) changes[level] = {inner_.at[level].gradient.data(), before_[level].gradient.data()};
  model_.add(weights, alpha, direction_.x, changes.upper, changes.lower);
  ++steps_;
  show(weights, at);
  return !oracle_.monitor().stopped();
}

// Where trials cost passes they leave enough for the end of the step.
double SmoothedEngine::search(const Weights& weights) {
  const Monitor::Reservation for_the_end(oracle_.monitor(), end_cost(weights));
  return search_.search(soft_, weights, inner_.point, direction_, descent_, 1.0, longest_step(), l1_slope_);
}

void SmoothedEngine::show(const Weights& weights, Iterate& at) {
  smoothed_.give(weights, inner_.point, at.point);
  for (Level level : kLevels) {
    at.linearized[level] = false;
    if (weights.uses(level)) at.values[level] = oracle_.value(level, at.point);
  }
}

EngineBound SmoothedEngine::bound(const Weights& weights, const Iterate& at) {
  if (!offered_ && (steps_ < 2 || (steps_ - steps_at_check_ >= kOfferEvery && work() >= next_offer_at_)))
    offer_duals(weights);
  return rows_.bound(at.phi(weights));
}

double SmoothedEngine::work() const {
  return static_cast<double>(oracle_.monitor().work().passes() * numbers_) + operations();
}

// Where rows are short, an offer takes as long as many steps: half of the time, at most.
void SmoothedEngine::offer_duals(const Weights& weights) {
  const double begun = work();
  const Vector none;
  for (Level level : kLevels) {
    if (!weights.uses(level)) continue;
    // The slope of the losses: linear functions and squares are not theirs.
    const Function& function = smoothed_.problem().function(level);
    Vector& slope = duals_.slopes[level];
    slope = inner_.at[level].gradient;
    if (const double curvature = function.exact_curvature(); curvature > 0.0) slope -= curvature * inner_.point.x;
    for (std::size_t i = 0; i < function.parts().size(); ++i) {
      const Function::Part& part = function.parts()[i];
      if (part.term->dual_size() == 0)
        part.term->add_slope(-part.weight, none, slope);
      else
        duals_.duals[level][smoothed_.sources(level)[i]] = inner_.at[level].duals[i];
    }
  }
  rows_.offer(duals_);
  next_offer_at_ = 2.0 * work() - begun;
  offered_ = true;
  steps_at_check_ = steps_;
}

}  // namespace fcbio
