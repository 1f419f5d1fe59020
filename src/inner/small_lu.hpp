// LU factorisation with partial pivoting of a small square matrix, in storage that never grows: Eigen's own
// factorisations allocate whenever the size changes, and a quasi-Newton model changes its size at every step.
#pragma once

#include <cmath>
#include <utility>
#include <vector>

#include "fcbio/types.hpp"

namespace fcbio {

class SmallLu {
 public:
  explicit SmallLu(Index capacity = 0) : store_(capacity, capacity), pivots_(static_cast<std::size_t>(capacity)) {}

  /// The matrix to fill in before factorize().
  auto matrix(Index size) {
    size_ = size;
    return store_.topLeftCorner(size, size);
  }
  void factorize() {
    for (Index k = 0; k < size_; ++k) {
      const Index below = size_ - k - 1;
      Index pivot = 0;
      store_.col(k).segment(k, size_ - k).cwiseAbs().maxCoeff(&pivot);
      pivot += k;
      pivots_[static_cast<std::size_t>(k)] = pivot;
      if (pivot != k) store_.row(k).head(size_).swap(store_.row(pivot).head(size_));
      if (below == 0 || store_(k, k) == 0.0) continue;
      store_.col(k).segment(k + 1, below) /= store_(k, k);
      for (Index j = k + 1; j < size_; ++j)
        store_.col(j).segment(k + 1, below) -= store_(k, j) * store_.col(k).segment(k + 1, below);
    }
  }
  /// x <- (matrix)^{-1} x; not finite where the matrix is singular.
  void solve(VectorOut x) const {
    for (Index k = 0; k < size_; ++k) {
      std::swap(x[k], x[pivots_[static_cast<std::size_t>(k)]]);
    }
    for (Index k = 0; k + 1 < size_; ++k)
      x.segment(k + 1, size_ - k - 1) -= x[k] * store_.col(k).segment(k + 1, size_ - k - 1);
    for (Index k = size_ - 1; k >= 0; --k) {
      x[k] /= store_(k, k);
      x.head(k) -= x[k] * store_.col(k).head(k);
    }
  }

 private:
  Eigen::MatrixXd store_;
  std::vector<Index> pivots_;
  Index size_ = 0;
};

}  // namespace fcbio
