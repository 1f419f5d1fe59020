#include "io/regular_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "io/text_source.hpp"

namespace fcbio::io {

RegularFile::RegularFile(const std::filesystem::path& file, FileKind kind)
    : name_(file.string()), kind_(std::move(kind)) {
  // Before it is opened: opening is already an action for some devices, and a pipe would wait for its writer.
  check_status();
  descriptor_ = ::open(name_.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (descriptor_ < 0) refuse_missing(errno);
  try {
    check_status();
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

RegularFile::~RegularFile() { ::close(descriptor_); }

void RegularFile::refuse_missing(int error) const {
  throw InputError({name_, 0, kind_.expected, std::generic_category().message(error), kind_.missing_remedy});
}

/// Of the open file, or of the one with its name.
void RegularFile::check_status() {
  struct stat status {};
  if ((descriptor_ < 0 ? ::stat(name_.c_str(), &status) : ::fstat(descriptor_, &status)) != 0)
    refuse_missing(errno);
  if (S_ISREG(status.st_mode)) {
    size_ = static_cast<std::uint64_t>(status.st_size);
    if (size_ > kind_.largest)
      throw InputError({name_, 0, "at most " + std::to_string(kind_.largest) + " bytes",
                        std::to_string(size_) + " bytes", kind_.size_remedy});
    return;
  }
  if (S_ISDIR(status.st_mode)) throw InputError({name_, 0, kind_.expected, "a directory", kind_.directory_remedy});
  const char* const found = S_ISFIFO(status.st_mode)   ? "a pipe"
                            : S_ISSOCK(status.st_mode) ? "a socket"
                                                       : "a device";
  throw InputError({name_, 0, kind_.expected, found, "give an ordinary file"});
}

std::size_t RegularFile::read(char* to, std::size_t room) {
  for (;;) {
    const ssize_t count = ::read(descriptor_, to, room);
    if (count >= 0) {
      bytes_read_ += static_cast<std::uint64_t>(count);
      return static_cast<std::size_t>(count);
    }
    if (errno != EINTR) refuse_missing(errno);
  }
}

std::size_t RegularFile::read_head(char* to, std::size_t room) const {
  for (;;) {
    const ssize_t count = ::pread(descriptor_, to, room, 0);
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno != EINTR) refuse_missing(errno);
  }
}

std::string read_regular_file(const std::filesystem::path& file, const FileKind& kind) {
  RegularFile open(file, kind);
  std::string bytes(static_cast<std::size_t>(open.size()), '\0');
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const std::size_t count = open.read(bytes.data() + filled, bytes.size() - filled);
    if (count == 0) break;
    filled += count;
  }
  bytes.resize(filled);
  return bytes;
}

}  // namespace fcbio::io
