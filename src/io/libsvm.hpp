// LIBSVM (SVMlight) text: one row per line,
//     label index:value index:value ...   # comment
// Labels are any finite reals.  Indices count from 1 and ascend strictly within a line; explicit zeros are kept.
// Blank lines and comments are skipped.  A `qid:N` directly behind the label (ranking data) is skipped: it names a
// query, not a feature.  The number of columns is the largest index present; empty trailing features are not seen.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "fcbio/linear_map.hpp"
#include "io/text_blocks.hpp"
#include "io/text_source.hpp"

namespace fcbio::io {

struct LibsvmData {
  CsrMatrix matrix;
  Vector labels;  ///< one per row
};

/// Some rows.
struct LibsvmRows {
  std::vector<double> labels;         ///< one per row
  std::vector<std::int64_t> ends;     ///< behind the last pair of every row
  std::vector<std::int32_t> columns;  ///< of the pairs
  std::vector<double> values;
  std::int64_t largest_index = 0;  ///< from 1
};

/// All rows, some at a time, in order; parsed on all threads of the scope.  Throws InputError; also, at the end, when
/// there was no row or no entry at all.
void read_libsvm(TextBlocks& text, const std::function<void(LibsvmRows&& rows)>& take);
/// The same for a part of a text, which may be without rows.
void parse_libsvm_rows(TextBlocks& text, const std::function<void(LibsvmRows&& rows)>& take);
/// Throws what read_libsvm() does at the end.
void require_libsvm_rows(const std::string& name, bool any_row, bool any_pair);
LibsvmData read_libsvm(TextBlocks& text);
LibsvmData parse_libsvm(const TextSource& source);
/// True if the first line that holds anything is a label followed by an index:value pair.
bool looks_like_libsvm(std::string_view text);

/// Numbers read back to the same bits.  Throws InvalidArgument for sizes that disagree or numbers not finite.
std::string format_libsvm(const CsrMatrix& matrix, VectorIn labels);
void write_libsvm(const std::filesystem::path& file, const CsrMatrix& matrix, VectorIn labels);

}  // namespace fcbio::io
