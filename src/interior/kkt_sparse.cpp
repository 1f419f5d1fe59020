#include "interior/kkt_sparse.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/sparse_ldl.hpp"

namespace fcbio::interior {
namespace {

class SparseForm final : public KktForm {
 public:
  SparseForm(const Program& program, const Stack& stack, const SparsePlan& plan)
      : stack_(stack),
        by_rows_(plan.by_rows),
        operations_(plan.operations),
        ldl_(plan.cliques, plan.ordering),
        right_(ldl_.size()),
        diagonal_(ldl_.size()),
        pivots_(static_cast<std::size_t>(ldl_.size())) {
    const auto place_all = [&](const std::vector<std::int32_t>& vertices, std::vector<std::int32_t>& places) {
      for (const std::int32_t vertex : vertices) places.push_back(vertex < 0 ? -1 : ldl_.place(vertex));
    };
    place_all(plan.variables, variables_);
    place_all(plan.rows, rows_);
    list_numbers(program);
    list_occurrences();
    inverse_.resize(static_cast<Index>(items_.size()));
  }

  bool factor(const Vector& d, const Vector& t, Watch* watch) override {
    for (Index j = 0; j < d.size(); ++j)
      if (const std::int32_t place = variables_[static_cast<std::size_t>(j)]; place >= 0) diagonal_[place] = d[j];
    for (Index i = 0; i < t.size(); ++i)
      if (const std::int32_t place = rows_[static_cast<std::size_t>(i)]; place >= 0) {
        diagonal_[place] = -t[i];
        pivots_[static_cast<std::size_t>(place)] = {.negative = true, .may_vanish = !(t[i] > 0.0)};
      }
    for (std::size_t e = 0; e < items_.size(); ++e) {
      inverse_[static_cast<Index>(e)] = by_rows_ ? 1.0 / d[items_[e]] : -1.0 / t[items_[e]];
      if (!std::isfinite(inverse_[static_cast<Index>(e)])) return false;
    }
    for (const OfBall& one : of_balls_) numbers_[one.at].number = stack_.balls()[one.ball][one.variable];
    return ldl_.factor(
        pivots_, [this](const SupernodeBlock& block) { return fill(block); }, watch);
  }

  void solve(Vector& x, Vector& y) override {
    const auto each_left = [&](auto visit) {
      for (std::size_t j = 0; j < variables_.size(); ++j)
        if (variables_[j] >= 0) visit(x[static_cast<Index>(j)], variables_[j]);
      for (std::size_t i = 0; i < rows_.size(); ++i)
        if (rows_[i] >= 0) visit(y[static_cast<Index>(i)], rows_[i]);
    };
    Vector& eliminated = by_rows_ ? x : y;
    each_left([&](double number, std::int32_t place) { right_[place] = number; });
    for (std::size_t e = 0; e < items_.size(); ++e) {
      const double factor = eliminated[items_[e]] * inverse_[static_cast<Index>(e)];
      for (std::size_t k = starts_[e]; k < starts_[e + 1]; ++k)
        right_[numbers_[k].place] -= numbers_[k].number * factor;
    }
    ldl_.solve(right_);
    for (std::size_t e = 0; e < items_.size(); ++e) {
      double sum = eliminated[items_[e]];
      for (std::size_t k = starts_[e]; k < starts_[e + 1]; ++k)
        sum -= numbers_[k].number * right_[numbers_[k].place];
      eliminated[items_[e]] = sum * inverse_[static_cast<Index>(e)];
    }
    each_left([&](double& number, std::int32_t place) { number = right_[place]; });
  }

  double operations() const override { return operations_; }

 private:
  struct Number {
    std::int32_t place;
    double number;
  };
  struct Occurrence {
    std::int32_t item;
    std::size_t at;  // in numbers_
  };
  struct OfBall {
    std::size_t at;  // in numbers_
    std::size_t ball;
    Index variable;
  };

  /// visit(row, variable, number, ball), with ball = -1 where there is none.
  template <class Visit>
  void each_number(const Program& program, Visit visit) const {
    for (const Stack::Part& part : stack_.parts())
      for (Index i = 0; i < part.rows->rows(); ++i)
        part.rows->visit_row(i, [&](Index j, double value) { visit(part.first + i, j, value, -1); });
    for (std::size_t k = 0; k < program.balls.size(); ++k)
      for (Index j = 0; j < program.balls[k].centre.size(); ++j)
        visit(stack_.first_ball() + static_cast<Index>(k), program.balls[k].first + j, 0.0, static_cast<int>(k));
  }

  // One list for each unknown that is eliminated at once, with the places of the others; then one for each place, with
  // the later places that it has a number in common with.
  void list_numbers(const Program& program) {
    const std::vector<std::int32_t>& places = by_rows_ ? variables_ : rows_;
    std::vector<std::size_t> list_of(places.size());
    for (std::size_t e = 0; e < places.size(); ++e) {
      if (places[e] >= 0) continue;
      list_of[e] = items_.size();
      items_.push_back(static_cast<Index>(e));
    }
    const auto find = [&](Index i, Index j) {
      const std::int32_t row = rows_[static_cast<std::size_t>(i)],
                         variable = variables_[static_cast<std::size_t>(j)];
      if (row >= 0 && variable >= 0)
        return std::pair(items_.size() + static_cast<std::size_t>(std::min(row, variable)),
                         std::max(row, variable));
      return std::pair(list_of[static_cast<std::size_t>(by_rows_ ? j : i)], std::max(row, variable));
    };
    starts_.assign(items_.size() + static_cast<std::size_t>(ldl_.size()) + 1, 0);
    each_number(program, [&](Index i, Index j, double, int) { ++starts_[find(i, j).first + 1]; });
    for (std::size_t k = 0; k + 1 < starts_.size(); ++k) starts_[k + 1] += starts_[k];
    numbers_.resize(starts_.back());
    std::vector<std::size_t> next(starts_.begin(), starts_.end() - 1);
    each_number(program, [&](Index i, Index j, double value, int) {
      const auto [list, place] = find(i, j);
      numbers_[next[list]++] = {place, value};
    });
    for (std::size_t k = 0; k + 1 < starts_.size(); ++k)
      std::sort(begin_of(k), begin_of(k + 1), [](const Number& a, const Number& b) { return a.place < b.place; });
    each_number(program, [&](Index i, Index j, double, int ball) {
      if (ball < 0) return;
      const auto [list, place] = find(i, j);
      const auto at = std::lower_bound(begin_of(list), begin_of(list + 1), place,
                                       [](const Number& a, std::int32_t wanted) { return a.place < wanted; });
      of_balls_.push_back({static_cast<std::size_t>(at - numbers_.begin()), static_cast<std::size_t>(ball), j});
    });
  }
  std::vector<Number>::iterator begin_of(std::size_t list) {
    return numbers_.begin() + static_cast<std::ptrdiff_t>(starts_[list]);
  }

  /// Where each place is found in the lists of what is eliminated at once.
  void list_occurrences() {
    occurrence_starts_.assign(static_cast<std::size_t>(ldl_.size()) + 1, 0);
    const std::size_t end = starts_[items_.size()];
    for (std::size_t k = 0; k < end; ++k) ++occurrence_starts_[static_cast<std::size_t>(numbers_[k].place) + 1];
    for (std::size_t k = 0; k + 1 < occurrence_starts_.size(); ++k)
      occurrence_starts_[k + 1] += occurrence_starts_[k];
    occurrences_.resize(end);
    std::vector<std::size_t> next(occurrence_starts_.begin(), occurrence_starts_.end() - 1);
    for (std::size_t e = 0; e < items_.size(); ++e)
      for (std::size_t k = starts_[e]; k < starts_[e + 1]; ++k)
        occurrences_[next[static_cast<std::size_t>(numbers_[k].place)]++] = {static_cast<std::int32_t>(e), k};
  }

  double fill(const SupernodeBlock& block) const {
    double operations = 0.0;
    for (std::int32_t column = block.begin; column < block.end; ++column) {
      const auto c = static_cast<std::size_t>(column);
      block.at(column, column) += diagonal_[column];
      for (std::size_t k = starts_[items_.size() + c]; k < starts_[items_.size() + c + 1]; ++k)
        block.at(numbers_[k].place, column) += numbers_[k].number;
      for (std::size_t k = occurrence_starts_[c]; k < occurrence_starts_[c + 1]; ++k) {
        const Occurrence& found = occurrences_[k];
        const double factor = -numbers_[found.at].number * inverse_[found.item];
        const std::size_t end = starts_[static_cast<std::size_t>(found.item) + 1];
        for (std::size_t l = found.at; l < end; ++l)
          block.at(numbers_[l].place, column) += factor * numbers_[l].number;
        operations += 2.0 * static_cast<double>(end - found.at);
      }
    }
    return operations;
  }

  const Stack& stack_;
  bool by_rows_;
  double operations_;
  SparseLdl ldl_;
  std::vector<std::int32_t> variables_, rows_;  // their places; -1: eliminated at once
  std::vector<Index> items_;                    // what is eliminated at once
  std::vector<std::size_t> starts_, occurrence_starts_;
  std::vector<Number> numbers_;
  std::vector<Occurrence> occurrences_;
  std::vector<OfBall> of_balls_;
  Vector right_, diagonal_, inverse_;
  std::vector<SparseLdl::Pivot> pivots_;
};

}  // namespace

std::unique_ptr<KktForm> sparse_form(const Program& program, const Stack& stack, const SparsePlan& plan) {
  return std::make_unique<SparseForm>(program, stack, plan);
}

}  // namespace fcbio::interior
