#include "build/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "data/input_error.hpp"
#include "fcbio/error.hpp"
#include "fcbio/weighted.hpp"

namespace fcbio::build {
namespace {

/// The solver's map of a table; one that is owned moves into it.
struct MapMaker {
  LinearMapPtr operator()(RowMajorMatrix& dense) const { return dense_map(std::move(dense)); }
  LinearMapPtr operator()(CsrMatrix& sparse) const { return sparse_map(std::move(sparse)); }
  LinearMapPtr operator()(data::BorrowedDense& dense) const {
    if (dense.lender != nullptr) dense.lender->admit();
    return dense_map(dense.view, std::move(dense.owner));
  }
  LinearMapPtr operator()(data::BorrowedCsr& sparse) const {
    if (sparse.lender == nullptr) return sparse_map(sparse.view);
    if (LinearMapPtr ready = sparse.lender->ready_map(sparse.view.cols)) return ready;
    sparse.lender->admit();
    return sparse_map(sparse.view);
  }
  LinearMapPtr operator()(data::RowsOnDemand& sparse) const { return sparse_map(sparse.make()); }
  LinearMapPtr operator()(LinearMapPtr& map) const { return map; }
};

LinearMapPtr make_map(data::Matrix& data) { return std::visit(MapMaker{}, data.matrix); }

// One overload per kind of function, with one name for each of its fields: a kind or a field without one does not
// compile.  The data moves into the function.
/// loss(M x), its summands weighted where there are weights.
Function make_row_sum(data::Matrix& data, LossPtr loss, Vector& weights) {
  if (!data::is_absent(weights, 1.0)) loss = weighted_loss(loss, std::move(weights));
  return Function(loss_term(make_map(data), std::move(loss)));
}

Function make(data::LeastSquares& k) {
  auto& [data, target, average, weights] = k;
  return make_row_sum(data, least_squares_loss(std::move(target)), weights);
}
Function make(data::Logistic& k) {
  auto& [data, target, average, weights] = k;
  return make_row_sum(data, logistic_loss(std::move(target)), weights);
}
Function make(data::Huber& k) {
  auto& [data, target, average, delta, weights] = k;
  return make_row_sum(data, huber_loss(std::move(target), delta), weights);
}
Function make(data::Absolute& k) {
  auto& [data, target, average, weights] = k;
  return make_row_sum(data, absolute_loss(std::move(target)), weights);
}
Function make(data::Quantile& k) {
  auto& [data, target, average, tau, weights] = k;
  return make_row_sum(data, quantile_loss(std::move(target), tau), weights);
}
Function make(data::Hinge& k) {
  auto& [data, target, average, weights] = k;
  return make_row_sum(data, hinge_loss(std::move(target)), weights);
}
Function make(data::SquaredHinge& k) {
  auto& [data, target, average, weights] = k;
  return make_row_sum(data, squared_hinge_loss(std::move(target)), weights);
}
Function make(data::SquaredNorm& k) {
  auto& [center, weights] = k;
  if (data::is_absent(weights, 1.0)) return squared_norm(std::move(center));
  return weighted_squared_norm(std::move(center), std::move(weights));
}
Function make(data::L1Norm& k) {
  auto& [center, weights] = k;
  if (data::is_absent(weights, 1.0)) return l1_norm(std::move(center));
  return weighted_l1_norm(std::move(center), std::move(weights));
}
Function make(data::Linear& k) {
  auto& [coefficients] = k;
  return linear(std::move(coefficients));
}
Function make(data::Quadratic& k) {
  auto& [matrix, coefficients, constant] = k;
  if (!matrix.is_owned()) matrix = matrix.owned();  // Q is copied in any case, and made symmetric
  if (auto* dense = std::get_if<RowMajorMatrix>(&matrix.matrix))
    return quadratic(std::move(*dense), std::move(coefficients), constant);
  return quadratic(std::move(std::get<CsrMatrix>(matrix.matrix)), std::move(coefficients), constant);
}
Function make(data::MaxAffine& k) {
  auto& [data, target] = k;
  return max_affine(make_map(data), std::move(target));
}
Function make(data::LogSumExp& k) {
  auto& [data, target] = k;
  return log_sum_exp(make_map(data), std::move(target));
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
