// The problem file, PROBLEM.toml: what is read here is the outside contract of the program.
//
//   dimension = n        fixes n and pads sparse data with empty columns; with `intercept` the data is padded to
//   start = VECTOR       n - 1 columns and the ones are the last column
//   shape = [n]          x is a curve, or with [rows, columns] an image: for pictures only
//   [domain]             set = NAME and its keys (problem_file_sets.cpp)
//   [upper] [lower]      function = NAME and its keys (problem_file_terms.cpp); also as arrays of tables
//                        [[upper]] [[lower]], whose terms are summed with their `weight`
//   [accuracy]           upper, lower, upper_relative, lower_relative, tight, absolute,
//                        holder = {alpha, beta, gradient_bound}
//   [limits]             time (seconds), iterations, passes
//   [method]             name and the method's options, kept as text: they are checked where the method is known
//
// VECTOR is a number (for all coordinates), an array of numbers, or the name of a file of n numbers; a `matrix` or
// `data` key takes a file or an array of rows.  Names of files are relative to the problem file.  Integers stand
// for reals.  Every key not known is an error.
#include "io/problem_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

#include "data/input_error.hpp"
#include "fcbio/per_level.hpp"
#include "io/memory.hpp"
#include "io/problem_file_depth.hpp"
#include "io/problem_file_sets.hpp"
#include "io/problem_file_terms.hpp"
#include "io/problem_keys.hpp"
#include "io/problem_text.hpp"
#include "io/regular_file.hpp"
#include "io/shared_rows.hpp"

namespace fcbio::io {
namespace {

toml::table parse(const TextSource& source) {
  refuse_deep_keys(source);
  try {
    return toml::parse(source.text, source.name);
  } catch (const toml::parse_error& error) {
    refuse(source, error.source().begin.line, "TOML", fmt::format("a syntax error: {}", error.description()), {});
  }
}

TableReader subtable(const TableReader& top, std::string_view key) {
  if (!top.node(key)->is_table()) top.refuse_type(key, fmt::format("a table [{}]", key));
  return {*top.node(key)->as_table(), fmt::format("[{}]", key), top.file()};
}

// One reader per term of a level.
std::vector<TableReader> term_tables(const TableReader& top, std::string_view level) {
  const toml::node& node = *top.node(level);
  if (node.is_table()) return {subtable(top, level)};
  if (!node.is_array_of_tables()) {
    if (node.is_array() && node.as_array()->empty())
      top.refuse(level, fmt::format("at least one term in [[{}]]", level), "an empty array");
    top.refuse_type(level, fmt::format("a table [{}] or tables [[{}]]", level, level));
  }
  std::vector<TableReader> tables;
  for (const toml::node& entry : *node.as_array())
    tables.emplace_back(*entry.as_table(), fmt::format("[[{}]] number {}", level, tables.size()), top.file());
  return tables;
}

HolderBound read_holder(const TableReader& accuracy) {
  const toml::node& node = *accuracy.node("holder");
  if (!node.is_table())
    accuracy.refuse_type("holder", "an inline table {alpha = ..., beta = ..., gradient_bound = ...}");
  const TableReader table(*node.as_table(), "`holder` of [accuracy]", accuracy.file());
  table.allow_only({"alpha", "beta", "gradient_bound"});
  const auto positive = [&](std::string_view key) {
    const double number = table.real(key, "a number");
    if (number <= 0.0) table.refuse(key, fmt::format("`{}` > 0 in {}", key, table.place()), number_text(number));
    return number;
  };
  HolderBound holder;
  holder.alpha = table.real("alpha", "a number");
  if (holder.alpha < 1.0)
    table.refuse("alpha", fmt::format("`alpha` >= 1 in {}", table.place()), number_text(holder.alpha));
  holder.beta = positive("beta");
  holder.gradient_bound = positive("gradient_bound");
  return holder;
}

Accuracy read_accuracy(const TableReader& top) {
  Accuracy accuracy;
  if (!top.has("accuracy")) return accuracy;
  const TableReader table = subtable(top, "accuracy");
  table.allow_only({"upper", "lower", "upper_relative", "lower_relative", "tight", "absolute", "holder"});
  const auto positive = [&](std::string_view key, double fallback) {
    const std::optional<double> number = table.real_if(key);
    if (number && *number <= 0.0)
      table.refuse(key, fmt::format("`{}` > 0 in [accuracy]", key), number_text(*number));
    return number.value_or(fallback);
  };
  const auto relative = [&](std::string_view key) {
    const double number = positive(key, 0.0);
    if (number >= 1.0) table.refuse(key, fmt::format("`{}` below 1 in [accuracy]", key), number_text(number));
    return number;
  };
  accuracy.upper_relative = relative("upper_relative");
  accuracy.lower_relative = relative("lower_relative");
  // A relative accuracy takes the place of the default.
  accuracy.upper = positive("upper", accuracy.upper_relative > 0.0 ? 0.0 : accuracy.upper);
  accuracy.lower = positive("lower", accuracy.lower_relative > 0.0 ? 0.0 : accuracy.lower);
  accuracy.tight = table.flag_if("tight").value_or(false);
  accuracy.absolute = table.flag_if("absolute").value_or(false);
  if (table.has("holder")) accuracy.holder = read_holder(table);
  return accuracy;
}

void read_method(const TableReader& top, data::Problem& problem) {
  if (!top.has("method")) return;
  const TableReader table = subtable(top, "method");
  for (const auto& [key, value] : table.table()) {
    const std::string name(key.str());
    if (name == "name") {
      problem.method = table.text("name", "a method");
    } else if (value.is_string()) {
      problem.options[name] = value.as_string()->get();
    } else if (value.is_boolean()) {
      problem.options[name] = value.as_boolean()->get() ? "true" : "false";
    } else if (value.is_integer()) {
      problem.options[name] = fmt::format("{}", value.as_integer()->get());
    } else if (value.is_floating_point()) {
      problem.options[name] = number_text(value.as_floating_point()->get());
    } else {
      table.refuse_type(name, "a number, a string, true or false");
    }
  }
}

data::RunLimits read_limits(const TableReader& top) {
  data::RunLimits limits;
  if (!top.has("limits")) return limits;
  const TableReader table = subtable(top, "limits");
  table.allow_only({"time", "iterations", "passes"});
  const auto count = [&](std::string_view key) -> std::optional<std::int64_t> {
    const std::optional<std::int64_t> number = table.integer_if(key);
    if (number && *number < 1)
      table.refuse(key, fmt::format("`{}` >= 1 in [limits]", key), fmt::format("{}", *number));
    return number;
  };
  limits.seconds = table.real_if("time");
  if (limits.seconds && *limits.seconds <= 0.0)
    table.refuse("time", "`time` > 0 seconds in [limits]", number_text(*limits.seconds));
  limits.iterations = count("iterations");
  limits.passes = count("passes");
  return limits;
}

/// The names of the variables: those of the first data that has some.  Categories must be the same everywhere, or a
/// variable would mean different things; other names may differ, and that is told.
std::vector<std::string> agreed_names(const PerLevel<std::vector<TermSource>>& terms, Index n,
                                      data::Problem& problem) {
  const TermSource* first = nullptr;
  for (const Level level : kLevels)
    for (const TermSource& term : terms[level]) {
      if (term.names.empty() || static_cast<Index>(term.names.size()) != n) continue;
      if (first == nullptr) first = &term;
      if (term.names == first->names) continue;
      const auto place = static_cast<std::size_t>(
          std::mismatch(term.names.begin(), term.names.end(), first->names.begin()).first - term.names.begin());
      const std::string differ =
          fmt::format("variable {} is \"{}\" in {} and \"{}\" in {}", place, first->names[place],
                      first->data_source, term.names[place], term.data_source);
      if (first->encoded || term.encoded)
        throw InputError({problem.file.string(), term.term.line, "the same columns in all terms", differ,
                          "give `columns`, `drop` and `categories` that agree; categories that only one file has "
                          "need the rows of both files in one"});
      problem.notes.push_back(fmt::format("columns are taken by their places, not by their names: {}", differ));
    }
  return first == nullptr ? std::vector<std::string>{} : first->names;
}

/// The units of all data, which must be the same: a variable has one unit.
std::optional<data::Standardization> agreed_units(const PerLevel<std::vector<TermSource>>& terms,
                                                  const std::filesystem::path& file) {
  const TermSource* first = nullptr;
  for (const Level level : kLevels)
    for (const TermSource& term : terms[level]) {
      if (term.data_source.empty()) continue;
      if (first == nullptr) first = &term;
      if (term.units != first->units)
        throw InputError(
            {file.string(), term.term.line, "the same `standardize` or `scale` of all data",
             fmt::format("other means or deviations in {} than in {}", term.data_source, first->data_source),
             "put all rows into one file, choose the same columns, and select with `rows`"});
    }
  return first == nullptr ? std::nullopt : first->units;
}

std::optional<Index> read_dimension(const TableReader& top) {
  const auto dimension = top.integer_if("dimension");
  if (!dimension) return std::nullopt;
  if (*dimension < 1 || *dimension > kLargestDimension)
    top.refuse("dimension", fmt::format("1 <= `dimension` <= {}", kLargestDimension),
               fmt::format("{}", *dimension));
  return static_cast<Index>(*dimension);
}

std::vector<Index> read_shape(const TableReader& top) {
  if (!top.has("shape")) return {};
  const char* expected = "an array of one or two integers >= 1: [n], or [rows, columns]";
  const toml::array* array = top.node("shape")->as_array();
  if (array == nullptr) top.refuse_type("shape", expected);
  std::vector<Index> shape;
  for (const toml::node& entry : *array) {
    const auto number = entry.value_exact<std::int64_t>();
    if (!number) top.refuse("shape", expected, type_in_words(entry) + " in it");
    if (*number < 1 || *number > kLargestDimension) top.refuse("shape", expected, fmt::format("{}", *number));
    shape.push_back(static_cast<Index>(*number));
  }
  if (shape.empty() || shape.size() > 2) top.refuse("shape", expected, fmt::format("{} of them", shape.size()));
  return shape;
}

/// Before vectors of that length are made.
void check_memory(Index n, const std::filesystem::path& file) {
  constexpr std::uint64_t kLeastVectors = 8;  // no method does with fewer
  const std::uint64_t most = physical_memory() / (sizeof(double) * kLeastVectors);
  if (static_cast<std::uint64_t>(n) > most)
    throw InputError({file.string(), 0, fmt::format("at most {} variables, for which there is memory", most),
                      fmt::format("{}", n), "check the dimension, or use a machine with more memory"});
}

/// Whether a term looks at rows that are not its own: it is no sum over them, or its keys choose or change some.
bool needs_all_rows(const TableReader& table) {
  const std::vector<std::string> taken = {"function",    "data",  "target", "average", "weight",
                                          "lower_bound", "delta", "tau",    "maximize"};
  const auto is_taken = [&taken](const auto& entry) {
    return std::find(taken.begin(), taken.end(), entry.first.str()) != taken.end();
  };
  const toml::node* const function = table.node("function");
  const toml::node* const target = table.node("target");
  const auto kind = function != nullptr && function->is_string()
                        ? data::kind_called(function->as_string()->get(), std::type_identity<data::FunctionKind>{})
                        : std::nullopt;
  const std::vector<std::string> known = kind ? keys_of(*kind) : std::vector<std::string>{};
  return std::find(known.begin(), known.end(), "sample_weights") == known.end() ||
         (target != nullptr && target->value_or(std::string_view()) != "labels") ||
         !std::all_of(table.table().begin(), table.table().end(), is_taken);
}

void check_outline(const TableReader& top) {
  if (top.table().empty())
    throw InputError({top.file().string(), 0, "the tables [domain], [upper] and [lower]", "an empty file", {}});
  top.allow_only({"domain", "upper", "lower", "accuracy", "limits", "method", "dimension", "start", "shape"});
  for (const char* key : {"domain", "upper", "lower"}) {
    if (top.has(key)) continue;
    throw InputError({top.file().string(), 0, fmt::format("a table [{}]", key), "none",
                      key == std::string_view("domain") ? "add [domain] with `set = ...`"
                                                        : fmt::format("add [{}] with `function = ...`", key)});
  }
}

}  // namespace

data::Problem read_problem(const std::filesystem::path& file, const ReadProgress& progress,
                           parallel::Communicator& ranks) {
  std::string text;
  parallel::together(ranks, [&] {
    text = read_regular_file(
        file, {"a readable problem file", "check the name and the permissions", "give the PROBLEM.toml inside it",
               kLargestText, "put the data into files of their own"});
  });
  require_same_bytes(file.string(), text, ranks);
  return parse_problem({text, file.string()}, progress, ranks);
}

data::Problem parse_problem(const TextSource& source, const ReadProgress& progress,
                            parallel::Communicator& ranks) {
  const std::filesystem::path file = source.name;
  const toml::table document = parse(source);
  const TableReader top(document, "the problem file", file);
  check_outline(top);

  data::Problem problem;
  problem.file = file;
  problem.accuracy = read_accuracy(top);
  problem.limits = read_limits(top);
  read_method(top, problem);
  const std::optional<Index> fixed = read_dimension(top);
  problem.shape = read_shape(top);

  // What can be refused without reading large files comes first.
  SetSource domain = read_set(subtable(top, "domain"));
  const std::optional<VectorValue> start = top.vector_if("start");

  DataStore store(progress, ranks);
  const PerLevel<std::vector<TableReader>> tables{term_tables(top, "upper"), term_tables(top, "lower")};
  for (const Level level : kLevels) {
    for (const TableReader& table : tables[level]) {
      if (table.has("data") && table.node("data")->is_string())
        store.announce(table.path_of(table.node("data")->as_string()->get()), needs_all_rows(table));
    }
  }
  DimensionClaims claims;
  PerLevel<std::vector<TermSource>> terms;
  for (const Level level : kLevels) {
    for (const TableReader& table : tables[level]) {
      terms[level].push_back(read_term(table, store));
      const TermSource& term = terms[level].back();
      claims.insert(claims.end(), term.claims.begin(), term.claims.end());
      for (const std::string& note : term.notes) {
        if (std::find(problem.notes.begin(), problem.notes.end(), note) == problem.notes.end())
          problem.notes.push_back(note);
      }
    }
  }
  claims.insert(claims.end(), domain.claims.begin(), domain.claims.end());
  if (start && start->size()) claims.push_back({*start->size(), "`start`", start->line, false});
  if (!problem.shape.empty())
    claims.push_back({std::accumulate(problem.shape.begin(), problem.shape.end(), Index{1}, std::multiplies<>()),
                      "`shape`", top.line_of("shape"), false});

  const Index n = agreed_dimension(claims, fixed, "the problem", file, 0);
  check_memory(n, file);
  problem.dimension = n;
  problem.domain = finish_set(std::move(domain), n, file);
  problem.names = agreed_names(terms, n, problem);
  problem.units = agreed_units(terms, file);
  if (problem.units)
    problem.notes.emplace_back(
        "data columns are scaled: x, norms and sets are in these units; --solution FILE.csv tells both");
  for (const Level level : kLevels) {
    problem.maximized[level] = std::all_of(terms[level].begin(), terms[level].end(),
                                           [](const TermSource& term) { return term.maximize; });
    for (TermSource& term : terms[level])
      (level == Level::upper ? problem.upper : problem.lower)
          .push_back(finish_term(std::move(term), n, problem.names, file));
  }
  if (start) problem.start = start->expanded(n);
  return problem;
}

}  // namespace fcbio::io
