// From plain data to the solver's objects.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/nearest_name.hpp"
#include "fcbio/error.hpp"
#include "io/input_error.hpp"
#include "io/problem_data.hpp"

namespace fcbio::io {
namespace {

LinearMapPtr make_map(TermData& term) {
  if (!term.data) throw InvalidArgument(fmt::format("expected data for \"{}\", found none", term.function));
  if (auto* dense = std::get_if<RowMajorMatrix>(&term.data->matrix)) return dense_map(std::move(*dense));
  return sparse_map(std::move(std::get<CsrMatrix>(term.data->matrix)));
}

Function make_quadratic(TermData& term) {
  if (!term.data) throw InvalidArgument("expected a matrix for \"quadratic\", found none");
  if (auto* dense = std::get_if<RowMajorMatrix>(&term.data->matrix))
    return quadratic(std::move(*dense), std::move(term.vector), term.constant);
  return quadratic(std::move(std::get<CsrMatrix>(term.data->matrix)), std::move(term.vector), term.constant);
}

struct Maker {
  std::string name;
  std::function<Function(TermData&)> make;
};

const std::vector<Maker>& makers() {
  static const std::vector<Maker> table = {
      {"least-squares", [](TermData& t) { return least_squares(make_map(t), std::move(t.target)); }},
      {"logistic", [](TermData& t) { return logistic(make_map(t), std::move(t.target)); }},
      {"huber", [](TermData& t) { return huber(make_map(t), std::move(t.target), t.delta); }},
      {"absolute", [](TermData& t) { return absolute_deviation(make_map(t), std::move(t.target)); }},
      {"quantile", [](TermData& t) { return quantile(make_map(t), std::move(t.target), t.tau); }},
      {"hinge", [](TermData& t) { return hinge(make_map(t), std::move(t.target)); }},
      {"squared-hinge", [](TermData& t) { return squared_hinge(make_map(t), std::move(t.target)); }},
      {"squared-norm", [](TermData& t) { return squared_norm(std::move(t.vector)); }},
      {"l1-norm", [](TermData& t) { return l1_norm(std::move(t.vector)); }},
      {"linear", [](TermData& t) { return linear(std::move(t.vector)); }},
      {"quadratic", make_quadratic},
      {"max-affine", [](TermData& t) { return max_affine(make_map(t), std::move(t.target)); }},
      {"log-sum-exp", [](TermData& t) { return log_sum_exp(make_map(t), std::move(t.target)); }},
  };
  return table;
}

Function make_unweighted(TermData& term) {
  for (const Maker& maker : makers()) {
    if (maker.name == term.function) return maker.make(term);
  }
  std::vector<std::string> names;
  for (const Maker& maker : makers()) names.push_back(maker.name);
  const std::string nearest = nearest_name(term.function, names);
  throw InvalidArgument(fmt::format("expected one of {} as function, found \"{}\"{}", fmt::join(names, ", "),
                                    term.function, nearest.empty() ? "" : "; did you mean \"" + nearest + "\"?"));
}

// Where in the problem file something stands, to be told when it is refused.
struct Place {
  const std::filesystem::path& file;
  std::string table;
  std::int64_t line = 0;

  /// Runs `step` and names the place in what it refuses.
  template <typename Step>
  auto guard(const Step& step) const {
    try {
      return step();
    } catch (const InvalidArgument& refusal) {
      const std::string message = fmt::format("{}: {}", table, refusal.what());
      if (file.empty()) throw InvalidArgument(message);
      throw InputError({file.string(), line, {}, {}, message});
    }
  }
};

// A sum of terms, and the sum of what is known from below about each: told by the user or known to the term.
class Sum {
 public:
  void add(TermData& term) {
    const std::optional<double> told = term.lower_bound;
    const double weight = term.weight;
    const double mean = term.average && term.data ? 1.0 / static_cast<double>(term.data->rows()) : 1.0;
    const double share = term.average && term.data ? weight / static_cast<double>(term.data->rows()) : weight;
    const Function function = make_unweighted(term);
    total_ = total_.parts().empty() ? share * function : total_ + share * function;
    if (weight == 0.0) return;  // contributes exactly 0, also where it is not bounded
    const double bound = weight * std::max(mean * function.lower_bound(), told.value_or(-kInfinity));
    bound_ += bound;
    magnitude_ += std::abs(bound);
    ++operations_;
    told_ = told_ || told.has_value();
  }
  Function finish() {
    // A bound may be low but never high: the rounding of the products and sums above is taken off, except where
    // one term with weight 1 leaves nothing to round.
    const double rounding = operations_ > 1 || total_.parts().front().weight != 1.0
                                ? 2.0 * (operations_ + 2) * kEpsilon * magnitude_
                                : 0.0;
    if (told_ && std::isfinite(bound_)) total_.tell_lower_bound(bound_ - rounding);
    return std::move(total_);
  }

 private:
  Function total_;
  double bound_ = 0.0;
  double magnitude_ = 0.0;
  int operations_ = 0;
  bool told_ = false;
};

Function make_function(std::vector<TermData>& terms, const char* level, const std::filesystem::path& file) {
  Sum sum;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const std::string table =
        terms.size() == 1 ? fmt::format("[{}]", level) : fmt::format("[[{}]] number {}", level, i);
    Place{file, table, terms[i].line}.guard([&] {
      sum.add(terms[i]);
      return 0;
    });
  }
  if (terms.empty()) throw InvalidArgument(fmt::format("[{}]: expected at least one term, found none", level));
  return sum.finish();
}

ConvexSetPtr make_set(const SetData& set, VectorIn start, const Place& place);

// Members of a product see their part of the start, members of an intersection all of it.
std::vector<ConvexSetPtr> make_members(const SetData& set, VectorIn start, const Place& place) {
  const bool is_product = set.kind == "product";
  Index total = 0;
  for (const SetData& member : set.sets) total += member.dimension;
  if (is_product && total != start.size())
    place.guard([&]() -> int {
      throw InvalidArgument(fmt::format("expected sets of {} dimensions together, found {}", start.size(), total));
    });
  std::vector<ConvexSetPtr> members;
  Index offset = 0;
  for (const SetData& member : set.sets) {
    const Place inside{place.file, fmt::format("{}.sets[{}]", place.table, members.size()), member.line};
    const Index size = is_product ? member.dimension : start.size();
    members.push_back(make_set(member, start.segment(offset, size), inside));
    if (is_product) offset += size;
  }
  return members;
}

ConvexSetPtr make_set(const SetData& set, VectorIn start, const Place& place) {
  const auto radius = [&] {
    if (!set.radius) throw InvalidArgument(fmt::format("expected a radius for \"{}\", found none", set.kind));
    return *set.radius;
  };
  if (set.kind == "intersection" || set.kind == "product") {
    std::vector<ConvexSetPtr> members = make_members(set, start, place);
    return place.guard(
        [&] { return set.kind == "product" ? product(std::move(members)) : intersection(std::move(members)); });
  }
  return place.guard([&]() -> ConvexSetPtr {
    if (set.kind == "ball") return ball(set.center, radius());
    if (set.kind == "box") return box(set.lower, set.upper);
    if (set.kind == "simplex") return simplex(set.dimension, set.total);
    if (set.kind == "l1-ball") return l1_ball(set.center, radius());
    if (set.kind == "nonnegative-ball") return nonnegative_ball(set.dimension, radius());
    if (set.kind == "halfspace") return halfspace(set.coefficients, set.value, radius());
    if (set.kind == "affine") return affine_subspace(set.matrix, set.values, radius());
    if (set.kind == "whole-space") return whole_space(start, set.radius);
    throw InvalidArgument(fmt::format("expected a known set, found \"{}\"", set.kind));
  });
}

}  // namespace

Problem build_problem(ProblemData&& data) {
  const Vector start = data.start.value_or(Vector::Zero(data.dimension));
  ConvexSetPtr domain = make_set(data.domain, start, {data.file, "[domain]", data.domain.line});
  Function upper = make_function(data.upper, "upper", data.file);
  Function lower = make_function(data.lower, "lower", data.file);
  return Place{data.file, "the problem"}.guard(
      [&] { return Problem(std::move(upper), std::move(lower), std::move(domain), start); });
}

Problem build_problem(const ProblemData& data) { return build_problem(ProblemData(data)); }

}  // namespace fcbio::io
