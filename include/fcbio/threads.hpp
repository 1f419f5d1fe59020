// Worker threads for products and losses.  Work is cut into shards whose number and limits depend only on the
// size of the data, never on the number of threads; each output number is computed by one shard in a fixed
// order.  So results are the same to the bit for any number of threads.
#pragma once

#include <functional>

#include "fcbio/types.hpp"

namespace fcbio {

/// How many threads (the caller's included) run shards.  Default 1.  Not to be called during a solve.
void set_thread_count(int threads);
int thread_count();

/// Runs body(shard) for shard = 0 .. shards-1 on the worker threads and returns when all are done.
/// Never allocates.  body must not throw.
void run_shards(Index shards, const std::function<void(Index)>& body);

}  // namespace fcbio
