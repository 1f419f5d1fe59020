#include "sets/linear_dual.hpp"

namespace fcbio::sets {
namespace {

constexpr int kSweeps = 8;
constexpr Extended kOutwards = 1e-12L;  // relative: far more than a checker rounds

/// What <a, x> <= value implies for the x_k whose side towards it is open.
class UpperRow {
 public:
  UpperRow(const RowView& rows, Index row, double sign, double value, Vector& lower, Vector& upper)
      : rows_(rows), row_(row), sign_(sign), value_(value), lower_(lower), upper_(upper) {}

  bool spread() {
    rows_.each(row_, [&](Index j, double a) {
      const double side = least_side(j, a);
      if (std::isfinite(side)) {
        sum_.add_product(sign_ * a, side);
      } else {
        ++open_;
        open_at_ = j;
      }
    });
    if (open_ > 1) return false;
    bool changed = false;
    rows_.each(row_, [&](Index j, double a) {
      if (open_ == 1 && j != open_at_) return;
      double& side = sign_ * a > 0.0 ? upper_[j] : lower_[j];
      if (std::isfinite(side)) return;
      const Extended own = open_ == 1 ? 0 : sign_ * Extended{a} * least_side(j, a);
      const Extended most = (Extended{value_} - (sum_.value() - own)) / (sign_ * a);
      const Extended slack = kOutwards * (std::abs(Extended{value_}) + sum_.size()) / std::abs(Extended{a});
      const double found = sign_ * a > 0.0 ? rounded_up(most + slack) : rounded_down(most - slack);
      if (!std::isfinite(found)) return;
      side = found;
      changed = true;
    });
    return changed;
  }

 private:
  double least_side(Index j, double a) const { return sign_ * a > 0.0 ? lower_[j] : upper_[j]; }

  const RowView& rows_;
  Index row_;
  double sign_, value_;
  Vector& lower_;
  Vector& upper_;
  ExtendedSum sum_;
  int open_ = 0;
  Index open_at_ = 0;
};

}  // namespace

void add_implied_sides(const RowView& rows, const Vector& row_lower, const Vector& row_upper, Vector& lower,
                       Vector& upper) {
  if (lower.allFinite() && upper.allFinite()) return;
  bool changed = true;
  for (int sweep = 0; sweep < kSweeps && changed; ++sweep) {
    changed = false;
    for (Index i = 0; i < rows.count(); ++i) {
      if (row_upper[i] < kInfinity) changed |= UpperRow(rows, i, 1.0, row_upper[i], lower, upper).spread();
      if (row_lower[i] > -kInfinity) changed |= UpperRow(rows, i, -1.0, -row_lower[i], lower, upper).spread();
    }
  }
}

}  // namespace fcbio::sets
