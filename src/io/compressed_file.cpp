#include "io/compressed_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <new>
#include <stdexcept>
#include <system_error>

#include "io/compressed_stream.hpp"

namespace fcbio::io {

namespace {

constexpr Compression kCompressions[] = {Compression::gzip, Compression::xz, Compression::zstd};
constexpr std::size_t kFirstRead = std::size_t{1} << 16;

Compression named_compression(const std::filesystem::path& file) {
  const std::string ending = lower_case(file.extension().string());
  for (const Compression compression : kCompressions) {
    if (ending == ending_of(compression)) return compression;
  }
  return Compression::none;
}

[[noreturn]] void refuse_file(const std::string& name, int error) {
  throw InputError({name, 0, "a readable file", std::generic_category().message(error),
                    "check the path (paths in a problem file are relative to that file) and its permissions"});
}

struct Descriptor {
  int number;
  ~Descriptor() { ::close(number); }
};

/// Regular files in one read; pipes until they end.
std::string read_bytes(const std::string& name) {
  const Descriptor descriptor{::open(name.c_str(), O_RDONLY | O_CLOEXEC)};
  if (descriptor.number < 0) refuse_file(name, errno);
  struct stat status {};
  if (::fstat(descriptor.number, &status) != 0) refuse_file(name, errno);
  if (S_ISDIR(status.st_mode)) {
    throw InputError({name, 0, "a readable file", "a directory", "name a file in it"});
  }

  std::string bytes;
  std::size_t filled = 0;
  // One byte more than the size, so that the end is seen without growing once more.
  bytes.resize(status.st_size > 0 ? static_cast<std::size_t>(status.st_size) + 1 : kFirstRead);
  for (;;) {
    const ssize_t count = ::read(descriptor.number, bytes.data() + filled, bytes.size() - filled);
    if (count < 0) {
      if (errno == EINTR) continue;
      refuse_file(name, errno);
    }
    if (count == 0) break;
    filled += static_cast<std::size_t>(count);
    if (filled == bytes.size()) bytes.resize(2 * filled);
  }
  bytes.resize(filled);
  return bytes;
}

void check_name(const TextSource& source, Compression named) {
  const Compression detected = detect_compression(source.text);
  if (detected == named) return;
  if (named == Compression::none) {
    refuse(source, 0, "a file that is not compressed, as its name says",
           std::string(to_string(detected)) + " data", "add " + std::string(ending_of(detected)) + " to its name");
  }
  const std::string found =
      detected == Compression::none ? "other data" : std::string(to_string(detected)) + " data";
  refuse(source, 0, std::string(to_string(named)) + " data, as the name says", found,
         "give the file the ending that fits its contents");
}

}  // namespace

std::string read_whole_file(const std::filesystem::path& file) {
  const std::string name = file.string();
  try {
    std::string bytes = read_bytes(name);
    const Compression named = named_compression(file);
    if (!bytes.empty()) {
      const TextSource source{bytes, name};
      check_name(source, named);
      if (named != Compression::none) bytes = decompress(source, named);
    }
    if (bytes.empty()) throw InputError({name, 0, "data", "an empty file", "check how the file was made"});
    return bytes;
  } catch (const std::bad_alloc&) {
  } catch (const std::length_error&) {
  }
  throw InputError({name, 0, "data that fit into memory", "more than that", "use a part of the rows"});
}

std::string format_ending(const std::filesystem::path& file) {
  const std::filesystem::path plain = named_compression(file) == Compression::none ? file : file.stem();
  return lower_case(plain.extension().string());
}

}  // namespace fcbio::io
