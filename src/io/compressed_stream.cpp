#include "io/compressed_stream.hpp"

#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <vector>

namespace fcbio::io {

namespace {

constexpr std::size_t kChunk = std::size_t{1} << 18;
constexpr int kLargestZstdWindow = 31;                            // what `zstd --ultra --long=31` may ask for
constexpr int kUsualZstdWindow = 27;                              // what every decoder allows
constexpr std::uint64_t kLeastXzMemory = std::uint64_t{1} << 27;  // xz -9 needs 65 MiB

[[noreturn]] void refuse_truncated(const TextSource& source, Compression compression) {
  refuse(source, 0, "a complete " + std::string(to_string(compression)) + " file", "that it ends too early",
         "copy or download it again");
}

[[noreturn]] void refuse_damaged(const TextSource& source, Compression compression, const std::string& detail) {
  refuse(source, 0, "intact " + std::string(to_string(compression)) + " data", "damage (" + detail + ")",
         "copy or download it again");
}

void append(std::string& result, const std::vector<char>& buffer, std::size_t count, const TextSource& source,
            std::uint64_t largest) {
  if (count > largest || result.size() > largest - count)
    refuse(source, 0, "at most " + std::to_string(largest) + " bytes when unpacked", "more than that",
           "use a part of the rows");
  result.append(buffer.data(), count);
}

std::string gunzip(const TextSource& source, std::uint64_t largest) {
  z_stream stream{};
  if (inflateInit2(&stream, 15 + 16) != Z_OK) throw std::bad_alloc();  // 15: any window; 16: gzip framing
  const std::unique_ptr<z_stream, int (*)(z_stream*)> owner(&stream, inflateEnd);

  std::string result;
  std::vector<char> buffer(kChunk);
  std::string_view rest = source.text;
  bool member_open = true;
  while (member_open || !rest.empty()) {
    if (!member_open) {  // behind a complete member: the next one, and nothing else
      if (detect_compression(rest) != Compression::gzip) {
        refuse_damaged(source, Compression::gzip, "other bytes behind the compressed data");
      }
      inflateReset(&stream);
      member_open = true;
    }
    const std::size_t given = std::min<std::size_t>(rest.size(), std::numeric_limits<uInt>::max());
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(rest.data()));
    stream.avail_in = static_cast<uInt>(given);
    stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream.avail_out = static_cast<uInt>(buffer.size());
    const int status = inflate(&stream, Z_NO_FLUSH);
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) {
      refuse_damaged(source, Compression::gzip, stream.msg != nullptr ? stream.msg : "not gzip data");
    }
    const std::size_t made = buffer.size() - stream.avail_out;
    const std::size_t used = given - stream.avail_in;
    if (made == 0 && used == 0 && status != Z_STREAM_END) refuse_truncated(source, Compression::gzip);
    append(result, buffer, made, source, largest);
    rest.remove_prefix(used);
    member_open = status != Z_STREAM_END;
  }
  return result;
}

std::string unxz(const TextSource& source, std::uint64_t largest) {
  lzma_stream stream = LZMA_STREAM_INIT;
  if (lzma_stream_decoder(&stream, std::max(largest, kLeastXzMemory), LZMA_CONCATENATED) != LZMA_OK) {
    throw std::bad_alloc();
  }
  const std::unique_ptr<lzma_stream, void (*)(lzma_stream*)> owner(&stream, lzma_end);

  std::string result;
  std::vector<char> buffer(kChunk);
  stream.next_in = reinterpret_cast<const std::uint8_t*>(source.text.data());
  stream.avail_in = source.text.size();
  for (lzma_ret status = LZMA_OK; status != LZMA_STREAM_END;) {
    stream.next_out = reinterpret_cast<std::uint8_t*>(buffer.data());
    stream.avail_out = buffer.size();
    status = lzma_code(&stream, LZMA_FINISH);
    append(result, buffer, buffer.size() - stream.avail_out, source, largest);
    switch (status) {
      case LZMA_OK:
      case LZMA_STREAM_END:
        break;
      case LZMA_MEM_ERROR:
      case LZMA_MEMLIMIT_ERROR:
        throw std::bad_alloc();
      case LZMA_BUF_ERROR:
        refuse_truncated(source, Compression::xz);
      case LZMA_FORMAT_ERROR:
        refuse_damaged(source, Compression::xz, "not xz data");
      case LZMA_OPTIONS_ERROR:
        refuse_damaged(source, Compression::xz, "options unknown to this version of liblzma");
      default:
        refuse_damaged(source, Compression::xz, "corrupt data");
    }
  }
  return result;
}

std::string unzstd(const TextSource& source, std::uint64_t largest) {
  const std::unique_ptr<ZSTD_DStream, std::size_t (*)(ZSTD_DStream*)> stream(ZSTD_createDStream(),
                                                                             ZSTD_freeDStream);
  if (!stream) throw std::bad_alloc();
  const int window =
      std::clamp(static_cast<int>(std::bit_width(largest)) - 1, kUsualZstdWindow, kLargestZstdWindow);
  ZSTD_DCtx_setParameter(stream.get(), ZSTD_d_windowLogMax, window);

  std::string result;
  std::vector<char> buffer(kChunk);
  ZSTD_inBuffer input{source.text.data(), source.text.size(), 0};
  for (bool frame_open = true; frame_open || input.pos < input.size;) {
    const std::size_t position = input.pos;
    ZSTD_outBuffer output{buffer.data(), buffer.size(), 0};
    const std::size_t status = ZSTD_decompressStream(stream.get(), &output, &input);
    if (ZSTD_isError(status) != 0) refuse_damaged(source, Compression::zstd, ZSTD_getErrorName(status));
    append(result, buffer, output.pos, source, largest);
    frame_open = status != 0;
    if (frame_open && output.pos == 0 && input.pos == position) refuse_truncated(source, Compression::zstd);
  }
  return result;
}

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

std::string decompress(const TextSource& source, Compression compression, std::uint64_t largest) {
  switch (compression) {
    case Compression::gzip:
      return gunzip(source, largest);
    case Compression::xz:
      return unxz(source, largest);
    case Compression::zstd:
      return unzstd(source, largest);
    case Compression::none:
      break;
  }
  return std::string(source.text);
}

}  // namespace fcbio::io
