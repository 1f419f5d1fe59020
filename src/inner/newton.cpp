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

}  // namespace

std::string NewtonEngine::misfit(const Problem& problem) {
  const bool fits = std::visit(Overloaded{
                                   [](const BallShape&) { return true; },
                                   [](const WholeSpaceShape&) { return true; },
                                   [](const BoxShape&) { return false; },
                                   [](const SimplexShape&) { return false; },
                                   [](const L1BallShape&) { return false; },
                                   [](const PolyhedronShape&) { return false; },
                                   [](std::monostate) { return false; },
                               },
                               problem.domain().shape());
  if (!fits)
    return "the domain is of the kind '" + std::string(problem.domain().name()) +
           "', and the model can be minimised over the whole space and a ball only";
  if (std::string why = NewtonRows::misfit(problem); !why.empty()) return why;
  const NewtonRows rows(problem);
  const Index n = rows.dimension(), smaller = std::min(rows.size(), n);
  if (smaller > kMostUnknowns)
    return "the smaller of rows and unknowns is " + std::to_string(smaller) + ", and at most " +
           std::to_string(kMostUnknowns) + " are factored";
  const double dense = static_cast<double>(rows.size()) * static_cast<double>(n);
  if (dense > kMostNumbers)
    return "the data are " + std::to_string(rows.size()) + " x " + std::to_string(n) +
           ", more than 2e7 numbers as dense matrices";
  if (static_cast<double>(rows.numbers()) < kLeastShare * dense)
    return "the data are sparse: fewer than 1 % of the numbers are stored";
  return {};
}

NewtonEngine::NewtonEngine(Oracle& oracle)
    : Engine(oracle),
      rows_(oracle.problem()),
      system_(rows_.size() <= rows_.dimension() ? newton_system_by_rows(oracle.problem(), rows_)
                                                : newton_system_by_columns(oracle.problem(), rows_)),
      search_(oracle.problem()),
      tangent_(oracle.problem()),
      direction_(oracle.problem()),
      gradient_(Vector::Zero(oracle.problem().dimension())),
      centre_(gradient_) {
  const ConvexSet& domain = oracle.problem().domain();
  bounded_ = std::holds_alternative<BallShape>(domain.shape());  // else it is the whole space: see misfit()
  radius_ = domain.enclosing_ball(centre_).value_or(kInfinity);
}

std::int64_t NewtonEngine::expected_cost() const {
  const NewtonSystem::Price price = system_->price();
  std::int64_t step = price.step;
  for (Level level : kLevels) step += oracle_.step_cost(level);
  const bool quadratic = rows_.looks_constant(Level::upper) && rows_.looks_constant(Level::lower);
  return price.once + (quadratic ? kQuadraticSteps : kOtherSteps) * step;
}

std::int64_t NewtonEngine::search_cost(const Weights& weights) const {
  std::int64_t cost = system_->direction_cost();
  for (Level level : kLevels)
    if (weights.uses(level)) cost += oracle_.step_cost(level);
  return cost;
}

std::int64_t NewtonEngine::step_cost(const Weights& weights) const {
  return system_->build_cost() + system_->solve_cost() + search_cost(weights);
}

bool NewtonEngine::begin(const Weights& weights, Iterate& at) {
  for (Level level : kLevels) {
    if (!weights.uses(level) || at.linearized[level]) continue;
    const PassCost cost = oracle_.problem().function(level).cost();
    if (!oracle_.monitor().may_spend(cost.value + cost.gradient)) return false;
    at.linearize(oracle_, level);
  }
  system_->look(weights, at);
  return !oracle_.monitor().stopped();
}

// The caller has made sure of the first factorisation, and of `reserve` passes for what comes after.
NewtonEngine::Solved NewtonEngine::solve_in_ball(std::int64_t reserve) {
  double low = 0.0, high = kInfinity, last_error = kInfinity;
  for (int trial = 0; trial < kMostFactorisations; ++trial) {
    if (trial > 0 && !oracle_.monitor().may_spend(system_->solve_cost() + reserve)) return Solved::stopped;
    if (!system_->solve(oracle_, nu_)) return oracle_.monitor().stopped() ? Solved::stopped : Solved::no;
    shrink_ = 1.0;
    if (radius_ == kInfinity) return Solved::yes;
    const double length = std::sqrt(system_->squared_norm());
    if (nu_ == 0.0 && length <= radius_) return Solved::yes;
    if (length > radius_) shrink_ = radius_ / length;
    const double error = std::abs(length - radius_) / radius_;
    if (error <= kLengthTolerance) return Solved::yes;
    if (error <= kRounded && error > 0.1 * last_error) return Solved::yes;  // the next step refines it
    last_error = error;
    const double decay = system_->decay();
    if (!(decay > 0.0) || !std::isfinite(decay)) return Solved::no;
    (length > radius_ ? low : high) = nu_;
    double next = std::max(0.0, nu_ + (length / radius_ - 1.0) * length * length / decay);
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
  if (!bounded_) return kInfinity;
  if (nu_ > 0.0) return 1.0;
  const Vector& d = direction_.x;
  double along = 0.0, squared = 0.0;
  for (Index j = 0; j < x.size(); ++j) {
    along += (x[j] - centre_[j]) * d[j];
    squared += (x[j] - centre_[j]) * (x[j] - centre_[j]);
  }
  const double slack = std::max(0.0, radius_ * radius_ - squared), dd = d.squaredNorm();
  return dd > 0.0 ? std::max(1.0, (-along + std::sqrt(along * along + dd * slack)) / dd) : 1.0;
}

bool NewtonEngine::step(const Weights& weights, Iterate& at) {
  if (direction(weights, at) != Solved::yes) return false;
  at.gradient(weights, gradient_);
  const double descent = gradient_.dot(direction_.x);
  if (!(descent < 0.0)) return false;
  for (Level level : kLevels)
    if (weights.uses(level)) oracle_.update_images(level, direction_);
  const double alpha = search_.search(oracle_, weights, at.point, direction_, descent, 1.0, longest(at.point.x));
  if (!(alpha > 0.0) || oracle_.monitor().stopped()) return false;

  at.point.set_combination(1.0, at.point, alpha, direction_);
  oracle_.project(at.point.x);  // rounding only
  system_->moved(at, alpha, shrink_);
  for (Level level : kLevels) {
    at.linearized[level] = false;
    if (weights.uses(level)) at.linearize(oracle_, level);
  }
  if (oracle_.monitor().stopped()) return false;
  system_->look(weights, at);
  return !oracle_.monitor().stopped();
}

}  // namespace fcbio
