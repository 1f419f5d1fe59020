// The options of fcbio-sm and fcbio-lip as tables.
#pragma once

#include "core/option_table.hpp"

namespace fcbio {

/// The tables list the options a method offers; the struct carries the rest at its default.
const OptionTable<FcbioOptions>& smooth_option_table();     // fcbio-sm
const OptionTable<FcbioOptions>& lipschitz_option_table();  // fcbio-lip

}  // namespace fcbio
