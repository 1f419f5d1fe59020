#include "theory/query_watch.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace fcbio::theory {
namespace {

constexpr double kRounding = 1e-12;  // (1 + b) x - b x is not x where x is not 0

}  // namespace

QueryWatch::QueryWatch(Vector start, double upper_at_start, std::int64_t limit)
    : start_(std::move(start)),
      upper_at_start_(upper_at_start),
      limit_(limit),
      touched_(static_cast<std::size_t>(start_.size()), 0) {}

void QueryWatch::queried(Level level, VectorIn x, double value, const Vector* gradient) {
  const std::lock_guard lock(mutex_);
  if (closed_) return;
  ++queries_;
  for (Index j = 0; j < start_.size() && !violation_; ++j)
    if (touched_[static_cast<std::size_t>(j)] == 0 && std::abs(x[j] - start_[j]) > kRounding * std::abs(start_[j]))
      violation_ = Violation{queries_, j};
  if (level == Level::upper)
    largest_upper_change_ = std::max(largest_upper_change_, std::abs(value - upper_at_start_));
  if (gradient == nullptr) return;
  if (level == Level::upper) {
    ++upper_gradients_;
  } else {
    closed_ = lower_gradients_ >= limit_;
    if (closed_) return;
    stop_ = ++lower_gradients_ >= limit_;
  }
  for (Index j = 0; j < start_.size(); ++j) {
    char& seen = touched_[static_cast<std::size_t>(j)];
    if ((*gradient)[j] == 0.0 || seen != 0) continue;
    seen = 1;
    ++touched_count_;
  }
}

UserFunction watched(UserFunction function, Level level, QueryWatch& watch) {
  function.evaluate = [inner = std::move(function.evaluate), level, &watch](VectorIn x, Vector* gradient) {
    const double value = inner(x, gradient);
    watch.queried(level, x, value, gradient);
    return value;
  };
  return function;
}

}  // namespace fcbio::theory
