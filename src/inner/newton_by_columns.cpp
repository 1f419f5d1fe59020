// Newton's model by columns:  H = sum over levels of weight S_level + (m + floor) I  with  S = V'DV of the level's
// rows, n x n, and d(nu) = -(H + nu I)^{-1} (phi'(x) + nu v).  S is made again only when a curvature of its losses
// changed by a bit: never for least squares.
#include <cmath>

#include "linalg/cholesky.hpp"
#include "linalg/row_products.hpp"
#include "inner/newton_system.hpp"

namespace fcbio {
namespace {

class ByColumns final : public NewtonSystem {
 public:
  ByColumns(const Problem& problem, const NewtonRows& rows)
      : problem_(problem),
        rows_(rows),
        curvatures_(Vector::Zero(rows.size())),
        used_curvatures_(curvatures_),
        roots_(curvatures_),
        gradient_(Vector::Zero(problem.dimension())),
        v_(gradient_),
        d_(gradient_),
        z_(gradient_) {
    for (const NewtonRows::Part& part : rows.parts()) has_rows_[part.level] = true;
  }

  void look(const Weights& weights, const Iterate& at) override {
    weights_ = weights;
    for (Level level : kLevels) {
      if (!weights.uses(level) || !has_rows_[level]) continue;
      rows_.curvatures(level, at, curvatures_);
      stale_[level] = is_stale(level);
    }
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
    const double m = rows_.curvature(weights_);
    base_ = std::max(m, kNewtonFloor * floor_factor * hessian_.trace());
    if (!(base_ > 0.0)) base_ = 1.0;  // phi is linear
    at.gradient(weights_, gradient_);
    v_ = at.point.x - centre;
    factored_ =
        factored_ && weights_.upper == factored_weights_.upper && weights_.lower == factored_weights_.lower;
  }

  std::int64_t factor_cost() const override {
    return passes_of(cholesky_operations(rows_.dimension()), rows_.numbers());
  }
  std::int64_t solve_cost() const override { return factor_cost(); }
  std::int64_t direction_cost() const override { return 0; }

  bool solve(Oracle& oracle, double nu) override {
    if (!factor(oracle, base_ + nu)) return false;
    d_ = -gradient_ - nu * v_;
    cholesky_.solve(d_);
    z_ = d_ + v_;
    return d_.allFinite();
  }
  double squared_norm() override { return z_.squaredNorm(); }
  double decay() override {
    z_ = d_ + v_;
    cholesky_.solve_lower(z_);
    const double sum = z_.squaredNorm();
    z_ = d_ + v_;
    return sum;
  }
  void direction(Oracle&, VectorOut d) override { d = d_; }

  Price price() const override {
    Price price{0, factor_cost()};
    for (Level level : kLevels)
      if (has_rows_[level]) (rows_.looks_constant(level) ? price.once : price.step) += square_cost(level);
    return price;
  }

 private:
  std::int64_t square_cost(Level level) const { return rows_.dimension() * problem_.function(level).cost().image; }
  bool must_make(Level level) const { return weights_.uses(level) && has_rows_[level] && stale_[level]; }
  bool is_stale(Level level) const {
    if (squares_[level].size() == 0) return true;
    for (const NewtonRows::Part& part : rows_.parts())
      if (part.level == level &&
          curvatures_.segment(part.first, part.rows) != used_curvatures_.segment(part.first, part.rows))
        return true;
    return false;
  }

  bool make_square(Level level, Watch& watch) {
    const Index n = rows_.dimension();
    RowMajorMatrix& square = squares_[level];
    square.setZero(n, n);
    for (std::size_t i = 0; i < rows_.parts().size(); ++i) {
      const NewtonRows::Part& part = rows_.parts()[i];
      if (part.level != level) continue;
      if (columns_.size() <= i) columns_.resize(i + 1);
      RowMajorMatrix& columns = columns_[i];
      if (columns.size() == 0) {
        RowMajorMatrix copy;
        part.term->map()->copy_rows(&copy);
        columns = copy.transpose();
      }
      if (scaled_.size() < n * part.rows) scaled_.resize(n * part.rows);
      const auto weights = curvatures_.segment(part.first, part.rows);
      roots_.segment(part.first, part.rows) = weights.cwiseSqrt();
      for (Index j = 0; j < n; ++j)
        scaled_.segment(j * part.rows, part.rows) =
            columns.row(j).transpose().cwiseProduct(roots_.segment(part.first, part.rows));
      const RowBlock block{scaled_.data(), n, part.rows, part.rows};
      if (!add_row_products(block, block, 1.0, true, square.data(), n, &watch)) return false;
      used_curvatures_.segment(part.first, part.rows) = weights;
      if (rows_.looks_constant(level)) columns.resize(0, 0);  // most likely not needed again
    }
    stale_[level] = false;
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

  const Problem& problem_;
  const NewtonRows& rows_;
  Weights weights_, factored_weights_;
  PerLevel<bool> has_rows_, stale_{true, true};
  Cholesky cholesky_;
  Vector curvatures_, used_curvatures_;
  PerLevel<RowMajorMatrix> squares_;
  std::vector<RowMajorMatrix> columns_;  // per part, transposed data
  Vector scaled_, roots_;                // columns times D^{1/2}, one after the other
  RowMajorMatrix hessian_;
  Vector gradient_, v_, d_, z_;
  bool factored_ = false;
  double base_ = 1.0, a_ = 0.0;
};

}  // namespace

std::unique_ptr<NewtonSystem> newton_system_by_columns(const Problem& problem, const NewtonRows& rows) {
  return std::make_unique<ByColumns>(problem, rows);
}

}  // namespace fcbio
