#include "linalg/sparse_gram.hpp"

#include <utility>

#include "fcbio/threads.hpp"

namespace fcbio {
namespace {

constexpr double kShardOperations = 1e6;
constexpr Index kShardsAtOnce = 16;  // between two looks at the clock

std::size_t spot(Index i) { return static_cast<std::size_t>(i); }

}  // namespace

SparseGram::SparseGram(CsrMatrix matrix) : matrix_(std::move(matrix)) {
  column_starts_.assign(spot(matrix_.cols) + 1, 0);
  for (const std::int32_t column : matrix_.columns) ++column_starts_[spot(column) + 1];
  for (Index j = 0; j < matrix_.cols; ++j) column_starts_[spot(j) + 1] += column_starts_[spot(j)];
  entries_.resize(matrix_.columns.size());
  std::vector<double> work(spot(matrix_.cols), 0.0);
  std::vector<std::int64_t> next(column_starts_.begin(), column_starts_.end() - 1);
  for (Index row = 0; row < matrix_.rows; ++row) {
    const std::int64_t start = matrix_.starts[spot(row)];
    for (std::int64_t k = start; k < matrix_.starts[spot(row) + 1]; ++k) {
      const std::int32_t column = matrix_.columns[spot(k)], place = static_cast<std::int32_t>(k - start);
      entries_[spot(next[spot(column)]++)] = {static_cast<std::int32_t>(row), place};
      work[spot(column)] += 2.0 * (place + 1.0);
    }
  }
  shards_.push_back(0);
  double present = 0.0;
  for (Index j = 0; j < matrix_.cols; ++j) {
    operations_ += work[spot(j)];
    present += work[spot(j)];
    if (present < kShardOperations && j + 1 < matrix_.cols) continue;
    shards_.push_back(j + 1);
    present = 0.0;
  }
}

void SparseGram::add_row(Index column, const double* weights, double* out) const {
  for (std::int64_t e = column_starts_[spot(column)]; e < column_starts_[spot(column) + 1]; ++e) {
    const Entry& entry = entries_[spot(e)];
    const std::int64_t start = matrix_.starts[spot(entry.row)];
    const double* const values = matrix_.values.data() + start;
    const std::int32_t* const columns = matrix_.columns.data() + start;
    const double factor = weights[entry.row] * values[entry.place];
    if (factor == 0.0) continue;
    for (std::int32_t k = 0; k <= entry.place; ++k) out[columns[k]] += factor * values[k];
  }
}

bool SparseGram::add_weighted(const double* weights, double* out, Index stride, Watch* watch) const {
  struct {
    const SparseGram& gram;
    const double* weights;
    double* out;
    Index stride, first;
  } work{*this, weights, out, stride, 0};
  const Index shards = static_cast<Index>(shards_.size()) - 1;
  for (work.first = 0; work.first < shards; work.first += kShardsAtOnce) {
    const Index count = std::min(kShardsAtOnce, shards - work.first);
    run_shards(count, [&work](Index shard) {
      const std::vector<Index>& starts = work.gram.shards_;
      for (Index i = starts[spot(work.first + shard)]; i < starts[spot(work.first + shard) + 1]; ++i)
        work.gram.add_row(i, work.weights, work.out + i * work.stride);
    });
    if (watch != nullptr && watch->is_over(operations_ * static_cast<double>(count) / static_cast<double>(shards)))
      return false;
  }
  return true;
}

}  // namespace fcbio
