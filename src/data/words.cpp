// Functions and sets in words.
#include <fmt/format.h>

#include "data/problem.hpp"

namespace fcbio::data {
namespace {

std::string matrix_words(const Matrix& data) {
  const std::string shape = fmt::format("{} x {}", data.rows(), data.cols());
  if (!data.has_numbers()) return shape + ", linear operator";
  if (!data.is_sparse()) return shape + ", dense";
  const auto numbers = data.read([]<class View>(const View& view) -> Index {
    if constexpr (std::is_same_v<View, CsrView>) return view.nonzeros();
    return 0;
  });
  return fmt::format("{}, sparse with {} numbers", shape, numbers);
}

/// Empty for what the absence of the vector would say too.
std::string vector_words(const VectorField& field, const Vector& vector) {
  if (is_absent(vector, field.absent)) return "";
  if ((vector.array() == vector[0]).all()) return fmt::format("{} {:g}", field.words, vector[0]);
  return fmt::format("{} given", field.words);
}

std::string side_words(const Vector& bounds) {
  if (bounds.size() == 0) return "none";
  if ((bounds.array() == bounds[0]).all()) return fmt::format("{:g}", bounds[0]);
  return "given per coordinate";
}

/// What stands in parentheses after the name of a function.
struct TermWords {
  std::string inside;
  void add(const std::string& part) {
    if (!part.empty()) inside += (inside.empty() ? "" : "; ") + part;
  }
  void operator()(const DataField&, const Matrix& data) { add(matrix_words(data)); }
  void operator()(const SquareMatrixField&, const Matrix& data) { add(matrix_words(data)); }
  void operator()(const TargetField&, const Vector&) {}
  void operator()(const AverageField&, const bool& average) { add(average ? "mean over rows" : ""); }
  void operator()(const SampleWeightsField&, const Vector& weights) {
    add(weights.size() > 0 ? "rows weighted" : "");
  }
  void operator()(const VectorField& field, const Vector& vector) { add(vector_words(field, vector)); }
  void operator()(const NumberField& field, const double& number) {
    if (!field.words.empty()) add(fmt::format("{}{:g}", field.words, number));
  }
};

std::string term_words(const Term& term) {
  TermWords words;
  std::visit([&words](const auto& kind) { for_each_field(kind, words); }, term.kind);
  if (term.lower_bound) words.add(fmt::format("told to be at least {:g}", *term.lower_bound));
  const std::string name =
      term.weight == 1.0 ? std::string(name_of(term)) : fmt::format("{:g} * {}", term.weight, name_of(term));
  return words.inside.empty() ? name : name + " (" + words.inside + ")";
}

struct SetWords {
  std::string words;
  void operator()(const RadiusField&, const std::optional<double>& radius) {
    if (radius) words += fmt::format(" of radius {:g}", *radius);
  }
  void operator()(const VectorField& field, const Vector& vector) {
    if (field.words.empty()) return;
    const std::string said = field.may_be_infinite ? fmt::format("{} {}", field.words, side_words(vector))
                                                   : vector_words(field, vector);
    if (!said.empty()) words += ", " + said;
  }
  void operator()(const NumberField& field, const double& number) {
    words += fmt::format("{}{:g}", field.words, number);
  }
  void operator()(const EquationsField&, const RowMajorMatrix& matrix) {
    words += fmt::format(" ({} equations)", matrix.rows());
  }
  void operator()(const ValuesField&, const Vector&) {}
  void operator()(const RowsField&, const Matrix& matrix) { words += fmt::format(" ({})", matrix_words(matrix)); }
  void operator()(const RowSideField&, const Vector&) {}
  void operator()(const MembersField&, const std::vector<Set>& sets) {
    for (std::size_t i = 0; i < sets.size(); ++i)
      words += fmt::format("{}({})", i == 0 ? " of " : " and ", in_words(sets[i]));
  }
};

}  // namespace

std::string in_words(const std::vector<Term>& terms) {
  std::string words;
  for (const Term& term : terms) words += (words.empty() ? "" : " + ") + term_words(term);
  return words;
}

std::string in_words(const Set& set) {
  SetWords words{std::string(name_of(set))};
  std::visit([&words](const auto& kind) { for_each_field(kind, words); }, set.kind);
  return words.words;
}

}  // namespace fcbio::data
