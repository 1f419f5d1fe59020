// The module for MPI: the only file that knows it.
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <thread>

#include "parallel/mpi_module.hpp"

namespace fcbio::parallel {
namespace {

constexpr std::size_t kWord = sizeof(std::uint64_t);
constexpr std::size_t kMostBytes = std::size_t{1} << 30;  // of one message: its length is an int

/// MPI ends the job where a call fails, which is all that can be done.
class World final : public Communicator {
 public:
  World() {
    MPI_Comm_dup(MPI_COMM_WORLD, &last_meeting_);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
  }

  int rank() const override { return rank_; }
  int ranks() const override { return ranks_; }

  void gather(Bytes mine, std::span<const std::size_t> sizes, MutableBytes all) override {
    const bool words = std::all_of(sizes.begin(), sizes.end(), [](std::size_t size) { return size % kWord == 0; });
    const std::size_t unit = words ? kWord : 1;
    const MPI_Datatype type = words ? MPI_UINT64_T : MPI_BYTE;
    counts_.clear();
    places_.clear();
    std::size_t place = 0;
    for (const std::size_t size : sizes) {
      counts_.push_back(length(size / unit));
      places_.push_back(length(place / unit));
      place += size;
    }
    MPI_Allgatherv(mine.data(), length(mine.size() / unit), type, all.data(), counts_.data(), places_.data(), type,
                   MPI_COMM_WORLD);
  }

  void exchange(std::span<const Bytes> sends, std::span<const MutableBytes> receives) override {
    requests_.clear();
    for (std::size_t r = 0; r < receives.size(); ++r)
      for (std::size_t done = 0; done < receives[r].size(); done += kMostBytes)
        MPI_Irecv(receives[r].data() + done, length(std::min(kMostBytes, receives[r].size() - done)), MPI_BYTE,
                  static_cast<int>(r), 0, MPI_COMM_WORLD, &requests_.emplace_back());
    for (std::size_t r = 0; r < sends.size(); ++r)
      for (std::size_t done = 0; done < sends[r].size(); done += kMostBytes)
        MPI_Isend(sends[r].data() + done, length(std::min(kMostBytes, sends[r].size() - done)), MPI_BYTE,
                  static_cast<int>(r), 0, MPI_COMM_WORLD, &requests_.emplace_back());
    MPI_Waitall(length(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
  }

  void broadcast(int from, MutableBytes bytes) override {
    for (std::size_t done = 0; done < bytes.size(); done += kMostBytes)
      MPI_Bcast(bytes.data() + done, length(std::min(kMostBytes, bytes.size() - done)), MPI_BYTE, from,
                MPI_COMM_WORLD);
  }

  bool all_arrive(double seconds) override {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    MPI_Request arrival = MPI_REQUEST_NULL;
    MPI_Ibarrier(last_meeting_, &arrival);
    for (;;) {
      int arrived = 0;
      MPI_Test(&arrival, &arrived, MPI_STATUS_IGNORE);
      if (arrived != 0) return true;
      if (std::chrono::steady_clock::now() >= deadline) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  [[noreturn]] void abort(int exit_code) override {
    MPI_Abort(MPI_COMM_WORLD, exit_code);
    std::_Exit(exit_code);
  }

 private:
  static int length(std::size_t count) {
    if (count > static_cast<std::size_t>(std::numeric_limits<int>::max()))
      throw std::length_error("expected at most 2147483647 numbers in one collective call, found " +
                              std::to_string(count) + "; reduce the number of variables or of rows");
    return static_cast<int>(count);
  }

  MPI_Comm last_meeting_ = MPI_COMM_NULL;  // of ranks that give up, apart from everything else that is under way
  int rank_ = 0, ranks_ = 1;
  std::vector<int> counts_, places_;
  std::vector<MPI_Request> requests_;
};

Communicator& join() {
  static const bool started = [] {
    int provided = MPI_THREAD_SINGLE;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    return true;
  }();
  static_cast<void>(started);
  static World world;
  return world;
}

void leave() {
  int initialized = 0, finalized = 0;
  MPI_Initialized(&initialized);
  MPI_Finalized(&finalized);
  if (initialized != 0 && finalized == 0) MPI_Finalize();
}

}  // namespace
}  // namespace fcbio::parallel

extern "C" __attribute__((visibility("default"))) const fcbio::parallel::MpiModule fcbio_mpi_1;
const fcbio::parallel::MpiModule fcbio_mpi_1 = {&fcbio::parallel::join, &fcbio::parallel::leave};
