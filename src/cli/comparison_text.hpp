// A comparison as text: reference, table, chart.  Shared by `compare` and `paper`.
#pragma once

#include <string>

#include "experiments/comparison.hpp"

namespace fcbio::cli {

std::string reference_in_words(const experiments::Reference& reference);  ///< lines for the terminal
std::string reference_sentence(const experiments::Reference& reference);  ///< the same as one paragraph
std::string comparison_table(const experiments::Comparison& comparison);
/// How far each method is from a weak solution, against passes: the larger of (f(x) - f*)/eps_f and (g(x) -
/// g*)/eps_g.
std::string comparison_chart(const experiments::Comparison& comparison);

}  // namespace fcbio::cli
