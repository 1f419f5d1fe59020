// The ranks of one job: processes, perhaps on many machines, that run the same program and meet in collective calls.
// Each rank makes the same calls in the same order; what all of them see is the same to the bit, so that decisions
// taken from it agree.  A process that runs by itself is the only rank of its job (alone()).
//
// Hidden behind this is MPI (src/mpi), in a module that is loaded by programs that mpirun started, and by no others:
// world().
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace fcbio::parallel {

using Bytes = std::span<const std::byte>;
using MutableBytes = std::span<std::byte>;

class Communicator {
 public:
  virtual ~Communicator() = default;
  virtual int rank() const = 0;  ///< from 0
  virtual int ranks() const = 0;
  /// Whether mpirun started it.  Rows are then cut into shards, also where there is one rank: it computes what many
  /// would.
  virtual bool is_job() const { return true; }

  /// all <- what every rank brings, in the order of ranks; sizes[r] is what rank r brings.
  virtual void gather(Bytes mine, std::span<const std::size_t> sizes, MutableBytes all) = 0;
  /// sends[r] goes to rank r, receives[r] is what rank r sends here.  Empty: nothing goes that way, and nobody waits.
  virtual void exchange(std::span<const Bytes> sends, std::span<const MutableBytes> receives) = 0;
  virtual void broadcast(int from, MutableBytes bytes) = 0;

  /// Whether every rank called this, the last one at most `seconds` after this one.  For a rank that is about to give
  /// up: the others may be waiting for it somewhere else.
  virtual bool all_arrive(double seconds) = 0;
  /// Ends the processes of all ranks.
  [[noreturn]] virtual void abort(int exit_code) = 0;
};

/// A job of one rank.
Communicator& alone();

/// The ranks that mpirun started, this process among them; alone() where it did not.  Throws std::runtime_error where
/// this program cannot take part.
Communicator& world();
/// To be called before the process ends by itself, by all ranks.
void leave_world();

// In terms of numbers.

template <class Number>
Bytes bytes_of(const Number* numbers, std::size_t count) {
  static_assert(std::is_trivially_copyable_v<Number>);
  return std::as_bytes(std::span<const Number>(numbers, count));
}
template <class Number>
MutableBytes mutable_bytes_of(Number* numbers, std::size_t count) {
  static_assert(std::is_trivially_copyable_v<Number>);
  return std::as_writable_bytes(std::span<Number>(numbers, count));
}

/// What every rank says, by rank.
template <class Number>
std::vector<Number> said_by_all(Communicator& ranks, const Number& mine) {
  std::vector<Number> all(static_cast<std::size_t>(ranks.ranks()));
  const std::vector<std::size_t> sizes(all.size(), sizeof(Number));
  ranks.gather(bytes_of(&mine, 1), sizes, mutable_bytes_of(all.data(), all.size()));
  return all;
}

/// What every rank brings, behind each other; ranks may bring different numbers of them.
template <class Number>
std::vector<Number> brought_by_all(Communicator& ranks, const std::vector<Number>& mine) {
  const std::vector<std::uint64_t> counts = said_by_all(ranks, static_cast<std::uint64_t>(mine.size()));
  std::vector<std::size_t> sizes;
  std::size_t total = 0;
  for (const std::uint64_t count : counts) {
    sizes.push_back(static_cast<std::size_t>(count) * sizeof(Number));
    total += static_cast<std::size_t>(count);
  }
  std::vector<Number> all(total);
  ranks.gather(bytes_of(mine.data(), mine.size()), sizes, mutable_bytes_of(all.data(), all.size()));
  return all;
}

bool any(Communicator& ranks, bool mine);

/// What went wrong on one rank, thrown on all.
class SharedFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Does work() on every rank, which makes no collective call in it, and throws what one of them threw, the first, on all
/// of them: so that none goes on and waits for one that gave up.
void together(Communicator& ranks, const std::function<void()>& work);

/// What every rank brings, by rank, on the first; nothing on the others, whose memory need not hold it.
std::vector<std::string> brought_to_first(Communicator& ranks, std::string_view mine);

/// The reverse: this rank's one of the parts that the first has, one for each rank.  What the others give is not read.
std::string handed_out(Communicator& ranks, const std::vector<std::string>& parts);

/// Does work() on one rank after the other; `state` goes from each to the next, and from the last to all.
void in_turns(Communicator& ranks, MutableBytes state, const std::function<void()>& work);

}  // namespace fcbio::parallel
