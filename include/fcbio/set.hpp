// Convex sets: projection for the methods, linear lower bounds for the certificates.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "fcbio/linear_map.hpp"
#include "fcbio/matrix.hpp"
#include "fcbio/scratch.hpp"
#include "fcbio/types.hpp"

namespace fcbio {

// What a set is, for methods that know more than to project on it.  Pointers live as long as the set.  Who looks
// at a SetShape visits all of its kinds (std::visit), so that a new one does not compile until it was thought of.
struct BallShape {
  const Vector* centre;
  double radius;
};
struct BoxShape {
  const Vector* lower;  ///< entries may be infinite
  const Vector* upper;
};
struct SimplexShape {
  double total;
};
struct L1BallShape {
  const Vector* centre;
  double radius;
};
/// About the origin.
struct NonnegativeBallShape {
  double radius;
};
struct WholeSpaceShape {
  const Vector* start;  ///< with a radius: a solution lies within it, as the caller vouches
  std::optional<double> radius;
};
/// row_lower <= A x <= row_upper, lower <= x <= upper; entries may be infinite.  An intersection that is one lists
/// its rows in the order of sets::Conditions: planes, rows, equations.
struct PolyhedronShape {
  const RowMajorMatrix* dense;  ///< A is one of the two, or both are null: no rows
  const CsrMatrix* sparse;
  const Vector* row_lower;
  const Vector* row_upper;
  const Vector* lower;
  const Vector* upper;
  std::optional<double> radius;  ///< some solution x has |x| <= radius, as the caller vouches
};
/// monostate: any other set.
using SetShape = std::variant<std::monostate, BallShape, BoxShape, SimplexShape, L1BallShape, NonnegativeBallShape,
                              WholeSpaceShape, PolyhedronShape>;

/// What proves a bound of a linear function over a set (docs/certificates.md, section 4).  Most sets need nothing.
struct SetWitness {
  Vector multipliers;  ///< halfspace: one number >= 0; affine: one number per equation; polyhedron: one number per
                       ///< row, >= 0 where it weighs the lower side
  std::vector<Vector> shares;  ///< intersection: the part of the direction that each member gets; the one member
                               ///< with an empty share gets what is left
  std::vector<SetWitness> parts;  ///< per factor of a product, per member of an intersection
  bool empty() const { return multipliers.size() == 0 && shares.empty() && parts.empty(); }
};

namespace interior {
struct Tight;
}
namespace sets {
struct Conditions;
class ConditionDuals;
}  // namespace sets

class FCBIO_EXPORT ConvexSet {
 public:
  virtual ~ConvexSet() = default;
  virtual std::string_view name() const = 0;
  virtual Index dimension() const = 0;
  /// True where bounds over the set hold only because the caller vouched for a radius (whole space, a box or
  /// polyhedron with an open side, or a set made of such): what is proved then concerns solutions, not every point
  /// of the set.
  virtual bool rests_on_told_radius() const { return false; }
  virtual SetShape shape() const { return {}; }
  /// What a proof takes on trust about this set, a clause; empty: nothing.
  virtual std::string premise() const { return {}; }

  /// x <- the nearest point of the set.
  virtual void project(VectorOut x, Scratch& scratch) const = 0;
  /// The same for the part of the set over which linear bounds are taken: all of it, but for a whole space with a
  /// told radius, where it is the told ball.
  virtual void project_where_bounded(VectorOut x, Scratch& scratch) const { project(x, scratch); }

  /// A number that is at most min over the set of <direction, z>; -infinity where nothing is known.  Exact (to
  /// rounding) for every set but an intersection.  This is what proofs use, so it may be low but never high.
  virtual double linear_lower_bound(VectorIn direction, Scratch& scratch) const = 0;
  /// The same for a proof: what rounding may have added is taken off, and `witness` receives what a checker needs
  /// to evaluate the bound without any search.  What `witness` holds on entry is a hint: where it fits the set, it
  /// is evaluated and nothing is searched for, unless it proves nothing.
  virtual double prove_linear_bound(VectorIn direction, SetWitness& witness, Scratch& scratch) const;
  /// A hint for prove_linear_bound() from multipliers of the conditions that describe() lists: takes those of this
  /// set's own conditions, adds the part of the direction that they account for to `share`, and writes the witness.
  virtual void take_duals(sets::ConditionDuals& duals, VectorOut share, SetWitness& witness) const;
  /// vertex <- a minimiser of <direction, .>; false: not available (unbounded, or an intersection).
  virtual bool minimize_linear(VectorIn direction, VectorOut vertex) const = 0;

  /// A Euclidean ball that contains the set: centre written to `centre`, radius returned; empty: unbounded.
  virtual std::optional<double> enclosing_ball(VectorOut centre) const = 0;
  /// Upper bound of the largest distance of two points; empty: unbounded.
  virtual std::optional<double> diameter() const = 0;

  /// 0 for a member; otherwise an upper bound of the distance to the set, or a like measure of violation in the
  /// units of x (largest excess of a defining inequality divided by the norm of its coefficients).
  virtual double violation(VectorIn x) const = 0;
  bool contains(VectorIn x, double tolerance) const { return violation(x) <= tolerance; }
  /// A lower bound d of the distance from x to what is outside the set, rounding allowed for: the ball of radius d
  /// about x lies in the set.  Negative outside, infinite in a whole space without a radius; with one, it is the
  /// depth in the ball that was told.  Empty: not known, for any x, because the set has equations, or does not
  /// tell what it is made of.
  virtual std::optional<double> depth(VectorIn x) const;

  /// rest <- a value for each variable such that with some of them at rest the others have all the room that they
  /// can have in the set; false: there is no such point.  `start`: where the caller would begin.
  virtual bool resting_point(VectorIn /*start*/, VectorOut /*rest*/) const { return false; }
  /// The set of the variables `used` alone (ascending), the others being at rest.  Null: not available.
  virtual std::shared_ptr<const ConvexSet> restricted(const std::vector<Index>& /*used*/) const { return nullptr; }

  /// used[j] <- true where the set ties x_j to other variables, so that x_j cannot be left at rest.
  virtual void mark_used(std::vector<bool>& /*used*/) const {}
  /// The same set for use where |z| <= reach is known of all points that matter: its linear bounds use that.  Null:
  /// the set needs no such help.
  virtual std::shared_ptr<const ConvexSet> within(double /*reach*/) const { return nullptr; }

  /// An upper bound of |z| over the set (over the told ball of a whole space); infinite: unbounded.
  virtual double reach() const;
  /// Adds the equations and inequalities that define the set, for the coordinates from `first` on; false: they are
  /// not known (sets given by the caller).
  virtual bool describe(sets::Conditions& conditions, Index first) const;
  /// s <- a point that satisfies the equations (to rounding) and the inequalities with room; false: none is known.
  virtual bool interior_point(VectorOut s) const;
  /// What holds as an equation everywhere, where a polyhedron has no such point; null: not known, or nothing does.
  virtual const interior::Tight* tight() const;
  /// For proofs: x is a point of the set but for rounding.  Moves it, towards the interior and as little as
  /// needed, and returns d such that a point of the set lies within d of it: 0 where x itself provably is one,
  /// infinity where nothing can be proved.
  virtual double settle(VectorOut x) const;
};

using ConvexSetPtr = std::shared_ptr<const ConvexSet>;

// All refuse what makes no sense (negative radius, empty box, NaN ...) with InvalidArgument.
FCBIO_EXPORT ConvexSetPtr ball(Vector centre, double radius);
/// Entries may be infinite where that side is open.  There, with `radius`, the caller vouches that a solution x has
/// |x| <= radius, and linear bounds are taken over that ball.
FCBIO_EXPORT ConvexSetPtr box(Vector lower, Vector upper, std::optional<double> radius = {});
/// {x >= 0}, with a radius as for a box.
FCBIO_EXPORT ConvexSetPtr orthant(Index n, std::optional<double> radius);
/// {row_lower <= A x <= row_upper, lower <= x <= upper}; entries of the sides may be infinite, and empty ones are open
/// everywhere.  Rows with equal sides are equations.  A radius as for a box, where neither sides nor rows bound x.
FCBIO_EXPORT ConvexSetPtr polyhedron(RowMajorMatrix matrix, Vector row_lower, Vector row_upper, Vector lower = {},
                                     Vector upper = {}, std::optional<double> radius = {});
FCBIO_EXPORT ConvexSetPtr polyhedron(CsrMatrix matrix, Vector row_lower, Vector row_upper, Vector lower = {},
                                     Vector upper = {}, std::optional<double> radius = {});
FCBIO_EXPORT ConvexSetPtr simplex(Index n, double total = 1.0);
/// {0 <= x <= cap, sum x = total}
FCBIO_EXPORT ConvexSetPtr capped_simplex(Index n, double total, double cap);
FCBIO_EXPORT ConvexSetPtr l1_ball(Vector centre, double radius);
FCBIO_EXPORT ConvexSetPtr nonnegative_ball(Index n, double radius);
/// {c'x <= value, |x| <= radius}; an infinite radius leaves the ball out, for use in a bounded intersection
FCBIO_EXPORT ConvexSetPtr halfspace(Vector coefficients, double value, double radius = kInfinity);
/// {Mx = values, |x| <= radius}; likewise
FCBIO_EXPORT ConvexSetPtr affine_subspace(RowMajorMatrix matrix, Vector values, double radius = kInfinity);
FCBIO_EXPORT ConvexSetPtr product(std::vector<ConvexSetPtr> factors);
/// Projection by Dykstra's algorithm; linear lower bounds by splitting the direction (see docs/certificates.md).
FCBIO_EXPORT ConvexSetPtr intersection(std::vector<ConvexSetPtr> members);
/// R^n.  With `radius` the caller vouches that a solution lies within that distance of `start`, and linear bounds
/// are taken over that ball; without it nothing can be proved.  Projection is the identity either way.
FCBIO_EXPORT ConvexSetPtr whole_space(Vector start, std::optional<double> radius);

}  // namespace fcbio
