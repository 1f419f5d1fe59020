// Files appear complete or not at all: contents go to a temporary file in the same directory, are flushed to the
// disk, and the temporary then takes the name of the file.  On any failure the temporary is removed and an older
// file of that name stays as it was.  An existing file keeps its permissions, and a symbolic link stays a link:
// the file it leads to is replaced.  Devices and pipes (/dev/stdout) are written directly.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace fcbio::io {

class AtomicFile {
 public:
  /// Throws InputError when the temporary cannot be made or the name is a directory's.
  explicit AtomicFile(std::filesystem::path file);
  ~AtomicFile();  ///< without commit(): nothing happened
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);  ///< throws InputError
  /// Over what was written from there on; throws InputError, also where it is no ordinary file that is written.
  void write_at(std::uint64_t offset, std::string_view bytes);
  /// From now on what is written can be read in the file, an older one is gone; throws InputError.
  void publish();
  void commit();  ///< throws InputError; to be called once

 private:
  [[noreturn]] void fail(const char* step, int error);
  void discard() noexcept;
  std::filesystem::path file_;       ///< as asked for: shown in messages
  std::filesystem::path target_;     ///< links resolved
  std::filesystem::path temporary_;  ///< empty: written directly, or published
  bool is_ordinary_ = true;          ///< no device or pipe
  int descriptor_ = -1;
};

void write_file_atomically(const std::filesystem::path& file, std::string_view contents);

}  // namespace fcbio::io
