// Bytes in order, some at a time: of a file, of memory, or of what a compressed file holds.
#pragma once

#include <cstddef>
#include <cstring>
#include <string_view>

namespace fcbio::io {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Writes up to `room` > 0 of the next bytes and says how many; 0: there are no more.
  virtual std::size_t read(char* to, std::size_t room) = 0;
};

/// Bytes that are in memory and stay there.
class MemorySource : public ByteSource {
 public:
  explicit MemorySource(std::string_view bytes) : rest_(bytes) {}
  std::size_t read(char* to, std::size_t room) override {
    const std::size_t count = rest_.copy(to, room);
    rest_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view rest_;
};

}  // namespace fcbio::io
