// Newton's model by rows.  K = V V' is made once.  The point is kept as  v = x - c = V'eta + tau  (eta = 0 at
// first); with a = m + floor + nu and
//     t = e - m c - (m + nu) tau,      (a I + D K) delta = -q - (m + nu) eta - D V t / a
// one has d = V'delta + t/a:  (a I + V'DV) d = V'(a delta + D K delta + D V t/a) + t = -(phi'(x) + nu v).  All
// that the search for nu asks for is then found among vectors of as many numbers as there are rows, without a
// pass, nothing is divided by a small a that it was not multiplied by, and both delta and t vanish as x approaches
// the solution, so that steps refine each other.  On rows with D > 0
//     (a I + D K)^{-1} h = D^{1/2} (a I + D^{1/2} K D^{1/2})^{-1} D^{-1/2} h;
// rows with D = 0 get h / a and move the others' h.
//
// Where a is next to nothing (m = 0, nu = 0) the part of q with V'q = 0, which is all of it at the solution of an
// inconsistent least-squares problem, would be divided by a and leave its rounding in V'delta.  There q is
// replaced by the shortest vector with (nearly) the same V'q, found from the gradient:  D^{1/2} (a I + D^{1/2} K
// D^{1/2})^{-1} D^{1/2} V (V'q) has V'q less a (a I + V'DV)^{-1} V'q.
#include <cmath>

#include "inner/newton_system.hpp"
#include "linalg/cholesky.hpp"
#include "linalg/row_products.hpp"

namespace fcbio {
namespace {

constexpr double kFlat = 1e-30;  // D below this share of its largest is zero

class ByRows final : public NewtonSystem {
 public:
  ByRows(const Problem& problem, const NewtonRows& rows)
      : problem_(problem),
        rows_(rows),
        carrier_(problem),
        fixed_(Vector::Zero(problem.dimension())),
        v_(fixed_),
        tau_(fixed_),
        known_x_(fixed_),
        curvatures_(Vector::Zero(rows.size())),
        d_(curvatures_),
        root_(curvatures_),
        centre_rows_(curvatures_),
        fixed_rows_(curvatures_),
        v_rows_(curvatures_),
        tau_rows_(curvatures_),
        t_rows_(curvatures_),
        forces_(curvatures_),
        eta_(curvatures_),
        delta_(curvatures_),
        right_(curvatures_),
        product_(curvatures_),
        factored_d_(curvatures_) {}

  void look(const Weights& weights, const Iterate& at) override {
    weights_ = weights;
    size_ = rows_.size(weights);
    for (Level level : kLevels)
      if (weights.uses(level)) rows_.curvatures(level, at, curvatures_);
    for (const NewtonRows::Part& part : rows_.parts()) {
      if (part.first >= size_) continue;
      const double weight = weights.of(part.level);
      if (weights.uses(part.level))
        d_.segment(part.first, part.rows) = weight * curvatures_.segment(part.first, part.rows);
      else
        d_.segment(part.first, part.rows).setZero();
    }
  }

  const Vector& curvatures() const override { return curvatures_; }
  std::int64_t build_cost() const override {
    const bool same = weights_.upper == fixed_weights_.upper && weights_.lower == fixed_weights_.lower;
    const int images = (rows_known_ < size_ ? 1 : 0) + (same ? 0 : 1);  // of the centre, of the linear part
    return gram_cost(gram_rows_, size_) + images * image_cost();
  }

  void build(Oracle& oracle, const Iterate& at, const Vector& centre, double floor_factor) override {
    const Index size = size_;
    if (!extend_gram(oracle)) return;  // stopped, and whoever asks next is told
    const double m = rows_.curvature(weights_);
    double trace = 0.0;
    for (Index i = 0; i < size; ++i) trace += d_[i] * gram_(i, i);
    base_ = std::max(m, kNewtonFloor * floor_factor * trace);
    if (!(base_ > 0.0)) base_ = 1.0;  // phi is linear
    m_ = m;
    v_ = at.point.x - centre;
    linear_ = -m * centre;
    rows_.add_linear(weights_, linear_);
    update_rows_of(oracle, linear_, centre);
    fixed_weights_ = weights_;
    rows_.stack(weights_, at.point, v_rows_.head(size));
    v_rows_.head(size) -= centre_rows_.head(size);
    rows_.forces(weights_, at, forces_.head(size));
    at.gradient(weights_, data_gradient_);
    data_gradient_ -= m * at.point.x - linear_ - m * centre;  // V'q
    shortest_ = false;
    if (at.point.x != known_x_ || weights_.uses(Level::upper) != known_weights_.uses(Level::upper) ||
        weights_.uses(Level::lower) != known_weights_.uses(Level::lower))
      start_again(at);
    v_v_ = v_.squaredNorm(), v_tau_ = v_.dot(tau_), v_linear_ = v_.dot(linear_);
    tau_tau_ = tau_.squaredNorm(), tau_linear_ = tau_.dot(linear_), linear_linear_ = linear_.squaredNorm();
  }

  std::int64_t factor_cost() const override { return passes_of(cholesky_operations(size_), rows_.numbers()); }
  std::int64_t solve_cost() const override { return factor_cost() + image_cost(); }
  std::int64_t direction_cost() const override {
    std::int64_t passes = 0;
    for (Level level : kLevels)
      if (weights_.uses(level)) passes += problem_.function(level).cost().slope;
    return passes;
  }

  bool solve(Oracle& oracle, double nu, std::int64_t) override {
    if (!factor(oracle, base_ + nu)) return false;
    const Index size = size_;
    if (nu == 0.0 && base_ > m_ && !any_flat_ && !shortest_) shorten_forces(oracle);
    pull_ = m_ + nu;
    t_rows_.head(size) = fixed_rows_.head(size) - pull_ * tau_rows_.head(size);
    delta_.head(size) =
        -forces_.head(size) - pull_ * eta_.head(size) - d_.head(size).cwiseProduct(t_rows_.head(size)) / a_;
    solve_rows(delta_);
    return delta_.head(size).allFinite();
  }

  double squared_norm() override {  // |v|^2 + 2 v'd + |d|^2
    const Index size = size_;
    multiply_gram(delta_, product_);
    const double v_t = v_linear_ - pull_ * v_tau_;
    const double t_t = linear_linear_ - 2.0 * pull_ * tau_linear_ + pull_ * pull_ * tau_tau_;
    const double v_d = v_rows_.head(size).dot(delta_.head(size)) + v_t / a_;
    const double d_d = delta_.head(size).dot(product_.head(size)) +
                       2.0 * delta_.head(size).dot(t_rows_.head(size)) / a_ + t_t / (a_ * a_);
    return std::max(0.0, v_v_ + 2.0 * v_d + d_d);
  }

  double decay() override {  // z = V'zeta + sigma,  (H + nu I)^{-1} z = V'w + sigma/a
    const Index size = size_;
    const double keep = 1.0 - pull_ / a_;  // sigma = tau + t/a = keep tau + linear/a
    const double sigma_sigma = keep * keep * tau_tau_ + 2.0 * keep * tau_linear_ / a_ + linear_linear_ / (a_ * a_);
    zeta_.head(size) = eta_.head(size) + delta_.head(size);
    sigma_rows_.head(size) = tau_rows_.head(size) + t_rows_.head(size) / a_;
    right_.head(size) = zeta_.head(size) - d_.head(size).cwiseProduct(sigma_rows_.head(size)) / a_;
    solve_rows(right_);
    multiply_gram(zeta_, product_);
    return product_.head(size).dot(right_.head(size)) + zeta_.head(size).dot(sigma_rows_.head(size)) / a_ +
           sigma_rows_.head(size).dot(right_.head(size)) + sigma_sigma / a_;
  }

  void direction(Oracle& oracle, VectorOut d) override {
    d = (linear_ - pull_ * tau_) / a_;
    for (Level level : kLevels) {
      if (!weights_.uses(level)) continue;
      rows_.add_transpose(level, delta_, d);
      oracle.charge(level, problem_.function(level).cost().slope);
    }
  }

  // v <- (1 - alpha) v + alpha shrink (v + d)
  void moved(const Iterate& at, double alpha, double shrink) override {
    const double step = alpha * shrink, keep = 1.0 - alpha + step;
    eta_.head(size_) = keep * eta_.head(size_) + step * delta_.head(size_);
    tau_rows_.head(size_) = keep * tau_rows_.head(size_) + (step / a_) * t_rows_.head(size_);
    tau_ = (keep - step * pull_ / a_) * tau_ + (step / a_) * linear_;
    known_x_ = at.point.x;
  }

  Price price() const override {
    Price price{.once = gram_cost(0, rows_.size()),
                .factor = passes_of(cholesky_operations(rows_.size()), rows_.numbers())};
    for (Level level : kLevels) price.step += problem_.function(level).cost().slope;
    return price;
  }

  void archive(Archive& archive) override {
    archive(weights_, size_, gram_rows_, rows_known_, cholesky_, gram_, fixed_, v_, tau_, known_x_, linear_,
            data_gradient_, shortest_, known_weights_, fixed_weights_, curvatures_, d_, root_, centre_rows_,
            fixed_rows_, v_rows_, tau_rows_, t_rows_, forces_, eta_, delta_, flat_move_, factored_d_, any_flat_,
            m_, base_, a_, pull_, v_v_, v_tau_, v_linear_, tau_tau_, tau_linear_, linear_linear_);
  }

 private:
  /// One pass of a level for each row its products are taken with: those of f with the rows of g and, as half of them are
  /// the same, with half of their own; the rows of g with half of their own.
  std::int64_t gram_cost(Level level) const {
    const Index of_lower = rows_.size({0.0, 1.0}), of_upper = rows_.size() - of_lower;
    const Index rows = level == Level::lower ? (of_lower + 1) / 2 : of_lower + (of_upper + 1) / 2;
    return rows * problem_.function(level).cost().image;
  }
  std::int64_t gram_cost(Index known, Index size) const {
    std::int64_t passes = 0;
    for (Level level : kLevels)
      if (grows(level, known, size)) passes += gram_cost(level);
    return passes;
  }
  bool grows(Level level, Index known, Index size) const {
    for (const NewtonRows::Part& part : rows_.parts())
      if (part.level == level && part.first >= known && part.first < size) return true;
    return false;
  }
  std::int64_t image_cost() const {
    std::int64_t passes = 0;
    for (Level level : kLevels)
      if (weights_.uses(level)) passes += problem_.function(level).cost().image;
    return passes;
  }

  bool extend_gram(Oracle& oracle) {
    if (gram_rows_ >= size_) return true;
    if (gram_.size() == 0) {
      gram_.setZero(rows_.size(), rows_.size());
      cholesky_ = Cholesky(rows_.size());
    }
    RowMajorMatrix stacked(size_, rows_.dimension()), copy;
    for (const NewtonRows::Part& part : rows_.parts()) {
      if (part.first >= size_) continue;
      part.term->map()->copy_rows(&copy);
      stacked.middleRows(part.first, part.rows) = copy;
    }
    const Index known = gram_rows_, n = rows_.dimension(), fresh = size_ - known;
    const RowBlock all{stacked.data(), known, n, n}, below{stacked.data() + known * n, fresh, n, n};
    double* const corner = gram_.data() + known * gram_.cols();
    Watch* const watch = &oracle.monitor();
    if (known > 0 && !add_row_products(below, all, 1.0, false, corner, gram_.cols(), watch)) return false;
    if (!add_row_products(below, below, 1.0, true, corner + known, gram_.cols(), watch)) return false;
    for (Index i = known; i < size_; ++i) gram_.col(i).head(i) = gram_.row(i).head(i).transpose();
    for (Level level : kLevels)
      if (grows(level, known, size_)) oracle.charge(level, gram_cost(level));
    gram_rows_ = size_;
    return true;
  }

  // Where the last step of this system did not lead to the point: the rows know nothing of it.
  void start_again(const Iterate& at) {
    eta_.setZero();
    tau_ = v_;
    tau_rows_.head(size_) = v_rows_.head(size_);
    known_x_ = at.point.x;
    known_weights_ = weights_;
  }

  // V c and V (e - m c), each computed when it changed and not zero.
  void update_rows_of(Oracle& oracle, const Vector& fixed, const Vector& centre) {
    if (rows_known_ < size_) {
      rows_of(oracle, centre, centre_rows_);
      fixed_rows_.setZero();
      fixed_.setZero();
      rows_known_ = size_;
    }
    if (fixed == fixed_) return;
    fixed_ = fixed;
    rows_of(oracle, fixed, fixed_rows_);
  }
  void rows_of(Oracle& oracle, const Vector& x, Vector& out) {
    out.setZero();
    if (x.isZero(0.0)) return;
    carrier_.x = x;
    for (Level level : kLevels)
      if (weights_.uses(level)) oracle.update_images(level, carrier_);
    rows_.stack(weights_, carrier_, out.head(size_));
  }

  bool factor(Oracle& oracle, double a) {
    const Index size = size_;
    const bool same = cholesky_.size() == size && a == a_ && factored_d_.head(size) == d_.head(size);
    a_ = a;
    if (same) return true;
    oracle.charge(Level::lower, factor_cost());
    const double least = kFlat * (size > 0 ? d_.head(size).maxCoeff() : 0.0);
    any_flat_ = false;
    for (Index i = 0; i < size; ++i) {
      root_[i] = d_[i] > least ? std::sqrt(d_[i]) : 0.0;
      any_flat_ = any_flat_ || root_[i] == 0.0;
    }
    RowMajorMatrix& matrix = cholesky_.matrix();
    for (Index i = 0; i < size; ++i) {
      matrix.row(i).head(i + 1) = root_[i] * gram_.row(i).head(i + 1).cwiseProduct(root_.head(i + 1).transpose());
      matrix(i, i) += a;
    }
    factored_d_.head(size) = d_.head(size);
    return cholesky_.factor(size, &oracle.monitor());
  }

  void shorten_forces(Oracle& oracle) {
    rows_of(oracle, data_gradient_, forces_);
    forces_.head(size_).array() *= root_.head(size_).array();
    cholesky_.solve(forces_.head(size_));
    forces_.head(size_).array() *= root_.head(size_).array();
    shortest_ = true;
  }

  // h <- (a I + D K)^{-1} h
  void solve_rows(Vector& h) {
    const Index size = size_;
    if (any_flat_) {
      for (Index i = 0; i < size; ++i) flat_move_[i] = root_[i] == 0.0 ? h[i] / a_ : 0.0;
      multiply_gram(flat_move_, product_);
      for (Index i = 0; i < size; ++i) h[i] = root_[i] == 0.0 ? 0.0 : h[i] / root_[i] - root_[i] * product_[i];
    } else {
      h.head(size).array() /= root_.head(size).array();
    }
    cholesky_.solve(h.head(size));
    h.head(size).array() *= root_.head(size).array();
    if (any_flat_) h.head(size) += flat_move_.head(size);
  }

  void multiply_gram(const Vector& in, Vector& out) const {
    for (Index i = 0; i < size_; ++i) out[i] = gram_.row(i).head(size_).dot(in.head(size_));
  }

  const Problem& problem_;
  const NewtonRows& rows_;
  Weights weights_;
  Index size_ = 0, gram_rows_ = 0, rows_known_ = -1;
  Cholesky cholesky_;
  RowMajorMatrix gram_;  // K
  Point carrier_;
  Vector fixed_, v_, tau_, known_x_;
  Vector linear_ = fixed_;  // e - m c
  Vector data_gradient_ = fixed_;
  bool shortest_ = false;
  Weights known_weights_{0.0, 0.0}, fixed_weights_{0.0, 0.0};
  Vector curvatures_, d_, root_;  // of the losses; D; D^{1/2}, zero where flat
  Vector centre_rows_, fixed_rows_, v_rows_, tau_rows_, t_rows_, forces_;  // V c, V linear, V v, V tau, V t, q
  Vector eta_, delta_, right_, product_;
  Vector zeta_ = eta_, sigma_rows_ = eta_;
  Vector flat_move_ = Vector::Zero(rows_.size());
  Vector factored_d_;
  bool any_flat_ = false;
  double m_ = 0.0, base_ = 1.0, a_ = 1.0, pull_ = 0.0;  // m, m + floor, m + floor + nu, m + nu
  double v_v_ = 0.0, v_tau_ = 0.0, v_linear_ = 0.0, tau_tau_ = 0.0, tau_linear_ = 0.0, linear_linear_ = 0.0;
};

}  // namespace

std::int64_t passes_of(double operations, Index numbers) {
  return static_cast<std::int64_t>(
      std::ceil(operations / (2.0 * static_cast<double>(std::max<Index>(numbers, 1)))));
}

// Operations a second, in 1e9, as measured: of products with data in a cache and in memory, and of Gram matrices and their
// factors, which come to half of kFactor at kHalfAt unknowns.
double factor_slowness(Index unknowns, Index numbers) {
  constexpr double kProduct = 20.0, kFarProduct = 5.0, kFactor = 80.0, kHalfAt = 200.0;
  constexpr Index kFar = 4'000'000;  // stored numbers
  const double product = numbers <= kFar ? kProduct : kFarProduct;
  const auto side = static_cast<double>(std::max<Index>(unknowns, 1));
  return product * (side + kHalfAt) / (kFactor * side);
}

std::unique_ptr<NewtonSystem> newton_system_by_rows(const Problem& problem, const NewtonRows& rows) {
  return std::make_unique<ByRows>(problem, rows);
}

}  // namespace fcbio
