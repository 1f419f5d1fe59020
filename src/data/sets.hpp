// The kinds of sets a domain can be, or be made of.
#pragma once

#include <cstdint>
#include <limits>

#include "data/fields.hpp"
#include "data/matrix.hpp"

namespace fcbio::data {

struct Set;

/// |x - center| <= radius
struct Ball {
  double radius = 0.0;
  Vector center;
};

/// lower <= x <= upper; sides may be open (infinite).  With a radius: some solution x has |x| <= radius.
struct Box {
  Vector lower, upper;
  std::optional<double> radius = {};
};

/// x >= 0; the radius as for a box
struct Orthant {
  std::optional<double> radius;
};

/// row_lower <= A x <= row_upper, lower <= x <= upper; sides may be open.  The radius as for a box.
struct Polyhedron {
  Matrix matrix;
  Vector row_lower, row_upper;
  Vector lower, upper;
  std::optional<double> radius = {};
};

/// x >= 0, sum x = total
struct Simplex {
  double total = 1.0;
};

/// 0 <= x <= cap, sum x = total
struct CappedSimplex {
  double total = 1.0;
  double cap = 1.0;
};

/// |x - center|_1 <= radius
struct L1Ball {
  double radius = 0.0;
  Vector center;
};

/// |x| <= radius, x >= 0
struct NonnegativeBall {
  double radius = 0.0;
};

/// c'x <= value, and |x| <= radius where there is one
struct Halfspace {
  Vector coefficients;
  double value = 0.0;
  std::optional<double> radius = {};
};

/// M x = values, and |x| <= radius where there is one
struct Affine {
  RowMajorMatrix matrix;
  Vector values;
  std::optional<double> radius = {};
};

struct Intersection {
  std::vector<Set> sets;
};

struct Product {
  std::vector<Set> sets;
};

/// With a radius: some solution lies within it of the start.
struct WholeSpace {
  std::optional<double> radius;
};

using SetKind = std::variant<Ball, Box, Orthant, Polyhedron, Simplex, CappedSimplex, L1Ball, NonnegativeBall,
                             Halfspace, Affine, Intersection, Product, WholeSpace>;

struct Set {
  SetKind kind = WholeSpace{};
  Index dimension = 0;
  std::int64_t line = 0;  ///< of its table in the problem file; 0: made in memory
};

inline std::string_view name_of(const Set& set) { return name_of(set.kind); }

namespace detail {

struct CentredBallDescriptor {
  static constexpr std::tuple fields{RadiusField{}, VectorField{.key = "center", .words = "centre"}};
  template <class K>
  static auto members(K& kind) {
    auto& [radius, center] = kind;
    return std::tie(radius, center);
  }
};

struct RadiusDescriptor {
  static constexpr std::tuple fields{RadiusField{}};
  template <class K>
  static auto members(K& kind) {
    auto& [radius] = kind;
    return std::tie(radius);
  }
};

struct CompoundDescriptor {
  static constexpr std::tuple fields{MembersField{}};
  template <class K>
  static auto members(K& kind) {
    auto& [sets] = kind;
    return std::tie(sets);
  }
};

}  // namespace detail

template <>
struct Descriptor<Ball> : detail::CentredBallDescriptor {
  static constexpr std::string_view name = "ball";
};

template <>
struct Descriptor<Box> {
  static constexpr std::string_view name = "box";
  static constexpr std::tuple fields{
      VectorField{.key = "lower", .required = true, .may_be_infinite = true, .words = "lower side"},
      VectorField{.key = "upper", .required = true, .may_be_infinite = true, .words = "upper side"},
      RadiusField{}};
  template <class K>
  static auto members(K& kind) {
    auto& [lower, upper, radius] = kind;
    return std::tie(lower, upper, radius);
  }
};

template <>
struct Descriptor<Orthant> : detail::RadiusDescriptor {
  static constexpr std::string_view name = "orthant";
};

template <>
struct Descriptor<Polyhedron> {
  static constexpr std::string_view name = "polyhedron";
  static constexpr double kOpen = std::numeric_limits<double>::infinity();
  static constexpr std::tuple fields{
      RowsField{},
      RowSideField{.key = "lower", .absent = -kOpen},
      RowSideField{.key = "upper", .absent = kOpen},
      VectorField{.key = "lower", .may_be_infinite = true, .inside = "box", .absent = -kOpen},
      VectorField{.key = "upper", .may_be_infinite = true, .inside = "box", .absent = kOpen},
      RadiusField{}};
  template <class K>
  static auto members(K& kind) {
    auto& [matrix, row_lower, row_upper, lower, upper, radius] = kind;
    return std::tie(matrix, row_lower, row_upper, lower, upper, radius);
  }
};

template <>
struct Descriptor<Simplex> {
  static constexpr std::string_view name = "simplex";
  static constexpr std::tuple fields{
      NumberField{.key = "total", .rule = NumberRule::not_negative, .fallback = 1.0, .words = " of total "}};
  template <class K>
  static auto members(K& kind) {
    auto& [total] = kind;
    return std::tie(total);
  }
};

template <>
struct Descriptor<CappedSimplex> {
  static constexpr std::string_view name = "capped-simplex";
  static constexpr std::tuple fields{
      NumberField{.key = "total", .rule = NumberRule::not_negative, .fallback = 1.0, .words = " of total "},
      NumberField{.key = "cap",
                  .rule = NumberRule::not_negative,
                  .meaning = "the most that a coordinate may be",
                  .words = " with cap "}};
  template <class K>
  static auto members(K& kind) {
    auto& [total, cap] = kind;
    return std::tie(total, cap);
  }
};

template <>
struct Descriptor<L1Ball> : detail::CentredBallDescriptor {
  static constexpr std::string_view name = "l1-ball";
};

template <>
struct Descriptor<NonnegativeBall> : detail::RadiusDescriptor {
  static constexpr std::string_view name = "nonnegative-ball";
};

template <>
struct Descriptor<Halfspace> {
  static constexpr std::string_view name = "halfspace";
  static constexpr std::tuple fields{
      VectorField{.key = "coefficients", .required = true},
      NumberField{.key = "value", .meaning = "the right side of c'x <= value", .words = " c'x <= "},
      RadiusField{}};
  template <class K>
  static auto members(K& kind) {
    auto& [coefficients, value, radius] = kind;
    return std::tie(coefficients, value, radius);
  }
};

template <>
struct Descriptor<Affine> {
  static constexpr std::string_view name = "affine";
  static constexpr std::tuple fields{EquationsField{}, ValuesField{}, RadiusField{}};
  template <class K>
  static auto members(K& kind) {
    auto& [matrix, values, radius] = kind;
    return std::tie(matrix, values, radius);
  }
};

template <>
struct Descriptor<Intersection> : detail::CompoundDescriptor {
  static constexpr std::string_view name = "intersection";
};

template <>
struct Descriptor<Product> : detail::CompoundDescriptor {
  static constexpr std::string_view name = "product";
};

template <>
struct Descriptor<WholeSpace> : detail::RadiusDescriptor {
  static constexpr std::string_view name = "whole-space";
};

}  // namespace fcbio::data
