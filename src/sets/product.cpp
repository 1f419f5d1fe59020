// The product of sets: x = (x_1, ..., x_k) with block x_i in factor i, in the order given.  Everything goes block
// by block; radii, diameters and distances combine as square roots of sums of squares.
#include <algorithm>
#include <cmath>
#include <utility>

#include "fcbio/error.hpp"
#include "fcbio/set.hpp"
#include "sets/checks.hpp"
#include "sets/extended.hpp"

namespace fcbio {
namespace {

class Product final : public ConvexSet {
 public:
  explicit Product(std::vector<ConvexSetPtr> factors) : factors_(std::move(factors)) {
    if (factors_.empty()) {
      throw InvalidArgument("product: expected at least one set, found none; list its factors");
    }
    for (std::size_t i = 0; i < factors_.size(); ++i) {
      if (!factors_[i]) {
        throw InvalidArgument("product: expected a set as factor " + std::to_string(i) +
                              ", found a null pointer; construct the factor first");
      }
      dimension_ += factors_[i]->dimension();
    }
  }

  std::string_view name() const override { return "product"; }
  Index dimension() const override { return dimension_; }
  std::string premise() const override { return sets::premises_of(factors_); }
  bool rests_on_told_radius() const override {
    return std::any_of(factors_.begin(), factors_.end(),
                       [](const ConvexSetPtr& set) { return set->rests_on_told_radius(); });
  }

  void project(VectorOut x, Scratch& scratch) const override {
    for_each_block([&](std::size_t i, Index start, Index size) {
      factors_[i]->project(x.segment(start, size), scratch.child(i));
    });
  }

  double linear_lower_bound(VectorIn direction, Scratch& scratch) const override {
    double sum = 0.0;
    for_each_block([&](std::size_t i, Index start, Index size) {
      sum += factors_[i]->linear_lower_bound(direction.segment(start, size), scratch.child(i));
    });
    return sum;
  }

  double prove_linear_bound(VectorIn direction, SetWitness& witness, Scratch& scratch) const override {
    std::vector<SetWitness> hints = std::move(witness.parts);
    hints.resize(factors_.size());
    witness = SetWitness{};
    witness.parts = std::move(hints);
    sets::ExtendedSum sum;
    for_each_block([&](std::size_t i, Index start, Index size) {
      sum.add(factors_[i]->prove_linear_bound(direction.segment(start, size), witness.parts[i], scratch.child(i)));
    });
    if (std::all_of(witness.parts.begin(), witness.parts.end(),
                    [](const SetWitness& part) { return part.empty(); }))
      witness.parts.clear();
    return std::isfinite(sum.value()) ? sets::rounded_down(sum.at_least()) : -kInfinity;
  }

  void take_duals(sets::ConditionDuals& duals, VectorOut share, SetWitness& witness) const override {
    witness = SetWitness{};
    witness.parts.resize(factors_.size());
    for_each_block([&](std::size_t i, Index start, Index size) {
      factors_[i]->take_duals(duals, share.segment(start, size), witness.parts[i]);
    });
  }
  void mark_used(std::vector<bool>& used) const override {
    for_each_block([&](std::size_t i, Index start, Index size) {
      std::vector<bool> part(static_cast<std::size_t>(size), false);
      factors_[i]->mark_used(part);
      for (Index j = 0; j < size; ++j)
        if (part[static_cast<std::size_t>(j)]) used[static_cast<std::size_t>(start + j)] = true;
    });
  }

  bool minimize_linear(VectorIn direction, VectorOut vertex) const override {
    bool found = true;
    for_each_block([&](std::size_t i, Index start, Index size) {
      found = found && factors_[i]->minimize_linear(direction.segment(start, size), vertex.segment(start, size));
    });
    return found;
  }

  std::optional<double> enclosing_ball(VectorOut centre) const override {
    return combine([&](std::size_t i, Index start, Index size) {
      return factors_[i]->enclosing_ball(centre.segment(start, size));
    });
  }
  std::optional<double> diameter() const override {
    return combine([&](std::size_t i, Index, Index) { return factors_[i]->diameter(); });
  }

  double violation(VectorIn x) const override {
    double distance = 0.0;
    for_each_block([&](std::size_t i, Index start, Index size) {
      distance = std::hypot(distance, factors_[i]->violation(x.segment(start, size)));
    });
    return distance;
  }

  double reach() const override {
    double reach = 0.0;
    for (const ConvexSetPtr& factor : factors_) reach = std::hypot(reach, factor->reach());
    return reach * (1.0 + 1e-12);
  }
  bool describe(sets::Conditions& conditions, Index first) const override {
    bool known = true;
    for_each_block([&](std::size_t i, Index start, Index) {
      known = known && factors_[i]->describe(conditions, first + start);
    });
    return known;
  }
  bool interior_point(VectorOut s) const override {
    bool found = true;
    for_each_block([&](std::size_t i, Index start, Index size) {
      found = found && factors_[i]->interior_point(s.segment(start, size));
    });
    return found;
  }
  double settle(VectorOut x) const override {
    double square = 0.0;
    for_each_block([&](std::size_t i, Index start, Index size) {
      const double off = factors_[i]->settle(x.segment(start, size));
      square += off * off;
    });
    return std::sqrt(square) * (1.0 + 1e-9);
  }

 private:
  template <class Visit>
  void for_each_block(const Visit& visit) const {
    Index start = 0;
    for (std::size_t i = 0; i < factors_.size(); ++i) {
      const Index size = factors_[i]->dimension();
      visit(i, start, size);
      start += size;
    }
  }

  template <class Part>
  std::optional<double> combine(const Part& part) const {
    std::optional<double> total = 0.0;
    for_each_block([&](std::size_t i, Index start, Index size) {
      const std::optional<double> size_of_part = part(i, start, size);
      total = total && size_of_part ? std::optional<double>(std::hypot(*total, *size_of_part)) : std::nullopt;
    });
    return total;
  }

  std::vector<ConvexSetPtr> factors_;
  Index dimension_ = 0;
};

}  // namespace

ConvexSetPtr product(std::vector<ConvexSetPtr> factors) { return std::make_shared<Product>(std::move(factors)); }

}  // namespace fcbio
