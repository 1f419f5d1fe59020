// Numbers and paragraphs for the terminal.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fcbio/options.hpp"
#include "fcbio/per_level.hpp"
#include "fcbio/result.hpp"
#include "report/report.hpp"

namespace fcbio::cli {

std::string short_number(double value);                         ///< 6 digits; "-" for NaN
std::string number(double value);                               ///< 10 digits; "-" for NaN
std::string signed_number(const std::optional<double>& value);  ///< with its sign; "not known" when empty

/// Breaks at spaces so that no line is longer than `width`; every line begins with `indent` spaces.
std::string wrap(std::string_view text, std::size_t indent, std::size_t width = 100);

/// "name  summary" rows, the summaries aligned and wrapped.
std::string two_columns(const std::vector<std::pair<std::string, std::string>>& rows);

/// Who was left out of a comparison and why, with a heading; empty for nobody.
std::string left_out_in_words(const std::vector<report::LeftOut>& left_out);

/// A table of options or parameters: name, what it takes, default, help.
std::string describe_options(const std::vector<OptionInfo>& options);

/// The values and bounds of what is maximised, for the levels that are; empty: none.
std::string maximum_in_words(const Result& result, const PerLevel<bool>& maximized);

/// What is known about the returned point, as sentences; every line ends with a newline.
std::string certificate_in_words(const Result& result);

/// Status, values, bounds, work and times, one per line.  read_seconds: empty when nothing was read.
std::string summary(const Result& result, std::optional<double> read_seconds);

}  // namespace fcbio::cli
