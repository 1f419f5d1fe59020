#include "linalg/supernodes.hpp"

#include <algorithm>
#include <utility>

namespace fcbio {
namespace {

// Widest groups that may consist of zeros for at most this share.
struct Relaxation {
  std::int32_t width;
  double zeros;
};
constexpr Relaxation kRelaxations[] = {{4, 1.0}, {16, 0.6}, {48, 0.1}};
constexpr double kZerosOfWide = 0.05;

struct Group {
  std::int32_t first, width, height;
  double numbers;  // of the factor, without zeros
};

bool may_merge(const Group& left, const Group& right, Group& merged) {
  merged = {left.first, left.width + right.width, left.width + right.height, left.numbers + right.numbers};
  const double width = merged.width, height = merged.height;
  const double stored = width * height - 0.5 * width * (width - 1.0);
  const double zeros = (stored - merged.numbers) / stored;
  for (const Relaxation& relaxation : kRelaxations)
    if (merged.width <= relaxation.width) return zeros <= relaxation.zeros;
  return zeros <= kZerosOfWide;
}

/// The elimination tree, and the column in which each clique is met first (Liu; as for A'A).
struct Tree {
  std::vector<std::int32_t> parents, firsts;

  Tree(const Cliques& cliques, const std::vector<std::int32_t>& order)
      : parents(order.size(), -1), firsts(cliques.count(), -1) {
    std::vector<std::int64_t> starts(order.size() + 1, 0);
    for (const std::int32_t vertex : cliques.members) ++starts[static_cast<std::size_t>(vertex) + 1];
    for (std::size_t v = 0; v < order.size(); ++v) starts[v + 1] += starts[v];
    std::vector<std::int64_t> next(starts.begin(), starts.end() - 1);
    std::vector<std::int32_t> of_vertex(cliques.members.size());
    for (std::size_t c = 0; c < cliques.count(); ++c)
      for (const std::int32_t vertex : cliques.of(c))
        of_vertex[static_cast<std::size_t>(next[static_cast<std::size_t>(vertex)]++)] =
            static_cast<std::int32_t>(c);
    std::vector<std::int32_t> ancestors(order.size(), -1), latest(cliques.count(), -1);
    for (std::size_t k = 0; k < order.size(); ++k) {
      const auto column = static_cast<std::int32_t>(k);
      const auto vertex = static_cast<std::size_t>(order[k]);
      for (std::int64_t at = starts[vertex]; at < starts[vertex + 1]; ++at) {
        const auto clique = static_cast<std::size_t>(of_vertex[static_cast<std::size_t>(at)]);
        if (firsts[clique] < 0) firsts[clique] = column;
        for (std::int32_t i = latest[clique]; i >= 0 && i < column;) {
          const std::int32_t above = std::exchange(ancestors[static_cast<std::size_t>(i)], column);
          if (above < 0) parents[static_cast<std::size_t>(i)] = column;
          i = above;
        }
        latest[clique] = column;
      }
    }
  }
};

}  // namespace

Supernodes::Supernodes(const Cliques& cliques, const SparseOrdering& ordering) {
  const std::size_t size = ordering.order.size();
  const Tree tree(cliques, ordering.order);
  std::vector<Group> groups;
  const auto is_child_of = [&](const Group& left, const Group& right) {
    const std::int32_t parent = tree.parents[static_cast<std::size_t>(left.first + left.width - 1)];
    return parent >= right.first && parent < right.first + right.width;
  };
  for (std::size_t k = 0; k < size; ++k) {
    const std::int32_t count = ordering.counts[k];
    Group group{static_cast<std::int32_t>(k), 1, count, static_cast<double>(count)}, merged;
    if (!groups.empty() && is_child_of(groups.back(), group) &&
        groups.back().height - groups.back().width == group.height) {  // the same rows: nothing is lost
      groups.back().width += 1;
      groups.back().numbers += group.numbers;
      continue;
    }
    // What is complete may join its parent, which begins here at the latest.
    while (groups.size() >= 2 && is_child_of(groups[groups.size() - 2], groups.back()) &&
           may_merge(groups[groups.size() - 2], groups.back(), merged)) {
      groups.pop_back();
      groups.back() = merged;
    }
    groups.push_back(group);
  }
  for (Group merged; groups.size() >= 2 && is_child_of(groups[groups.size() - 2], groups.back()) &&
                     may_merge(groups[groups.size() - 2], groups.back(), merged);) {
    groups.pop_back();
    groups.back() = merged;
  }

  owner.resize(size);
  firsts.clear();
  for (std::size_t s = 0; s < groups.size(); ++s) {
    firsts.push_back(groups[s].first);
    std::fill_n(owner.begin() + groups[s].first, groups[s].width, static_cast<std::int32_t>(s));
  }
  firsts.push_back(static_cast<std::int32_t>(size));

  // Rows of a supernode: those of the cliques that begin in it, and those of its children, beyond its last column.
  std::vector<std::int32_t> places(size);
  for (std::size_t k = 0; k < size; ++k)
    places[static_cast<std::size_t>(ordering.order[k])] = static_cast<std::int32_t>(k);
  std::vector<std::vector<std::int32_t>> beginning(groups.size()), children(groups.size());
  for (std::size_t c = 0; c < cliques.count(); ++c)
    if (tree.firsts[c] >= 0)
      beginning[static_cast<std::size_t>(owner[static_cast<std::size_t>(tree.firsts[c])])].push_back(
          static_cast<std::int32_t>(c));
  std::vector<std::int32_t> seen(size, -1), found;
  for (std::size_t s = 0; s < groups.size(); ++s) {
    const auto mark = static_cast<std::int32_t>(s);
    found.clear();
    const auto add = [&](std::int32_t row) {
      if (row < firsts[s + 1] || seen[static_cast<std::size_t>(row)] == mark) return;
      seen[static_cast<std::size_t>(row)] = mark;
      found.push_back(row);
    };
    for (const std::int32_t c : beginning[s])
      for (const std::int32_t vertex : cliques.of(static_cast<std::size_t>(c)))
        add(places[static_cast<std::size_t>(vertex)]);
    for (const std::int32_t child : children[s])
      for (const std::int32_t row : rows(static_cast<std::size_t>(child))) add(row);
    std::sort(found.begin(), found.end());
    row_numbers.insert(row_numbers.end(), found.begin(), found.end());
    row_starts.push_back(static_cast<std::int64_t>(row_numbers.size()));
    block_starts.push_back(block_starts.back() + height(s) * width(s));
    if (!found.empty())
      children[static_cast<std::size_t>(owner[static_cast<std::size_t>(found.front())])].push_back(mark);
  }
}

}  // namespace fcbio
