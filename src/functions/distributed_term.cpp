// Rounding.  Each shard bounds its own errors (loss_term.cpp).  The numbers of S shards are added with compensation,
// which costs two roundings of the sum of their sizes; vectors along a tree of depth d, d roundings.
#include "functions/distributed_term.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "functions/rounding.hpp"
#include "linalg/spectral_bound.hpp"

namespace fcbio::functions {
namespace {

using parallel::ShardSum;

/// G = M'M of rows on many ranks.
class GramMap final : public LinearMap {
 public:
  GramMap(const ShardSum& sum, const std::vector<TermPtr>& own, Index dimension)
      : sum_(sum), own_(own), dimension_(dimension) {}

  Index rows() const override { return dimension_; }
  Index cols() const override { return dimension_; }
  void apply(VectorIn x, VectorOut image) const override {
    sum_.add_up(
        [&](Index shard, VectorOut out) {
          const LinearMap& map = *own_[static_cast<std::size_t>(shard - sum_.own().first)]->map();
          Vector u(map.rows());
          map.apply(x, u);
          map.transpose(1.0, u, out);
        },
        image);
  }
  void add_transpose(double weight, VectorIn dual, VectorOut gradient) const override {
    Vector product(dimension_);
    apply(dual, product);
    gradient += weight * product;
  }
  NormBound norm_bound() const override { return {}; }  // is what this map is made for
  double frobenius_bound() const override { return 0.0; }

 private:
  const ShardSum& sum_;
  const std::vector<TermPtr>& own_;
  Index dimension_;
};

class DistributedTerm final : public Term {
 public:
  DistributedTerm(parallel::Communicator& ranks, Index shards, std::vector<TermPtr> own, LossPtr model,
                  Index dimension)
      : sum_(ranks, shards), own_(std::move(own)), model_(std::move(model)), dimension_(dimension) {
    for (const TermPtr& term : own_) {
      places_.push_back(rows_);
      rows_ += term->dual_size();
    }
    places_.push_back(rows_);
  }

  std::string_view name() const override { return model_->name(); }
  Index dimension() const override { return dimension_; }
  PassCost cost() const override { return {.image = 1, .value = 0, .gradient = 1, .slope = 1}; }

  /// Not 0 where there are no rows here: this term has images, and duals, on all ranks.
  Index image_size() const override { return std::max<Index>(rows_, 1); }
  void image(VectorIn x, VectorOut u) const override {
    for_each_own(u, [&](const Term& term, VectorOut part) { term.image(x, part); });
  }
  double value(VectorIn x, VectorIn u) const override {
    return sum([&](const Term& term, Index i) { return term.value(x, part_of(u, i)); });
  }

  Index dual_size() const override { return image_size(); }
  void linear_dual(VectorIn x, VectorIn u, VectorOut d) const override {
    for_each_own(d, [&, i = Index{0}](const Term& term, VectorOut part) mutable {
      term.linear_dual(x, part_of(u, i++), part);
    });
  }
  void add_gradient(double weight, VectorIn, VectorIn, VectorIn d, VectorOut gradient) const override {
    add_slope(weight, d, gradient);
  }
  void gradient(double weight, VectorIn x, VectorIn u, VectorIn d, VectorOut gradient) const override {
    sum_.add_up(
        [&](Index shard, VectorOut out) {
          const Index i = shard - sum_.own().first;
          own(i).gradient(weight, x, part_of(u, i), part_of(d, i), out);
        },
        gradient);
  }
  double slope_along(VectorIn x, VectorIn u, VectorIn v, VectorIn v_image, VectorOut dual) const override {
    return sum([&](const Term& term, Index i) {
      return term.slope_along(x, part_of(u, i), v, part_of(v_image, i), part_of(dual, i));
    });
  }
  bool add_hessian_product(double weight, VectorIn x, VectorIn u, VectorIn v, Scratch& scratch,
                           VectorOut out) const override {
    const Vector row = Vector::Zero(1);
    Vector curvature(1);
    if (!model_->curvature(row, curvature)) return false;
    add_sum(out, [&](Index i, VectorOut product) {
      product.setZero();
      own(i).add_hessian_product(weight, x, part_of(u, i), v, scratch.child(static_cast<std::size_t>(i)), product);
    });
    return true;
  }

  void repair_dual(VectorOut d) const override {
    for_each_own(d, [](const Term& term, VectorOut part) { term.repair_dual(part); });
  }
  double dual_constant(VectorIn d) const override {
    return sum([&](const Term& term, Index i) { return term.dual_constant(part_of(d, i)); });
  }
  void add_slope(double weight, VectorIn d, VectorOut slope) const override {
    add_sum(slope, [&](Index i, VectorOut part) { slope_of(weight, i, d, part); });
  }

  double value_rounding(VectorIn x, VectorIn u) const override {
    return sum_rounding(2, [&](Index i, double& size, double& rounding) {
      size = own(i).value(x, part_of(u, i));
      rounding = own(i).value_rounding(x, part_of(u, i));
    });
  }
  double slope_rounding(VectorIn d) const override {
    return sum_rounding(sum_.depth() + 1, [&](Index i, double& size, double& rounding) {
      size = own(i).map()->frobenius_bound() * norm(part_of(d, i));
      rounding = own(i).slope_rounding(part_of(d, i));
    });
  }
  double dual_constant_rounding(VectorIn d) const override {
    return sum_rounding(2, [&](Index i, double& size, double& rounding) {
      size = own(i).dual_constant(part_of(d, i));
      rounding = own(i).dual_constant_rounding(part_of(d, i));
    });
  }

  Proved proved_value(VectorIn x, VectorOut u) const override {
    if (rows_ == 0) u.setZero();
    const Eigen::MatrixXd all = sum_.gather(2, [&](Index shard, VectorOut column) {
      const Index i = shard - sum_.own().first;
      const Proved proved = own(i).proved_value(x, part_of(u, i));
      column << proved.value, proved.rounding;
    });
    return {total(all.row(0)), rounding_of(2, all)};
  }
  double add_proved_slope(double weight, VectorIn d, VectorOut slope) const override {
    Vector roundings(std::max<Index>(sum_.own().end - sum_.own().first, 1)), sizes(roundings);
    add_sum(slope, [&](Index i, VectorOut part) {
      part.setZero();
      roundings[i] = own(i).add_proved_slope(1.0, part_of(d, i), part);
      sizes[i] = norm(part);
      part *= weight;
    });
    return sum_rounding(sum_.depth() + 2, [&](Index i, double& size, double& rounding) {
      size = sizes[i];
      rounding = roundings[i];
    });
  }

  void mark_used(VectorIn rest, std::vector<bool>& used) const override {
    std::vector<bool> marked(used.size(), false);
    for (const TermPtr& term : own_) term->mark_used(rest, marked);
    const std::vector<std::uint8_t> here(marked.begin(), marked.end());
    const std::vector<std::uint8_t> everywhere = parallel::brought_by_all(sum_.ranks(), here);
    for (std::size_t k = 0; k < everywhere.size(); ++k)
      if (everywhere[k] != 0) used[k % used.size()] = true;
  }
  TermPtr restricted(const std::vector<Index>& used) const override {
    std::vector<TermPtr> smaller;
    for (const TermPtr& term : own_) smaller.push_back(term->restricted(used));
    const bool lacks = std::find(smaller.begin(), smaller.end(), nullptr) != smaller.end();
    if (parallel::any(sum_.ranks(), lacks)) return nullptr;
    return distributed_term(sum_.ranks(), sum_.shards(), std::move(smaller), model_,
                            static_cast<Index>(used.size()));
  }

  bool differentiable() const override { return model_->differentiable(); }
  bool smooth() const override { return model_->smoothness().has_value(); }
  /// The loss's constant times |M|^2 = |M'M|, whose bound is that of a map.
  CostedBound smoothness() const override {
    if (!smooth()) return {};
    const Eigen::MatrixXd all = sum_.gather(2, [&](Index shard, VectorOut column) {
      const Term& term = own(shard - sum_.own().first);
      column << term.loss()->smoothness().value_or(kInfinity), term.map()->frobenius_bound();
    });
    const double frobenius = rounded_up(norm(all.row(1).transpose()), sum_depth(all.cols()) + 2);
    const NormBound gram = norm_of_gram(frobenius);
    const double squared = std::min(rounded_up(std::sqrt(gram.squared), 2), rounded_up(frobenius * frobenius, 1));
    return {rounded_up(all.row(0).maxCoeff() * squared, 2), 2 * gram.passes};
  }
  /// The shards' together.
  CostedBound lipschitz(VectorIn centre, double radius) const override {
    return sum_of_bounds([&](const Term& term, Index) { return term.lipschitz(centre, radius); });
  }
  CostedBound change(VectorIn x, VectorIn u, double distance) const override {
    return sum_of_bounds([&](const Term& term, Index i) { return term.change(x, part_of(u, i), distance); });
  }
  double lower_bound() const override { return model_->lower_bound(); }

  void complete(Vector& numbers) const {
    const std::vector<double> here(numbers.data(), numbers.data() + std::min(rows_, numbers.size()));
    const std::vector<double> all = parallel::brought_by_all(sum_.ranks(), here);
    numbers = Eigen::Map<const Vector>(all.data(), static_cast<Index>(all.size()));
  }
  void keep_own(Vector& numbers) const {
    const std::vector<Index> rows = parallel::said_by_all(sum_.ranks(), rows_);
    const auto here = rows.begin() + sum_.ranks().rank();
    const Index before = std::accumulate(rows.begin(), here, Index{0});
    const bool fits = numbers.size() == std::accumulate(here, rows.end(), before) && numbers.allFinite();
    Vector kept = Vector::Zero(fits ? dual_size() : 0);
    if (fits) kept.head(rows_) = numbers.segment(before, rows_);
    numbers = std::move(kept);
  }

 private:
  const Term& own(Index i) const { return *own_[static_cast<std::size_t>(i)]; }
  Index place(Index i) const { return places_[static_cast<std::size_t>(i)]; }
  Eigen::Ref<const Vector> part_of(VectorIn rows, Index i) const {
    return rows.segment(place(i), place(i + 1) - place(i));
  }
  VectorOut part_of(VectorOut rows, Index i) const { return rows.segment(place(i), place(i + 1) - place(i)); }

  /// Applies apply(term, part) to the parts of `rows`; what stands there for no row is 0.
  template <class Apply>
  void for_each_own(VectorOut rows, Apply apply) const {
    if (rows_ == 0) rows.setZero();
    for (Index i = 0; i < static_cast<Index>(own_.size()); ++i) apply(own(i), part_of(rows, i));
  }

  static double total(VectorIn numbers) {
    CompensatedSum sum;
    for (const double number : numbers) sum.add(number);
    return sum.value();
  }
  static double total(const Eigen::MatrixXd::ConstRowXpr& row) { return total(Vector(row)); }

  /// number(term, i) of the i-th own shard.
  template <class Number>
  double sum(const Number& number) const {
    const Eigen::MatrixXd all = sum_.gather(1, [&](Index shard, VectorOut column) {
      const Index i = shard - sum_.own().first;
      column[0] = number(own(i), i);
    });
    return total(all.row(0));
  }

  /// out += the sum of what fill(i, vector) writes for the i-th own shard.
  template <class Fill>
  void add_sum(VectorOut out, const Fill& fill) const {
    added_.resize(out.size());
    sum_.add_up([&](Index shard, VectorOut vector) { fill(shard - sum_.own().first, vector); }, added_);
    out += added_;
  }
  void slope_of(double weight, Index i, VectorIn d, VectorOut out) const {
    own(i).map()->transpose(weight, part_of(d, i), out);
  }

  /// Of a sum of summands with these sizes (first row) and errors (second), each through so many roundings.
  static double rounding_of(Index roundings, const Eigen::MatrixXd& all) {
    const double sizes = total(Vector(all.row(0).transpose().cwiseAbs())), errors = total(all.row(1));
    return rounded_up(errors + rounding_factor(roundings) * sizes, 8) + kUnderflow;
  }
  template <class Tell>
  double sum_rounding(Index roundings, const Tell& tell) const {
    return rounding_of(roundings, sum_.gather(2, [&](Index shard, VectorOut column) {
      tell(shard - sum_.own().first, column[0], column[1]);
    }));
  }

  /// Bounds of the shards added up; passes are made by all of them at the same time.
  template <class Bound>
  CostedBound sum_of_bounds(const Bound& bound) const {
    const Eigen::MatrixXd all = sum_.gather(2, [&](Index shard, VectorOut column) {
      const Index i = shard - sum_.own().first;
      const CostedBound found = bound(own(i), i);
      column << found.value.value_or(kInfinity), static_cast<double>(found.passes);
    });
    const double value = rounded_up(total(all.row(0)), 4);
    const auto passes = static_cast<std::int64_t>(all.row(1).maxCoeff());
    return {std::isfinite(value) ? std::optional(value) : std::nullopt, passes};
  }

  NormBound norm_of_gram(double frobenius) const {
    EntryBounds bounds;
    if (frobenius == 0.0) return {};
    const double squared = rounded_up(frobenius * frobenius, 1);
    bounds.scale = std::ldexp(1.0, -std::ilogb(squared));
    bounds.frobenius = squared * bounds.scale;
    bounds.squared = rounded_up(bounds.frobenius * bounds.frobenius, 1);
    return gram_norm_.of(GramMap(sum_, own_, dimension()), bounds);
  }

  ShardSum sum_;
  std::vector<TermPtr> own_;
  LossPtr model_;
  Index dimension_;
  std::vector<Index> places_;  // of the rows of every own shard, and the end
  Index rows_ = 0;
  CachedSpectralBound gram_norm_;
  mutable Vector added_;
};

}  // namespace

TermPtr distributed_term(parallel::Communicator& ranks, Index shards, std::vector<TermPtr> own, LossPtr model,
                         Index dimension) {
  return std::make_shared<DistributedTerm>(ranks, shards, std::move(own), std::move(model), dimension);
}

const Term* distributed_part(const Problem& problem) {
  for (const Level level : kLevels)
    for (const Function::Part& part : problem.function(level).parts())
      if (part.weight > 0.0 && dynamic_cast<const DistributedTerm*>(part.term.get()) != nullptr)
        return part.term.get();
  return nullptr;
}

void complete_rows(const Term& term, Vector& numbers) {
  if (const auto* distributed = dynamic_cast<const DistributedTerm*>(&term)) distributed->complete(numbers);
}

void keep_own_rows(const Term& term, Vector& numbers) {
  if (const auto* distributed = dynamic_cast<const DistributedTerm*>(&term)) distributed->keep_own(numbers);
}

}  // namespace fcbio::functions
