// A 64-bit name for the mathematics of a problem, the same on every machine and in every run.
//
// Everything becomes a sequence of 64-bit words, mixed in order by one lane of MurmurHash3 (Appleby, public
// domain):  word <- rotl(word c1, 31) c2;  h <- 5 rotl(h xor word, 27) + 0x52dce729;  and its 64-bit finaliser.
// Numbers count by value: -0 is 0, and a matrix is the list of (position, value) of its entries that are not zero,
// so neither dense/sparse storage nor explicit zeros matter.  Fields a function or set does not use are left out.
#include <fmt/format.h>

#include <bit>
#include <cstdint>

#include "io/problem_data.hpp"

namespace fcbio::io {
namespace {

class Hash {
 public:
  void word(std::uint64_t w) {
    w *= 0x87C37B91114253D5U;
    w = std::rotl(w, 31) * 0x4CF5AD432745937FU;
    state_ = std::rotl(state_ ^ w, 27) * 5 + 0x52DCE729U;
    ++words_;
  }
  void count(Index n) { word(static_cast<std::uint64_t>(n)); }
  void real(double number) { word(number == 0.0 ? 0U : std::bit_cast<std::uint64_t>(number)); }
  void optional(const std::optional<double>& number) {
    word(number ? 1U : 0U);
    if (number) real(*number);
  }
  void text(const std::string& characters) {
    count(static_cast<Index>(characters.size()));
    for (const char character : characters) word(static_cast<unsigned char>(character));
  }
  void vector(const Vector& numbers) {
    count(numbers.size());
    for (const double number : numbers) real(number);
  }
  void matrix(const DataMatrix& data) {
    count(data.rows());
    count(data.cols());
    if (const auto* dense = std::get_if<RowMajorMatrix>(&data.matrix)) {
      for (Index i = 0; i < dense->rows(); ++i)
        for (Index j = 0; j < dense->cols(); ++j) entry(i * dense->cols() + j, (*dense)(i, j));
    } else {
      const auto& sparse = std::get<CsrMatrix>(data.matrix);
      for (Index i = 0; i < sparse.rows; ++i)
        for (auto k = static_cast<std::size_t>(sparse.starts[static_cast<std::size_t>(i)]);
             k < static_cast<std::size_t>(sparse.starts[static_cast<std::size_t>(i) + 1]); ++k)
          entry(i * sparse.cols + sparse.columns[k], sparse.values[k]);
    }
    word(~std::uint64_t{0});  // no position: the end
  }
  std::uint64_t finish() const {
    std::uint64_t h = state_ ^ words_;
    h = (h ^ (h >> 33)) * 0xFF51AFD7ED558CCDU;
    h = (h ^ (h >> 33)) * 0xC4CEB9FE1A85EC53U;
    return h ^ (h >> 33);
  }

 private:
  void entry(Index position, double value) {
    if (value == 0.0) return;
    count(position);
    real(value);
  }
  std::uint64_t state_ = 0;
  std::uint64_t words_ = 0;
};

void add_term(Hash& hash, const TermData& term) {
  hash.text(term.function);
  hash.real(term.weight);
  hash.word(term.average ? 1U : 0U);
  hash.word(term.data ? 1U : 0U);
  if (term.data) hash.matrix(*term.data);
  hash.vector(term.target);
  hash.vector(term.vector);
  if (term.function == "quadratic") hash.real(term.constant);
  if (term.function == "huber") hash.real(term.delta);
  if (term.function == "quantile") hash.real(term.tau);
  hash.optional(term.lower_bound);
}

void add_set(Hash& hash, const SetData& set) {
  hash.text(set.kind);
  hash.count(set.dimension);
  hash.optional(set.radius);
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
    hash.matrix({set.matrix});
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
