#include "planted_term.hpp"

#include <algorithm>

namespace fcbio::adversary {
namespace {

class Planter {
 public:
  Planter(Dice& dice, const std::string& function, const ExactVector& x, const TermStyle& style)
      : dice_(dice), x_(x), style_(style) {
    planted_.term.function = function;
    planted_.subgradient.assign(x.size(), Exact(0));
  }

  PlantedTerm plant() && {
    const std::string& function = planted_.term.function;
    if (dice_.chance(0.5)) planted_.term.weight = dice_.integer(1, 7) * dice_.power_of_two(-8, 8);
    if (function == "linear" || function == "squared-norm" || function == "l1-norm") {
      plant_without_data();
    } else if (function == "quadratic") {
      plant_quadratic();
    } else {
      plant_rows();
    }
    Exact share = planted_.term.weight;
    if (planted_.term.average) share /= Exact(planted_.term.data->rows());
    for (Exact& entry : planted_.subgradient) entry *= share;
    return std::move(planted_);
  }

 private:
  std::size_t size() const { return x_.size(); }
  Exact unit() const { return style_.data_unit; }

  void plant_without_data() {
    const std::string& function = planted_.term.function;
    ExactVector vector(size(), Exact(0));
    for (std::size_t j = 0; j < size(); ++j) {
      if (function == "linear") {
        vector[j] = planted_.subgradient[j] = unit() * dice_.integer(-63, 63);
      } else if (function == "squared-norm") {
        planted_.subgradient[j] = Exact(style_.point_unit) * dice_.integer(-63, 63);
        vector[j] = x_[j] - planted_.subgradient[j];
        planted_.curved.emplace_back(size(), Exact(0));
        planted_.curved.back()[j] = 1;
      } else {
        const int off = dice_.chance(0.5) ? 0 : dice_.integer(-15, 15);
        vector[j] = x_[j] - Exact(style_.point_unit) * off;
        planted_.subgradient[j] = off == 0 ? Exact(dice_.integer(-4, 4)) / 4 : Exact(off > 0 ? 1 : -1);
      }
    }
    planted_.term.vector = to_doubles(vector);
  }

  void plant_quadratic() {
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
    planted_.term.data = io::DataMatrix{std::move(matrix)};
    planted_.term.vector = to_doubles(c);
    planted_.term.constant = dice_.chance(0.5) ? 0.0 : dice_.integer(-9, 9);
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

  void plant_rows() {
    const std::string& function = planted_.term.function;
    const int count = dice_.pick({1, 2, 2, 4});
    planted_.term.average = dice_.chance(0.3) && function != "max-affine" && function != "log-sum-exp";
    if (function == "huber")
      planted_.term.delta = style_.data_unit * style_.point_unit * dice_.power_of_two(-1, 3);
    if (function == "quantile") planted_.term.tau = dice_.integer(1, 7) / 8.0;
    for (int i = 0; i < count; ++i) {
      ExactVector row = function == "logistic" ? orthogonal_row() : random_row();
      const Exact u = dot(row, x_);
      duals_.emplace_back(0);
      targets_.push_back(target(row, u, duals_.back()));
      rows_.push_back(std::move(row));
    }
    if (function == "max-affine" || function == "log-sum-exp") share_duals();
    RowMajorMatrix data(count, static_cast<Index>(size()));
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      data.row(static_cast<Index>(i)) = to_doubles(rows_[i]).transpose();
      add(planted_.subgradient, duals_[i], rows_[i]);
    }
    planted_.term.data = io::DataMatrix{std::move(data)};
    planted_.term.target = to_doubles(targets_);
  }

  /// Chooses the target for a row with <row, x> = u, and a slope of the loss at u.
  Exact target(const ExactVector& row, const Exact& u, Exact& dual) {
    const io::TermData& term = planted_.term;
    const Exact step = unit() * style_.point_unit;
    const Exact sign = dice_.chance(0.5) ? 1 : -1;
    const auto curved = [&] { planted_.curved.push_back(row); };
    if (term.function == "least-squares") {
      dual = dice_.chance(0.4) ? Exact(0) : Exact(step * dice_.integer(-15, 15));
      curved();
      return u - dual;
    }
    if (term.function == "huber") {
      const Exact delta = term.delta;
      if (dice_.chance(0.3)) {
        dual = sign * delta;
        return u - sign * (delta + step * dice_.integer(1, 9));
      }
      dual = delta * dice_.integer(-3, 3) / 4;
      curved();
      return u - dual;
    }
    if (term.function == "absolute" || term.function == "quantile") {
      const Exact most = term.function == "absolute" ? Exact(1) : Exact(1 - Exact(term.tau));
      const Exact least = term.function == "absolute" ? Exact(-1) : Exact(-Exact(term.tau));
      if (dice_.chance(0.5)) {
        dual = least + (most - least) * dice_.integer(0, 8) / 8;
        return u;
      }
      dual = sign > 0 ? most : least;
      return u - sign * step * dice_.integer(1, 15);
    }
    if (term.function == "logistic") {
      dual = -sign / 2;
      curved();
      return sign;
    }
    if (term.function == "hinge" || term.function == "squared-hinge") {
      const Exact margin = 1 - sign * u;
      if (term.function == "hinge") dual = margin > 0 ? Exact(-sign) : Exact(0);
      if (term.function == "squared-hinge" && margin > 0) {
        dual = -sign * margin;
        curved();
      }
      if (margin == 0 && term.function == "hinge") dual = -sign * dice_.integer(0, 4) / 4;
      return sign;
    }
    return -u;  // max-affine and log-sum-exp: all rows agree at x
  }

  void share_duals() {
    const std::size_t count = rows_.size();
    Exact left = 1;
    for (std::size_t i = 0; i < count; ++i) {
      if (planted_.term.function == "log-sum-exp") {
        duals_[i] = Exact(1) / Exact(count);
        if (i > 0) planted_.curved.push_back(minus(rows_[i], rows_[0]));
        continue;
      }
      if (i + 1 < count && dice_.chance(0.3)) {  // not active
        targets_[i] -= unit() * style_.point_unit * dice_.integer(1, 31);
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

PlantedTerm plant_term(Dice& dice, const std::string& function, const ExactVector& x, const TermStyle& style) {
  return Planter(dice, function, x, style).plant();
}

io::TermData term_with_gradient(Dice& dice, const ExactVector& gradient, const ExactVector& x) {
  io::TermData term;
  term.function = "linear";
  if (dice.chance(0.3)) {
    term.function = "squared-norm";
    term.weight = dice.power_of_two(-4, 4);
    ExactVector center = x;
    add(center, -1 / Exact(term.weight), gradient);
    term.vector = to_doubles(center);
    return term;
  }
  term.vector = to_doubles(gradient);
  return term;
}

}  // namespace fcbio::adversary
