// Regions from the plain data of the problem file.
#include "region.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>

#include "reach.hpp"

namespace fcbio::verify {
namespace {

/// A vector of the problem file: n numbers, or none for `absent` everywhere.
RealVector numbers(const Vector& vector, std::size_t n, Real absent, std::string_view what) {
  if (vector.size() == 0) return RealVector(n, absent);
  if (static_cast<std::size_t>(vector.size()) != n) {
    throw std::invalid_argument(fmt::format("{}: expected {} numbers, found {}", what, n, vector.size()));
  }
  return {vector.begin(), vector.end()};
}

/// a'z <= value gives a_k z_k <= value - (least of the others), for the z_k whose side is open.
bool spread(Region& region, std::size_t row, Real sign, Real value) {
  const SparseRows& rows = region.matrix;
  const std::size_t first = rows.starts[row], last = rows.starts[row + 1];
  const auto least_side = [&](std::size_t k) {
    return sign * rows.numbers[k] > 0 ? region.least[rows.columns[k]] : region.most[rows.columns[k]];
  };
  Accumulator sum;
  std::size_t open = 0, open_at = last;
  for (std::size_t k = first; k < last; ++k) {
    if (std::isfinite(least_side(k))) {
      sum.add(sign * rows.numbers[k] * least_side(k));
    } else {
      ++open;
      open_at = k;
    }
  }
  if (open > 1) return false;
  bool changed = false;
  const Number all = sum.number();
  for (std::size_t k = first; k < last; ++k) {
    if (open == 1 && k != open_at) continue;
    const Real factor = sign * rows.numbers[k];
    Real& side = factor > 0 ? region.most[rows.columns[k]] : region.least[rows.columns[k]];
    if (std::isfinite(side)) continue;
    const Real own = open == 1 ? 0 : factor * least_side(k);
    const Real found = (value - (all.value - own)) / factor;
    const Real off = 4 * kRounding * (std::abs(value) + all.magnitude) / std::abs(factor);
    if (!std::isfinite(found)) continue;
    side = factor > 0 ? found + off : found - off;
    changed = true;
  }
  return changed;
}

/// In the order of the rows, a few times over.
void add_implied_sides(Region& region) {
  constexpr int kSweeps = 8;
  region.least = region.lower;
  region.most = region.upper;
  bool changed = true;
  for (int sweep = 0; sweep < kSweeps && changed; ++sweep) {
    changed = false;
    for (std::size_t i = 0; i < region.matrix.count(); ++i) {
      if (region.row_upper[i] < kRealInfinity) changed |= spread(region, i, 1, region.row_upper[i]);
      if (region.row_lower[i] > -kRealInfinity) changed |= spread(region, i, -1, -region.row_lower[i]);
    }
  }
}

/// Takes over one kind of set; a kind without an overload does not compile.
class RegionMaker {
 public:
  RegionMaker(std::span<const Real> start, Region& region) : start_(start), n_(start.size()), region_(region) {}

  void operator()(const data::Ball& set) {
    region_.kind = RegionKind::ball;
    region_.radius = set.radius;
    region_.center = numbers(set.center, n_, 0, "center");
  }
  void operator()(const data::Box& set) {
    region_.kind = RegionKind::box;
    region_.lower = numbers(set.lower, n_, -kRealInfinity, "lower");
    region_.upper = numbers(set.upper, n_, kRealInfinity, "upper");
    take_told_radius(set.radius);
  }
  void operator()(const data::Orthant& set) {
    region_.kind = RegionKind::box;
    region_.lower.assign(n_, 0);
    region_.upper.assign(n_, kRealInfinity);
    take_told_radius(set.radius);
  }
  void operator()(const data::Polyhedron& set) {
    region_.kind = RegionKind::polyhedron;
    const auto m = static_cast<std::size_t>(set.matrix.rows());
    if (static_cast<std::size_t>(set.matrix.cols()) != n_)
      throw std::invalid_argument(
          fmt::format("polyhedron: expected a matrix with {} columns, found {}", n_, set.matrix.cols()));
    set.matrix.read([this](const auto& view) { take_rows(view); });
    region_.row_lower = numbers(set.row_lower, m, -kRealInfinity, "lower");
    region_.row_upper = numbers(set.row_upper, m, kRealInfinity, "upper");
    region_.lower = numbers(set.lower, n_, -kRealInfinity, "lower of the box");
    region_.upper = numbers(set.upper, n_, kRealInfinity, "upper of the box");
    add_implied_sides(region_);
    const auto finite = [](Real side) { return std::isfinite(side); };
    const bool open = !std::all_of(region_.least.begin(), region_.least.end(), finite) ||
                      !std::all_of(region_.most.begin(), region_.most.end(), finite);
    if (open) take_told_radius(set.radius);
  }
  void operator()(const data::CappedSimplex& set) {
    region_.kind = RegionKind::capped_simplex;
    region_.total = set.total;
    region_.lower.assign(n_, 0);
    region_.upper.assign(n_, set.cap);
  }
  void operator()(const data::Simplex& set) {
    region_.kind = RegionKind::simplex;
    region_.total = set.total;
  }
  void operator()(const data::L1Ball& set) {
    region_.kind = RegionKind::l1_ball;
    region_.radius = set.radius;
    region_.center = numbers(set.center, n_, 0, "center");
  }
  void operator()(const data::NonnegativeBall& set) {
    region_.kind = RegionKind::nonnegative_ball;
    region_.radius = set.radius;
  }
  void operator()(const data::Halfspace& set) {
    region_.kind = RegionKind::halfspace;
    if (set.radius) region_.radius = *set.radius;
    region_.coefficients = numbers(set.coefficients, n_, 0, "coefficients");
    region_.value = set.value;
  }
  void operator()(const data::Affine& set) {
    region_.kind = RegionKind::affine;
    if (set.radius) region_.radius = *set.radius;
    if (static_cast<std::size_t>(set.matrix.cols()) != n_ || set.matrix.rows() != set.values.size()) {
      throw std::invalid_argument(
          fmt::format("affine: expected a matrix with {} columns and a value per row, found {} x {} and {} values",
                      n_, set.matrix.rows(), set.matrix.cols(), set.values.size()));
    }
    for (Index i = 0; i < set.matrix.rows(); ++i) {
      RealVector row(n_);
      for (std::size_t j = 0; j < n_; ++j) row[j] = set.matrix(i, static_cast<Index>(j));
      region_.rows.push_back(std::move(row));
      region_.values.push_back(set.values[i]);
    }
  }
  void operator()(const data::Intersection& set) {
    region_.kind = RegionKind::intersection;
    for (const data::Set& part : set.sets) {
      Region made = make_region(part, start_);
      if (made.kind == RegionKind::intersection) {
        for (Region& member : made.parts) region_.parts.push_back(std::move(member));
      } else {
        region_.parts.push_back(std::move(made));
      }
    }
    if (region_.parts.empty()) throw std::invalid_argument("intersection: expected at least one set, found none");
    bound_parts();
  }
  void operator()(const data::Product& set) {
    region_.kind = RegionKind::product;
    std::size_t offset = 0;
    for (const data::Set& part : set.sets) {
      const auto size = static_cast<std::size_t>(part.dimension);
      if (offset + size > n_) break;
      region_.parts.push_back(make_region(part, start_.subspan(offset, size)));
      offset += size;
    }
    if (region_.parts.size() != set.sets.size() || region_.parts.empty() || offset != n_) {
      throw std::invalid_argument(fmt::format("product: expected sets whose dimensions make up {}", n_));
    }
  }
  void operator()(const data::WholeSpace& set) {
    region_.kind = RegionKind::whole_space;
    if (set.radius) region_.radius = *set.radius;
    region_.center.assign(start_.begin(), start_.end());
  }

 private:
  /// Open parts are looked at in the ball that the others prove, or else in one that is told.
  void bound_parts() {
    Real least = kRealInfinity, told = kRealInfinity;
    for (const Region& part : region_.parts) {
      Real& known = rests_on_told_radius(part) ? told : least;
      known = std::min(known, reach(part));
    }
    const bool proved = least < kRealInfinity;
    for (Region& part : region_.parts) {
      part.known_reach = proved ? least : told;
      if (!proved || !part.told_radius) continue;
      part.told_radius = false;
      part.radius = kRealInfinity;
    }
  }
  void take_told_radius(const std::optional<double>& radius) {
    region_.told_radius = radius.has_value();
    if (radius) region_.radius = *radius;
  }
  void take_rows(const DenseView& matrix) {
    for (Index i = 0; i < matrix.rows; ++i) {
      for (Index j = 0; j < matrix.cols; ++j) take_number(j, matrix(i, j));
      region_.matrix.starts.push_back(region_.matrix.numbers.size());
    }
  }
  void take_rows(const CsrView& matrix) {
    for (Index i = 0; i < matrix.rows; ++i) {
      for (auto k = matrix.starts[static_cast<std::size_t>(i)]; k < matrix.starts[static_cast<std::size_t>(i) + 1];
           ++k)
        take_number(matrix.columns[static_cast<std::size_t>(k)], matrix.values[static_cast<std::size_t>(k)]);
      region_.matrix.starts.push_back(region_.matrix.numbers.size());
    }
  }
  void take_number(Index column, double number) {
    if (number == 0.0) return;
    region_.matrix.columns.push_back(static_cast<std::size_t>(column));
    region_.matrix.numbers.push_back(number);
  }

  std::span<const Real> start_;
  std::size_t n_;
  Region& region_;
};

}  // namespace

Region make_region(const data::Set& set, std::span<const Real> start) {
  Region region;
  region.dimension = start.size();
  std::visit(RegionMaker(start, region), set.kind);
  return region;
}

}  // namespace fcbio::verify
