// Convex functions phi on the image space: a term of an objective is phi(M x).
//
// The dual side is what certificates are made of.  For every u and every r in the domain of the conjugate
//     phi(u) >= <r, u> - conjugate(r)                                                    (Fenchel-Young)
// with equality when r is a (sub)gradient at u.  Averages of derivatives stay in that domain up to rounding;
// make_dual_feasible() moves such a vector back into it, so conjugate() is always finite afterwards.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <variant>

#include "fcbio/export.hpp"
#include "fcbio/types.hpp"

namespace fcbio {

// What a loss is, for engines that work on its dual row by row.  Pointers live as long as the loss.
/// sum_i of  max over low_i <= y <= high_i of  y (u_i - kink_i) - bend/2 y^2;  sides may be infinite.
struct DualBoxShape {
  Vector low, high, kink;
  double bend = 0.0;
};
/// sum_i log(1 + exp(-b_i u_i))
struct LogisticShape {
  const Vector* labels;
};
/// max_i u_i + b_i
struct MaxAffineShape {
  const Vector* offsets;
};
/// monostate: any other loss.
using LossShape = std::variant<std::monostate, DualBoxShape, LogisticShape, MaxAffineShape>;

class FCBIO_EXPORT Loss {
 public:
  virtual ~Loss() = default;
  virtual std::string_view name() const = 0;
  /// Length of u.
  virtual Index size() const = 0;
  virtual LossShape shape() const { return {}; }
  virtual double value(VectorIn u) const = 0;
  /// r <- gradient at u; a fixed choice of subgradient where phi is not differentiable.
  virtual void derivative(VectorIn u, VectorOut r) const = 0;
  /// r[k] <- derivative at u[k] of the summand of entry entries[k], where phi is a sum over its entries; else false
  /// and nothing is written.  No entries: only asks.
  virtual bool derivatives_of(std::span<const Index> entries, VectorIn u, VectorOut r) const;
  /// w <- diagonal of the Hessian at u, when the Hessian is diagonal and exists; else false.
  virtual bool curvature(VectorIn u, VectorOut w) const;
  /// out <- Hessian(u) v when it exists; else false.  The default uses curvature().
  virtual bool hessian_product(VectorIn u, VectorIn v, VectorOut out) const;

  virtual void make_dual_feasible(VectorOut r) const = 0;
  /// phi*(r) for r that went through make_dual_feasible(); finite there.
  virtual double conjugate(VectorIn r) const = 0;

  /// Upper bound of the Lipschitz constant of the gradient, everywhere; empty: there is none, or none is known.
  virtual std::optional<double> smoothness() const = 0;
  /// Whether derivative() is the gradient at every u, and continuous; a constant for it need not exist (sums of
  /// exponentials, say).
  virtual bool differentiable() const { return smoothness().has_value(); }
  /// Upper bound of |derivative(u)| over |u - centre| <= radius; empty: unbounded.
  virtual std::optional<double> lipschitz(VectorIn centre, double radius) const = 0;
  /// A known lower bound of phi; -infinity: none.
  virtual double lower_bound() const { return -kInfinity; }
};

using LossPtr = std::shared_ptr<const Loss>;

// One file each in src/functions.  b: targets, one per row.  Labels of the classifiers must be -1 or +1.
FCBIO_EXPORT LossPtr least_squares_loss(Vector b);         ///< 1/2 sum (u_i - b_i)^2
FCBIO_EXPORT LossPtr logistic_loss(Vector labels);         ///< sum log(1 + exp(-b_i u_i)), accurate at both tails
FCBIO_EXPORT LossPtr huber_loss(Vector b, double delta);   ///< r^2/2 if |r| <= delta, else delta |r| - delta^2/2
FCBIO_EXPORT LossPtr squared_hinge_loss(Vector labels);    ///< 1/2 sum max(0, 1 - b_i u_i)^2
FCBIO_EXPORT LossPtr hinge_loss(Vector labels);            ///< sum max(0, 1 - b_i u_i)
FCBIO_EXPORT LossPtr absolute_loss(Vector b);              ///< sum |u_i - b_i|
FCBIO_EXPORT LossPtr quantile_loss(Vector b, double tau);  ///< sum max(tau r, (tau - 1) r),  r = b_i - u_i
FCBIO_EXPORT LossPtr max_affine_loss(Vector b);            ///< max_i u_i + b_i
FCBIO_EXPORT LossPtr log_sum_exp_loss(Vector b);           ///< log sum exp(u_i + b_i)

}  // namespace fcbio
