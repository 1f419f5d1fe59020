#include "linear_program.hpp"

#include <algorithm>
#include <optional>

namespace fcbio::adversary {
namespace {

constexpr int kMostPivots = 2000;

/// Determinants of the data are far above this, or zero.
const Exact& zero_level() {
  static const Exact level = ldexp(Exact(1), -450);
  return level;
}
bool is_zero(const Exact& number) { return abs(number) <= zero_level(); }

/// Rows  sum_j t[i][j] y_j = t[i].back(), y >= 0, each with a basic variable.
class Tableau {
 public:
  std::vector<ExactVector> rows;
  std::vector<std::size_t> basic;
  std::vector<bool> usable;  // columns that may enter

  void pivot(std::size_t row, std::size_t column) {
    ExactVector& source = rows[row];
    const Exact inverse = 1 / source[column];
    for (Exact& entry : source)
      if (!entry.is_zero()) entry *= inverse;
    source[column] = 1;
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (i != row) eliminate(rows[i], source, column);
    basic[row] = column;
  }

  static void eliminate(ExactVector& target, const ExactVector& source, std::size_t column) {
    const Exact factor = target[column];
    if (factor.is_zero()) return;
    for (std::size_t j = 0; j < target.size(); ++j) {
      if (source[j].is_zero()) continue;
      target[j] -= factor * source[j];
      if (is_zero(target[j])) target[j] = 0;
    }
    target[column] = 0;
  }

  /// Costs with the basic variables eliminated; the last entry is minus the value.
  ExactVector reduced(ExactVector cost) const {
    for (std::size_t i = 0; i < rows.size(); ++i) eliminate(cost, rows[i], basic[i]);
    return cost;
  }

  /// False: unbounded, or too many steps.
  bool minimize(ExactVector& cost) {
    for (int step = 0; step < kMostPivots; ++step) {
      std::size_t enter = cost.size();
      for (std::size_t j = 0; j + 1 < cost.size() && enter == cost.size(); ++j)
        if (usable[j] && cost[j] < -zero_level()) enter = j;
      if (enter == cost.size()) return true;
      std::optional<std::size_t> leave;
      Exact least = 0;
      for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i][enter] <= zero_level()) continue;
        const Exact ratio = rows[i].back() / rows[i][enter];
        const bool tie = leave && is_zero(ratio - least);
        if (!leave || (tie ? basic[i] < basic[*leave] : ratio < least)) {
          leave = i;
          least = ratio;
        }
      }
      if (!leave) return false;
      pivot(*leave, enter);
      eliminate(cost, rows[*leave], enter);
    }
    return false;
  }
};

}  // namespace

std::size_t LinearProgram::add_variable(bool nonnegative) {
  nonnegative_.push_back(nonnegative);
  return nonnegative_.size() - 1;
}

void LinearProgram::add_row(Row row, Exact value, bool equality) {
  rows_.push_back(std::move(row));
  values_.push_back(std::move(value));
  equality_.push_back(equality);
}

std::optional<LinearProgram::Solution> LinearProgram::minimize(const Row& first, const Row& second) const {
  // Columns: one per variable, a second one (its negative) per free variable, a slack per inequality, an
  // artificial variable per row that its slack cannot start.
  std::vector<std::size_t> negative(variables(), 0);
  std::size_t columns = variables();
  for (std::size_t j = 0; j < variables(); ++j)
    if (!nonnegative_[j]) negative[j] = columns++;
  std::vector<std::size_t> partner(columns);
  for (std::size_t j = 0; j < variables(); ++j) {
    partner[j] = nonnegative_[j] ? j : negative[j];
    if (!nonnegative_[j]) partner[negative[j]] = j;
  }
  const std::size_t slacks = columns;
  columns += static_cast<std::size_t>(std::count(equality_.begin(), equality_.end(), false));
  const std::size_t artificials = columns;
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (equality_[i] || values_[i] < 0) ++columns;

  const auto spread = [&](const Row& row, ExactVector& out) {
    for (const auto& [j, number] : row) {
      out[j] += number;
      if (!nonnegative_[j]) out[negative[j]] -= number;
    }
  };
  Tableau tableau;
  tableau.usable.assign(columns, true);
  std::size_t slack = slacks, artificial = artificials;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    ExactVector row(columns + 1, Exact(0));
    spread(rows_[i], row);
    row.back() = values_[i];
    const bool flipped = values_[i] < 0;
    if (!equality_[i]) row[slack] = 1;
    if (flipped)
      for (Exact& entry : row) entry = -entry;
    std::size_t basic = slack;
    if (equality_[i] || flipped) {
      basic = artificial++;
      row[basic] = 1;
    }
    if (!equality_[i]) ++slack;
    tableau.rows.push_back(std::move(row));
    tableau.basic.push_back(basic);
  }

  ExactVector cost(columns + 1, Exact(0));
  for (std::size_t j = artificials; j < columns; ++j) cost[j] = 1;
  cost = tableau.reduced(std::move(cost));
  if (!tableau.minimize(cost) || !is_zero(cost.back())) return std::nullopt;
  for (std::size_t i = 0; i < tableau.rows.size();) {  // artificial variables leave, with their row if it is empty
    if (tableau.basic[i] < artificials) {
      ++i;
      continue;
    }
    std::size_t enter = 0;
    while (enter < artificials && is_zero(tableau.rows[i][enter])) ++enter;
    if (enter < artificials) {
      tableau.pivot(i, enter);
      ++i;
    } else {
      tableau.rows.erase(tableau.rows.begin() + static_cast<std::ptrdiff_t>(i));
      tableau.basic.erase(tableau.basic.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  for (std::size_t j = artificials; j < columns; ++j) tableau.usable[j] = false;

  Solution solution;
  const auto stage = [&](const Row& row, Exact& value) {
    cost.assign(columns + 1, Exact(0));
    spread(row, cost);
    cost = tableau.reduced(std::move(cost));
    const bool ended = tableau.minimize(cost);
    value = -cost.back();
    return ended;
  };
  if (!stage(first, solution.first)) return std::nullopt;
  std::vector<bool> is_basic(columns, false);
  for (const std::size_t j : tableau.basic) is_basic[j] = true;
  solution.first_is_unique = true;
  for (std::size_t j = 0; j < artificials; ++j) {
    const bool moves_nothing = j < slacks && partner[j] != j && is_basic[partner[j]];
    if (!is_basic[j] && !moves_nothing && cost[j] <= zero_level()) solution.first_is_unique = false;
    if (cost[j] > zero_level()) tableau.usable[j] = false;  // zero at every minimiser
  }
  if (!stage(second, solution.second)) return std::nullopt;
  solution.point.assign(variables(), Exact(0));
  for (std::size_t i = 0; i < tableau.rows.size(); ++i) {
    const std::size_t j = tableau.basic[i];
    if (j < variables()) solution.point[j] += tableau.rows[i].back();
    if (j >= variables() && j < slacks) solution.point[partner[j]] -= tableau.rows[i].back();
  }
  return solution;
}

}  // namespace fcbio::adversary
