// Lower bounds of  min over Z of phi = a f + mu g  from duals of its losses, kept while an engine works.
//
// For duals r_i in the domains of the conjugates, one vector for each loss, and for every z
//     phi(z) >= sum_i w_i ( <M_i'r_i, z> - phi_i*(r_i) ) + p(z) + w |z - c|_1,
// p the linear functions and squared norms, which are kept as they are, like the l1 norm: given the slope, its best dual
// is known coordinate by coordinate (l1_part.hpp).  The minimum over Z of the right side, low(r), is concave in r and
// costs no pass once the slopes M_i'r_i are at hand, and those are linear in r.  So two searches on a line are free:
//   scale    where 0 is in all domains, low(t r) for t in [0, 1].  Duals of iterates exceed |M'r| <= w by a little in
//            many columns, and each of them costs the size of Z times its excess; t a little below 1 costs 1 - t of the
//            constant.
//   segment  low(t ((1 - s) d + s r)) for s in [0, 1], d the direction that came out so far: what the iterates of a run
//            know together is more than the best of them knows alone.
#pragma once

#include "inner/engine.hpp"
#include "inner/l1_part.hpp"

namespace fcbio {

/// One dual for each part that has one, but for l1 norms, with what these parts make of it: per level, the sum of
/// weight * slope over these parts.  Other parts have empty vectors.
struct RowDuals {
  PerLevel<PartVectors> duals;
  PerLevel<Vector> slopes;

  explicit RowDuals(const Problem& problem);
  /// Whether a part of a function has a dual here.
  static bool covers(const Function::Part& part) {
    return part.weight > 0.0 && part.term->dual_size() > 0 && part.term->l1_centre() == nullptr;
  }
  /// *this <- a p + b q.  No allocation; *this may be p or q.
  void set_combination(double a, const RowDuals& p, double b, const RowDuals& q);
  void archive(Archive& archive) { archive(duals, slopes); }
};

class RowBound {
 public:
  explicit RowBound(Oracle& oracle);

  /// For other weights: what is known of the functions stays true.
  void begin(const Weights& weights);
  /// Duals in their domains, for the weights of begin().
  void offer(const RowDuals& duals);
  /// The best bound for the present weights, that the functions know by themselves included.
  double low() const { return std::max(low_, known_); }
  EngineBound bound(double phi) const;
  /// Multiplications done until now: each search on a line evaluates a conjugate for each row, many times.
  double operations() const { return operations_; }
  void archive(Archive& archive) {
    archive(operations_, weights_, low_, known_, l1_weight_, curvature_, constant_, direction_, known_level_, scale_, value_,
            published_, own_slope_);
  }

 private:
  bool has_direction() const;
  struct Scaled {
    double scale, value;
  };
  Scaled scaled(const RowDuals& duals);  // at its best scale
  void take(const Scaled& found);        // of direction_
  double evaluate(double a, const RowDuals& p, double b, const RowDuals& q);
  void keep(double low);

  Oracle& oracle_;
  L1Part l1_;
  Weights weights_;
  bool scales_ = true;
  PerLevel<double> of_conjugates_;  // multiplications that one evaluation takes the time of
  double operations_ = 0.0;
  double low_ = -kInfinity, known_ = -kInfinity;
  double l1_weight_ = 0.0, curvature_ = 0.0, constant_ = 0.0;  // of p
  RowDuals direction_, other_, trial_;
  PerLevel<bool> known_level_;        // direction_ has duals of this level
  double scale_ = 1.0, value_ = 0.0;  // the best scale of direction_, and the bound there
  PerLevel<PartVectors> published_;   // behind low_, with the duals of l1 norms
  Vector own_slope_, slope_, point_, residual_, dual_;
};

}  // namespace fcbio
