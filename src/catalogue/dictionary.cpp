// Dictionary learning, its convex core: the codes are given, the dictionary D (length x atoms) is sought, every
// atom in the unit ball.  Old samples (columns of B, codes X) use the first atoms only; new ones (B', codes X')
// use all.
//
//     f(D) = 1/(2 n') |B' - D X'|^2    over the minimisers of    g(D) = 1/(2 n) |B - D X|^2.
//
// x = the atoms one after the other, so that Z is a product of balls; sample j contributes one sparse row for each
// entry r of it:  sum_i X(i, j) x[i length + r] = B(r, j).  (With X' free too, as published, f is not convex.)
#include <fmt/format.h>

#include <algorithm>

#include "catalogue/builders.hpp"
#include "fcbio/error.hpp"

namespace fcbio::catalogue {
namespace {

constexpr Index kCodeEntries = 5;  // non-zero entries of a code, of size 0.2 to 1

/// 1/(2 count) |B - D X|^2 with B = truth X + noise; truth has one atom per row.
data::Term reconstruction(const RowMajorMatrix& truth, Index usable, Index count, double noise, Random& random) {
  const Index length = truth.cols();
  CsrMatrix matrix;
  matrix.rows = count * length;
  matrix.cols = truth.size();
  matrix.starts.push_back(0);
  Vector target(matrix.rows);
  for (Index j = 0; j < count; ++j) {
    std::vector<Index> chosen = random.permutation(usable);
    chosen.resize(static_cast<std::size_t>(std::min(kCodeEntries, usable)));
    std::sort(chosen.begin(), chosen.end());
    std::vector<double> code;
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      const double size = random.uniform(0.2, 1.0);
      code.push_back(random.uniform() < 0.5 ? -size : size);
    }
    for (Index r = 0; r < length; ++r) {
      double value = noise * random.normal();
      for (std::size_t k = 0; k < chosen.size(); ++k) {
        value += code[k] * truth(chosen[k], r);
        matrix.columns.push_back(static_cast<std::int32_t>(chosen[k] * length + r));
        matrix.values.push_back(code[k]);
      }
      target[j * length + r] = value;
      matrix.starts.push_back(static_cast<std::int64_t>(matrix.values.size()));
    }
  }
  data::Term term = data_term("least-squares", {std::move(matrix)}, std::move(target), false);
  term.weight = 1.0 / static_cast<double>(count);
  return term;
}

Instance dictionary(const Parameters& options, Random& random) {
  if (options.old_atoms > options.atoms)
    throw InvalidArgument(fmt::format("option 'old_atoms': expected at most atoms = {}, found {}", options.atoms,
                                      options.old_atoms));
  RowMajorMatrix truth(options.atoms, options.rows);
  for (Index i = 0; i < options.atoms; ++i) truth.row(i) = random.unit_vector(options.rows).transpose();
  data::Term lower = reconstruction(truth, options.old_atoms, options.samples, options.noise, random);
  data::Term upper = reconstruction(truth, options.atoms, options.new_samples, options.noise, random);

  data::Product balls;
  for (Index i = 0; i < options.atoms; ++i) balls.sets.push_back(ball_set(options.rows, 1.0));
  Instance instance;
  instance.data =
      assemble({std::move(balls), truth.size()}, std::move(upper), std::move(lower), Accuracy{1e-5, 1e-5});
  return instance;
}

}  // namespace

std::vector<Entry> dictionary_entries() {
  return {seeded_entry(
      {"dictionary", "dictionary learning with given codes: new samples over old ones, atoms in unit balls",
       "no closed form: the certificate is the answer", "P8", "6250 x 1250"},
      Parameters{.rows = 25, .atoms = 50, .old_atoms = 40, .samples = 250, .new_samples = 200, .noise = 0.01},
      ParameterTable({
          {"length", &Parameters::rows, {1, 1e4}, {}, "numbers in a sample and in an atom"},
          {"atoms", &Parameters::atoms, {1, 1e4}, {}, "atoms; n = length * atoms"},
          {"old_atoms", &Parameters::old_atoms, {1, 1e4}, {}, "atoms that the old samples use; at most atoms"},
          {"samples", &Parameters::samples, {1, 1e6}, {}, "old samples (lower level)"},
          {"new_samples", &Parameters::new_samples, {1, 1e6}, {}, "new samples (upper level)"},
          {"noise", &Parameters::noise, {0, kInfinity}, {}, "standard deviation of the noise in the samples"},
      }),
      dictionary)};
}

}  // namespace fcbio::catalogue
