// What drives an engine until the certificate is complete: the sandwich, or the bundle-level method.  A driver
// works in slices, so that two of them can race on one ledger: each goes on with the best point and the best
// bounds of both.
#pragma once

#include "core/certified_answer.hpp"

namespace fcbio {

class Driver {
 public:
  static constexpr std::int64_t kNoEnd = std::numeric_limits<std::int64_t>::max();
  enum class Outcome {
    complete,   ///< the certificate is complete; proved, unless a limit left no passes for that
    paused,     ///< the slice is used up
    exhausted,  ///< no further progress, or stopped by the monitor
  };

  explicit Driver(Monitor& monitor) : monitor_(monitor) {}
  virtual ~Driver() = default;
  /// Goes on for about `slice` units of work (a unit is a pass or an iteration), and at most that many projections.
  Outcome advance(std::int64_t slice, std::int64_t projections = kNoEnd);
  /// After the certificate: on towards the solution itself, to points with a smaller g and an f nearer to f*, until
  /// it is near, or digits or the monitor's allowance end.  What is found is offered; a last candidate may be left
  /// in the ledger.
  void approach(CertifiedAnswer& answer) {
    slice_end_ = projections_end_ = kNoEnd;
    go_nearer(answer);
  }
  /// To the end.
  bool run() { return advance(kNoEnd) == Outcome::complete; }
  /// All that the driver knows between iterations, but for what its loops list in frames (core/checkpoints.hpp).
  virtual void archive(Archive& archive) { archive(slice_end_, projections_end_); }

 protected:
  virtual Outcome resume() = 0;
  virtual void go_nearer(CertifiedAnswer& answer) = 0;
  bool slice_is_over() const { return spent() >= slice_end_ || monitor_.work().projections >= projections_end_; }

 private:
  std::int64_t spent() const { return monitor_.work().passes() + monitor_.work().iterations; }
  Monitor& monitor_;
  std::int64_t slice_end_ = 0, projections_end_ = 0;
};

/// Alternates between two drivers that share a ledger, in slices that double.  If the second would complete alone
/// after work W, its slices before the last sum to less than W, and the first has had twice that and one slice
/// more: at most 3 W and a first slice in all (2 W where the first is the better one), as long as sharing does no
/// harm.  Returns the one that completed; null: none.
Driver* race(Driver& first, Driver& second, Monitor& monitor);

}  // namespace fcbio
