#include "baselines/halfspace_cut.hpp"

#include <algorithm>
#include <cmath>

#include "core/overloaded.hpp"

namespace fcbio {
namespace {

constexpr int kMostCutTrials = 100;

/// What rounding may add to an excess at z.
double rounding(const HalfspaceCut& cut, VectorIn z) {
  return 4.0 * kEpsilon * (cut.normal.norm() * (z.norm() + cut.anchor.norm()) + std::abs(cut.slack));
}

/// x <- x - <a, x> a for a unit vector a; twice, since what rounding leaves of a long normal part may be larger
/// than the rest.
void remove_normal(const Vector& a, VectorOut x) {
  x -= a.dot(x) * a;
  x -= a.dot(x) * a;
}

}  // namespace

CutDomain::CutDomain(Oracle& oracle)
    : oracle_(oracle),
      shape_(oracle.problem().domain().shape()),
      target_(Vector::Zero(oracle.problem().dimension())),
      low_{0.0, 0.0, 0.0, target_},
      high_(low_),
      last_(low_),
      before_(low_),
      inside_(target_),
      outside_(target_),
      mixed_(target_),
      unit_(target_) {}

bool CutDomain::project(const HalfspaceCut& cut, VectorOut x) {
  const double squared = cut.normal.squaredNorm();
  if (!(squared > 0.0)) {
    oracle_.project(x);
    return cut.slack >= 0.0;
  }
  const auto by_dual = [&](const auto&) { return project_by_dual(cut, squared, x); };
  return std::visit(Overloaded{
                        [&](const BallShape& ball) {
                          ++oracle_.monitor().work().projections;
                          return project_in_ball(cut, *ball.centre, ball.radius, x);
                        },
                        [&](const WholeSpaceShape&) {
                          ++oracle_.monitor().work().projections;
                          x -= (std::max(cut.excess(x), 0.0) / squared) * cut.normal;
                          return true;
                        },
                        by_dual,
                    },
                    shape_);
}

bool CutDomain::project_in_ball(const HalfspaceCut& cut, VectorIn centre, double radius, VectorOut x) {
  const double length = cut.normal.norm();
  unit_ = cut.normal / length;
  const double offset =
      (cut.slack + cut.normal.dot(cut.anchor - centre)) / length;  // beta: <a, x - centre> <= beta
  if (offset < -radius) {
    x = centre - radius * unit_;
    return offset >= -radius - rounding(cut, centre) / length;
  }
  x -= centre;
  const double norm = x.norm();
  const double shrink = norm > radius ? radius / norm : 1.0;
  if (shrink * unit_.dot(x) <= offset) {
    x = centre + shrink * x;
    return true;
  }
  remove_normal(unit_, x);  // u: on the hyperplane lies beta a + u, in the ball where |u| <= rho
  const double rim = std::sqrt(std::max(0.0, (radius - offset) * (radius + offset)));
  const double across = x.norm();
  if (across > rim) x *= rim / across;
  x += centre + offset * unit_;
  return true;
}

void CutDomain::trial(const HalfspaceCut& cut, double mu, Trial& out) {
  out.mu = mu;
  out.x = target_ - mu * cut.normal;
  const double reach = out.x.norm();
  oracle_.project(out.x);
  out.excess = cut.excess(out.x);
  out.tolerance = rounding(cut, out.x) + 4.0 * kEpsilon * cut.normal.norm() * reach;
}

bool CutDomain::misses(const HalfspaceCut& cut) {
  return oracle_.linear_lower_bound(cut.normal) - cut.normal.dot(cut.anchor) - cut.slack > rounding(cut, low_.x);
}

bool CutDomain::project_by_dual(const HalfspaceCut& cut, double squared_norm, VectorOut x) {
  target_ = x;
  trial(cut, 0.0, low_);
  if (!(low_.excess > low_.tolerance)) {
    x = low_.x;
    return true;
  }
  before_ = low_;
  bool bracketed = false;
  double width = kInfinity;  // of the bracket, some trials ago
  double mu = last_mu_;      // often near
  for (int trials = 1; trials <= kMostCutTrials; ++trials) {
    if (!bracketed && trials == 8 && misses(cut)) break;
    const double least = low_.mu + low_.excess / squared_norm;  // the root is not below this
    // A flat piece tells nothing about the root; and a bracket is wanted sooner or later.
    if (!bracketed && trials > 1 && (trials % 8 == 0 || !(mu >= least && mu <= 16.0 * least))) mu = 4.0 * least;
    if (bracketed && !(mu > low_.mu && mu < high_.mu))
      mu = low_.mu + (high_.mu - low_.mu) * (low_.excess / (low_.excess - high_.excess));
    mu = std::max(mu, least);
    if (bracketed && !(mu < high_.mu)) break;
    trial(cut, mu, last_);
    if (last_.excess > last_.tolerance) {
      low_ = last_;
    } else {
      high_ = last_;
      bracketed = true;
    }
    if (bracketed &&
        (std::abs(last_.excess) <= last_.tolerance || high_.mu - low_.mu <= 4.0 * kEpsilon * high_.mu))
      break;
    mu =
        last_.mu - last_.excess * (last_.mu - before_.mu) / (last_.excess - before_.excess);  // exact in one piece
    std::swap(before_, last_);
    if (!bracketed || trials % 4 != 0) continue;
    if (high_.mu - low_.mu > 0.5 * width) mu = 0.5 * (low_.mu + high_.mu);
    width = high_.mu - low_.mu;
  }
  if (!bracketed) {
    x = low_.x;
    return false;
  }
  last_mu_ = high_.mu;
  const double share = std::max(0.0, -high_.excess) / (low_.excess - high_.excess);
  x = high_.x + share * (low_.x - high_.x);
  return true;
}

bool CutDomain::minimize_linear(VectorIn direction, const HalfspaceCut& cut, VectorOut s) {
  const auto by_dual = [&](const auto&) { return minimize_by_dual(direction, cut, s); };
  return std::visit(
      Overloaded{
          [&](const BallShape& ball) { return minimize_in_ball(direction, cut, *ball.centre, ball.radius, s); },
          [&](const WholeSpaceShape& space) {
            return space.radius ? minimize_in_ball(direction, cut, *space.start, *space.radius, s)
                                : by_dual(space);
          },
          by_dual,
      },
      shape_);
}

bool CutDomain::minimize_in_ball(VectorIn direction, const HalfspaceCut& cut, VectorIn centre, double radius,
                                 VectorOut s) {
  const double length = cut.normal.norm();
  const double norm = direction.norm();
  s = centre;
  if (norm > 0.0) s -= (radius / norm) * direction;
  if (!(length > 0.0)) return cut.slack >= 0.0;
  if (!(cut.excess(s) > 0.0)) return true;
  unit_ = cut.normal / length;
  const double offset = (cut.slack + cut.normal.dot(cut.anchor - centre)) / length;
  if (offset < -radius) {
    s = centre - radius * unit_;
    return offset >= -radius - rounding(cut, centre) / length;
  }
  s = direction;
  remove_normal(unit_, s);
  const double across = s.norm();
  const double rim = std::sqrt(std::max(0.0, (radius - offset) * (radius + offset)));
  // Where the direction is the normal but for rounding, every point of the disc inside the rim will do.
  s *= across > 4.0 * kEpsilon * norm ? -rim / across : 0.0;
  s += centre + offset * unit_;
  return true;
}

bool CutDomain::minimize_by_dual(VectorIn direction, const HalfspaceCut& cut, VectorOut s) {
  const ConvexSet& domain = oracle_.problem().domain();
  domain.minimize_linear(direction, outside_);
  double e_out = cut.excess(outside_);
  if (!(e_out > rounding(cut, outside_))) {
    s = outside_;
    return true;
  }
  domain.minimize_linear(cut.normal, inside_);
  double e_in = cut.excess(inside_);
  if (e_in > rounding(cut, inside_)) {
    s = inside_;
    return false;
  }
  double value_out = direction.dot(outside_), value_in = direction.dot(inside_);
  for (int trials = 0; trials < kMostCutTrials; ++trials) {
    const double mu = std::max(0.0, (value_in - value_out) / (e_out - e_in));
    target_ = direction + mu * cut.normal;
    domain.minimize_linear(target_, mixed_);
    const double e = cut.excess(mixed_), value = direction.dot(mixed_);
    const double meeting = value_in + mu * e_in;  // height at which the two lines meet
    const double size = std::abs(value_in) + std::abs(value_out) + mu * (std::abs(e_in) + std::abs(e_out));
    if (!(value + mu * e < meeting - 8.0 * kEpsilon * size)) break;
    // A point on the hyperplane satisfies the cut: where the cut touches Z in a face, its points differ by
    // rounding.
    if (e > rounding(cut, mixed_)) {
      outside_.swap(mixed_);
      e_out = e;
      value_out = value;
    } else {
      inside_.swap(mixed_);
      e_in = e;
      value_in = value;
    }
  }
  s = inside_ + (std::max(0.0, -e_in) / (e_out - e_in)) * (outside_ - inside_);
  return true;
}

}  // namespace fcbio
