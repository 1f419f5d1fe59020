// Functions and sets as Python makes them: plain data of the kinds of the problem file (data/), or callables.
//
// The fields of a kind come from its descriptor, so that a kind of the library is a kind of the package: Python asks
// for the table (kinds_of_functions, kinds_of_sets) and makes its classes from it.  Before the number of variables
// is known a vector may be empty (absent) or have one entry (for all coordinates).
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/problem.hpp"
#include "fcbio/function.hpp"
#include "fcbio/user_set.hpp"
#include "python/callable.hpp"

namespace fcbio::python {

/// One term of a level.
struct Part {
  data::Term term;                           ///< weight and lower bound also of a callable
  std::shared_ptr<const UserFunction> user;  ///< not null: a callable, and the kind of `term` means nothing
  std::vector<FailuresPtr> failures;
  std::vector<std::string> notes;
};

struct Domain {
  /// Dimension 0: not known yet.  Of callables it has the dimension only, and stands for them in compound sets.
  data::Set set;
  std::shared_ptr<const UserSet> user;  ///< not null: callables
  std::vector<Domain> members;          ///< of a compound set with callables somewhere among them; else empty
  std::vector<FailuresPtr> failures;    ///< of the members, too
  bool is_plain() const { return user == nullptr && members.empty(); }
};

/// [(name, [(key, sort, required, default), ...]), ...]; the sorts are "matrix", "target", "labels", "flag", "number",
/// "vector", "equations", "values", "radius", "sets".
py::list kinds_of_functions();
py::list kinds_of_sets();

/// `arguments`: key -> what the sort says, converted by Python; absent keys take their defaults.
Part make_part(const std::string& kind, const py::dict& arguments, double weight,
               std::optional<double> lower_bound);
Domain make_domain(const std::string& kind, const py::dict& arguments, Index dimension);

/// Who knows how many variables there are.
struct DimensionSource {
  Index n = 0;
  std::string source;
};
std::vector<DimensionSource> dimension_sources(const Part& part, const std::string& level);
std::vector<DimensionSource> dimension_sources(const Domain& domain);
/// What all sources agree on; throws InvalidArgument that names two that do not, or that there is none.
Index agreed_dimension(const std::vector<DimensionSource>& sources);

/// Vectors get their n entries; throws InvalidArgument for sizes that do not fit.
void expand(data::Term& term, Index n);
void expand(Domain& domain, Index n);

/// The solver's set; callables are tested first, and what is found is thrown as InvalidArgument.
ConvexSetPtr make_set(const Domain& domain, VectorIn start);

std::string in_words(const Part& part);
std::string in_words(const Domain& domain);

}  // namespace fcbio::python
