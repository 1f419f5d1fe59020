// Short names for the pieces of a ProblemData; see builders.hpp.
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

io::SetData ball_set(Index dimension, double radius) {
  io::SetData set;
  set.kind = "ball";
  set.dimension = dimension;
  set.radius = radius;
  set.center = Vector::Zero(dimension);
  return set;
}

io::SetData l1_ball_set(Index dimension, double radius) {
  io::SetData set = ball_set(dimension, radius);
  set.kind = "l1-ball";
  return set;
}

io::SetData whole_space_set(Index dimension, double radius) {
  io::SetData set;
  set.kind = "whole-space";
  set.dimension = dimension;
  set.radius = radius;
  return set;
}

io::SetData box_set(Vector lower, Vector upper) {
  io::SetData set;
  set.kind = "box";
  set.dimension = lower.size();
  set.lower = std::move(lower);
  set.upper = std::move(upper);
  return set;
}

io::SetData halfspace_set(Vector coefficients, double value, double radius) {
  io::SetData set;
  set.kind = "halfspace";
  set.dimension = coefficients.size();
  set.coefficients = std::move(coefficients);
  set.value = value;
  set.radius = radius;
  return set;
}

io::TermData squared_norm_term_data(Vector center, double weight) {
  io::TermData term;
  term.function = "squared-norm";
  term.weight = weight;
  term.vector = std::move(center);
  return term;
}

io::TermData l1_norm_term_data(Vector center, double weight) {
  io::TermData term = squared_norm_term_data(std::move(center), weight);
  term.function = "l1-norm";
  return term;
}

io::TermData linear_term_data(Vector coefficients) {
  io::TermData term;
  term.function = "linear";
  term.vector = std::move(coefficients);
  return term;
}

io::TermData quadratic_term_data(RowMajorMatrix q, Vector coefficients, double constant) {
  io::TermData term;
  term.function = "quadratic";
  term.data = io::DataMatrix{std::move(q)};
  term.vector = std::move(coefficients);
  term.constant = constant;
  return term;
}

io::TermData data_term(std::string function, io::DataMatrix data, Vector target, bool average) {
  io::TermData term;
  term.function = std::move(function);
  term.data = std::move(data);
  term.target = std::move(target);
  term.average = average;
  return term;
}

io::ProblemData assemble(io::SetData domain, io::TermData upper, io::TermData lower, Accuracy accuracy) {
  io::ProblemData data;
  data.dimension = domain.dimension;
  data.domain = std::move(domain);
  data.upper.push_back(std::move(upper));
  data.lower.push_back(std::move(lower));
  data.accuracy = accuracy;
  return data;
}

}  // namespace fcbio::catalogue
