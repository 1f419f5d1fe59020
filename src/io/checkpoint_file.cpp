#include "io/checkpoint_file.hpp"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <fstream>

#include "data/input_error.hpp"
#include "io/atomic_file.hpp"
#include "io/checksum.hpp"
#include "io/regular_file.hpp"
#include "linalg/archive.hpp"

namespace fcbio::io {
namespace {

using std::string_view_literals::operator""sv;

constexpr std::string_view kCheckpointMagic =
    "\x89"
    "FCK\r\n\x1a\n"sv;  // changed by whoever takes the file for text
constexpr std::uint32_t kCheckpointByteOrder = 0x01020304, kCheckpointOtherByteOrder = 0x04030201;

struct CheckpointHeader {
  std::array<char, 8> magic{};
  std::uint32_t byte_order = kCheckpointByteOrder;
  std::uint32_t version = kCheckpointVersion;
  std::uint64_t file_size = 0;
  std::uint64_t identity_size = 0;
  std::uint64_t identity_checksum = 0;
  std::uint64_t state_checksum = 0;
  std::uint64_t reserved = 0;
  std::uint64_t header_checksum = 0;  // of all before
};
static_assert(sizeof(CheckpointHeader) == 64);

std::uint64_t checkpoint_header_checksum(const CheckpointHeader& header) {
  return checksum({reinterpret_cast<const char*>(&header), offsetof(CheckpointHeader, header_checksum)});
}

constexpr const char* kBeginAgain = "leave --resume out to begin again, or give an older copy";

[[noreturn]] void refuse_checkpoint(const std::filesystem::path& file, std::string expected, std::string found,
                                    std::string remedy = kBeginAgain) {
  throw InputError({file.string(), 0, std::move(expected), std::move(found), std::move(remedy)});
}

CheckpointHeader checked_checkpoint_header(const std::filesystem::path& file, std::string_view bytes) {
  if (bytes.empty() || bytes.substr(0, kCheckpointMagic.size()) != kCheckpointMagic.substr(0, bytes.size()))
    refuse_checkpoint(file, "a checkpoint of fcbio", bytes.empty() ? "an empty file" : "another kind of file",
                      "give the file that --checkpoint named");
  const std::string cut = fmt::format("{} bytes: it was cut short", bytes.size());
  if (bytes.size() < sizeof(CheckpointHeader))
    refuse_checkpoint(file, "a checkpoint with its header of 64 bytes", cut);
  CheckpointHeader header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  if (header.byte_order == kCheckpointOtherByteOrder)
    refuse_checkpoint(file, "a checkpoint in the byte order of this machine", "the other byte order",
                      "resume on a machine like the one that wrote it");
  if (header.byte_order == kCheckpointByteOrder && header.version != kCheckpointVersion)
    refuse_checkpoint(file, fmt::format("version {} of the form of checkpoints", kCheckpointVersion),
                      fmt::format("version {}", header.version), "resume with the program that wrote it");
  if (header.header_checksum != checkpoint_header_checksum(header) || header.byte_order != kCheckpointByteOrder)
    refuse_checkpoint(file, "an intact header", "damage (its checksum does not fit)");
  if (header.file_size != bytes.size())
    refuse_checkpoint(file, fmt::format("{} bytes, as its header says", header.file_size),
                      header.file_size > bytes.size() ? cut : fmt::format("{} bytes", bytes.size()));
  if (header.identity_size > bytes.size() - sizeof(CheckpointHeader))
    refuse_checkpoint(file, "an identity within the file", "one behind its end");
  return header;
}

}  // namespace

void write_checkpoint(const std::filesystem::path& file, const CheckpointIdentity& identity,
                      std::string_view state) {
  Archive words;
  CheckpointIdentity copy = identity;
  words(copy);
  CheckpointHeader header;
  std::copy(kCheckpointMagic.begin(), kCheckpointMagic.end(), header.magic.begin());
  header.file_size = sizeof(CheckpointHeader) + words.written().size() + state.size();
  header.identity_size = words.written().size();
  header.identity_checksum = checksum(words.written());
  header.state_checksum = checksum(state);
  header.header_checksum = checkpoint_header_checksum(header);
  AtomicFile output(file);
  output.write({reinterpret_cast<const char*>(&header), sizeof(header)});
  output.write(words.written());
  output.write(state);
  output.commit();
}

std::string read_checkpoint(const std::filesystem::path& file, const CheckpointIdentity& identity) {
  const std::string bytes =
      read_regular_file(file, {"a readable checkpoint", "check the name, or leave --resume out to begin",
                               "name the file in it", std::numeric_limits<std::uint64_t>::max(), kBeginAgain});
  const CheckpointHeader header = checked_checkpoint_header(file, bytes);
  const std::string_view all = bytes;
  const std::string_view words = all.substr(sizeof(CheckpointHeader), header.identity_size),
                         state = all.substr(sizeof(CheckpointHeader) + header.identity_size);
  if (checksum(words) != header.identity_checksum)
    refuse_checkpoint(file, "an intact identity", "damage (its checksum does not fit)");
  CheckpointIdentity found;
  try {
    Archive reader(words);
    reader(found);
  } catch (const ArchiveError& error) {
    refuse_checkpoint(file, "an intact identity", error.what());
  }
  for (std::size_t i = 0; i < identity.size(); ++i) {
    const auto& [what, value] = identity[i];
    const bool named = i < found.size() && found[i].first == what;
    if (named && found[i].second == value) continue;
    refuse_checkpoint(file, fmt::format("a checkpoint of {} '{}'", what, value),
                      named ? fmt::format("one of '{}'", found[i].second) : "one that does not tell",
                      fmt::format("resume with the same {}, or leave --resume out to begin again", what));
  }
  if (found.size() > identity.size()) {
    const auto& [what, value] = found[identity.size()];
    refuse_checkpoint(file, fmt::format("a checkpoint without {}", what), fmt::format("one of '{}'", value),
                      fmt::format("resume with the same {}, or leave --resume out to begin again", what));
  }
  if (checksum(state) != header.state_checksum)
    refuse_checkpoint(file, "an intact state", "damage (its checksum does not fit)");
  return std::string(state);
}

bool is_checkpoint(const std::filesystem::path& file) {
  std::array<char, kCheckpointMagic.size()> begin{};
  std::ifstream input(file, std::ios::binary);
  return input.read(begin.data(), begin.size()) &&
         std::string_view(begin.data(), begin.size()) == kCheckpointMagic;
}

}  // namespace fcbio::io
