// Reusable temporary vectors.  Functions, maps and sets are const and shared between threads; what they need to
// write belongs to the caller and lives here.  A slot is allocated at its first use and reused afterwards, so a
// loop that has run once no longer allocates.  The caller's watch comes along, for loops that may take long.
#pragma once

#include <deque>
#include <memory>

#include "fcbio/types.hpp"
#include "fcbio/watch.hpp"

namespace fcbio {

class Scratch {
 public:
  Scratch() = default;
  /// The watch must outlive the scratch.
  explicit Scratch(Watch& watch) : watch_(&watch) {}

  /// Slot `slot` with exactly `size` entries; the contents are whatever the last user left.
  Vector& vector(std::size_t slot, Index size) {
    while (vectors_.size() <= slot) vectors_.emplace_back();
    if (vectors_[slot].size() != size) vectors_[slot].resize(size);
    return vectors_[slot];
  }
  /// A scratch of its own for part `part` of a compound object (a set of an intersection, say).
  Scratch& child(std::size_t part) {
    while (children_.size() <= part) {
      children_.push_back(std::make_unique<Scratch>());
      children_.back()->watch_ = watch_;
    }
    return *children_[part];
  }
  /// See Watch::is_over; without a watch never.
  bool is_over(double operations, std::int64_t projections = 0) {
    return watch_ != nullptr && watch_->is_over(operations, projections);
  }

 private:
  Watch* watch_ = nullptr;
  std::deque<Vector> vectors_;  // a deque: references stay valid when slots are added
  std::deque<std::unique_ptr<Scratch>> children_;
};

}  // namespace fcbio
