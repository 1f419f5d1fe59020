// Written once with vectors of four numbers and compiled twice (linalg/lanes.hpp).
//
// Measured on one core: 0.4 to 0.6 ns a number in cache and 0.6 to 0.75 from memory where rows have several
// numbers in a tile, about 0.9 and 1.1 with two of them.  The same rows one after the other, as in compressed
// rows, take 0.5 to 1.7 in cache: they wait for the end of each row and, in wide bands, for first-level misses on
// the vector. Gathers of AVX2 were measured and are no faster.
#include "linalg/tile_kernel.hpp"

#include <bit>

#include "linalg/lanes.hpp"

namespace fcbio {
namespace {

// How far ahead numbers and places are asked for; farther ahead they drive the vector out of the first cache.
constexpr Index kFarAhead = 256;

struct Reader {
  const double* values;
  const std::uint16_t* places;
  const double* in;
};

/// One of four places that were read together: there are not enough loads in a cycle to read them one by one.
FCBIO_PART_OF_KERNEL std::uint64_t place_of(std::uint64_t four, int lane) {
  return (four >> (std::endian::native == std::endian::little ? 16 * lane : 48 - 16 * lane)) & 0xffff;
}

/// product <- the next pack times the numbers at its places.
FCBIO_PART_OF_KERNEL void next_pack(Reader& at, Lanes& product) {
  std::uint64_t four;
  std::memcpy(&four, at.places, sizeof(four));
  const Lanes from = {at.in[place_of(four, 0)], at.in[place_of(four, 1)], at.in[place_of(four, 2)],
                      at.in[place_of(four, 3)]};
  load(product, at.values);
  product *= from;
  at.values += kPack;
  at.places += kPack;
}

/// Every second pack begins a line of values, every eighth one of places.
FCBIO_PART_OF_KERNEL void ask_for_values(const Reader& at) { __builtin_prefetch(at.values + kFarAhead, 0, 0); }
FCBIO_PART_OF_KERNEL void ask_for_places(const Reader& at) { __builtin_prefetch(at.places + kFarAhead, 0, 0); }

/// sum <- the sum of `packs` packs: even and odd ones apart, so that the two chains overlap.
FCBIO_PART_OF_KERNEL void sum_packs(Reader& at, std::int32_t packs, Lanes& sum) {
  Lanes sums[2] = {}, product;
  std::int32_t k = 0;
  for (; k + 4 <= packs; k += 4) {
    ask_for_places(at);
    FCBIO_UNROLLED for (std::int32_t i = 0; i < 4; ++i) {
      if (i % 2 == 0) ask_for_values(at);
      next_pack(at, product);
      sums[i % 2] += product;
    }
  }
  for (; k < packs; ++k) {
    next_pack(at, product);
    sums[0] += product;
  }
  sum = sums[0] + sums[1];
}

/// The same for a few, one after the other.
template <std::int32_t kPacks>
FCBIO_PART_OF_KERNEL void sum_few_packs(Reader& at, Lanes& sum) {
  Lanes product;
  ask_for_places(at);
  ask_for_values(at);
  next_pack(at, sum);
  FCBIO_UNROLLED for (std::int32_t k = 1; k < kPacks; ++k) {
    if (k % 2 == 0) ask_for_values(at);
    next_pack(at, product);
    sum += product;
  }
}

struct Writer {
  const std::uint16_t* owners;
  double weight;
  double* out;
};

FCBIO_PART_OF_KERNEL void add_lanes(Writer& to, const Lanes& sum) {
  const Lanes weighted = to.weight * sum;
  FCBIO_UNROLLED for (Index lane = 0; lane < kPack; ++lane) to.out[to.owners[lane]] += weighted[lane];
  to.owners += kPack;
}

template <std::int32_t kPacks>
FCBIO_PART_OF_KERNEL void add_few_packs(Reader& at, Writer& to, std::int32_t groups) {
  Lanes sum;
  for (std::int32_t group = 0; group < groups; ++group) {
    sum_few_packs<kPacks>(at, sum);
    add_lanes(to, sum);
  }
}

FCBIO_PART_OF_KERNEL void add_side_by_side(Reader& at, Writer& to, const TileRun& run) {
  switch (run.packs) {
    case 1:
      return add_few_packs<1>(at, to, run.groups);
    case 2:
      return add_few_packs<2>(at, to, run.groups);
    case 3:
      return add_few_packs<3>(at, to, run.groups);
    case 4:
      return add_few_packs<4>(at, to, run.groups);
    case 5:
      return add_few_packs<5>(at, to, run.groups);
    case 6:
      return add_few_packs<6>(at, to, run.groups);
    case 7:
      return add_few_packs<7>(at, to, run.groups);
    case 8:
      return add_few_packs<8>(at, to, run.groups);
  }
  Lanes sum;
  for (std::int32_t group = 0; group < run.groups; ++group) {
    sum_packs(at, run.packs, sum);
    add_lanes(to, sum);
  }
}

FCBIO_PART_OF_KERNEL void add_folded(Reader& at, Writer& to, const TileRun& run) {
  Lanes sum;
  for (std::int32_t group = 0; group < run.groups; ++group) {
    sum_packs(at, run.packs, sum);
    to.out[*to.owners++] += to.weight * total(sum);
  }
}

FCBIO_PART_OF_KERNEL void tile_product(const Tile& tile, const TileRun* runs, double weight, const double* in,
                                       double* out) {
  Reader at{tile.values, tile.places, in};
  Writer to{tile.owners, weight, out};
  for (Index k = tile.first_run; k < tile.end_run; ++k) {
    if (runs[k].folded) {
      add_folded(at, to, runs[k]);
    } else {
      add_side_by_side(at, to, runs[k]);
    }
  }
}

void plain_tile_product(const Tile& tile, const TileRun* runs, double weight, const double* in, double* out) {
  tile_product(tile, runs, weight, in, out);
}

FCBIO_FOR_AVX2 void avx2_tile_product(const Tile& tile, const TileRun* runs, double weight, const double* in,
                                      double* out) {
  tile_product(tile, runs, weight, in, out);
}

}  // namespace

void add_tile_product(const Tile& tile, const TileRun* runs, double weight, const double* in, double* out) {
  (use_avx2 ? avx2_tile_product : plain_tile_product)(tile, runs, weight, in, out);
}

}  // namespace fcbio
