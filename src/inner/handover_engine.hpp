// A first-order engine, and the interior-point method when that does not come to an end soon: for smooth problems that
// Newton's method cannot take (many unknowns with bounds, products of sets), and for kinks, of which the primal-dual
// method finds two or three digits, or none.  First-order steps are cheap and may need any number; the other's are dear
// and few.  Both are counted in the time of a product, as in SwitchingEngine.
//
// The interior-point method begins when
//   (what the first engine has spent) (what it is expected to spend yet) >= kTry (the price of the other)^2,
// the sooner, the longer the rest will be: between kTry and 3 times the price, since a rest that is longer than the price,
// or of which nothing is known, counts as the price.  Not before `earliest`; what is known by then serves on.  The price of sparse data depends on their
// pattern: it is that of dense factors until kLookAt products are spent; these take longer than the look at the pattern,
// which is taken then.  After the certificate nothing new is begun.
#pragma once

#include <memory>

#include "inner/forecast.hpp"
#include "inner/interior_point_engine.hpp"

namespace fcbio {

class HandoverEngine final : public Engine {
 public:
  static constexpr double kEarliest = 400.0, kLookAt = 2000.0, kTry = 0.3, kLeastRemaining = 0.1;
  static constexpr double kPathShare = 3.0;  // of a solve in its lower phase

  /// Empty: there is something to hand over to; otherwise why not, in words.
  static std::string misfit(const Problem& problem);

  HandoverEngine(Oracle& oracle, std::unique_ptr<Engine> first, double earliest = kEarliest);
  /// What was used so far.
  std::string_view name() const override { return name_; }
  double first_multiplier_share() const override { return now().first_multiplier_share(); }
  bool minds_large_multipliers() const override { return now().minds_large_multipliers(); }
  std::int64_t patience() const override { return now().patience(); }
  std::int64_t step_cost(const Weights& weights) const override { return now().step_cost(weights); }
  bool begin(const Weights& weights, Iterate& at) override;
  bool step(const Weights& weights, Iterate& at) override;
  EngineBound bound(const Weights& weights, const Iterate& at) override;
  std::optional<Vector> face_point() const override { return now().face_point(); }
  double operations() const override { return first_->operations(); }
  void note(double gap, double wanted) override;
  void settle() override;
  void archive(Archive& archive) override;

 private:
  Engine& now() const { return handed_over_ ? *second_ : *first_; }
  double spent_in_products() const;
  bool is_due(const Weights& weights);

  std::unique_ptr<Engine> first_;
  std::unique_ptr<InteriorPointEngine> second_;
  std::string name_;
  Index numbers_ = 1;                // stored numbers of the data
  std::int64_t passes_before_ = -1;  // at the first begin()
  double earliest_, dense_price_;    // in products
  bool may_be_sparse_;
  Forecast forecast_;
  bool handed_over_ = false, settled_ = false;
};

}  // namespace fcbio
