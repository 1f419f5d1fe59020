// Text in blocks of whole lines, parsed on all threads of the scope (fcbio/threads.hpp).
//
// A thread takes the next block, alone: that is when a file is read and decompressed.  Then it parses the block, while
// others take theirs; and hands in what it found, in the order of the text.  So one thread unpacks while the others
// parse, and no more than a few blocks are in memory.  Results and refusals are those of one thread.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "data/input_error.hpp"
#include "fcbio/threads.hpp"
#include "io/compressed_file.hpp"
#include "io/read_progress.hpp"
#include "io/text_source.hpp"

namespace fcbio::io {

/// Where a text is cut; a longer line makes a longer block.
inline constexpr std::size_t kTextBlock = std::size_t{1} << 20;

class TextBlocks {
 public:
  virtual ~TextBlocks() = default;
  /// The next lines, in `buffer` or in memory that stays.  Empty: there are no more.
  virtual std::string_view next(std::vector<char>& buffer) = 0;
  virtual const std::string& name() const = 0;
  /// How much text there is, where that is known; else 0.
  virtual std::uint64_t size() const = 0;
  /// Lines of the file before the first block; asked for where a message tells a line.
  virtual std::int64_t lines_before() const { return 0; }
};

class MemoryBlocks : public TextBlocks {
 public:
  explicit MemoryBlocks(const TextSource& source) : source_(source), rest_(source.text) {}
  std::string_view next(std::vector<char>& buffer) override;
  const std::string& name() const override { return source_.name; }
  std::uint64_t size() const override { return source_.text.size(); }

 private:
  const TextSource& source_;
  std::string_view rest_;
};

class FileBlocks : public TextBlocks {
 public:
  /// Refuses text of more than `largest` bytes.
  FileBlocks(const std::filesystem::path& file, std::uint64_t largest, ReadProgress progress = {});
  std::string_view next(std::vector<char>& buffer) override;
  const std::string& name() const override { return file_.name(); }
  std::uint64_t size() const override { return file_.is_plain() ? file_.size() : 0; }
  /// What next() will return first.
  std::string_view head();

 private:
  UnpackedFile file_;
  std::uint64_t largest_;
  ReadProgress progress_;
  std::uint64_t length_ = 0;   // of the text so far
  std::vector<char> carried_;  // the beginning of a line
  std::vector<char> head_buffer_;
  std::string_view head_;
  bool ended_ = false;
};

struct TextBlock {
  std::string_view text;
  bool first = false;
  std::int64_t lines_before = 0;
};

/// What is common to all kinds of blocks: who takes which, and who waits.
class BlockOrder {
 public:
  explicit BlockOrder(TextBlocks& blocks) : blocks_(blocks), threads_(thread_count()) {}
  /// The number of the block now in `text`; -1: there are no more for this thread.
  std::int64_t take(std::vector<char>& buffer, std::string_view& text);
  /// Runs hand_in(), which may throw, when all blocks before `number` were handed in: at once, or from a later call.
  void hand_in(std::int64_t number, std::function<void()> hand_in);
  /// Ends it all with the exception that is being handled.
  void fail();
  /// Throws what was thrown first.
  void finish() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  static constexpr std::int64_t kAhead = 4;  // blocks for each thread that may wait for one before them
  bool is_over();

  TextBlocks& blocks_;
  const std::int64_t threads_;
  std::mutex taking_;  // guards blocks_, taken_, ended_
  std::int64_t taken_ = 0;
  bool ended_ = false;
  std::mutex handing_;  // guards what follows
  std::condition_variable handed_;
  std::int64_t next_ = 0;
  std::map<std::int64_t, std::function<void()>> waiting_;
  std::exception_ptr error_;
};

/// `parse(block, parsed)` returns the number of lines in the block; on many threads at once, with wrong line numbers,
/// and again, with the right ones, where it throws.  `take(parsed)` gets the results in order, one at a time.
template <class Parsed, class Parse, class Take>
void parse_blocks(TextBlocks& blocks, const Parse& parse, const Take& take) {
  BlockOrder order(blocks);
  std::int64_t lines = 0;
  const auto parse_one = [&](std::int64_t number, std::string_view text) {
    auto parsed = std::make_shared<Parsed>();
    try {
      const std::int64_t more = parse(TextBlock{text, number == 0, 0}, *parsed);
      order.hand_in(number, [&, parsed, more] {
        lines += more;
        take(std::move(*parsed));
      });
    } catch (const InputError&) {
      order.hand_in(number, [&, number, kept = std::string(text)] {
        Parsed again;
        const std::int64_t before = blocks.lines_before() + lines;
        lines += parse(TextBlock{kept, before == 0 && number == 0, before}, again);
        take(std::move(again));
      });
    }
  };
  run_shards(thread_count(), [&](Index) {
    try {
      std::vector<char> buffer;
      std::string_view text;
      for (std::int64_t number = 0; (number = order.take(buffer, text)) >= 0;) parse_one(number, text);
    } catch (...) {
      order.fail();
    }
  });
  order.finish();
}

}  // namespace fcbio::io
