#include "report/answer.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace fcbio::report {
namespace {

constexpr Index kLargestEntries = 12;
constexpr Index kMostDrawn = 128 * 128;  // entries: more would make the page large

/// The first `most` of 0 .. count - 1 in the order of `before`, ties by index.
template <class Before>
std::vector<Index> ordered_indices(Index count, Index most, const Before& before) {
  std::vector<Index> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), Index{0});
  const Index kept = std::min(count, most);
  std::partial_sort(order.begin(), order.begin() + kept, order.end(),
                    [&](Index a, Index b) { return before(a, b) || (!before(b, a) && a < b); });
  order.resize(static_cast<std::size_t>(kept));
  return order;
}

/// Mann-Whitney: from the sum of the ranks of the positives, tied scores sharing theirs.
std::optional<double> area_under_curve(const Vector& scores, const Vector& labels, Index positives) {
  const Index negatives = scores.size() - positives;
  if (positives == 0 || negatives == 0 || !scores.allFinite()) return std::nullopt;
  const std::vector<Index> order =
      ordered_indices(scores.size(), scores.size(), [&](Index a, Index b) { return scores[a] < scores[b]; });
  double rank_sum = 0.0;
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin;
    Index tied_positives = 0;
    for (; end < order.size() && scores[order[end]] == scores[order[begin]]; ++end)
      tied_positives += labels[order[end]] > 0.0 ? 1 : 0;
    rank_sum += 0.5 * static_cast<double>(begin + 1 + end) * static_cast<double>(tied_positives);
    begin = end;
  }
  const auto p = static_cast<double>(positives), n = static_cast<double>(negatives);
  return (rank_sum - 0.5 * p * (p + 1.0)) / (p * n);
}

bool fits(const std::vector<Index>& shape, Index n) {
  if (shape.size() == 1) return shape[0] == n;
  return shape.size() == 2 && shape[0] > 0 && shape[1] > 0 && n % shape[0] == 0 && n / shape[0] == shape[1];
}

}  // namespace

Solution solution_of(const Vector& x, const Coordinates& coordinates) {
  const auto size = [&](Index j) { return std::isnan(x[j]) ? kInfinity : std::abs(x[j]); };
  const bool named = static_cast<Index>(coordinates.names.size()) == x.size();
  Solution solution;
  solution.dimension = x.size();
  solution.nonzero = (x.array() != 0.0).count();
  for (const Index j :
       ordered_indices(x.size(), kLargestEntries, [&](Index a, Index b) { return size(a) > size(b); }))
    solution.largest.push_back({j, named ? coordinates.names[static_cast<std::size_t>(j)] : "", x[j]});
  if (fits(coordinates.shape, x.size()) && x.size() <= kMostDrawn) {
    solution.shape = coordinates.shape;
    solution.values = x;
  }
  return solution;
}

Classifier judge_scores(Level level, std::string name, const Vector& scores, const Vector& labels) {
  Classifier judged;
  judged.level = level;
  judged.name = std::move(name);
  judged.rows = scores.size();
  judged.positives = (labels.array() > 0.0).count();
  if (judged.rows > 0)
    judged.accuracy =
        static_cast<double>((scores.array() * labels.array() > 0.0).count()) / static_cast<double>(judged.rows);
  judged.auc = area_under_curve(scores, labels, judged.positives);
  return judged;
}

}  // namespace fcbio::report
