// The bytes of an ordinary file.  Pipes, devices, sockets and directories are refused without waiting for them:
// a pipe may never end and /dev/zero never does.  A link counts as what it leads to.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "io/byte_source.hpp"

namespace fcbio::io {

/// What is read, for the messages and for the largest size allowed.
struct FileKind {
  std::string expected;          ///< "a readable file"
  std::string missing_remedy;    ///< for a file that cannot be opened
  std::string directory_remedy;  ///< for a directory
  std::uint64_t largest = 0;     ///< bytes
  std::string size_remedy;       ///< for a file that is larger
};

/// JSON and TOML are held several times over while they are read.
inline constexpr std::uint64_t kLargestText = std::uint64_t{1} << 28;

/// An open file.  Everything throws InputError.
class RegularFile : public ByteSource {
 public:
  RegularFile(const std::filesystem::path& file, FileKind kind);
  ~RegularFile() override;
  RegularFile(const RegularFile&) = delete;
  RegularFile& operator=(const RegularFile&) = delete;

  std::size_t read(char* to, std::size_t room) override;
  /// The first bytes, at most `room` of them; read() is not moved by it.
  std::size_t read_head(char* to, std::size_t room) const;
  std::uint64_t size() const { return size_; }  ///< when it was opened
  std::uint64_t bytes_read() const { return bytes_read_; }
  int descriptor() const { return descriptor_; }
  const std::string& name() const { return name_; }

 private:
  [[noreturn]] void refuse_missing(int error) const;
  void check_status();

  std::string name_;
  FileKind kind_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  std::uint64_t bytes_read_ = 0;
};

/// Throws InputError.  The size is checked before anything is allocated.
std::string read_regular_file(const std::filesystem::path& file, const FileKind& kind);

}  // namespace fcbio::io
