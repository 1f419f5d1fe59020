#include "io/regular_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "io/text_source.hpp"

namespace fcbio::io {
namespace {

struct Descriptor {
  int number;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
};

[[noreturn]] void refuse_missing(const std::string& name, const FileKind& kind, int error) {
  throw InputError({name, 0, kind.expected, std::generic_category().message(error), kind.missing_remedy});
}

void check_status(const std::string& name, const FileKind& kind, const struct stat& status) {
  if (S_ISREG(status.st_mode)) {
    const auto size = static_cast<std::uint64_t>(status.st_size);
    if (size > kind.largest)
      throw InputError({name, 0, "at most " + std::to_string(kind.largest) + " bytes",
                        std::to_string(size) + " bytes", kind.size_remedy});
    return;
  }
  if (S_ISDIR(status.st_mode)) throw InputError({name, 0, kind.expected, "a directory", kind.directory_remedy});
  const char* const found = S_ISFIFO(status.st_mode)   ? "a pipe"
                            : S_ISSOCK(status.st_mode) ? "a socket"
                                                       : "a device";
  throw InputError({name, 0, kind.expected, found, "give an ordinary file"});
}

}  // namespace

std::string read_regular_file(const std::filesystem::path& file, const FileKind& kind) {
  const std::string name = file.string();
  struct stat status {};
  // Before it is opened: opening is already an action for some devices, and a pipe would wait for its writer.
  if (::stat(name.c_str(), &status) != 0) refuse_missing(name, kind, errno);
  check_status(name, kind, status);
  const Descriptor descriptor{::open(name.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)};
  if (descriptor.number < 0) refuse_missing(name, kind, errno);
  if (::fstat(descriptor.number, &status) != 0) refuse_missing(name, kind, errno);
  check_status(name, kind, status);

  std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const ssize_t count = ::read(descriptor.number, bytes.data() + filled, bytes.size() - filled);
    if (count < 0) {
      if (errno == EINTR) continue;
      refuse_missing(name, kind, errno);
    }
    if (count == 0) break;
    filled += static_cast<std::size_t>(count);
  }
  bytes.resize(filled);
  return bytes;
}

}  // namespace fcbio::io
