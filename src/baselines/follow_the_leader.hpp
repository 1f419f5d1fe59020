// SOLO-FTRL over Z (Orabona, Pal: Scale-free algorithms for online linear optimization, 2015) with the regulariser
// c/2 |y - y_1|^2:
//     y_{t+1} = argmin over Z of <G_t, y> + c/2 sqrt(Q_t) |y - y_1|^2 = P_Z( y_1 - G_t / (c sqrt(Q_t)) ),
// G_t the sum of the gradients so far and Q_t that of their squared norms.
// Its regret against u is at most (c/2 |u - y_1|^2 + 2.75/c) sqrt(Q_T) + 3.5 min{sqrt(T-1)/c, D} max |gradient|,
// so for c = sqrt(5.5)/D the least g(y_t) is within D C (sqrt(5.5/T) + 3.5/T) of g*.  Scaling g changes nothing.
#pragma once

#include <cmath>

#include "core/oracle.hpp"

namespace fcbio {

class FollowTheLeader {
 public:
  FollowTheLeader(Oracle& oracle, const Vector& start, double strength)
      : oracle_(oracle), strength_(strength), start_(start), point_(start), sum_(Vector::Zero(start.size())) {}

  const Vector& point() const { return point_; }

  void follow(VectorIn gradient) {
    sum_ += gradient;
    squares_ += gradient.squaredNorm();
    if (!(squares_ > 0.0)) return;
    point_ = start_ - sum_ / (strength_ * std::sqrt(squares_));
    oracle_.project_where_bounded(point_);
  }

 private:
  Oracle& oracle_;
  double strength_;  // c
  Vector start_, point_, sum_;
  double squares_ = 0.0;
};

}  // namespace fcbio
