#include "inner/primal_dual_engine.hpp"

#include <algorithm>
#include <cmath>

#include "core/overloaded.hpp"

namespace fcbio {
namespace {

// Restarts: the residual is down to kEnoughProgress of the first one; or to kSome, and grows; or the run is kLong of all steps.
constexpr double kEnoughProgress = 0.2, kSome = 0.8, kLong = 0.36;
constexpr double kGrowEta = 1.5;     // from restart to restart
constexpr double kStepMargin = 0.9;  // below what the steps of a run allow
constexpr double kMostRatio = 0.999;
constexpr int kStepsBetweenOffers = 10;  // steps between bounds

/// Sums of absolute values of the columns and rows of a map.
void absolute_sums(const LinearMap& map, Vector& columns, Vector& rows) {
  columns = Vector::Zero(map.cols());
  rows = Vector::Zero(map.rows());
  if (map.free()) {
    columns.setOnes();
    rows.setOnes();
    return;
  }
  const RowReader reader = map.read_rows();
  for (Index i = 0; i < map.rows(); ++i) {
    const RowView row = reader.row(i);
    for (Index k = 0; k < row.count; ++k) {
      const double size = std::abs(row.values[k]);
      columns[row.columns != nullptr ? row.columns[k] : k] += size;
      rows[i] += size;
    }
  }
}

}  // namespace

std::string PrimalDualEngine::misfit(const Problem& problem) {
  for (Level level : kLevels)
    for (const Function::Part& part : problem.function(level).parts()) {
      if (!RowDuals::covers(part)) continue;
      if (std::string why = DualStep::misfit(*part.term); !why.empty()) return why;
      if (!part.term->map()->free() && !part.term->map()->copy_rows(nullptr))
        return "the numbers of the data of '" + std::string(part.term->name()) + "' are not at hand";
    }
  return L1Part::misfit(problem);
}

PrimalDualEngine::PrimalDualEngine(Oracle& oracle)
    : Engine(oracle),
      l1_(oracle.problem()),
      bounds_(oracle),
      now_(oracle.problem()),
      next_(now_),
      anchor_(now_),
      column_lengths_(Vector::Zero(oracle.problem().dimension())),
      slope_(column_lengths_),
      own_slope_(column_lengths_),
      separable_(std::holds_alternative<BoxShape>(oracle.problem().domain().shape()) ||
                 std::holds_alternative<WholeSpaceShape>(oracle.problem().domain().shape())) {
  for (Level level : kLevels) {
    const std::vector<Function::Part>& parts = oracle.problem().function(level).parts();
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (!RowDuals::covers(parts[i])) continue;
      Piece& piece = pieces_.emplace_back(Piece{level, i, &parts[i], DualStep(*parts[i].term->loss()), {}, {}});
      absolute_sums(*parts[i].term->map(), piece.column_sums, piece.row_sums);
      piece.lengths = piece.extrapolated = piece.row_sums;
      piece.dual_step.start(now_.rows.duals[level][i]);
    }
  }
}

void PrimalDualEngine::archive(Archive& archive) {
  for (Piece& piece : pieces_) archive(piece.lengths);
  archive(bounds_, now_, next_, anchor_, column_lengths_, own_slope_, curvature_, eta_, omega_, has_balance_, run_,
          steps_, steps_at_offer_, first_residual_, last_residual_, steepest_, restarted_, at_rest_);
}

const Vector& PrimalDualEngine::image(const State& state, const Piece& piece) const {
  return piece.source->term->map()->free() ? state.point.x : state.point.images[piece.level][piece.part];
}

std::int64_t PrimalDualEngine::step_cost(const Weights& weights) const {
  std::int64_t passes = 0;
  for (Level level : kLevels)
    if (weights.uses(level)) passes += oracle_.step_cost(level);
  return passes;
}

void PrimalDualEngine::set_lengths(const Weights& weights) {
  column_lengths_.setZero();
  for (Piece& piece : pieces_) {
    if (!weights.uses(piece.level)) continue;
    const double root = std::sqrt(weights.of(piece.level) * piece.source->weight);
    column_lengths_ += root * piece.column_sums;
    for (Index i = 0; i < piece.lengths.size(); ++i)
      piece.lengths[i] = piece.row_sums[i] > 0.0 ? 1.0 / (root * piece.row_sums[i]) : 1.0;
  }
  const double most = column_lengths_.maxCoeff();
  for (double& length : column_lengths_)
    length = most > 0.0 ? 1.0 / (separable_ && length > 0.0 ? length : most) : 1.0;
}

void PrimalDualEngine::adopt(const RowDuals& duals) { now_.rows = duals; }

bool PrimalDualEngine::begin(const Weights& weights, Iterate& at) {
  bounds_.begin(weights);
  set_lengths(weights);
  own_slope_.setZero();
  curvature_ = 0.0;
  const Vector none;
  std::int64_t passes = 0;
  for (Level level : kLevels) {
    if (!weights.uses(level)) continue;
    const Function& function = oracle_.problem().function(level);
    curvature_ += weights.of(level) * function.exact_curvature();
    passes += function.cost().slope;
    for (const Function::Part& part : function.parts())
      if (part.term->dual_size() == 0) part.term->add_slope(weights.of(level) * part.weight, none, own_slope_);
  }
  if (!oracle_.monitor().may_spend(passes)) return false;
  now_.point.x = at.point.x;
  for (Level level : kLevels)
    if (weights.uses(level)) now_.point.images[level] = at.point.images[level];
  slopes(weights, now_);
  if (!has_balance_) {
    const Ways way = ways(weights, nullptr, now_);
    omega_ = way.primal > 0.0 && way.dual > 0.0 ? way.dual / way.primal : 1.0;
    has_balance_ = way.primal > 0.0 && way.dual > 0.0;
  }
  anchor_ = now_;
  run_ = 0;
  steps_ = steps_at_offer_ = 0;
  eta_ = std::min(eta_, 1.0);
  steepest_ = 0.0;
  restarted_ = at_rest_ = false;
  return !oracle_.monitor().stopped();
}

void PrimalDualEngine::slopes(const Weights& weights, State& state) {
  for (Level level : kLevels) {
    if (!weights.uses(level)) continue;
    Vector& slope = state.rows.slopes[level];
    slope.setZero();
    for (const Piece& piece : pieces_)
      if (piece.level == level)
        piece.source->term->add_slope(piece.source->weight, state.rows.duals[level][piece.part], slope);
    oracle_.charge(level, oracle_.problem().function(level).cost().slope);
  }
}

// next_ <- T now_
void PrimalDualEngine::apply(const Weights& weights) {
  slope_ = own_slope_;
  for (Level level : kLevels)
    if (weights.uses(level)) slope_ += weights.of(level) * now_.rows.slopes[level];
  // In the metric 1/t the square of p adds up with that of the step.
  const double scale = eta_ / omega_, w = l1_.weight(weights);
  Vector& x = next_.point.x;
  if (separable_) {
    for (Index j = 0; j < x.size(); ++j) {
      const double length = scale * column_lengths_[j], own = length / (1.0 + length * curvature_);
      const double free = (now_.point.x[j] - length * slope_[j]) / (1.0 + length * curvature_);
      if (w > 0.0) {
        const double offset = free - l1_.centre()[j], by = own * w;
        x[j] = std::abs(offset) <= by ? l1_.centre()[j] : free - std::copysign(by, offset);
      } else {
        x[j] = free;
      }
    }
    oracle_.project(x);
  } else {
    const double length = scale * column_lengths_[0], own = length / (1.0 + length * curvature_);
    x = (now_.point.x - length * slope_) / (1.0 + length * curvature_);
    l1_.prox(oracle_, own * w, x);
  }
  for (Level level : kLevels)
    if (weights.uses(level)) oracle_.update_images(level, next_.point);
  for (Piece& piece : pieces_) {
    if (!weights.uses(piece.level)) continue;
    Vector& dual = next_.rows.duals[piece.level][piece.part];
    const Vector &before = image(now_, piece), &after = image(next_, piece);
    dual = now_.rows.duals[piece.level][piece.part];
    piece.extrapolated = 2.0 * after - before;
    piece.dual_step.apply(piece.extrapolated, piece.lengths, eta_ * omega_, dual);
  }
  slopes(weights, next_);
}

PrimalDualEngine::Ways PrimalDualEngine::ways(const Weights& weights, const State* from, const State& to) const {
  const auto squared = [](const Vector* a, const Vector& b, const Vector& lengths) {
    return a != nullptr ? ((b - *a).array().square() / lengths.array()).sum()
                        : (b.array().square() / lengths.array()).sum();
  };
  Ways way{squared(from != nullptr ? &from->point.x : nullptr, to.point.x, column_lengths_), 0.0};
  for (const Piece& piece : pieces_) {
    if (!weights.uses(piece.level)) continue;
    const Vector* before = from != nullptr ? &from->rows.duals[piece.level][piece.part] : nullptr;
    way.dual += weights.of(piece.level) * piece.source->weight *
                squared(before, to.rows.duals[piece.level][piece.part], piece.lengths);
  }
  return {std::sqrt(way.primal), std::sqrt(way.dual)};
}

// |T z - z| in the metric; steepest_ <- what of it the coupling of primal and dual steps takes.
double PrimalDualEngine::measure(const Weights& weights) {
  const Ways way = ways(weights, &now_, next_);
  const double squared = (omega_ * way.primal * way.primal + way.dual * way.dual / omega_) / eta_;
  double coupled = 0.0;
  for (const Piece& piece : pieces_)
    if (weights.uses(piece.level))
      coupled += weights.of(piece.level) * piece.source->weight *
                 (next_.rows.duals[piece.level][piece.part] - now_.rows.duals[piece.level][piece.part])
                     .dot(image(next_, piece) - image(now_, piece));
  steepest_ = squared > 0.0 ? std::max(steepest_, 2.0 * std::abs(coupled) / squared) : steepest_;
  return std::sqrt(squared);
}

bool PrimalDualEngine::step(const Weights& weights, Iterate& at) {
  if (at_rest_) return false;
  apply(weights);
  if (oracle_.monitor().stopped()) return false;
  const double residual = measure(weights);
  ++steps_;
  ++run_;
  at_rest_ = residual == 0.0;
  if (run_ == 1) first_residual_ = residual;
  const bool too_long_steps = steepest_ > kMostRatio;
  restarted_ = run_ > 1 && (too_long_steps || residual <= kEnoughProgress * first_residual_ ||
                            (residual <= kSome * first_residual_ && residual > last_residual_) ||
                            run_ >= kLong * static_cast<double>(steps_));
  last_residual_ = residual;
  if (restarted_) {
    std::swap(now_, next_);
    if (!too_long_steps) balance(weights);
    eta_ *= std::min(kGrowEta, kStepMargin / std::max(steepest_, 1e-9));
    steepest_ = 0.0;
    anchor_ = now_;
    run_ = 0;
  }
  // The caller sees T z, which is in Z.
  const State& shown = restarted_ ? now_ : next_;
  at.point.x = shown.point.x;
  for (Level level : kLevels) {
    at.linearized[level] = false;
    if (!weights.uses(level)) continue;
    at.point.images[level] = shown.point.images[level];
    at.values[level] = oracle_.value(level, at.point);
  }
  if (restarted_ || steps_ - steps_at_offer_ >= kStepsBetweenOffers || steps_ <= 2) {
    bounds_.offer(shown.rows);
    steps_at_offer_ = steps_;
  }
  if (!restarted_) {
    const double b = static_cast<double>(run_) / (static_cast<double>(run_) + 1.0);
    now_.point.set_combination(-b, now_.point, 2.0 * b, next_.point);
    now_.point.set_combination(1.0, now_.point, 1.0 - b, anchor_.point);
    now_.rows.set_combination(-b, now_.rows, 2.0 * b, next_.rows);
    now_.rows.set_combination(1.0, now_.rows, 1.0 - b, anchor_.rows);
  }
  return !oracle_.monitor().stopped();
}

void PrimalDualEngine::balance(const Weights& weights) {
  const Ways way = ways(weights, &anchor_, now_);
  if (!(way.primal > 0.0) || !(way.dual > 0.0)) return;
  omega_ = std::sqrt(omega_ * way.dual / way.primal);
  has_balance_ = true;
}

EngineBound PrimalDualEngine::bound(const Weights& weights, const Iterate& at) {
  return bounds_.bound(at.phi(weights));
}

}  // namespace fcbio
