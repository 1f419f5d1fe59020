// xoshiro256** and the transforms described in random.hpp.
#include "catalogue/random.hpp"

#include <bit>
#include <cmath>
#include <utility>

#include "catalogue/portable.hpp"

namespace fcbio::catalogue {

Random::Random(std::uint64_t seed) {
  for (std::uint64_t& word : state_) {  // splitmix64: never leaves the state all zero
    seed += 0x9e3779b97f4a7c15ULL;
    std::uint64_t z = seed;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    word = z ^ (z >> 31);
  }
}

std::uint64_t Random::bits() {
  const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const std::uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

double Random::uniform() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }

double Random::uniform(double low, double high) { return low + (high - low) * uniform(); }

std::uint64_t Random::below(std::uint64_t limit) {
  const std::uint64_t reject_under = (0 - limit) % limit;  // 2^64 mod limit: drop these to stay unbiased
  for (;;) {
    const std::uint64_t word = bits();
    if (word >= reject_under) return word % limit;
  }
}

double Random::normal() {
  if (spare_normal_) return *std::exchange(spare_normal_, std::nullopt);
  for (;;) {
    const double u = 2.0 * uniform() - 1.0;
    const double v = 2.0 * uniform() - 1.0;
    const double square = u * u + v * v;
    if (square >= 1.0 || square == 0.0) continue;
    const double factor = std::sqrt(-2.0 * std::log(square) / square);
    spare_normal_ = v * factor;
    return u * factor;
  }
}

// Exact for means up to 30 (products of uniforms against exp(-mean)); above that the rounded normal with the same
// mean and variance, which is all that synthetic counts need.
double Random::poisson(double mean) {
  if (mean > 30.0) return std::fmax(0.0, std::floor(mean + std::sqrt(mean) * normal() + 0.5));
  const double stop = std::exp(-mean);
  double product = uniform();
  double count = 0.0;
  while (product > stop) {
    product *= uniform();
    count += 1.0;
  }
  return count;
}

Vector Random::normal_vector(Index size) {
  Vector v(size);
  for (Index j = 0; j < size; ++j) v[j] = normal();
  return v;
}

Vector Random::unit_vector(Index size) {
  Vector v = normal_vector(size);
  const double norm = std::sqrt(dot(v, v));
  for (Index j = 0; j < size; ++j) v[j] /= norm;
  return v;
}

std::vector<Index> Random::permutation(Index size) {
  std::vector<Index> order(static_cast<std::size_t>(size));
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Index>(i);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[below(i)]);
  return order;
}

}  // namespace fcbio::catalogue
