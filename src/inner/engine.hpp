// Engines for  min over Z of phi = a f + mu g  (a = 0 in the lower phase), behind one interface: the dual sandwich
// asks for one step at a time, looks at the point and the bound, and may change mu at any step.
#pragma once

#include <optional>
#include <string_view>

#include "core/minorant.hpp"
#include "core/proof.hpp"

namespace fcbio {

struct Weights {
  double upper = 1.0;  // a
  double lower = 1.0;  // mu
  double of(Level level) const { return level == Level::upper ? upper : lower; }
  bool uses(Level level) const { return of(level) > 0.0; }
  void archive(Archive& archive) { archive(upper, lower); }
};

/// A point with what is known there of the levels in use.
struct Iterate {
  Point point;
  PerLevel<double> values;     ///< f and g at the point; NaN where the level is not in use
  PerLevel<Linearization> at;  ///< gradient and duals there, where `linearized` says so
  PerLevel<bool> linearized;

  explicit Iterate(const Problem& problem)
      : point(problem), at{Linearization(problem.upper()), Linearization(problem.lower())} {}
  double value(Level level) const { return values[level]; }
  double phi(const Weights& weights) const;
  void gradient(const Weights& weights, VectorOut out) const;
  /// Value and gradient of a level at the point, from its images.
  void linearize(Oracle& oracle, Level level);
  void archive(Archive& archive) { archive(point, values, at, linearized); }
};

/// Numbers of the data that are stored, of both levels; at least 1.
Index stored_numbers(const Problem& problem);

/// phi(x) - gap <= min over Z of phi, and the duals that describe the minorant behind it.
struct EngineBound {
  double gap = kInfinity;
  const PartVectors* upper_duals = nullptr;  ///< valid until the next call of the engine; unused levels: null
  const PartVectors* lower_duals = nullptr;
  const BoundHint* hint = nullptr;  ///< for the proof; valid likewise
};

class Engine {
 public:
  explicit Engine(Oracle& oracle) : oracle_(oracle) {}
  virtual ~Engine() = default;
  virtual std::string_view name() const = 0;
  /// Where the first multiplier is taken, on a logarithmic scale from the ratio of the slopes (0) to the largest
  /// that can be wanted (1).  The cost of first-order engines grows with the multiplier, so they start lower.
  virtual double first_multiplier_share() const { return 0.7; }
  /// Whether an inner problem takes more steps the larger its multiplier is.
  virtual bool minds_large_multipliers() const { return true; }
  /// Steps after which a run that gained nothing by them is not expected to gain anything.
  virtual std::int64_t patience() const { return 15; }
  /// Passes of one step, for the monitor.
  virtual std::int64_t step_cost(const Weights& weights) const = 0;
  /// To be called before the first step, and whenever the weights or the point changed.  The images and values of
  /// the levels in use are right; linearisations need not be, the engine computes what it needs.  False: the
  /// monitor stopped it.
  virtual bool begin(const Weights& weights, Iterate& at) = 0;
  /// One step from `at`; afterwards images and values of the levels in use are right, the point is in Z.  False:
  /// no further progress (rounding), or the monitor stopped it; `at` is then unchanged or still valid.
  virtual bool step(const Weights& weights, Iterate& at) = 0;
  /// A certified gap at `at` (the point of the last begin() or step()).
  virtual EngineBound bound(const Weights& weights, const Iterate& at) = 0;
  /// A point near that of the last step at which conditions that are tight, and kinks, hold exactly: a vertex or the
  /// inside of a face.  What it is worth is the caller's to find out.  Empty: the engine knows of none.
  virtual std::optional<Vector> face_point() const { return std::nullopt; }

  /// Multiplications done until now besides the products with data, where they are of their size.
  virtual double operations() const { return 0.0; }

  /// What is left for the present weights, and with how little they are done with: for engines that choose between two.
  virtual void note(double /*gap*/, double /*wanted*/) {}

  /// The certificate is complete: what follows may be broken off at any time, so that nothing is worth a beginning.
  virtual void settle() {}

  /// All that the next begin(), step() and bound() depend on besides their arguments.
  virtual void archive(Archive& archive) = 0;

 protected:
  Oracle& oracle_;
};

/// phi(x) - min over Z of its minorant phi(x) + <gradient, z - x> + curvature/2 |z - x|^2, or more; formed without
/// phi(x).  `point` and `slope` are overwritten.
double tangent_gap(Oracle& oracle, VectorIn x, VectorIn gradient, double curvature, Vector& point, Vector& slope);

/// Bounds from the linearisation at one point, exactly kept curvature included: the gap is formed without phi(x)
/// itself, so that large numbers do not cancel.
class TangentBound {
 public:
  explicit TangentBound(const Problem& problem);
  /// Needs the linearisations of the levels in use, and a bounded domain: a gap that is not finite is an overflow.
  EngineBound at(Oracle& oracle, const Weights& weights, const Iterate& iterate);

 private:
  Vector gradient_, slope_, point_;
};

}  // namespace fcbio
