// JSON that may come from a stranger.  Besides wrong syntax, what different readers understand differently or what
// would bring a recursive one down is refused: a key twice in one object, nesting deeper than kDeepestJson,
// numbers beyond the range of double.
#pragma once

#include <nlohmann/json.hpp>

#include "io/text_source.hpp"

namespace fcbio::io {

inline constexpr std::size_t kDeepestJson = 32;

/// Throws InputError.
nlohmann::json parse_strict_json(const TextSource& source);

}  // namespace fcbio::io
