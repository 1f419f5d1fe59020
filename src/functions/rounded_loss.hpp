// A loss that knows how wrong floating point can make it.  Every loss of this room is one.
#pragma once

#include <string>

#include "fcbio/loss.hpp"

namespace fcbio::functions {

class RoundedLoss : public Loss {
 public:
  /// At least |computed value(u) - phi(u)|, u taken as exact.
  virtual double value_rounding(VectorIn u) const = 0;
  /// At least |computed conjugate(r) - phi*(r')|, where r' is the dual next to r that is feasible exactly.
  virtual double conjugate_rounding(VectorIn r) const = 0;
  /// |r' - r| <= dual_rounding() |r| for every r that went through make_dual_feasible().  Zero unless the domain
  /// of the conjugate has an equation in it, which no rounded vector meets.
  virtual double dual_rounding() const { return 0.0; }
  /// The same loss with its summands multiplied by `weights`, called `name`; null: it is not a sum over its entries.
  virtual LossPtr weighted(Vector /*weights*/, std::string /*name*/) const { return nullptr; }
};

// The same for any loss.  A loss written elsewhere does not say what it adds up, so it gets an estimate: its sums
// are taken to be no larger than |phi(u)| + |phi'| |u|, and |phi*(r)| + |r| sqrt(size), with 64 roundings each.
double value_rounding(const Loss& loss, VectorIn u);
double conjugate_rounding(const Loss& loss, VectorIn r);
double dual_rounding(const Loss& loss);

}  // namespace fcbio::functions
