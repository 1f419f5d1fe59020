#include "io/compressed_stream.hpp"

#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <utility>
#include <vector>

#include "io/text_source.hpp"

namespace fcbio::io {

namespace {

constexpr std::size_t kChunk = std::size_t{1} << 18;
constexpr int kLargestZstdWindow = 31;                            // what `zstd --ultra --long=31` may ask for
constexpr int kUsualZstdWindow = 27;                              // what every decoder allows
constexpr std::uint64_t kLeastXzMemory = std::uint64_t{1} << 27;  // xz -9 needs 65 MiB

/// The packed bytes that were read and not yet used, and the refusals.
class PackedInput {
 public:
  PackedInput(Compression compression, ByteSource& source, std::string name)
      : compression_(compression), source_(source), name_(std::move(name)), buffer_(kChunk) {}

  std::string_view bytes() const { return {buffer_.data() + begin_, end_ - begin_}; }
  void use(std::size_t count) { begin_ += count; }
  /// Reads on until there are `least` bytes or the source has ended; false: there are fewer.
  bool fill(std::size_t least) {
    while (end_ - begin_ < least && !ended_) {
      std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_),
                buffer_.begin() + static_cast<std::ptrdiff_t>(end_), buffer_.begin());
      end_ -= std::exchange(begin_, 0);
      const std::size_t count = source_.read(buffer_.data() + end_, buffer_.size() - end_);
      ended_ = count == 0;
      end_ += count;
    }
    return end_ - begin_ >= least;
  }

  [[noreturn]] void refuse_truncated() const {
    refuse({{}, name_}, 0, "a complete " + std::string(to_string(compression_)) + " file",
           "that it ends too early", "copy or download it again");
  }
  [[noreturn]] void refuse_damaged(const std::string& detail) const {
    refuse({{}, name_}, 0, "intact " + std::string(to_string(compression_)) + " data", "damage (" + detail + ")",
           "copy or download it again");
  }

 private:
  Compression compression_;
  ByteSource& source_;
  std::string name_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;
  bool ended_ = false;
};

class GzipDecoder : public ByteSource {
 public:
  GzipDecoder(ByteSource& packed, std::string name) : input_(Compression::gzip, packed, std::move(name)) {
    if (inflateInit2(&stream_, 15 + 16) != Z_OK) throw std::bad_alloc();  // 15: any window; 16: gzip framing
  }
  ~GzipDecoder() override { inflateEnd(&stream_); }
  GzipDecoder(const GzipDecoder&) = delete;
  GzipDecoder& operator=(const GzipDecoder&) = delete;

  std::size_t read(char* to, std::size_t room) override {
    room = std::min<std::size_t>(room, std::numeric_limits<uInt>::max());
    for (;;) {
      const bool more = input_.fill(1);
      if (!member_open_ && !more) return 0;
      if (!member_open_) {  // behind a complete member: the next one, and nothing else
        input_.fill(2);
        if (detect_compression(input_.bytes()) != Compression::gzip)
          input_.refuse_damaged("other bytes behind the compressed data");
        inflateReset(&stream_);
        member_open_ = true;
      }
      const std::string_view given = input_.bytes();
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(given.data()));
      stream_.avail_in = static_cast<uInt>(given.size());
      stream_.next_out = reinterpret_cast<Bytef*>(to);
      stream_.avail_out = static_cast<uInt>(room);
      const int status = inflate(&stream_, Z_NO_FLUSH);
      if (status == Z_MEM_ERROR) throw std::bad_alloc();
      if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR)
        input_.refuse_damaged(stream_.msg != nullptr ? stream_.msg : "not gzip data");
      const std::size_t made = room - stream_.avail_out;
      const std::size_t used = given.size() - stream_.avail_in;
      if (made == 0 && used == 0 && status != Z_STREAM_END) input_.refuse_truncated();
      input_.use(used);
      member_open_ = status != Z_STREAM_END;
      if (made > 0) return made;
    }
  }

 private:
  PackedInput input_;
  z_stream stream_{};
  bool member_open_ = true;
};

class XzDecoder : public ByteSource {
 public:
  XzDecoder(ByteSource& packed, std::string name, std::uint64_t memory)
      : input_(Compression::xz, packed, std::move(name)) {
    if (lzma_stream_decoder(&stream_, std::max(memory, kLeastXzMemory), LZMA_CONCATENATED) != LZMA_OK)
      throw std::bad_alloc();
  }
  ~XzDecoder() override { lzma_end(&stream_); }
  XzDecoder(const XzDecoder&) = delete;
  XzDecoder& operator=(const XzDecoder&) = delete;

  std::size_t read(char* to, std::size_t room) override {
    while (!ended_) {
      const bool more = input_.fill(1);
      const std::string_view given = input_.bytes();
      stream_.next_in = reinterpret_cast<const std::uint8_t*>(given.data());
      stream_.avail_in = given.size();
      stream_.next_out = reinterpret_cast<std::uint8_t*>(to);
      stream_.avail_out = room;
      const lzma_ret status = lzma_code(&stream_, more ? LZMA_RUN : LZMA_FINISH);
      input_.use(given.size() - stream_.avail_in);
      ended_ = status == LZMA_STREAM_END;
      check(status);
      if (const std::size_t made = room - stream_.avail_out; made > 0) return made;
    }
    return 0;
  }

 private:
  void check(lzma_ret status) const {
    switch (status) {
      case LZMA_OK:
      case LZMA_STREAM_END:
        return;
      case LZMA_MEM_ERROR:
      case LZMA_MEMLIMIT_ERROR:
        throw std::bad_alloc();
      case LZMA_BUF_ERROR:
        input_.refuse_truncated();
      case LZMA_FORMAT_ERROR:
        input_.refuse_damaged("not xz data");
      case LZMA_OPTIONS_ERROR:
        input_.refuse_damaged("options unknown to this version of liblzma");
      default:
        input_.refuse_damaged("corrupt data");
    }
  }

  PackedInput input_;
  lzma_stream stream_ = LZMA_STREAM_INIT;
  bool ended_ = false;
};

class ZstdDecoder : public ByteSource {
 public:
  ZstdDecoder(ByteSource& packed, std::string name, std::uint64_t memory)
      : input_(Compression::zstd, packed, std::move(name)), stream_(ZSTD_createDStream(), ZSTD_freeDStream) {
    if (!stream_) throw std::bad_alloc();
    const int window =
        std::clamp(static_cast<int>(std::bit_width(memory)) - 1, kUsualZstdWindow, kLargestZstdWindow);
    ZSTD_DCtx_setParameter(stream_.get(), ZSTD_d_windowLogMax, window);
  }

  std::size_t read(char* to, std::size_t room) override {
    for (;;) {
      const bool more = input_.fill(1);
      if (!frame_open_ && !more) return 0;
      const std::string_view given = input_.bytes();
      ZSTD_inBuffer input{given.data(), given.size(), 0};
      ZSTD_outBuffer output{to, room, 0};
      const std::size_t status = ZSTD_decompressStream(stream_.get(), &output, &input);
      if (ZSTD_isError(status) != 0) input_.refuse_damaged(ZSTD_getErrorName(status));
      input_.use(input.pos);
      frame_open_ = status != 0;
      if (frame_open_ && output.pos == 0 && input.pos == 0) input_.refuse_truncated();
      if (output.pos > 0) return output.pos;
    }
  }

 private:
  PackedInput input_;
  std::unique_ptr<ZSTD_DStream, std::size_t (*)(ZSTD_DStream*)> stream_;
  bool frame_open_ = true;
};

}  // namespace

std::string_view to_string(Compression compression) {
  switch (compression) {
    case Compression::gzip:
      return "gzip";
    case Compression::xz:
      return "xz";
    case Compression::zstd:
      return "zstd";
    case Compression::none:
      break;
  }
  return "plain";
}

std::string_view ending_of(Compression compression) {
  switch (compression) {
    case Compression::gzip:
      return ".gz";
    case Compression::xz:
      return ".xz";
    case Compression::zstd:
      return ".zst";
    case Compression::none:
      break;
  }
  return "";
}

Compression detect_compression(std::string_view bytes) {
  using std::string_view_literals::operator""sv;
  const auto begins_with = [bytes](std::string_view magic) { return bytes.substr(0, magic.size()) == magic; };
  if (begins_with("\x1F\x8B"sv)) return Compression::gzip;
  if (begins_with("\xFD\x37zXZ\0"sv)) return Compression::xz;
  if (begins_with("\x28\xB5\x2F\xFD"sv)) return Compression::zstd;
  return Compression::none;
}

std::unique_ptr<ByteSource> make_decoder(Compression compression, ByteSource& packed, std::string name,
                                         std::uint64_t memory) {
  switch (compression) {
    case Compression::gzip:
      return std::make_unique<GzipDecoder>(packed, std::move(name));
    case Compression::xz:
      return std::make_unique<XzDecoder>(packed, std::move(name), memory);
    case Compression::zstd:
      return std::make_unique<ZstdDecoder>(packed, std::move(name), memory);
    case Compression::none:
      break;
  }
  return nullptr;
}

std::string read_all(ByteSource& source, const std::string& name, std::uint64_t largest, std::uint64_t expected) {
  std::string result;
  result.reserve(static_cast<std::size_t>(std::min(expected, largest)));
  std::vector<char> buffer(kChunk);
  while (const std::size_t count = source.read(buffer.data(), buffer.size())) {
    if (count > largest || result.size() > largest - count)
      refuse({{}, name}, 0, "at most " + std::to_string(largest) + " bytes when unpacked", "more than that",
             "use a part of the rows");
    result.append(buffer.data(), count);
  }
  return result;
}

}  // namespace fcbio::io
