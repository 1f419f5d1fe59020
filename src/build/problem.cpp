#include "build/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "data/input_error.hpp"
#include "data/row_shards.hpp"
#include "fcbio/error.hpp"
#include "fcbio/weighted.hpp"
#include "functions/distributed_term.hpp"

namespace fcbio::build {
namespace {

/// The solver's map of a table; one that is owned moves into it.
struct MapMaker {
  LinearMapPtr operator()(RowMajorMatrix& dense) const { return dense_map(std::move(dense)); }
  LinearMapPtr operator()(CsrMatrix& sparse) const { return sparse_map(std::move(sparse)); }
  LinearMapPtr operator()(data::BorrowedDense& dense) const {
    if (dense.lender != nullptr) dense.lender->admit({0, dense.view.rows});
    return dense_map(dense.view, std::move(dense.owner));
  }
  LinearMapPtr operator()(data::BorrowedCsr& sparse) const {
    if (sparse.lender == nullptr) return sparse_map(sparse.view);
    if (LinearMapPtr ready = sparse.lender->ready_map(sparse.view.cols)) return ready;
    sparse.lender->admit({0, sparse.view.rows});
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

/// Kinds that are sums over rows, each row a summand: those that can be cut into shards.
template <class Kind>
concept RowSum = requires(Kind kind) {
  kind.data, kind.target, kind.average, kind.sample_weights;
};

Vector part_of(const Vector& numbers, const data::RowRun& rows) {
  return numbers.size() == 0 ? numbers : numbers.segment(rows.first, rows.end - rows.first);
}

/// A term over rows on many ranks, of which those of this rank become the solver's.
template <RowSum Kind>
Function make_distributed(Kind& kind, parallel::Communicator& ranks) {
  const data::Matrix data = std::move(kind.data);
  const Vector target = std::move(kind.target), weights = std::move(kind.sample_weights);
  const auto make_part = [&kind](data::Matrix part, Vector part_target, Vector part_weights) {
    Kind shard = kind;  // all else that it has
    shard.data = std::move(part);
    shard.target = std::move(part_target);
    shard.sample_weights = std::move(part_weights);
    return make(shard).parts().front().term;
  };
  const std::vector<Index> cuts = data::cut_rows(data);
  const auto shards = static_cast<Index>(cuts.size()) - 1;
  const parallel::ShardRun run = parallel::shards_of(ranks.rank(), ranks.ranks(), shards);
  std::vector<TermPtr> own;
  for (Index shard = run.first; shard < run.end; ++shard) {
    const data::RowRun rows{cuts[static_cast<std::size_t>(shard)], cuts[static_cast<std::size_t>(shard) + 1]};
    own.push_back(make_part(data.copy_of_rows(rows), part_of(target, rows), part_of(weights, rows)));
  }
  const TermPtr model = make_part({CsrMatrix{1, data.cols(), {0, 0}, {}, {}}}, target.head(1),
                                  data::is_absent(weights, 1.0) ? Vector() : Vector::Constant(1, 2.0));
  return Function(
      functions::distributed_term(ranks, shards, std::move(own), LossPtr(model, model->loss()), data.cols()));
}

/// No loss is made of rows that all have the weight 0.
bool has_idle_shard(const data::Matrix& data, const Vector& weights) {
  const std::vector<Index> cuts = data::cut_rows(data);
  for (std::size_t shard = 1; shard < cuts.size(); ++shard)
    if (data::is_absent(part_of(weights, {cuts[shard - 1], cuts[shard]}), 0.0)) return weights.size() > 0;
  return false;
}

/// On one rank, and for functions that are no sums over rows, all rows are here.
Function make_term(data::FunctionKind& term, parallel::Communicator& ranks) {
  return std::visit(
      [&ranks]<class Kind>(Kind& kind) {
        if constexpr (RowSum<Kind>)
          if (ranks.is_job() && kind.data.has_numbers() && !has_idle_shard(kind.data, kind.sample_weights))
            return make_distributed(kind, ranks);
        return make(kind);
      },
      term);
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
  explicit Sum(parallel::Communicator& ranks) : ranks_(ranks) {}
  void add(data::Term& term) {
    const std::optional<double> told = term.lower_bound;
    const double weight = term.weight;
    const auto rows = data::is_average(term) ? static_cast<double>(data::rows_of(term)->rows()) : 1.0;
    const double mean = 1.0 / rows, share = weight / rows;
    const Function function = make_term(term.kind, ranks_);
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
  parallel::Communicator& ranks_;
  Function total_;
  double bound_ = 0.0;
  double magnitude_ = 0.0;
  int operations_ = 0;
  bool told_ = false;
};

Function make_function(std::vector<data::Term>& terms, const char* level, const std::filesystem::path& file,
                       parallel::Communicator& ranks) {
  Sum sum(ranks);
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

/// work(term, dual) for all duals of parts that the problem has.
template <class Work>
void for_each_dual(const Problem& problem, Witness& witness, const Work& work) {
  const auto visit = [&](Level level, PartVectors& duals) {
    const std::vector<Function::Part>& parts = problem.function(level).parts();
    for (std::size_t i = 0; i < std::min(duals.size(), parts.size()); ++i) work(*parts[i].term, duals[i]);
  };
  for (BoundWitness* bound : {&witness.lower_bound, &witness.upper_bound}) {
    visit(Level::upper, bound->upper_duals);
    visit(Level::lower, bound->lower_duals);
  }
}

}  // namespace

Problem make_problem(data::Problem&& data, parallel::Communicator& ranks) {
  const Vector start = data.start.value_or(Vector::Zero(data.dimension));
  ConvexSetPtr domain = make_set(data.domain, start, {data.file, "[domain]", data.domain.line});
  Function upper = make_function(data.upper, "upper", data.file, ranks);
  Function lower = make_function(data.lower, "lower", data.file, ranks);
  return Place{data.file, "the problem"}.guard(
      [&] { return Problem(std::move(upper), std::move(lower), std::move(domain), start); });
}

Function make_function(std::vector<data::Term> terms, const char* level) {
  return make_function(terms, level, std::filesystem::path{}, parallel::alone());
}

ConvexSetPtr make_set(const data::Set& set, VectorIn start) {
  const std::filesystem::path no_file;
  return make_set(set, start, {no_file, "[domain]"});
}

Problem make_problem(const data::Problem& data) { return make_problem(data::Problem(data)); }

void complete_witness(const Problem& problem, Result& result) {
  for_each_dual(problem, result.witness, functions::complete_rows);
}

void keep_own_witness(const Problem& problem, Witness& witness) {
  for_each_dual(problem, witness, functions::keep_own_rows);
}

}  // namespace fcbio::build
