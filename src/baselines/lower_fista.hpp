// The accelerated projected gradient method (FISTA) on g over Z, for methods that need values g_k -> g* or a
// starting point, with cached images: one image and one gradient per step.
//
//     x+ = P_Z( y - g'(y)/L ),   y+ = x+ + beta (x+ - x),      g(x_k) - g* <= 2 L |x0 - x*|^2 / (k+1)^2.
//
// best() is the smallest g(x_i), i <= k, so it does not increase.
#pragma once

#include "baselines/method_run.hpp"
#include "inner/momentum.hpp"

namespace fcbio {

class LowerFista {
 public:
  /// `start`: a point of Z with its lower images.  Charges L and the value at the start.
  LowerFista(MethodRun& run, const Point& start)
      : oracle_(run.oracle()),
        smoothness_(run.smoothness(Level::lower)),
        x_(start),
        before_(start),
        y_(start),
        at_y_(run.problem().lower()),
        best_x_(start.x),
        best_(oracle_.value(Level::lower, start)),
        linearized_at_(start.x) {}

  /// Costs oracle.step_cost(Level::lower).  Nothing happens where g is not finite (the monitor is stopped).
  void step() {
    oracle_.linearize(Level::lower, y_, at_y_);
    if (oracle_.monitor().stopped()) return;
    std::swap(before_, x_);
    x_.x = y_.x - (1.0 / smoothness_) * at_y_.gradient;
    oracle_.project(x_.x);
    oracle_.update_images(Level::lower, x_);
    const double value = oracle_.value(Level::lower, x_);
    if (value < best_) {
      best_ = value;
      best_x_ = x_.x;
    }
    linearized_at_ = y_.x;
    const double beta = momentum_.advance();
    y_.set_combination(1.0 + beta, x_, -beta, before_);
  }

  double best() const { return best_; }
  const Vector& best_x() const { return best_x_; }
  /// best() - g* is at most this: g* is not below the minimum over Z of the last linearisation.
  double gap() {
    return best_ - at_y_.value + at_y_.gradient.dot(linearized_at_) - oracle_.linear_lower_bound(at_y_.gradient);
  }

 private:
  Oracle& oracle_;
  double smoothness_;
  Momentum momentum_{1.0};
  Point x_, before_, y_;
  Linearization at_y_;
  Vector best_x_;
  double best_;
  Vector linearized_at_;
};

}  // namespace fcbio
