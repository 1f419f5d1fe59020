// The topics of `fcbio help`.
#pragma once

#include <string>
#include <vector>

namespace fcbio::cli {

struct HelpText {
  std::string topic, summary, text;
};

const std::vector<HelpText>& help_texts();

}  // namespace fcbio::cli
