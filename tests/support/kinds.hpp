// Kinds of functions and sets that tests treat alike.
#pragma once

#include "data/functions.hpp"
#include "data/sets.hpp"

namespace fcbio::test {

/// Of rows of data and one target per row.
template <class Kind>
concept OfRows = requires(Kind kind) {
  kind.data;
  kind.target;
};

/// A sum over the rows, or its mean.
template <class Kind>
concept RowSum = OfRows<Kind> && requires(Kind kind) {
  kind.average;
};

/// Targets are -1 / +1.
template <class Kind>
concept Classifier = RowSum<Kind> && std::get<data::TargetField>(data::Descriptor<Kind>::fields)
.classes;

template <class Kind>
concept Centred = requires(Kind kind) {
  kind.center;
};

template <class Kind>
concept Compound = requires(Kind kind) {
  kind.sets;
};

/// The function of this name with nothing filled in.
inline data::FunctionKind function_called(std::string_view name) {
  return data::kind_called(name, std::type_identity<data::FunctionKind>{}).value();
}

/// The set of this name with nothing filled in.
inline data::SetKind set_called(std::string_view name) {
  return data::kind_called(name, std::type_identity<data::SetKind>{}).value();
}

/// Target of a term that has one; empty otherwise.
inline Vector target_of(const data::Term& term) {
  return std::visit(
      []<class Kind>(const Kind& kind) -> Vector {
        if constexpr (OfRows<Kind>) return kind.target;
        return {};
      },
      term.kind);
}

}  // namespace fcbio::test
