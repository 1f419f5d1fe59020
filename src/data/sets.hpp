// The kinds of sets a domain can be, or be made of.
#pragma once

#include <cstdint>

#include "data/fields.hpp"
#include "data/matrix.hpp"

namespace fcbio::data {

struct Set;

/// |x - center| <= radius
struct Ball {
  double radius = 0.0;
  Vector center;
};

/// lower <= x <= upper; sides may be open (infinite)
struct Box {
  Vector lower, upper;
};

/// x >= 0, sum x = total
struct Simplex {
  double total = 1.0;
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

/// c'x <= value, |x| <= radius
struct Halfspace {
  Vector coefficients;
  double value = 0.0;
  double radius = 0.0;
};

/// M x = values, |x| <= radius
struct Affine {
  RowMajorMatrix matrix;
  Vector values;
  double radius = 0.0;
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

using SetKind = std::variant<Ball, Box, Simplex, L1Ball, NonnegativeBall, Halfspace, Affine, Intersection, Product,
                             WholeSpace>;

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
      VectorField{.key = "upper", .required = true, .may_be_infinite = true, .words = "upper side"}};
  template <class K>
  static auto members(K& kind) {
    auto& [lower, upper] = kind;
    return std::tie(lower, upper);
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
