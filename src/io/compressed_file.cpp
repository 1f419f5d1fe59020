#include "io/compressed_file.hpp"

#include <algorithm>
#include <array>

#include "io/compressed_stream.hpp"
#include "io/memory.hpp"
#include "io/text_source.hpp"

namespace fcbio::io {

namespace {

constexpr std::size_t kLongestMagic = 6;
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

UnpackedFile::UnpackedFile(const std::filesystem::path& file, std::uint64_t largest)
    : packed_(file, {"a readable file",
                     "check the path (paths in a problem file are relative to that file) and its permissions",
                     "name a file in it", largest, "use a part of the rows"}) {
  const Compression named = named_compression(file);
  std::array<char, kLongestMagic> head;
  const std::size_t count = packed_.read_head(head.data(), head.size());
  if (count > 0) check_name({{head.data(), count}, name()}, named);
  if (count > 0 && named != Compression::none)
    decoder_ = make_decoder(named, packed_, name(), std::min(largest, room_for_text()));
}

std::size_t UnpackedFile::read(char* to, std::size_t room) {
  const std::size_t count = decoder_ != nullptr ? decoder_->read(to, room) : packed_.read(to, room);
  if (count == 0 && !anything_)
    throw InputError({name(), 0, "data", "an empty file", "check how the file was made"});
  anything_ = true;
  return count;
}

std::uint64_t room_for_text() { return physical_memory() / 2; }

std::string read_whole_file(const std::filesystem::path& file, std::uint64_t largest) {
  const std::uint64_t room = std::min(largest, room_for_text());
  return within_memory(file, [&] {
    UnpackedFile source(file, room);
    return read_all(source, source.name(), room, source.is_plain() ? source.size() : 0);
  });
}

void refuse_too_large(const std::filesystem::path& file) {
  throw InputError({file.string(), 0, "data that fit into memory", "more than that", "use a part of the rows"});
}

std::string format_ending(const std::filesystem::path& file) {
  const std::filesystem::path plain = named_compression(file) == Compression::none ? file : file.stem();
  return lower_case(plain.extension().string());
}

}  // namespace fcbio::io
