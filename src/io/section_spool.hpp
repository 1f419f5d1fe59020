// One section of a file in the binary form while it is made: its bytes go to a file without a name beside the one that is
// to be written, since sections that grow at the same time cannot grow in one file.  Memory is that of one block.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "io/atomic_file.hpp"
#include "io/fcb_format.hpp"
#include "io/mapped_file.hpp"

namespace fcbio::io {

class SectionSpool {
 public:
  /// `target` is the file that is to be written.  Everything throws InputError where the disk refuses.
  SectionSpool(Section kind, const std::filesystem::path& target);
  ~SectionSpool();
  SectionSpool(const SectionSpool&) = delete;
  SectionSpool& operator=(const SectionSpool&) = delete;

  template <class Number>
  void append(std::span<const Number> numbers) {
    append({reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()});
  }
  void append(std::string_view bytes);

  /// No more comes.  Then:
  void finish();
  std::uint64_t size() const { return entry_.size; }
  template <class Number>
  std::span<const Number> array() const {
    return {reinterpret_cast<const Number*>(mapped_->bytes().data()), mapped_->bytes().size() / sizeof(Number)};
  }
  /// Writes it, and says where it is.
  SectionEntry write_to(AtomicFile& file, std::uint64_t offset) const;

 private:
  void flush();
  [[noreturn]] void fail(int error) const;

  std::filesystem::path target_;
  SectionEntry entry_;
  std::string block_;
  int descriptor_ = -1;
  std::unique_ptr<const MappedFile> mapped_;
};

}  // namespace fcbio::io
