#include "baselines/step_window.hpp"

#include <algorithm>

namespace fcbio {

Index StepWindow::usual_room(Index dimension) {
  return std::clamp<Index>((Index{1} << 24) / std::max<Index>(dimension, 1), 16, 1024);
}

StepWindow::StepWindow(Index dimension, Index room, bool sums) : points_(dimension, room) {
  blocks_.reserve(static_cast<std::size_t>(room));
  for (Index slot = room; slot-- > 0;) free_.push_back(slot);
  if (!sums) return;
  sums_.resize(dimension, room);
  total_ = Vector::Zero(dimension);
}

void StepWindow::advance(std::int64_t t) {
  t_ = t;
  const std::int64_t begin = (t + 1) / 2;
  std::size_t gone = 0;
  for (; gone < blocks_.size() && blocks_[gone].last < begin; ++gone) {
    free_.push_back(blocks_[gone].slot);
    total_product_ -= blocks_[gone].product;
    if (total_.size() > 0) total_ -= sums_.col(blocks_[gone].slot);
  }
  blocks_.erase(blocks_.begin(), blocks_.begin() + static_cast<std::ptrdiff_t>(gone));
}

void StepWindow::add(bool f_step, double f, VectorIn x, VectorIn v) {
  if (blocks_.empty() || blocks_.back().last - blocks_.back().first + 1 >= length_) {
    if (free_.empty()) merge_pairs();
    Block block{.first = t_, .last = t_, .slot = free_.back()};
    free_.pop_back();
    if (total_.size() > 0) sums_.col(block.slot).setZero();
    blocks_.push_back(block);
  }
  Block& block = blocks_.back();
  block.last = t_;
  if (f_step && f <= block.best) {
    block.best = f;
    points_.col(block.slot) = x;
  }
  const double product = v.dot(x);
  block.product += product;
  total_product_ += product;
  if (total_.size() == 0) return;
  sums_.col(block.slot) += v;
  total_ += v;
}

void StepWindow::merge_pairs() {
  length_ *= 2;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < blocks_.size(); i += 2, ++kept) {
    Block left = blocks_[i];
    if (i + 1 < blocks_.size()) {
      Block right = blocks_[i + 1];
      if (total_.size() > 0) sums_.col(left.slot) += sums_.col(right.slot);
      if (right.best <= left.best) {
        points_.col(left.slot) = points_.col(right.slot);
        left.best = right.best;
      }
      left.last = right.last;
      left.product += right.product;
      free_.push_back(right.slot);
    }
    blocks_[kept] = left;
  }
  blocks_.resize(kept, blocks_.front());
  if (total_.size() > 0) {  // afresh: subtractions leave rounding behind
    total_.setZero();
    for (const Block& block : blocks_) total_ += sums_.col(block.slot);
  }
  total_product_ = 0.0;
  for (const Block& block : blocks_) total_product_ += block.product;
}

const StepWindow::Block* StepWindow::best_block() const {
  const Block* best = nullptr;
  for (const Block& block : blocks_)
    if (block.best < kInfinity && (best == nullptr || block.best <= best->best)) best = &block;
  return best;
}

}  // namespace fcbio
