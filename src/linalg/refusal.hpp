// One sentence for every refusal of this room: who refuses, what was expected, what was found, what to do.
#pragma once

#include <string>

#include "fcbio/linear_map.hpp"

namespace fcbio {

[[noreturn]] void refuse(const std::string& who, const std::string& expected, const std::string& found,
                         const std::string& remedy);

/// "3 x 5".
std::string shape_text(Index rows, Index cols);

/// Both sides at least 1 and at most 2^31 - 1: BLAS and the sparse columns count with 32 bits.
void require_shape(const std::string& who, Index rows, Index cols);

[[noreturn]] void refuse_number(const std::string& who, Index row, Index col, double value);

[[noreturn]] void refuse_product(const LinearMap& map, const char* product, Index input, Index output);

/// The vectors of image <- M x.  Two comparisons; the text is only made when they fail.
inline void require_apply_sizes(const LinearMap& map, Index x, Index image) {
  if (x != map.cols() || image != map.rows()) refuse_product(map, "apply", x, image);
}

/// The vectors of gradient <- gradient + weight * M' dual.
inline void require_transpose_sizes(const LinearMap& map, Index dual, Index gradient) {
  if (dual != map.rows() || gradient != map.cols()) refuse_product(map, "add_transpose", dual, gradient);
}

}  // namespace fcbio
