// Data files, decompressed.  The ending of the name decides: .gz, .xz, .zst, else plain; the first bytes must agree
// with it.  A file that ends too early or fails its checksum is refused, never returned in part.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>

#include "io/byte_source.hpp"
#include "io/regular_file.hpp"

namespace fcbio::io {

/// The contents, some bytes at a time; there are some.  Throws InputError for a missing or unreadable file, anything
/// but an ordinary file, a file without contents or larger than `largest` bytes; when read, for a compressed file that
/// is damaged or not what its name says.
class UnpackedFile : public ByteSource {
 public:
  UnpackedFile(const std::filesystem::path& file, std::uint64_t largest);
  std::size_t read(char* to, std::size_t room) override;

  const std::string& name() const { return packed_.name(); }
  bool is_plain() const { return decoder_ == nullptr; }
  /// Of the file as it is: how far it was read, and how long it is.
  std::uint64_t bytes_read() const { return packed_.bytes_read(); }
  std::uint64_t size() const { return packed_.size(); }

 private:
  RegularFile packed_;
  std::unique_ptr<ByteSource> decoder_;
  bool anything_ = false;
};

/// Half the memory: no data file may have more bytes where it is held in memory, packed or unpacked.
std::uint64_t room_for_text();

/// All of it, never empty.  Throws InputError as UnpackedFile does, and for more than `largest` bytes or
/// room_for_text(), packed or unpacked.
std::string read_whole_file(const std::filesystem::path& file,
                            std::uint64_t largest = std::numeric_limits<std::uint64_t>::max());

/// The last ending of the name after .gz, .xz or .zst was taken off, in lower case with its dot: ".csv" for
/// "A.CSV.gz", "" for "a1a".
std::string format_ending(const std::filesystem::path& file);

[[noreturn]] void refuse_too_large(const std::filesystem::path& file);

/// Runs `read`, which holds a file in memory, and refuses a file for which there is not enough.
template <class Read>
auto within_memory(const std::filesystem::path& file, const Read& read) {
  try {
    return read();
  } catch (const std::bad_alloc&) {
  } catch (const std::length_error&) {
  }
  refuse_too_large(file);
}

}  // namespace fcbio::io
