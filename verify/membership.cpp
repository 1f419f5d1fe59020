#include "membership.hpp"

#include <algorithm>
#include <optional>

#include "sparse_inverse.hpp"

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
  if (!std::isfinite(within)) return within;
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

/// Inequalities may be taken for equations, since that only makes the set smaller.  Tight: those that hold as
/// equations at the point in question are: coordinates exactly on a side, rows whose slack is at rounding level.
enum class Reading { as_given, tight };

/// The coordinate must stay as it is.
bool is_fixed(const Region& box, std::size_t j, std::span<const Real> x, Reading reading) {
  return box.lower[j] == box.upper[j] ||
         (reading == Reading::tight && (x[j] == box.lower[j] || x[j] == box.upper[j]));
}

Real room_in_box(const Region& box, std::span<const Real> x, Reading reading) {
  Real least = kRealInfinity;
  for (std::size_t j = 0; j < x.size(); ++j) {
    const Real side = std::min(x[j] - box.lower[j], box.upper[j] - x[j]);
    if (!is_fixed(box, j, x, reading) || side < 0) least = std::min(least, side > 0 ? side * (1 - kUnit) : side);
  }
  return least;
}

/// A slack of this share of the numbers that it is the difference of is rounding.
constexpr Real kTight = 0x1p-40L;

struct RowAt {
  Number product;  // a'x
  Real length = 0;
  bool touches(Real side) const {
    return std::abs(side - product.value) <= kTight * (std::abs(side) + product.magnitude);
  }
};

RowAt row_at(const SparseRows& rows, std::size_t i, std::span<const Real> x) {
  Accumulator product, square;
  for (std::size_t k = rows.starts[i]; k < rows.starts[i + 1]; ++k) {
    product.add(rows.numbers[k] * x[rows.columns[k]]);
    square.add(rows.numbers[k] * rows.numbers[k]);
  }
  return {product.number(), std::sqrt(square.value())};
}

/// The side that makes row i an equation at x: its own, where both are equal, or one that it touches.
std::optional<Real> equation_value(const Region& set, std::size_t i, const RowAt& row, Reading reading) {
  if (set.row_lower[i] == set.row_upper[i]) return set.row_lower[i];
  if (reading == Reading::as_given || row.length == 0) return std::nullopt;
  if (std::isfinite(set.row_upper[i]) && row.touches(set.row_upper[i])) return set.row_upper[i];
  if (std::isfinite(set.row_lower[i]) && row.touches(set.row_lower[i])) return set.row_lower[i];
  return std::nullopt;
}

/// a'x = side without any rounding.
bool meets_exactly(const SparseRows& rows, std::size_t i, std::span<const Real> x, Real side) {
  RealVector factors{-1}, numbers{side};
  for (std::size_t k = rows.starts[i]; k < rows.starts[i + 1]; ++k) {
    factors.push_back(rows.numbers[k]);
    numbers.push_back(x[rows.columns[k]]);
  }
  return vanishes_exactly(factors, numbers);
}

Real room_between_rows(const Region& set, std::span<const Real> x, Reading reading) {
  Real least = kRealInfinity;
  for (std::size_t i = 0; i < set.matrix.count(); ++i) {
    const RowAt row = row_at(set.matrix, i, x);
    if (row.length == 0) {
      if (!(set.row_lower[i] <= 0 && set.row_upper[i] >= 0)) return -kRealInfinity;
      continue;
    }
    if (equation_value(set, i, row, reading)) continue;
    for (const Real side : {set.row_upper[i], set.row_lower[i]}) {
      if (!std::isfinite(side)) continue;
      const Real slack = side == set.row_upper[i] ? side - row.product.value : row.product.value - side;
      const Real rounding = 2 * kRounding * (row.product.magnitude + std::abs(slack));
      Real sure = slack - rounding;
      if (sure < 0 && slack + rounding >= 0 && meets_exactly(set.matrix, i, x, side)) sure = 0;
      least = std::min(least, sure / row.length * (1 + (sure > 0 ? -16 : 16) * kUnit));
    }
  }
  return least;
}

bool touches_plane(const Region& set, std::span<const Real> x) {
  Accumulator product;
  for (std::size_t j = 0; j < x.size(); ++j) product.add(set.coefficients[j] * x[j]);
  return RowAt{product.number(), 1}.touches(set.value);
}

/// The equations of a region, and what must stay as it is.
struct Equations {
  SparseRows rows;
  RealVector values;
  std::vector<bool> fixed;

  void add(std::size_t column, Real number) {
    if (number == 0) return;
    rows.columns.push_back(column);
    rows.numbers.push_back(number);
  }
  void close(Real value) {
    rows.starts.push_back(rows.columns.size());
    values.push_back(value);
  }
  bool empty() const { return rows.count() == 0; }
  /// Whether a dense inverse is quick, and whether it is possible at all.
  bool is_small() const { return work() <= 3e8L; }
  bool is_possible() const { return static_cast<Real>(rows.count()) * static_cast<Real>(fixed.size()) <= 0x1p24L; }

 private:
  Real work() const {
    const auto count = static_cast<Real>(rows.count());
    return count * count * static_cast<Real>(fixed.size());
  }
};

void collect(const Region& region, std::size_t offset, std::span<const Real> whole_x, Reading reading,
             Equations& out) {
  const std::span<const Real> x = whole_x.subspan(offset, region.dimension);
  const auto add = [&](const RealVector& row, Real value) {
    for (std::size_t j = 0; j < row.size(); ++j) out.add(offset + j, row[j]);
    out.close(value);
  };
  if (region.kind == RegionKind::simplex || region.kind == RegionKind::capped_simplex)
    add(RealVector(region.dimension, 1), region.total);
  for (std::size_t i = 0; i < region.rows.size(); ++i) {
    const bool zero = std::all_of(region.rows[i].begin(), region.rows[i].end(), [](Real a) { return a == 0; });
    if (!zero || region.values[i] != 0) add(region.rows[i], region.values[i]);
  }
  for (std::size_t i = 0; i < region.matrix.count(); ++i) {
    const RowAt at = row_at(region.matrix, i, x);
    const std::optional<Real> value = equation_value(region, i, at, reading);
    if (!value || at.length == 0) continue;
    for (std::size_t k = region.matrix.starts[i]; k < region.matrix.starts[i + 1]; ++k)
      out.add(offset + region.matrix.columns[k], region.matrix.numbers[k]);
    out.close(*value);
  }
  if (region.kind == RegionKind::halfspace && reading == Reading::tight && touches_plane(region, x))
    add(region.coefficients, region.value);
  if (!region.lower.empty()) {
    for (std::size_t j = 0; j < region.dimension; ++j)
      if (is_fixed(region, j, x, reading)) out.fixed[offset + j] = true;
  }
  if (reading == Reading::tight &&
      (region.kind == RegionKind::simplex || region.kind == RegionKind::nonnegative_ball)) {
    for (std::size_t j = 0; j < region.dimension; ++j)
      if (x[j] == 0) out.fixed[offset + j] = true;
  }
  for (const Region& part : region.parts) {
    collect(part, offset, whole_x, reading, out);
    if (region.kind == RegionKind::product) offset += part.dimension;
  }
}

Equations equations_of(const Region& region, std::span<const Real> x, Reading reading) {
  Equations equations;
  equations.fixed.assign(region.dimension, false);
  collect(region, 0, x, reading, equations);
  return equations;
}

Real least_of(std::span<const Real> x, Reading reading) {
  Real least = kRealInfinity;
  for (const Real number : x)
    if (reading == Reading::as_given || number != 0) least = std::min(least, number);
  return least;
}

/// The factor |X| / (1 - |E|) and the rows it is for.
class Inverse {
 public:
  explicit Inverse(const Equations& equations) {
    equations_.values = equations.values;
    equations_.fixed = equations.fixed;
    for (std::size_t i = 0; i < equations.rows.count(); ++i) {
      equations_.rows.emplace_back(equations.fixed.size(), 0);
      for (std::size_t k = equations.rows.starts[i]; k < equations.rows.starts[i + 1]; ++k)
        equations_.rows.back()[equations.rows.columns[k]] += equations.rows.numbers[k];
      scale(i);
    }
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
  struct Dense {
    std::vector<RealVector> rows;
    RealVector values;
    std::vector<bool> fixed;
  };

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
    Dense left;
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

  Dense equations_;
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

Real room(const Region& region, std::span<const Real> x, Reading reading) {
  Real least = kRealInfinity;
  std::size_t offset = 0;
  switch (region.kind) {
    case RegionKind::ball:
      return left_over(region.radius, distance_from(x, region.center));
    case RegionKind::box:
      return room_in_box(region, x, reading);
    case RegionKind::polyhedron:
      return std::min(room_in_box(region, x, reading), room_between_rows(region, x, reading));
    case RegionKind::capped_simplex:
      return room_in_box(region, x, reading);
    case RegionKind::simplex:
      return least_of(x, reading);
    case RegionKind::l1_ball:
      return room_in_l1_ball(region, x);
    case RegionKind::nonnegative_ball:
      return std::min(left_over(region.radius, norm(x)), least_of(x, reading));
    case RegionKind::halfspace:
      if (reading == Reading::tight && touches_plane(region, x)) return left_over(region.radius, norm(x));
      return std::min(left_over(region.radius, norm(x)), room_below_plane(region, x));
    case RegionKind::affine:
      return left_over(region.radius, norm(x));
    case RegionKind::product:
      for (const Region& part : region.parts) {
        least = std::min(least, room(part, x.subspan(offset, part.dimension), reading));
        offset += part.dimension;
      }
      return least;
    case RegionKind::intersection:
      for (const Region& part : region.parts) least = std::min(least, room(part, x, reading));
      return least;
    case RegionKind::whole_space:
      return kRealInfinity;
  }
  return -kRealInfinity;
}

Real size_of(const Region& region) {
  Real least = kRealInfinity, square = 0;
  switch (region.kind) {
    case RegionKind::box:
    case RegionKind::polyhedron:
      for (std::size_t j = 0; j < region.dimension; ++j) {
        const bool rows = region.kind == RegionKind::polyhedron;
        const Real half = rows ? (region.most[j] - region.least[j]) / 2 : (region.upper[j] - region.lower[j]) / 2;
        square += half * half;
      }
      return std::min(std::sqrt(square), region.radius);
    case RegionKind::simplex:
    case RegionKind::capped_simplex:
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
  Real off = -room(region, x, Reading::as_given);
  const Equations equations = equations_of(region, x, Reading::as_given);
  for (std::size_t i = 0; i < equations.rows.count(); ++i) {
    const RowAt row = row_at(equations.rows, i, x);
    const Real residual = std::abs(row.product.value - equations.values[i]);
    off = std::max(off, row.length > 0 ? residual / row.length : residual);
  }
  return off;
}

/// At least the distance of x to a solution that agrees with x in the fixed coordinates.
Real distance_to_solutions(const Equations& equations, std::span<const Real> x) {
  bool exact = true;
  for (std::size_t i = 0; exact && i < equations.rows.count(); ++i)
    exact = meets_exactly(equations.rows, i, x, equations.values[i]);
  if (exact) return 0;
  if (!equations.is_small()) {
    const Real off = SparseInverse(equations.rows, equations.values, equations.fixed).distance(x);
    if (std::isfinite(off) || !equations.is_possible()) return off;
  }
  return Inverse(equations).distance(x);
}

}  // namespace

Real room(const Region& region, std::span<const Real> x) { return room(region, x, Reading::as_given); }

bool has_interior(const Region& region) {
  const Equations equations = equations_of(region, RealVector(region.dimension, 0), Reading::as_given);
  return equations.empty() &&
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
  for (const Reading reading : {Reading::as_given, Reading::tight}) {
    const Real off = distance_to_solutions(equations_of(region, x, reading), x);
    if (std::isfinite(off) && room(region, x, reading) >= off) return off;
  }
  return kRealInfinity;
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
