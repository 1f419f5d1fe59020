// Worker threads for products and losses.  Work is cut into shards whose number and limits depend only on the
// size of the data, never on the number of threads; each output number is computed by one shard in a fixed
// order.  So results are the same to the bit for any number of threads.
#pragma once

#include <functional>
#include <memory>

#include "fcbio/export.hpp"
#include "fcbio/types.hpp"

namespace fcbio {

/// While it lives, shards that are run from the thread that made it are shared with a team of its own: `threads`
/// threads, the caller's included.  Nothing of the process is changed: other threads, and solves on them, have their
/// own scopes or none.  Scopes nest; one of the size of the scope around it uses that one's team.  solve() makes
/// one of SolveOptions::threads; others are for what is done outside (building a problem).
/// Refuses numbers outside of 1 .. 1024, and more than the system can start, with InvalidArgument.
class FCBIO_EXPORT ThreadScope {
 public:
  explicit ThreadScope(int threads);
  ~ThreadScope();
  ThreadScope(const ThreadScope&) = delete;
  ThreadScope& operator=(const ThreadScope&) = delete;

  class Team;

 private:
  std::unique_ptr<Team> team_;  // null: one thread, or the team of the scope around this one
  Team* before_;
};

/// Of the scope that the calling thread is in; 1 without one.
FCBIO_EXPORT int thread_count();

/// Runs body(shard) for shard = 0 .. shards-1 on the threads of the scope and returns when all are done.
/// Never allocates.  body must not throw.
FCBIO_EXPORT void run_shards(Index shards, const std::function<void(Index)>& body);

}  // namespace fcbio
