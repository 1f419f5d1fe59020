// A problem with its kinks rounded off.  Losses that are the maximum of y (u - kink) over an interval of y, row by row
// (DualBoxShape: hinge, absolute deviation, quantile), lose bend/2 y^2 inside of the maximum: their Huber-type envelope,
//     phi_b(u) <= phi(u) <= phi_b(u) + bend/2 sum max(low^2, high^2),
// with a gradient that is 1/bend times Lipschitz and lies in the domain of the conjugate of phi itself: so duals of the
// smoothed problem prove bounds for the true one.  l1 norms are left out, for they are kept exactly elsewhere
// (l1_part.hpp); terms that are differentiable stay.
#pragma once

#include <string>
#include <vector>

#include "inner/engine.hpp"

namespace fcbio {

class SmoothedProblem {
 public:
  /// Empty: every term has its place in a smoothed problem; otherwise why not, in words.
  static std::string misfit(const Problem& problem);

  /// `whole` must outlive it.
  explicit SmoothedProblem(const Problem& whole);
  SmoothedProblem(const SmoothedProblem&) = delete;
  SmoothedProblem& operator=(const SmoothedProblem&) = delete;

  const Problem& problem() const { return *problem_; }
  /// Whether there are kinks to round off in the levels in use.
  bool has_kinks(const Weights& weights) const;
  /// Makes phi - phi_b at most `error`, in equal shares of the terms in use.
  void set_error(const Weights& weights, double error);
  /// How much is rounded off.
  void archive(Archive& archive) {
    for (Kink& kink : kinks_) archive(*kink.bend);
  }

  /// The part of the whole problem behind each part of this one.
  const std::vector<std::size_t>& sources(Level level) const { return sources_[level]; }
  /// x and images, for the levels in use.
  void take(const Weights& weights, const Point& whole, Point& smoothed) const;
  void give(const Weights& weights, const Point& smoothed, Point& whole) const;

 private:
  struct Kink {
    Level level;
    double weight;   // of the part
    double squares;  // sum max(low^2, high^2)
    std::shared_ptr<double> bend;
  };
  const Problem& whole_;
  std::vector<Kink> kinks_;
  PerLevel<std::vector<std::size_t>> sources_;
  std::optional<Problem> problem_;
};

}  // namespace fcbio
