#include "io/fcb_format.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "io/checksum.hpp"
#include "io/text_source.hpp"

namespace fcbio::io {

namespace {

using std::string_view_literals::operator""sv;

constexpr std::string_view kFcbMagic =
    "\x89"
    "FCB\r\n\x1a\n"sv;  // changed by whoever takes the file for text
constexpr std::uint32_t kFcbByteOrder = 0x01020304, kFcbOtherByteOrder = 0x04030201;
constexpr std::uint64_t kMostSections = 64;
constexpr Index kLargestSide = std::numeric_limits<std::int32_t>::max();

struct FcbHeader {
  std::array<char, 8> magic{};
  std::uint32_t byte_order = kFcbByteOrder;
  std::uint32_t version = kFcbVersion;
  std::uint64_t file_size = 0;
  std::uint64_t directory_offset = 0;
  std::uint64_t directory_size = 0;
  std::uint64_t directory_checksum = 0;
  std::uint64_t reserved = 0;
  std::uint64_t header_checksum = 0;  // of all before
};
static_assert(sizeof(FcbHeader) == kFcbHeader);

std::uint64_t fcb_header_checksum(const FcbHeader& header) {
  return checksum({reinterpret_cast<const char*>(&header), offsetof(FcbHeader, header_checksum)});
}

constexpr const char* kConvertAgain = "copy the file again, or make it again with fcbio convert";

[[noreturn]] void refuse_fcb(const std::string& name, std::string expected, std::string found,
                             std::string remedy = kConvertAgain) {
  refuse({{}, name}, 0, std::move(expected), std::move(found), std::move(remedy));
}

FcbHeader checked_fcb_header(std::string_view file, const std::string& name) {
  if (file.substr(0, kFcbMagic.size()) != kFcbMagic.substr(0, file.size()) || file.empty())
    refuse_fcb(name, "data in fcbio's binary form, as the name says", "other data",
               "make it with fcbio convert, or give the file the ending of its format");
  if (file.size() < sizeof(FcbHeader))
    refuse_fcb(name, "a header of " + counted(sizeof(FcbHeader), "byte"),
               counted(static_cast<std::int64_t>(file.size()), "byte"));
  FcbHeader header;
  std::memcpy(&header, file.data(), sizeof(header));
  if (header.byte_order == kFcbOtherByteOrder)
    refuse_fcb(name, "a file in the byte order of this machine", "the other byte order",
               "make it with fcbio convert on a machine like this one");
  if (header.version != kFcbVersion && header.byte_order == kFcbByteOrder)
    refuse_fcb(name, "version " + std::to_string(kFcbVersion) + " of the binary form",
               "version " + std::to_string(header.version),
               header.version > kFcbVersion ? "use a newer fcbio, or make the file again with this one's convert"
                                            : "make the file again with fcbio convert");
  if (header.header_checksum != fcb_header_checksum(header) || header.byte_order != kFcbByteOrder)
    refuse_fcb(name, "an intact header", "damage (its checksum does not fit)");
  if (header.file_size != file.size())
    refuse_fcb(name, counted(static_cast<std::int64_t>(header.file_size), "byte") + ", as its header says",
               counted(static_cast<std::int64_t>(file.size()), "byte"));
  return header;
}

/// Words one after the other, never more than there are.
class WordReader {
 public:
  WordReader(std::string_view bytes, const std::string& name) : rest_(bytes), name_(name) {}
  std::uint64_t next() {
    std::uint64_t word = 0;
    if (rest_.size() < sizeof(word)) refuse_fcb(name_, "a complete directory", "that it ends too early");
    std::memcpy(&word, rest_.data(), sizeof(word));
    rest_.remove_prefix(sizeof(word));
    return word;
  }
  Index side() {
    const std::uint64_t count = next();
    if (count == 0 || count > static_cast<std::uint64_t>(kLargestSide))
      refuse_fcb(name_, "1 to " + std::to_string(kLargestSide) + " rows and columns", std::to_string(count));
    return static_cast<Index>(count);
  }
  bool done() const { return rest_.empty(); }

 private:
  std::string_view rest_;
  const std::string& name_;
};

void check_place(const SectionEntry& section, std::uint64_t end, const std::string& name) {
  if (section.offset % kFcbAlignment != 0 || section.offset < kFcbHeader || section.offset > end ||
      section.size > end - section.offset)
    refuse_fcb(name, "sections within the file",
               "one of " + std::to_string(section.size) + " bytes at " + std::to_string(section.offset));
}

void require_size(const FcbDirectory& directory, Section kind, std::uint64_t size, const std::string& name) {
  const SectionEntry* section = directory.find(kind);
  if (section == nullptr || section->size != size)
    refuse_fcb(name, "a section of " + std::to_string(size) + " bytes",
               section == nullptr ? "none" : std::to_string(section->size) + " bytes");
}

void check_sizes(const FcbDirectory& directory, const std::string& name) {
  const auto rows = static_cast<std::uint64_t>(directory.rows), cols = static_cast<std::uint64_t>(directory.cols),
             numbers = static_cast<std::uint64_t>(directory.numbers);
  if (directory.find(Section::labels) != nullptr) require_size(directory, Section::labels, 8 * rows, name);
  if (!directory.sparse) return require_size(directory, Section::dense, 8 * rows * cols, name);
  require_size(directory, Section::starts, 8 * (rows + 1), name);
  require_size(directory, Section::columns, 4 * numbers, name);
  require_size(directory, Section::values, 8 * numbers, name);
}

}  // namespace

const SectionEntry* FcbDirectory::find(Section kind) const {
  const auto found = std::find_if(sections.begin(), sections.end(),
                                  [kind](const SectionEntry& section) { return section.kind == kind; });
  return found == sections.end() ? nullptr : &*found;
}

std::string encode_directory(const FcbDirectory& directory) {
  std::string bytes;
  const auto word = [&bytes](std::uint64_t number) {
    bytes.append(reinterpret_cast<const char*>(&number), sizeof(number));
  };
  word(directory.sparse ? 1 : 0);
  word(static_cast<std::uint64_t>(directory.rows));
  word(static_cast<std::uint64_t>(directory.cols));
  word(static_cast<std::uint64_t>(directory.numbers));
  word(directory.tile_layout);
  word(directory.sections.size());
  for (const SectionEntry& section : directory.sections) {
    word(static_cast<std::uint64_t>(section.kind));
    word(section.offset);
    word(section.size);
    for (const std::uint64_t sum : section.checksums) word(sum);
  }
  return bytes;
}

std::array<char, kFcbHeader> encode_header(std::string_view directory, std::uint64_t offset,
                                           std::uint64_t file_size) {
  FcbHeader header;
  std::copy(kFcbMagic.begin(), kFcbMagic.end(), header.magic.begin());
  header.file_size = file_size;
  header.directory_offset = offset;
  header.directory_size = directory.size();
  header.directory_checksum = checksum(directory);
  header.header_checksum = fcb_header_checksum(header);
  std::array<char, kFcbHeader> bytes;
  std::memcpy(bytes.data(), &header, sizeof(header));
  return bytes;
}

FcbDirectory decode_directory(std::string_view file, const std::string& name) {
  const FcbHeader header = checked_fcb_header(file, name);
  if (header.directory_offset > file.size() || header.directory_size > file.size() - header.directory_offset)
    refuse_fcb(name, "a directory within the file", "one behind its end");
  const std::string_view bytes = file.substr(static_cast<std::size_t>(header.directory_offset),
                                             static_cast<std::size_t>(header.directory_size));
  if (checksum(bytes) != header.directory_checksum)
    refuse_fcb(name, "an intact directory", "damage (its checksum does not fit)");

  WordReader words(bytes, name);
  FcbDirectory directory;
  directory.sparse = words.next() != 0;
  directory.rows = words.side();
  directory.cols = words.side();
  const std::uint64_t numbers = words.next();
  if (numbers == 0 || numbers > std::numeric_limits<std::uint64_t>::max() / 16)
    refuse_fcb(name, "stored numbers", std::to_string(numbers));
  directory.numbers = static_cast<Index>(numbers);
  if (!directory.sparse && directory.numbers != directory.rows * directory.cols)
    refuse_fcb(name, "rows times columns stored numbers", std::to_string(numbers));
  directory.tile_layout = words.next();
  const std::uint64_t count = words.next();
  if (count > kMostSections) refuse_fcb(name, "at most 64 sections", std::to_string(count));
  for (std::uint64_t i = 0; i < count; ++i) {
    SectionEntry section;
    section.kind = static_cast<Section>(words.next());
    section.offset = words.next();
    section.size = words.next();
    check_place(section, header.directory_offset, name);
    if (directory.find(section.kind) != nullptr) refuse_fcb(name, "each section once", "one of them twice");
    for (std::uint64_t begin = 0; begin < section.size; begin += kFcbBlock)
      section.checksums.push_back(words.next());
    directory.sections.push_back(std::move(section));
  }
  if (!words.done()) refuse_fcb(name, "a directory that ends with its last section", "more");
  check_sizes(directory, name);
  return directory;
}

}  // namespace fcbio::io
