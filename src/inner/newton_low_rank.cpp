// Newton's model for data whose singular values decay fast (integral equations):  each part's data are  Q B  and a little
// more (linalg/range_finder.hpp), Q'DQ = K K', and
//     H = sum over parts of weight (B'K K'B + share * residual I) + m I,    trace(M'M - B'B) = residual,
// so that a step takes all away but for a share of what the range finder left out, as weight * residual is to m.  Where
// that is slow, renew() has B grow: the rank is found by the steps.  Terms whose V'DV has numbers near the diagonal only
// (differences of neighbours) are kept as they are.
//
// Steps are solved by Woodbury's identity (linalg/woodbury.hpp), T = m I and the bands, C the rows of all sqrt(weight) K'B.
// Gradients are those of phi itself: the rank decides how many steps are taken, not what is proved.
#include <cmath>
#include <optional>

#include "inner/newton_system.hpp"
#include "linalg/cholesky.hpp"
#include "linalg/range_finder.hpp"
#include "linalg/row_products.hpp"
#include "linalg/symmetric_eigenvalues.hpp"
#include "linalg/woodbury.hpp"

namespace fcbio {
namespace {

constexpr Index kWidestBand = 16;
constexpr Index kFirstRank = 16;
constexpr Index kProbe = 16;       // columns, and half of them first
constexpr double kMuchLeft = 0.1;  // of the squared norm: singular values do not decay
constexpr Index kLeastGrowth = 8;
constexpr Index kMostRank = 600;
constexpr Index kMostStored = 20'000'000;  // numbers of B
constexpr double kGrowth = 0.5;            // of the rank
// What is left is the sum over many directions, most of them held by bounds: of its share in the model, 0.1 to 0.001
// were tried on Phillips' equation; below this one steps become too long.
constexpr double kResidualShare = 0.005;
constexpr double kCoreShift = 1e-15;  // of the trace of Q'DQ, so that it has a factor
constexpr double kNegligible = 0.02;  // beside the other curvature: what is left does not slow steps down
// What is left of the data's squared norm at the ranks found on Phillips' equation, where 1e-6 was asked for.
constexpr double kEnough = 1e-7;
constexpr double kLeastPower = 0.1;
constexpr std::uint64_t kSeed = 1;

class ByLowRank final : public NewtonSystem, private BoxMetric {
 public:
  ByLowRank(const Problem& problem, const NewtonRows& rows, const NewtonBounds& bounds)
      : rows_(rows),
        bounded_(bounds.any()),
        box_(bounds),
        curvatures_(Vector::Zero(rows.size())),
        gradient_(Vector::Zero(problem.dimension())),
        v_(gradient_),
        d_(gradient_),
        z_(gradient_) {
    for (const NewtonRows::Part& part : rows.parts()) {
      Piece piece{.part = &part};
      if (CsrMatrix sparse; part.term->map()->copy_sparse_rows(&sparse)) piece.sparse = banded(std::move(sparse));
      if (piece.sparse) band_ = std::max(band_, band_of(*piece.sparse));
      pieces_.push_back(std::move(piece));
    }
  }

  void look(const Weights& weights, const Iterate& at) override {
    weights_ = weights;
    for (Level level : kLevels)
      if (weights.uses(level)) rows_.curvatures(level, at, curvatures_);
  }
  const Vector& curvatures() const override { return curvatures_; }

  /// The piece that leaves out most grows, where that is not negligible.
  bool renew() override {
    Piece* worst = nullptr;
    double most = kNegligible * (base_ - residual_);
    for (Piece& piece : pieces_) {
      if (!in_use(piece) || piece.sparse || !piece.finder || is_full(piece)) continue;
      const double left = weights_.of(piece.part->level) * piece.curvature * piece.finder->residual();
      if (!(left > most)) continue;
      worst = &piece;
      most = left;
    }
    if (worst == nullptr) return false;
    const Index rank = worst->finder->rank();
    worst->wanted = std::min(
        rank + std::max(kLeastGrowth, static_cast<Index>(kGrowth * static_cast<double>(rank))), most_rank(*worst));
    return true;
  }

  std::int64_t build_cost() const override {
    std::int64_t passes = 0;
    for (const Piece& piece : pieces_)
      if (in_use(piece) && !piece.sparse)
        passes += growth_cost(piece, piece.wanted) + (is_uniform(piece) ? 0 : columns_cost(piece));
    return passes;
  }

  void build(Oracle& oracle, const Iterate& at, const Vector& centre, double floor_factor) override {
    bool changed = false;
    for (Piece& piece : pieces_) {
      if (!in_use(piece)) continue;
      if (!piece.sparse && !grow(oracle, piece, piece.wanted)) return;  // stopped, and whoever asks next is told
      if (is_fresh(piece)) continue;
      if (piece.sparse)
        make_band(piece);
      else if (!make_columns(oracle, piece))
        return;
      piece.used = curvatures_.segment(piece.part->first, piece.part->rows);
      changed = true;
    }
    if (changed) stack();
    if (changed || weights_.upper != combined_.upper || weights_.lower != combined_.lower) combine();
    const double m = rows_.curvature(weights_);
    base_ = std::max(m + residual_, kNewtonFloor * floor_factor * trace_);
    if (!(base_ > 0.0)) base_ = 1.0;  // phi is linear
    at.gradient(weights_, gradient_);
    x_ = &at.point.x;
    v_ = at.point.x - centre;
    d_.setZero();
  }

  std::int64_t factor_cost() const override { return factor_cost(wanted_rank()); }
  std::int64_t solve_cost() const override { return factor_cost(); }
  std::int64_t direction_cost() const override { return 0; }

  bool solve(Oracle& oracle, double nu, std::int64_t reserve) override {
    force_ = gradient_ + nu * v_;
    bool solved = false;
    if (bounded_) {
      solved = box_.minimise(oracle, *this, *x_, base_ + nu, force_, reserve, d_);
    } else {
      right_.setConstant(d_.size(), base_ + nu);
      solved = model_.is_factored(right_) || factor(oracle, right_, {});
      if (solved) {
        d_ = -force_;
        solve(d_);
      }
    }
    z_ = d_ + v_;
    return solved && d_.allFinite();
  }
  double squared_norm() override { return z_.squaredNorm(); }
  double decay() override {
    turned_ = z_;
    solve(turned_);
    return z_.dot(turned_);
  }
  void direction(Oracle&, VectorOut d) override { d = d_; }

  std::int64_t probe_cost() const override {
    std::int64_t passes = 0;
    for (const Piece& piece : pieces_)
      if (!piece.sparse) passes += growth_cost(piece, kProbe);
    return passes;
  }
  bool probe(Oracle& oracle) override {
    for (const Index columns : {kProbe / 2, kProbe}) {
      for (Piece& piece : pieces_)
        if (!piece.sparse && !grow(oracle, piece, columns)) return false;
      if (!decays()) break;
    }
    return true;
  }
  Price price() const override {
    Price price;
    Index rank = 0;
    for (const Piece& piece : pieces_) {
      if (piece.sparse) continue;
      const Index expected = piece.finder && decays() ? expected_rank(piece) : most_rank(piece);
      price.once += 2 * expected * piece.part->term->cost().image;
      rank += expected;
    }
    price.factor = (bounded_ ? BoxModel::kUsualRounds : 1) * factor_cost(rank);
    return price;
  }

  void archive(Archive& archive) override {
    for (Piece& piece : pieces_) {
      bool has_finder = piece.finder.has_value();
      archive(has_finder, piece.wanted, piece.columns, piece.band, piece.used, piece.curvature);
      if (has_finder && !piece.finder) make_finder(piece);
      if (has_finder) archive(*piece.finder);
    }
    archive(weights_, combined_, curvatures_, basis_, model_, base_, trace_, residual_);
  }

 private:
  struct Piece {
    const NewtonRows::Part* part;
    std::optional<CsrMatrix> sparse{};  // of those with a band
    std::optional<RangeFinder> finder{};
    Index wanted = kFirstRank;
    RowMajorMatrix columns{};  // B'K
    RowMajorMatrix band{};     // as Woodbury has it
    Vector used{};             // curvatures that columns or band were made with
    double curvature = 1.0;    // the mean of these
  };

  static std::size_t at_place(Index i) { return static_cast<std::size_t>(i); }
  bool in_use(const Piece& piece) const { return weights_.uses(piece.part->level); }
  /// Whether columns or band are those of the present rank and curvatures.
  bool is_fresh(const Piece& piece) const {
    return (piece.sparse || piece.columns.cols() == piece.finder->rank()) &&
           piece.used.size() == piece.part->rows &&
           piece.used == curvatures_.segment(piece.part->first, piece.part->rows);
  }
  bool is_uniform(const Piece& piece) const {
    const auto curvatures = curvatures_.segment(piece.part->first, piece.part->rows);
    return (curvatures.array() == curvatures[0]).all();
  }
  Index most_rank(const Piece& piece) const {
    return std::min({piece.part->rows, rows_.dimension(), kMostRank, kMostStored / rows_.dimension()});
  }
  bool is_full(const Piece& piece) const {
    return piece.finder->is_complete() || piece.finder->rank() >= most_rank(piece);
  }
  /// Columns of the next model.
  Index wanted_rank() const {
    Index rank = 0;
    for (const Piece& piece : pieces_) {
      if (piece.sparse) continue;
      if (!in_use(piece))
        rank += piece.columns.cols();
      else if (piece.finder && piece.finder->is_complete())
        rank += piece.finder->rank();
      else
        rank += std::max(piece.finder ? piece.finder->rank() : 0, std::min(piece.wanted, most_rank(piece)));
    }
    return rank;
  }

  static Index band_of(const CsrMatrix& matrix) {
    Index band = 0;
    for (Index i = 0; i < matrix.rows; ++i) {
      const auto begin = matrix.columns.begin() + matrix.starts[at_place(i)],
                 end = matrix.columns.begin() + matrix.starts[at_place(i) + 1];
      if (begin == end) continue;
      const auto [first, last] = std::minmax_element(begin, end);
      band = std::max<Index>(band, *last - *first);
    }
    return band;
  }
  static std::optional<CsrMatrix> banded(CsrMatrix matrix) {
    if (band_of(matrix) > kWidestBand) return std::nullopt;
    return matrix;
  }
  void make_band(Piece& piece) const {
    const CsrMatrix& matrix = *piece.sparse;
    piece.band.setZero(rows_.dimension(), band_ + 1);
    for (Index i = 0; i < matrix.rows; ++i) {
      const double weight = curvatures_[piece.part->first + i];
      const std::int64_t begin = matrix.starts[at_place(i)], end = matrix.starts[at_place(i) + 1];
      for (std::int64_t p = begin; p < end; ++p)
        for (std::int64_t q = begin; q < end; ++q) {
          const Index row = matrix.columns[at_place(p)], column = matrix.columns[at_place(q)];
          if (column <= row)
            piece.band(row, row - column) += weight * matrix.values[at_place(p)] * matrix.values[at_place(q)];
        }
    }
  }

  /// Products for the columns, and what it takes to make them orthogonal.
  std::int64_t growth_cost(const Piece& piece, Index columns) const {
    const Index rank = piece.finder ? piece.finder->rank() : 0, wanted = std::min(columns, most_rank(piece));
    if (wanted <= rank || (piece.finder && piece.finder->is_complete())) return 0;
    const auto all = static_cast<double>(wanted), now = static_cast<double>(rank);
    const double orthogonal = 4.0 * static_cast<double>(piece.part->rows) * (all * all - now * now);
    return 2 * (wanted - rank) * piece.part->term->cost().image + passes_of(orthogonal, rows_.numbers());
  }
  static void make_finder(Piece& piece) {
    piece.finder.emplace(*piece.part->term->map(), kSeed + piece.part->place);
  }
  bool grow(Oracle& oracle, Piece& piece, Index columns) {
    if (!piece.finder) make_finder(piece);
    const std::int64_t cost = growth_cost(piece, columns);
    if (cost == 0) return true;
    if (!piece.finder->grow(std::min(columns, most_rank(piece)), &oracle.monitor())) return false;
    oracle.charge(piece.part->level, cost);
    return true;
  }

  /// Of Q'DQ, its factor, and the product with B.
  std::int64_t columns_cost(const Piece& piece) const {
    const Index rank = std::max(piece.finder ? piece.finder->rank() : 0, std::min(piece.wanted, most_rank(piece)));
    const auto k = static_cast<double>(rank);
    return passes_of(
        k * k * static_cast<double>(piece.part->rows + 2 * rows_.dimension()) + cholesky_operations(rank),
        rows_.numbers());
  }
  bool make_columns(Oracle& oracle, Piece& piece) const {
    const auto curvatures = curvatures_.segment(piece.part->first, piece.part->rows);
    const Index rank = piece.finder->rank();
    const auto image = piece.finder->image().topRows(rank);
    piece.curvature = curvatures.mean();
    if (is_uniform(piece)) {
      piece.columns = std::sqrt(curvatures[0]) * image.transpose();
      return true;
    }
    oracle.charge(piece.part->level, columns_cost(piece));
    const RowBlock range{piece.finder->range().data(), rank, piece.part->rows, piece.part->rows};
    RowMajorMatrix square = RowMajorMatrix::Zero(rank, rank);
    if (!add_weighted_row_products(range, range, curvatures.data(), true, square.data(), rank, &oracle.monitor()))
      return false;
    Cholesky root(rank);
    for (double shift = kCoreShift * square.trace();; shift = std::max(100.0 * shift, kCoreShift)) {
      root.matrix() = square;
      root.matrix().diagonal().array() += shift;
      if (root.factor(rank, &oracle.monitor())) break;
      if (oracle.monitor().stopped() || !std::isfinite(shift)) return false;
    }
    piece.columns.noalias() = image.transpose() * RowMajorMatrix(root.matrix().triangularView<Eigen::Lower>());
    return true;
  }

  /// All columns side by side, those of g first.
  void stack() {
    Index columns = 0;
    for (const Piece& piece : pieces_)
      if (piece.finder) columns += piece.columns.cols();
    basis_.resize(rows_.dimension(), columns);
    columns = 0;
    for (const Piece& piece : pieces_) {
      if (!piece.finder) continue;
      basis_.middleCols(columns, piece.columns.cols()) = piece.columns;
      columns += piece.columns.cols();
    }
  }

  /// What changes with the weights: scales of the columns, the band, the trace, what is left.
  void combine() {
    Index columns = 0;
    combined_ = weights_;
    Vector scales = Vector::Zero(basis_.cols());
    RowMajorMatrix band = RowMajorMatrix::Zero(rows_.dimension(), band_ + 1);
    trace_ = residual_ = 0.0;
    for (const Piece& piece : pieces_) {
      const double weight = weights_.of(piece.part->level);
      if (piece.finder) {
        const Index rank = piece.columns.cols();
        scales.segment(columns, rank).setConstant(std::sqrt(weight));
        trace_ += weight * piece.columns.squaredNorm();
        residual_ += kResidualShare * weight * piece.curvature * piece.finder->residual();
        columns += rank;
      } else if (piece.sparse && in_use(piece)) {
        band += weight * piece.band;
        trace_ += weight * piece.band.col(0).sum();
      }
    }
    model_.set(std::move(band), basis_ * scales.asDiagonal());
  }

  std::int64_t factor_cost(Index rank) const {
    return passes_of(Woodbury::operations(rows_.dimension(), rank, band_), rows_.numbers());
  }
  void multiply(const Vector& d, Vector& out) const override { model_.multiply(d, out); }
  double multiply_operations() const override { return model_.multiply_operations(); }
  double trace() const override { return trace_; }
  bool factor(Oracle& oracle, const Vector& diagonal, const std::vector<Index>& free) override {
    oracle.charge(Level::lower, factor_cost(model_.rank()));
    return model_.factor(diagonal, free, &oracle.monitor());
  }
  void solve(Vector& x) override { model_.solve(x); }

  /// Whether the first columns have most of every piece.
  bool decays() const {
    for (const Piece& piece : pieces_)
      if (piece.finder && piece.finder->residual() > kMuchLeft * piece.finder->squared_norm()) return false;
    return true;
  }
  /// Where steps are fast, as far as the first columns tell: what is left after so many of the largest singular values
  /// is taken to fall as a power of their number.
  Index expected_rank(const Piece& piece) const {
    const RangeFinder& finder = *piece.finder;
    const Index rank = finder.rank();
    if (finder.is_complete() || rank < 3) return rank;
    const RowMajorMatrix image = finder.image().topRows(rank);
    const Vector squares = symmetric_eigenvalues(image * image.transpose());  // ascending
    const auto left_after = [&](Index count) { return finder.residual() + squares.head(rank - count).sum(); };
    const double power = std::log2(left_after(rank / 2) / finder.residual());
    const double rest = finder.residual() / (kEnough * finder.squared_norm());
    if (!(rest > 1.0)) return rank;
    const double expected = static_cast<double>(rank) * std::pow(rest, 1.0 / std::max(power, kLeastPower));
    return static_cast<Index>(std::min(expected, static_cast<double>(most_rank(piece))));
  }

  const NewtonRows& rows_;
  const bool bounded_;
  BoxModel box_;
  std::vector<Piece> pieces_;
  Weights weights_, combined_{0.0, 0.0};
  Vector curvatures_;
  Index band_ = 0;
  RowMajorMatrix basis_;  // columns of all pieces, before weights
  Woodbury model_;
  const Vector* x_ = nullptr;
  Vector gradient_, v_, d_, z_;
  Vector force_ = gradient_, right_, turned_;
  double base_ = 1.0, trace_ = 0.0, residual_ = 0.0;
};

}  // namespace

std::unique_ptr<NewtonSystem> newton_system_of_low_rank(const Problem& problem, const NewtonRows& rows,
                                                        const NewtonBounds& bounds) {
  return std::make_unique<ByLowRank>(problem, rows, bounds);
}

}  // namespace fcbio
