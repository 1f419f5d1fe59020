#include "inner/projected_quasi_newton.hpp"

#include <algorithm>
#include <cmath>

#include "core/overloaded.hpp"
#include "fcbio/error.hpp"
#include "linalg/at.hpp"

namespace fcbio {
namespace {

constexpr double kOnBound = 1e-12;    // of the width of a box, the total of a simplex, the radius of an l1 ball
constexpr double kDrift = 1e-12;      // in sum, relative to 1 + |x|: beyond this images are computed afresh
constexpr double kInsideSphere = 1e-8;  // relative, of the squared radius
constexpr double kLeastBallRadius = 1e-140;  // its square is far from underflow
constexpr int kMostActiveRounds = 8;         // then the projected gradient takes over
constexpr double kLeastBoundedDescent = 1e-10;  // the same for a model that was solved under bounds
constexpr int kMostSphereTrials = 12;        // multipliers of a nonnegative ball
constexpr double kSphereTolerance = 1e-3;    // there; what is left is scaled
constexpr double kFarther = 0.01;            // of the curvature, after a step that met none
constexpr double kLeastDescent = 1e-12;      // cosine below which a direction is not worth a search

// How far x + a d may go before it leaves [low, high].
double room(double x, double d, double low, double high) {
  if (d > 0.0) return (high - x) / d;
  if (d < 0.0) return (low - x) / d;
  return kInfinity;
}

}  // namespace

std::optional<ProjectedQuasiNewton::ModelSet> ProjectedQuasiNewton::model_set(const ConvexSet& set) {
  using Found = std::optional<ModelSet>;
  return std::visit(Overloaded{
                        [](const WholeSpaceShape& space) { return Found(space); },
                        [](const BallShape& ball) { return Found(ball); },
                        [](const BoxShape& box) { return Found(box); },
                        [](const SimplexShape& simplex) { return Found(simplex); },
                        [](const L1BallShape& ball) { return Found(ball); },
                        [](const PolyhedronShape&) { return Found(); },
                        [](const NonnegativeBallShape& ball) { return Found(ball); },
                        [](std::monostate) { return Found(); },
                    },
                    set.shape());
}

Index ProjectedQuasiNewton::memory_for(const Problem& problem) {
  // More pairs than dimensions say nothing new.
  const Index most = std::max<Index>(10, problem.dimension());
  const Index few = std::min(most, std::clamp<Index>(15000 / problem.dimension(), 20, 60));
  const Index many = std::min(most, std::clamp<Index>(80000 / problem.dimension(), 10, 100));
  // An active set asks for inner products over the free coordinates at every round.
  return std::visit(Overloaded{
                        [&](const BoxShape&) { return few; },
                        [&](const SimplexShape&) { return few; },
                        [&](const L1BallShape&) { return few; },
                        [&](const NonnegativeBallShape&) { return few; },
                        [&](const BallShape&) { return many; },
                        [&](const WholeSpaceShape&) { return many; },
                        [&](const PolyhedronShape&) { return many; },
                        [&](std::monostate) { return many; },
                    },
                    problem.domain().shape());
}

ProjectedQuasiNewton::ProjectedQuasiNewton(Oracle& oracle, Index memory)
    : Engine(oracle),
      set_([&] {
        const ConvexSet& domain = oracle.problem().domain();
        if (const std::optional<ModelSet> found = model_set(domain)) return *found;
        throw InvalidArgument("quasi-newton: expected a set over which its model can be minimised, found '" +
                              std::string(domain.name()) + "'; ask fits() first");
      }()),
      model_(oracle.problem().dimension(), memory),
      search_(oracle.problem()),
      tangent_(oracle.problem()),
      direction_(oracle.problem()),
      before_{Linearization(oracle.problem().upper()), Linearization(oracle.problem().lower())},
      gradient_(Vector::Zero(oracle.problem().dimension())),
      force_(gradient_),
      work_(gradient_),
      offset_(gradient_),
      signs_(gradient_),
      zeros_(gradient_),
      infinities_(Vector::Constant(gradient_.size(), kInfinity)),
      active_(at(gradient_.size()), false),
      free_right_(gradient_),
      free_move_(gradient_),
      free_signs_(gradient_),
      free_across_(gradient_) {
  free_.reserve(at(gradient_.size()));
}

std::int64_t ProjectedQuasiNewton::step_cost(const Weights& weights) const {
  std::int64_t cost = 0;
  for (Level level : kLevels)
    if (weights.uses(level)) cost += oracle_.step_cost(level);
  return cost;
}

bool ProjectedQuasiNewton::begin(const Weights& weights, Iterate& at) {
  for (Level level : kLevels) {
    if (!weights.uses(level) || at.linearized[level]) continue;
    const PassCost cost = oracle_.problem().function(level).cost();
    if (!oracle_.monitor().may_spend(cost.value + cost.gradient)) return false;
    at.linearize(oracle_, level);
  }
  // Pairs survive a change of multiplier, but those of the lower phase know nothing of f.
  if (weights.uses(Level::upper) != upper_in_pairs_) model_.clear();
  upper_in_pairs_ = weights.uses(Level::upper);
  model_.combine(weights);
  if (model_.usable() == 0) first_scale(weights, at);
  return !oracle_.monitor().stopped();
}

// Only the direction of the first step matters, its length is searched for; it should not run into the boundary.
void ProjectedQuasiNewton::first_scale(const Weights& weights, const Iterate& at) {
  at.gradient(weights, gradient_);
  const double reach = oracle_.problem().domain().diameter().value_or(1.0);
  model_.set_sigma(gradient_.norm() / (reach > 0.0 ? 0.01 * reach : 1.0) + std::numeric_limits<double>::min());
}

bool ProjectedQuasiNewton::step(const Weights& weights, Iterate& at) {
  at.gradient(weights, gradient_);
  double allowed = direction(at.point.x);
  const auto [squared, along, length] = pair_sums(gradient_, direction_.x);
  double descent = along;
  if (!(descent < -kLeastDescent * std::sqrt(squared) * std::sqrt(length))) {
    model_.clear();
    first_scale(weights, at);
    allowed = direction(at.point.x);
    descent = gradient_.dot(direction_.x);
    if (!(descent < 0.0)) return false;
  }
  for (Level level : kLevels)
    if (weights.uses(level)) oracle_.update_images(level, direction_);
  const double alpha = search(weights, at.point, descent, allowed);
  if (!(alpha > 0.0) || oracle_.monitor().stopped()) return false;

  at.point.set_combination(1.0, at.point, alpha, direction_);
  const bool moved = pull_back(at.point.x, alpha);
  if (moved && !oracle_.monitor().may_spend(image_cost(weights) + end_cost(weights))) return false;
  for (Level level : kLevels) {
    at.linearized[level] = false;
    if (!weights.uses(level)) continue;
    std::swap(before_[level], at.at[level]);
    if (moved) oracle_.update_images(level, at.point);
    at.linearize(oracle_, level);
  }
  if (oracle_.monitor().stopped()) return false;

  PerLevel<GradientChange> changes;
  for (Level level : kLevels)
    if (weights.uses(level)) changes[level] = {at.at[level].gradient.data(), before_[level].gradient.data()};
  model_.add(weights, alpha, direction_.x, changes.upper, changes.lower);
  if (model_.usable() == 0) model_.set_sigma(kFarther * model_.sigma());
  return true;
}

// Passes of the linearisations that end a step, and of the images of a point.
std::int64_t ProjectedQuasiNewton::end_cost(const Weights& weights) const {
  std::int64_t passes = 0;
  for (Level level : kLevels)
    if (const PassCost cost = oracle_.problem().function(level).cost(); weights.uses(level))
      passes += cost.value + cost.gradient;
  return passes;
}

std::int64_t ProjectedQuasiNewton::image_cost(const Weights& weights) const {
  std::int64_t passes = 0;
  for (Level level : kLevels)
    if (weights.uses(level)) passes += oracle_.problem().function(level).cost().image;
  return passes;
}

// Where trials cost passes they leave enough for the end of the step.
double ProjectedQuasiNewton::search(const Weights& weights, const Point& x, double descent, double allowed) {
  const Monitor::Reservation for_the_end(oracle_.monitor(), end_cost(weights));
  return search_.search(oracle_, weights, x, direction_, descent, 1.0, allowed);
}

// Rounding only, as a rule; true where images must be computed afresh.  Each step's rounding stays in the images
// that are carried along, so it is summed: thousands of steps that are each exact to the last digit are not in
// sum.
bool ProjectedQuasiNewton::pull_back(Vector& x, double alpha) {
  drift_ += kEpsilon;
  if (clearly_inside(alpha)) {
    ++oracle_.monitor().work().projections;
  } else {
    work_ = x;
    oracle_.project(x);
    drift_ += (x - work_).norm() / (1.0 + work_.norm());
  }
  if (!(drift_ > kDrift)) return false;
  drift_ = 0.0;
  return true;
}

// Of the ball, as far as direction_in() knows.
bool ProjectedQuasiNewton::clearly_inside(double alpha) const {
  const double squared = offset_sums_.pp + alpha * (2.0 * offset_sums_.pq + alpha * offset_sums_.qq);
  return squared < (1.0 - kInsideSphere) * squared_radius_;
}

double ProjectedQuasiNewton::direction(const Vector& x) {
  return std::visit([&](const auto& set) { return direction_in(set, x); }, set_);
}

double ProjectedQuasiNewton::direction_in(const WholeSpaceShape&, const Vector&) {
  model_.solve(gradient_, direction_.x, -1.0);
  return kInfinity;
}

double ProjectedQuasiNewton::direction_in(const BallShape& ball, const Vector& x) {
  Vector& d = direction_.x;
  work_ = x - *ball.centre;
  squared_radius_ = ball.radius > kLeastBallRadius ? ball.radius * ball.radius : 0.0;
  const auto squared_end = [&] {  // |work + d|^2
    offset_sums_ = pair_sums(work_, d);
    return offset_sums_.pp + 2.0 * offset_sums_.pq + offset_sums_.qq;
  };
  // Where the last step met the sphere this one will, too; the ball's own formula holds inside as well.
  if (!on_sphere_) {
    model_.solve(gradient_, d, -1.0);
    on_sphere_ = !(squared_end() <= squared_radius_);
  }
  if (on_sphere_) {
    model_.solve_in_ball(gradient_, work_, ball.radius, d);
    const double end = squared_end();
    on_sphere_ = !(end <= (1.0 - kInsideSphere) * squared_radius_);
    if (on_sphere_) {
      if (const double length = std::sqrt(end); length > ball.radius) {  // exactly onto it
        const double share = ball.radius / length;
        d = share * d - (1.0 - share) * work_;
      }
      return 1.0;
    }
  }
  const auto [vv, vd, dd] = offset_sums_;
  const double slack = std::max(0.0, squared_radius_ - vv);
  return dd > 0.0 ? std::max(1.0, (-vd + std::sqrt(vd * vd + dd * slack)) / dd) : 1.0;
}

void ProjectedQuasiNewton::projected_gradient(const Vector& x) {
  direction_.x = x - gradient_ / model_.sigma();
  oracle_.project(direction_.x);
  direction_.x -= x;
}

void ProjectedQuasiNewton::list_free() {
  free_.clear();
  for (Index j = 0; j < direction_.x.size(); ++j) {
    if (active_[at(j)]) continue;
    free_.push_back(j);
    direction_.x[j] = 0.0;
  }
}

double ProjectedQuasiNewton::direction_in(const BoxShape& box, const Vector& x) {
  direction_in_bounds(*box.lower, *box.upper, x, 0.0);
  if (!descends()) projected_gradient(x);
  double allowed = kInfinity;
  for (Index j = 0; j < x.size(); ++j)
    allowed = std::min(allowed, room(x[j], direction_.x[j], (*box.lower)[j], (*box.upper)[j]));
  return std::max(1.0, allowed);
}

double ProjectedQuasiNewton::direction_in(const NonnegativeBallShape& ball, const Vector& x) {
  Vector& d = direction_.x;
  double low = 0.0, high = kInfinity, nu = sphere_multiplier_, length = 0.0;
  double last_nu = 0.0, last_inverse = 0.0;  // 1/|z| there; 0: not known
  for (int trial = 0; trial < kMostSphereTrials; ++trial) {
    direction_in_bounds(zeros_, infinities_, x, nu);
    length = (x + d).norm();
    if (nu == 0.0 ? length <= ball.radius : std::abs(length - ball.radius) <= kSphereTolerance * ball.radius) break;
    (length > ball.radius ? low : high) = nu;
    const double inverse = length > 0.0 ? 1.0 / length : kInfinity, wanted = 1.0 / ball.radius;
    double next = last_inverse > 0.0 && inverse != last_inverse
                      ? nu + (wanted - inverse) * (nu - last_nu) / (inverse - last_inverse)
                      : nu + (model_.sigma() + nu) * (length / ball.radius - 1.0);
    last_nu = nu;
    last_inverse = inverse;
    if (!(next > low && next < high)) next = high < kInfinity ? (low > 0.0 ? 0.5 * (low + high) : 0.0) : 2.0 * nu;
    if (!std::isfinite(next) || (next == 0.0 && last_nu == 0.0)) break;
    nu = next;
  }
  sphere_multiplier_ = nu;
  if (length > ball.radius) {
    work_ = (ball.radius / length) * (x + d);
    d = work_ - x;
  }
  if (!descends()) projected_gradient(x);
  return 1.0;
}

bool ProjectedQuasiNewton::descends() const {
  return gradient_.dot(direction_.x) < -kLeastBoundedDescent * gradient_.norm() * direction_.x.norm();
}

// The minimiser of the model + nu/2 |x + d|^2 under the bounds: what would leave them is fixed there, and the others are
// solved for again.
void ProjectedQuasiNewton::direction_in_bounds(const Vector& low, const Vector& high, const Vector& x, double nu) {
  const Index n = x.size();
  Vector& d = direction_.x;
  force_ = gradient_ + nu * x;
  model_.build_compact();
  for (Index j = 0; j < n; ++j) {
    const double width = std::isfinite(high[j] - low[j]) ? kOnBound * (high[j] - low[j]) : 0.0;
    active_[at(j)] =
        (x[j] <= low[j] + width && force_[j] > 0.0) || (x[j] >= high[j] - width && force_[j] < 0.0);
  }
  d.setZero();
  for (Index j = 0; j < n; ++j)
    if (active_[at(j)]) d[j] = force_[j] > 0.0 ? low[j] - x[j] : high[j] - x[j];
  bool settled = false;
  for (int round = 0; round < kMostActiveRounds && !settled; ++round) {
    list_free();
    if (free_.empty()) break;
    const Index count = static_cast<Index>(free_.size());
    model_.multiply(d, work_);  // what is fixed moves the model's gradient
    for (Index i = 0; i < count; ++i) free_right_[i] = -(force_[free_[at(i)]] + work_[free_[at(i)]] + nu * d[free_[at(i)]]);
    model_.prepare_free(free_, nu);
    model_.solve_free(free_, free_right_.head(count), free_move_.head(count));
    settled = true;
    for (Index i = 0; i < count; ++i) {
      const Index j = free_[at(i)];
      d[j] = std::clamp(free_move_[i], low[j] - x[j], high[j] - x[j]);
      if (d[j] == free_move_[i]) continue;
      active_[at(j)] = true;
      settled = false;
    }
  }
}

double ProjectedQuasiNewton::direction_in(const SimplexShape& simplex, const Vector& x) {
  signs_.setOnes();
  return face_direction(x, x, simplex.total);
}

double ProjectedQuasiNewton::direction_in(const L1BallShape& ball, const Vector& x) {
  Vector& d = direction_.x;
  offset_ = x - *ball.centre;
  model_.solve(gradient_, d, -1.0);
  if ((offset_ + d).lpNorm<1>() <= ball.radius) return longest_in_l1_ball(ball.radius);
  // On the face of the present signs the ball is a simplex; a coordinate at 0 may leave it downhill only.
  const double tiny = kOnBound * ball.radius;
  for (Index j = 0; j < d.size(); ++j)
    signs_[j] = std::abs(offset_[j]) > tiny ? std::copysign(1.0, offset_[j]) : std::copysign(1.0, -gradient_[j]);
  return face_direction(x, offset_, ball.radius);
}

// |offset + a d|_1 is convex in a and at most the radius at a = 1: Newton's method from beyond the root.
double ProjectedQuasiNewton::longest_in_l1_ball(double radius) const {
  const Vector& d = direction_.x;
  const double length = d.lpNorm<1>();
  if (!(length > 0.0)) return 1.0;
  double longest = (radius + offset_.lpNorm<1>()) / length;
  for (int turn = 0; turn < 100; ++turn) {
    double excess = -radius, slope = 0.0;
    for (Index j = 0; j < d.size(); ++j) {
      const double moved = offset_[j] + longest * d[j];
      excess += std::abs(moved);
      slope += std::copysign(1.0, moved) * d[j];
    }
    if (!(excess > 1e-14 * radius) || !(slope > 0.0)) break;
    longest -= excess / slope;
  }
  return std::max(1.0, longest);
}

// The model's minimiser over { sum_j signs_j v_j = total, signs_j v_j >= 0 }, v = x - centre: coordinates at 0
// whose gradient holds them there are fixed, the others solve their block with one multiplier for the sum, and
// those that would change sign are fixed at 0 in the next round.
double ProjectedQuasiNewton::face_direction(const Vector& x, const Vector& v, double total) {
  const Index n = x.size();
  Vector& d = direction_.x;
  model_.build_compact();
  const double tiny = kOnBound * total;
  const double multiplier = v.dot(gradient_) / total;
  d.setZero();
  for (Index j = 0; j < n; ++j) {
    active_[at(j)] = signs_[j] * v[j] <= tiny && signs_[j] * gradient_[j] >= multiplier;
    if (active_[at(j)]) d[j] = -v[j];
  }
  bool settled = false;
  for (int round = 0; round < kMostActiveRounds && !settled; ++round) {
    list_free();
    if (free_.empty()) break;
    const Index count = static_cast<Index>(free_.size());
    model_.multiply(d, work_);
    for (Index i = 0; i < count; ++i) {
      free_right_[i] = -(gradient_[free_[at(i)]] + work_[free_[at(i)]]);
      free_signs_[i] = signs_[free_[at(i)]];
    }
    model_.prepare_free(free_);
    model_.solve_free(free_, free_right_.head(count), free_move_.head(count));
    model_.solve_free(free_, free_signs_.head(count), free_across_.head(count));
    const double missing =
        total - signs_.dot(v) - signs_.dot(d) - free_signs_.head(count).dot(free_move_.head(count));
    const double shift = missing / free_signs_.head(count).dot(free_across_.head(count));
    for (Index i = 0; i < count; ++i) d[free_[at(i)]] = free_move_[i] + shift * free_across_[i];
    // The sum once more: what cancellation left of it.
    const double rest = (total - signs_.dot(v) - signs_.dot(d)) / static_cast<double>(count);
    for (Index i = 0; i < count; ++i) d[free_[at(i)]] += rest * free_signs_[i];
    settled = true;
    for (Index i = 0; i < count; ++i) {
      const Index j = free_[at(i)];
      if (signs_[j] * (v[j] + d[j]) >= -tiny) continue;
      active_[at(j)] = true;
      settled = false;
    }
    if (!settled)
      for (Index j = 0; j < n; ++j)
        if (active_[at(j)]) d[j] = -v[j];
  }
  if (!settled || !(gradient_.dot(d) < -kLeastDescent * gradient_.norm() * d.norm())) {
    projected_gradient(x);
    return 1.0;
  }
  if (signs_.dot(d) > tiny) return 1.0;  // from inside to the face
  double allowed = kInfinity;
  for (Index j = 0; j < n; ++j)
    allowed = std::min(allowed, room(signs_[j] * v[j], signs_[j] * d[j], 0.0, kInfinity));
  return std::max(1.0, allowed);
}

}  // namespace fcbio
