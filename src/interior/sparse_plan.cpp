#include <algorithm>
#include <cmath>
#include <numeric>

#include "interior/kkt_sparse.hpp"

namespace fcbio::interior {
namespace {

// A row or column with more numbers than this times the square root of all unknowns of the other kind counts as dense,
// as in approximate minimum degree.
constexpr double kDenseShare = 10.0;
constexpr double kDenseAtLeast = 16.0;
constexpr double kMostNumbers = 0x1p27;  // of a factor: 1 GB
constexpr double kMostPattern = 0x1p25;  // entries of the system, which the analysis keeps a few copies of

double dense_from(Index others) {
  return std::max(kDenseAtLeast, kDenseShare * std::sqrt(static_cast<double>(others)));
}

/// visit(row, column) for all numbers of the stack, those of balls included.
template <class Visit>
void each_number(const Program& program, const Stack& stack, Visit visit) {
  for (const Stack::Part& part : stack.parts())
    for (Index i = 0; i < part.rows->rows(); ++i)
      part.rows->visit_row(i, [&](Index j, double) { visit(part.first + i, j); });
  for (std::size_t k = 0; k < program.balls.size(); ++k)
    for (Index j = 0; j < program.balls[k].centre.size(); ++j)
      visit(stack.first_ball() + static_cast<Index>(k), program.balls[k].first + j);
}

std::vector<bool> equations(const Program& program, const Stack& stack) {
  std::vector<bool> found(static_cast<std::size_t>(stack.rows()), false);
  auto part = stack.parts().begin();
  for (const Block& block : program.blocks) {
    if (block.rows.is_identity()) continue;
    if (block.kind == BlockKind::limits)
      for (Index i = 0; i < block.low.size(); ++i)
        found[static_cast<std::size_t>(part->first + i)] = block.low[i] == block.high[i];
    ++part;
  }
  return found;
}

}  // namespace

std::vector<bool> has_diagonal(const Program& program) {
  std::vector<bool> has(static_cast<std::size_t>(program.variables), false);
  for (Index j = 0; j < program.variables; ++j)
    has[static_cast<std::size_t>(j)] =
        program.curvature[j] > 0.0 || std::isfinite(program.lower[j]) || std::isfinite(program.upper[j]);
  for (const Block& block : program.blocks)
    if (block.rows.is_identity()) std::fill_n(has.begin(), block.rows.rows(), true);
  for (const Ball& ball : program.balls) std::fill_n(has.begin() + ball.first, ball.centre.size(), true);
  return has;
}

SparsePlan::SparsePlan(const Program& program, const Stack& stack, bool rows_are_left) : by_rows(rows_are_left) {
  const auto n = static_cast<std::size_t>(stack.variables()), m = static_cast<std::size_t>(stack.rows());
  std::vector<double> in_row(m, 0.0), in_column(n, 0.0);
  each_number(program, stack, [&](Index i, Index j) {
    in_row[static_cast<std::size_t>(i)] += 1.0;
    in_column[static_cast<std::size_t>(j)] += 1.0;
  });
  const double long_row = dense_from(stack.variables()), long_column = dense_from(stack.rows());
  variables.assign(n, 0);
  rows.assign(m, 0);
  if (by_rows) {
    const std::vector<bool> has = has_diagonal(program);
    for (std::size_t j = 0; j < n; ++j)
      if (has[j] && in_column[j] <= long_column) variables[j] = -1;
  } else {
    const std::vector<bool> is_equation = equations(program, stack);
    for (std::size_t i = 0; i < static_cast<std::size_t>(stack.first_ball()); ++i)
      if (!is_equation[i] && in_row[i] <= long_row) rows[i] = -1;
  }

  // The definite part first; what was kept for its length, or for a pivot that only the others give it, later.
  const auto number_those_left = [&](std::vector<std::int32_t>& vertices, const std::vector<double>& lengths,
                                     auto is_late) {
    for (std::size_t k = 0; k < vertices.size(); ++k) {
      if (vertices[k] < 0) {
        operations += lengths[k] * lengths[k];
        continue;
      }
      vertices[k] = static_cast<std::int32_t>(late.size());
      late.push_back(is_late(lengths[k]));
    }
  };
  number_those_left(variables, in_column, [&](double length) { return by_rows || length > long_column; });
  number_those_left(rows, in_row, [&](double) { return !by_rows; });

  cliques.vertices = static_cast<Index>(late.size());
  const std::vector<std::int32_t>& eliminated = by_rows ? variables : rows;
  const std::vector<double>& lengths = by_rows ? in_column : in_row;
  std::vector<std::int64_t> next(eliminated.size(), -1);
  for (std::size_t e = 0; e < eliminated.size(); ++e) {
    if (eliminated[e] >= 0) continue;
    next[e] = cliques.starts.back();
    cliques.starts.push_back(next[e] + static_cast<std::int64_t>(lengths[e]));
  }
  cliques.members.resize(static_cast<std::size_t>(cliques.starts.back()));
  std::vector<std::pair<std::int32_t, std::int32_t>> entries;
  each_number(program, stack, [&](Index i, Index j) {
    const std::int32_t row = rows[static_cast<std::size_t>(i)], column = variables[static_cast<std::size_t>(j)];
    if (row >= 0 && column >= 0) {
      entries.emplace_back(row, column);
      return;
    }
    const auto e = static_cast<std::size_t>(by_rows ? j : i);
    cliques.members[static_cast<std::size_t>(next[e]++)] = std::max(row, column);
  });
  for (const auto& [row, column] : entries) {
    cliques.members.insert(cliques.members.end(), {row, column});
    cliques.close();
  }
}

bool SparsePlan::analyse(double most) {
  const auto size = static_cast<double>(cliques.vertices);
  if (operations > most || std::min(operations, size * size) > kMostPattern) return false;
  if (operations + least_operations(cliques) > most) return false;
  std::optional<SparseOrdering> found = order_sparse(cliques, late);
  if (!found || found->numbers > kMostNumbers) return false;
  ordering = std::move(*found);
  operations += ordering.operations;
  return true;
}

}  // namespace fcbio::interior
