// Dykstra's algorithm with safeguarded jumps; see dykstra.hpp.
#include "sets/dykstra.hpp"

#include <algorithm>
#include <cmath>

#include "sets/checks.hpp"

namespace fcbio::sets {
namespace {

constexpr int kPeriod = 12;           // cycles between two attempts to jump; the last three measure the ratio
constexpr double kFirstReach = 64.0;  // cycles the first jump may stand for; more or less as jumps succeed or fail
constexpr double kJumpSlack = 1.0 + 1e-6;  // moves of a constant pace stay equal but for rounding
constexpr double kParallel = 0.98;         // squared cosine of two steps from which they count as parallel
constexpr double kRoundingUnits = 8.0;     // moves below this many units in the last place are noise
constexpr double kOperations = 10.0;       // per coordinate and member, in a cycle
constexpr double kStagnation = 1e-12;      // relative level below which moves that no longer shrink are noise too

}  // namespace

Dykstra::Dykstra(const std::vector<ConvexSetPtr>& members, Index dimension, Scratch& scratch)
    : members_(members),
      dimension_(dimension),
      scratch_(scratch),
      target_(scratch.vector(0, dimension)),
      point_(scratch.vector(1, dimension)),
      before_(scratch.vector(2, dimension)),
      corrections_(scratch.vector(3, dimension * static_cast<Index>(members.size()))),
      saved_(scratch.vector(4, dimension * static_cast<Index>(members.size()))),
      step_(scratch.vector(5, dimension * static_cast<Index>(members.size()))) {}

void Dykstra::aim(VectorIn target, double keep) {
  target_ = target;
  if (keep == 0.0) {
    corrections_.setZero();
    reach_ = kFirstReach;
  } else {
    corrections_ *= keep;
  }
  balance();
}

void Dykstra::balance() {
  point_ = target_;
  double size = 0.0;
  for (std::size_t i = 0; i < members_.size(); ++i) {
    point_ -= correction(i);
    size = std::max(size, norm_of(correction(i)));
  }
  rounding_ = kEpsilon * (size + norm_of(point_));
}

double Dykstra::cycle() {
  double movement = 0.0;
  for (std::size_t i = 0; i < members_.size(); ++i) {
    auto q = corrections_.segment(static_cast<Index>(i) * dimension_, dimension_);
    before_ = point_;
    q += point_;  // y
    point_ = q;
    members_[i]->project(point_, scratch_.child(i));
    gave_up_ = scratch_.is_over(kOperations * static_cast<double>(dimension_), 1) || gave_up_;
    q -= point_;
    movement = std::max(movement, norm_of(point_ - before_));
  }
  return movement;
}

DykstraOutcome Dykstra::run(double tolerance, int max_cycles) {
  DykstraOutcome outcome;
  double best = kInfinity;
  int since_best = 0;
  int phase = 0;
  bool jumped = false;
  double before_jump = kInfinity;
  while (outcome.cycles < max_cycles && !gave_up_) {
    outcome.movement = cycle();
    ++outcome.cycles;
    outcome.at_rounding = outcome.movement <= kRoundingUnits * rounding_;
    if (outcome.at_rounding || outcome.movement <= tolerance) {
      outcome.converged = true;
      return outcome;
    }
    if (outcome.movement < best) {
      best = outcome.movement;
      since_best = 0;
    } else if (++since_best > 4 * kPeriod && best <= kStagnation / kEpsilon * rounding_) {
      outcome.converged = outcome.at_rounding = true;
      return outcome;
    }
    if (jumped) {
      jumped = false;
      if (outcome.movement > kJumpSlack * before_jump) {
        corrections_ = saved_;
        balance();
        reach_ = std::max(reach_ / 4.0, 4.0);
      } else {
        reach_ = std::min(reach_ * 8.0, 1e9);
      }
      continue;
    }
    switch (++phase) {
      case kPeriod - 2:
        balance();  // sheds the rounding errors that x + sum of q_i = w has gathered
        saved_ = corrections_;
        break;
      case kPeriod - 1:
        step_ = corrections_ - saved_;
        saved_ = corrections_;
        break;
      case kPeriod:
        phase = 0;
        before_jump = outcome.movement;
        jumped = outcome.cycles < max_cycles && jump();  // a jump needs a cycle to be judged by
        break;
      default:
        break;
    }
  }
  return outcome;
}

bool Dykstra::jump() {
  // Both steps, over all members: step_ and corrections_ - saved_.
  const double first = step_.squaredNorm();
  const double second = (corrections_ - saved_).squaredNorm();
  const double mixed = (corrections_ - saved_).dot(step_);
  if (!(mixed > 0.0) || !(mixed * mixed >= kParallel * first * second)) return false;
  const double ratio = mixed / first;
  // sum of ratio^k, k = 1, 2, ...; with a ratio of 1 (a face not yet reached) the corrections travel at a constant
  // pace.
  const double factor = ratio < 1.0 ? std::min(ratio / (1.0 - ratio), reach_) : reach_;
  step_ = corrections_ - saved_;
  saved_ = corrections_;
  corrections_ += factor * step_;
  balance();
  return true;
}

double Dykstra::largest_violation(VectorIn x) const {
  double worst = 0.0;
  for (const ConvexSetPtr& member : members_) worst = std::max(worst, member->violation(x));
  return worst;
}

double Dykstra::polish(int max_cycles) {
  double best = largest_violation(point_);
  const double enough = kEpsilon * norm_of(point_);
  before_ = point_;
  for (int k = 0; k < max_cycles && best > enough && !gave_up_; ++k) {
    for (std::size_t i = 0; i < members_.size(); ++i) {
      members_[i]->project(point_, scratch_.child(i));
      gave_up_ = scratch_.is_over(kOperations * static_cast<double>(dimension_), 1) || gave_up_;
    }
    const double now = largest_violation(point_);
    if (!(now < best)) break;
    best = now;
    before_ = point_;
  }
  point_ = before_;
  return best;
}

}  // namespace fcbio::sets
