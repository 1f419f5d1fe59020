#include "io/problem_keys.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fcbio::io {
namespace {

std::string rule_in_words(data::NumberRule rule) {
  switch (rule) {
    case data::NumberRule::any:
      return "a number";
    case data::NumberRule::not_negative:
      return "a number >= 0";
    case data::NumberRule::positive:
      return "a number > 0";
    case data::NumberRule::open_unit_interval:
      return "a number between 0 and 1";
  }
  return {};
}

/// One overload per sort of field, as for the reader: a sort without one does not compile.
struct KeyTeller {
  std::vector<KeyInfo> keys;

  void add(std::string_view name, std::string takes, std::string fallback, std::string meaning) {
    const auto same = [&](const KeyInfo& key) { return key.name == name; };
    if (std::none_of(keys.begin(), keys.end(), same))
      keys.push_back({std::string(name), std::move(takes), std::move(fallback), std::move(meaning)});
  }

  void operator()(const data::DataField&, const data::Matrix&) {
    add("data", "a file or an array of rows", "",
        "the rows a_i: .csv, .tsv, .svm, .npy, .mtx, also .gz, .xz, .zst");
    add("columns", "an array of columns", "all", "the features, by name or number, in this order (CSV, NPY)");
    add("drop", "an array of columns", "none", "the columns that are no features, instead of `columns`");
    add("categories", "an array of columns or \"auto\"", "none",
        "columns of which each value becomes a column of 0 and 1; auto: those with texts");
    add("missing", "\"error\", \"drop-rows\" or \"mean\"", "\"error\"",
        "what to do where a value is missing: an empty field, NA, NaN, null or ?");
    add("standardize", "true or false", "false",
        "take its mean off each column and divide by its standard deviation; needs `intercept = true`");
    add("scale", "true or false", "false", "divide each column by its standard deviation");
    add("rows", "\"a:b\"", "all", "which rows, from 0, b not included; after `shuffle`");
    add("shuffle", "a seed", "no", "permute the rows, the same way for ever");
    add("covariance_with", "a column", "no",
        "one row instead of all: the covariances of the columns with this one");
    add("intercept", "true or false", "false", "append a column of ones, the variable `intercept`");
  }
  void operator()(const data::TargetField& field, const Vector&) {
    add("target", "a column, \"labels\", a file, an array or {constant = NUMBER}",
        field.zero_if_absent ? "0" : "the labels of the data",
        field.classes ? "the classes b_i: -1/+1, 0/1, 1/2 or two texts" : "the numbers b_i");
  }
  void operator()(const data::SampleWeightsField&, const Vector&) {
    add("sample_weights", "a column, a file or an array", "1",
        "numbers >= 0 that multiply the summands of the rows");
  }
  void operator()(const data::AverageField&, const bool&) {
    add("average", "true or false", "false", "divide by the number of rows");
  }
  void operator()(const data::SquareMatrixField&, const data::Matrix&) {
    add("matrix", "a file or an array of rows", "", "Q, symmetric and positive semidefinite");
  }
  void operator()(const data::NumberField& field, const double&) {
    add(field.key, rule_in_words(field.rule), field.fallback ? fmt::format("{:g}", *field.fallback) : "",
        std::string(field.meaning));
  }
  void operator()(const data::VectorField& field, const Vector&) {
    const std::string_view name = field.inside.empty() ? field.key : field.inside;
    add(name, field.inside.empty() ? "a number, an array or a file of numbers" : "{lower = ..., upper = ...}",
        field.required         ? ""
        : field.inside.empty() ? fmt::format("{:g}", field.absent)
                               : "open",
        !field.inside.empty() ? "bounds of the variables; numbers, arrays or files"
        : field.rule == data::NumberRule::not_negative
            ? "numbers >= 0, one per variable; also {NAME = NUMBER, ...}, others 1"
            : "one number per variable, or one for all");
  }
  void operator()(const data::RowsField&, const data::Matrix&) {
    add("matrix", "a file or an array of rows", "", "A");
  }
  void operator()(const data::RowSideField& field, const Vector&) {
    add(field.key, "a number, an array or a file of numbers", "open", "a side of Ax; -inf and inf are open");
  }
  void operator()(const data::EquationsField&, const RowMajorMatrix&) {
    add("matrix", "a file or an array of rows", "", "M");
  }
  void operator()(const data::ValuesField&, const Vector&) {
    add("values", "a number, an array or a file of numbers", "", "the right side of Mx = values");
  }
  void operator()(const data::RadiusField&, const double&) {
    add("radius", "a number >= 0", "", "how far the set reaches");
  }
  void operator()(const data::RadiusField&, const std::optional<double>&) {
    add("radius", "a number >= 0", "none", "your word that a solution lies within this distance");
  }
  void operator()(const data::MembersField&, const std::vector<data::Set>&) {
    add("sets", "an array of tables", "", "the members, each with its `set` and keys");
  }
};

// One per kind: a kind without one does not compile.
constexpr std::string_view meaning(std::type_identity<data::LeastSquares>) { return "1/2 sum (a_i'x - b_i)^2"; }
constexpr std::string_view meaning(std::type_identity<data::Logistic>) { return "sum log(1 + exp(-b_i a_i'x))"; }
constexpr std::string_view meaning(std::type_identity<data::Huber>) {
  return "sum of r^2/2 up to |r| = delta, then delta |r| - delta^2/2; r = a_i'x - b_i";
}
constexpr std::string_view meaning(std::type_identity<data::Absolute>) { return "sum |a_i'x - b_i|"; }
constexpr std::string_view meaning(std::type_identity<data::Quantile>) {
  return "sum max(tau r, (tau - 1) r), r = b_i - a_i'x";
}
constexpr std::string_view meaning(std::type_identity<data::Hinge>) { return "sum max(0, 1 - b_i a_i'x)"; }
constexpr std::string_view meaning(std::type_identity<data::SquaredHinge>) {
  return "1/2 sum max(0, 1 - b_i a_i'x)^2";
}
constexpr std::string_view meaning(std::type_identity<data::SquaredNorm>) {
  return "1/2 sum weights_j (x_j - center_j)^2";
}
constexpr std::string_view meaning(std::type_identity<data::L1Norm>) { return "sum weights_j |x_j - center_j|"; }
constexpr std::string_view meaning(std::type_identity<data::Linear>) { return "c'x"; }
constexpr std::string_view meaning(std::type_identity<data::Quadratic>) { return "1/2 x'Qx + c'x + constant"; }
constexpr std::string_view meaning(std::type_identity<data::MaxAffine>) { return "max over rows of a_i'x + b_i"; }
constexpr std::string_view meaning(std::type_identity<data::LogSumExp>) { return "log sum exp(a_i'x + b_i)"; }

constexpr std::string_view meaning(std::type_identity<data::Ball>) { return "|x - center| <= radius"; }
constexpr std::string_view meaning(std::type_identity<data::Box>) { return "lower <= x <= upper"; }
constexpr std::string_view meaning(std::type_identity<data::Orthant>) { return "x >= 0"; }
constexpr std::string_view meaning(std::type_identity<data::Polyhedron>) {
  return "lower <= Ax <= upper, and the sides of `box`";
}
constexpr std::string_view meaning(std::type_identity<data::Simplex>) { return "x >= 0, sum x = total"; }
constexpr std::string_view meaning(std::type_identity<data::CappedSimplex>) {
  return "0 <= x <= cap, sum x = total";
}
constexpr std::string_view meaning(std::type_identity<data::L1Ball>) { return "sum |x_j - center_j| <= radius"; }
constexpr std::string_view meaning(std::type_identity<data::NonnegativeBall>) { return "x >= 0, |x| <= radius"; }
constexpr std::string_view meaning(std::type_identity<data::Halfspace>) { return "c'x <= value, |x| <= radius"; }
constexpr std::string_view meaning(std::type_identity<data::Affine>) { return "Mx = values, |x| <= radius"; }
constexpr std::string_view meaning(std::type_identity<data::Intersection>) {
  return "the points that all members have";
}
constexpr std::string_view meaning(std::type_identity<data::Product>) {
  return "x in pieces, one in each member, which tells its `dimension`";
}
constexpr std::string_view meaning(std::type_identity<data::WholeSpace>) { return "every x"; }

template <class Kind>
std::vector<KeyInfo> field_keys(const Kind& kind) {
  KeyTeller teller;
  data::for_each_field(kind, teller);
  return std::move(teller.keys);
}

const std::vector<KeyInfo>& keys_of_all_functions() {
  static const std::vector<KeyInfo> keys = {
      {"weight", "a number >= 0", "1", "multiplies the function"},
      {"lower_bound", "a number", "none", "of the function without its weight, told by you: proofs rely on it"},
      {"maximize", "true or false", "false", "maximise: a linear function, or one with `weight` <= 0"}};
  return keys;
}
const KeyInfo& dimension_key() {
  static const KeyInfo key{"dimension", "an integer", "from elsewhere", "the number of variables of the set"};
  return key;
}

template <class... Kinds, class Common>
std::vector<KindInfo> kinds_of(std::type_identity<std::variant<Kinds...>>, const Common& add_common) {
  std::vector<KindInfo> kinds;
  const auto add = [&]<class Kind>(std::type_identity<Kind> type) {
    KindInfo info{std::string(data::Descriptor<Kind>::name), std::string(meaning(type)), field_keys(Kind{})};
    add_common(info.keys);
    kinds.push_back(std::move(info));
  };
  (add(std::type_identity<Kinds>{}), ...);
  return kinds;
}

std::vector<std::string> names_of_keys(std::string first, const std::vector<KeyInfo>& keys) {
  std::vector<std::string> names = {std::move(first)};
  for (const KeyInfo& key : keys) names.push_back(key.name);
  return names;
}

}  // namespace

std::vector<KindInfo> function_kinds() {
  return kinds_of(std::type_identity<data::FunctionKind>{}, [](std::vector<KeyInfo>& keys) {
    keys.insert(keys.end(), keys_of_all_functions().begin(), keys_of_all_functions().end());
  });
}

std::vector<KindInfo> set_kinds() {
  return kinds_of(std::type_identity<data::SetKind>{},
                  [](std::vector<KeyInfo>& keys) { keys.push_back(dimension_key()); });
}

std::vector<std::string> keys_of(const data::FunctionKind& kind) {
  std::vector<KeyInfo> keys = std::visit([](const auto& fields) { return field_keys(fields); }, kind);
  keys.insert(keys.end(), keys_of_all_functions().begin(), keys_of_all_functions().end());
  return names_of_keys("function", keys);
}

std::vector<std::string> keys_of(const data::SetKind& kind) {
  std::vector<KeyInfo> keys = std::visit([](const auto& fields) { return field_keys(fields); }, kind);
  keys.push_back(dimension_key());
  return names_of_keys("set", keys);
}

}  // namespace fcbio::io
