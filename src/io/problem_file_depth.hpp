// The TOML library bounds how deep values nest, but a dotted key (a.b.c) makes a table per dot, and tables are
// taken apart by recursion.
#pragma once

#include "io/text_source.hpp"

namespace fcbio::io {

inline constexpr int kMostDots = 8;

/// Throws InputError for a text with more than kMostDots dots in one key.
void refuse_deep_keys(const TextSource& source);

}  // namespace fcbio::io
