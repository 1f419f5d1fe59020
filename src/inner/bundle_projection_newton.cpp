// Projections on level sets by semismooth Newton: every set but the ball.
#include <cmath>

#include "core/overloaded.hpp"
#include "inner/bundle_projection.hpp"
#include "linalg/dense_kernels.hpp"

namespace fcbio {
namespace {

constexpr double kNewtonRidge = 1e-13;

// J^{1/2} a for an element J of the generalized Jacobian of P_Z and a slope a: what is left of it on the
// coordinates that the projection lets move, which is written to `out`; each returns how many these are.

/// Of numbers that move but keep their sum: without their mean.
void remove_mean(double* numbers, Index size, double sum) {
  if (size == 0) return;
  const double mean = sum / static_cast<double>(size);
  for (Index j = 0; j < size; ++j) numbers[j] -= mean;
}

Index free_everywhere(VectorIn slope, double* out) {
  for (Index j = 0; j < slope.size(); ++j) out[j] = slope[j];
  return slope.size();
}

Index free_in_box(const BoxShape& box, VectorIn unprojected, VectorIn slope, double* out) {
  Index free = 0;
  for (Index j = 0; j < slope.size(); ++j)
    if (unprojected[j] >= (*box.lower)[j] && unprojected[j] <= (*box.upper)[j]) out[free++] = slope[j];
  return free;
}

Index free_on_simplex(VectorIn x, VectorIn slope, double* out) {
  Index free = 0;
  double sum = 0.0;
  for (Index j = 0; j < slope.size(); ++j) {
    if (!(x[j] > 0.0)) continue;
    out[free] = slope[j];
    sum += out[free++];
  }
  remove_mean(out, free, sum);
  return free;
}

/// The l1 ball is a simplex on the face of the present signs.
Index free_on_face(const L1BallShape& ball, VectorIn x, VectorIn slope, double* out) {
  Index free = 0;
  double sum = 0.0;
  for (Index j = 0; j < slope.size(); ++j) {
    const double offset = x[j] - (*ball.centre)[j];
    if (offset == 0.0) continue;
    out[free] = offset > 0.0 ? slope[j] : -slope[j];
    sum += out[free++];
  }
  remove_mean(out, free, sum);
  return free;
}

}  // namespace

// x <- P_Z(centre - A v); trial_gradient_ <- A'x - b; the dual function; whether v proves emptiness.
LevelProjection::Trial LevelProjection::evaluate(const Bundle& bundle, VectorIn centre, const Vector& v,
                                                 VectorOut x) {
  ++steps_;
  slope_.setZero();
  double right = 0.0, total = 0.0;
  for (Index i = 0; i < size_; ++i) {
    if (!(v[i] > 0.0)) continue;
    slope_ += (v[i] / norms_[i]) * bundle.slope(i);
    right += v[i] * right_[i];
    total += v[i];
  }
  Trial trial;
  if (total > 0.0) {
    const double least = oracle_.linear_lower_bound(slope_);
    trial.empty = least - right > 1e-13 * (std::abs(least) + std::abs(right));
  }
  unprojected_ = centre - slope_;
  x = unprojected_;
  oracle_.project(x);
  trial_gradient_.head(size_).setZero();
  const DenseBlock block{bundle.slopes().data(), bundle.dimension(), size_, bundle.dimension()};
  block_inner_products(block, 1.0, x.data(), trial_gradient_.data());
  for (Index i = 0; i < size_; ++i)
    trial_gradient_[i] = norms_[i] < kInfinity ? trial_gradient_[i] / norms_[i] - right_[i] : -1.0;
  trial.dual = 0.5 * (x - centre).squaredNorm() + slope_.dot(x) - right;
  return trial;
}

// From v_, or from 0 where that is better: multipliers of a set that was nearly empty are of no use to another.
LevelProjection::Trial LevelProjection::warm_start(const Bundle& bundle, VectorIn centre, VectorOut x) {
  Trial trial = evaluate(bundle, centre, v_, x);
  if (!(trial.dual >= 0.0)) {
    v_.head(size_).setZero();
    trial = evaluate(bundle, centre, v_, x);
  }
  gradient_.head(size_) = trial_gradient_.head(size_);
  return trial;
}

// Largest violation of the optimality conditions by v and gradient_.
double LevelProjection::violation(const Vector& v) const {
  double worst = 0.0;
  for (Index i = 0; i < size_; ++i) worst = std::max(worst, v[i] > 0.0 ? std::abs(gradient_[i]) : gradient_[i]);
  return gradient_.head(size_).allFinite() ? worst : kInfinity;
}

// curvature_ <- A'JA of the working cuts, J an element of the generalized Jacobian of P_Z at unprojected_.
void LevelProjection::jacobian_gram(const ByJacobian& set, const Bundle& bundle, VectorIn x) {
  const Index n = bundle.dimension();
  const auto working = static_cast<Index>(working_.size());
  // Once per working cut: the test of what is free is cheap beside the copying.
  const auto gather = [&](const auto& part_of) {
    Index free = 0;
    for (Index k = 0; k < working; ++k)
      free = part_of(bundle.slope(working_[static_cast<std::size_t>(k)]), free_rows_.col(k).data());
    return free;
  };
  const Index free = std::visit(
      Overloaded{
          [&](const BoxShape& box) {
            return gather([&](VectorIn slope, double* out) { return free_in_box(box, unprojected_, slope, out); });
          },
          [&](const SimplexShape&) {
            return gather([&](VectorIn slope, double* out) { return free_on_simplex(x, slope, out); });
          },
          [&](const L1BallShape& ball) {
            const bool inside = (unprojected_ - *ball.centre).lpNorm<1>() <= ball.radius;
            return gather([&](VectorIn slope, double* out) {
              return inside ? free_everywhere(slope, out) : free_on_face(ball, x, slope, out);
            });
          },
      },
      set);
  for (Index k = 0; k < working; ++k) {
    const DenseBlock block{free_rows_.data(), free, k + 1, n};
    curvature_.col(k).head(k + 1).setZero();
    block_inner_products(block, 1.0, free_rows_.col(k).data(), curvature_.col(k).data());
    const double norm = norms_[working_[static_cast<std::size_t>(k)]];
    for (Index l = 0; l <= k; ++l)
      curvature_(k, l) = curvature_(l, k) /= norm * norms_[working_[static_cast<std::size_t>(l)]];
    if (oracle_.monitor().is_over(4.0 * static_cast<double>(k + 1) * static_cast<double>(free))) return;
  }
}

// gram_ <- (1 - damping) * curvature_ + damping * (the Gram matrix, which is above every A'JA).
void LevelProjection::blend(const Bundle& bundle, double damping) {
  const auto working = static_cast<Index>(working_.size());
  for (Index k = 0; k < working; ++k) {
    const Index i = working_[static_cast<std::size_t>(k)];
    for (Index l = 0; l <= k; ++l) {
      const Index j = working_[static_cast<std::size_t>(l)];
      const double plain = damping > 0.0 ? damping * (bundle.gram()(i, j) / (norms_[i] * norms_[j])) : 0.0;
      const double bent = damping < 1.0 ? (1.0 - damping) * curvature_(k, l) : 0.0;  // at 1 there may be none yet
      gram_(k, l) = gram_(l, k) = plain + bent;
    }
    gram_(k, k) += kNewtonRidge;
  }
}

// The maximiser over v >= 0 of the quadratic model of the dual function with the matrix gram_ over the working
// cuts into p_, the step into q_; returns the slope of the dual function along it.
double LevelProjection::model_step() {
  const auto working = static_cast<Index>(working_.size());
  for (Index k = 0; k < working; ++k) p_[k] = v_[working_[static_cast<std::size_t>(k)]];
  for (Index k = 0; k < working; ++k)
    linear_[k] =
        gradient_[working_[static_cast<std::size_t>(k)]] + gram_.col(k).head(working).dot(p_.head(working));
  quadratic_.solve(gram_, linear_, working, p_);
  double slope = 0.0;
  for (Index k = 0; k < working; ++k) {
    const Index i = working_[static_cast<std::size_t>(k)];
    q_[k] = p_[k] - v_[i];
    slope += q_[k] * gradient_[i];
  }
  return slope;
}

// trial_v_ <- v_ + length * step, evaluated; shorter by what the slope at the end tells until the dual function
// rises enough.
bool LevelProjection::search(const Bundle& bundle, VectorIn centre, double slope, int most_trials,
                             Trial& current) {
  const auto working = static_cast<Index>(working_.size());
  double length = 1.0;
  for (int trial = 0; trial < most_trials; ++trial) {
    trial_v_.head(size_) = v_.head(size_);
    for (Index k = 0; k < working; ++k) {
      const Index i = working_[static_cast<std::size_t>(k)];
      trial_v_[i] = length == 1.0 ? p_[k] : std::max(0.0, v_[i] + length * q_[k]);
    }
    const Trial next = evaluate(bundle, centre, trial_v_, trial_x_);
    if (next.empty || next.dual >= current.dual + 1e-4 * length * slope - 1e-15 * std::abs(current.dual)) {
      current = next;
      step_length_ = length;
      return true;
    }
    double end_slope = 0.0;
    for (Index k = 0; k < working; ++k)
      end_slope += q_[k] * trial_gradient_[working_[static_cast<std::size_t>(k)]];
    length *= std::clamp(slope / (slope - end_slope), 0.02, 0.7);
  }
  return false;
}

bool LevelProjection::project_by_newton(const Bundle& bundle, VectorIn centre, VectorOut x) {
  constexpr int kMostSteps = 60, kTrials = 3;
  constexpr double kFirstDamping = 1e-6, kMoreDamping = 30.0;
  Trial current = warm_start(bundle, centre, x);
  double tolerance = 1e-10 * std::max(0.0, gradient_.head(size_).maxCoeff());
  double damping = 0.0;
  for (int step = 0; step < kMostSteps && !current.empty && !oracle_.monitor().gave_up(); ++step) {
    tolerance = std::max(tolerance, 1e-8 * (x - centre).norm());
    settled_ = violation(v_) <= tolerance;
    if (settled_) break;
    if (const auto* set = std::get_if<ByJacobian>(&way_)) {
      choose_working(false);
      jacobian_gram(*set, bundle, x);
    } else if (step == 0) {
      choose_working(true);
      blend(bundle, 1.0);
      curvature_ = gram_;
    }
    bool ascended = false;
    while (!ascended && !oracle_.monitor().gave_up()) {
      blend(bundle, damping);
      const double slope = model_step();
      ascended = slope > 0.0 && search(bundle, centre, slope, kTrials, current);
      if (ascended || damping == 1.0) break;
      // The model is too flat, along directions that only move coordinates held by Z, say.
      damping = damping > 0.0 ? std::min(1.0, kMoreDamping * damping) : kFirstDamping;
    }
    // On a set that is all but empty the multipliers run off to infinity; what they say is read off long before.
    if (!ascended || !(trial_v_.head(size_).maxCoeff() < kMostMultiplier)) break;
    if (step_length_ < 0.3)
      damping = std::min(1.0, std::max(kFirstDamping, kMoreDamping * damping));
    else
      damping = damping > kFirstDamping ? damping / kMoreDamping : 0.0;
    if (std::holds_alternative<BySecants>(way_)) secant_update();
    v_.swap(trial_v_);
    x = trial_x_;
    gradient_.head(size_) = trial_gradient_.head(size_);
  }
  return !current.empty;
}

void LevelProjection::choose_working(bool all) {
  working_.clear();
  for (Index i = 0; i < size_; ++i)
    if (norms_[i] < kInfinity && (all || v_[i] > 0.0 || gradient_[i] > 0.0)) working_.push_back(i);
}

// The BFGS update of curvature_ by the step from v_ to trial_v_.
void LevelProjection::secant_update() {
  const auto working = static_cast<Index>(working_.size());
  for (Index k = 0; k < working; ++k) {
    const Index i = working_[static_cast<std::size_t>(k)];
    p_[k] = trial_v_[i] - v_[i];
    q_[k] = gradient_[i] - trial_gradient_[i];
  }
  const double bending = p_.head(working).dot(q_.head(working));
  for (Index k = 0; k < working; ++k) linear_[k] = curvature_.col(k).head(working).dot(p_.head(working));
  const double modelled = p_.head(working).dot(linear_.head(working));
  if (!(modelled > 0.0) || !(bending > 1e-12 * modelled)) return;
  for (Index k = 0; k < working; ++k)
    curvature_.col(k).head(working) +=
        (q_[k] / bending) * q_.head(working) - (linear_[k] / modelled) * linear_.head(working);
}

}  // namespace fcbio
