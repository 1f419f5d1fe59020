// Short names for the pieces of a problem; see builders.hpp.
#include "catalogue/builders.hpp"

namespace fcbio::catalogue {
namespace {

Entry described(EntryText text, bool seeded) {
  Entry entry;
  entry.name = std::move(text.name);
  entry.summary = std::move(text.summary);
  entry.answer = std::move(text.answer);
  entry.id = std::move(text.id);
  entry.size = std::move(text.size);
  entry.seeded = seeded;
  return entry;
}

}  // namespace

Entry seeded_entry(EntryText text, Parameters defaults, ParameterTable table,
                   Instance (*make)(const Parameters&, Random&)) {
  Entry entry = described(std::move(text), true);
  const OptionTable<Parameters> options(std::move(table));
  entry.parameters = options.describe(defaults);
  entry.make = [options, defaults, make](const OptionValues& values, std::uint64_t seed) {
    Random random(seed);
    return make(options.parse(defaults, values), random);
  };
  return entry;
}

Entry fixed_entry(EntryText text, Parameters defaults, ParameterTable table, Instance (*make)(const Parameters&)) {
  Entry entry = described(std::move(text), false);
  const OptionTable<Parameters> options(std::move(table));
  entry.parameters = options.describe(defaults);
  entry.make = [options, defaults, make](const OptionValues& values, std::uint64_t) {
    return make(options.parse(defaults, values));
  };
  return entry;
}

data::Set ball_set(Index dimension, double radius) {
  return {data::Ball{radius, Vector::Zero(dimension)}, dimension};
}

data::Set l1_ball_set(Index dimension, double radius) {
  return {data::L1Ball{radius, Vector::Zero(dimension)}, dimension};
}

data::Set whole_space_set(Index dimension, double radius) { return {data::WholeSpace{radius}, dimension}; }

data::Set box_set(Vector lower, Vector upper) {
  const Index dimension = lower.size();
  return {data::Box{std::move(lower), std::move(upper)}, dimension};
}

data::Set halfspace_set(Vector coefficients, double value, double radius) {
  const Index dimension = coefficients.size();
  return {data::Halfspace{std::move(coefficients), value, radius}, dimension};
}

data::Term squared_norm_term_data(Vector center, double weight) {
  return {data::SquaredNorm{std::move(center)}, weight};
}

data::Term l1_norm_term_data(Vector center, double weight) { return {data::L1Norm{std::move(center)}, weight}; }

data::Term linear_term_data(Vector coefficients) { return {data::Linear{std::move(coefficients)}}; }

data::Term quadratic_term_data(RowMajorMatrix q, Vector coefficients, double constant) {
  return {data::Quadratic{{std::move(q)}, std::move(coefficients), constant}};
}

namespace {

struct RowsFiller {
  data::Matrix& rows;
  Vector& targets;
  bool mean;
  void operator()(const data::DataField&, data::Matrix& data) const { data = std::move(rows); }
  void operator()(const data::TargetField&, Vector& target) const { target = std::move(targets); }
  void operator()(const data::AverageField&, bool& average) const { average = mean; }
  template <class Field, class Member>
  void operator()(const Field&, Member&) const {}
};

}  // namespace

data::Term data_term(const std::string& function, data::Matrix data, Vector target, bool average) {
  data::Term term{data::kind_called(function, std::type_identity<data::FunctionKind>{}).value()};
  std::visit([&](auto& kind) { data::for_each_field(kind, RowsFiller{data, target, average}); }, term.kind);
  return term;
}

data::Problem assemble(data::Set domain, data::Term upper, data::Term lower, Accuracy accuracy) {
  data::Problem data;
  data.dimension = domain.dimension;
  data.domain = std::move(domain);
  data.upper.push_back(std::move(upper));
  data.lower.push_back(std::move(lower));
  data.accuracy = accuracy;
  return data;
}

}  // namespace fcbio::catalogue
