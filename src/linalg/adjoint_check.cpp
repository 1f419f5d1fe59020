// Does add_transpose belong to apply?  For Gaussian x, y, z and a weight w,
//   gradient = z, then add_transpose(w, y, gradient):   <x, gradient - z> = w <M x, y>   up to rounding.
// A product that overwrites where it should add, adds where it should overwrite, or drops the weight fails too.
//
// Rounding moves either side by at most about N epsilon |M|_F |x| |y|, N = rows + cols, plus epsilon |x| |z|.
#include <algorithm>
#include <cmath>

#include "fcbio/linear_map.hpp"
#include "linalg/gaussian.hpp"

namespace fcbio {

bool adjoint_is_consistent(const LinearMap& map, std::uint64_t seed) {
  constexpr int kPairs = 3;
  constexpr double kWeight = -0.75;
  Gaussian gaussian(seed);
  Vector x(map.cols());
  Vector start(map.cols());
  Vector y(map.rows());
  for (int pair = 0; pair < kPairs; ++pair) {
    gaussian.fill(x);
    gaussian.fill(y);
    gaussian.fill(start);
    // Nothing of an earlier content may be left in an image.
    Vector image = map.frobenius_bound() * y;
    map.apply(x, image);
    // Both are put in units of M, so that they neither hide the product nor are hidden by it.
    start *= map.frobenius_bound();
    Vector gradient = start;
    map.add_transpose(kWeight, y, gradient);
    gradient -= start;

    const double terms = static_cast<double>(map.rows() + map.cols());
    const double size =
        x.norm() * (map.frobenius_bound() * y.norm() + start.norm() + gradient.norm()) + image.norm() * y.norm();
    const double difference = std::abs(x.dot(gradient) - kWeight * image.dot(y));
    // Written so that a NaN on either side is a failure.
    if (!(difference <= 8.0 * terms * kEpsilon * size)) return false;
  }
  return true;
}

}  // namespace fcbio
