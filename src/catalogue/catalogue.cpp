// The one list of built-in problems.
#include "catalogue/catalogue.hpp"

#include <fmt/format.h>

#include "catalogue/builders.hpp"
#include "core/nearest_name.hpp"
#include "fcbio/error.hpp"

namespace fcbio::catalogue {

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all = [] {
    std::vector<Entry> list;
    for (auto make :
         {minimum_norm_entries, collinear_entries, logistic_entries, logistic_norm_entries, polynomial_entries,
          fair_entries, regression_entries, dictionary_entries, integral_equation_entries, lasso_entries,
          face_entries, nonsmooth_entries, hinge_document_entries, hard_entries, literature_entries})
      for (Entry& entry : make()) list.push_back(std::move(entry));
    return list;
  }();
  return all;
}

const Entry& find_entry(std::string_view name) {
  std::vector<std::string> known;
  for (const Entry& entry : entries()) {
    if (entry.name == name) return entry;
    known.push_back(entry.name);
  }
  throw InvalidArgument(fmt::format("unknown problem '{}'{}; known problems: {}", name, did_you_mean(name, known),
                                    fmt::join(known, ", ")));
}

}  // namespace fcbio::catalogue
