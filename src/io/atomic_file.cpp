#include "io/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>
#include <utility>

#include "data/input_error.hpp"

namespace fcbio::io {

namespace {

constexpr int kAttempts = 100;
constexpr mode_t kDefaultMode = 0666;  // less the user's umask
constexpr mode_t kPermissionBits = 0777;

/// A name that no other thread and no other running process uses.  Left-overs of a crashed process with the same
/// number are stepped over by the caller's attempts.
std::filesystem::path temporary_name(const std::filesystem::path& target) {
  static std::atomic<unsigned> counter{0};
  return target.parent_path() /
         fmt::format(".{}.{}.{}.tmp", target.filename().string(), ::getpid(), counter.fetch_add(1));
}

/// So that the new name survives a power failure; a file system that cannot do this is not an error.
void sync_directory(const std::filesystem::path& directory) noexcept {
  const int descriptor = ::open(directory.empty() ? "." : directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

AtomicFile::AtomicFile(std::filesystem::path file) : file_(std::move(file)), target_(file_) {
  struct stat status {};
  const bool exists = ::stat(file_.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) fail("open", EISDIR);
  if (exists && !S_ISREG(status.st_mode)) {
    descriptor_ = ::open(file_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail("open", errno);
    is_ordinary_ = false;
    return;
  }
  if (exists) {
    std::error_code error;
    target_ = std::filesystem::canonical(file_, error);
    if (error) fail("resolve", error.value());
  }
  for (int attempt = 0; descriptor_ < 0; ++attempt) {
    temporary_ = temporary_name(target_);
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kDefaultMode);
    if (descriptor_ < 0 && (errno != EEXIST || attempt == kAttempts)) {
      const int error = errno;
      temporary_.clear();
      fail("create", error);
    }
  }
  if (exists && ::fchmod(descriptor_, status.st_mode & kPermissionBits) != 0) fail("set permissions", errno);
}

AtomicFile::~AtomicFile() { discard(); }

void AtomicFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
    if (count < 0) {
      if (errno == EINTR) continue;
      fail("write", errno);
    }
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

void AtomicFile::write_at(std::uint64_t offset, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count < 0) {
      if (errno == EINTR) continue;
      fail("write", errno);
    }
    bytes.remove_prefix(static_cast<std::size_t>(count));
    offset += static_cast<std::uint64_t>(count);
  }
}

void AtomicFile::commit() {
  if (is_ordinary_ && ::fsync(descriptor_) != 0) fail("flush", errno);
  if (::close(std::exchange(descriptor_, -1)) != 0) fail("close", errno);
  publish();
}

void AtomicFile::publish() {
  if (temporary_.empty()) return;
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail("rename", errno);
  temporary_.clear();
  sync_directory(target_.parent_path());
}

void AtomicFile::discard() noexcept {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  temporary_.clear();
}

void AtomicFile::fail(const char* step, int error) {
  discard();
  throw InputError({file_.string(), 0, "a path that can be written",
                    std::string(step) + " failed: " + std::generic_category().message(error),
                    "check that the directory exists, is writable and has space"});
}

void write_file_atomically(const std::filesystem::path& file, std::string_view contents) {
  AtomicFile output(file);
  output.write(contents);
  output.commit();
}

}  // namespace fcbio::io
