// Convex sets: projection for the methods, linear lower bounds for the certificates.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "fcbio/linear_map.hpp"
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
/// monostate: any other set.
using SetShape = std::variant<std::monostate, BallShape, BoxShape, SimplexShape, L1BallShape, NonnegativeBallShape,
                              WholeSpaceShape>;

/// What proves a bound of a linear function over a set (docs/certificates.md, section 4).  Most sets need nothing.
struct SetWitness {
  Vector multipliers;          ///< halfspace: one number >= 0; affine: one number per equation
  std::vector<Vector> shares;  ///< intersection: the part of the direction that each member gets; the one member
                               ///< with an empty share gets what is left
  std::vector<SetWitness> parts;  ///< per factor of a product, per member of an intersection
  bool empty() const { return multipliers.size() == 0 && shares.empty() && parts.empty(); }
};

namespace sets {
struct Conditions;
}

class FCBIO_EXPORT ConvexSet {
 public:
  virtual ~ConvexSet() = default;
  virtual std::string_view name() const = 0;
  virtual Index dimension() const = 0;
  /// True where bounds over the set hold only because the caller vouched for a radius (whole space, or a set made
  /// of one): what is proved then concerns solutions, not every point of the set.
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
  /// to evaluate the bound without any search.
  virtual double prove_linear_bound(VectorIn direction, SetWitness& witness, Scratch& scratch) const;
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

  /// An upper bound of |z| over the set (over the told ball of a whole space); infinite: unbounded.
  virtual double reach() const;
  /// Adds the equations and inequalities that define the set, for the coordinates from `first` on; false: they are
  /// not known (sets given by the caller).
  virtual bool describe(sets::Conditions& conditions, Index first) const;
  /// s <- a point that satisfies the equations (to rounding) and the inequalities with room; false: none is known.
  virtual bool interior_point(VectorOut s) const;
  /// For proofs: x is a point of the set but for rounding.  Moves it, towards the interior and as little as
  /// needed, and returns d such that a point of the set lies within d of it: 0 where x itself provably is one,
  /// infinity where nothing can be proved.
  virtual double settle(VectorOut x) const;
};

using ConvexSetPtr = std::shared_ptr<const ConvexSet>;

// All refuse what makes no sense (negative radius, empty box, NaN ...) with InvalidArgument.
FCBIO_EXPORT ConvexSetPtr ball(Vector centre, double radius);
FCBIO_EXPORT ConvexSetPtr box(Vector lower, Vector upper);  ///< entries may be infinite where that side is open
FCBIO_EXPORT ConvexSetPtr simplex(Index n, double total = 1.0);
FCBIO_EXPORT ConvexSetPtr l1_ball(Vector centre, double radius);
FCBIO_EXPORT ConvexSetPtr nonnegative_ball(Index n, double radius);
/// {c'x <= value, |x| <= radius}
FCBIO_EXPORT ConvexSetPtr halfspace(Vector coefficients, double value, double radius);
/// {Mx = values, |x| <= radius}
FCBIO_EXPORT ConvexSetPtr affine_subspace(RowMajorMatrix matrix, Vector values, double radius);
FCBIO_EXPORT ConvexSetPtr product(std::vector<ConvexSetPtr> factors);
/// Projection by Dykstra's algorithm; linear lower bounds by splitting the direction (see docs/certificates.md).
FCBIO_EXPORT ConvexSetPtr intersection(std::vector<ConvexSetPtr> members);
/// R^n.  With `radius` the caller vouches that a solution lies within that distance of `start`, and linear bounds
/// are taken over that ball; without it nothing can be proved.  Projection is the identity either way.
FCBIO_EXPORT ConvexSetPtr whole_space(Vector start, std::optional<double> radius);

}  // namespace fcbio
