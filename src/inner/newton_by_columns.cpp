// Newton's model by columns:  H = sum over levels of weight S_level + (m + floor) I  with  S = V'DV of the level's
// rows, n x n.  S is kept, for other multipliers and other points, while the curvatures of its losses are nearly those
// that it was made with: it costs many times as much as the rest of a step, and with a share s of the curvature changed
// a step still takes the gap down by a factor of about s^2.  Hessians of black boxes, made of n products, are added to
// it; how much they have changed nobody knows, so they are kept until the engine finds its steps wanting.
//
// Without bounds d(nu) = -(H + nu I)^{-1} (phi'(x) + nu v).  With bounds l <= x + d <= u, d(nu) minimises the same
// model under them (inner/box_model.hpp).
#include <cmath>
#include <optional>
#include <utility>

#include "inner/newton_system.hpp"
#include "linalg/cholesky.hpp"
#include "linalg/row_products.hpp"
#include "linalg/sparse_gram.hpp"

namespace fcbio {
namespace {

constexpr double kKept = 0.03;           // share of the curvature that may have changed
constexpr double kUnknownChange = 1e-6;  // taken for that of a black box that has moved: some, but it may be kept

class ByColumns final : public NewtonSystem, private BoxMetric {
 public:
  ByColumns(const Problem& problem, const NewtonRows& rows, const NewtonBounds& bounds)
      : problem_(problem),
        rows_(rows),
        bounded_(bounds.any()),
        box_(bounds),
        curvatures_(Vector::Zero(rows.size())),
        used_curvatures_(curvatures_),
        gradient_(Vector::Zero(problem.dimension())),
        v_(gradient_),
        d_(gradient_),
        z_(gradient_),
        data_(rows.parts().size()) {
    for (std::size_t i = 0; i < data_.size(); ++i) {
      has_rows_[rows.parts()[i].level] = true;
      data_[i].is_sparse = rows.parts()[i].term->map()->copy_sparse_rows(nullptr);
    }
    for (const NewtonRows::Product& product : rows.products())
      has_rows_[product.level] = has_products_[product.level] = true;
    if (!rows.products().empty()) unit_ = column_ = gradient_;
  }

  void look(const Weights& weights, const Iterate& at) override {
    weights_ = weights;
    for (Level level : kLevels) {
      if (!weights.uses(level) || !has_rows_[level]) continue;
      rows_.curvatures(level, at, curvatures_);
      changed_[level] = change(level);
      if (has_products_[level] && squares_[level].size() > 0 && at.point.x != made_at_[level])
        changed_[level] = std::max(changed_[level], kUnknownChange);
      stale_[level] = changed_[level] > kKept;
    }
  }

  const Vector& curvatures() const override { return used_curvatures_; }
  bool renew() override {
    bool any = false;
    for (Level level : kLevels) {
      if (!weights_.uses(level) || !has_rows_[level] || stale_[level]) continue;
      stale_[level] = changed_[level] > 0.0;
      any = any || stale_[level];
    }
    return any;
  }

  std::int64_t build_cost() const override {
    std::int64_t passes = 0;
    for (Level level : kLevels)
      if (must_make(level)) passes += square_cost(level);
    return passes;
  }

  void build(Oracle& oracle, const Iterate& at, const Vector& centre, double floor_factor) override {
    for (Level level : kLevels) {
      if (!must_make(level)) continue;
      if (!make_square(level, at, oracle.monitor())) return;  // stopped, and whoever asks next is told
      oracle.charge(level, square_cost(level));
    }
    const Index n = rows_.dimension();
    if (hessian_.size() == 0) {
      hessian_.resize(n, n);
      cholesky_ = Cholesky(n);
    }
    hessian_.setZero();
    for (Level level : kLevels) {
      if (!weights_.uses(level) || !has_rows_[level]) continue;
      for (Index i = 0; i < n; ++i)
        hessian_.row(i).head(i + 1) += weights_.of(level) * squares_[level].row(i).head(i + 1);
    }
    if (bounded_)  // the model is evaluated, too: all of it
      for (Index i = 0; i < n; ++i) hessian_.col(i).head(i) = hessian_.row(i).head(i).transpose();
    const double m = rows_.curvature(weights_);
    base_ = std::max(m, kNewtonFloor * floor_factor * hessian_.trace());
    if (!(base_ > 0.0)) base_ = 1.0;  // phi is linear
    at.gradient(weights_, gradient_);
    x_ = &at.point.x;
    v_ = at.point.x - centre;
    d_.setZero();
    factored_ =
        factored_ && weights_.upper == factored_weights_.upper && weights_.lower == factored_weights_.lower;
  }

  std::int64_t factor_cost() const override { return factor_cost(rows_.dimension()); }
  std::int64_t solve_cost() const override { return factor_cost(); }
  std::int64_t direction_cost() const override { return 0; }

  bool solve(Oracle& oracle, double nu, std::int64_t reserve) override {
    if (bounded_) {
      force_ = gradient_ + nu * v_;
      const bool solved = box_.minimise(oracle, *this, *x_, base_ + nu, force_, reserve, d_);
      z_ = d_ + v_;
      return solved;
    }
    if (!factor(oracle, base_ + nu)) return false;
    d_ = -gradient_ - nu * v_;
    cholesky_.solve(d_);
    z_ = d_ + v_;
    return d_.allFinite();
  }
  double squared_norm() override { return z_.squaredNorm(); }
  double decay() override {
    if (!bounded_) {
      right_ = z_;
    } else {
      gather(z_);
    }
    cholesky_.solve_lower(right_);
    return right_.squaredNorm();
  }
  void direction(Oracle&, VectorOut d) override { d = d_; }

  Price price() const override {
    Price price{.factor = (bounded_ ? BoxModel::kUsualRounds : 1) * factor_cost()};
    for (Level level : kLevels)
      if (has_rows_[level]) (rows_.looks_constant(level) ? price.once : price.square) += square_price(level);
    return price;
  }

  void archive(Archive& archive) override {
    archive(weights_, factored_weights_, stale_, changed_, cholesky_, curvatures_, used_curvatures_, squares_,
            made_at_, hessian_, free_, factored_, base_, a_);
  }

 private:
  /// The numbers of a part, as the products of matrices want them.
  struct Data {
    bool is_sparse = false;
    std::optional<SparseGram> sparse;  // once it is needed
    RowMajorMatrix copy;  // of dense data that are not stored by rows
    const double* rows = nullptr;
  };

  static std::size_t at_place(Index i) { return static_cast<std::size_t>(i); }
  std::int64_t factor_cost(Index size) const { return passes_of(cholesky_operations(size), rows_.numbers()); }
  /// Dense rows: n products, of which half are the same; sparse ones: what they take.
  template <class Operations>
  std::int64_t square_passes(Level level, Operations sparse_operations) const {
    std::int64_t passes = 0;
    for (std::size_t i = 0; i < data_.size(); ++i) {
      const NewtonRows::Part& part = rows_.parts()[i];
      if (part.level != level) continue;
      const std::int64_t dense = (rows_.dimension() + 1) / 2 * part.term->cost().image;
      passes += data_[i].is_sparse ? std::min(dense, passes_of(sparse_operations(i), part.term->map()->numbers())) : dense;
    }
    for (const NewtonRows::Product& product : rows_.products())
      if (product.level == level) passes += rows_.dimension() * product.term->cost().hessian;
    return passes;
  }
  std::int64_t square_cost(Level level) const {
    return square_passes(level, [&](std::size_t i) { return sparse(i).operations(); });
  }
  /// As if all rows were of the same length, so that nothing has to be copied for a price.
  std::int64_t square_price(Level level) const {
    return square_passes(level, [&](std::size_t i) {
      const LinearMap& map = *rows_.parts()[i].term->map();
      const auto numbers = static_cast<double>(map.numbers());
      return numbers * (1.0 + numbers / static_cast<double>(std::max<Index>(1, map.rows())));
    });
  }
  const SparseGram& sparse(std::size_t i) const {
    if (!data_[i].sparse) {
      CsrMatrix rows;
      rows_.parts()[i].term->map()->copy_sparse_rows(&rows);
      data_[i].sparse.emplace(std::move(rows));
    }
    return *data_[i].sparse;
  }
  bool must_make(Level level) const { return weights_.uses(level) && has_rows_[level] && stale_[level]; }
  /// The share of a level's curvature that changed since S was made.
  double change(Level level) const {
    if (squares_[level].size() == 0) return kInfinity;
    double changed = 0.0, all = 0.0;
    for (const NewtonRows::Part& part : rows_.parts()) {
      if (part.level != level) continue;
      const auto now = curvatures_.segment(part.first, part.rows),
                 then = used_curvatures_.segment(part.first, part.rows);
      changed += (now - then).lpNorm<1>();
      all += now.sum();
    }
    return changed > 0.0 ? changed / all : 0.0;
  }

  bool make_square(Level level, const Iterate& at, Watch& watch) {
    const Index n = rows_.dimension();
    RowMajorMatrix& square = squares_[level];
    square.setZero(n, n);
    for (std::size_t i = 0; i < data_.size(); ++i) {
      const NewtonRows::Part& part = rows_.parts()[i];
      if (part.level != level) continue;
      Data& data = data_[i];
      const double* const weights = curvatures_.data() + part.first;
      if (data.is_sparse) {
        if (!sparse(i).add_weighted(weights, square.data(), n, &watch)) return false;
      } else {
        if (data.rows == nullptr) data.rows = part.term->map()->dense_rows();
        if (data.rows == nullptr) {
          part.term->map()->copy_rows(&data.copy);
          data.rows = data.copy.data();
        }
        if (!add_weighted_gram({data.rows, part.rows, n, n}, weights, square.data(), n, &watch)) return false;
        if (rows_.looks_constant(level)) {  // most likely not needed again
          data.copy.resize(0, 0);
          data.rows = nullptr;
        }
      }
      used_curvatures_.segment(part.first, part.rows) = curvatures_.segment(part.first, part.rows);
    }
    if (has_products_[level] && !add_products(level, at, watch)) return false;
    stale_[level] = false;
    changed_[level] = 0.0;
    factored_ = false;
    return true;
  }

  bool add_products(Level level, const Iterate& at, Watch& watch) {
    RowMajorMatrix& square = squares_[level];
    made_at_[level] = at.point.x;
    for (const NewtonRows::Product& product : rows_.products()) {
      if (product.level != level) continue;
      const Vector& image = at.point.images_of(level)[product.place];
      for (Index j = 0; j < unit_.size(); ++j) {
        if (watch.is_over(static_cast<double>(square.size()))) return false;
        unit_[j] = 1.0;
        column_.setZero();
        product.term->add_hessian_product(product.weight, at.point.x, image, unit_, scratch_, column_);
        unit_[j] = 0.0;
        square.col(j).tail(unit_.size() - j) += column_.tail(unit_.size() - j);
      }
    }
    return true;
  }

  bool factor(Oracle& oracle, double a) {
    if (factored_ && a == a_) return true;
    a_ = a;
    oracle.charge(Level::lower, factor_cost());
    RowMajorMatrix& matrix = cholesky_.matrix();
    for (Index i = 0; i < hessian_.rows(); ++i) {
      matrix.row(i).head(i + 1) = hessian_.row(i).head(i + 1);
      matrix(i, i) += a;
    }
    factored_weights_ = weights_;
    factored_ = cholesky_.factor(hessian_.rows(), &oracle.monitor());
    return factored_;
  }

  void multiply(const Vector& d, Vector& out) const override { out.noalias() = hessian_ * d; }
  double multiply_operations() const override {
    return 2.0 * static_cast<double>(rows_.dimension()) * static_cast<double>(rows_.dimension());
  }
  double trace() const override { return hessian_.trace(); }
  bool factor(Oracle& oracle, const Vector& diagonal, const std::vector<Index>& free) override {
    free_ = free;
    const auto size = static_cast<Index>(free_.size());
    oracle.charge(Level::lower, factor_cost(size));
    RowMajorMatrix& matrix = cholesky_.matrix();
    for (Index i = 0; i < size; ++i) {
      const Index row = free_[at_place(i)];
      if (size == hessian_.rows())
        matrix.row(i).head(i + 1) = hessian_.row(i).head(i + 1);
      else
        for (Index j = 0; j <= i; ++j) matrix(i, j) = hessian_(row, free_[at_place(j)]);
      matrix(i, i) += diagonal[row];
    }
    return cholesky_.factor(size, &oracle.monitor());
  }
  void solve(Vector& x) override {
    gather(x);
    cholesky_.solve(right_);
    x.setZero();
    for (Index k = 0; k < right_.size(); ++k) x[free_[at_place(k)]] = right_[k];
  }
  void gather(const Vector& x) {
    right_.resize(cholesky_.size());
    for (Index k = 0; k < right_.size(); ++k) right_[k] = x[free_[at_place(k)]];
  }

  const Problem& problem_;
  const NewtonRows& rows_;
  const bool bounded_;
  BoxModel box_;
  Weights weights_, factored_weights_;
  PerLevel<bool> has_rows_, has_products_, stale_{true, true};
  PerLevel<double> changed_;
  Cholesky cholesky_;
  Vector curvatures_, used_curvatures_;
  PerLevel<RowMajorMatrix> squares_;
  PerLevel<Vector> made_at_;  // where the products in them were taken
  Vector unit_, column_;
  Scratch scratch_;
  RowMajorMatrix hessian_;
  const Vector* x_ = nullptr;
  Vector gradient_, v_, d_, z_;
  mutable std::vector<Data> data_;  // per part
  Vector force_ = gradient_, right_;
  std::vector<Index> free_;  // coordinates of the last factorisation under bounds
  bool factored_ = false;
  double base_ = 1.0, a_ = 0.0;
};

}  // namespace

std::unique_ptr<NewtonSystem> newton_system_by_columns(const Problem& problem, const NewtonRows& rows,
                                                       const NewtonBounds& bounds) {
  return std::make_unique<ByColumns>(problem, rows, bounds);
}

}  // namespace fcbio
