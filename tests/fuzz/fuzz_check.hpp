// What every fuzz target expects of a parser: it returns or throws InputError; what it returns is sound; and what
// is written from it reads back the same.  Anything else is a bug and ends the program.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "data/input_error.hpp"
#include "data/matrix.hpp"

namespace fcbio::io::fuzz {

inline void require(bool condition) {
  if (!condition) std::abort();
}

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

inline void require_sound(const RowMajorMatrix& matrix) { require(matrix.size() > 0 && matrix.allFinite()); }

inline void require_sound(const CsrMatrix& matrix) {
  require(matrix.rows > 0 && matrix.cols > 0 && matrix.nonzeros() > 0);
  require(matrix.starts.size() == static_cast<std::size_t>(matrix.rows) + 1);
  require(matrix.columns.size() == matrix.values.size());
  require(matrix.starts.front() == 0 && matrix.starts.back() == matrix.nonzeros());
  for (std::size_t row = 0; row + 1 < matrix.starts.size(); ++row) {
    require(matrix.starts[row] <= matrix.starts[row + 1]);
    std::int64_t previous = -1;
    for (auto k = static_cast<std::size_t>(matrix.starts[row]);
         k < static_cast<std::size_t>(matrix.starts[row + 1]); ++k) {
      require(matrix.columns[k] > previous && matrix.columns[k] < matrix.cols && std::isfinite(matrix.values[k]));
      previous = matrix.columns[k];
    }
  }
}

inline void require_sound(const data::Matrix& matrix) {
  if (const auto* sparse = std::get_if<CsrMatrix>(&matrix.matrix)) return require_sound(*sparse);
  require_sound(std::get<RowMajorMatrix>(matrix.matrix));
}

}  // namespace fcbio::io::fuzz
