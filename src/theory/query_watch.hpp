// Watches every query of a running method and tells whether the method is zero-respecting,
//     supp(x_{k+1} - x_0)  is contained in  the union of supp f'(x_s), supp g'(x_s) over s <= k,
// whatever it says of itself: exactly where x_0 is 0, to rounding elsewhere.  Every point at which a value or a
// gradient of f or g is asked for is a query point.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "fcbio/term.hpp"

namespace fcbio::theory {

class QueryWatch {
 public:
  /// After `limit` gradients of g the flag stop() is raised; the next one closes the watch.  The theorems speak
  /// about every point that was chosen with `limit` answers of g or fewer: the point of that next query is still
  /// one of them and is looked at, its answer and all that follows are not.
  QueryWatch(Vector start, double upper_at_start, std::int64_t limit);

  /// To be called by the functions for every evaluation; `gradient` null: only the value was asked for.  Solves in
  /// several threads are watched together; what was seen is to be read when they have ended.
  void queried(Level level, VectorIn x, double value, const Vector* gradient);

  struct Violation {
    std::int64_t query = 0;  ///< number of the query point, from 1
    Index coordinate = 0;    ///< that no gradient had touched before
  };
  const std::optional<Violation>& violation() const { return violation_; }
  std::int64_t gradients(Level level) const { return level == Level::upper ? upper_gradients_ : lower_gradients_; }
  std::int64_t queries() const { return queries_; }
  /// Largest |f(x) - f(x_0)| over the recorded query points of f.
  double largest_upper_change() const { return largest_upper_change_; }
  Index touched() const { return touched_count_; }  ///< coordinates that some gradient touched
  bool closed() const { return closed_; }           ///< nothing is recorded any more
  const std::atomic<bool>* stop() const { return &stop_; }

 private:
  std::mutex mutex_;
  Vector start_;
  double upper_at_start_;  // f(x_0)
  std::int64_t limit_;
  std::vector<char> touched_;
  Index touched_count_ = 0;
  std::int64_t upper_gradients_ = 0, lower_gradients_ = 0;
  std::int64_t queries_ = 0;
  double largest_upper_change_ = 0.0;
  std::optional<Violation> violation_;
  std::atomic<bool> stop_{false};
  bool closed_ = false;
};

/// The same function, watched.  The watch must outlive it.
UserFunction watched(UserFunction function, Level level, QueryWatch& watch);

}  // namespace fcbio::theory
