#include "membership.hpp"

#include <algorithm>

namespace fcbio::verify {
namespace {

constexpr Real kUnit = std::numeric_limits<Real>::epsilon();
constexpr Real kSafe = 1 + 1e-9L;  // more than a sum of squares and its root lose

Real distance_from(std::span<const Real> x, std::span<const Real> center) {
  Accumulator square;
  for (std::size_t j = 0; j < x.size(); ++j) square.add((x[j] - center[j]) * (x[j] - center[j]));
  return std::sqrt(square.value());
}

/// within - used, lowered by the rounding of both.
Real left_over(Real within, Real used) {
  return within - used - 16 * kUnit * used - kUnit * std::abs(within - used);
}

Real room_below_plane(const Region& region, std::span<const Real> x) {
  const Real length = norm(region.coefficients);
  if (length == 0) return region.value >= 0 ? kRealInfinity : -kRealInfinity;
  Accumulator left;
  left.add(region.value);
  for (std::size_t j = 0; j < x.size(); ++j) left.add(-region.coefficients[j] * x[j]);
  const Number number = left.number();
  const Real least = number.value - number.error();
  return least / length * (1 + (least > 0 ? -16 : 16) * kUnit);
}

Real room_in_l1_ball(const Region& region, std::span<const Real> x) {
  Accumulator left;
  left.add(region.radius);
  for (std::size_t j = 0; j < x.size(); ++j) left.add(-std::abs(x[j] - region.center[j]));
  const Number number = left.number();
  const Real least = number.value - number.error();
  return least > 0 ? least / std::sqrt(static_cast<Real>(x.size())) * (1 - 8 * kUnit) : least;
}

bool is_fixed(const Region& box, std::size_t j) { return box.lower[j] == box.upper[j]; }

Real room_in_box(const Region& box, std::span<const Real> x) {
  Real least = kRealInfinity;
  for (std::size_t j = 0; j < x.size(); ++j) {
    const Real side = std::min(x[j] - box.lower[j], box.upper[j] - x[j]);
    if (!is_fixed(box, j) || side < 0) least = std::min(least, side > 0 ? side * (1 - kUnit) : side);
  }
  return least;
}

/// The equations of a region, each with as many numbers as the whole space has, and what must stay as it is.
struct Equations {
  std::vector<RealVector> rows;
  RealVector values;
  std::vector<bool> fixed;
};

void collect(const Region& region, std::size_t offset, Equations& out) {
  const auto add = [&](const RealVector& row, Real value) {
    RealVector whole(out.fixed.size(), 0);
    std::copy(row.begin(), row.end(), whole.begin() + static_cast<std::ptrdiff_t>(offset));
    out.rows.push_back(std::move(whole));
    out.values.push_back(value);
  };
  if (region.kind == RegionKind::simplex) add(RealVector(region.dimension, 1), region.total);
  for (std::size_t i = 0; i < region.rows.size(); ++i) {
    const bool zero = std::all_of(region.rows[i].begin(), region.rows[i].end(), [](Real a) { return a == 0; });
    if (!zero || region.values[i] != 0) add(region.rows[i], region.values[i]);
  }
  if (region.kind == RegionKind::box) {
    for (std::size_t j = 0; j < region.dimension; ++j)
      if (is_fixed(region, j)) out.fixed[offset + j] = true;
  }
  for (const Region& part : region.parts) {
    collect(part, offset, out);
    if (region.kind == RegionKind::product) offset += part.dimension;
  }
}

Equations equations_of(const Region& region) {
  Equations equations;
  equations.fixed.assign(region.dimension, false);
  collect(region, 0, equations);
  return equations;
}

/// sum of factors[k] * numbers[k], and whether not a bit of it was lost.
bool vanishes_exactly(const RealVector& factors, const RealVector& numbers) {
  Real sum = 0;
  for (std::size_t k = 0; k < factors.size(); ++k) {
    const Real product = factors[k] * numbers[k], total = sum + product, kept = total - sum;
    if (std::fma(factors[k], numbers[k], -product) != 0 || (sum - (total - kept)) + (product - kept) != 0)
      return false;
    sum = total;
  }
  return sum == 0;
}

/// The factor |X| / (1 - |E|) and the rows it is for.
class Inverse {
 public:
  explicit Inverse(Equations equations) : equations_(std::move(equations)) {
    for (std::size_t i = 0; i < equations_.rows.size(); ++i) scale(i);
    if (!orthogonalise()) return;
    invert();
    measure();
  }

  /// At least the distance of x to a solution that agrees with x in the fixed coordinates.
  Real distance(std::span<const Real> x) const {
    Real square = 0;
    for (std::size_t i = 0; i < equations_.rows.size(); ++i) {
      const Real off = residual_at_most(i, x);
      square += off * off;
    }
    return square == 0 ? 0 : factor_ * std::sqrt(square) * kSafe;
  }

 private:
  /// By a power of two, so that it stays what it is.
  void scale(std::size_t i) {
    Real largest = 0;
    for (const Real a : equations_.rows[i]) largest = std::max(largest, std::abs(a));
    if (largest == 0) return;
    const int exponent = -std::ilogb(largest);
    for (Real& a : equations_.rows[i]) a = std::ldexp(a, exponent);
    equations_.values[i] = std::ldexp(equations_.values[i], exponent);
  }

  /// M_free = L U with orthonormal rows U; false: a row depends on the others, and not exactly.
  bool orthogonalise() {
    constexpr Real kDependent = 0x1p-57L;
    std::vector<std::size_t> kept;
    std::vector<std::pair<std::size_t, RealVector>> dependent;
    for (std::size_t i = 0; i < equations_.rows.size(); ++i) {
      RealVector rest = equations_.rows[i];
      for (std::size_t j = 0; j < rest.size(); ++j)
        if (equations_.fixed[j]) rest[j] = 0;
      const Real length = norm(rest);
      RealVector shares(units_.size() + 1, 0);
      for (int round = 0; round < 3; ++round) {
        for (std::size_t l = 0; l < units_.size(); ++l) {
          const Real share = dot(units_[l], rest);
          shares[l] += share;
          for (std::size_t j = 0; j < rest.size(); ++j) rest[j] -= share * units_[l][j];
        }
      }
      const Real left = norm(rest);
      if (left <= kDependent * length) {
        dependent.emplace_back(i, shares);
        continue;
      }
      shares.back() = left;
      for (Real& number : rest) number /= left;
      units_.push_back(std::move(rest));
      lower_.push_back(std::move(shares));
      kept.push_back(i);
    }
    for (const auto& [row, shares] : dependent)
      if (!depends_exactly(row, kept, shares)) return false;
    Equations left;
    left.fixed = equations_.fixed;
    for (const std::size_t i : kept) {
      left.rows.push_back(equations_.rows[i]);
      left.values.push_back(equations_.values[i]);
    }
    equations_ = std::move(left);
    return true;
  }

  /// Row = shares' U = shares' L^{-1} (kept rows): with these coefficients, rounded to short numbers, the row and
  /// its value must come out without any rounding.
  bool depends_exactly(std::size_t row, const std::vector<std::size_t>& kept, const RealVector& shares) const {
    RealVector factors(kept.size() + 1, 0);
    for (std::size_t k = shares.size() - 1; k-- > 0;) {
      Real right = shares[k];
      for (std::size_t l = k + 1; l + 1 < shares.size(); ++l) right -= lower_[l][k] * factors[l];
      factors[k] = right / lower_[k][k];
    }
    for (Real& factor : factors) factor = std::round(factor * 256) / 256;
    factors.back() = -1;
    RealVector numbers(factors.size());
    const auto vanishes = [&](const auto& entry) {
      for (std::size_t k = 0; k < kept.size(); ++k) numbers[k] = entry(kept[k]);
      numbers.back() = entry(row);
      return vanishes_exactly(factors, numbers);
    };
    for (std::size_t j = 0; j < equations_.fixed.size(); ++j)
      if (!vanishes([&](std::size_t i) { return equations_.rows[i][j]; })) return false;
    return vanishes([&](std::size_t i) { return equations_.values[i]; });
  }

  /// X = U' L^{-1}: column k of L^{-1} by forward substitution.
  void invert() {
    const std::size_t count = lower_.size();
    inverse_.assign(count, RealVector(equations_.fixed.size(), 0));
    for (std::size_t k = 0; k < count; ++k) {
      RealVector column(count, 0);
      for (std::size_t i = k; i < count; ++i) {
        Real right = i == k ? 1 : 0;
        for (std::size_t l = k; l < i; ++l) right -= lower_[i][l] * column[l];
        column[i] = right / lower_[i][i];
        for (std::size_t j = 0; j < inverse_[k].size(); ++j) inverse_[k][j] += column[i] * units_[i][j];
      }
    }
  }

  void measure() {
    Real off = 0, square = 0;
    for (std::size_t i = 0; i < inverse_.size(); ++i) {
      for (std::size_t k = 0; k < inverse_.size(); ++k) {
        Accumulator entry;
        if (i == k) entry.add(-1);
        for (std::size_t j = 0; j < inverse_[k].size(); ++j) entry.add(equations_.rows[i][j] * inverse_[k][j]);
        const Number number = entry.number();
        const Real most = std::abs(number.value) + number.error();
        off += most * most;
      }
      square += dot(inverse_[i], inverse_[i]);
    }
    off = std::sqrt(off) * kSafe;
    if (off < 0.5L) factor_ = std::sqrt(square) * kSafe / (1 - off);
  }

  /// |v_i - <row, x>| with exact products: what is lost is one rounding of the sum and a second-order rest.
  Real residual_at_most(std::size_t i, std::span<const Real> x) const {
    Accumulator sum;
    sum.add(equations_.values[i]);
    for (std::size_t j = 0; j < x.size(); ++j) {
      const Real product = equations_.rows[i][j] * x[j];
      sum.add(-product);
      sum.add(-std::fma(equations_.rows[i][j], x[j], -product));
    }
    const Number number = sum.number();
    const Real second = 8 * static_cast<Real>(x.size() + 2) * kUnit * number.magnitude;
    return std::abs(number.value) + kUnit * (std::abs(number.value) + second);
  }

  Equations equations_;
  std::vector<RealVector> units_, lower_;
  std::vector<RealVector> inverse_;  // columns of X
  Real factor_ = kRealInfinity;
};

/// x total / (sum of x) is a member for every x >= 0 with a positive sum.
Real distance_to_simplex(const Region& simplex, std::span<const Real> x) {
  Accumulator sum;
  for (const Real number : x) {
    if (number < 0) return kRealInfinity;
    sum.add(number);
  }
  const Number total = sum.number();
  if (total.value == 0) return simplex.total == 0 ? 0 : kRealInfinity;
  const Real off = std::abs(total.value - simplex.total) + 4 * kUnit * total.magnitude;
  if (x.size() == 1 && total.value == simplex.total) return 0;
  return norm(x) * off / (total.value - 4 * kUnit * total.magnitude) * kSafe;
}

Real size_of(const Region& region) {
  Real least = kRealInfinity, square = 0;
  switch (region.kind) {
    case RegionKind::box:
      for (std::size_t j = 0; j < region.dimension; ++j) {
        const Real half = (region.upper[j] - region.lower[j]) / 2;
        square += half * half;
      }
      return std::sqrt(square);
    case RegionKind::simplex:
      return region.total;
    case RegionKind::intersection:
      for (const Region& part : region.parts) least = std::min(least, size_of(part));
      return least;
    case RegionKind::product:
      for (const Region& part : region.parts) square += size_of(part) * size_of(part);
      return std::sqrt(square);
    default:
      return region.radius;
  }
}

Real worst_condition(const Region& region, std::span<const Real> x) {
  Real off = std::max<Real>(0, -room(region, x));
  const Equations equations = equations_of(region);
  for (std::size_t i = 0; i < equations.rows.size(); ++i) {
    const Real length = norm(equations.rows[i]);
    const Real residual = std::abs(dot(equations.rows[i], x) - equations.values[i]);
    off = std::max(off, length > 0 ? residual / length : residual);
  }
  return off;
}

}  // namespace

Real room(const Region& region, std::span<const Real> x) {
  Real least = kRealInfinity;
  std::size_t offset = 0;
  switch (region.kind) {
    case RegionKind::ball:
      return left_over(region.radius, distance_from(x, region.center));
    case RegionKind::box:
      return room_in_box(region, x);
    case RegionKind::simplex:
      return *std::min_element(x.begin(), x.end());
    case RegionKind::l1_ball:
      return room_in_l1_ball(region, x);
    case RegionKind::nonnegative_ball:
      return std::min(left_over(region.radius, norm(x)), *std::min_element(x.begin(), x.end()));
    case RegionKind::halfspace:
      return std::min(left_over(region.radius, norm(x)), room_below_plane(region, x));
    case RegionKind::affine:
      return left_over(region.radius, norm(x));
    case RegionKind::product:
      for (const Region& part : region.parts) {
        least = std::min(least, room(part, x.subspan(offset, part.dimension)));
        offset += part.dimension;
      }
      return least;
    case RegionKind::intersection:
      for (const Region& part : region.parts) least = std::min(least, room(part, x));
      return least;
    case RegionKind::whole_space:
      return kRealInfinity;
  }
  return -kRealInfinity;
}

bool has_interior(const Region& region) {
  const Equations equations = equations_of(region);
  return equations.rows.empty() &&
         std::find(equations.fixed.begin(), equations.fixed.end(), true) == equations.fixed.end();
}

Real proved_distance(const Region& region, std::span<const Real> x) {
  if (!std::all_of(x.begin(), x.end(), [](Real number) { return std::isfinite(number); })) return kRealInfinity;
  if (region.kind == RegionKind::simplex) return distance_to_simplex(region, x);
  if (region.kind == RegionKind::product) {
    Real square = 0;
    std::size_t offset = 0;
    for (const Region& part : region.parts) {
      const Real off = proved_distance(part, x.subspan(offset, part.dimension));
      square += off * off;
      offset += part.dimension;
    }
    return std::sqrt(square) * kSafe;
  }
  Equations equations = equations_of(region);
  const Real off = equations.rows.empty() ? 0 : Inverse(std::move(equations)).distance(x);
  return room(region, x) >= off ? off : kRealInfinity;
}

Violation violation(const Region& region, std::span<const Real> x) {
  constexpr Real kTolerance = 1e-9L, kUnits = 16 * 0x1p-52L;
  if (region.kind != RegionKind::product) {
    const Real size = size_of(region);
    return {worst_condition(region, x),
            kTolerance * (std::isfinite(size) ? size : 1 + norm(x)) + kUnits * norm(x)};
  }
  Violation worst;
  std::size_t offset = 0;
  for (const Region& part : region.parts) {
    const Violation here = violation(part, x.subspan(offset, part.dimension));
    if (here.off - here.allowed > worst.off - worst.allowed || offset == 0) worst = here;
    offset += part.dimension;
  }
  return worst;
}

}  // namespace fcbio::verify
