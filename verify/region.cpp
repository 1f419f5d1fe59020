// Regions from the plain data of the problem file.
#include "region.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <string_view>

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
    region_.radius = set.radius;
    region_.coefficients = numbers(set.coefficients, n_, 0, "coefficients");
    region_.value = set.value;
  }
  void operator()(const data::Affine& set) {
    region_.kind = RegionKind::affine;
    region_.radius = set.radius;
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
