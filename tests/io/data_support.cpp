#include "data_support.hpp"

#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace fcbio::io::testing {

ScratchDirectory::ScratchDirectory() {
  std::string pattern = (std::filesystem::temp_directory_path() / "fcbio-test-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no scratch directory");
  path_ = pattern;
}

ScratchDirectory::~ScratchDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::filesystem::path ScratchDirectory::file(std::string_view name, std::string_view contents) const {
  const std::filesystem::path path = path_ / name;
  std::ofstream stream(path, std::ios::binary);
  stream.write(contents.data(), static_cast<std::streamsize>(contents.size()));
  stream.close();
  if (!stream) throw std::runtime_error("cannot write " + path.string());
  return path;
}

std::string contents_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

std::string gzip(std::string_view text) {
  z_stream stream{};
  if (deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) throw std::bad_alloc();
  std::string result(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  if (deflate(&stream, Z_FINISH) != Z_STREAM_END) throw std::runtime_error("deflate");
  result.resize(stream.total_out);
  deflateEnd(&stream);
  return result;
}

std::string xz(std::string_view text) {
  std::string result(lzma_stream_buffer_bound(text.size()), '\0');
  std::size_t size = 0;
  if (lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, nullptr, reinterpret_cast<const std::uint8_t*>(text.data()),
                              text.size(), reinterpret_cast<std::uint8_t*>(result.data()), &size,
                              result.size()) != LZMA_OK) {
    throw std::runtime_error("xz");
  }
  result.resize(size);
  return result;
}

std::string zstd(std::string_view text) {
  ZSTD_CCtx* const context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  std::string result(ZSTD_compressBound(text.size()), '\0');
  const std::size_t size = ZSTD_compress2(context, result.data(), result.size(), text.data(), text.size());
  ZSTD_freeCCtx(context);
  if (ZSTD_isError(size) != 0) throw std::runtime_error("zstd");
  result.resize(size);
  return result;
}

std::string compress(std::string_view text, std::string_view ending) {
  if (ending == ".gz") return gzip(text);
  if (ending == ".xz") return xz(text);
  if (ending == ".zst") return zstd(text);
  return std::string(text);
}

RowMajorMatrix to_dense(const CsrMatrix& matrix) {
  RowMajorMatrix dense = RowMajorMatrix::Zero(matrix.rows, matrix.cols);
  for (Index row = 0; row < matrix.rows; ++row) {
    const auto at = static_cast<std::size_t>(row);
    for (std::int64_t entry = matrix.starts[at]; entry < matrix.starts[at + 1]; ++entry) {
      const auto k = static_cast<std::size_t>(entry);
      dense(row, matrix.columns[k]) += matrix.values[k];
    }
  }
  return dense;
}

}  // namespace fcbio::io::testing
