// Who takes part in a comparison: methods with their settings.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fcbio/method.hpp"
#include "report/report.hpp"

namespace fcbio::experiments {

struct Contestant {
  std::string label;  ///< shown; the method's name, or what the user wrote
  std::string method;
  OptionValues values;
};

/// "all": every registered method with its defaults.  Otherwise a list  NAME[:KEY=VALUE...],...  such as
/// "fcbio,pb-apg:gamma=1e4,pb-apg:gamma=1e5".  Throws InvalidArgument for unknown names and options, and for a
/// contestant that is listed twice.
std::vector<Contestant> parse_contestants(std::string_view text);

/// "needs ...; what is missing", or empty: the method fits.
std::string why_not(const Problem& problem, const Contestant& contestant);

/// Its settings with `iterations` set, unless the user did or the method has no such option.
OptionValues with_iterations(const Contestant& contestant, std::int64_t iterations);

/// Takes those out of the list that do not fit the problem, and tells why.
std::vector<report::LeftOut> remove_misfits(const Problem& problem, std::vector<Contestant>& contestants);

}  // namespace fcbio::experiments
