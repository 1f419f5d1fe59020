#include "core/oracle.hpp"

#include <fmt/format.h>

#include <cmath>

#include "linalg/sweeps.hpp"

namespace fcbio {
namespace {

constexpr double kBottomless = -1e150;

}  // namespace

Oracle::Oracle(const Problem& problem, Monitor& monitor)
    : problem_(problem),
      monitor_(monitor),
      scratch_(monitor),
      can_fall_(!problem.domain().diameter() || problem.domain().rests_on_told_radius()) {
  auto watch = std::make_shared<ConvexityWatch>(problem);
  if (!watch->empty(Level::upper) || !watch->empty(Level::lower)) watch_ = std::move(watch);
}

void Oracle::check(double value, std::string_view what, Level level, VectorIn x) {
  const char name = level == Level::upper ? 'f' : 'g';
  if (!std::isfinite(value))
    monitor_.stop(
        Status::not_finite,
        fmt::format("the {} of {} overflows double precision or is not a number at a point of norm {:.3g}; "
                    "rescale the data and weights of {}{}",
                    what, name, x.norm(), name,
                    can_fall_ ? ", or give the domain a bound if points run away" : ""));
  else if (can_fall_ && value < kBottomless)
    monitor_.stop(
        Status::stalled,
        fmt::format("{} is {:.3g} at a point of norm {:.3g}: the problem looks unbounded below; give the "
                    "domain a bound (a ball, or a box without open sides)",
                    name, value, x.norm()));
}

void Oracle::charge(Level level, std::int64_t passes) {
  (level == Level::upper ? monitor_.work().upper_passes : monitor_.work().lower_passes) += passes;
}

std::int64_t Oracle::step_cost(Level level) const {
  const PassCost cost = problem_.function(level).cost();
  return cost.image + 2 * cost.value + cost.gradient;
}

void Oracle::update_images(Level level, Point& point) {
  const Function& function = problem_.function(level);
  function.images(point.x, point.images_of(level));
  charge(level, function.cost().image);
}

double Oracle::value(Level level, const Point& point) {
  return value(level, point, ConvexityWatch::Next::nothing);
}

double Oracle::value(Level level, const Point& point, ConvexityWatch::Next next) {
  const Function& function = problem_.function(level);
  const PartVectors& images = point.images_of(level);
  double value = 0.0;
  if (watch_ == nullptr || watch_->empty(level)) {
    value = function.value(point.x, images);
  } else {
    for (std::size_t i = 0; i < images.size(); ++i) {  // the same sum as Function::value(), seen term by term
      const Function::Part& part = function.parts()[i];
      const double of_term = part.term->value(point.x, images[i]);
      watch_->see_value(level, i, point.x, of_term, next, monitor_);
      value += part.weight * of_term;
    }
  }
  charge(level, function.cost().value);
  if (!(std::abs(value) < -kBottomless)) check(value, "value", level, point.x);
  return value;
}

void Oracle::linearize(Level level, const Point& point, Linearization& out) {
  const Function& function = problem_.function(level);
  out.value = value(level, point, ConvexityWatch::Next::linearization);
  function.gradient(point.x, point.images_of(level), out.duals, out.gradient);
  charge(level, function.cost().gradient);
  if (!all_finite(out.gradient)) check(kInfinity, "gradient", level, point.x);
  if (watch_ != nullptr) watch_->see_linearization(level, point.x, point.images_of(level), out.duals, monitor_);
}

void Oracle::look(Level level, VectorIn x) {
  if (watch_ == nullptr || watch_->empty(level)) return;
  const Function& function = problem_.function(level);
  PartVectors images = function.make_images(), duals = function.make_duals();
  for (std::size_t i = 0; i < duals.size(); ++i) {
    const Term& term = *function.parts()[i].term;
    if (term.premise().empty()) continue;
    if (images[i].size() > 0) term.image(x, images[i]);
    watch_->see_value(level, i, x, term.value(x, images[i]), ConvexityWatch::Next::linearization, monitor_);
    term.linear_dual(x, images[i], duals[i]);
  }
  watch_->see_linearization(level, x, images, duals, monitor_);
}

double Oracle::slope_along(Level level, const Point& x, const Point& direction, PartVectors& dual_scratch) {
  const Function& function = problem_.function(level);
  const double slope =
      function.slope_along(x.x, x.images_of(level), direction.x, direction.images_of(level), dual_scratch);
  charge(level, function.cost().slope_along);
  if (!std::isfinite(slope)) check(slope, "slope", level, x.x);
  return slope;
}

void Oracle::project(VectorOut x) {
  const std::int64_t before = monitor_.work().projections;
  problem_.domain().project(x, scratch_);
  count_projection(before, x.size());
}

void Oracle::project_where_bounded(VectorOut x) {
  const std::int64_t before = monitor_.work().projections;
  problem_.domain().project_where_bounded(x, scratch_);
  count_projection(before, x.size());
}

// Iterated projections count themselves.
void Oracle::count_projection(std::int64_t before, Index size) {
  if (monitor_.work().projections == before) monitor_.is_over(static_cast<double>(size), 1);
}

}  // namespace fcbio
