// Regions from the plain data of the problem file.
#include "region.hpp"

#include <fmt/format.h>

#include <array>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace fcbio::verify {
namespace {

constexpr std::array<std::pair<std::string_view, RegionKind>, 10> kKinds = {{
    {"ball", RegionKind::ball},
    {"box", RegionKind::box},
    {"simplex", RegionKind::simplex},
    {"l1-ball", RegionKind::l1_ball},
    {"nonnegative-ball", RegionKind::nonnegative_ball},
    {"halfspace", RegionKind::halfspace},
    {"affine", RegionKind::affine},
    {"product", RegionKind::product},
    {"intersection", RegionKind::intersection},
    {"whole-space", RegionKind::whole_space},
}};

RegionKind find_kind(const std::string& name) {
  for (const auto& [known, kind] : kKinds) {
    if (known == name) return kind;
  }
  throw std::invalid_argument(fmt::format("expected a set of the problem file's table, found '{}'", name));
}

/// A vector of the problem file: n numbers, or none for `absent` everywhere.
RealVector numbers(const Vector& vector, std::size_t n, Real absent, std::string_view what) {
  if (vector.size() == 0) return RealVector(n, absent);
  if (static_cast<std::size_t>(vector.size()) != n) {
    throw std::invalid_argument(fmt::format("{}: expected {} numbers, found {}", what, n, vector.size()));
  }
  return {vector.begin(), vector.end()};
}

void add_affine(const io::SetData& set, std::size_t n, Region& region) {
  if (static_cast<std::size_t>(set.matrix.cols()) != n || set.matrix.rows() != set.values.size()) {
    throw std::invalid_argument(
        fmt::format("affine: expected a matrix with {} columns and a value per row, found {} x {} "
                    "and {} values",
                    n, set.matrix.rows(), set.matrix.cols(), set.values.size()));
  }
  for (Index i = 0; i < set.matrix.rows(); ++i) {
    RealVector row(n);
    for (std::size_t j = 0; j < n; ++j) row[j] = set.matrix(i, static_cast<Index>(j));
    region.rows.push_back(std::move(row));
    region.values.push_back(set.values[i]);
  }
}

void add_parts(const io::SetData& set, std::span<const Real> start, Region& region) {
  std::size_t offset = 0;
  for (const io::SetData& part : set.sets) {
    const bool factor = region.kind == RegionKind::product;
    const std::size_t size = factor ? static_cast<std::size_t>(part.dimension) : start.size();
    if (offset + size > start.size()) break;
    Region made = make_region(part, start.subspan(offset, size));
    if (factor) offset += size;
    if (!factor && made.kind == RegionKind::intersection) {
      for (Region& member : made.parts) region.parts.push_back(std::move(member));
    } else {
      region.parts.push_back(std::move(made));
    }
  }
  if (region.parts.empty() || (region.kind == RegionKind::product && offset != start.size())) {
    throw std::invalid_argument(
        fmt::format("{}: expected sets whose dimensions make up {}", set.kind, start.size()));
  }
}

}  // namespace

Region make_region(const io::SetData& set, std::span<const Real> start) {
  Region region;
  region.kind = find_kind(set.kind);
  const std::size_t n = region.dimension = start.size();
  if (set.radius) region.radius = *set.radius;
  region.total = set.total;
  region.value = set.value;
  switch (region.kind) {
    case RegionKind::ball:
    case RegionKind::l1_ball:
      region.center = numbers(set.center, n, 0, "center");
      break;
    case RegionKind::whole_space:
      region.center.assign(start.begin(), start.end());
      break;
    case RegionKind::box:
      region.lower = numbers(set.lower, n, -kRealInfinity, "lower");
      region.upper = numbers(set.upper, n, kRealInfinity, "upper");
      break;
    case RegionKind::halfspace:
      region.coefficients = numbers(set.coefficients, n, 0, "coefficients");
      break;
    case RegionKind::affine:
      add_affine(set, n, region);
      break;
    case RegionKind::product:
    case RegionKind::intersection:
      add_parts(set, start, region);
      break;
    case RegionKind::simplex:
    case RegionKind::nonnegative_ball:
      break;
  }
  return region;
}

}  // namespace fcbio::verify
