// What a long computation below the level of iterations (a projection in cycles, a factorisation, the search for a
// bound) tells of its work, and asks on its way: whether to go on.
#pragma once

#include <cstdint>

#include "fcbio/export.hpp"

namespace fcbio {

class FCBIO_EXPORT Watch {
 public:
  virtual ~Watch() = default;
  /// So much was done since the last call: `operations` in additions and multiplications, roughly, and projections
  /// on single sets.  True: give up, and return what there is.  Cheap; to be called every millisecond or so.
  virtual bool is_over(double operations, std::int64_t projections = 0) = 0;
};

/// A fixed number of operations, for what is computed before there is a solve that could be stopped.
class FCBIO_EXPORT OperationBudget final : public Watch {
 public:
  explicit OperationBudget(double operations) : left_(operations) {}
  bool is_over(double operations, std::int64_t = 0) override {
    left_ -= operations;
    return is_spent();
  }
  bool is_spent() const { return left_ < 0.0; }

 private:
  double left_;
};

}  // namespace fcbio
