// Newton's model by columns:  H = sum over levels of weight S_level + (m + floor) I  with  S = V'DV of the level's
// rows, n x n.  S is kept, for other multipliers and other points, while the curvatures of its losses are nearly those
// that it was made with: it costs many times as much as the rest of a step, and with a share s of the curvature changed
// a step still takes the gap down by a factor of about s^2.
//
// Without bounds d(nu) = -(H + nu I)^{-1} (phi'(x) + nu v).  With bounds l <= x + d <= u, d(nu) minimises the same
// model under them, by the interior-point method of Mehrotra (1992): a factorisation of H and a diagonal for each of
// some fifteen steps, whatever the condition.  (Active sets do not end on images: where H is next to singular, Newton
// steps in a face are longer than the box by many orders, and each of them crosses hundreds of bounds.)
#include <cmath>
#include <utility>

#include "inner/newton_system.hpp"
#include "linalg/cholesky.hpp"
#include "linalg/row_products.hpp"
#include "linalg/sparse_gram.hpp"

namespace fcbio {
namespace {

constexpr int kUsualRounds = 14;       // of the model with bounds
constexpr int kMostRounds = 80;        // of the model with bounds; then what there is must do
constexpr double kSolved = 1e-14;      // complementarity that is left, of what it was at first, and
constexpr double kStationary = 1e-10;  // slope of the Lagrangian, of the model's at first
constexpr double kMargin = 0.02;  // of the width of a box, or of the size of a point, between bounds and start
constexpr double kShort = 0.995;  // of the way to the nearest bound
constexpr double kStuck = 1e-10;  // a step that makes no progress for rounding
// On data of 20,000 x 784 a product takes 10 ms, and V'DV, which counts as 784, 290.
constexpr Index kInCache = 2'000'000;
constexpr std::int64_t kFaster = 25;
constexpr double kKept = 0.03;  // share of the curvature that may have changed

class ByColumns final : public NewtonSystem {
 public:
  ByColumns(const Problem& problem, const NewtonRows& rows, const NewtonBounds& bounds)
      : problem_(problem),
        rows_(rows),
        bounds_(bounds),
        curvatures_(Vector::Zero(rows.size())),
        used_curvatures_(curvatures_),
        gradient_(Vector::Zero(problem.dimension())),
        v_(gradient_),
        d_(gradient_),
        z_(gradient_),
        data_(rows.parts().size()) {
    for (std::size_t i = 0; i < data_.size(); ++i) {
      has_rows_[rows.parts()[i].level] = true;
      CsrMatrix sparse;
      if (!rows.parts()[i].term->map()->copy_sparse_rows(&sparse)) continue;
      data_[i].sparse = SparseGram(std::move(sparse));
      data_[i].is_sparse = true;
    }
  }

  void look(const Weights& weights, const Iterate& at) override {
    weights_ = weights;
    for (Level level : kLevels) {
      if (!weights.uses(level) || !has_rows_[level]) continue;
      rows_.curvatures(level, at, curvatures_);
      changed_[level] = change(level);
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
      if (!make_square(level, oracle.monitor())) return;  // stopped, and whoever asks next is told
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
    if (bounds_.any())  // the model is evaluated, too: all of it
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
    if (bounds_.any()) return solve_in_bounds(oracle, nu, reserve);
    if (!factor(oracle, base_ + nu)) return false;
    d_ = -gradient_ - nu * v_;
    cholesky_.solve(d_);
    z_ = d_ + v_;
    return d_.allFinite();
  }
  double squared_norm() override { return z_.squaredNorm(); }
  double decay() override {
    if (!bounds_.any()) {
      right_ = z_;
    } else {
      right_.resize(cholesky_.size());
      for (Index k = 0; k < right_.size(); ++k) right_[k] = z_[free_[at_place(k)]];
    }
    cholesky_.solve_lower(right_);
    return right_.squaredNorm();
  }
  void direction(Oracle&, VectorOut d) override { d = d_; }

  Price price() const override {
    Price price{0, (bounds_.any() ? kUsualRounds : 1) * factor_cost()};
    for (Level level : kLevels)
      if (has_rows_[level]) (rows_.looks_constant(level) ? price.once : price.step) += square_price(level);
    return price;
  }

 private:
  /// The numbers of a part, as the products of matrices want them.
  struct Data {
    bool is_sparse = false;
    SparseGram sparse;
    RowMajorMatrix copy;  // of dense data that are not stored by rows
    const double* rows = nullptr;
  };

  static std::size_t at_place(Index i) { return static_cast<std::size_t>(i); }
  std::int64_t factor_cost(Index size) const { return passes_of(cholesky_operations(size), rows_.numbers()); }
  /// Dense rows: n products; sparse ones: what they take.
  std::int64_t square_cost(Level level) const {
    std::int64_t passes = 0;
    for (std::size_t i = 0; i < data_.size(); ++i) {
      const NewtonRows::Part& part = rows_.parts()[i];
      if (part.level != level) continue;
      const std::int64_t dense = rows_.dimension() * part.term->cost().image;
      passes += data_[i].is_sparse
                    ? std::min(dense, passes_of(data_[i].sparse.operations(), part.term->map()->numbers()))
                    : dense;
    }
    return passes;
  }
  std::int64_t square_price(Level level) const {
    const std::int64_t passes = square_cost(level);
    bool fast = rows_.numbers() > kInCache;
    for (std::size_t i = 0; i < data_.size(); ++i)
      fast = fast && (rows_.parts()[i].level != level || !data_[i].is_sparse);
    return fast ? (passes + kFaster - 1) / kFaster : passes;
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

  bool make_square(Level level, Watch& watch) {
    const Index n = rows_.dimension();
    RowMajorMatrix& square = squares_[level];
    square.setZero(n, n);
    for (std::size_t i = 0; i < data_.size(); ++i) {
      const NewtonRows::Part& part = rows_.parts()[i];
      if (part.level != level) continue;
      Data& data = data_[i];
      const double* const weights = curvatures_.data() + part.first;
      if (data.is_sparse) {
        if (!data.sparse.add_weighted(weights, square.data(), n, &watch)) return false;
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
    stale_[level] = false;
    changed_[level] = 0.0;
    factored_ = false;
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

  double low(Index j) const { return bounds_.lower[j] - (*x_)[j]; }
  double high(Index j) const { return bounds_.upper[j] - (*x_)[j]; }

  /// One side of the bounds: room to them, multipliers, and their steps.  An open side has room without end.
  struct Side {
    Vector room, multiplier, aim, step;
    void resize(Index n) {
      for (Vector* v : {&room, &multiplier, &aim, &step}) v->setZero(n);
    }
    double pressure(Index j) const { return multiplier[j] / room[j]; }  // 0 on an open side
  };

  /// Well inside of the bounds, near 0.
  void start_inside(double unit) {
    free_.clear();
    for (Index j = 0; j < d_.size(); ++j) {
      const double from = low(j), to = high(j), width = to - from;
      if (!(width > 0.0)) {
        d_[j] = from;
        continue;
      }
      free_.push_back(j);
      const double margin = std::min(kMargin * width, unit);
      d_[j] = std::min(to - margin, std::max(from + margin, 0.0));
    }
  }

  bool solve_in_bounds(Oracle& oracle, double nu, std::int64_t reserve) {
    const Index n = rows_.dimension();
    const double a = base_ + nu;
    force_ = gradient_ + nu * v_;
    const double mean = hessian_.trace() / static_cast<double>(n) + a;
    const double unit = std::max(x_->lpNorm<Eigen::Infinity>(), force_.lpNorm<Eigen::Infinity>() / mean);
    start_inside(unit > 0.0 ? kMargin * unit : 1.0);
    below_.resize(n);
    above_.resize(n);
    slope_.noalias() = hessian_ * d_;
    slope_ += a * d_ + force_;
    double scale = 0.0, count = 0.0;
    for (Index j : free_) scale = std::max(scale, std::abs(slope_[j]));
    for (Index j : free_) {
      below_.multiplier[j] = low(j) > -kInfinity ? scale : 0.0;
      above_.multiplier[j] = high(j) < kInfinity ? scale : 0.0;
      count += (low(j) > -kInfinity ? 1.0 : 0.0) + (high(j) < kInfinity ? 1.0 : 0.0);
    }
    const auto measure = [&] {
      double sum = 0.0;
      for (Index j : free_) {
        below_.room[j] = d_[j] - low(j);
        above_.room[j] = high(j) - d_[j];
        if (below_.multiplier[j] > 0.0) sum += below_.room[j] * below_.multiplier[j];
        if (above_.multiplier[j] > 0.0) sum += above_.room[j] * above_.multiplier[j];
      }
      return sum;
    };
    const double start = measure();
    if (!(scale > 0.0) || free_.empty()) return finish();
    for (int round = 0; round < kMostRounds; ++round) {
      const double left = measure(), middle = count > 0.0 ? left / count : 0.0;
      double residual = 0.0;
      for (Index j : free_) {
        slope_[j] -= below_.multiplier[j] - above_.multiplier[j];
        residual = std::max(residual, std::abs(slope_[j]));
      }
      if (left <= kSolved * start && residual <= kStationary * scale && round > 0) break;
      if (round > 0 && !oracle.monitor().may_spend(factor_cost() + reserve)) return false;
      if (!factor_inside(oracle, a)) {
        if (oracle.monitor().stopped() || round == 0) return false;
        break;  // rounding: what there is must do
      }
      solve_for(0.0, false);
      const double reach = std::min(longest(below_, 1.0), longest(above_, -1.0)), dual = longest_dual();
      double ahead = 0.0;
      for (Index j : free_) {
        if (below_.multiplier[j] > 0.0)
          ahead += (below_.room[j] + reach * step_[j]) * (below_.multiplier[j] + dual * below_.step[j]);
        if (above_.multiplier[j] > 0.0)
          ahead += (above_.room[j] - reach * step_[j]) * (above_.multiplier[j] + dual * above_.step[j]);
      }
      if (count > 0.0) {
        const double share = left > 0.0 ? ahead / left : 0.0;
        solve_for(share * share * share * middle, true);
      }
      if (!step_.allFinite()) break;
      const double primal_length = kShort * std::min(longest(below_, 1.0), longest(above_, -1.0));
      const double dual_length = kShort * longest_dual();
      const double length = count > 0.0 ? primal_length : 1.0;
      for (Index j : free_) {
        d_[j] += length * step_[j];
        below_.multiplier[j] += dual_length * below_.step[j];
        above_.multiplier[j] += dual_length * above_.step[j];
      }
      slope_.noalias() = hessian_ * d_;
      slope_ += a * d_ + force_;
      if (oracle.monitor().is_over(6.0 * static_cast<double>(n) * static_cast<double>(n))) return false;
      if (length < kStuck && dual_length < kStuck) break;
    }
    return finish();
  }
  bool finish() {
    for (Index j = 0; j < d_.size(); ++j) d_[j] = std::min(high(j), std::max(low(j), d_[j]));
    z_ = d_ + v_;
    return d_.allFinite();
  }

  /// H + a I + what the bounds press with, in the coordinates that can move.
  bool factor_inside(Oracle& oracle, double a) {
    const auto size = static_cast<Index>(free_.size());
    oracle.charge(Level::lower, factor_cost(size));
    RowMajorMatrix& matrix = cholesky_.matrix();
    for (Index i = 0; i < size; ++i) {
      const Index row = free_[at_place(i)];
      if (size == hessian_.rows())
        matrix.row(i).head(i + 1) = hessian_.row(i).head(i + 1);
      else
        for (Index j = 0; j <= i; ++j) matrix(i, j) = hessian_(row, free_[at_place(j)]);
      matrix(i, i) += a + below_.pressure(row) + above_.pressure(row);
    }
    return cholesky_.factor(size, &oracle.monitor());
  }

  /// The step towards complementarity `target`; corrected by the product of the last one's steps.
  void solve_for(double target, bool corrected) {
    right_.resize(static_cast<Index>(free_.size()));
    for (Index k = 0; k < right_.size(); ++k) {
      const Index j = free_[at_place(k)];
      const double moved = corrected ? step_[j] : 0.0;
      const auto aim = [&](Side& side, double sign) {
        side.aim[j] =
            side.multiplier[j] > 0.0
                ? (target - (corrected ? sign * moved * side.step[j] : 0.0)) / side.room[j] - side.multiplier[j]
                : 0.0;
      };
      aim(below_, 1.0);
      aim(above_, -1.0);
      right_[k] = -slope_[j] + below_.aim[j] - above_.aim[j];
    }
    cholesky_.solve(right_);
    step_.setZero();
    for (Index k = 0; k < right_.size(); ++k) {
      const Index j = free_[at_place(k)];
      step_[j] = right_[k];
      below_.step[j] = below_.aim[j] - below_.pressure(j) * step_[j];
      above_.step[j] = above_.aim[j] + above_.pressure(j) * step_[j];
    }
  }
  double longest(const Side& side, double sign) const {
    double most = 1.0 / kShort;
    for (Index j : free_)
      if (side.multiplier[j] > 0.0 && sign * step_[j] < 0.0)
        most = std::min(most, -side.room[j] / (sign * step_[j]));
    return std::min(most, 1.0);
  }
  double longest_dual() const {
    double most = 1.0;
    for (Index j : free_)
      for (const Side* side : {&below_, &above_})
        if (side->step[j] < 0.0) most = std::min(most, -side->multiplier[j] / side->step[j]);
    return most;
  }

  const Problem& problem_;
  const NewtonRows& rows_;
  NewtonBounds bounds_;
  Weights weights_, factored_weights_;
  PerLevel<bool> has_rows_, stale_{true, true};
  PerLevel<double> changed_;
  Cholesky cholesky_;
  Vector curvatures_, used_curvatures_;
  PerLevel<RowMajorMatrix> squares_;
  RowMajorMatrix hessian_;
  const Vector* x_ = nullptr;
  Vector gradient_, v_, d_, z_;
  std::vector<Data> data_;  // per part
  Vector slope_ = gradient_, force_ = gradient_, step_ = gradient_, right_;
  Side below_, above_;
  std::vector<Index> free_;  // coordinates that have room between their bounds
  bool factored_ = false;
  double base_ = 1.0, a_ = 0.0;
};

}  // namespace

std::unique_ptr<NewtonSystem> newton_system_by_columns(const Problem& problem, const NewtonRows& rows,
                                                       const NewtonBounds& bounds) {
  return std::make_unique<ByColumns>(problem, rows, bounds);
}

}  // namespace fcbio
