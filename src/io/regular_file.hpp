// The bytes of an ordinary file.  Pipes, devices, sockets and directories are refused without waiting for them:
// a pipe may never end and /dev/zero never does.  A link counts as what it leads to.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

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

/// Throws InputError.  The size is checked before anything is allocated.
std::string read_regular_file(const std::filesystem::path& file, const FileKind& kind);

}  // namespace fcbio::io
