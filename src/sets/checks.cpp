// The argument checks shared by all sets; see checks.hpp.
#include "sets/checks.hpp"

#include <cstdio>

#include "fcbio/error.hpp"

namespace fcbio::sets {

std::string text_of(double number) {
  char text[40];
  std::snprintf(text, sizeof text, "%.10g", number);
  return text;
}

std::string text_of(Index number) { return std::to_string(number); }

std::string premises_of(const std::vector<ConvexSetPtr>& sets) {
  std::string all;
  for (const ConvexSetPtr& set : sets) {
    const std::string premise = set->premise();
    if (!premise.empty()) all += (all.empty() ? "" : ", and if ") + premise;
  }
  return all;
}

void require_dimension(const char* owner, Index n) {
  if (n >= 1) return;
  throw InvalidArgument(std::string(owner) + ": expected a dimension of at least 1, found " + text_of(n) +
                        "; give at least one coordinate");
}

void require_finite(const char* owner, const char* what, double number) {
  if (std::isfinite(number)) return;
  throw InvalidArgument(std::string(owner) + ": expected a finite " + what + ", found " + text_of(number) +
                        "; give a finite number");
}

void require_finite(const char* owner, const char* what, VectorIn numbers) {
  for (Index i = 0; i < numbers.size(); ++i) {
    if (std::isfinite(numbers[i])) continue;
    throw InvalidArgument(std::string(owner) + ": expected finite " + what + ", found " + text_of(numbers[i]) +
                          " at index " + text_of(i) + "; give finite numbers");
  }
}

void require_size(const char* owner, const char* what, double number) {
  if (std::isfinite(number) && number >= 0.0) return;
  throw InvalidArgument(std::string(owner) + ": expected a finite " + what + " >= 0, found " + text_of(number) +
                        "; give a positive " + what + " (0 makes the set a single point)");
}

}  // namespace fcbio::sets
