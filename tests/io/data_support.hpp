// For the tests of data files: a scratch directory, compressors, and the text of a refusal.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "data/input_error.hpp"
#include "fcbio/linear_map.hpp"

namespace fcbio::io::testing {

/// A directory of its own, removed with all it holds.
class ScratchDirectory {
 public:
  ScratchDirectory();
  ~ScratchDirectory();
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }
  /// Writes a file and returns its path.
  std::filesystem::path file(std::string_view name, std::string_view contents) const;

 private:
  std::filesystem::path path_;
};

std::string contents_of(const std::filesystem::path& file);

std::string gzip(std::string_view text);
std::string xz(std::string_view text);
std::string zstd(std::string_view text);
/// By ending: "" (as it is), ".gz", ".xz", ".zst".
std::string compress(std::string_view text, std::string_view ending);

RowMajorMatrix to_dense(const CsrMatrix& matrix);

/// The message of the InputError that the action throws.
template <class Action>
std::string refusal(Action&& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "(accepted)";
}

}  // namespace fcbio::io::testing
