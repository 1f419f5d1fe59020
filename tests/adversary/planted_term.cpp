#include "planted_term.hpp"

#include <concepts>

#include "support/kinds.hpp"

namespace fcbio::adversary {
namespace {

using test::OfRows;
using test::RowSum;

class Planter {
 public:
  Planter(Dice& dice, data::FunctionKind kind, const ExactVector& x, const TermStyle& style)
      : dice_(dice), x_(x), style_(style) {
    planted_.term.kind = std::move(kind);
    planted_.subgradient.assign(x.size(), Exact(0));
  }

  PlantedTerm plant() && {
    data::Term& term = planted_.term;
    if (dice_.chance(0.5)) term.weight = dice_.integer(1, 7) * dice_.power_of_two(-8, 8);
    std::visit([&](auto& kind) { fill(kind); }, term.kind);
    Exact share = term.weight;
    if (data::is_average(term)) share /= Exact(data::rows_of(term)->rows());
    for (Exact& entry : planted_.subgradient) entry *= share;
    return std::move(planted_);
  }

 private:
  std::size_t size() const { return x_.size(); }
  Exact unit() const { return style_.data_unit; }

  void fill(data::Linear& linear) {
    for (Exact& entry : planted_.subgradient) entry = unit() * dice_.integer(-63, 63);
    linear.coefficients = to_doubles(planted_.subgradient);
  }

  void fill(data::SquaredNorm& norm) {
    ExactVector center(size(), Exact(0));
    for (std::size_t j = 0; j < size(); ++j) {
      planted_.subgradient[j] = Exact(style_.point_unit) * dice_.integer(-63, 63);
      center[j] = x_[j] - planted_.subgradient[j];
      planted_.curved.emplace_back(size(), Exact(0));
      planted_.curved.back()[j] = 1;
    }
    norm.center = to_doubles(center);
  }

  void fill(data::L1Norm& norm) {
    ExactVector center(size(), Exact(0));
    for (std::size_t j = 0; j < size(); ++j) {
      const int off = dice_.chance(0.5) ? 0 : dice_.integer(-15, 15);
      center[j] = x_[j] - Exact(style_.point_unit) * off;
      planted_.subgradient[j] = off == 0 ? Exact(dice_.integer(-4, 4)) / 4 : Exact(off > 0 ? 1 : -1);
    }
    norm.center = to_doubles(center);
  }

  void fill(data::Quadratic& quadratic) {
    const int rank = dice_.integer(1, 3);
    std::vector<ExactVector> q(size(), ExactVector(size(), Exact(0)));
    for (int k = 0; k < rank; ++k) {
      ExactVector root;
      for (std::size_t j = 0; j < size(); ++j) root.emplace_back(dice_.integer(-15, 15));
      for (std::size_t i = 0; i < size(); ++i) add(q[i], unit() * root[i], root);
      planted_.curved.push_back(std::move(root));
    }
    RowMajorMatrix matrix(static_cast<Index>(size()), static_cast<Index>(size()));
    ExactVector c;
    for (std::size_t i = 0; i < size(); ++i) {
      matrix.row(static_cast<Index>(i)) = to_doubles(q[i]).transpose();
      planted_.subgradient[i] = unit() * style_.point_unit * dice_.integer(-63, 63);
      c.push_back(planted_.subgradient[i] - dot(q[i], x_));
    }
    quadratic.matrix = data::Matrix{std::move(matrix)};
    quadratic.coefficients = to_doubles(c);
    quadratic.constant = dice_.chance(0.5) ? 0.0 : dice_.integer(-9, 9);
  }

  ExactVector random_row() {
    ExactVector row(size(), Exact(0));
    if (style_.odd_rows && dice_.chance(0.2)) return row;
    if (style_.odd_rows && !rows_.empty() && dice_.chance(0.2)) return rows_.back();
    const int most = dice_.pick({7, 255});
    for (Exact& entry : row) entry = unit() * dice_.integer(-most, most);
    return row;
  }

  /// <row, x> = 0
  ExactVector orthogonal_row() {
    ExactVector row(size(), Exact(0));
    const auto i = static_cast<std::size_t>(dice_.integer(0, static_cast<int>(size()) - 1));
    const auto j = static_cast<std::size_t>(dice_.integer(0, static_cast<int>(size()) - 1));
    const Exact factor = unit() / style_.point_unit;
    if (i == j) {
      if (x_[i] == 0) row[i] = unit();
      return row;
    }
    row[i] = factor * x_[j];
    row[j] = -factor * x_[i];
    return row;
  }

  template <OfRows Kind>
  void fill(Kind& kind) {
    const int count = dice_.pick({1, 2, 2, 4});
    const bool average = dice_.chance(0.3);
    if constexpr (RowSum<Kind>) kind.average = average;
    if constexpr (std::same_as<Kind, data::Huber>)
      kind.delta = style_.data_unit * style_.point_unit * dice_.power_of_two(-1, 3);
    if constexpr (std::same_as<Kind, data::Quantile>) kind.tau = dice_.integer(1, 7) / 8.0;
    for (int i = 0; i < count; ++i) {
      ExactVector row = std::same_as<Kind, data::Logistic> ? orthogonal_row() : random_row();
      const Exact u = dot(row, x_);
      const Exact sign = dice_.chance(0.5) ? 1 : -1;
      duals_.emplace_back(0);
      targets_.push_back(target(kind, {row, u, sign}, duals_.back()));
      rows_.push_back(std::move(row));
    }
    share_duals(kind);
    RowMajorMatrix data(count, static_cast<Index>(size()));
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      data.row(static_cast<Index>(i)) = to_doubles(rows_[i]).transpose();
      add(planted_.subgradient, duals_[i], rows_[i]);
    }
    kind.data = data::Matrix{std::move(data)};
    kind.target = to_doubles(targets_);
  }

  struct RowAtPoint {
    const ExactVector& row;
    const Exact& u;     ///< <row, x>
    const Exact& sign;  ///< drawn
  };

  // Each target() chooses the target for a row, and a slope of the loss at <row, x>.

  Exact target(const data::LeastSquares&, const RowAtPoint& at, Exact& dual) {
    dual = dice_.chance(0.4) ? Exact(0) : Exact(step() * dice_.integer(-15, 15));
    planted_.curved.push_back(at.row);
    return at.u - dual;
  }

  Exact target(const data::Huber& huber, const RowAtPoint& at, Exact& dual) {
    const Exact delta = huber.delta;
    if (dice_.chance(0.3)) {
      dual = at.sign * delta;
      return at.u - at.sign * (delta + step() * dice_.integer(1, 9));
    }
    dual = delta * dice_.integer(-3, 3) / 4;
    planted_.curved.push_back(at.row);
    return at.u - dual;
  }

  Exact target(const data::Absolute&, const RowAtPoint& at, Exact& dual) {
    return at_kink_or_not(at, Exact(-1), Exact(1), dual);
  }

  Exact target(const data::Quantile& quantile, const RowAtPoint& at, Exact& dual) {
    return at_kink_or_not(at, -Exact(quantile.tau), 1 - Exact(quantile.tau), dual);
  }

  Exact target(const data::Logistic&, const RowAtPoint& at, Exact& dual) {
    dual = -at.sign / 2;
    planted_.curved.push_back(at.row);
    return at.sign;
  }

  Exact target(const data::Hinge&, const RowAtPoint& at, Exact& dual) {
    const Exact margin = 1 - at.sign * at.u;
    dual = margin > 0 ? Exact(-at.sign) : Exact(0);
    if (margin == 0) dual = -at.sign * dice_.integer(0, 4) / 4;
    return at.sign;
  }

  Exact target(const data::SquaredHinge&, const RowAtPoint& at, Exact& dual) {
    const Exact margin = 1 - at.sign * at.u;
    if (margin > 0) {
      dual = -at.sign * margin;
      planted_.curved.push_back(at.row);
    }
    return at.sign;
  }

  // All rows agree at x.
  Exact target(const data::MaxAffine&, const RowAtPoint& at, Exact&) { return -at.u; }
  Exact target(const data::LogSumExp&, const RowAtPoint& at, Exact&) { return -at.u; }

  Exact step() const { return unit() * style_.point_unit; }

  /// A loss with the slopes `least` below its target and `most` above.
  Exact at_kink_or_not(const RowAtPoint& at, const Exact& least, const Exact& most, Exact& dual) {
    if (dice_.chance(0.5)) {
      dual = least + (most - least) * dice_.integer(0, 8) / 8;
      return at.u;
    }
    dual = at.sign > 0 ? most : least;
    return at.u - at.sign * step() * dice_.integer(1, 15);
  }

  template <RowSum Kind>
  void share_duals(const Kind&) {}

  void share_duals(const data::LogSumExp&) {
    const std::size_t count = rows_.size();
    for (std::size_t i = 0; i < count; ++i) {
      duals_[i] = Exact(1) / Exact(count);
      if (i > 0) planted_.curved.push_back(minus(rows_[i], rows_[0]));
    }
  }

  void share_duals(const data::MaxAffine&) {
    const std::size_t count = rows_.size();
    Exact left = 1;
    for (std::size_t i = 0; i < count; ++i) {
      if (i + 1 < count && dice_.chance(0.3)) {  // not active
        targets_[i] -= step() * dice_.integer(1, 31);
        continue;
      }
      duals_[i] = i + 1 == count ? left : Exact(left / 2);
      left -= duals_[i];
    }
  }

  Dice& dice_;
  const ExactVector& x_;
  const TermStyle& style_;
  PlantedTerm planted_;
  std::vector<ExactVector> rows_;
  ExactVector targets_, duals_;
};

}  // namespace

PlantedTerm plant_term(Dice& dice, data::FunctionKind kind, const ExactVector& x, const TermStyle& style) {
  return Planter(dice, std::move(kind), x, style).plant();
}

data::Term term_with_gradient(Dice& dice, const ExactVector& gradient, const ExactVector& x) {
  data::Term term;
  if (dice.chance(0.3)) {
    term.weight = dice.power_of_two(-4, 4);
    ExactVector center = x;
    add(center, -1 / Exact(term.weight), gradient);
    term.kind = data::SquaredNorm{to_doubles(center)};
    return term;
  }
  term.kind = data::Linear{to_doubles(gradient)};
  return term;
}

}  // namespace fcbio::adversary
