// What the files of entries share: turning an options table and a function into an Entry, and short names for the
// pieces of a problem.  One list per file of entries; catalogue.cpp puts them together.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "catalogue/catalogue.hpp"
#include "catalogue/random.hpp"
#include "core/option_table.hpp"

namespace fcbio::catalogue {

inline constexpr Accuracy kUsualAccuracy{1e-6, 1e-6};

struct EntryText {
  std::string name;
  std::string summary;
  std::string answer;
  std::string id;    ///< of docs/problems.md
  std::string size;  ///< at the default parameters; a test holds it to the truth
};

/// The parameters of all entries; each entry lists those it uses in its table.
struct Parameters {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t rank = 0;
  std::int64_t training = 0;
  std::int64_t validation = 0;
  std::int64_t dimension = 0;
  std::int64_t ties = 0;
  std::int64_t support = 0;
  std::int64_t chain = 0;
  std::int64_t features = 0;
  std::int64_t repeats = 0;
  std::int64_t degree = 0;
  std::int64_t atoms = 0;
  std::int64_t old_atoms = 0;
  std::int64_t samples = 0;
  std::int64_t new_samples = 0;
  std::int64_t steps = 0;
  double condition = 1.0;
  double radius = 1.0;
  double noise = 0.0;
  double total = 1.0;
  double spread = 1.0;
  double center = 0.0;
  double ridge = 0.0;
  double bound = 1.0;
  bool average = false;
  std::string set = "box";
  std::string norm = "l2";
};

using ParameterTable = std::vector<OptionEntry<Parameters>>;

/// An entry whose problem depends on its parameters and on random numbers.
Entry seeded_entry(EntryText text, Parameters defaults, ParameterTable table,
                   Instance (*make)(const Parameters&, Random&));
/// An entry that does not use the seed.
Entry fixed_entry(EntryText text, Parameters defaults, ParameterTable table, Instance (*make)(const Parameters&));

data::Set ball_set(Index dimension, double radius);     ///< about 0
data::Set l1_ball_set(Index dimension, double radius);  ///< about 0
data::Set whole_space_set(Index dimension, double radius);
data::Set box_set(Vector lower, Vector upper);
data::Set halfspace_set(Vector coefficients, double value, double radius);  ///< c'x <= value, |x| <= radius
data::Term squared_norm_term_data(Vector center, double weight = 1.0);      ///< weight/2 |x - c|^2
data::Term l1_norm_term_data(Vector center, double weight = 1.0);           ///< weight |x - c|_1
data::Term linear_term_data(Vector coefficients);
data::Term quadratic_term_data(RowMajorMatrix q, Vector coefficients, double constant);
data::Term data_term(const std::string& function, data::Matrix data, Vector target, bool average);
/// Domain and terms with the dimension and accuracy filled in; no start, no method.
data::Problem assemble(data::Set domain, data::Term upper, data::Term lower, Accuracy accuracy);

std::vector<Entry> minimum_norm_entries();
std::vector<Entry> collinear_entries();
std::vector<Entry> logistic_entries();
std::vector<Entry> logistic_norm_entries();
std::vector<Entry> polynomial_entries();
std::vector<Entry> fair_entries();
std::vector<Entry> regression_entries();
std::vector<Entry> dictionary_entries();
std::vector<Entry> integral_equation_entries();
std::vector<Entry> lasso_entries();
std::vector<Entry> face_entries();
std::vector<Entry> nonsmooth_entries();
std::vector<Entry> hinge_document_entries();
std::vector<Entry> hard_entries();
std::vector<Entry> literature_entries();

}  // namespace fcbio::catalogue
