// A job whose ranks are threads of this process.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "parallel/communicator.hpp"

namespace fcbio::testing {

/// What the ranks share: a letter box for each pair of them, and a place to meet.
class ThreadJob {
 public:
  explicit ThreadJob(int ranks) : ranks_(ranks) {}

  void send(int from, int to, parallel::Bytes bytes) {
    const std::scoped_lock lock(guard_);
    boxes_[{from, to}].emplace_back(bytes.begin(), bytes.end());
    changed_.notify_all();
  }
  void receive(int from, int to, parallel::MutableBytes bytes) {
    std::unique_lock lock(guard_);
    auto& box = boxes_[{from, to}];
    changed_.wait(lock, [&box] { return !box.empty(); });
    if (box.front().size() != bytes.size()) std::terminate();  // the ranks do not agree on what they say
    std::copy(box.front().begin(), box.front().end(), bytes.begin());
    box.pop_front();
  }
  int ranks() const { return ranks_; }

 private:
  const int ranks_;
  std::mutex guard_;
  std::condition_variable changed_;
  std::map<std::pair<int, int>, std::deque<std::vector<std::byte>>> boxes_;
};

class ThreadRank final : public parallel::Communicator {
 public:
  ThreadRank(ThreadJob& job, int rank) : job_(job), rank_(rank) {}
  int rank() const override { return rank_; }
  int ranks() const override { return job_.ranks(); }
  void gather(parallel::Bytes mine, std::span<const std::size_t> sizes, parallel::MutableBytes all) override {
    for (int to = 0; to < ranks(); ++to) job_.send(rank_, to, mine);
    std::size_t place = 0;
    for (int from = 0; from < ranks(); ++from) {
      job_.receive(from, rank_, all.subspan(place, sizes[static_cast<std::size_t>(from)]));
      place += sizes[static_cast<std::size_t>(from)];
    }
  }
  void exchange(std::span<const parallel::Bytes> sends,
                std::span<const parallel::MutableBytes> receives) override {
    for (int to = 0; to < ranks(); ++to)
      if (!sends[static_cast<std::size_t>(to)].empty()) job_.send(rank_, to, sends[static_cast<std::size_t>(to)]);
    for (int from = 0; from < ranks(); ++from)
      if (!receives[static_cast<std::size_t>(from)].empty())
        job_.receive(from, rank_, receives[static_cast<std::size_t>(from)]);
  }
  void broadcast(int from, parallel::MutableBytes bytes) override {
    if (rank_ == from)
      for (int to = 0; to < ranks(); ++to) job_.send(from, to, bytes);
    job_.receive(from, rank_, bytes);
  }
  bool all_arrive(double) override { return true; }
  [[noreturn]] void abort(int) override { std::terminate(); }

 private:
  ThreadJob& job_;
  int rank_;
};

/// Runs work(rank) on every rank of a job, and throws what the first of them threw.
inline void run_ranks(int ranks, const std::function<void(parallel::Communicator&)>& work) {
  ThreadJob job(ranks);
  std::vector<std::exception_ptr> thrown(static_cast<std::size_t>(ranks));
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank)
    threads.emplace_back([&, rank] {
      try {
        ThreadRank self(job, rank);
        work(self);
      } catch (...) {
        thrown[static_cast<std::size_t>(rank)] = std::current_exception();
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& error : thrown)
    if (error) std::rethrow_exception(error);
}

}  // namespace fcbio::testing
