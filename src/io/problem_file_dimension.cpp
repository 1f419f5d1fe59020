#include "io/problem_file_dimension.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "data/input_error.hpp"

namespace fcbio::io {

Index agreed_dimension(const DimensionClaims& claims, std::optional<Index> fixed, std::string_view what,
                       const std::filesystem::path& file, std::int64_t line) {
  if (fixed) {
    for (const DimensionClaim& claim : claims) {
      if (claim.n == *fixed || (claim.paddable && claim.n < *fixed)) continue;
      throw InputError({file.string(), claim.line,
                        fmt::format("{}{} columns or numbers in {}, as `dimension = {}` says",
                                    claim.paddable ? "at most " : "", *fixed, claim.source, *fixed),
                        fmt::format("{}", claim.n),
                        claim.paddable ? fmt::format("raise `dimension` to {} or more", claim.n)
                                       : "only sparse data (LIBSVM, Matrix Market) is padded with empty columns"});
    }
    return *fixed;
  }
  if (claims.empty())
    throw InputError({file.string(), line,
                      fmt::format("something that gives the dimension of {} (data, a vector, a matrix)", what),
                      "none", "add `dimension = n`"});
  const DimensionClaim& first = claims.front();
  for (const DimensionClaim& claim : claims) {
    if (claim.n == first.n) continue;
    const DimensionClaim& smaller = claim.n < first.n ? claim : first;
    const Index larger = std::max(claim.n, first.n);
    throw InputError(
        {file.string(), claim.line, fmt::format("n = {} (from {})", first.n, first.source),
         fmt::format("n = {} (from {})", claim.n, claim.source),
         smaller.paddable
             ? fmt::format(
                   "if the last features are absent from {}, pad it: `dimension = {}` at the top of the file",
                   smaller.source, larger)
             : "make them agree"});
  }
  return first.n;
}

}  // namespace fcbio::io
