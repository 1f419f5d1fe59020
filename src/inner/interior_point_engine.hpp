// The interior-point method (room `interior`) as an engine: for  min over Z of phi = a f + mu g  with losses on rows of
// data, norms, linear and quadratic functions over any set that tells what it is made of.  For problems with a side of
// up to a few thousand, or whose factors are sparse.  Neither the condition of the data nor kinks nor the size of the
// multiplier matter to the number of steps, which is 10 to 30.
//
// Every step carries a bound: the duals of the losses are strictly inside their domains, the multipliers of rows and
// sides of Z say how to bound what is left over Z (BoundHint), and the point is in Z because the start is.
//
// Passes: a factorisation counts its operations / (2 stored numbers), charged to g; a product with all rows one pass
// for each level that has data.
#pragma once

#include <memory>
#include <string>

#include "inner/engine.hpp"
#include "inner/interior_model.hpp"

namespace fcbio {

class InteriorPointEngine final : public Engine {
 public:
  /// Empty: the engine can take the problem; otherwise why not, in words.
  static std::string misfit(const Problem& problem);
  /// Whether the problem is one that first-order engines find hard: a kink, or a set with rows.
  static bool is_worthwhile(const Problem& problem);
  /// Whether a step takes a second or so at the most: as the shapes of the data tell, or the pattern of sparse ones.
  static bool is_affordable(const Problem& problem);
  /// The same for dense factors alone: free.
  static bool is_affordable_dense(const Problem& problem);
  /// What a solve is expected to cost in the time of products, with dense factors; kInfinity: they are not affordable.
  static double expected_cost(const Problem& problem);
  /// Whether the pattern of the data could make a factor cheaper than a dense one.
  static bool may_be_sparse(const Problem& problem);

  explicit InteriorPointEngine(Oracle& oracle);
  ~InteriorPointEngine() override;
  std::string_view name() const override { return "interior-point"; }
  double first_multiplier_share() const override;
  bool minds_large_multipliers() const override { return false; }
  /// The same with the factors that were chosen.
  double expected_cost() const;
  std::int64_t step_cost(const Weights& weights) const override;
  bool begin(const Weights& weights, Iterate& at) override;
  bool step(const Weights& weights, Iterate& at) override;
  EngineBound bound(const Weights& weights, const Iterate& at) override;
  void archive(Archive& archive) override;
  std::optional<Vector> face_point() const override;

 private:
  struct DenseFactor {
    double operations;
    Index side;
  };
  static DenseFactor dense_factor(const Problem& problem);
  static double expected_cost(double factor);  // its time, of one
  InteriorModel& model(const Weights& weights) { return weights.uses(Level::upper) ? *both_ : *lower_; }
  bool show(const Weights& weights, Iterate& at);

  InteriorRegion region_;
  std::unique_ptr<InteriorModel> lower_, both_;  // of g alone, and of f and g
  Vector inside_, slope_;
  PerLevel<PartVectors> duals_;
  BoundHint hint_;
  Scratch scratch_;
  double best_gap_ = kInfinity;  // since begin(), and the bounds since then that were not clearly better
  int idle_bounds_ = 0;
  const InteriorModel* last_ = nullptr;  // of the last step; null: none yet
  bool fresh_ = true;                    // no step since begin(): the point is the caller's
};

}  // namespace fcbio
