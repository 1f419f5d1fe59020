// The steps of the last half window, s in [ceil(t/2), t], of a switching method: their best point and the sum of
// their directions,
//     z_t = argmin of f over the f-steps of the window,    V_t = sum of v_s,    p_t = sum of <v_s, x_s>.
//
// Both need every step of the window, which grows without end.  Steps are kept in blocks of q consecutive ones:
// q = 1, the rule itself, while there is room, then pairs of blocks are merged and q doubles.  The window then
// begins with a whole block, up to q - 1 steps before ceil(t/2), which is at most 2/room of its length.
#pragma once

#include <vector>

#include "fcbio/types.hpp"

namespace fcbio {

class StepWindow {
 public:
  /// `room`: blocks, at least 4.  `sums`: whether V_t is wanted.
  StepWindow(Index dimension, Index room, bool sums);
  /// As many blocks as 2^24 numbers hold, between 16 and 1024.
  static Index usual_room(Index dimension);

  /// Before step t is taken, t = 1, 2, ...: drops what lies wholly before ceil(t/2).
  void advance(std::int64_t t);
  /// Step t itself.  `f_step`: a candidate for z_t with this value.
  void add(bool f_step, double f, VectorIn x, VectorIn v);

  bool has_candidate() const { return best_block() != nullptr; }
  /// z_t; of equal values the latest.  Needs a candidate.
  auto best() const { return points_.col(best_block()->slot); }
  const Vector& direction_sum() const { return total_; }  ///< V
  double product_sum() const { return total_product_; }   ///< p
  std::int64_t first() const { return blocks_.empty() ? t_ : blocks_.front().first; }

 private:
  struct Block {
    std::int64_t first, last;
    double product = 0.0;
    double best = kInfinity;  // kInfinity: no f-step
    Index slot = 0;
  };
  const Block* best_block() const;
  void merge_pairs();

  std::vector<Block> blocks_;  // in order of time
  std::vector<Index> free_;    // slots
  Eigen::MatrixXd points_, sums_;
  Vector total_;
  double total_product_ = 0.0;
  std::int64_t t_ = 0, length_ = 1;  // q
};

}  // namespace fcbio
