// x -> M x.  One product with M or with its transpose is one *pass*, the unit of work of the whole program.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "fcbio/export.hpp"
#include "fcbio/matrix.hpp"
#include "fcbio/types.hpp"

namespace fcbio {

/// A safe upper bound of the largest squared singular value of a map, and what it cost to find it.
struct NormBound {
  double squared = 0.0;
  std::int64_t passes = 0;
};

class FCBIO_EXPORT LinearMap {
 public:
  virtual ~LinearMap() = default;
  virtual Index rows() const = 0;
  virtual Index cols() const = 0;
  /// image <- M x.  No allocation.
  virtual void apply(VectorIn x, VectorOut image) const = 0;
  /// gradient <- gradient + weight * M' dual.  No allocation.
  virtual void add_transpose(double weight, VectorIn dual, VectorOut gradient) const = 0;
  /// gradient <- weight * M' dual.  To be overridden where that saves a sweep over the gradient.
  virtual void transpose(double weight, VectorIn dual, VectorOut gradient) const {
    gradient.setZero();
    add_transpose(weight, dual, gradient);
  }
  // For proofs: each number of M x and M'r nearly as if it had been rounded once, however many products it is the sum
  // of.  Both return a number e such that the error is at most kEpsilon |result| + e, in norm.  They may allocate,
  // and take several times the time of a product.  The defaults are ordinary products.
  virtual double accurate_apply(VectorIn x, VectorOut image) const;
  virtual double accurate_transpose(VectorIn dual, VectorOut gradient) const;
  /// Upper bound of |M|^2 (spectral).  Computed at the first call and kept; thread-safe; the cost reported is
  /// the same whether or not it was already known, so that counts do not depend on what ran before.
  virtual NormBound norm_bound() const = 0;
  /// Upper bound of the Frobenius norm; used for rounding allowances.  No pass is charged.
  virtual double frobenius_bound() const = 0;
  /// The largest number of products added up in one number of M x or M'r; used for rounding allowances.
  virtual Index longest_sum() const { return std::max(rows(), cols()); }
  /// True where a product costs nothing worth counting (the identity).
  virtual bool free() const { return false; }
  /// Stored numbers: a product takes two operations for each.
  virtual Index numbers() const { return rows() * cols(); }
  /// used[j] <- true for every column j that may hold a number other than 0.
  virtual void mark_used(std::vector<bool>& used) const { used.assign(used.size(), true); }
  /// The map of the columns `used` alone (ascending); all others are empty.  Null: not available.
  virtual std::shared_ptr<const LinearMap> restricted(const std::vector<Index>& /*used*/) const { return nullptr; }
  /// *out <- M, where its numbers can be had; else false and nothing is written.  Null only asks.
  virtual bool copy_rows(RowMajorMatrix* /*out*/) const { return false; }
  /// M as it is stored, where that is row after row without gaps; null: it is stored in some other way.  Lives as
  /// long as the map.
  virtual const double* dense_rows() const { return nullptr; }
  /// *out <- M, for numbers that are stored as sparse rows; else false, also where they are dense.  Null only asks.
  virtual bool copy_sparse_rows(CsrMatrix* /*out*/) const { return false; }
};

using LinearMapPtr = std::shared_ptr<const LinearMap>;

// CsrMatrix from Eigen's sparse matrices: eigen_sparse.hpp.

// All of these refuse empty shapes, inconsistent sizes and numbers that are not finite (InvalidArgument).
FCBIO_EXPORT LinearMapPtr dense_map(RowMajorMatrix matrix);
FCBIO_EXPORT LinearMapPtr dense_map(Eigen::MatrixXd matrix);  ///< column-major
FCBIO_EXPORT LinearMapPtr
sparse_map(CsrMatrix matrix);  ///< keeps the transpose too: at most about twice the memory
FCBIO_EXPORT LinearMapPtr identity_map(Index n);

/// A map known only by its products.  `squared_norm` must be an upper bound of |M|^2.
struct UserMap {
  Index rows = 0;
  Index cols = 0;
  std::function<void(VectorIn x, VectorOut image)> apply;
  std::function<void(double weight, VectorIn dual, VectorOut gradient)> add_transpose;
  double squared_norm = 0.0;
};
FCBIO_EXPORT LinearMapPtr user_map(UserMap map);

/// True if |<Mx, y> - <x, M'y>| is at rounding level for a few seeded random pairs: catches a wrong transpose.
FCBIO_EXPORT bool adjoint_is_consistent(const LinearMap& map, std::uint64_t seed = 1);

}  // namespace fcbio
