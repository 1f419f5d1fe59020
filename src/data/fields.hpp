// What the fields of a kind of function or set are, told once.  A kind is a plain struct; its Descriptor names it
// and says of each field what sort of thing it is:
//
//   template <>
//   struct Descriptor<Huber> {
//     static constexpr std::string_view name = "huber";
//     static constexpr std::tuple fields{DataField{}, TargetField{}, AverageField{}, NumberField{...}};
//     template <class K>
//     static auto members(K& kind) {
//       auto& [data, target, average, delta] = kind;
//       return std::tie(data, target, average, delta);
//     }
//   };
//
// Reading, writing, hashing and describing go over the fields (for_each_field) with one overload per sort of
// field, so that no kind can be forgotten in one of them: a kind without a descriptor, a field that its descriptor
// does not list (the structured binding then has too few names), or a sort of field that the reader, the writer,
// the hash or the words do not know, does not compile.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "fcbio/types.hpp"

namespace fcbio::data {

/// Matrix: the rows of data that a function is a sum over; key `data`.
struct DataField {};

/// Vector: one number per row of the data; key `target`, and the keys that select rows.
struct TargetField {
  bool classes = false;         ///< -1 / +1
  bool zero_if_absent = false;  ///< else it must be given, or come with the data
};

/// bool: divide by the number of rows; key `average`.
struct AverageField {};

/// Vector: one number >= 0 per row, by which its summand is multiplied; empty: all are 1; key `sample_weights`.
struct SampleWeightsField {};

/// What a number must be.
enum class NumberRule { any, not_negative, positive, open_unit_interval };

/// double
struct NumberField {
  std::string_view key;
  NumberRule rule = NumberRule::any;
  std::optional<double> fallback = {};  ///< where it is absent; none: it must be given
  std::string_view meaning = {};        ///< of a number that must be given, for messages
  std::string_view words = {};          ///< in a description, before the number; empty: not told
};

/// Vector of n numbers.
struct VectorField {
  std::string_view key;
  bool required = false;
  bool may_be_infinite = false;
  std::string_view words = {};   ///< in a description; empty: not told
  std::string_view inside = {};  ///< the inline table that the key stands in; empty: that of the set or function
  double absent = 0.0;           ///< every number, where the key is absent or the vector empty
  NumberRule rule = NumberRule::any;
};

/// Whether the vector is empty or all its numbers are `absent`: it says nothing that its absence would not say.
bool is_absent(const Vector& vector, double absent);

/// Matrix with n rows and columns; key `matrix`.
struct SquareMatrixField {};

/// RowMajorMatrix and Vector of the equations M x = values; keys `matrix`, `values`.
struct EquationsField {};
struct ValuesField {};

/// Matrix of the rows that a polyhedron bounds; key `matrix`.
struct RowsField {};

/// Vector of one number per such row, which may be infinite; absent: all of them are `absent`.
struct RowSideField {
  std::string_view key;
  double absent;
};

/// double, or std::optional<double> where it may be absent; key `radius`.
struct RadiusField {};

/// std::vector<Set>; key `sets`.
struct MembersField {};

template <class Kind>
struct Descriptor;

/// visit(field, member) for each field of `kind`, in the order of its descriptor.
template <class Kind, class Visit>
void for_each_field(Kind& kind, Visit&& visit) {
  using Told = Descriptor<std::remove_const_t<Kind>>;
  auto members = Told::members(kind);
  constexpr std::size_t count = std::tuple_size_v<decltype(members)>;
  static_assert(count == std::tuple_size_v<std::remove_const_t<decltype(Told::fields)>>,
                "a descriptor lists each field of its kind once");
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    (visit(std::get<i>(Told::fields), std::get<i>(members)), ...);
  }
  (std::make_index_sequence<count>{});
}

/// Name of the kind that a variant of kinds holds.
template <class... Kinds>
std::string_view name_of(const std::variant<Kinds...>& kind) {
  return std::visit([]<class Kind>(const Kind&) { return Descriptor<Kind>::name; }, kind);
}

/// Names of all kinds of a variant, in its order, which is that of the documentation.
template <class... Kinds>
std::vector<std::string> names_of(std::type_identity<std::variant<Kinds...>>) {
  return {std::string(Descriptor<Kinds>::name)...};
}

/// The kind of this name with nothing filled in; empty: no kind is called so.
template <class... Kinds>
std::optional<std::variant<Kinds...>> kind_called(std::string_view name,
                                                  std::type_identity<std::variant<Kinds...>>) {
  std::optional<std::variant<Kinds...>> found;
  const auto try_kind = [&]<class Kind>(std::type_identity<Kind>) {
    if (Descriptor<Kind>::name == name) found.emplace(Kind{});
  };
  (try_kind(std::type_identity<Kinds>{}), ...);
  return found;
}

}  // namespace fcbio::data
