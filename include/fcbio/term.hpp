// A term: one summand of an objective.  It knows its value and gradient, what they cost in passes, and how to
// describe an affine (or exactly kept quadratic) minorant of itself by a short *dual* vector:
//
//     term(x) >= dual_constant(d) + <slope(d), x> + exact_curvature()/2 |x|^2      for every repaired d
//
// linear_dual(x) gives the d whose minorant touches the term at x.  The right side is concave in d for every
// fixed x, so an average of duals describes a minorant at least as high as the average of the minorants; that is
// how a whole run of an accelerated method becomes one certificate.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fcbio/linear_map.hpp"
#include "fcbio/loss.hpp"
#include "fcbio/scratch.hpp"
#include "fcbio/types.hpp"

namespace fcbio {

/// Passes charged for each kind of evaluation.
struct PassCost {
  int image = 0;
  int value = 0;
  int gradient = 0;
  int slope = 0;        ///< add_slope() from a dual alone
  int slope_along = 0;  ///< slope_along() with the images of point and direction at hand
  int hessian = 0;      ///< add_hessian_product()
};

/// A constant that cost passes to find.
struct CostedBound {
  std::optional<double> value;
  std::int64_t passes = 0;
};

class FCBIO_EXPORT Term {
 public:
  virtual ~Term() = default;
  virtual std::string_view name() const = 0;
  virtual Index dimension() const = 0;
  virtual PassCost cost() const = 0;

  /// Length of the image a Point carries for this term; 0: none, the term works on x itself.
  virtual Index image_size() const { return 0; }
  /// u <- image of x; linear in x, so that images of combinations are combinations of images.
  virtual void image(VectorIn, VectorOut) const {}

  virtual double value(VectorIn x, VectorIn u) const = 0;
  /// Whether value() looks at x, not at its image alone.
  virtual bool value_needs_x() const { return image_size() == 0; }

  /// Length of a dual; 0: the term is its own minorant (linear, squared norm).
  virtual Index dual_size() const = 0;
  /// d <- dual of the linearisation at x.
  virtual void linear_dual(VectorIn x, VectorIn u, VectorOut d) const = 0;
  /// gradient += weight * (gradient at x);  d must be linear_dual(x, u).
  virtual void add_gradient(double weight, VectorIn x, VectorIn u, VectorIn d, VectorOut gradient) const = 0;
  /// gradient <- weight * (gradient at x), likewise.
  virtual void gradient(double weight, VectorIn x, VectorIn u, VectorIn d, VectorOut gradient) const {
    gradient.setZero();
    add_gradient(weight, x, u, d, gradient);
  }
  /// d/da of term(x + a v) at a = 0, from the images u of x and v_image of v: no pass where the term has an image.
  /// `dual_scratch` has dual_size() entries and is overwritten.  The default forms the gradient, and allocates.
  virtual double slope_along(VectorIn x, VectorIn u, VectorIn v, VectorIn v_image, VectorOut dual_scratch) const;
  /// out += weight * Hessian(x) v where it exists; else false and nothing is written.
  virtual bool add_hessian_product(double weight, VectorIn x, VectorIn u, VectorIn v, Scratch& scratch,
                                   VectorOut out) const = 0;
  /// Whether that is how a black box tells its Hessian; costs nothing.
  virtual bool tells_hessian() const { return false; }
  /// Not null: the term is loss(map x) with this map, which lives as long as the term.
  virtual const LinearMap* map() const { return nullptr; }
  virtual const Loss* loss() const { return nullptr; }  ///< that loss, likewise
  /// Not null: the term is 1/2 x'Qx plus an affine function, Q this map, which lives as long as the term.
  virtual const LinearMap* quadratic_map() const { return nullptr; }
  /// w <- diagonal of the loss's Hessian at the image of x, where there is a map and the Hessian is diagonal; else
  /// false.
  virtual bool curvature(VectorIn /*x*/, VectorIn /*u*/, VectorOut /*w*/) const { return false; }

  /// Moves d into the domain of the minorant (undoes rounding of averages, and recomputes what is derived).
  virtual void repair_dual(VectorOut) const {}
  virtual double dual_constant(VectorIn d) const = 0;
  /// slope += weight * slope(d).
  virtual void add_slope(double weight, VectorIn d, VectorOut slope) const = 0;
  /// How much of d a witness must store: the rest is recomputed by repair_dual().
  virtual Index witness_size() const { return dual_size(); }
  virtual double exact_curvature() const { return 0.0; }
  /// By how much the minorant of d may lie above the term at a point of norm <= reach, rounded up: 0 for a term
  /// whose convexity is certain.  Proofs subtract it.
  virtual double minorant_excess(VectorIn /*d*/, double /*reach*/) const { return 0.0; }
  /// What a proof takes on trust about this term, a clause: "the function 'NAME' is convex and its gradient
  /// right".  Empty: nothing.  Terms with a premise are watched while a method runs.
  virtual std::string premise() const { return {}; }

  /// Bounds of floating-point errors: of value() at x, images computed afresh; of slope(d), in norm, per unit of
  /// weight; and of dual_constant(d).
  virtual double value_rounding(VectorIn x, VectorIn u) const = 0;
  virtual double slope_rounding(VectorIn d) const = 0;
  virtual double dual_constant_rounding(VectorIn d) const = 0;

  /// For proofs: the same as image() and value(), and as add_slope(), as accurately as the term can, with a bound of
  /// the error: of the value; of the slope, in norm and per unit of weight.  They may allocate.
  struct Proved {
    double value, rounding;
  };
  virtual Proved proved_value(VectorIn x, VectorOut u) const {
    if (image_size() > 0) image(x, u);
    return {value(x, u), value_rounding(x, u)};
  }
  virtual double add_proved_slope(double weight, VectorIn d, VectorOut slope) const {
    add_slope(weight, d, slope);
    return slope_rounding(d);
  }

  /// used[j] <- true for every variable j that the term depends on, or would like to see elsewhere than at
  /// rest[j]: with the others at rest the term is at its least in them.
  virtual void mark_used(VectorIn /*rest*/, std::vector<bool>& used) const { used.assign(used.size(), true); }
  /// The term as a function of the variables `used` alone (ascending), the others being at rest.  Null: not
  /// available.
  virtual std::shared_ptr<const Term> restricted(const std::vector<Index>& /*used*/) const { return nullptr; }
  /// Makes a dual of restricted(used) one of this term.
  virtual void restore_dual(const std::vector<Index>& /*used*/, Vector& /*dual*/) const {}

  /// x <- argmin over z of step * term(z) + 1/2 |z - x|^2, step >= 0; false: not available, x is untouched.
  virtual bool prox(double /*step*/, VectorOut /*x*/) const { return false; }
  /// Not null: the term is sum |x_j - c_j| with this c, which lives as long as the term.
  virtual const Vector* l1_centre() const { return nullptr; }

  /// Whether the gradient exists everywhere and is continuous.  That is enough for methods that search for their
  /// step lengths; those that take them from a constant need smooth().
  virtual bool differentiable() const { return smooth(); }
  /// Whether smoothness() has a value; costs nothing.
  virtual bool smooth() const { return smoothness().value.has_value(); }
  virtual CostedBound smoothness() const = 0;                               ///< of the gradient, everywhere
  virtual CostedBound lipschitz(VectorIn centre, double radius) const = 0;  ///< on a Euclidean ball
  /// At least |term(z) - term(x)| for every z within `distance` of x; u is the image of x.
  virtual CostedBound change(VectorIn x, VectorIn u, double distance) const;
  virtual double strong_convexity() const { return exact_curvature(); }
  virtual double lower_bound() const { return -kInfinity; }
};

using TermPtr = std::shared_ptr<const Term>;

FCBIO_EXPORT TermPtr loss_term(LinearMapPtr map, LossPtr loss);  ///< loss(map x)
FCBIO_EXPORT TermPtr squared_norm_term(Vector centre);           ///< 1/2 |x - c|^2
FCBIO_EXPORT TermPtr l1_norm_term(Vector centre);                ///< sum |x_j - c_j|
FCBIO_EXPORT TermPtr linear_term(Vector coefficients);           ///< c'x
/// 1/2 x'Qx + c'x + constant.  Refused unless Q is square, symmetric and proved to be positive semidefinite, or so
/// nearly that proofs can pay for what is missing (Term::minorant_excess).
FCBIO_EXPORT TermPtr quadratic_term(RowMajorMatrix q, Vector c, double constant = 0.0);
FCBIO_EXPORT TermPtr quadratic_term(CsrMatrix q, Vector c, double constant = 0.0);

/// A convex function known by a lambda.  The lambda returns the value at x and, if `gradient` is not null,
/// writes a (sub)gradient into it.  The constants are what the caller vouches for; check_function() (check.hpp)
/// tests all of it.
struct UserFunction {
  std::string name = "user";
  Index dimension = 0;
  std::function<double(VectorIn x, Vector* gradient)> evaluate;
  std::optional<double> smoothness = {};  ///< a Lipschitz constant of the gradient
  std::optional<double> lipschitz = {};
  double lower_bound = -kInfinity;
  double strong_convexity = 0.0;  ///< m >= 0: f(y) >= f(x) + <f'(x), y - x> + m/2 |y - x|^2
  /// Optional: x <- argmin over z of step * f(z) + 1/2 |z - x|^2, for every step >= 0.
  std::function<void(double step, VectorOut x)> prox = {};
  /// Optional: out <- Hessian at x times v.  Newton's method uses it where there are few variables; no proof does.
  std::function<void(VectorIn x, VectorIn v, VectorOut out)> hessian_product = {};
  /// True: `gradient` is the gradient everywhere, and continuous.  Where smoothness or the Hessian is told there is no
  /// need to say so; where no constant is known, this makes room for engines that need none.
  bool differentiable = false;
};
FCBIO_EXPORT TermPtr user_term(UserFunction function);

}  // namespace fcbio
