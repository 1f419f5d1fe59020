#include "inner/newton.hpp"

#include <algorithm>
#include <cmath>

#include "core/overloaded.hpp"

namespace fcbio {
namespace {

constexpr Index kMostUnknowns = 1500;       // of the system to be factored
constexpr double kMostNumbers = 2e7;        // of the data as dense matrices
constexpr double kLeastShare = 0.01;        // of them that must be stored: the work is dense
constexpr int kMostFactorisations = 12;     // in one step
constexpr double kLengthTolerance = 1e-13;  // of the radius
constexpr double kRounded = 1e-4;           // where an error that no longer falls is rounding
constexpr double kMostFloorFactor = 1e9;
constexpr double kSlow = 0.1;        // share of the decrement before
constexpr double kFarFromOne = 2.0;  // a step that the line search changes so much had a poor model
constexpr double kNearSphere = 0.999;  // of the radius
constexpr double kNear = 1e-2;       // Newton's decrement beside phi, from which on duals are corrected

/// Whether the system is solved by rows: there are fewer of them, no bounds, and nothing but rows.
bool by_rows(const NewtonRows& rows, const NewtonBounds& bounds) {
  return rows.size() <= rows.dimension() && !bounds.any() && rows.products().empty();
}

}  // namespace

NewtonEngine::Region NewtonEngine::region_of(const Problem& problem, Vector& centre) {
  const Index n = problem.dimension();
  centre.setZero(n);
  return std::visit(Overloaded{
                        [&](const BallShape& ball) {
                          centre = *ball.centre;
                          return Region{ball.radius, true, {}};
                        },
                        [&](const NonnegativeBallShape& ball) {
                          return Region{ball.radius, true, {Vector::Zero(n), Vector::Constant(n, kInfinity)}};
                        },
                        [&](const BoxShape& box) {
                          return Region{kInfinity, false, {*box.lower, *box.upper}};
                        },
                        [&](const WholeSpaceShape& space) {
                          centre = *space.start;
                          return Region{space.radius.value_or(kInfinity), false, {}};
                        },
                        [](const SimplexShape&) { return Region{}; },  // does not fit
                        [](const L1BallShape&) { return Region{}; },
                        [](const PolyhedronShape&) { return Region{}; },
                        [](std::monostate) { return Region{}; },
                    },
                    problem.domain().shape());
}

std::string NewtonEngine::misfit(const Problem& problem, Form form) {
  const bool fits = std::visit(Overloaded{
                                   [](const BallShape&) { return true; },
                                   [](const NonnegativeBallShape&) { return true; },
                                   [](const BoxShape&) { return true; },
                                   [](const WholeSpaceShape&) { return true; },
                                   [](const SimplexShape&) { return false; },
                                   [](const L1BallShape&) { return false; },
                                   [](const PolyhedronShape&) { return false; },
                                   [](std::monostate) { return false; },
                               },
                               problem.domain().shape());
  if (!fits)
    return "the domain is of the kind '" + std::string(problem.domain().name()) +
           "', and the model can be minimised over the whole space, a ball, a box and a nonnegative ball only";
  if (std::string why = NewtonRows::misfit(problem); !why.empty()) return why;
  const NewtonRows rows(problem);
  const auto of_lower = [](const NewtonRows::Part& part) { return part.level == Level::lower; };
  if (form == Form::low_rank && std::none_of(rows.parts().begin(), rows.parts().end(), of_lower))
    return "the lower function has no rows to find the range of";
  if (form == Form::low_rank)
    return rows.products().empty() ? "" : "black boxes have no rows to find the range of";
  Vector centre;
  const bool rowwise = by_rows(rows, region_of(problem, centre).bounds);
  const Index n = rows.dimension(), unknowns = rowwise ? rows.size() : n;
  if (unknowns > kMostUnknowns)
    return std::string(!rows.products().empty()     ? "the number of unknowns is "
                       : rowwise || rows.size() > n ? "the smaller of rows and unknowns is "
                                                    : "the number of unknowns, which have bounds, is ") +
           std::to_string(unknowns) + ", and at most " + std::to_string(kMostUnknowns) + " are factored";
  if (!rowwise) return {};  // the data serve as they are stored
  const double dense = static_cast<double>(rows.size()) * static_cast<double>(n);
  if (dense > kMostNumbers)
    return "the data are " + std::to_string(rows.size()) + " x " + std::to_string(n) +
           ", more than 2e7 numbers as dense matrices";
  if (static_cast<double>(rows.numbers()) < kLeastShare * dense)
    return "the data are sparse: fewer than 1 % of the numbers are stored";
  return {};
}

std::unique_ptr<NewtonSystem> NewtonEngine::make_system() const {
  const Problem& problem = oracle_.problem();
  if (form_ == Form::low_rank) return newton_system_of_low_rank(problem, rows_, region_.bounds);
  return by_rows(rows_, region_.bounds) ? newton_system_by_rows(problem, rows_)
                                        : newton_system_by_columns(problem, rows_, region_.bounds);
}

NewtonEngine::NewtonEngine(Oracle& oracle, Form form)
    : Engine(oracle),
      form_(form),
      rows_(oracle.problem()),
      region_(region_of(oracle.problem(), centre_)),
      system_(make_system()),
      search_(oracle.problem()),
      tangent_(oracle.problem()),
      direction_(oracle.problem()),
      gradient_(Vector::Zero(oracle.problem().dimension())),
      slope_(gradient_),
      minimiser_(gradient_),
      residual_(gradient_) {
  for (Level level : kLevels) {
    corrected_[level].duals = oracle.problem().function(level).make_duals();
    corrected_[level].slope = gradient_;
  }
}

void NewtonEngine::archive(Archive& archive) {
  system_->archive(archive);
  archive(nu_, shrink_, decrement_, corrected_);
}

bool NewtonEngine::remakes_curvature() const {
  return !by_rows(rows_, region_.bounds) && !looks_quadratic({1.0, 1.0});
}

bool NewtonEngine::is_near_sphere(const Vector& x) const {
  return region_.is_ball && (x - centre_).norm() >= kNearSphere * region_.radius;
}

std::int64_t NewtonEngine::expected_cost(bool on_sphere) const {
  const NewtonSystem::Price price = system_->price();
  std::int64_t step = price.step + (on_sphere ? kSphereFactors : 1) * price.factor;
  for (Level level : kLevels) step += oracle_.step_cost(level);
  if (form_ == Form::low_rank) return price.once + kLowRankSteps * step;
  const int bends = region_.is_ball && region_.bounds.any() ? kBendFactor : 1;
  if (looks_quadratic({1.0, 1.0})) return price.once + bends * kQuadraticSteps * step;
  step += dual_cost({1.0, 1.0});
  return price.once + bends * (remakes_curvature() ? kTallSquares * price.square + kTallSteps * step
                                                   : kOtherSteps * (price.square + step));
}

double NewtonEngine::slowness() const {
  return factor_slowness(by_rows(rows_, region_.bounds) ? rows_.size() : rows_.dimension(), rows_.numbers());
}

bool NewtonEngine::looks_quadratic(const Weights& weights) const {
  for (Level level : kLevels)
    if (weights.uses(level) && !rows_.looks_constant(level)) return false;
  return true;
}

// The duals of black boxes are linearisations: there is nothing to correct.
bool NewtonEngine::corrects(const Weights& weights) const {
  return rows_.products().empty() && !looks_quadratic(weights);
}

std::int64_t NewtonEngine::linearization_cost(const Weights& weights) const {
  std::int64_t passes = 0;
  for (Level level : kLevels) {
    const PassCost cost = oracle_.problem().function(level).cost();
    if (weights.uses(level)) passes += cost.value + cost.gradient;
  }
  return passes;
}

std::int64_t NewtonEngine::dual_cost(const Weights& weights) const {
  std::int64_t passes = 0;
  for (Level level : kLevels)
    if (weights.uses(level)) passes += oracle_.problem().function(level).cost().slope;
  return passes;
}

// What comes after the direction is solved for.
std::int64_t NewtonEngine::search_cost(const Weights& weights) const {
  std::int64_t cost = system_->direction_cost() + (corrects(weights) ? dual_cost(weights) : 0);
  for (Level level : kLevels)
    if (weights.uses(level)) cost += oracle_.step_cost(level);
  return cost;
}

std::int64_t NewtonEngine::step_cost(const Weights& weights) const {
  return linearization_cost(weights) + system_->build_cost() + system_->solve_cost() + search_cost(weights);
}

bool NewtonEngine::linearize(const Weights& weights, Iterate& at) {
  for (Level level : kLevels) {
    if (!weights.uses(level) || at.linearized[level]) continue;
    const PassCost cost = oracle_.problem().function(level).cost();
    if (!oracle_.monitor().may_spend(cost.value + cost.gradient)) return false;
    at.linearize(oracle_, level);
  }
  return !oracle_.monitor().stopped();
}

bool NewtonEngine::begin(const Weights& weights, Iterate& at) {
  if (!linearize(weights, at)) return false;
  decrement_ = kInfinity;
  system_->look(weights, at);
  return !oracle_.monitor().stopped();
}

// The caller has made sure of the first factorisation, and of `reserve` passes for what comes after.
NewtonEngine::Solved NewtonEngine::solve_in_ball(std::int64_t reserve) {
  double low = 0.0, high = kInfinity, last_error = kInfinity;
  for (int trial = 0; trial < kMostFactorisations; ++trial) {
    if (trial > 0 && !oracle_.monitor().may_spend(system_->solve_cost() + reserve)) return Solved::stopped;
    if (!system_->solve(oracle_, nu_, reserve)) return oracle_.monitor().stopped() ? Solved::stopped : Solved::no;
    shrink_ = 1.0;
    if (region_.radius == kInfinity) return Solved::yes;
    const double radius = region_.radius;
    const double length = std::sqrt(system_->squared_norm());
    if (nu_ == 0.0 && length <= radius) return Solved::yes;
    if (length > radius) shrink_ = radius / length;
    const double error = std::abs(length - radius) / radius;
    if (error <= kLengthTolerance) return Solved::yes;
    if (error <= kRounded && error > 0.1 * last_error) return Solved::yes;  // the next step refines it
    last_error = error;
    const double decay = system_->decay();
    if (!(decay > 0.0) || !std::isfinite(decay)) return Solved::no;
    (length > radius ? low : high) = nu_;
    double next = std::max(0.0, nu_ + (length / radius - 1.0) * length * length / decay);
    if (!(next >= low && next < high) || next == nu_) next = high < kInfinity ? 0.5 * (low + high) : 2.0 * nu_;
    if (next == nu_ || !std::isfinite(next) || trial + 1 == kMostFactorisations) return Solved::yes;
    nu_ = next;
  }
  return Solved::yes;
}

NewtonEngine::Solved NewtonEngine::direction(const Weights& weights, const Iterate& at) {
  const std::int64_t reserve = search_cost(weights);
  for (double factor = 1.0; factor <= kMostFloorFactor; factor *= 1e3) {
    if (factor > 1.0 && !oracle_.monitor().may_spend(system_->solve_cost() + reserve)) return Solved::stopped;
    system_->build(oracle_, at, centre_, factor);
    if (oracle_.monitor().stopped()) return Solved::stopped;
    const Solved solved = solve_in_ball(reserve);
    if (solved == Solved::stopped) return solved;
    if (solved == Solved::no) {
      nu_ = 0.0;
      continue;
    }
    system_->direction(oracle_, direction_.x);
    if (shrink_ < 1.0) direction_.x = shrink_ * direction_.x + (shrink_ - 1.0) * (at.point.x - centre_);
    if (direction_.x.allFinite()) return Solved::yes;
  }
  return Solved::no;
}

// How far x + alpha d may go.
double NewtonEngine::longest(const Vector& x) const {
  const Vector& d = direction_.x;
  double most = kInfinity;
  if (region_.bounds.any()) {
    for (Index j = 0; j < x.size(); ++j) {
      if (d[j] == 0.0) continue;
      most = std::min(most, ((d[j] > 0.0 ? region_.bounds.upper : region_.bounds.lower)[j] - x[j]) / d[j]);
    }
    most = std::max(most, 1.0);
  }
  if (!region_.is_ball) return most;
  if (nu_ > 0.0) return 1.0;
  double along = 0.0, squared = 0.0;
  for (Index j = 0; j < x.size(); ++j) {
    along += (x[j] - centre_[j]) * d[j];
    squared += (x[j] - centre_[j]) * (x[j] - centre_[j]);
  }
  const double slack = std::max(0.0, region_.radius * region_.radius - squared), dd = d.squaredNorm();
  const double to_sphere = dd > 0.0 ? std::max(1.0, (-along + std::sqrt(along * along + dd * slack)) / dd) : 1.0;
  return std::min(most, to_sphere);
}

// direction_ has its images.
void NewtonEngine::correct_duals(const Weights& weights, const Iterate& at) {
  for (Level level : kLevels) {
    if (!weights.uses(level)) continue;
    const Function& function = oracle_.problem().function(level);
    Minorant& minorant = corrected_[level];
    minorant.slope.setZero();
    minorant.constant = 0.0;
    for (std::size_t i = 0; i < minorant.duals.size(); ++i) minorant.duals[i] = at.at[level].duals[i];
    for (const NewtonRows::Part& part : rows_.parts()) {
      if (part.level != level || !(part.weight > 0.0)) continue;
      const auto curvatures = system_->curvatures().segment(part.first, part.rows);
      Vector& dual = minorant.duals[part.place];
      dual.array() += curvatures.array() * direction_.images_of(level)[part.place].array() / part.weight;
      part.term->repair_dual(dual);
    }
    for (std::size_t i = 0; i < minorant.duals.size(); ++i) {
      const auto& [weight, term] = function.parts()[i];
      term->add_slope(weight, minorant.duals[i], minorant.slope);
      minorant.constant += weight * term->dual_constant(minorant.duals[i]);
    }
    oracle_.charge(level, function.cost().slope);
    minorant.known = true;
  }
}

EngineBound NewtonEngine::bound(const Weights& weights, const Iterate& at) {
  bool linearized = true, known = true;
  for (Level level : kLevels) {
    if (!weights.uses(level)) continue;
    linearized = linearized && at.linearized[level];
    known = known && corrected_[level].known;
  }
  EngineBound best;
  if (linearized) best = tangent_.at(oracle_, weights, at);
  if (!known || oracle_.monitor().stopped()) return best;
  double constant = 0.0, curvature = 0.0;
  slope_.setZero();
  for (Level level : kLevels) {
    if (!weights.uses(level)) continue;
    constant += weights.of(level) * corrected_[level].constant;
    slope_ += weights.of(level) * corrected_[level].slope;
    curvature += weights.of(level) * oracle_.problem().function(level).exact_curvature();
  }
  const double low = minimum_over_domain(oracle_, constant, curvature, slope_, minimiser_, residual_);
  const double gap = at.phi(weights) - low;
  if (!(gap < best.gap)) return best;
  best.gap = gap;
  best.upper_duals = weights.uses(Level::upper) ? &corrected_.upper.duals : nullptr;
  best.lower_duals = weights.uses(Level::lower) ? &corrected_.lower.duals : nullptr;
  return best;
}

bool NewtonEngine::step(const Weights& weights, Iterate& at) {
  if (!linearize(weights, at)) return false;
  at.gradient(weights, gradient_);
  const auto is_good = [&](Solved answer) { return answer == Solved::yes && gradient_.dot(direction_.x) < 0.0; };
  Solved solved = direction(weights, at);
  // Kept curvatures are renewed where they give no descent, or the decrement falls slowly.
  const bool slow = is_good(solved) && -gradient_.dot(direction_.x) > kSlow * decrement_;
  if (solved != Solved::stopped && (slow || !is_good(solved)) && system_->renew()) {
    if (!oracle_.monitor().may_spend(step_cost(weights))) return false;
    solved = direction(weights, at);
  }
  const double descent = gradient_.dot(direction_.x);
  if (!is_good(solved)) return false;
  decrement_ = -descent;
  for (Level level : kLevels)
    if (weights.uses(level)) oracle_.update_images(level, direction_);
  const bool corrected = corrects(weights) && -descent <= kNear * std::abs(at.phi(weights));
  if (corrected) correct_duals(weights, at);
  const double alpha = search_.search(oracle_, weights, at.point, direction_, descent, 1.0, longest(at.point.x));
  if (!(alpha > 0.0) || oracle_.monitor().stopped()) return false;

  at.point.set_combination(1.0, at.point, alpha, direction_);
  oracle_.project(at.point.x);  // rounding only
  system_->moved(at, alpha, shrink_);
  for (Level level : kLevels) {
    at.linearized[level] = false;
    if (!weights.uses(level)) continue;
    if (corrected)
      at.values[level] = oracle_.value(level, at.point);
    else
      at.linearize(oracle_, level);
  }
  if (oracle_.monitor().stopped()) return false;
  system_->look(weights, at);
  if (alpha < 1.0 / kFarFromOne || (alpha > kFarFromOne)) system_->renew();
  return !oracle_.monitor().stopped();
}

}  // namespace fcbio
