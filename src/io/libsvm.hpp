// LIBSVM (SVMlight) text: one row per line,
//     label index:value index:value ...   # comment
// Labels are any finite reals.  Indices count from 1 and ascend strictly within a line; explicit zeros are kept.
// Blank lines and comments are skipped.  A `qid:N` directly behind the label (ranking data) is skipped: it names a
// query, not a feature.  The number of columns is the largest index present; empty trailing features are not seen.
#pragma once

#include <filesystem>
#include <string>

#include "fcbio/linear_map.hpp"
#include "io/text_source.hpp"

namespace fcbio::io {

struct LibsvmData {
  CsrMatrix matrix;
  Vector labels;  ///< one per row
};

/// Throws InputError; also when there is no row or no entry at all.
LibsvmData parse_libsvm(const TextSource& source);
/// True if the first line that holds anything is a label followed by an index:value pair.
bool looks_like_libsvm(std::string_view text);

/// Numbers read back to the same bits.  Throws InvalidArgument for sizes that disagree or numbers not finite.
std::string format_libsvm(const CsrMatrix& matrix, VectorIn labels);
void write_libsvm(const std::filesystem::path& file, const CsrMatrix& matrix, VectorIn labels);

}  // namespace fcbio::io
