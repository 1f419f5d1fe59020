// Text in blocks, on several threads: the same rows and the same refusals as one line after the other.
#include "io/text_blocks.hpp"

#include <gtest/gtest.h>

#include "data_support.hpp"
#include "io/data_file.hpp"
#include "io/libsvm.hpp"

namespace fcbio::io {
namespace {

using testing::refusal;

std::string line_of(std::int64_t number) {
  return std::to_string(number % 7) + " " + std::to_string(1 + number % 5) + ":" +
         std::to_string(0.001 * static_cast<double>(number)) + " " + std::to_string(10 + number % 1000) + ":" +
         std::to_string(number) + "e-3\n";
}

/// About three blocks.
std::string long_text(std::int64_t lines) {
  std::string text;
  for (std::int64_t number = 1; number <= lines; ++number) text += line_of(number);
  return text;
}
constexpr std::int64_t kLines = 130'000;

void expect_equal(const LibsvmData& a, const LibsvmData& b) {
  EXPECT_EQ(a.labels, b.labels);
  EXPECT_EQ(a.matrix.cols, b.matrix.cols);
  EXPECT_EQ(a.matrix.starts, b.matrix.starts);
  EXPECT_EQ(a.matrix.columns, b.matrix.columns);
  EXPECT_EQ(a.matrix.values, b.matrix.values);
}

LibsvmData on_threads(int threads, const std::string& text) {
  const ThreadScope scope(threads);
  return parse_libsvm({text, "t.svm"});
}

TEST(TextBlocks, CutAtLinesAndComplete) {
  const std::string text = long_text(kLines);
  ASSERT_GT(text.size(), 2 * kTextBlock);
  const testing::ScratchDirectory directory;
  for (const std::string ending : {"", ".gz", ".xz", ".zst"}) {
    FileBlocks blocks(directory.file("t.svm" + ending, testing::compress(text, ending)), text.size());
    std::string whole;
    std::vector<char> buffer;
    std::size_t count = 0;
    for (std::string_view block; !(block = blocks.next(buffer)).empty(); ++count) {
      EXPECT_EQ(block.back(), '\n');
      whole += block;
    }
    EXPECT_GE(count, 3U);
    EXPECT_TRUE(whole == text) << ending;
  }
}

TEST(TextBlocks, ALineLongerThanABlockIsOneBlock) {
  std::string text = "1 1:1\n2";
  for (int index = 1; text.size() < 2 * kTextBlock; ++index) {
    text += ' ';
    text += std::to_string(index);
    text += ":0.5";
  }
  text += "\n3 2:4";
  const testing::ScratchDirectory directory;
  const auto file = directory.file("t.svm", text);
  for (const int threads : {1, 2}) {
    const ThreadScope scope(threads);
    const DataFile data = read_data_file(file);
    ASSERT_EQ(data.labels.size(), 3);
    EXPECT_EQ(data.labels[2], 3.0);
    EXPECT_EQ(std::get<CsrMatrix>(data.matrix.matrix).values.back(), 4.0);
  }
}

TEST(TextBlocks, TheSameRowsOnAnyNumberOfThreads) {
  std::string text = "\xEF\xBB\xBF# first\r\n" + long_text(kLines) + "1 1:1";  // a mark, and no last end
  const LibsvmData one = on_threads(1, text);
  EXPECT_EQ(one.matrix.rows, kLines + 1);
  for (const int threads : {2, 3, 5}) expect_equal(on_threads(threads, text), one);
}

TEST(TextBlocks, RefusalsNameTheFirstBadLineWhereverItIs) {
  const std::string good = long_text(kLines);
  for (const std::int64_t bad : {std::int64_t{1}, std::int64_t{60'000}, kLines}) {
    std::string text;
    for (std::int64_t number = 1; number <= kLines; ++number)
      text += number == bad ? "1 3:1 2:1\n" : number > bad && number % 1000 == 0 ? "later 1:1\n" : line_of(number);
    for (const int threads : {1, 2, 4})
      EXPECT_EQ(refusal([&] { on_threads(threads, text); }),
                "t.svm:" + std::to_string(bad) +
                    ": expected an index above 3, found '2:1'; sort each row by index and give each index once")
          << threads;
  }
}

TEST(TextBlocks, DamageOfACompressedFileIsToldOnAnyNumberOfThreads) {
  const testing::ScratchDirectory directory;
  std::string packed = testing::gzip(long_text(kLines));
  packed.resize(packed.size() - 5);
  const auto file = directory.file("t.svm.gz", packed);
  for (const int threads : {1, 3}) {
    const ThreadScope scope(threads);
    EXPECT_EQ(refusal([&] { read_data_file(file); }),
              file.string() +
                  ": expected a complete gzip file, found that it ends too early; copy or download it again");
  }
}

TEST(TextBlocks, ProgressEndsWithTheFile) {
  const testing::ScratchDirectory directory;
  const auto file = directory.file("t.svm", long_text(kLines));
  std::uint64_t last = 0, calls = 0;
  const ThreadScope scope(2);
  read_data_file(file, [&](const std::string& name, std::uint64_t done, std::uint64_t size) {
    EXPECT_EQ(name, file.string());
    EXPECT_EQ(size, std::filesystem::file_size(file));
    EXPECT_GE(done, last);
    last = done;
    ++calls;
  });
  EXPECT_EQ(last, std::filesystem::file_size(file));
  EXPECT_GE(calls, 3U);
}

}  // namespace
}  // namespace fcbio::io
