// The model of phi at a point x, seen from a centre c:  with v = x - c and H = V'DV + (m + floor) I,
//     z(nu) = (H + nu I)^{-1} (H v - phi'(x)),      d(nu) = z(nu) - v = -(H + nu I)^{-1} (phi'(x) + nu v),
// the model's minimiser (nu = 0), or its minimiser over the ball |z| <= |z(nu)| with multiplier nu.  The floor is
// zero where m is large enough to factor H safely, else a tiny share of the trace: a proximal term, which moves no
// solution.
//
// Three forms of the same: by rows (Woodbury), when there are fewer rows than unknowns, and by columns, where z may also
// have bounds: then it is the model's minimiser under them; and by a factor of low rank, which is nearly the same.
#pragma once

#include <memory>

#include "inner/box_model.hpp"
#include "inner/newton_rows.hpp"

namespace fcbio {

class NewtonSystem {
 public:
  virtual ~NewtonSystem() = default;

  /// Reads the curvatures at a point.  To be called at every new point or weights.
  virtual void look(const Weights& weights, const Iterate& at) = 0;
  /// Curvatures of the losses, times the weights of the parts, as the last model built has them: those at the point,
  /// or nearly.
  virtual const Vector& curvatures() const = 0;
  /// Has the next build() take the curvatures as they are at the point looked at.  False: it would in any case.
  virtual bool renew() { return false; }
  /// Passes that build() will charge for the point looked at.
  virtual std::int64_t build_cost() const = 0;
  /// The model at the point looked at, which must be linearised.  Where the monitor stops it, there is none.
  virtual void build(Oracle& oracle, const Iterate& at, const Vector& centre, double floor_factor) = 0;

  /// Passes of one factorisation, charged by solve() unless the last one serves again; the most that solve()
  /// charges; and those of direction().
  virtual std::int64_t factor_cost() const = 0;
  virtual std::int64_t solve_cost() const = 0;
  virtual std::int64_t direction_cost() const = 0;
  /// Factors H + nu I and solves for z(nu); under bounds as often as that takes, asking for each factorisation after
  /// the first and `reserve` passes.  False: not positive definite (to rounding), or stopped.
  virtual bool solve(Oracle& oracle, double nu, std::int64_t reserve) = 0;
  virtual double squared_norm() = 0;                        ///< |z|^2
  virtual double decay() = 0;                               ///< z'(H + nu I)^{-1} z = -1/2 d/dnu |z|^2
  virtual void direction(Oracle& oracle, VectorOut d) = 0;  ///< d(nu)
  /// The step x <- c + (1 - alpha) v + alpha shrink z was made, to `at`.
  virtual void moved(const Iterate& /*at*/, double /*alpha*/, double /*shrink*/) {}

  /// A look at the data, so that price() knows more; the passes it charges, at most.  False: stopped.
  virtual std::int64_t probe_cost() const { return 0; }
  virtual bool probe(Oracle& /*oracle*/) { return true; }
  /// For the choice of an engine, in passes.
  struct Price {
    std::int64_t once = 0;    ///< Gram matrices that are made once
    std::int64_t square = 0;  ///< those that are made again as curvatures change
    std::int64_t factor = 0;  ///< one factorisation
    std::int64_t step = 0;    ///< what else a step takes up to its direction
  };
  virtual Price price() const = 0;

  /// The model, and all that the next one is made from.
  virtual void archive(Archive& archive) = 0;
};

/// `rows` must outlive the system.
std::unique_ptr<NewtonSystem> newton_system_by_rows(const Problem& problem, const NewtonRows& rows);
std::unique_ptr<NewtonSystem> newton_system_by_columns(const Problem& problem, const NewtonRows& rows,
                                                       const NewtonBounds& bounds = {});
std::unique_ptr<NewtonSystem> newton_system_of_low_rank(const Problem& problem, const NewtonRows& rows,
                                                        const NewtonBounds& bounds);

/// Passes of `operations` additions and multiplications, rounded up: a pass has two for each stored number.
std::int64_t passes_of(double operations, Index numbers);

/// How many times as long a pass takes that is spent on a Gram matrix and its factor: products of matrices are faster than
/// those with vectors once the latter come from memory, and factorisations of small systems are slower.
double factor_slowness(Index unknowns, Index numbers);

/// The least m + floor with which H is factored, as a share of its trace.
inline constexpr double kNewtonFloor = 1e-12;

}  // namespace fcbio
