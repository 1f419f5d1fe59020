#include "io/compressed_file.hpp"

#include <algorithm>
#include <new>
#include <stdexcept>

#include "io/compressed_stream.hpp"
#include "io/memory.hpp"
#include "io/regular_file.hpp"

namespace fcbio::io {

namespace {

constexpr Compression kCompressions[] = {Compression::gzip, Compression::xz, Compression::zstd};

Compression named_compression(const std::filesystem::path& file) {
  const std::string ending = lower_case(file.extension().string());
  for (const Compression compression : kCompressions) {
    if (ending == ending_of(compression)) return compression;
  }
  return Compression::none;
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

std::string read_whole_file(const std::filesystem::path& file, std::uint64_t largest) {
  const std::string name = file.string();
  const std::uint64_t room = std::min(largest, physical_memory() / 2);
  try {
    std::string bytes = read_regular_file(
        file, {"a readable file",
               "check the path (paths in a problem file are relative to that file) and its permissions",
               "name a file in it", room, "use a part of the rows"});
    const Compression named = named_compression(file);
    if (!bytes.empty()) {
      const TextSource source{bytes, name};
      check_name(source, named);
      if (named != Compression::none) bytes = decompress(source, named, room);
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
