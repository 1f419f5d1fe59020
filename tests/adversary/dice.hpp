// Seeded choices at nasty scales.
#pragma once

#include <cmath>
#include <initializer_list>

#include "catalogue/random.hpp"
#include "fcbio/linear_map.hpp"

namespace fcbio::adversary {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed) {}

  double uniform(double low, double high) { return random_.uniform(low, high); }
  double normal() { return random_.normal(); }
  bool chance(double probability) { return random_.uniform() < probability; }
  /// In [low, high].
  int integer(int low, int high) {
    return low + static_cast<int>(random_.below(static_cast<std::uint64_t>(high - low + 1)));
  }
  double sign() { return chance(0.5) ? 1.0 : -1.0; }
  /// 10 to a power between the two.
  double power_of_ten(double low, double high) { return std::pow(10.0, uniform(low, high)); }
  /// 2 to an integer power between the two.
  double power_of_two(int low, int high) { return std::ldexp(1.0, integer(low, high)); }
  template <class T>
  T pick(std::initializer_list<T> choices) {
    return *(choices.begin() + integer(0, static_cast<int>(choices.size()) - 1));
  }
  Vector normals(Index n, double scale = 1.0) { return scale * random_.normal_vector(n); }
  RowMajorMatrix normals(Index rows, Index cols, double scale) {
    RowMajorMatrix matrix(rows, cols);
    for (Index i = 0; i < rows; ++i) matrix.row(i) = normals(cols, scale).transpose();
    return matrix;
  }
  /// Mostly small.
  Index dimension(Index least) {
    const Index n = chance(0.03) ? 50 : integer(1, 12);
    return std::max(least, n);
  }

 private:
  catalogue::Random random_;
};

}  // namespace fcbio::adversary
