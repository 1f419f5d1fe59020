// The identity, and a map known only by its products.
#include <algorithm>
#include <cmath>
#include <utility>

#include "fcbio/linear_map.hpp"
#include "linalg/entry_bounds.hpp"
#include "linalg/refusal.hpp"

namespace fcbio {
namespace {

class IdentityMap final : public LinearMap {
 public:
  explicit IdentityMap(Index size) : size_(size) { require_shape("identity_map", size, size); }

  Index rows() const override { return size_; }
  Index cols() const override { return size_; }

  void apply(VectorIn x, VectorOut image) const override {
    require_apply_sizes(*this, x.size(), image.size());
    image = x;
  }

  void add_transpose(double weight, VectorIn dual, VectorOut gradient) const override {
    require_transpose_sizes(*this, dual.size(), gradient.size());
    gradient += weight * dual;
  }

  NormBound norm_bound() const override { return {1.0, 0, 1.0}; }
  double frobenius_bound() const override { return EntryBounds::round_up(std::sqrt(static_cast<double>(size_))); }
  bool free() const override { return true; }

 private:
  Index size_;
};

class CallerMap final : public LinearMap {
 public:
  explicit CallerMap(UserMap map) : map_(std::move(map)) {
    require_shape("user_map", map_.rows, map_.cols);
    if (!map_.apply || !map_.add_transpose) {
      refuse("user_map", "both products",
             !map_.apply && !map_.add_transpose ? "neither" : (map_.apply ? "only apply" : "only add_transpose"),
             "set both functions");
    }
    if (!(map_.squared_norm >= 0.0) || !std::isfinite(map_.squared_norm)) {
      refuse("user_map", "a finite, non-negative squared_norm", std::to_string(map_.squared_norm),
             "give an upper bound of the largest squared singular value");
    }
  }

  Index rows() const override { return map_.rows; }
  Index cols() const override { return map_.cols; }

  void apply(VectorIn x, VectorOut image) const override {
    require_apply_sizes(*this, x.size(), image.size());
    map_.apply(x, image);
  }

  void add_transpose(double weight, VectorIn dual, VectorOut gradient) const override {
    require_transpose_sizes(*this, dual.size(), gradient.size());
    map_.add_transpose(weight, dual, gradient);
  }

  NormBound norm_bound() const override { return {map_.squared_norm, 0, map_.squared_norm}; }

  /// |M|_F^2 <= rank * |M|^2.  The roots are taken apart so that the product cannot overflow.
  double frobenius_bound() const override {
    const double rank = static_cast<double>(std::min(map_.rows, map_.cols));
    return std::sqrt(rank) * std::sqrt(map_.squared_norm) * (1.0 + 4.0 * kEpsilon);
  }

 private:
  UserMap map_;
};

}  // namespace

LinearMapPtr identity_map(Index n) { return std::make_shared<const IdentityMap>(n); }

LinearMapPtr user_map(UserMap map) { return std::make_shared<const CallerMap>(std::move(map)); }

}  // namespace fcbio
