// A file that is read where the system keeps it: nothing is copied, and what is not touched is not read.  Who shortens
// the file meanwhile ends the program.
#pragma once

#include <filesystem>
#include <string_view>

#include "io/regular_file.hpp"

namespace fcbio::io {

class MappedFile {
 public:
  /// Throws InputError.
  MappedFile(const std::filesystem::path& file, const FileKind& kind);
  /// What an open file holds; the file may then be closed.
  MappedFile(int descriptor, std::uint64_t size, const std::string& name);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view bytes() const { return {data_, size_}; }  ///< begin at a page

 private:
  void map(int descriptor, const std::string& name);
  const char* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace fcbio::io
