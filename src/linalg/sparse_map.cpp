// A sparse map: the rows of M and of M', each in tiles.  Both products are then inner products of sparse rows with
// a dense vector, each output written by one shard in a fixed order.
//
// Memory: 10 bytes a number and orientation, and 2 bytes a row and tile; the matrix it is made from has 12 a
// number. It is freed before the second orientation is made (from the first), so construction never holds much
// more than twice the data.
//
// Empty columns are left out of the tiles where there are many (in text, often half of all): the map then gathers
// the other entries of x, and the map of the used columns alone shares the tiles.
#include <algorithm>
#include <cmath>
#include <utility>

#include "fcbio/linear_map.hpp"
#include "linalg/accurate_products.hpp"
#include "linalg/at.hpp"
#include "linalg/csr.hpp"
#include "linalg/spectral_bound.hpp"
#include "linalg/stored_map.hpp"
#include "linalg/tiled_rows.hpp"

namespace fcbio {
namespace {

class SparseMap final : public LinearMap {
 public:
  SparseMap(TiledRows transposed, TiledRows forward, const EntryBounds& bounds, Index numbers)
      : transposed_(std::move(transposed)), forward_(std::move(forward)), bounds_(bounds), numbers_(numbers) {}

  Index rows() const override { return forward_.rows(); }
  Index cols() const override { return forward_.cols(); }

  void apply(VectorIn x, VectorOut image) const override {
    require_apply_sizes(*this, x.size(), image.size());
    forward_.multiply(1.0, x.data(), image.data());
  }

  void add_transpose(double weight, VectorIn dual, VectorOut gradient) const override {
    require_transpose_sizes(*this, dual.size(), gradient.size());
    transposed_.add_product(weight, dual.data(), gradient.data());
  }
  void transpose(double weight, VectorIn dual, VectorOut gradient) const override {
    require_transpose_sizes(*this, dual.size(), gradient.size());
    transposed_.multiply(weight, dual.data(), gradient.data());
  }

  double accurate_apply(VectorIn x, VectorOut image) const override {
    require_apply_sizes(*this, x.size(), image.size());
    forward_.accurate_product(x.data(), image.data());
    return accurate_rounding(forward_.longest_row(), frobenius_bound(), x);
  }
  double accurate_transpose(VectorIn dual, VectorOut gradient) const override {
    require_transpose_sizes(*this, dual.size(), gradient.size());
    transposed_.accurate_product(dual.data(), gradient.data());
    return accurate_rounding(transposed_.longest_row(), frobenius_bound(), dual);
  }

  NormBound norm_bound() const override { return norm_.of(*this, bounds_); }
  double frobenius_bound() const override { return bounds_.unscaled_frobenius(); }
  Index longest_sum() const override { return std::max(forward_.longest_row(), transposed_.longest_row()); }
  Index numbers() const override { return numbers_; }
  bool copy_rows(RowMajorMatrix* out) const override {
    if (out != nullptr) copy_by_products(*out);
    return true;
  }
  bool copy_sparse_rows(CsrMatrix* out) const override {
    if (out != nullptr) *out = forward_.to_csr();
    return true;
  }
  RowReader read_rows() const override { return RowReader(forward_.to_csr()); }

 private:
  /// The rows of M are its transpose times the unit vectors; where there are fewer columns, those are taken.
  void copy_by_products(RowMajorMatrix& out) const {
    const bool by_rows = rows() <= cols();
    out.setZero(rows(), cols());
    Vector unit = Vector::Zero(by_rows ? rows() : cols());
    Vector line(by_rows ? cols() : rows());
    for (Index i = 0; i < unit.size(); ++i) {
      unit[i] = 1.0;
      if (by_rows) {
        transpose(1.0, unit, line);
        out.row(i) = line.transpose();
      } else {
        apply(unit, line);
        out.col(i) = line;
      }
      unit[i] = 0.0;
    }
  }

  TiledRows transposed_;
  TiledRows forward_;
  EntryBounds bounds_;
  Index numbers_;
  CachedSpectralBound norm_;
};

constexpr Index kWorthwhile = 8;  // one empty column in so many

/// A map with more columns: those of `core` stand at `columns`, all others are empty.
class SpreadMap final : public LinearMap {
 public:
  SpreadMap(LinearMapPtr core, std::vector<Index> columns, Index cols)
      : core_(std::move(core)), columns_(std::move(columns)), cols_(cols) {}

  Index rows() const override { return core_->rows(); }
  Index cols() const override { return cols_; }

  void apply(VectorIn x, VectorOut image) const override {
    require_apply_sizes(*this, x.size(), image.size());
    auto gathered = buffer();
    for (Index k = 0; k < gathered.size(); ++k) gathered[k] = x[columns_[at(k)]];
    core_->apply(gathered, image);
  }
  void add_transpose(double weight, VectorIn dual, VectorOut gradient) const override {
    require_transpose_sizes(*this, dual.size(), gradient.size());
    auto gathered = buffer();
    core_->transpose(weight, dual, gathered);
    for (Index k = 0; k < gathered.size(); ++k) gradient[columns_[at(k)]] += gathered[k];
  }

  double accurate_apply(VectorIn x, VectorOut image) const override {
    require_apply_sizes(*this, x.size(), image.size());
    auto gathered = buffer();
    for (Index k = 0; k < gathered.size(); ++k) gathered[k] = x[columns_[at(k)]];
    return core_->accurate_apply(gathered, image);
  }
  double accurate_transpose(VectorIn dual, VectorOut gradient) const override {
    require_transpose_sizes(*this, dual.size(), gradient.size());
    auto gathered = buffer();
    const double rounding = core_->accurate_transpose(dual, gathered);
    gradient.setZero();
    for (Index k = 0; k < gathered.size(); ++k) gradient[columns_[at(k)]] = gathered[k];
    return rounding;
  }

  NormBound norm_bound() const override { return core_->norm_bound(); }
  double frobenius_bound() const override { return core_->frobenius_bound(); }
  Index longest_sum() const override { return core_->longest_sum(); }
  Index numbers() const override { return core_->numbers(); }
  void mark_used(std::vector<bool>& used) const override {
    for (const Index j : columns_) used[at(j)] = true;
  }
  LinearMapPtr restricted(const std::vector<Index>& used) const override {
    if (used == columns_) return core_;
    std::vector<Index> places;
    places.reserve(columns_.size());
    auto place = used.begin();
    for (const Index j : columns_) {
      place = std::lower_bound(place, used.end(), j);
      places.push_back(place - used.begin());
    }
    return std::make_shared<const SpreadMap>(core_, std::move(places), static_cast<Index>(used.size()));
  }
  RowReader read_rows() const override {
    CsrMatrix wide{rows(), cols(), {0}, {}, {}};
    wide.columns.reserve(at(numbers()));
    wide.values.reserve(at(numbers()));
    const RowReader inner = core_->read_rows();
    for (Index i = 0; i < rows(); ++i) {
      const RowView row = inner.row(i);
      for (Index k = 0; k < row.count; ++k) {
        const Index column = columns_[at(row.columns != nullptr ? Index{row.columns[k]} : k)];
        wide.columns.push_back(static_cast<std::int32_t>(column));
        wide.values.push_back(row.values[k]);
      }
      wide.starts.push_back(wide.nonzeros());
    }
    return RowReader(std::move(wide));
  }
  bool copy_rows(RowMajorMatrix* out) const override {
    if (out == nullptr) return core_->copy_rows(nullptr);
    RowMajorMatrix inner;
    if (!core_->copy_rows(&inner)) return false;
    out->setZero(rows(), cols());
    for (Index k = 0; k < inner.cols(); ++k) out->col(columns_[at(k)]) = inner.col(k);
    return true;
  }
  bool copy_sparse_rows(CsrMatrix* out) const override {
    if (!core_->copy_sparse_rows(out)) return false;
    if (out == nullptr) return true;
    for (std::int32_t& column : out->columns) column = static_cast<std::int32_t>(columns_[at(column)]);
    out->cols = cols_;
    return true;
  }

 private:
  /// One per thread, so that solves can share the map; no allocation once it has its size.
  Eigen::Map<Vector> buffer() const {
    static thread_local std::vector<double> numbers;
    if (numbers.size() < columns_.size()) numbers.resize(columns_.size());
    return {numbers.data(), static_cast<Index>(columns_.size())};
  }

  LinearMapPtr core_;
  std::vector<Index> columns_;  // ascending
  Index cols_;
};

/// The columns that hold numbers, and the number of each among them; none where too few are empty.
struct UsedColumns {
  std::vector<Index> columns;
  std::vector<std::int32_t> place;  // per column
};

UsedColumns used_columns(const CsrView& matrix) {
  UsedColumns used{{}, std::vector<std::int32_t>(static_cast<std::size_t>(matrix.cols), 0)};
  for (const std::int32_t column : matrix.columns) used.place[static_cast<std::size_t>(column)] = 1;
  const auto count = static_cast<Index>(std::count(used.place.begin(), used.place.end(), 1));
  if (count == 0 || kWorthwhile * (matrix.cols - count) < matrix.cols) return {};
  used.columns.reserve(static_cast<std::size_t>(count));
  for (Index j = 0; j < matrix.cols; ++j) {
    std::int32_t& number = used.place[static_cast<std::size_t>(j)];
    if (number == 0) continue;
    number = static_cast<std::int32_t>(used.columns.size());
    used.columns.push_back(j);
  }
  return used;
}

EntryBounds bounds_of(const CsrView& matrix) {
  return entry_bounds("sparse_map", matrix.rows, matrix.cols, [&matrix](const auto& visitor) {
    for (Index row = 0; row < matrix.rows; ++row) {
      const auto begin = static_cast<std::size_t>(matrix.starts[static_cast<std::size_t>(row)]);
      const auto end = static_cast<std::size_t>(matrix.starts[static_cast<std::size_t>(row) + 1]);
      for (std::size_t k = begin; k < end; ++k) visitor(row, matrix.columns[k], matrix.values[k]);
    }
  });
}

/// A sparse map half made: the rows are not needed any more.
struct HalfMade {
  EntryBounds bounds;
  Index cols, numbers;
  std::vector<Index> used;
  TiledRows transposed;
};

HalfMade first_half(const CsrView& matrix) {
  require_csr("sparse_map", matrix);
  const EntryBounds bounds = bounds_of(matrix);
  UsedColumns used = used_columns(matrix);
  TiledRows transposed =
      used.columns.empty() ? TiledRows::transpose_of(matrix)
                           : TiledRows::transpose_of(matrix, used.place, static_cast<Index>(used.columns.size()));
  return {bounds, matrix.cols, matrix.nonzeros(), std::move(used.columns), std::move(transposed)};
}

LinearMapPtr second_half(HalfMade half, TiledRows forward) {
  LinearMapPtr core =
      std::make_shared<const SparseMap>(std::move(half.transposed), std::move(forward), half.bounds, half.numbers);
  if (half.used.empty()) return core;
  return std::make_shared<const SpreadMap>(std::move(core), std::move(half.used), half.cols);
}

LinearMapPtr second_half(HalfMade half) {
  TiledRows forward = TiledRows::transpose_of(half.transposed);
  return second_half(std::move(half), std::move(forward));
}

void check_stored(const SparseMapPlan& plan) {
  const Index inner = plan.used.empty() ? plan.cols : static_cast<Index>(plan.used.size());
  bool fits = plan.transposed.rows == inner && plan.transposed.cols == plan.forward.rows &&
              plan.forward.cols == inner && plan.numbers >= 0;
  Index before = -1;
  for (const Index column : plan.used) {
    fits = fits && column > before && column < plan.cols;
    before = column;
  }
  const EntryBounds& bounds = plan.bounds;
  fits = fits && bounds.scale > 0.0 && bounds.frobenius >= 0.0 && bounds.squared >= 0.0 &&
         std::isfinite(bounds.scale) && std::isfinite(bounds.frobenius) && std::isfinite(bounds.squared);
  if (!fits) refuse("sparse_map", "a plan of this map", "something else", "make the map anew");
}

}  // namespace

LinearMapPtr sparse_map(const CsrView& matrix) { return second_half(first_half(matrix)); }

LinearMapPtr sparse_map(CsrMatrix matrix) {
  HalfMade half = first_half(view_of(matrix));
  matrix = CsrMatrix{};
  return second_half(std::move(half));
}

SparseMapPlan spill_sparse_map(const CsrView& matrix, TileSink& sink) {
  require_csr("sparse_map", matrix);
  SparseMapPlan plan;
  plan.bounds = bounds_of(matrix);
  plan.cols = matrix.cols;
  plan.numbers = matrix.nonzeros();
  UsedColumns used = used_columns(matrix);
  plan.transposed = used.columns.empty() ? TiledRows::spill_transpose_of(matrix, sink)
                                         : TiledRows::spill_transpose_of(
                                               matrix, used.place, static_cast<Index>(used.columns.size()), sink);
  plan.used = std::move(used.columns);
  return plan;
}

void spill_second_half(SparseMapPlan& plan, const TileNumbers& transposed, TileSink& sink) {
  plan.forward = TiledRows::spill_transpose_of(TiledRows::over(plan.transposed, transposed, nullptr), sink);
}

LinearMapPtr stored_sparse_map(const SparseMapPlan& plan, const TileNumbers& transposed,
                               const TileNumbers& forward, const std::shared_ptr<const void>& owner) {
  check_stored(plan);
  HalfMade half{plan.bounds, plan.cols, plan.numbers, plan.used,
                TiledRows::over(plan.transposed, transposed, owner)};
  TiledRows rows = TiledRows::over(plan.forward, forward, owner);
  if (!half.transposed.numbers_fit() || !rows.numbers_fit())
    refuse("sparse_map", "finite numbers at places that there are", "others", "make the map anew");
  return second_half(std::move(half), std::move(rows));
}

}  // namespace fcbio
