#include "inner/bundle_projection.hpp"

#include <cmath>

#include "core/overloaded.hpp"
#include "linalg/dense_kernels.hpp"

namespace fcbio {
namespace {

constexpr double kNoSlope = 1e-150;

}  // namespace

Vector LevelProjection::shift_of(const Problem& problem) {
  const Vector origin = Vector::Zero(problem.dimension());
  return std::visit(Overloaded{
                        [](const BallShape& ball) { return *ball.centre; },
                        [&](const WholeSpaceShape& space) { return space.radius ? *space.start : origin; },
                        [&](const BoxShape&) { return origin; },
                        [&](const SimplexShape&) { return origin; },
                        [&](const L1BallShape&) { return origin; },
                        [&](const PolyhedronShape&) { return origin; },
                        [&](const NonnegativeBallShape&) { return origin; },
                        [&](std::monostate) { return origin; },
                    },
                    problem.domain().shape());
}

LevelProjection::Way LevelProjection::way_for(const ConvexSet& set) {
  return std::visit(Overloaded{
                        [](const BallShape& ball) { return Way(ByGram{ball.radius}); },
                        [](const WholeSpaceShape& space) { return Way(ByGram{space.radius.value_or(kInfinity)}); },
                        [](const BoxShape& box) { return Way(ByJacobian(box)); },
                        [](const SimplexShape& simplex) { return Way(ByJacobian(simplex)); },
                        [](const L1BallShape& ball) { return Way(ByJacobian(ball)); },
                        [](const PolyhedronShape&) { return Way(BySecants{}); },
                        [](const NonnegativeBallShape&) { return Way(BySecants{}); },
                        [](std::monostate) { return Way(BySecants{}); },
                    },
                    set.shape());
}

LevelProjection::LevelProjection(Oracle& oracle, Index capacity)
    : oracle_(oracle),
      way_(way_for(oracle.problem().domain())),
      centre_(shift_of(oracle.problem())),
      quadratic_(capacity),
      norms_(capacity),
      right_(capacity),
      v_(capacity),
      linear_(capacity),
      gram_(capacity, capacity),
      curvature_(Eigen::MatrixXd::Zero(capacity, capacity)),
      at_centre_(capacity),
      active_right_(capacity),
      p_(capacity),
      q_(capacity),
      gradient_(capacity),
      trial_gradient_(capacity),
      trial_v_(capacity),
      slope_(Vector::Zero(oracle.problem().dimension())),
      unprojected_(slope_),
      trial_x_(slope_) {
  if (const auto* gram = std::get_if<ByGram>(&way_)) radius_ = gram->radius;
  if (std::holds_alternative<ByJacobian>(way_)) free_rows_.resize(slope_.size(), capacity);
  working_.reserve(static_cast<std::size_t>(capacity));
}

void LevelProjection::archive(Archive& archive) {
  archive(quadratic_, settled_, step_length_, size_, seen_removals_, norms_, right_, v_, linear_, gram_,
          curvature_, at_centre_, gradient_, trial_gradient_, trial_v_, working_);
}

bool LevelProjection::prepare(const Bundle& bundle, const Levels& levels) {
  size_ = bundle.size();
  steps_ = 0;
  settled_ = false;
  for (Index i = 0; i < size_; ++i) {
    const double norm = std::sqrt(bundle.gram()(i, i));
    const double right = bundle.weight(Level::upper, i) * levels.upper +
                         bundle.weight(Level::lower, i) * levels.lower - bundle.constant(i);
    norms_[i] = norm;
    if (norm > kNoSlope) {
      right_[i] = right / norm;
    } else if (right < 0.0) {
      v_.head(size_).setZero();
      v_[i] = 1.0;
      norms_[i] = 1.0;
      return false;
    } else {
      right_[i] = kInfinity;  // says nothing
      norms_[i] = kInfinity;
    }
  }
  return true;
}

bool LevelProjection::project(const Bundle& bundle, const Levels& levels, VectorIn centre, Vector& nu,
                              VectorOut x) {
  bool found = prepare(bundle, levels);
  if (found) {
    for (Index i = 0; i < size_; ++i) {
      v_[i] = norms_[i] < kInfinity ? nu[i] * norms_[i] : 0.0;
      // Left by a set that was all but empty, and grown since by sums and other norms.
      if (!(v_[i] < kMostMultiplier)) v_[i] = 0.0;
    }
    found = std::holds_alternative<ByGram>(way_) ? project_on_ball(bundle, centre, x)
                                                 : project_by_newton(bundle, centre, x);
  }
  for (Index i = 0; i < size_; ++i) nu[i] = v_[i] > 0.0 ? v_[i] / norms_[i] : 0.0;
  return found;
}

// Ball -----------------------------------------------------------------------------------------------------------

// s^2 (|x - shift|^2 - radius^2) for the v of the last programme: positive when x is outside.
double LevelProjection::ball_slack(double scale, double distance_squared) const {
  // |d - A v|^2 = |d|^2 - 2 v'u + v'G v.
  double square = distance_squared;
  for (Index k = 0; k < quadratic_.active(); ++k) {
    const Index i = quadratic_.active_at(k);
    double product = 0.0;
    for (Index l = 0; l < quadratic_.active(); ++l)
      product += gram_(quadratic_.active_at(l), i) * v_[quadratic_.active_at(l)];
    square += v_[i] * (product - 2.0 * at_centre_[i]);
  }
  return square - scale * scale * radius_ * radius_;
}

// Whether the v of the last programme proves that no point of the ball satisfies all cuts.
bool LevelProjection::ball_is_empty() const {
  double square = 0.0, right = 0.0;
  for (Index k = 0; k < quadratic_.active(); ++k) {
    const Index i = quadratic_.active_at(k);
    for (Index l = 0; l < quadratic_.active(); ++l)
      square += v_[i] * gram_(quadratic_.active_at(l), i) * v_[quadratic_.active_at(l)];
    right += v_[i] * right_[i];
  }
  return radius_ < kInfinity && -right > radius_ * std::sqrt(std::max(square, 0.0)) * (1.0 + 1e-12);
}

bool LevelProjection::project_on_ball(const Bundle& bundle, VectorIn centre, VectorOut x) {
  constexpr int kMostProgrammes = 40;
  unprojected_ = centre - centre_;
  const double distance_squared = unprojected_.squaredNorm();
  at_centre_.head(size_).setZero();
  const DenseBlock block{bundle.slopes().data(), bundle.dimension(), size_, bundle.dimension()};
  block_inner_products(block, 1.0, unprojected_.data(), at_centre_.data());
  for (Index i = 0; i < size_; ++i) {
    const bool used = norms_[i] < kInfinity;
    at_centre_[i] = used ? at_centre_[i] / norms_[i] : 0.0;
    right_[i] = used ? right_[i] - (bundle.constant_at_shift(i) - bundle.constant(i)) / norms_[i] : 1.0;
    for (Index j = 0; j < i; ++j)
      gram_(i, j) = gram_(j, i) = bundle.gram()(i, j) / (norms_[i] * norms_[j]);  // 0 for unused cuts
    gram_(i, i) = 1.0;
  }
  const bool same_places = seen_removals_ == bundle.removals();
  seen_removals_ = bundle.removals();
  double scale = 1.0, outside = 0.0, inside = kInfinity;  // s, and the bracket of the s sought
  for (int programme = 0; programme < kMostProgrammes; ++programme) {
    ++steps_;
    for (Index i = 0; i < size_; ++i)
      linear_[i] = norms_[i] < kInfinity ? at_centre_[i] - scale * right_[i] : -1.0;
    if (linear_.head(size_).maxCoeff() <= 0.0) v_.head(size_).setZero();
    quadratic_.solve(gram_, linear_, size_, v_, programme > 0 || same_places);
    if (ball_is_empty()) return false;
    const double slack = ball_slack(scale, distance_squared);
    const double tolerance = 1e-10 * scale * scale * radius_ * radius_;
    if (!(slack > tolerance) && scale == 1.0) break;  // the ball is not active
    if (std::abs(slack) <= tolerance) break;
    (slack > 0.0 ? outside : inside) = scale;
    // The s of this active set.
    const Index active = quadratic_.active();
    double numerator = distance_squared, denominator = radius_ * radius_;
    for (Index k = 0; k < active; ++k) active_right_[k] = at_centre_[quadratic_.active_at(k)];
    quadratic_.solve_active(active_right_, p_);
    for (Index k = 0; k < active; ++k) numerator -= p_[k] * active_right_[k];
    for (Index k = 0; k < active; ++k) active_right_[k] = right_[quadratic_.active_at(k)];
    quadratic_.solve_active(active_right_, q_);
    for (Index k = 0; k < active; ++k) denominator -= q_[k] * active_right_[k];
    double next = denominator > 0.0 && numerator > 0.0 ? std::sqrt(numerator / denominator) : kInfinity;
    if (!(next > outside && next < inside))
      next = inside < kInfinity ? 0.5 * (outside + inside) : 4.0 * std::max(1.0, outside);
    if (std::abs(next - scale) <= 1e-14 * scale) break;
    scale = next;
  }
  for (Index i = 0; i < size_; ++i)
    if (v_[i] > 0.0) unprojected_ -= (v_[i] / norms_[i]) * bundle.slope(i);
  settled_ = true;
  x = centre_ + unprojected_ / scale;
  oracle_.project(x);
  return true;
}

}  // namespace fcbio
