// Lower bounds of linear functions.  Where the minimiser has a closed form it is used; for a halfspace and an
// affine subspace, cut by a ball, the bound is the value of the dual at the witness's multiplier, which is a bound
// whatever the multiplier:
//   c'z <= v, |z| <= R, m >= 0:   <s, z> >= <s + m c, z> - m v   >= -R |s + m c| - m v
//   Mz = v,   |z| <= R, any m:    <s, z>  = <s - M'm, z> + <m, v> >= -R |s - M'm| + <m, v>
//   l <= Az <= u, sides, any y:   <s, z> >= sum of (y_i >= 0 ? l_i : u_i) y_i + min over the sides of <s - A'y, .>
// Slopes towards an open side count by the ball |z| <= R: <r, z> >= -R |r| over these coordinates.
#include <fmt/format.h>

#include <algorithm>

#include "region.hpp"

namespace fcbio::verify {
namespace {

const Number kNothing{-kRealInfinity, kRealInfinity};

std::vector<Number> numbers(const std::vector<Accumulator>& sums) {
  std::vector<Number> out(sums.size());
  for (std::size_t j = 0; j < sums.size(); ++j) out[j] = sums[j].number();
  return out;
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

/// Radius of the ball in which the points of the region lie that matter.
Real radius_of(const Region& region) { return std::min(region.radius, region.known_reach); }

/// Each coordinate on its own.  An open side counts unless the sign of the slope is certain.
Number over_sides(const RealVector& lower, const RealVector& upper, std::span<const Number> s, Real radius) {
  Accumulator sum;
  std::vector<Number> open;
  for (std::size_t j = 0; j < s.size(); ++j) {
    if (s[j].value == 0 && s[j].magnitude == 0) continue;
    const bool may_fall = s[j].value - s[j].error() < 0;
    const bool may_rise = s[j].value + s[j].error() > 0;
    if ((may_fall && !std::isfinite(upper[j])) || (may_rise && !std::isfinite(lower[j]))) {
      open.push_back(s[j]);
      continue;
    }
    const Real at_lower = may_rise ? s[j].value * lower[j] : kRealInfinity;
    const Real at_upper = may_fall ? s[j].value * upper[j] : kRealInfinity;
    const Real farthest = std::max(may_rise ? std::abs(lower[j]) : 0, may_fall ? std::abs(upper[j]) : 0);
    sum.add(Number{std::min(at_lower, at_upper), s[j].magnitude * farthest});
  }
  const Number in_ball = over_centered_ball(open, radius);
  if (!std::isfinite(in_ball.value)) return kNothing;
  sum.add(in_ball);
  return sum.number();
}

/// cap for the least slopes until total is used up; an error of the slopes counts with weights that add up to total.
Number over_capped_simplex(const Region& region, std::span<const Number> s) {
  RealVector slopes;
  Real magnitude = 0;
  for (const Number& number : s) {
    slopes.push_back(number.value);
    magnitude = std::max(magnitude, number.magnitude);
  }
  std::sort(slopes.begin(), slopes.end());
  Accumulator sum;
  Real left = region.total;
  for (const Real slope : slopes) {
    const Real part = std::min(left, region.upper.front());
    if (!(part > 0)) break;
    sum.add(part * slope);
    left -= part;
  }
  return {sum.value(), region.total * magnitude};
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

/// -R |s + m c| - m v for the witness's m >= 0; no multiplier is m = 0.
Number over_halfspace(const Region& region, std::span<const Number> s, const ClaimedSetBound& witness,
                      std::string& wrong) {
  if (witness.multipliers.empty()) return over_centered_ball(s, radius_of(region));
  const double multiplier = witness.multipliers.front();
  if (witness.multipliers.size() != 1 || !std::isfinite(multiplier) || multiplier < 0) {
    wrong = "witness of a halfspace: expected one finite multiplier >= 0";
    return kNothing;
  }
  std::vector<Accumulator> tilted(s.size());
  for (std::size_t j = 0; j < s.size(); ++j) {
    tilted[j].add(s[j]);
    tilted[j].add(multiplier * region.coefficients[j]);
  }
  Accumulator sum;
  sum.add(over_centered_ball(numbers(tilted), radius_of(region)));
  sum.add(-multiplier * region.value);
  return sum.number();
}

/// <m, v> - R |s - M'm| for the witness's m; none is m = 0.
Number over_affine(const Region& region, std::span<const Number> s, const ClaimedSetBound& witness,
                   std::string& wrong) {
  if (witness.multipliers.empty()) return over_centered_ball(s, radius_of(region));
  if (witness.multipliers.size() != region.rows.size() || !all_finite(witness.multipliers)) {
    wrong = fmt::format("witness of an affine set: expected {} finite multipliers, found {}", region.rows.size(),
                        witness.multipliers.size());
    return kNothing;
  }
  std::vector<Accumulator> tilted(s.size());
  Accumulator sum;
  for (std::size_t j = 0; j < s.size(); ++j) tilted[j].add(s[j]);
  for (std::size_t k = 0; k < region.rows.size(); ++k) {
    const Real multiplier = witness.multipliers[k];
    sum.add(multiplier * region.values[k]);
    for (std::size_t j = 0; j < s.size(); ++j) tilted[j].add(-multiplier * region.rows[k][j]);
  }
  sum.add(over_centered_ball(numbers(tilted), radius_of(region)));
  return sum.number();
}

/// The bound at the witness's y; none is y = 0.
Number over_polyhedron(const Region& region, std::span<const Number> s, const ClaimedSetBound& witness,
                       std::string& wrong) {
  const std::vector<double>& y = witness.multipliers;
  if (!y.empty() && (y.size() != region.matrix.count() || !all_finite(y))) {
    wrong = fmt::format("witness of a polyhedron: expected {} finite multipliers, found {}", region.matrix.count(),
                        y.size());
    return kNothing;
  }
  std::vector<Accumulator> rest(s.size());
  Accumulator sum;
  for (std::size_t j = 0; j < s.size(); ++j) rest[j].add(s[j]);
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (y[i] == 0) continue;
    const Real side = y[i] > 0 ? region.row_lower[i] : region.row_upper[i];
    if (!std::isfinite(side)) {
      wrong =
          fmt::format("witness of a polyhedron: expected no weight on an open side, found {} for row {}", y[i], i);
      return kNothing;
    }
    sum.add(Real{y[i]} * side);
    for (std::size_t k = region.matrix.starts[i]; k < region.matrix.starts[i + 1]; ++k)
      rest[region.matrix.columns[k]].add(-Real{y[i]} * region.matrix.numbers[k]);
  }
  const Number bound = over_sides(region.least, region.most, numbers(rest), radius_of(region));
  if (!std::isfinite(bound.value)) return kNothing;
  sum.add(bound);
  return sum.number();
}

const ClaimedSetBound kNoWitness;

/// The witness of part i; none where none of the parts needs one.
const ClaimedSetBound& part_of(const ClaimedSetBound& witness, std::size_t i) {
  return witness.parts.empty() ? kNoWitness : witness.parts[i];
}

bool parts_fit(const Region& region, const ClaimedSetBound& witness, std::string& wrong) {
  if (witness.parts.empty() || witness.parts.size() == region.parts.size()) return true;
  wrong = fmt::format("witness of a compound set: expected {} parts, found {}", region.parts.size(),
                      witness.parts.size());
  return false;
}

Number over_product(const Region& region, std::span<const Number> s, const ClaimedSetBound& witness,
                    std::string& wrong) {
  if (!parts_fit(region, witness, wrong)) return kNothing;
  Accumulator sum;
  std::size_t offset = 0;
  for (std::size_t i = 0; i < region.parts.size(); ++i) {
    const Region& part = region.parts[i];
    const Number bound = linear_lower_bound(part, s.subspan(offset, part.dimension), part_of(witness, i), wrong);
    if (!std::isfinite(bound.value)) return kNothing;
    sum.add(bound);
    offset += part.dimension;
  }
  return sum.number();
}

/// For every split s = s_1 + ... + s_k:  <s, z> >= sum of min over Z_i of <s_i, .>  on the intersection.  The
/// shares are the witness's; one member gets what they leave of s, so that they add up whatever they are.
Number over_intersection(const Region& region, std::span<const Number> s, const ClaimedSetBound& witness,
                         std::string& wrong) {
  std::size_t rest = region.parts.size(), open = 0;
  for (std::size_t i = 0; i < witness.shares.size(); ++i) {
    if (!witness.shares[i].empty()) continue;
    rest = i;
    ++open;
  }
  if (witness.shares.size() != region.parts.size() || open != 1) {
    wrong = fmt::format("witness of an intersection: expected {} shares, one of them empty, found {} and {} empty",
                        region.parts.size(), witness.shares.size(), open);
    return kNothing;
  }
  if (!parts_fit(region, witness, wrong)) return kNothing;
  std::vector<Accumulator> left(s.size());
  for (std::size_t j = 0; j < s.size(); ++j) left[j].add(s[j]);
  Accumulator sum;
  std::vector<Number> part(s.size());
  for (std::size_t i = 0; i < region.parts.size(); ++i) {
    if (i == rest) continue;
    const std::vector<double>& share = witness.shares[i];
    if (share.size() != s.size() || !all_finite(share)) {
      wrong = fmt::format("witness of an intersection: expected shares of {} finite numbers", s.size());
      return kNothing;
    }
    for (std::size_t j = 0; j < s.size(); ++j) {
      part[j] = exact(share[j]);
      left[j].add(-Real{share[j]});
    }
    const Number bound = linear_lower_bound(region.parts[i], part, part_of(witness, i), wrong);
    if (!std::isfinite(bound.value)) return kNothing;
    sum.add(bound);
  }
  const Number bound = linear_lower_bound(region.parts[rest], numbers(left), part_of(witness, rest), wrong);
  if (!std::isfinite(bound.value)) return kNothing;
  sum.add(bound);
  return sum.number();
}

}  // namespace

Number linear_lower_bound(const Region& region, std::span<const Number> slope, const ClaimedSetBound& witness,
                          std::string& wrong) {
  for (const Number& number : slope) {
    if (!std::isfinite(number.value) || !std::isfinite(number.magnitude)) return kNothing;
  }
  switch (region.kind) {
    case RegionKind::ball:
    case RegionKind::whole_space:
      return over_ball(slope, region.center, region.radius);
    case RegionKind::box:
      return over_sides(region.lower, region.upper, slope, radius_of(region));
    case RegionKind::polyhedron:
      return over_polyhedron(region, slope, witness, wrong);
    case RegionKind::simplex:
      return over_simplex(slope, region.total);
    case RegionKind::capped_simplex:
      return over_capped_simplex(region, slope);
    case RegionKind::l1_ball:
      return over_l1_ball(region, slope);
    case RegionKind::nonnegative_ball:
      return over_nonnegative_ball(slope, region.radius);
    case RegionKind::halfspace:
      return over_halfspace(region, slope, witness, wrong);
    case RegionKind::affine:
      return over_affine(region, slope, witness, wrong);
    case RegionKind::product:
      return over_product(region, slope, witness, wrong);
    case RegionKind::intersection:
      return over_intersection(region, slope, witness, wrong);
  }
  return kNothing;
}

}  // namespace fcbio::verify
