// The plan of a sparse map as words of 64 bits, for a file.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "linalg/stored_map.hpp"

namespace fcbio::io {

std::vector<std::uint64_t> words_of(const SparseMapPlan& plan);
/// Throws InvalidArgument for words that are no plan; whether the plan is sound is seen when a map is made of it.
SparseMapPlan plan_of(std::span<const std::uint64_t> words);

}  // namespace fcbio::io
