#include "cli/family_argument.hpp"

#include <fmt/format.h>

#include "fcbio/error.hpp"

namespace fcbio::cli {

theory::Family family_named(const std::string& command, const std::string& text) {
  if (text == "smooth") return theory::Family::smooth;
  if (text == "lipschitz") return theory::Family::lipschitz;
  throw InvalidArgument(fmt::format("{}: expected smooth or lipschitz, found '{}'", command, text));
}

}  // namespace fcbio::cli
