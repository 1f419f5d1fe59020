// How the number of variables n of a problem file is found.  Everything that knows n makes a claim: `dimension`,
// data columns, vectors, matrices, sets.  All claims must agree; `dimension` settles what sparse files leave open,
// since those do not show their empty last columns: with it, and only with it, they are padded.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "fcbio/types.hpp"

namespace fcbio::io {

inline constexpr std::int64_t kLargestDimension = std::numeric_limits<std::int32_t>::max();

struct DimensionClaim {
  Index n = 0;
  std::string source;     ///< "train.svm", "`center` of [upper]"
  std::int64_t line = 0;  ///< in the problem file
  bool paddable = false;  ///< sparse data: n is the least it can be
};

using DimensionClaims = std::vector<DimensionClaim>;

/// The n all claims agree on.  `fixed` is the value of `dimension`, `what` the table it stands in ("the problem").
/// Throws InputError when two claims disagree (both are named) or when there is no claim.
Index agreed_dimension(const DimensionClaims& claims, std::optional<Index> fixed, std::string_view what,
                       const std::filesystem::path& file, std::int64_t line);

}  // namespace fcbio::io
