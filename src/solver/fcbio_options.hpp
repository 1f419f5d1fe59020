// Options of fcbio-sm and fcbio-lip; the defaults are the published settings.
#pragma once

#include "core/option_table.hpp"

namespace fcbio {

struct FcbioOptions {
  std::string budget = "cap";
  std::int64_t cap = 8000;  // T' of the appendix
  bool early_stop = true;
  bool warm_start = true;
  double alpha0 = 0.5;
  double eta = 0.0;
  std::int64_t lower_iterations = 15000;
  std::optional<double> upper_bound_below;  // l
  bool two_sided = false;
};

/// The tables list the options a method offers; the struct carries the rest at its default.
const OptionTable<FcbioOptions>& smooth_option_table();     // fcbio-sm
const OptionTable<FcbioOptions>& lipschitz_option_table();  // fcbio-lip

}  // namespace fcbio
