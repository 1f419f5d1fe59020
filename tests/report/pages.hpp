// Reports for the tests: ordinary ones, and what could go wrong in a page.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "report/report.hpp"

namespace fcbio::report_test {

/// Three runs with curves; passes 9, 1000 and 80, so that sorting as text would be seen.
report::Report comparison();
/// Markup, quotes, control characters and bytes that are not UTF-8 in every text of the user.
report::Report hostile();
/// No samples, one sample, equal values, only unknown ones, infinite ones.
report::Report degenerate();
/// Forty runs.
report::Report crowded();
/// Work against a lower bound, with a hostile name and a method that reached nothing.
report::Report bounds();
/// An experiment that confirmed a theorem.
report::Report theorem();
/// Nothing at all.
report::Report empty();

/// All of them, with the names of their pages.
std::vector<std::pair<std::string, report::Report>> pages();

}  // namespace fcbio::report_test
