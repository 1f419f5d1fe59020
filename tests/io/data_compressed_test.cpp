// Files of every format with every compression; damaged, misnamed, missing and empty ones.
#include <gtest/gtest.h>

#include <string>
#include <variant>

#include "data_support.hpp"
#include "io/compressed_file.hpp"
#include "io/data_file.hpp"
#include "io/npy.hpp"
#include "io/vector_file.hpp"

namespace fcbio::io {
namespace {

using testing::compress;
using testing::refusal;
using testing::ScratchDirectory;

constexpr std::string_view kEndings[] = {"", ".gz", ".xz", ".zst"};
constexpr std::string_view kCompressed[] = {".gz", ".xz", ".zst"};

RowMajorMatrix dense(const DataFile& data) {
  if (const auto* matrix = std::get_if<RowMajorMatrix>(&data.matrix.matrix)) return *matrix;
  return testing::to_dense(std::get<CsrMatrix>(data.matrix.matrix));
}

TEST(Compressed, EveryFormatWithEveryCompressionIsTheSameMatrix) {
  RowMajorMatrix matrix(2, 3);
  matrix << 1.5, 0.0, -2.0, 0.0, 3e-300, 0.1;
  const std::pair<std::string, std::string> formats[] = {
      {".svm", "1 1:1.5 3:-2\n-1 2:3e-300 3:0.1\n"},
      {".LIBSVM", "1 1:1.5 3:-2\n-1 2:3e-300 3:0.1\n"},
      {".txt", "1 1:1.5 3:-2\n-1 2:3e-300 3:0.1\n"},
      {"", "1 1:1.5 3:-2\n-1 2:3e-300 3:0.1\n"},
      {".t", "1 1:1.5 3:-2\n-1 2:3e-300 3:0.1\n"},
      {".csv", "a,b,c\n1.5,0,-2\n0,3e-300,0.1\n"},
      {".npy", format_npy(matrix)},
      {".mtx", "%%MatrixMarket matrix array real general\n2 3\n1.5\n0\n0\n3e-300\n-2\n0.1\n"},
  };
  const ScratchDirectory directory;
  for (const auto& [format, contents] : formats) {
    for (const std::string_view ending : kEndings) {
      const auto file = directory.file("data" + format + std::string(ending), compress(contents, ending));
      const DataFile data = read_data_file(file);
      EXPECT_EQ(dense(data), matrix) << file;
      EXPECT_EQ(data.labels.size(), contents.front() == '1' ? 2 : 0) << file;
      EXPECT_EQ(data.column_names.size(), format == ".csv" ? 3U : 0U) << file;
    }
  }
}

TEST(Compressed, VectorsWithEveryCompression) {
  const Vector vector = (Vector(3) << 1.5, -2.0, 1e-310).finished();
  const ScratchDirectory directory;
  for (const std::string_view ending : kEndings) {
    const std::string end(ending);
    EXPECT_EQ(read_vector_file(directory.file("v.txt" + end, compress("1.5\n-2\n1e-310\n", ending))), vector);
    EXPECT_EQ(read_vector_file(directory.file("v" + end, compress("1.5\n-2\n1e-310", ending))), vector);
    EXPECT_EQ(read_vector_file(directory.file("v.csv" + end, compress("x\n1.5\n-2\n1e-310\n", ending))), vector);
    EXPECT_EQ(read_vector_file(directory.file("v.npy" + end, compress(format_npy(vector), ending))), vector);
  }
}

TEST(Compressed, LargeContentsAndSeveralMembers) {
  std::string text;
  for (std::int64_t i = 0; i < 100'000; ++i) text += std::to_string(i * 7919 % 100'003) + "\n";
  const ScratchDirectory directory;
  for (const std::string_view ending : kCompressed) {
    const std::string half = compress(std::string_view(text).substr(0, 1000), ending);
    const std::string rest = compress(std::string_view(text).substr(1000), ending);
    const auto file = directory.file("large" + std::string(ending), half + rest);
    EXPECT_EQ(read_whole_file(file), text) << file;
  }
}

TEST(Compressed, TruncatedAnywhereIsRefused) {
  const std::string text = "1 1:1.5 3:-2\n-1 2:3 3:0.1\n";
  const ScratchDirectory directory;
  for (const std::string_view ending : kCompressed) {
    const std::string whole = compress(text, ending);
    for (std::size_t size = 0; size < whole.size(); ++size) {
      const auto file = directory.file("cut.svm" + std::string(ending), std::string_view(whole).substr(0, size));
      EXPECT_NE(refusal([&] { read_data_file(file); }), "(accepted)") << file << " cut to " << size;
    }
    // The second member counts as much as the first.
    const auto file = directory.file("cut.svm" + std::string(ending), whole + whole.substr(0, whole.size() - 1));
    EXPECT_NE(refusal([&] { read_data_file(file); }), "(accepted)") << file;
  }
}

TEST(Compressed, TruncationIsToldInWords) {
  const ScratchDirectory directory;
  for (const auto& [ending, name] : {std::pair{".gz", "gzip"}, {".xz", "xz"}, {".zst", "zstd"}}) {
    const std::string whole = compress("1 1:1.5 3:-2\n-1 2:3 3:0.1\n", ending);
    const auto file = directory.file("cut.svm" + std::string(ending), whole.substr(0, whole.size() - 5));
    EXPECT_EQ(refusal([&] { read_data_file(file); }),
              file.string() + ": expected a complete " + name +
                  " file, found that it ends too early; copy or download it "
                  "again");
  }
}

TEST(Compressed, AnyDamagedByteIsRefusedOrHarmless) {
  std::string text;
  for (int i = 0; i < 40; ++i) text += "1 1:" + std::to_string(i) + " 7:0.25\n";
  const ScratchDirectory directory;
  for (const std::string_view ending : kCompressed) {
    const std::string whole = compress(text, ending);
    std::size_t refused = 0;
    for (std::size_t at = 0; at < whole.size(); ++at) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ 0x20);
      const auto file = directory.file("damaged" + std::string(ending), damaged);
      std::string read;
      if (refusal([&] { read = read_whole_file(file); }) != "(accepted)") {
        ++refused;
      } else {
        EXPECT_EQ(read, text) << file << " byte " << at;  // a time stamp or the like
      }
    }
    EXPECT_GT(refused, whole.size() / 2);
  }
}

TEST(Compressed, OtherBytesBehindTheDataAreRefused) {
  const ScratchDirectory directory;
  for (const std::string_view ending : kCompressed) {
    const auto file = directory.file("tail.svm" + std::string(ending), compress("1 1:2\n", ending) + "tail");
    EXPECT_NE(refusal([&] { read_data_file(file); }), "(accepted)") << file;
  }
  const auto file = directory.file("tail.gz", compress("1 1:2\n", ".gz") + "tail");
  EXPECT_EQ(refusal([&] { read_data_file(file); }),
            file.string() +
                ": expected intact gzip data, found damage (other bytes behind the compressed data); copy "
                "or download it again");
}

TEST(Compressed, NameAndContentsMustAgree) {
  const ScratchDirectory directory;
  const std::string text = "1 1:2\n";
  const auto plain = directory.file("a.svm.gz", text);
  EXPECT_EQ(refusal([&] { read_data_file(plain); }),
            plain.string() +
                ": expected gzip data, as the name says, found other data; give the file the ending that "
                "fits its contents");
  const auto other = directory.file("a.svm.xz", testing::zstd(text));
  EXPECT_EQ(refusal([&] { read_data_file(other); }),
            other.string() +
                ": expected xz data, as the name says, found zstd data; give the file the ending that "
                "fits its contents");
  const auto hidden = directory.file("a.svm", testing::gzip(text));
  EXPECT_EQ(refusal([&] { read_data_file(hidden); }),
            hidden.string() +
                ": expected a file that is not compressed, as its name says, found gzip data; add .gz "
                "to its name");
}

TEST(Compressed, MissingFileDirectoryAndEmptyFile) {
  const ScratchDirectory directory;
  const auto missing = directory / "missing.csv";
  EXPECT_EQ(refusal([&] { read_data_file(missing); }),
            missing.string() +
                ": expected a readable file, found No such file or directory; check the path (paths in "
                "a problem file are relative to that file) and its permissions");
  EXPECT_EQ(refusal([&] { read_data_file(directory.path()); }),
            directory.path().string() + ": expected a readable file, found a directory; name a file in it");
  const auto empty = directory.file("empty.svm", "");
  EXPECT_EQ(refusal([&] { read_data_file(empty); }),
            empty.string() + ": expected data, found an empty file; check how the file was made");
  for (const std::string_view ending : kCompressed) {
    const auto file = directory.file("empty.svm" + std::string(ending), compress("", ending));
    EXPECT_EQ(refusal([&] { read_data_file(file); }),
              file.string() + ": expected data, found an empty file; check how the file was made");
  }
}

TEST(Compressed, UnknownEndingIsReadOnlyIfItLooksLikeLibsvm) {
  const ScratchDirectory directory;
  const auto file = directory.file("data.dat", "1 2 3\n4 5 6\n");
  EXPECT_EQ(refusal([&] { read_data_file(file); }),
            file.string() +
                ": expected a file name that ends in .svm, .libsvm, .txt, .csv, .tsv, .npy, .mtx, .fcb (then .gz, "
                ".xz, .zst if compressed), or LIBSVM text, found the ending '.dat' and other contents; "
                "give the file the ending of its format");
  const auto bare = directory.file("data", "words\n");
  EXPECT_NE(refusal([&] { read_data_file(bare); }).find("found no ending and other contents"), std::string::npos);
  // Once it looks like LIBSVM text, a mistake further down is told as one.
  const auto wrong = directory.file("a9a.t", "# Adult\n\n-1 1:2 3:4\n-1 0:2\n");
  EXPECT_EQ(refusal([&] { read_data_file(wrong); }),
            wrong.string() +
                ":4: expected an index of at least 1, found '0:2'; LIBSVM indices count from 1: add 1 to "
                "every index of the file");
}

TEST(Compressed, EndingOfTheFormat) {
  EXPECT_EQ(format_ending("dir.d/A.CSV.GZ"), ".csv");
  EXPECT_EQ(format_ending("a1a.t.xz"), ".t");
  EXPECT_EQ(format_ending("dir.d/a1a.zst"), "");
  EXPECT_EQ(format_ending("x.npy"), ".npy");
}

}  // namespace
}  // namespace fcbio::io
