// A bundle of cuts on both levels.  A cut is a nonnegative combination of linearisations of f (total weight w_f)
// and of g (total weight w_g), so for every x
//
//     <a, x> + c  <=  w_f f(x) + w_g g(x);
//
// an f-cut has weights (1, 0), a g-cut (0, 1), and sums of cuts are cuts (the *mixed* ones).  Right sides are
// affine in the two levels, so cuts stay valid when levels change.  With every cut goes what proves it: per level
// the combination of the dual vectors of its linearisations (core/minorant.hpp), not divided by the weight, so
// that all numbers of a combination of cuts are the same combination of theirs.
//
// The Gram matrix of the slopes is kept up to date.  All memory, capacity * (dimension + sizes of the duals)
// numbers, is taken at construction.
#pragma once

#include <vector>

#include "core/minorant.hpp"

namespace fcbio {

/// sum of nu_i (cut i), and its proof.
struct CutCombination {
  Vector slope;
  double constant = 0.0;
  PerLevel<double> weights;     ///< w_f, w_g
  PerLevel<PartVectors> duals;  ///< sums, not averages
  PerLevel<Vector> points;      ///< sums of the points of linearisation; empty without an exact curvature
  explicit CutCombination(const Problem& problem);
  void archive(Archive& archive) { archive(slope, constant, weights, duals, points); }
  double weight(Level level) const { return weights[level]; }
};

class Bundle {
 public:
  /// Room for `capacity` cuts.  `shift`: the point about which offsets_at_shift() are taken.
  Bundle(const Problem& problem, Index capacity, const Vector& shift);

  Index size() const { return size_; }
  Index capacity() const { return capacity_; }
  Index dimension() const { return slopes_.rows(); }

  /// The linearisation of `level` at y.  Needs room.
  void add(Level level, const Linearization& at_y, VectorIn y);
  /// A mixed cut.  Needs room.
  void add(const CutCombination& cut);
  /// Removes cut i; the last cut takes its place.
  void remove(Index i);

  auto slope(Index i) const { return slopes_.col(i); }
  const Eigen::MatrixXd& slopes() const { return slopes_; }
  double constant(Index i) const { return constants_[i]; }
  double weight(Level level, Index i) const { return weights_[level][i]; }
  /// c + <a, shift>
  double constant_at_shift(Index i) const { return constants_[i] + shifted_[i]; }
  const Eigen::MatrixXd& gram() const { return gram_; }
  /// How often a cut was removed: as long as this does not change, cuts keep their places.
  std::int64_t removals() const { return removals_; }
  /// Grows by one with every cut added: tells which cuts are the newest.
  std::int64_t birth(Index i) const { return births_[static_cast<std::size_t>(i)]; }

  /// out <- sum of nu_i (cut i), nu >= 0 with size() entries.
  void combine(const Vector& nu, CutCombination& out) const;

  void archive(Archive& archive);

 private:
  void enter(Index i);  // offset, Gram row and birth of a slot just filled

  Index capacity_, size_ = 0;
  std::int64_t born_ = 0, removals_ = 0;
  Vector shift_;
  Eigen::MatrixXd slopes_;  // one column per cut
  Vector constants_, shifted_;
  PerLevel<Vector> weights_;
  Eigen::MatrixXd gram_;
  PerLevel<std::vector<Eigen::MatrixXd>> duals_;  // per part, one column per cut
  PerLevel<Eigen::MatrixXd> points_;
  std::vector<std::int64_t> births_;
};

/// Lower bounds from combinations of cuts.
class CutBounds {
 public:
  explicit CutBounds(const Problem& problem);

  struct Bound {
    double multiplier = 0.0;  // mu
    double low = -kInfinity;  // at most min over Z of f + mu g, or of g alone
  };
  /// g alone: the combination must have no part of f worth speaking of (it is ignored by the caller's leave).
  /// Needs w_g > 0.
  Bound lower(Oracle& oracle, const CutCombination& cut);
  /// f + mu g with mu = w_g / w_f.  Needs w_f > 0.
  Bound lagrangian(Oracle& oracle, const CutCombination& cut);
  /// Averages that describe the minorant of the last bound.
  const PartVectors& duals(Level level) const { return averages_[level]; }

  /// Raises the constant of a combination to what its averaged duals prove, exactly kept curvature linearised at
  /// `point`: the cut stays valid and is at least as high there.
  void lift(const Problem& problem, VectorIn point, CutCombination& cut);

 private:
  double average(const Function& function, Level level, const CutCombination& cut);
  PerLevel<PartVectors> averages_;
  Vector slope_, point_, residual_;
};

}  // namespace fcbio
