// A name for the mathematics of a problem (hash.hpp).  A matrix is the list of (position, value) of its entries
// that are not zero, so neither dense/sparse storage nor explicit zeros matter.  Fields a function or set does not
// use are left out.
#include <fmt/format.h>

#include "io/hash.hpp"
#include "io/problem_data.hpp"

namespace fcbio::io {
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

void add_matrix(Hash& hash, const DataMatrix& data) {
  hash.count(data.rows());
  hash.count(data.cols());
  if (const auto* dense = std::get_if<RowMajorMatrix>(&data.matrix)) {
    for (Index i = 0; i < dense->rows(); ++i)
      for (Index j = 0; j < dense->cols(); ++j) add_entry(hash, i * dense->cols() + j, (*dense)(i, j));
  } else {
    const auto& sparse = std::get<CsrMatrix>(data.matrix);
    for (Index i = 0; i < sparse.rows; ++i)
      for (auto k = static_cast<std::size_t>(sparse.starts[static_cast<std::size_t>(i)]);
           k < static_cast<std::size_t>(sparse.starts[static_cast<std::size_t>(i) + 1]); ++k)
        add_entry(hash, i * sparse.cols + sparse.columns[k], sparse.values[k]);
  }
  hash.word(~std::uint64_t{0});  // no position: the end
}

void add_term(Hash& hash, const TermData& term) {
  hash.text(term.function);
  hash.real(term.weight);
  hash.word(term.average ? 1U : 0U);
  hash.word(term.data ? 1U : 0U);
  if (term.data) add_matrix(hash, *term.data);
  hash.vector(term.target);
  hash.vector(term.vector);
  if (term.function == "quadratic") hash.real(term.constant);
  if (term.function == "huber") hash.real(term.delta);
  if (term.function == "quantile") hash.real(term.tau);
  add_optional(hash, term.lower_bound);
}

void add_set(Hash& hash, const SetData& set) {
  hash.text(set.kind);
  hash.count(set.dimension);
  add_optional(hash, set.radius);
  if (set.kind == "ball" || set.kind == "l1-ball") hash.vector(set.center);
  if (set.kind == "box") {
    hash.vector(set.lower);
    hash.vector(set.upper);
  }
  if (set.kind == "simplex") hash.real(set.total);
  if (set.kind == "halfspace") {
    hash.vector(set.coefficients);
    hash.real(set.value);
  }
  if (set.kind == "affine") {
    add_matrix(hash, {set.matrix});
    hash.vector(set.values);
  }
  hash.count(static_cast<Index>(set.sets.size()));
  for (const SetData& member : set.sets) add_set(hash, member);
}

}  // namespace

std::string fingerprint(const ProblemData& data) {
  Hash hash;
  hash.word(1);  // of this recipe
  hash.count(data.dimension);
  add_set(hash, data.domain);
  for (const auto* terms : {&data.upper, &data.lower}) {
    hash.count(static_cast<Index>(terms->size()));
    for (const TermData& term : *terms) add_term(hash, term);
  }
  hash.word(data.start ? 1U : 0U);
  if (data.start) hash.vector(*data.start);
  return fmt::format("{:016x}", hash.finish());
}

}  // namespace fcbio::io
