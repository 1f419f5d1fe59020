// A small team of worker threads behind run_shards, one for each scope.  Products are called without a context, deep
// inside of functions and maps of the caller's: the team travels with the calling thread.
//
// A job is a body and a number of shards; every thread, the caller's included, takes the next shard from one
// atomic counter until none is left.  The caller never waits for a worker that has not yet joined: it closes the
// job first and then waits only for those inside.  So a sleeping or starved worker costs nothing, and on return no
// worker can still see the body.
//
// One job at a time: a call made from inside a body runs its shards inline.  By the rule of shards the result is the
// same.  Without a scope, or in one of one thread, no lock is touched.
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

template <class Condition>
void look_for_a_while(Condition condition) {
  for (int look = 0; look < kPatience && !condition(); ++look) std::this_thread::yield();
}

}  // namespace

class ThreadScope::Team {
 public:
  /// Throws std::system_error, with no worker left, when the system gives no more threads.
  explicit Team(int threads) {
    try {
      for (int worker = 1; worker < threads; ++worker)
        workers_.emplace_back([this, seen = job_number_.load()] { serve(seen); });
    } catch (...) {
      stop();
      throw;
    }
  }
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  ~Team() { stop(); }

  int threads() const { return static_cast<int>(workers_.size()) + 1; }
  /// Whether a job of this team is under way; asked by the thread that it belongs to.
  bool is_busy() const { return busy_; }

  void run(Index shards, const std::function<void(Index)>& body) noexcept {
    busy_ = true;
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
    busy_ = false;
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
  bool busy_ = false;  // only for the thread that the team belongs to
  std::atomic<std::uint64_t> job_number_{0};
  std::atomic<Index> next_{0};
  std::atomic<int> inside_{0};
};

namespace {

constinit thread_local ThreadScope::Team* current_team = nullptr;  // null: one thread

}  // namespace

ThreadScope::ThreadScope(int threads) : before_(current_team) {
  if (threads < 1 || threads > kMaximalThreads) {
    refuse("threads", "1 to " + std::to_string(kMaximalThreads) + " threads", std::to_string(threads),
           "give a number of threads in that range");
  }
  if (threads == thread_count()) return;
  if (threads > 1) {
    try {
      team_ = std::make_unique<Team>(threads);
    } catch (const std::system_error& error) {
      refuse("threads", "a system that can start " + std::to_string(threads - 1) + " more threads",
             std::string("the answer '") + error.what() + "'", "use fewer threads");
    }
  }
  current_team = team_.get();
}

ThreadScope::~ThreadScope() { current_team = before_; }

int thread_count() { return current_team == nullptr ? 1 : current_team->threads(); }

void run_shards(Index shards, const std::function<void(Index)>& body) {
  ThreadScope::Team* const team = current_team;
  if (shards > 1 && team != nullptr && !team->is_busy()) {
    team->run(shards, body);
    return;
  }
  for (Index shard = 0; shard < shards; ++shard) body(shard);
}

}  // namespace fcbio
