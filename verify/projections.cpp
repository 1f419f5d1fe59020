// Nearest points, and the distances that decide membership.
#include <algorithm>
#include <functional>
#include <numeric>

#include "region.hpp"

namespace fcbio::verify {
namespace {

/// Scales x - center down to length `radius` if it is longer.
void shorten(std::span<Real> x, std::span<const Real> center, Real radius) {
  Accumulator square;
  for (std::size_t j = 0; j < x.size(); ++j) square.add((x[j] - center[j]) * (x[j] - center[j]));
  const Real length = std::sqrt(square.value());
  if (length <= radius) return;
  for (std::size_t j = 0; j < x.size(); ++j) x[j] = center[j] + (x[j] - center[j]) * (radius / length);
}

void shorten(std::span<Real> x, Real radius) { shorten(x, RealVector(x.size(), 0), radius); }

/// Nearest point of {z >= 0, sum z = total}: z = max(x - shift, 0) with the shift that gives the sum.
void project_on_simplex(std::span<Real> x, Real total) {
  RealVector sorted(x.begin(), x.end());
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  Real sum = 0, shift = 0;
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    sum += sorted[k];
    const Real candidate = (sum - total) / static_cast<Real>(k + 1);
    if (k == 0 || sorted[k] > candidate) shift = candidate;
  }
  for (Real& number : x) number = std::max<Real>(number - shift, 0);
}

void project_on_l1_ball(const Region& region, std::span<Real> x) {
  RealVector sizes(x.size());
  for (std::size_t j = 0; j < x.size(); ++j) sizes[j] = std::abs(x[j] - region.center[j]);
  if (std::accumulate(sizes.begin(), sizes.end(), Real{0}) <= region.radius) return;
  project_on_simplex(sizes, region.radius);
  for (std::size_t j = 0; j < x.size(); ++j) {
    x[j] = region.center[j] + (x[j] < region.center[j] ? -sizes[j] : sizes[j]);
  }
}

/// {c'z <= value} and |z| <= radius: the halfspace's nearest point if it is in the ball, the ball's if it is in
/// the halfspace, else the nearest point of the circle in which their boundaries meet.
void project_on_halfspace(const Region& region, std::span<Real> x) {
  const RealVector& c = region.coefficients;
  const Real length = norm(c);
  if (length == 0) return shorten(x, region.radius);
  const Real height = region.value / length;  // signed distance of the plane from 0
  const Real excess = dot(c, x) / length - height;
  RealVector on_plane(x.begin(), x.end());
  for (std::size_t j = 0; j < x.size(); ++j) on_plane[j] -= excess * c[j] / length;
  if (excess > 0 && norm(on_plane) <= region.radius) {
    std::copy(on_plane.begin(), on_plane.end(), x.begin());
    return;
  }
  RealVector in_ball(x.begin(), x.end());
  shorten(in_ball, region.radius);
  if (dot(c, in_ball) / length <= height) {
    std::copy(in_ball.begin(), in_ball.end(), x.begin());
    return;
  }
  RealVector foot(x.size());
  for (std::size_t j = 0; j < x.size(); ++j) foot[j] = height * c[j] / length;
  const Real circle = std::sqrt(std::max<Real>(region.radius * region.radius - height * height, 0));
  shorten(on_plane, foot, circle);
  std::copy(on_plane.begin(), on_plane.end(), x.begin());
}

/// {Mz = v} and |z| <= radius: within the subspace that is a ball about its point nearest to 0.
void project_on_affine(const Region& region, std::span<Real> x) {
  const AffineRows& affine = region.affine;
  for (std::size_t j = 0; j < x.size(); ++j) x[j] -= affine.least_norm[j];
  for (int round = 0; round < 2; ++round) {  // repeated against cancellation
    for (const RealVector& unit : affine.units) {
      const Real share = dot(unit, x);
      for (std::size_t j = 0; j < x.size(); ++j) x[j] -= share * unit[j];
    }
  }
  if (std::isfinite(region.radius)) {
    const Real nearest = norm(affine.least_norm);
    shorten(x, std::sqrt(std::max<Real>(region.radius * region.radius - nearest * nearest, 0)));
  }
  for (std::size_t j = 0; j < x.size(); ++j) x[j] += affine.least_norm[j];
}

}  // namespace

void project(const Region& region, std::span<Real> x) {
  switch (region.kind) {
    case RegionKind::ball:
      return shorten(x, region.center, region.radius);
    case RegionKind::box:
      for (std::size_t j = 0; j < x.size(); ++j) x[j] = std::min(std::max(x[j], region.lower[j]), region.upper[j]);
      return;
    case RegionKind::simplex:
      return project_on_simplex(x, region.total);
    case RegionKind::l1_ball:
      return project_on_l1_ball(region, x);
    case RegionKind::nonnegative_ball:
      for (Real& number : x) number = std::max<Real>(number, 0);
      return shorten(x, region.radius);
    case RegionKind::halfspace:
      return project_on_halfspace(region, x);
    case RegionKind::affine:
      return project_on_affine(region, x);
    case RegionKind::product: {
      std::size_t offset = 0;
      for (const Region& part : region.parts) {
        project(part, x.subspan(offset, part.dimension));
        offset += part.dimension;
      }
      return;
    }
    case RegionKind::intersection:
      return project_on_all(region.parts, x);
    case RegionKind::whole_space:
      return;
  }
}

Real distance(const Region& region, std::span<const Real> x) {
  Real farthest = 0;
  if (region.kind == RegionKind::intersection) {
    for (const Region& part : region.parts) farthest = std::max(farthest, distance(part, x));
    return farthest;
  }
  if (region.kind == RegionKind::product) {
    std::size_t offset = 0;
    for (const Region& part : region.parts) {
      farthest = std::hypot(farthest, distance(part, x.subspan(offset, part.dimension)));
      offset += part.dimension;
    }
    return farthest;
  }
  RealVector nearest(x.begin(), x.end());
  project(region, nearest);
  for (std::size_t j = 0; j < x.size(); ++j) nearest[j] -= x[j];
  farthest = norm(nearest);
  for (std::size_t i = 0; i < region.all_rows.size(); ++i) {  // dependent rows of an affine subspace may disagree
    const Real length = norm(region.all_rows[i]);
    const Real excess = std::abs(dot(region.all_rows[i], x) - region.all_values[i]);
    farthest = std::max(farthest, length > 0 ? excess / length : excess);
  }
  return farthest;
}

}  // namespace fcbio::verify
