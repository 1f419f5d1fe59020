// Limits, clock, interrupt and observers of one solve.  One Monitor is shared by all nested loops, so a limit or
// Ctrl-C is honoured at every inner iteration, and as a Watch inside of projections and factorisations.  The clock
// can stop a solve, never steer it; it stands still while observers run.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fcbio/result.hpp"
#include "fcbio/watch.hpp"

namespace fcbio {

class Archive;
class Checkpoints;

struct Limits {
  std::int64_t iterations = std::numeric_limits<std::int64_t>::max();
  std::int64_t passes = std::numeric_limits<std::int64_t>::max();
  double seconds = kInfinity;
  /// On single sets: a cycle of Dykstra's algorithm counts one for each member of the intersection.
  std::int64_t projections = std::numeric_limits<std::int64_t>::max();
};

/// What an observer is told after every iteration.  Numbers that do not exist yet are NaN.
struct Progress {
  std::string_view
      phase;  ///< "lower", "bracket", "round", "path", "bundle", "near"; competitors also "step", "switch"
  std::int64_t round = 0;
  const Work* work = nullptr;
  double seconds = 0.0;       ///< Monitor::seconds()
  double upper_value = 0.0;   ///< f at the current point
  double lower_value = 0.0;   ///< g at the current point
  double level = 0.0;         ///< t; the multiplier in phase "path"
  double bracket_low = 0.0;   ///< running or assumed lower bound of f*
  double bracket_high = 0.0;  ///< f of the best point so far, which may lie below f*; in rounds the upper end
  double upper_excess = 0.0;  ///< of the best point so far, against the best bound so far
  double lower_gap = 0.0;     ///< likewise
  const Vector* x = nullptr;  ///< the current point
};

class FCBIO_EXPORT Observer {
 public:
  virtual ~Observer() = default;
  /// False asks the solve to stop (status interrupted).
  virtual bool on_progress(const Progress& progress) = 0;
};

class FCBIO_EXPORT Monitor final : public Watch {
 public:
  Monitor() : Monitor(Limits{}) {}
  explicit Monitor(Limits limits, const std::atomic<bool>* interrupt = nullptr);
  void add_observer(Observer& observer) { observers_.push_back(&observer); }
  /// What observers are shown in place of a point of a presolved problem; empty: the point itself.
  using Restore = std::function<void(VectorIn point, VectorOut whole)>;
  void show_restored(Index dimension, Restore restore);

  /// From here on the solve can be taken up again where safe_point() was called (core/checkpoints.hpp).
  void keep(Checkpoints& checkpoints) { checkpoints_ = &checkpoints; }
  Checkpoints* checkpoints() const { return checkpoints_; }
  /// To be called between iterations, where frames list all that the solve knows.
  void safe_point();
  /// The solve is on its way to where it was: limits, clock and interrupt are not looked at.
  bool is_resuming() const;
  /// Counts and clock.
  void archive(Archive& archive);

  /// Starts the clock and clears all counts; reservations stay with those who hold them.
  void start();
  /// Seconds spent before the solve that belong to it (building the problem): the clock starts there, so that limits,
  /// what observers are told and what the result says are all read off the same clock.
  void charge_before(double seconds) { before_ = seconds; }
  Work& work() { return work_; }
  const Work& work() const { return work_; }
  /// The one clock of a solve: that of Limits::seconds, Progress::seconds and Result::solve_seconds.
  double seconds() const;

  /// To be called before an iteration is begun: false when a limit is reached or a stop was asked for.
  /// `passes` is what the iteration will cost, so that a pass limit is never overrun.
  bool may_iterate(std::int64_t passes);
  /// The same for work that is not an iteration (constants, say).
  bool may_spend(std::int64_t passes);
  /// Keeps passes back, while it lives, for what must be done after a stop: proving the certificate, say.
  /// Reservations add up: whoever will spend passes later holds one of its own, and knows of no other.
  class Reservation {
   public:
    Reservation(Monitor& monitor, std::int64_t passes) : monitor_(monitor), passes_(passes) {
      monitor_.reserved_passes_ += passes_;
    }
    ~Reservation() { monitor_.reserved_passes_ -= passes_; }
    Reservation(const Reservation&) = delete;
    Reservation& operator=(const Reservation&) = delete;

   private:
    Monitor& monitor_;
    const std::int64_t passes_;
  };
  /// While it lives, so much more work may be done than `done` (or than now), and no more than the limits allow.  A
  /// stop that only the allowance asked for is forgotten with it.
  class FCBIO_EXPORT Allowance {
   public:
    Allowance(Monitor& monitor, const Work& done, double passes, double iterations);
    Allowance(Monitor& monitor, double passes, double iterations)
        : Allowance(monitor, monitor.work_, passes, iterations) {}
    ~Allowance();
    Allowance(const Allowance&) = delete;
    Allowance& operator=(const Allowance&) = delete;

   private:
    Monitor& monitor_;
    const std::int64_t passes_, iterations_;  // the limits before
  };
  /// To be called after an iteration: counts it and tells the observers.
  void iteration_done(Progress progress);
  /// The first stop counts.  `reason`: what happened and what the user can do, where the status alone does not
  /// say.
  void stop(Status status, std::string reason = {});
  /// A function was shown not to be convex: stops the solve, and outweighs every other reason to stop.
  void refute(ConvexityViolation violation);
  const std::optional<ConvexityViolation>& violation() const { return violation_; }
  bool stopped() const { return stopped_.has_value(); }
  std::optional<Status> why() const { return stopped_; }
  const std::string& reason() const { return reason_; }

  /// Inside of long computations: the interrupt, the time, and the projections done so far.
  bool is_over(double operations, std::int64_t projections = 0) override;
  /// True once is_over() was: what was being computed then is unfinished, and a projection not in its set.
  bool gave_up() const { return gave_up_; }

  /// A monitor without counts for judging a result: what is left of the time, and the interrupt.
  Monitor for_judgement() const;
  /// While it lives, is_over() leaves time for a proof: until kGrace seconds after the time limit, or after now
  /// where the solve has been stopped already; without bound where neither clock nor interrupt come into it.
  class Grace {
   public:
    explicit Grace(Monitor& monitor);
    ~Grace();
    Grace(const Grace&) = delete;
    Grace& operator=(const Grace&) = delete;

   private:
    Monitor& monitor_;
    bool gave_up_before_;
  };

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr double kGrace = 0.1;
  static constexpr double kBetweenLooks = 2e4;  // operations
  double seconds_at(Clock::time_point now) const;
  bool interrupted() const { return interrupt_ != nullptr && interrupt_->load(std::memory_order_relaxed); }
  bool is_late() const { return limits_.seconds < kInfinity && seconds() >= limits_.seconds; }
  Limits limits_;
  const std::atomic<bool>* interrupt_;
  std::vector<Observer*> observers_;
  Checkpoints* checkpoints_ = nullptr;
  Restore restore_;
  Vector restored_;
  Work work_;
  std::int64_t reserved_passes_ = 0;  // the sum of all reservations
  std::optional<Status> stopped_;
  std::string reason_;
  double since_look_ = 0.0;  // operations
  bool gave_up_ = false;
  bool proving_ = false;
  double grace_end_ = kInfinity;  // in seconds()
  std::optional<ConvexityViolation> violation_;
  Clock::time_point started_{};
  Clock::duration paused_{};
  double before_ = 0.0;  // seconds
};

}  // namespace fcbio
