// A small persistent pool of worker threads behind run_shards.
//
// A job is a body and a number of shards; every thread, the caller's included, takes the next shard from one
// atomic counter until none is left.  The caller never waits for a worker that has not yet joined: it closes the
// job first and then waits only for those inside.  So a sleeping or starved worker costs nothing, and on return no
// worker can still see the body.
//
// One job at a time: a call made while another is running (from a second caller thread, or from inside a body)
// runs its shards inline.  By the rule of shards the result is the same.  With one thread no lock is touched.
#include "fcbio/threads.hpp"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "linalg/refusal.hpp"

namespace fcbio {
namespace {

constexpr int kMaximalThreads = 1024;
// Products of one solve follow each other within microseconds; a worker looks this often for the next job, giving
// way to others each time, before it goes to sleep.
constexpr int kPatience = 64;

// Outside the pool, without destructors: still valid when static objects of other files run shards at exit.
constinit std::atomic<int> current_threads{1};
constinit std::atomic<bool> pool_is_busy{false};

class BusyClaim {
 public:
  BusyClaim() : won_(!pool_is_busy.exchange(true, std::memory_order_acquire)) {}
  ~BusyClaim() {
    if (won_) pool_is_busy.store(false, std::memory_order_release);
  }
  BusyClaim(const BusyClaim&) = delete;
  BusyClaim& operator=(const BusyClaim&) = delete;
  bool won() const { return won_; }

 private:
  bool won_;
};

template <class Condition>
void look_for_a_while(Condition condition) {
  for (int look = 0; look < kPatience && !condition(); ++look) std::this_thread::yield();
}

class Pool {
 public:
  Pool() = default;
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  ~Pool() {
    current_threads.store(1);
    stop();
  }

  /// Throws std::system_error, with no worker left, when the system gives no more threads.
  void start(int workers) {
    stop();
    try {
      for (int worker = 0; worker < workers; ++worker) {
        workers_.emplace_back([this, seen = job_number_.load()] { serve(seen); });
      }
    } catch (...) {
      stop();
      throw;
    }
  }

  void run(Index shards, const std::function<void(Index)>& body) noexcept {
    {
      const std::lock_guard lock(mutex_);
      body_ = &body;
      shards_ = shards;
      next_.store(0, std::memory_order_relaxed);
      job_number_.fetch_add(1, std::memory_order_release);
    }
    wake_.notify_all();
    take_shards(shards, body);
    {
      const std::lock_guard lock(mutex_);
      body_ = nullptr;
    }
    look_for_a_while([this] { return inside_.load(std::memory_order_acquire) == 0; });
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return inside_.load(std::memory_order_relaxed) == 0; });
  }

 private:
  void stop() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
      job_number_.fetch_add(1, std::memory_order_release);
    }
    wake_.notify_all();
    for (std::thread& worker : workers_) worker.join();
    workers_.clear();
    stopping_ = false;
  }

  void take_shards(Index shards, const std::function<void(Index)>& body) {
    for (;;) {
      const Index shard = next_.fetch_add(1, std::memory_order_relaxed);
      if (shard >= shards) return;
      body(shard);
    }
  }

  void serve(std::uint64_t seen) {
    for (;;) {
      const auto news = [this, &seen] { return job_number_.load(std::memory_order_acquire) != seen; };
      look_for_a_while(news);
      std::unique_lock lock(mutex_);
      wake_.wait(lock, news);
      seen = job_number_.load(std::memory_order_relaxed);
      if (stopping_) return;
      if (body_ == nullptr) continue;
      const std::function<void(Index)>& body = *body_;
      const Index shards = shards_;
      inside_.fetch_add(1, std::memory_order_relaxed);
      lock.unlock();
      take_shards(shards, body);
      lock.lock();
      if (inside_.fetch_sub(1, std::memory_order_release) == 1) done_.notify_one();
    }
  }

  std::mutex mutex_;  // guards body_, shards_, stopping_, and every change of job_number_ and inside_
  std::condition_variable wake_;
  std::condition_variable done_;
  std::vector<std::thread> workers_;
  const std::function<void(Index)>* body_ = nullptr;  // null: no job to join
  Index shards_ = 0;
  bool stopping_ = false;
  std::atomic<std::uint64_t> job_number_{0};
  std::atomic<Index> next_{0};
  std::atomic<int> inside_{0};
};

Pool& pool() {
  static Pool the_pool;
  return the_pool;
}

}  // namespace

void set_thread_count(int threads) {
  if (threads < 1 || threads > kMaximalThreads) {
    refuse("set_thread_count", "1 to " + std::to_string(kMaximalThreads) + " threads", std::to_string(threads),
           "give a number of threads in that range");
  }
  const BusyClaim claim;
  if (!claim.won()) {
    refuse("set_thread_count", "no product or solve under way", "one that is running",
           "set the number of threads before the solve starts");
  }
  if (threads == current_threads.load()) return;
  current_threads.store(1);
  if (threads == 1) {
    pool().start(0);
    return;
  }
  try {
    pool().start(threads - 1);
  } catch (const std::system_error& error) {
    refuse("set_thread_count", "a system that can start " + std::to_string(threads - 1) + " more threads",
           std::string("the answer '") + error.what() + "'", "use fewer threads (1 thread is set now)");
  }
  current_threads.store(threads);
}

int thread_count() { return current_threads.load(); }

void run_shards(Index shards, const std::function<void(Index)>& body) {
  if (shards > 1 && current_threads.load(std::memory_order_relaxed) > 1) {
    const BusyClaim claim;
    if (claim.won()) {
      pool().run(shards, body);
      return;
    }
  }
  for (Index shard = 0; shard < shards; ++shard) body(shard);
}

}  // namespace fcbio
