// x -> M x.  One product with M or with its transpose is one *pass*, the unit of work of the whole program.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "fcbio/export.hpp"
#include "fcbio/matrix.hpp"
#include "fcbio/types.hpp"

namespace fcbio {

/// A safe upper bound of the largest squared singular value of a map, and what it cost to find it.
struct NormBound {
  double squared = 0.0;
  std::int64_t passes = 0;
  double nearest = 0.0;  ///< the value itself as nearly as it was found: not safe, and at most `squared`
};

/// One row of a map: `count` numbers in the columns `columns`, or in all of them, one by one, where that is null.
struct RowView {
  const double* values = nullptr;
  const std::int32_t* columns = nullptr;
  Index count = 0;
};

/// The rows of a map one at a time, in any order: for methods that look at a few of them.  Points into the map where
/// that holds its numbers by rows (then the map must outlive it), otherwise into a copy of its own.
class FCBIO_EXPORT RowReader {
 public:
  RowReader() = default;  ///< no rows
  RowReader(const double* by_rows, Index cols, Index stride) : dense_(by_rows), cols_(cols), stride_(stride) {}
  explicit RowReader(RowMajorMatrix copy)
      : copy_(std::move(copy)), dense_(copy_.data()), cols_(copy_.cols()), stride_(cols_) {}
  explicit RowReader(CsrMatrix copy) : sparse_(std::move(copy)) {}
  RowReader(RowReader&&) = default;  // the numbers of a matrix keep their places
  RowReader& operator=(RowReader&&) = default;

  RowView row(Index i) const {
    if (dense_ != nullptr) return {dense_ + i * stride_, nullptr, cols_};
    const auto begin = sparse_.starts[static_cast<std::size_t>(i)];
    return {sparse_.values.data() + begin, sparse_.columns.data() + begin,
            sparse_.starts[static_cast<std::size_t>(i) + 1] - begin};
  }

 private:
  RowMajorMatrix copy_;
  const double* dense_ = nullptr;
  Index cols_ = 0, stride_ = 0;
  CsrMatrix sparse_;
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
  /// Needs copy_rows(nullptr).  Dense rows are not copied; sparse ones are, at 12 bytes a number.
  virtual RowReader read_rows() const {
    RowMajorMatrix copy;
    copy_rows(&copy);
    return RowReader(std::move(copy));
  }
};

using LinearMapPtr = std::shared_ptr<const LinearMap>;

// CsrMatrix from Eigen's sparse matrices: eigen_sparse.hpp.

// All of these refuse empty shapes, inconsistent sizes and numbers that are not finite (InvalidArgument).
FCBIO_EXPORT LinearMapPtr dense_map(RowMajorMatrix matrix);
FCBIO_EXPORT LinearMapPtr dense_map(Eigen::MatrixXd matrix);  ///< column-major
FCBIO_EXPORT LinearMapPtr
sparse_map(CsrMatrix matrix);  ///< keeps the transpose too: at most about twice the memory
/// Over memory of somebody else's, which is not copied; `owner` keeps it alive and nobody may write to it meanwhile.
FCBIO_EXPORT LinearMapPtr dense_map(const DenseView& matrix, std::shared_ptr<const void> owner);
/// Reads the rows while it is made, and not afterwards.
FCBIO_EXPORT LinearMapPtr sparse_map(const CsrView& matrix);
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
