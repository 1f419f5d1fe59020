#include "inner/interior_point_engine.hpp"

#include <cmath>

#include "fcbio/error.hpp"
#include "inner/newton_system.hpp"

namespace fcbio {
namespace {

// Products of one step, at most: three directions, each solved and refined.
constexpr std::int64_t kMostProducts = 3 * 24 + 8;
// Steps without a clearly better bound after which rounding is all that moves.  A smaller multiplier may do better; in the
// lower phase there is none, so more patience.
constexpr int kMostIdleSteps = 15, kMostIdleLowerSteps = 60;
constexpr double kClearlyBetter = 0.9;
constexpr double kMostlyThere = 0.5;  // of the way from a point of Z: who is further outside of a ball is not shown
// On rows without data a linear g is met exactly by a multiplier of moderate size, and f keeps more digits beside it.
constexpr double kShareOnRows = 0.4, kShare = 0.75;

constexpr double kMostOperations = 1.5e10;  // of one factorisation
// What a solve takes, of both phases: steps, products of each, and the time of a sparse factor's operation in that of a
// product's.
constexpr double kSteps = 20.0, kProducts = 15.0, kSparseTime = 7.0;

/// Whether the data are stored as numbers of which the pattern may pay, so that a look at it costs little.
bool is_sparse_data(const Problem& problem) {
  constexpr Index kMostDense = Index{1} << 22;  // numbers of maps that are stored as dense rows
  for (Level level : kLevels)
    for (const Function::Part& part : problem.function(level).parts()) {
      if (part.term->quadratic_map() != nullptr) return false;
      const LinearMap* map = part.term->map();
      if (map != nullptr && !map->free() && !map->copy_sparse_rows(nullptr) && map->numbers() > kMostDense)
        return false;
    }
  return true;
}

}  // namespace

std::string InteriorPointEngine::misfit(const Problem& problem) {
  if (std::string why = InteriorModel::misfit(problem); !why.empty()) return why;
  return InteriorRegion::misfit(problem.domain());
}

bool InteriorPointEngine::is_worthwhile(const Problem& problem) {
  return !problem.upper().differentiable() || !problem.lower().differentiable() ||
         InteriorRegion::size_of(problem.domain()).rows > 0;
}

// By columns a step costs what the products of the numbers of each row cost, and n^3/3; by rows the same with the sides
// exchanged.  A dense row or column has all its numbers, a sparse one the average.
InteriorPointEngine::DenseFactor InteriorPointEngine::dense_factor(const Problem& problem) {
  const auto n = static_cast<double>(problem.dimension());
  double rows = 0.0, by_columns = n * n * n / 3.0, by_rows = 0.0;
  bool has_quadratic = false;
  const auto add = [&](double count, double numbers) {
    rows += count;
    if (count > 0.0) by_columns += numbers * numbers / count;
    by_rows += numbers * numbers / n;
  };
  for (Level level : kLevels)
    for (const Function::Part& part : problem.function(level).parts()) {
      has_quadratic = has_quadratic || part.term->quadratic_map() != nullptr;
      if (const LinearMap* map = part.term->map(); map != nullptr && !map->free())
        add(static_cast<double>(map->rows()), static_cast<double>(map->numbers()));
    }
  const InteriorRegion::Size region = InteriorRegion::size_of(problem.domain());
  add(static_cast<double>(region.rows), static_cast<double>(region.numbers));
  by_rows += rows * rows * rows / 3.0;
  const auto largest = static_cast<double>(interior::Kkt::kLargest);
  if (n > largest) by_columns = kInfinity;
  if (rows > largest || has_quadratic) by_rows = kInfinity;
  return by_rows < by_columns ? DenseFactor{by_rows, static_cast<Index>(rows)}
                              : DenseFactor{by_columns, problem.dimension()};
}

bool InteriorPointEngine::is_affordable_dense(const Problem& problem) {
  return dense_factor(problem).operations <= kMostOperations;
}

// Where dense factors are too much, the pattern decides.
bool InteriorPointEngine::is_affordable(const Problem& problem) {
  if (is_affordable_dense(problem)) return true;
  if (!is_sparse_data(problem)) return false;
  InteriorModel model(problem, InteriorRegion(problem.domain()), true);
  return model.fits() && model.method().factor_operations() <= kMostOperations;
}

bool InteriorPointEngine::may_be_sparse(const Problem& problem) {
  for (Level level : kLevels)
    for (const Function::Part& part : problem.function(level).parts())
      if (const LinearMap* map = part.term->map(); map != nullptr && !map->free() && map->copy_sparse_rows(nullptr))
        return true;
  return InteriorRegion(problem.domain()).rows() > 0;
}

double InteriorPointEngine::expected_cost(const Problem& problem) {
  const DenseFactor dense = dense_factor(problem);
  if (dense.operations > kMostOperations) return kInfinity;
  const Index numbers = stored_numbers(problem);
  return expected_cost(factor_slowness(dense.side, numbers) * dense.operations / (2.0 * static_cast<double>(numbers)));
}

double InteriorPointEngine::expected_cost() const {
  const interior::InteriorPoint& method = both_->method();
  if (!method.is_sparse()) return expected_cost(oracle_.problem());
  return expected_cost(kSparseTime * method.factor_operations() /
                       (2.0 * static_cast<double>(stored_numbers(oracle_.problem()))));
}

double InteriorPointEngine::expected_cost(double factor) { return kSteps * (kProducts + factor); }

InteriorPointEngine::InteriorPointEngine(Oracle& oracle)
    : Engine(oracle),
      region_(oracle.problem().domain()),
      lower_(std::make_unique<InteriorModel>(oracle.problem(), region_, false)),
      both_(std::make_unique<InteriorModel>(oracle.problem(), region_, true)),
      inside_(oracle.problem().start()),
      slope_(Vector::Zero(oracle.problem().dimension())),
      duals_{oracle.problem().upper().make_duals(), oracle.problem().lower().make_duals()},
      scratch_(oracle.monitor()) {
  if (!lower_->fits() || !both_->fits())
    throw InvalidArgument(
        "engine 'interior-point' does not fit: each of its steps factors a system of linear equations, and here the "
        "factor would be larger than memory allows, by rows as by columns, dense (a side of at most " +
        std::to_string(interior::Kkt::kLargest) + ") or sparse; leave the choice to engine = auto");
  Vector inside(oracle.problem().dimension());
  if (oracle.problem().domain().interior_point(inside)) inside_ = inside;
  if (region_.relative_interior() != nullptr) inside_ = *region_.relative_interior();
}

InteriorPointEngine::~InteriorPointEngine() = default;

void InteriorPointEngine::archive(Archive& archive) {
  bool any = last_ != nullptr, last_is_both = last_ == both_.get();
  archive(*lower_, *both_, best_gap_, idle_bounds_, any, last_is_both, fresh_);
  last_ = !any ? nullptr : (last_is_both ? both_.get() : lower_.get());
}

std::int64_t InteriorPointEngine::step_cost(const Weights& weights) const {
  InteriorModel& model = weights.uses(Level::upper) ? *both_ : *lower_;
  std::int64_t levels = 0;
  for (Level level : kLevels) levels += weights.uses(level) && model.uses_data(level) ? 1 : 0;
  return passes_of(model.method().factor_operations(), model.numbers()) + levels * kMostProducts;
}

double InteriorPointEngine::first_multiplier_share() const {
  return region_.rows() > 0 && !lower_->uses_data(Level::lower) ? kShareOnRows : kShare;
}

bool InteriorPointEngine::begin(const Weights& weights, Iterate&) {
  InteriorModel& now = model(weights);
  now.set(weights);
  now.start(inside_);
  fresh_ = true;
  best_gap_ = kInfinity;
  idle_bounds_ = 0;
  return !oracle_.monitor().stopped();
}

bool InteriorPointEngine::step(const Weights& weights, Iterate& at) {
  InteriorModel& now = model(weights);
  using Step = interior::InteriorPoint::Step;
  if (idle_bounds_ > (weights.uses(Level::upper) ? kMostIdleSteps : kMostIdleLowerSteps)) {
    if (!now.method().change_form()) return false;
    idle_bounds_ = 0;
  }
  Step made = now.method().step(&oracle_.monitor());
  if (made == Step::stuck && now.method().change_form()) made = now.method().step(&oracle_.monitor());
  oracle_.charge(Level::lower, passes_of(now.method().factor_operations(), now.numbers()));
  const std::int64_t products = std::min(now.method().take_products(), kMostProducts - 4);
  for (Level level : kLevels)
    if (weights.uses(level) && now.uses_data(level)) oracle_.charge(level, products);
  if (made != Step::taken) return false;
  fresh_ = false;
  last_ = &now;
  return show(weights, at);
}

std::optional<Vector> InteriorPointEngine::face_point() const {
  return last_ != nullptr ? last_->face_point() : std::nullopt;
}

/// The method's point becomes the caller's where it is in Z; before that, of an inner problem that began outside, the
/// caller keeps what there is.
bool InteriorPointEngine::show(const Weights& weights, Iterate& at) {
  const interior::InteriorPoint& method = model(weights).method();
  const double size = 1.0 + method.x().cwiseAbs().maxCoeff();
  if (method.infeasibility() > 64.0 * kEpsilon * size * std::sqrt(static_cast<double>(method.x().size())))
    return true;
  const double share = method.share_inside_balls(inside_);
  if (share < kMostlyThere) return true;
  at.point.x = method.x().head(oracle_.problem().dimension());
  if (share < 1.0) at.point.x = inside_ + share * (at.point.x - inside_);
  for (Level level : kLevels) {
    if (!weights.uses(level)) continue;
    oracle_.update_images(level, at.point);
    at.values[level] = oracle_.value(level, at.point);
    at.linearized[level] = false;
  }
  return !oracle_.monitor().stopped();
}

// low = constants + min over Z of <slope, z> + curvature/2 |z|^2, the square linearised at the method's point.
EngineBound InteriorPointEngine::bound(const Weights& weights, const Iterate& at) {
  EngineBound bound;
  if (fresh_) return bound;
  InteriorModel& now = model(weights);
  const Vector x = now.method().x().head(slope_.size());
  double constant = 0.0, curvature = 0.0;
  slope_.setZero();
  for (Level level : kLevels) {
    if (!weights.uses(level)) continue;
    now.duals(level, duals_[level]);
    (level == Level::upper ? bound.upper_duals : bound.lower_duals) = &duals_[level];
    const std::vector<Function::Part>& parts = oracle_.problem().function(level).parts();
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const double weight = weights.of(level) * parts[i].weight;
      if (weight == 0.0) continue;
      constant += weight * parts[i].term->dual_constant(duals_[level][i]);
      parts[i].term->add_slope(weight, duals_[level][i], slope_);
      curvature += weight * parts[i].term->exact_curvature();
    }
    if (now.uses_data(level)) oracle_.charge(level, 1);
  }
  hint_.point = curvature > 0.0 ? x : Vector();
  if (curvature > 0.0) {
    constant -= 0.5 * curvature * x.squaredNorm();
    slope_ += curvature * x;
  }
  hint_.domain = now.hint(slope_);
  const double linear = oracle_.problem().domain().prove_linear_bound(slope_, hint_.domain, scratch_);
  bound.gap = at.phi(weights) - (constant + linear);
  bound.hint = &hint_;
  if (!std::isfinite(bound.gap)) return {};
  idle_bounds_ = bound.gap < kClearlyBetter * best_gap_ ? 0 : idle_bounds_ + 1;
  best_gap_ = std::min(best_gap_, bound.gap);
  return bound;
}

}  // namespace fcbio
