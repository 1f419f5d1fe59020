#include "io/text_blocks.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace fcbio::io {

namespace {

/// Behind the last end of a line; 0: there is none.
std::size_t whole_lines(const char* text, std::size_t size) {
  const void* const feed = size == 0 ? nullptr : ::memrchr(text, '\n', size);
  return feed == nullptr ? 0 : static_cast<std::size_t>(static_cast<const char*>(feed) - text) + 1;
}

}  // namespace

std::string_view MemoryBlocks::next(std::vector<char>&) {
  std::size_t length = rest_.size();
  if (length > kTextBlock) {
    const std::size_t feed = rest_.find('\n', kTextBlock);
    if (feed != std::string_view::npos) length = feed + 1;
  }
  const std::string_view block = rest_.substr(0, length);
  rest_.remove_prefix(length);
  return block;
}

FileBlocks::FileBlocks(const std::filesystem::path& file, std::uint64_t largest, ReadProgress progress)
    : file_(file, largest), largest_(largest), progress_(std::move(progress)) {}

std::string_view FileBlocks::head() {
  if (head_.empty()) head_ = next(head_buffer_);
  return head_;
}

std::string_view FileBlocks::next(std::vector<char>& buffer) {
  if (!head_.empty()) return std::exchange(head_, {});
  if (buffer.size() < kTextBlock + carried_.size()) buffer.resize(kTextBlock + carried_.size());
  std::copy(carried_.begin(), carried_.end(), buffer.begin());
  std::size_t filled = carried_.size();
  std::size_t block = 0;
  while (block == 0 && !ended_) {
    if (filled == buffer.size()) buffer.resize(2 * buffer.size());  // one long line
    while (filled < buffer.size() && !ended_) {
      const std::size_t count = file_.read(buffer.data() + filled, buffer.size() - filled);
      ended_ = count == 0;
      filled += count;
      length_ += count;
      if (length_ > largest_)
        refuse({{}, name()}, 0, "at most " + std::to_string(largest_) + " bytes when unpacked", "more than that",
               "use a part of the rows");
    }
    block = whole_lines(buffer.data(), filled);
  }
  if (ended_) block = filled;
  carried_.assign(buffer.begin() + static_cast<std::ptrdiff_t>(block),
                  buffer.begin() + static_cast<std::ptrdiff_t>(filled));
  if (progress_) progress_(name(), file_.bytes_read(), file_.size());
  return {buffer.data(), block};
}

bool BlockOrder::is_over() {
  std::unique_lock lock(handing_);
  handed_.wait(lock, [this] { return error_ || taken_ < next_ + kAhead * threads_; });
  return error_ != nullptr;
}

std::int64_t BlockOrder::take(std::vector<char>& buffer, std::string_view& text) {
  const std::lock_guard lock(taking_);
  if (ended_ || is_over()) return -1;
  try {
    text = blocks_.next(buffer);
  } catch (...) {
    ended_ = true;
    hand_in(taken_, [error = std::current_exception()] { std::rethrow_exception(error); });
    return -1;
  }
  ended_ = text.empty();
  return ended_ ? -1 : taken_++;
}

void BlockOrder::hand_in(std::int64_t number, std::function<void()> hand_in) {
  const std::lock_guard lock(handing_);
  waiting_.emplace(number, std::move(hand_in));
  while (!error_ && !waiting_.empty() && waiting_.begin()->first == next_) {
    try {
      waiting_.begin()->second();
    } catch (...) {
      error_ = std::current_exception();
    }
    waiting_.erase(waiting_.begin());
    ++next_;
  }
  handed_.notify_all();
}

void BlockOrder::fail() {
  const std::lock_guard lock(handing_);
  if (!error_) error_ = std::current_exception();
  handed_.notify_all();
}

}  // namespace fcbio::io
