#include "linalg/range_finder.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/gaussian.hpp"
#include "linalg/row_products.hpp"

namespace fcbio {
namespace {

constexpr double kRoundedAway = 1e-14;  // of the length of the first column: what is left is rounding

RowBlock block_of(const RowMajorMatrix& matrix) {
  return {matrix.data(), matrix.rows(), matrix.cols(), matrix.cols()};
}

}  // namespace

RangeFinder::RangeFinder(const LinearMap& map, std::uint64_t seed) : map_(map), seed_(seed) {
  const RowReader reader = map_.read_rows();
  for (Index i = 0; i < map_.rows(); ++i) {
    const RowView row = reader.row(i);
    squared_norm_ += Eigen::Map<const Vector>(row.values, row.count).squaredNorm();
  }
}

double RangeFinder::residual() const { return complete_ ? 0.0 : std::max(0.0, squared_norm_ - projected_); }

void RangeFinder::make_room(Index columns) {
  if (range_.rows() >= columns) return;
  range_.conservativeResize(columns, map_.rows());
  image_.conservativeResize(columns, map_.cols());
}

// Twice: what rounding leaves of a long vector may be large beside what is left.
double RangeFinder::orthogonalise(Index row) {
  auto y = range_.row(row);
  for (int round = 0; round < 2; ++round)
    for (Index i = 0; i < row; ++i) y -= range_.row(i).dot(y) * range_.row(i);
  const double length = y.norm();
  if (length > 0.0) y /= length;
  return length;
}

/// M times each row of `vectors` into the rows of Q' after the last.
bool RangeFinder::multiply(const RowMajorMatrix& vectors, Watch* watch) {
  const Index count = vectors.rows();
  auto products = range_.middleRows(rank_, count);
  if (const double* const rows = map_.dense_rows(); rows != nullptr) {
    products.setZero();
    if (!add_row_products(block_of(vectors), {rows, map_.rows(), map_.cols(), map_.cols()}, 1.0, false,
                          range_.data() + rank_ * range_.cols(), range_.cols(), watch))
      return false;
  } else {
    Vector product(map_.rows());
    for (Index i = 0; i < count; ++i) {
      map_.apply(vectors.row(i).transpose(), product);
      products.row(i) = product.transpose();
      if (watch != nullptr && watch->is_over(2.0 * static_cast<double>(map_.numbers()))) return false;
    }
  }
  return true;
}

/// The rows of B of the `count` rows of Q' after the last.
bool RangeFinder::project(Index count, Watch* watch) {
  const RowBlock fresh{range_.data() + rank_ * range_.cols(), count, range_.cols(), range_.cols()};
  auto images = image_.middleRows(rank_, count);
  if (const double* const rows = map_.dense_rows(); rows != nullptr) {
    images.setZero();
    return add_matrix_products(fresh, {rows, map_.rows(), map_.cols(), map_.cols()},
                               image_.data() + rank_ * image_.cols(), image_.cols(), watch);
  }
  Vector line(map_.cols());
  for (Index i = 0; i < count; ++i) {
    map_.transpose(1.0, range_.row(rank_ + i).transpose(), line);
    images.row(i) = line.transpose();
    if (watch != nullptr && watch->is_over(2.0 * static_cast<double>(map_.numbers()))) return false;
  }
  return true;
}

bool RangeFinder::grow(Index columns, Watch* watch) {
  const Index most = std::min({columns, map_.rows(), map_.cols()});
  make_room(most);
  while (rank_ < most && !complete_) {
    const Index count = std::min(most - rank_, rank_ > 0 ? block_ : kBlock);
    RowMajorMatrix vectors(count, map_.cols());
    if (rank_ == 0) {
      Gaussian random(seed_);
      Vector line(map_.cols());
      for (Index i = 0; i < count; ++i) {
        random.fill(line);
        vectors.row(i) = line.transpose();
      }
    } else {
      vectors = image_.middleRows(rank_ - count, count);
      for (Index i = 0; i < count; ++i) vectors.row(i).normalize();
    }
    if (!multiply(vectors, watch)) return false;
    Index kept = 0;
    for (; kept < count; ++kept) {
      const double length = orthogonalise(rank_ + kept);
      if (watch != nullptr && watch->is_over(8.0 * static_cast<double>((rank_ + kept) * map_.rows())))
        return false;
      if (rank_ + kept == 0) first_length_ = length;
      if (!(length > kRoundedAway * first_length_) || !std::isfinite(length)) break;
    }
    if (kept > 0 && !project(kept, watch)) return false;
    complete_ = kept < count;
    projected_ += image_.middleRows(rank_, kept).squaredNorm();
    rank_ += kept;
    block_ = kept;
  }
  complete_ = complete_ || rank_ == std::min(map_.rows(), map_.cols());
  return true;
}

}  // namespace fcbio
