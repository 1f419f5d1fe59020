// A safe upper bound of lambda = |M|^2, the largest eigenvalue of G = M'M or MM', whichever is smaller (d x d).
//
// 1. d <= 64 and the other side moderate: the rows (or columns) of M are read by d products, G is formed and its
//    largest eigenvalue taken.  Deterministic; only rounding to allow for.
//
// 2. Otherwise Lanczos with full reorthogonalisation from a Gaussian start q, that is, a start uniform on the
// sphere.
//    theta, the largest Ritz value, never exceeds lambda.  Kuczynski and Wozniakowski (SIAM J. Matrix Anal. Appl.
//    13, 1992, Theorem 4.2) prove after k steps, for every G and without any assumption on gaps,
//        P{ lambda > theta / (1 - e) }  <=  1.648 sqrt(d) exp( -sqrt(e) (2k - 1) ).
//    With k = 60 the e that makes the right side 1e-12 is 0.064 to 0.105 for d from 65 to 10^9, so the bound
//    theta / (1 - e) is 7 to 12 per cent above theta.
//
//    A run may exhaust its Krylov space earlier: the new direction has length beta <= tau = 1e-12 theta.  Then
//    G Q = Q T + E with |E| <= tau, and for the leading eigenvector u:  (T - lambda) Q'u = -E'u,  so the start,
//    which lies in the span of Q, has |q'u| <= tau / (lambda - theta).  A uniform start does that with probability
//    at most sqrt(2d/pi) tau / (lambda - theta), which for lambda - theta >= e theta is below 2e-11 sqrt(d).  That
//    is not small enough, so a second run starts from a fresh Gaussian vector orthogonal to Q, on what is left of
//    the space.  If it is exhausted too, both starts have missed u: probability at most 1e-21 d.  If it makes its
//    k steps, the theorem holds for it.  So in every case  P{ lambda > theta / (1 - e) } <= 1e-12,  up to
//    rounding, and theta itself is lambda if Q fills the whole space.
//
//    The probability is that of the seed.  The seed is fixed, so that results repeat; a matrix would have to be
//    built against this very seed to be misjudged.
//
// 3. Rounding.  A product is that of a nearby matrix M + dM, |dM|_F <= N epsilon |M|_F with N = rows + cols, to
// which
//    numbers below 1e-308 add at most N times the smallest denormal; this moves theta by about
//    2 N epsilon |M|_F sqrt(theta), and reorthogonalising k vectors by order k epsilon theta.  Four times that is
//    added, and tau.  For Lanczos this is an allowance by its known error analysis, not a theorem with constants.
//
// 4. The result is never above min(|M|_F^2, |M|_1 |M|_inf), which holds without any probability.
//
// All of it works on scale * M (see entry_bounds.hpp), so extreme units do no harm.
#include "linalg/spectral_bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/gaussian.hpp"
#include "linalg/symmetric_eigenvalues.hpp"

namespace fcbio {
namespace {

constexpr Index kGramSide = 64;
constexpr Index kGramNumbers = Index{1} << 23;  // 64 MB of rows held while the Gram matrix is formed
constexpr Index kSteps = 60;
constexpr double kFailure = 1e-12;
constexpr double kExhausted = 1e-12;
constexpr std::uint64_t kSeed = 0x6c616e637a6f73;

/// N of the comment above, and what products of it may lose in all.
struct Rounding {
  explicit Rounding(const LinearMap& map, const EntryBounds& bounds)
      : terms(static_cast<double>(map.rows() + map.cols()) + static_cast<double>(kSteps)),
        vanished(terms * std::numeric_limits<double>::denorm_min() * bounds.scale) {}
  double allowance(double frobenius, double root) const {
    return 8.0 * (terms * kEpsilon * frobenius + vanished) * root;
  }
  double terms;
  double vanished;
};

/// scale * M seen from its smaller side: half() leads from there to the larger side.  Counts products.
class ScaledMap {
 public:
  ScaledMap(const LinearMap& map, double scale) : map_(map), scale_(scale), by_rows_(map.rows() <= map.cols()) {}

  Index small() const { return by_rows_ ? map_.rows() : map_.cols(); }
  Index large() const { return by_rows_ ? map_.cols() : map_.rows(); }
  std::int64_t passes() const { return passes_; }

  void half(VectorIn small, VectorOut large) { product(by_rows_, small, large); }
  void back(VectorIn large, VectorOut small) { product(!by_rows_, large, small); }

 private:
  void product(bool transposed, VectorIn input, VectorOut output) {
    ++passes_;
    if (transposed) {
      map_.transpose(scale_, input, output);
    } else {
      map_.apply(input, output);
      output *= scale_;
    }
  }

  const LinearMap& map_;
  double scale_;
  bool by_rows_;
  std::int64_t passes_ = 0;
};

/// Of the scaled map.
struct Found {
  double nearest, bound;
};

Found gram_bound(ScaledMap& map, const EntryBounds& bounds, const Rounding& rounding) {
  const Index side = map.small();
  Eigen::MatrixXd lines(map.large(), side);
  for (Index i = 0; i < side; ++i) map.half(Vector::Unit(side, i), lines.col(i));
  const Eigen::MatrixXd gram = lines.transpose() * lines;
  const double largest = symmetric_eigenvalues(gram)[side - 1];
  return {largest, largest + rounding.allowance(bounds.frobenius, bounds.frobenius)};
}

/// The Lanczos basis with the tridiagonal matrix it gives.
class Krylov {
 public:
  explicit Krylov(ScaledMap& map) : map_(map), image_(map.large()), direction_(map.small()) {}

  bool complete() const { return size_ == map_.small(); }

  /// One run of at most kSteps steps from a Gaussian start.  True if it stopped because nothing new was left.
  bool run(Gaussian& gaussian) {
    const Index room = std::min(map_.small(), size_ + kSteps);
    basis_.conservativeResize(map_.small(), room);
    diagonal_.conservativeResize(room);
    coupling_.conservativeResize(room);  // coupling_[j] joins j and j + 1
    gaussian.fill(direction_);
    make_orthogonal();
    direction_ /= direction_.norm();
    for (;;) {
      basis_.col(size_) = direction_;
      map_.half(direction_, image_);
      map_.back(image_, direction_);
      diagonal_[size_] = basis_.col(size_).dot(direction_);
      largest_ = std::max(largest_, diagonal_[size_]);
      ++size_;
      make_orthogonal();
      const double length = direction_.norm();
      const bool exhausted = length <= kExhausted * largest_;
      coupling_[size_ - 1] = exhausted ? 0.0 : length;
      if (exhausted || size_ == room) return exhausted;
      direction_ /= length;
    }
  }

  double largest_ritz_value() const {
    const Vector ritz = tridiagonal_eigenvalues(diagonal_.head(size_), coupling_.head(size_ - 1));
    return std::max(ritz[size_ - 1], largest_);
  }

 private:
  /// Gram and Schmidt twice: orthogonal to working accuracy.
  void make_orthogonal() {
    const auto basis = basis_.leftCols(size_);
    for (int repeat = 0; repeat < 2; ++repeat) direction_ -= basis * (basis.transpose() * direction_).eval();
  }

  ScaledMap& map_;
  Vector image_;
  Vector direction_;
  Eigen::MatrixXd basis_;
  Vector diagonal_;
  Vector coupling_;
  Index size_ = 0;
  double largest_ = 0.0;
};

Found lanczos_bound(ScaledMap& map, const EntryBounds& bounds, const Rounding& rounding) {
  Gaussian gaussian(kSeed);
  Krylov krylov(map);
  if (krylov.run(gaussian) && !krylov.complete()) krylov.run(gaussian);
  const double nearest = krylov.largest_ritz_value();
  double bound = nearest;
  if (!krylov.complete()) {
    const double dimension = static_cast<double>(map.small());
    const double root = std::log(1.648 * std::sqrt(dimension) / kFailure) / static_cast<double>(2 * kSteps - 1);
    bound /= 1.0 - root * root;
  }
  return {nearest, bound * (1.0 + 4.0 * kExhausted) + rounding.allowance(bounds.frobenius, std::sqrt(bound))};
}

}  // namespace

NormBound spectral_bound(const LinearMap& map, const EntryBounds& bounds) {
  if (bounds.squared == 0.0) return {0.0, 0};
  ScaledMap scaled(map, bounds.scale);
  const Rounding rounding(map, bounds);
  const bool gram = scaled.small() <= kGramSide && scaled.small() * scaled.large() <= kGramNumbers;
  const Found found = gram ? gram_bound(scaled, bounds, rounding) : lanczos_bound(scaled, bounds, rounding);
  const double squared = bounds.unscaled_square(std::min(found.bound, bounds.squared));
  return {squared, scaled.passes(), std::min(squared, bounds.unscaled_square(found.nearest))};
}

}  // namespace fcbio
