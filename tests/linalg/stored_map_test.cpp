// A sparse map whose tiles lie elsewhere against the one that is made in memory: the same bits, and nothing that does not
// fit is taken.
#include "linalg/stored_map.hpp"

#include <gtest/gtest.h>

#include "fcbio/error.hpp"
#include "fcbio/threads.hpp"
#include "linalg/samples.hpp"

namespace fcbio {
namespace {

/// Tiles in memory, in place of a file.
struct Kept : TileSink {
  std::vector<double> values;
  std::vector<std::uint16_t> places, owners;
  void take(const TileNumbers& piece) override {
    values.insert(values.end(), piece.values.begin(), piece.values.end());
    places.insert(places.end(), piece.places.begin(), piece.places.end());
    owners.insert(owners.end(), piece.owners.begin(), piece.owners.end());
  }
  TileNumbers numbers() const { return {values, places, owners}; }
};

struct Stored {
  SparseMapPlan plan;
  Kept transposed, forward;
  LinearMapPtr map() const { return stored_sparse_map(plan, transposed.numbers(), forward.numbers(), nullptr); }
};

Stored stored(const CsrMatrix& matrix) {
  Stored result;
  result.plan = spill_sparse_map(view_of(matrix), result.transposed);
  spill_second_half(result.plan, result.transposed.numbers(), result.forward);
  return result;
}

/// Rows of very different lengths, so that there are side by side and folded ones; every `step`th column only.
CsrMatrix uneven(Index rows, Index cols, Index step) {
  std::mt19937_64 engine(17);
  CsrMatrix matrix{rows, cols, {0}, {}, {}};
  for (Index row = 0; row < rows; ++row) {
    const Index length = row % 97 == 0 ? cols / step : static_cast<Index>(engine() % 24);
    const Index stride = std::max<Index>(step, cols / std::max<Index>(length, 1) / step * step);
    for (Index column = (row % (stride / step)) * step; column < cols; column += stride) {
      matrix.columns.push_back(static_cast<std::int32_t>(column));
      matrix.values.push_back(row % 31 == 5 ? 0.0 : samples::gaussian(engine));  // explicit zeros, too
    }
    matrix.starts.push_back(static_cast<std::int64_t>(matrix.values.size()));
  }
  return matrix;
}

void expect_same(const LinearMap& a, const LinearMap& b) {
  ASSERT_EQ(a.rows(), b.rows());
  ASSERT_EQ(a.cols(), b.cols());
  const Vector x = samples::vector(a.cols(), 1), y = samples::vector(a.rows(), 2);
  Vector image_a(a.rows()), image_b(a.rows()), gradient_a(a.cols()), gradient_b(a.cols());
  a.apply(x, image_a);
  b.apply(x, image_b);
  EXPECT_EQ(image_a, image_b);
  a.transpose(0.3, y, gradient_a);
  b.transpose(0.3, y, gradient_b);
  EXPECT_EQ(gradient_a, gradient_b);
  EXPECT_EQ(a.frobenius_bound(), b.frobenius_bound());
  EXPECT_EQ(a.longest_sum(), b.longest_sum());
  EXPECT_EQ(a.numbers(), b.numbers());
  if (a.numbers() > 100'000) return;  // many products
  EXPECT_EQ(a.norm_bound().squared, b.norm_bound().squared);
}

TEST(StoredMap, IsTheMapMadeInMemory) {
  for (const CsrMatrix& matrix : {uneven(3, 2, 1), uneven(700, 300, 1), uneven(20'000, 5'000, 1),
                                  uneven(300, 70'000, 1), uneven(2'000, 3'000, 4), uneven(1, 1, 1)}) {
    const Stored kept = stored(matrix);
    EXPECT_EQ(kept.plan.used.empty(), matrix.cols <= 2 || matrix.cols != 3'000) << matrix.cols;
    expect_same(*sparse_map(view_of(matrix)), *kept.map());
    EXPECT_TRUE(same_entries(view_of(matrix), kept.plan, kept.transposed.numbers(), kept.forward.numbers()));
  }
}

TEST(StoredMap, TheSameOnAnyNumberOfThreads) {
  const CsrMatrix matrix = uneven(20'000, 5'000, 1);
  const Stored kept = stored(matrix);
  const ThreadScope scope(3);
  expect_same(*sparse_map(view_of(matrix)), *kept.map());
}

TEST(StoredMap, OtherNumbersAreOtherEntries) {
  const CsrMatrix matrix = uneven(700, 300, 1);
  Stored kept = stored(matrix);
  for (double& value : kept.forward.values) {
    if (value == 0.0) continue;
    value = std::nextafter(value, 9.0);
    break;
  }
  EXPECT_FALSE(same_entries(view_of(matrix), kept.plan, kept.transposed.numbers(), kept.forward.numbers()));
}

TEST(StoredMap, RefusesNumbersThatDoNotFit) {
  const Stored good = stored(uneven(700, 300, 1));
  const auto refused = [&good](const std::function<void(Stored&)>& change) {
    Stored bad = good;
    change(bad);
    try {
      bad.map();
    } catch (const InvalidArgument&) {
      return true;
    }
    return false;
  };
  EXPECT_FALSE(refused([](Stored&) {}));
  EXPECT_TRUE(refused([](Stored& s) { s.forward.places.back() = 300; }));
  EXPECT_TRUE(refused([](Stored& s) { s.forward.owners.front() = 700; }));
  EXPECT_TRUE(refused([](Stored& s) { s.transposed.values.back() = kInfinity; }));
  EXPECT_TRUE(refused([](Stored& s) { s.transposed.values.front() = std::nan(""); }));
  EXPECT_TRUE(refused([](Stored& s) { s.forward.values.push_back(1.0); }));
  EXPECT_TRUE(refused([](Stored& s) { s.forward.owners.pop_back(); }));
  EXPECT_TRUE(refused([](Stored& s) { s.plan.forward.rows = 701; }));
  EXPECT_TRUE(refused([](Stored& s) { s.plan.forward.blocks.back() = 701; }));
  EXPECT_TRUE(refused([](Stored& s) { s.plan.forward.blocks[1] = 0; }));
  EXPECT_TRUE(refused([](Stored& s) { s.plan.forward.band_bits = 17; }));
  EXPECT_TRUE(refused([](Stored& s) { s.plan.forward.stripes = 0; }));
  EXPECT_TRUE(refused([](Stored& s) { s.plan.forward.stripe_starts.back() += 1; }));
  EXPECT_TRUE(refused([](Stored& s) { s.plan.forward.tile_bands[0] = 1; }));
  EXPECT_TRUE(refused([](Stored& s) { s.plan.forward.run_ends.back() -= 1; }));
  EXPECT_TRUE(refused([](Stored& s) { s.plan.forward.runs[0].groups = -1; }));
  EXPECT_TRUE(refused([](Stored& s) { s.plan.forward.runs[0].packs = 0x7fffffff; }));
  EXPECT_TRUE(refused([](Stored& s) { s.plan.forward.longest_row = -1; }));
  EXPECT_TRUE(refused([](Stored& s) { s.plan.bounds.frobenius = kInfinity; }));
  EXPECT_TRUE(refused([](Stored& s) { s.plan.used = {0, 1}; }));
  EXPECT_TRUE(refused([](Stored& s) { s.plan.cols = 299; }));
  EXPECT_TRUE(refused([](Stored& s) { std::swap(s.plan.forward, s.plan.transposed); }));
}

}  // namespace
}  // namespace fcbio
