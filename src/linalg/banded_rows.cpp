// Building bands by a counting sort over (band, row), and the products.
//
// The kernel keeps four independent sums: the additions do not wait for each other, and the order is fixed by the
// source, not by the compiler.  It asks for the numbers of the rows ahead, because short rows end the processor's
// own guess again and again (10 to 25 % on one core), and for the piece of the vector that a band is about to read
// at random (up to 20 % where the vector is long).  Together with large pages (linalg/large_pages.hpp) a number
// takes about 1.1 ns from memory, 0.6 ns from cache.  Gathers of AVX2 were measured and are no faster; nor are
// tiles of (row, column, number), 1.2 to 1.5 ns.  Four rows of nearly the same length side by side, sorted within
// tiles of 2^14 x 2^11, would take 0.93 and 0.45 ns.
#include "linalg/banded_rows.hpp"

#include <algorithm>

#include "fcbio/threads.hpp"
#include "linalg/shards.hpp"

namespace fcbio {
namespace {

constexpr Index kPerShard = Index{1} << 14;  // about 20 microseconds: several times the cost of waking a worker
constexpr int kNarrowestBits = 12;           // 32 kB: the first-level cache
constexpr int kWidestBits = 16;              // 512 kB: the second
constexpr int kOneBand = 31;
constexpr Index kCacheLine = 8;  // numbers
// Numbers of a row in a band, on average, from which a narrower band gains more than starting rows anew costs.
constexpr Index kWorthNarrowing = 20;
constexpr Index kWorthCutting = 8;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

template <class Place>
double row_product(const Place* place, const double* value, Index count, const double* x) {
  constexpr Index kValuesAhead = 512, kPlacesAhead = 640;
  double sum0 = 0.0;
  double sum1 = 0.0;
  double sum2 = 0.0;
  double sum3 = 0.0;
  Index k = 0;
  for (; k + 8 <= count; k += 8) {
    __builtin_prefetch(value + k + kValuesAhead, 0, 0);
    __builtin_prefetch(place + k + kPlacesAhead, 0, 0);
    sum0 += value[k] * x[place[k]];
    sum1 += value[k + 1] * x[place[k + 1]];
    sum2 += value[k + 2] * x[place[k + 2]];
    sum3 += value[k + 3] * x[place[k + 3]];
    sum0 += value[k + 4] * x[place[k + 4]];
    sum1 += value[k + 5] * x[place[k + 5]];
    sum2 += value[k + 6] * x[place[k + 6]];
    sum3 += value[k + 7] * x[place[k + 7]];
  }
  if (k + 4 <= count) {
    sum0 += value[k] * x[place[k]];
    sum1 += value[k + 1] * x[place[k + 1]];
    sum2 += value[k + 2] * x[place[k + 2]];
    sum3 += value[k + 3] * x[place[k + 3]];
    k += 4;
  }
  for (; k < count; ++k) sum0 += value[k] * x[place[k]];
  return (sum0 + sum1) + (sum2 + sum3);
}

Index band_count(Index cols, int bits) { return (cols + (Index{1} << bits) - 1) >> bits; }

int band_bits(Index rows, Index cols, Index nonzeros) {
  const auto fits = [&](int bits, Index worth) { return nonzeros / rows >= worth * band_count(cols, bits); };
  for (int bits = kNarrowestBits; bits <= kWidestBits; ++bits)
    if (fits(bits, kWorthNarrowing)) return bits;
  return band_count(cols, kWidestBits) == 1 || fits(kWidestBits, kWorthCutting) ? kWidestBits : kOneBand;
}

}  // namespace

/// What the shards of one product share.
struct BandedRows::Work {
  const BandedRows& rows;
  bool add;  // to what out holds; otherwise over it
  double weight;
  const double* in;
  double* out;
};

BandedRows::BandedRows(Index rows, Index cols, Index nonzeros) : rows_(rows), cols_(cols) {
  width_bits_ = band_bits(rows, cols, nonzeros);
  width_ = Index{1} << width_bits_;
  bands_ = band_count(cols, width_bits_);
  starts_.assign(at(bands_ * rows_) + 1, 0);
  if (width_bits_ <= kWidestBits) {
    narrow_.resize(at(nonzeros));
  } else {
    wide_.resize(at(nonzeros));
  }
  values_.resize(at(nonzeros));
}

/// `visit_entries(visitor)` calls visitor(row, column, value), the columns of a row in ascending order.
template <class VisitEntries>
void BandedRows::fill(const VisitEntries& visit_entries) {
  visit_entries([this](Index row, Index column, double) { ++starts_[key(column >> width_bits_, row) + 1]; });
  for (std::size_t k = 1; k < starts_.size(); ++k) starts_[k] += starts_[k - 1];
  // While numbers are put in place starts_[k] runs to the end of k, which is the start of k + 1.
  visit_entries([this](Index row, Index column, double value) {
    const auto place = static_cast<std::size_t>(starts_[key(column >> width_bits_, row)]++);
    const Index within = column & (width_ - 1);
    if (width_bits_ <= kWidestBits) {
      narrow_[place] = static_cast<std::uint16_t>(within);
    } else {
      wide_[place] = static_cast<std::int32_t>(within);
    }
    values_[place] = value;
  });
  std::move_backward(starts_.begin(), starts_.end() - 1, starts_.end());
  starts_.front() = 0;
  cut_shards();
}

/// Shards of rows, balanced by the numbers they read: a row costs its numbers and one write.
void BandedRows::cut_shards() {
  const Index work = static_cast<Index>(values_.size()) + rows_;
  // A shard brings each piece of the vector into its cache anew: it should meet every number of it a few times.
  const Index per_shard = bands_ == 1 ? kPerShard : std::max(kPerShard, 4 * bands_ * width_);
  const Index shards = std::min(shard_count(work, per_shard), rows_);
  limits_.reserve(at(shards) + 1);
  Index done = 0;
  for (Index row = 0; row < rows_; ++row) {
    while (static_cast<Index>(limits_.size()) < shards &&
           done >= work / shards * static_cast<Index>(limits_.size()))
      limits_.push_back(row);
    Index count = 0;
    for (Index band = 0; band < bands_; ++band) count += starts_[key(band, row) + 1] - starts_[key(band, row)];
    longest_row_ = std::max(longest_row_, count);
    done += count + 1;
  }
  limits_.resize(at(shards), rows_);
  limits_.push_back(rows_);
}

BandedRows BandedRows::transpose_of(const CsrMatrix& matrix) {
  BandedRows result(matrix.cols, matrix.rows, matrix.nonzeros());
  result.fill([&matrix](const auto& visitor) {
    for (Index row = 0; row < matrix.rows; ++row) {
      for (std::int64_t k = matrix.starts[at(row)]; k < matrix.starts[at(row) + 1]; ++k)
        visitor(matrix.columns[at(k)], row, matrix.values[at(k)]);
    }
  });
  return result;
}

BandedRows BandedRows::transpose_of(const BandedRows& rows) {
  BandedRows result(rows.cols_, rows.rows_, static_cast<Index>(rows.values_.size()));
  result.fill([&rows](const auto& visitor) {
    // A column lies in one band, so it meets the rows in ascending order.
    for (Index band = 0; band < rows.bands_; ++band) {
      for (Index row = 0; row < rows.rows_; ++row) {
        const std::size_t which = rows.key(band, row);
        for (std::int64_t k = rows.starts_[which]; k < rows.starts_[which + 1]; ++k) {
          const Index within = rows.wide_.empty() ? Index{rows.narrow_[at(k)]} : Index{rows.wide_[at(k)]};
          visitor(band * rows.width_ + within, row, rows.values_[at(k)]);
        }
      }
    }
  });
  return result;
}

Index BandedRows::bytes() const {
  return static_cast<Index>(starts_.size() * sizeof(std::int64_t) + narrow_.size() * sizeof(std::uint16_t) +
                            wide_.size() * sizeof(std::int32_t) + values_.size() * sizeof(double));
}

void BandedRows::multiply(const double* in, double* out) const { run({*this, false, 1.0, in, out}); }

void BandedRows::add_product(double weight, const double* in, double* out) const {
  run({*this, true, weight, in, out});
}

void BandedRows::run(const Work& work) const {
  // One captured reference fits into std::function without allocation.
  run_shards(static_cast<Index>(limits_.size()) - 1, [&work](Index shard) { work.rows.run_shard(work, shard); });
}

void BandedRows::run_shard(const Work& work, Index shard) const {
  const Index begin = limits_[at(shard)];
  const Index end = limits_[at(shard) + 1];
  for (Index band = 0; band < bands_; ++band) {
    if (wide_.empty()) {
      run_band(work, narrow_.data(), band, begin, end);
    } else {
      run_band(work, wide_.data(), band, begin, end);
    }
  }
}

template <class Place>
void BandedRows::run_band(const Work& work, const Place* places, Index band, Index begin, Index end) const {
  const std::int64_t* starts = starts_.data() + key(band, 0);
  const double* values = values_.data();
  const double* in = work.in + band * width_;
  double* out = work.out;
  const bool over = !work.add && band == 0;
  const double weight = work.weight;
  if (bands_ > 1) {
    const Index width = std::min(width_, cols_ - band * width_);
    for (Index j = 0; j < width; j += kCacheLine) __builtin_prefetch(in + j);
  }
  for (Index row = begin; row < end; ++row) {
    const std::int64_t start = starts[row];
    const double product = row_product(places + start, values + start, starts[row + 1] - start, in);
    if (over) {
      out[row] = product;
    } else {
      out[row] += weight * product;
    }
  }
}

}  // namespace fcbio
