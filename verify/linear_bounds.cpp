// Lower bounds of linear functions over the simple sets.  Where the minimiser has a closed form it is used; for a
// halfspace and an affine subspace, cut by a ball, the bound is the value of the dual at a multiplier, which is a
// bound whatever the multiplier:
//   c'z <= v, |z| <= R, m >= 0:   <s, z> >= <s + m c, z> - m v   >= -R |s + m c| - m v
//   Mz = v,   |z| <= R, any m:    <s, z>  = <s - M'm, z> + <m, v> >= -R |s - M'm| + <m, v>
#include <algorithm>

#include "region.hpp"

namespace fcbio::verify {
namespace {

const Number kNothing{-kRealInfinity, kRealInfinity};

Real norm_of_values(std::span<const Number> s) {
  Accumulator square;
  for (const Number& number : s) square.add(number.value * number.value);
  return std::sqrt(square.value());
}

/// min of <s, z> over |z| <= radius.
Number over_centered_ball(std::span<const Number> s, Real radius) {
  Accumulator square, magnitude_square;
  for (const Number& number : s) {
    square.add(number.value * number.value);
    magnitude_square.add(number.magnitude * number.magnitude);
  }
  const Real magnitude = std::sqrt(magnitude_square.value());
  if (magnitude == 0) return {0, 0};
  if (!std::isfinite(radius)) return kNothing;
  return {-radius * std::sqrt(square.value()), radius * magnitude};
}

Number over_ball(std::span<const Number> s, std::span<const Real> center, Real radius) {
  const Number around_zero = over_centered_ball(s, radius);
  if (!std::isfinite(around_zero.value)) return kNothing;
  Accumulator sum;
  sum.add(around_zero);
  for (std::size_t j = 0; j < s.size(); ++j) sum.add(center[j], s[j]);
  return sum.number();
}

/// Each coordinate on its own.  An open side counts unless the sign of the slope is certain.
Number over_box(const Region& region, std::span<const Number> s) {
  Accumulator sum;
  for (std::size_t j = 0; j < s.size(); ++j) {
    if (s[j].magnitude == 0) continue;
    const bool may_fall = s[j].value - s[j].error() < 0;
    const bool may_rise = s[j].value + s[j].error() > 0;
    if (may_fall && !std::isfinite(region.upper[j])) return kNothing;
    if (may_rise && !std::isfinite(region.lower[j])) return kNothing;
    const Real at_lower = may_rise ? s[j].value * region.lower[j] : kRealInfinity;
    const Real at_upper = may_fall ? s[j].value * region.upper[j] : kRealInfinity;
    const Real farthest =
        std::max(may_rise ? std::abs(region.lower[j]) : 0, may_fall ? std::abs(region.upper[j]) : 0);
    sum.add(Number{std::min(at_lower, at_upper), s[j].magnitude * farthest});
  }
  return sum.number();
}

Number over_simplex(std::span<const Number> s, Real total) {
  Number least{kRealInfinity, 0};
  for (const Number& number : s) {
    least = {std::min(least.value, number.value), std::max(least.magnitude, number.magnitude)};
  }
  return {total * least.value, std::abs(total) * least.magnitude};
}

Number over_l1_ball(const Region& region, std::span<const Number> s) {
  if (!std::isfinite(region.radius)) return kNothing;
  Real largest = 0, magnitude = 0;
  Accumulator sum;
  for (std::size_t j = 0; j < s.size(); ++j) {
    largest = std::max(largest, std::abs(s[j].value));
    magnitude = std::max(magnitude, s[j].magnitude);
    sum.add(region.center[j], s[j]);
  }
  sum.add(Number{-region.radius * largest, region.radius * magnitude});
  return sum.number();
}

/// Over |z| <= radius, z >= 0: only the falling coordinates are worth anything.
Number over_nonnegative_ball(std::span<const Number> s, Real radius) {
  std::vector<Number> falling(s.begin(), s.end());
  for (Number& number : falling) number.value = std::min<Real>(number.value, 0);
  return over_centered_ball(falling, radius);
}

/// The best multiplier: with h = v/|c| and s = t c/|c| + rest the maximum of -R |s + m c| - m v is where
/// (t + m |c|) sqrt(R^2 - h^2) = -h |rest|.
Number over_halfspace(const Region& region, std::span<const Number> s) {
  const RealVector& c = region.coefficients;
  const Real length = norm(c), radius = region.radius;
  if (length == 0 || !std::isfinite(radius)) return over_centered_ball(s, radius);
  const Real height = region.value / length;
  Accumulator along;
  for (std::size_t j = 0; j < s.size(); ++j) along.add(s[j].value * c[j] / length);
  const Real t = along.value();
  RealVector rest(s.size());
  for (std::size_t j = 0; j < s.size(); ++j) rest[j] = s[j].value - t * c[j] / length;
  const Real circle = std::sqrt(std::max<Real>(radius * radius - height * height, 0));
  // At height = -radius the set is one point and the best multiplier infinite; a large one loses almost nothing.
  const Real largest = 1e9L * norm_of_values(s);
  Real wanted = height >= radius ? -kRealInfinity : -height * norm(rest) / circle;
  if (!(wanted <= largest)) wanted = largest;
  const Real multiplier = std::max<Real>((wanted - t) / length, 0);

  std::vector<Number> tilted(s.begin(), s.end());
  for (std::size_t j = 0; j < s.size(); ++j) {
    const Real push = multiplier * c[j];
    tilted[j] = {s[j].value + push, s[j].magnitude + std::abs(push)};
  }
  Accumulator sum;
  sum.add(over_centered_ball(tilted, radius));
  sum.add(-multiplier * region.value);
  return sum.number();
}

/// The best multiplier: M'm = (part of s in the rows' space) + g z0, z0 the point nearest to 0 and
/// g = |rest of s| / sqrt(R^2 - |z0|^2).
Number over_affine(const Region& region, std::span<const Number> s) {
  const AffineRows& affine = region.affine;
  RealVector rest(s.size());
  for (std::size_t j = 0; j < s.size(); ++j) rest[j] = s[j].value;
  RealVector shares(affine.units.size(), 0);
  for (int round = 0; round < 2; ++round) {
    for (std::size_t k = 0; k < shares.size(); ++k) {
      const Real share = dot(affine.units[k], rest);
      shares[k] += share;
      for (std::size_t j = 0; j < rest.size(); ++j) rest[j] -= share * affine.units[k][j];
    }
  }
  const Real nearest = norm(affine.least_norm);
  const Real circle = std::sqrt(std::max<Real>(region.radius * region.radius - nearest * nearest, 0));
  Real pull = norm(rest) / circle;
  const Real largest = 1e9L * norm_of_values(s) / std::max(nearest, std::numeric_limits<Real>::min());
  if (!(pull <= largest)) pull = nearest > 0 ? largest : 0;
  for (std::size_t k = 0; k < shares.size(); ++k) shares[k] += pull * dot(affine.units[k], affine.least_norm);

  // M = L U, so M'm = U'shares means L'm = shares.
  RealVector multipliers(shares.size(), 0);
  for (std::size_t k = shares.size(); k-- > 0;) {
    Accumulator right;
    right.add(shares[k]);
    for (std::size_t l = k + 1; l < shares.size(); ++l) right.add(-affine.lower[l][k] * multipliers[l]);
    multipliers[k] = right.value() / affine.lower[k][k];
  }
  std::vector<Accumulator> tilted(s.size());
  Accumulator sum;
  for (std::size_t j = 0; j < s.size(); ++j) tilted[j].add(s[j]);
  for (std::size_t k = 0; k < multipliers.size(); ++k) {
    sum.add(multipliers[k] * affine.values[k]);
    for (std::size_t j = 0; j < s.size(); ++j) tilted[j].add(-multipliers[k] * affine.rows[k][j]);
  }
  std::vector<Number> numbers(s.size());
  for (std::size_t j = 0; j < s.size(); ++j) numbers[j] = tilted[j].number();
  const Number over = over_centered_ball(numbers, region.radius);
  if (!std::isfinite(over.value)) return kNothing;
  sum.add(over);
  return sum.number();
}

Number over_product(const Region& region, std::span<const Number> s) {
  Accumulator sum;
  std::size_t offset = 0;
  for (const Region& part : region.parts) {
    const Number bound = linear_lower_bound(part, s.subspan(offset, part.dimension));
    if (!std::isfinite(bound.value)) return kNothing;
    sum.add(bound);
    offset += part.dimension;
  }
  return sum.number();
}

}  // namespace

Number linear_lower_bound(const Region& region, std::span<const Number> slope) {
  for (const Number& number : slope) {
    if (!std::isfinite(number.value) || !std::isfinite(number.magnitude)) return kNothing;
  }
  switch (region.kind) {
    case RegionKind::ball:
    case RegionKind::whole_space:
      return over_ball(slope, region.center, region.radius);
    case RegionKind::box:
      return over_box(region, slope);
    case RegionKind::simplex:
      return over_simplex(slope, region.total);
    case RegionKind::l1_ball:
      return over_l1_ball(region, slope);
    case RegionKind::nonnegative_ball:
      return over_nonnegative_ball(slope, region.radius);
    case RegionKind::halfspace:
      return over_halfspace(region, slope);
    case RegionKind::affine:
      return over_affine(region, slope);
    case RegionKind::product:
      return over_product(region, slope);
    case RegionKind::intersection:
      return split_lower_bound(region, slope);
  }
  return kNothing;
}

bool is_bounded(const Region& region) {
  if (region.kind == RegionKind::box) {
    const auto finite = [](Real side) { return std::isfinite(side); };
    return std::all_of(region.lower.begin(), region.lower.end(), finite) &&
           std::all_of(region.upper.begin(), region.upper.end(), finite);
  }
  if (region.kind == RegionKind::product) return std::all_of(region.parts.begin(), region.parts.end(), is_bounded);
  if (region.kind == RegionKind::intersection)
    return std::any_of(region.parts.begin(), region.parts.end(), is_bounded);
  return region.kind == RegionKind::simplex || std::isfinite(region.radius);
}

}  // namespace fcbio::verify
