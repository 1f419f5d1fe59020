// A name for the mathematics of a problem (hash.hpp).  A matrix is the list of (position, value) of its entries
// that are not zero, so neither dense/sparse storage nor explicit zeros matter.  What a kind does not have counts
// as absent. The order of the words is fixed: results name problems by it.
#include <fmt/format.h>

#include "data/hash.hpp"
#include "data/problem.hpp"
#include "fcbio/error.hpp"

namespace fcbio::data {
namespace {

void add_optional(Hash& hash, const std::optional<double>& number) {
  hash.word(number ? 1U : 0U);
  if (number) hash.real(*number);
}

void add_entry(Hash& hash, Index position, double value) {
  if (value == 0.0) return;
  hash.count(position);
  hash.real(value);
}

void add_entries(Hash& hash, const DenseView& dense, const RowRun& rows) {
  for (Index i = rows.first; i < rows.end; ++i)
    for (Index j = 0; j < dense.cols; ++j) add_entry(hash, i * dense.cols + j, dense(i, j));
}

/// The view holds the numbers of these rows, and of no row before them.
void add_entries(Hash& hash, const CsrView& sparse, const RowRun& rows) {
  const auto start = [&sparse](Index row) { return sparse.starts[static_cast<std::size_t>(row)]; };
  for (Index i = rows.first; i < rows.end; ++i)
    for (std::int64_t k = start(i) - start(rows.first); k < start(i + 1) - start(rows.first); ++k)
      add_entry(hash, i * sparse.cols + sparse.columns[static_cast<std::size_t>(k)],
                sparse.values[static_cast<std::size_t>(k)]);
}

/// `add` adds the entries.
template <class Add>
void add_matrix(Hash& hash, Index rows, Index cols, const Add& add) {
  hash.count(rows);
  hash.count(cols);
  add();
  hash.word(~std::uint64_t{0});  // no position: the end
}

void add_matrix(Hash& hash, const RowMajorMatrix& dense) {
  add_matrix(hash, dense.rows(), dense.cols(), [&] { add_entries(hash, view_of(dense), {0, dense.rows()}); });
}

void require_same_so_far(const Hash& hash, parallel::Communicator& ranks) {
  const std::vector<std::uint64_t> all = parallel::said_by_all(ranks, hash.finish());
  for (std::size_t rank = 1; rank < all.size(); ++rank)
    if (all[rank] != all[0])
      throw InvalidArgument(fmt::format(
          "expected the same problem on all ranks, found another one on rank {} than on rank 0 (fingerprints {:016x} "
          "and {:016x} as far as they were read); give all machines the same files",
          rank, all[rank], all[0]));
}

void add_matrix(Hash& hash, const Matrix& data, parallel::Communicator& ranks) {
  add_matrix(hash, data.rows(), data.cols(), [&] {
    if (!data.is_partial()) return data.read([&](const auto& view) { add_entries(hash, view, {0, view.rows}); });
    require_same_so_far(hash, ranks);
    parallel::in_turns(ranks, parallel::mutable_bytes_of(&hash, 1), [&] {
      data.read_held([&](const auto& view, const RowRun& rows) { add_entries(hash, view, rows); });
    });
  });
}

/// The fields of a function by what they are; what is absent keeps its place.
struct FunctionParts {
  bool average = false;
  const Matrix* matrix = nullptr;
  const Vector* target = nullptr;
  const Vector* vector = nullptr;
  const Vector* weights = nullptr;  // per row or per variable, where they are not all 1
  std::vector<double> numbers;

  void operator()(const DataField&, const Matrix& data) { matrix = &data; }
  void operator()(const SquareMatrixField&, const Matrix& data) { matrix = &data; }
  void operator()(const TargetField&, const Vector& numbers_per_row) { target = &numbers_per_row; }
  void operator()(const AverageField&, const bool& flag) { average = flag; }
  void operator()(const SampleWeightsField&, const Vector& numbers_per_row) { add_weights(numbers_per_row); }
  void operator()(const VectorField& field, const Vector& numbers_per_variable) {
    if (field.absent == 1.0)
      add_weights(numbers_per_variable);
    else
      vector = &numbers_per_variable;
  }
  void operator()(const NumberField&, const double& number) { numbers.push_back(number); }

 private:
  void add_weights(const Vector& numbers_given) {
    if (!is_absent(numbers_given, 1.0)) weights = &numbers_given;
  }
};

void add_term(Hash& hash, const Term& term, parallel::Communicator& ranks) {
  FunctionParts parts;
  std::visit([&parts](const auto& kind) { for_each_field(kind, parts); }, term.kind);
  const Vector none;
  hash.text(std::string(name_of(term)));
  hash.real(term.weight);
  hash.word(parts.average ? 1U : 0U);
  hash.word(parts.matrix != nullptr ? 1U : 0U);
  if (parts.matrix != nullptr) add_matrix(hash, *parts.matrix, ranks);
  hash.vector(parts.target != nullptr ? *parts.target : none);
  hash.vector(parts.vector != nullptr ? *parts.vector : none);
  for (const double number : parts.numbers) hash.real(number);
  add_optional(hash, term.lower_bound);
  if (parts.weights != nullptr) {  // no word without them: older names stay what they are
    hash.text("weights");
    hash.vector(*parts.weights);
  }
}

void add_set(Hash& hash, const Set& set);

/// The radius of a set comes first, its members last.
struct RadiusFinder {
  std::optional<double> radius;
  void operator()(const RadiusField&, const double& number) { radius = number; }
  void operator()(const RadiusField&, const std::optional<double>& number) { radius = number; }
  template <class Field, class Member>
  void operator()(const Field&, const Member&) {}
};

struct SetHasher {
  Hash& hash;
  const std::vector<Set>* members = nullptr;
  void operator()(const RadiusField&, const std::optional<double>&) {}  // RadiusFinder
  void operator()(const VectorField&, const Vector& vector) { hash.vector(vector); }
  void operator()(const NumberField&, const double& number) { hash.real(number); }
  void operator()(const EquationsField&, const RowMajorMatrix& matrix) { add_matrix(hash, matrix); }
  void operator()(const RowsField&, const Matrix& matrix) { add_matrix(hash, matrix, parallel::alone()); }
  void operator()(const RowSideField&, const Vector& sides) { hash.vector(sides); }
  void operator()(const ValuesField&, const Vector& values) { hash.vector(values); }
  void operator()(const MembersField&, const std::vector<Set>& sets) { members = &sets; }
};

void add_set(Hash& hash, const Set& set) {
  hash.text(std::string(name_of(set)));
  hash.count(set.dimension);
  std::visit(
      [&hash](const auto& kind) {
        RadiusFinder finder;
        for_each_field(kind, finder);
        add_optional(hash, finder.radius);
        SetHasher hasher{hash};
        for_each_field(kind, hasher);
        hash.count(hasher.members != nullptr ? static_cast<Index>(hasher.members->size()) : 0);
        if (hasher.members != nullptr)
          for (const Set& member : *hasher.members) add_set(hash, member);
      },
      set.kind);
}

}  // namespace

std::string fingerprint(const Problem& problem) { return fingerprint(problem, parallel::alone()); }

std::string fingerprint(const Problem& problem, parallel::Communicator& ranks) {
  Hash hash;
  hash.word(1);  // of this recipe
  hash.count(problem.dimension);
  add_set(hash, problem.domain);
  for (const std::vector<Term>* terms : {&problem.upper, &problem.lower}) {
    hash.count(static_cast<Index>(terms->size()));
    for (const Term& term : *terms) add_term(hash, term, ranks);
  }
  hash.word(problem.start ? 1U : 0U);
  if (problem.start) hash.vector(*problem.start);
  require_same_so_far(hash, ranks);
  return fmt::format("{:016x}", hash.finish());
}

}  // namespace fcbio::data
