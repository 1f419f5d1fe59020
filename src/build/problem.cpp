#include "build/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "data/input_error.hpp"
#include "fcbio/error.hpp"

namespace fcbio::build {
namespace {

/// The solver's map of a table; one that is owned moves into it.
struct MapMaker {
  LinearMapPtr operator()(RowMajorMatrix& dense) const { return dense_map(std::move(dense)); }
  LinearMapPtr operator()(CsrMatrix& sparse) const { return sparse_map(std::move(sparse)); }
  LinearMapPtr operator()(data::BorrowedDense& dense) const {
    return dense_map(dense.view, std::move(dense.owner));
  }
  LinearMapPtr operator()(data::BorrowedCsr& sparse) const { return sparse_map(sparse.view); }
  LinearMapPtr operator()(LinearMapPtr& map) const { return map; }
};

LinearMapPtr make_map(data::Matrix& data) { return std::visit(MapMaker{}, data.matrix); }

// One overload per kind of function: a kind without one does not compile.  The data moves into the function.
Function make(data::LeastSquares& k) { return least_squares(make_map(k.data), std::move(k.target)); }
Function make(data::Logistic& k) { return logistic(make_map(k.data), std::move(k.target)); }
Function make(data::Huber& k) { return huber(make_map(k.data), std::move(k.target), k.delta); }
Function make(data::Absolute& k) { return absolute_deviation(make_map(k.data), std::move(k.target)); }
Function make(data::Quantile& k) { return quantile(make_map(k.data), std::move(k.target), k.tau); }
Function make(data::Hinge& k) { return hinge(make_map(k.data), std::move(k.target)); }
Function make(data::SquaredHinge& k) { return squared_hinge(make_map(k.data), std::move(k.target)); }
Function make(data::SquaredNorm& k) { return squared_norm(std::move(k.center)); }
Function make(data::L1Norm& k) { return l1_norm(std::move(k.center)); }
Function make(data::Linear& k) { return linear(std::move(k.coefficients)); }
Function make(data::Quadratic& k) {
  if (k.matrix.matrix.index() > 1) k.matrix = k.matrix.owned();  // Q is copied in any case, and made symmetric
  if (auto* dense = std::get_if<RowMajorMatrix>(&k.matrix.matrix))
    return quadratic(std::move(*dense), std::move(k.coefficients), k.constant);
  return quadratic(std::move(std::get<CsrMatrix>(k.matrix.matrix)), std::move(k.coefficients), k.constant);
}
Function make(data::MaxAffine& k) { return max_affine(make_map(k.data), std::move(k.target)); }
Function make(data::LogSumExp& k) { return log_sum_exp(make_map(k.data), std::move(k.target)); }

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
  void add(data::Term& term) {
    const std::optional<double> told = term.lower_bound;
    const double weight = term.weight;
    const auto rows = data::is_average(term) ? static_cast<double>(data::rows_of(term)->rows()) : 1.0;
    const double mean = 1.0 / rows, share = weight / rows;
    const Function function = std::visit([](auto& kind) { return make(kind); }, term.kind);
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

Function make_function(std::vector<data::Term>& terms, const char* level, const std::filesystem::path& file) {
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

ConvexSetPtr make_set(const data::Set& set, VectorIn start, const Place& place);

/// The members of a compound set: of a product they see their part of the start.
struct MemberMaker {
  VectorIn start;
  const Place& place;

  std::vector<ConvexSetPtr> operator()(const data::Intersection& k) const {
    std::vector<ConvexSetPtr> members;
    for (const data::Set& member : k.sets)
      members.push_back(make_set(member, start, inside(member, members.size())));
    return members;
  }
  std::vector<ConvexSetPtr> operator()(const data::Product& k) const {
    Index total = 0;
    for (const data::Set& member : k.sets) total += member.dimension;
    if (total != start.size())
      place.guard([&]() -> int {
        throw InvalidArgument(
            fmt::format("expected sets of {} dimensions together, found {}", start.size(), total));
      });
    std::vector<ConvexSetPtr> members;
    Index offset = 0;
    for (const data::Set& member : k.sets) {
      members.push_back(make_set(member, start.segment(offset, member.dimension), inside(member, members.size())));
      offset += member.dimension;
    }
    return members;
  }
  template <class Simple>
  std::vector<ConvexSetPtr> operator()(const Simple&) const {
    return {};
  }

 private:
  Place inside(const data::Set& member, std::size_t number) const {
    return {place.file, fmt::format("{}.sets[{}]", place.table, number), member.line};
  }
};

/// One overload per kind of set, likewise.
struct SetMaker {
  Index dimension;
  VectorIn start;
  std::vector<ConvexSetPtr>& members;

  ConvexSetPtr operator()(const data::Ball& k) const { return ball(k.center, k.radius); }
  ConvexSetPtr operator()(const data::Box& k) const { return box(k.lower, k.upper, k.radius); }
  ConvexSetPtr operator()(const data::Orthant& k) const { return orthant(dimension, k.radius); }
  ConvexSetPtr operator()(const data::Polyhedron& k) const {
    const data::Matrix rows = k.matrix.owned();
    const auto make = [&k](const auto& matrix) {
      return polyhedron(matrix, k.row_lower, k.row_upper, k.lower, k.upper, k.radius);
    };
    if (const auto* dense = std::get_if<RowMajorMatrix>(&rows.matrix)) return make(*dense);
    return make(std::get<CsrMatrix>(rows.matrix));
  }
  ConvexSetPtr operator()(const data::CappedSimplex& k) const { return capped_simplex(dimension, k.total, k.cap); }
  ConvexSetPtr operator()(const data::Simplex& k) const { return simplex(dimension, k.total); }
  ConvexSetPtr operator()(const data::L1Ball& k) const { return l1_ball(k.center, k.radius); }
  ConvexSetPtr operator()(const data::NonnegativeBall& k) const { return nonnegative_ball(dimension, k.radius); }
  ConvexSetPtr operator()(const data::Halfspace& k) const {
    return halfspace(k.coefficients, k.value, k.radius.value_or(kInfinity));
  }
  ConvexSetPtr operator()(const data::Affine& k) const {
    return affine_subspace(k.matrix, k.values, k.radius.value_or(kInfinity));
  }
  ConvexSetPtr operator()(const data::Intersection&) const { return intersection(std::move(members)); }
  ConvexSetPtr operator()(const data::Product&) const { return product(std::move(members)); }
  ConvexSetPtr operator()(const data::WholeSpace& k) const { return whole_space(start, k.radius); }
};

ConvexSetPtr make_set(const data::Set& set, VectorIn start, const Place& place) {
  std::vector<ConvexSetPtr> members = std::visit(MemberMaker{start, place}, set.kind);
  return place.guard([&] { return std::visit(SetMaker{set.dimension, start, members}, set.kind); });
}

}  // namespace

Problem make_problem(data::Problem&& data) {
  const Vector start = data.start.value_or(Vector::Zero(data.dimension));
  ConvexSetPtr domain = make_set(data.domain, start, {data.file, "[domain]", data.domain.line});
  Function upper = make_function(data.upper, "upper", data.file);
  Function lower = make_function(data.lower, "lower", data.file);
  return Place{data.file, "the problem"}.guard(
      [&] { return Problem(std::move(upper), std::move(lower), std::move(domain), start); });
}

Function make_function(std::vector<data::Term> terms, const char* level) {
  return make_function(terms, level, std::filesystem::path{});
}

ConvexSetPtr make_set(const data::Set& set, VectorIn start) {
  const std::filesystem::path no_file;
  return make_set(set, start, {no_file, "[domain]"});
}

Problem make_problem(const data::Problem& data) { return make_problem(data::Problem(data)); }

}  // namespace fcbio::build
