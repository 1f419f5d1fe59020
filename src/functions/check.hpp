// What the functions ask of their data.  Refusals speak as in linalg/refusal.hpp.
#pragma once

#include <string>
#include <string_view>

#include "fcbio/types.hpp"
#include "linalg/refusal.hpp"

namespace fcbio::functions {

/// The shortest decimal text that reads back as `value`.
std::string number_text(double value);

/// Not empty, and every entry finite.  `what` in words: "targets".
void require_numbers(std::string_view who, const std::string& what, VectorIn values);
/// Not empty, and every entry exactly -1 or +1.
void require_labels(std::string_view who, VectorIn labels);
/// `count` numbers, finite, >= 0 and not all 0.
void require_weights(std::string_view who, VectorIn weights, Index count);

}  // namespace fcbio::functions
