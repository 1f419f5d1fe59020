#include "parallel/communicator.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace fcbio::parallel {
namespace {

class Alone final : public Communicator {
 public:
  int rank() const override { return 0; }
  int ranks() const override { return 1; }
  bool is_job() const override { return false; }
  void gather(Bytes mine, std::span<const std::size_t>, MutableBytes all) override {
    std::copy(mine.begin(), mine.end(), all.begin());
  }
  void exchange(std::span<const Bytes> sends, std::span<const MutableBytes> receives) override {
    std::copy(sends[0].begin(), sends[0].end(), receives[0].begin());
  }
  void broadcast(int, MutableBytes) override {}
  bool all_arrive(double) override { return true; }
  [[noreturn]] void abort(int exit_code) override { std::_Exit(exit_code); }
};

/// What a piece of work threw, in words; empty: nothing.
std::string failure_of(const std::function<void()>& work) {
  try {
    work();
    return {};
  } catch (const std::bad_alloc&) {
    return "not enough memory for this problem";
  } catch (const std::exception& error) {
    return error.what();
  }
}

}  // namespace

Communicator& alone() {
  static Alone one;
  return one;
}

bool any(Communicator& ranks, bool mine) {
  const std::vector<std::uint8_t> all = said_by_all(ranks, static_cast<std::uint8_t>(mine ? 1 : 0));
  return std::any_of(all.begin(), all.end(), [](std::uint8_t said) { return said != 0; });
}

void together(Communicator& ranks, const std::function<void()>& work) {
  if (ranks.ranks() == 1) return work();
  std::string failure = failure_of(work);
  const std::vector<std::uint64_t> lengths = said_by_all(ranks, static_cast<std::uint64_t>(failure.size()));
  const auto first = std::find_if(lengths.begin(), lengths.end(), [](std::uint64_t length) { return length > 0; });
  if (first == lengths.end()) return;
  const bool everybody = std::find(lengths.begin(), lengths.end(), 0U) == lengths.end();
  const auto from = static_cast<int>(first - lengths.begin());
  failure.resize(static_cast<std::size_t>(*first));
  ranks.broadcast(from, mutable_bytes_of(failure.data(), failure.size()));
  if (everybody) throw SharedFailure(failure);
  throw SharedFailure("rank " + std::to_string(from) + " of " + std::to_string(ranks.ranks()) + ": " + failure);
}

std::vector<std::string> brought_to_first(Communicator& ranks, std::string_view mine) {
  const std::vector<std::uint64_t> sizes = said_by_all(ranks, static_cast<std::uint64_t>(mine.size()));
  std::vector<Bytes> sends(sizes.size());
  std::vector<MutableBytes> receives(sizes.size());
  std::vector<std::string> parts;
  together(ranks, [&] {
    if (ranks.rank() > 0) return;
    parts.resize(sizes.size());
    for (std::size_t r = 0; r < sizes.size(); ++r) {
      parts[r].resize(static_cast<std::size_t>(sizes[r]));
      receives[r] = mutable_bytes_of(parts[r].data(), parts[r].size());
    }
  });
  sends[0] = bytes_of(mine.data(), mine.size());
  ranks.exchange(sends, receives);
  return parts;
}

std::string handed_out(Communicator& ranks, const std::vector<std::string>& parts) {
  const auto count = static_cast<std::size_t>(ranks.ranks());
  std::vector<std::uint64_t> sizes(count);
  std::vector<Bytes> sends(count);
  std::vector<MutableBytes> receives(count);
  if (ranks.rank() == 0)
    for (std::size_t r = 0; r < count; ++r) {
      sizes[r] = parts[r].size();
      sends[r] = bytes_of(parts[r].data(), parts[r].size());
    }
  ranks.broadcast(0, mutable_bytes_of(sizes.data(), sizes.size()));
  std::string mine;
  together(ranks, [&] { mine.resize(static_cast<std::size_t>(sizes[static_cast<std::size_t>(ranks.rank())])); });
  receives[0] = mutable_bytes_of(mine.data(), mine.size());
  ranks.exchange(sends, receives);
  return mine;
}

void in_turns(Communicator& ranks, MutableBytes state, const std::function<void()>& work) {
  const auto count = static_cast<std::size_t>(ranks.ranks());
  const int rank = ranks.rank(), last = ranks.ranks() - 1;
  std::vector<Bytes> sends(count);
  std::vector<MutableBytes> receives(count);
  if (rank > 0) {
    receives[static_cast<std::size_t>(rank) - 1] = state;
    ranks.exchange(sends, receives);
    receives[static_cast<std::size_t>(rank) - 1] = {};
  }
  work();
  if (rank < last) {
    sends[static_cast<std::size_t>(rank) + 1] = state;
    ranks.exchange(sends, receives);
  }
  ranks.broadcast(last, state);
}

}  // namespace fcbio::parallel
