#include "parallel/shard_sum.hpp"

#include <algorithm>

namespace fcbio::parallel {
namespace {

std::size_t at(Index place) { return static_cast<std::size_t>(place); }

/// 0 .. length-1 in `parts` nearly equal pieces.
Index piece_begin(Index length, int parts, int piece) {
  const Index share = length / parts, rest = length % parts;
  return share * piece + std::min<Index>(rest, piece);
}

}  // namespace

ShardRun shards_of(int rank, int ranks, Index shards) {
  return {piece_begin(shards, ranks, rank), piece_begin(shards, ranks, rank + 1)};
}

ShardSum::ShardSum(Communicator& ranks, Index shards)
    : ranks_(ranks), shards_(shards), own_(shards_of(ranks.rank(), ranks.ranks(), shards)) {
  subtrees_.resize(static_cast<std::size_t>(ranks.ranks()));
  for (int rank = 0; rank < ranks.ranks(); ++rank)
    collect_subtrees({0, shards}, shards_of(rank, ranks.ranks(), shards),
                     subtrees_[static_cast<std::size_t>(rank)]);
}

void ShardSum::collect_subtrees(Node node, const ShardRun& run, std::vector<Node>& found) const {
  if (node.end <= run.first || run.end <= node.begin) return;
  if (run.holds(node.begin, node.end)) {
    found.push_back(node);
    return;
  }
  const Index middle = (node.begin + node.end) / 2;
  collect_subtrees({node.begin, middle}, run, found);
  collect_subtrees({middle, node.end}, run, found);
}

Index ShardSum::depth() const {
  Index levels = 0;
  while ((Index{1} << levels) < shards_) ++levels;
  return levels;
}

Eigen::MatrixXd ShardSum::gather(Index count, const FillNumbers& fill) const {
  Eigen::MatrixXd mine(count, own_.end - own_.first), all(count, shards_);
  for (Index shard = own_.first; shard < own_.end; ++shard) fill(shard, mine.col(shard - own_.first));
  std::vector<std::size_t> sizes;
  for (int rank = 0; rank < ranks_.ranks(); ++rank) {
    const ShardRun run = shards_of(rank, ranks_.ranks(), shards_);
    sizes.push_back(at(count * (run.end - run.first)) * sizeof(double));
  }
  ranks_.gather(bytes_of(mine.data(), at(mine.size())), sizes, mutable_bytes_of(all.data(), at(all.size())));
  return all;
}

Vector& ShardSum::scratch(std::vector<Vector>& levels, std::size_t level, Index size) const {
  if (levels.empty()) levels.resize(at(depth()));  // once: references must stay
  Vector& vector = levels[level];
  if (vector.size() != size) vector.resize(size);
  return vector;
}

void ShardSum::add_subtree(Node node, const Fill& fill, std::size_t level, VectorOut out) const {
  if (node.end - node.begin == 1) return fill(node.begin, out);
  const Index middle = (node.begin + node.end) / 2;
  Vector& right = scratch(whole_, level, out.size());
  add_subtree({node.begin, middle}, fill, level + 1, out);
  add_subtree({middle, node.end}, fill, level + 1, right);
  out += right;
}

void ShardSum::join_subtrees(Node node, std::size_t level, VectorOut out) const {
  if (places_[at(node.begin)] >= 0) {
    for (const std::vector<Node>& subtrees : subtrees_)
      for (const Node& subtree : subtrees)
        if (subtree.begin == node.begin && subtree.end == node.end) {
          out = received_.segment(places_[at(node.begin)], out.size());
          return;
        }
  }
  const Index middle = (node.begin + node.end) / 2;
  Vector& right = scratch(pieces_, level, out.size());
  join_subtrees({node.begin, middle}, level + 1, out);
  join_subtrees({middle, node.end}, level + 1, right);
  out += right;
}

void ShardSum::add_up(const Fill& fill, VectorOut total) const {
  const int count = ranks_.ranks(), rank = ranks_.rank();
  if (count == 1) return add_subtree({0, shards_}, fill, 0, total);
  const Index n = total.size();
  const auto begin = [&](int piece) { return piece_begin(n, count, piece); };
  const auto length = [&](int piece) { return begin(piece + 1) - begin(piece); };

  // Own subtrees, cut into the pieces of the ranks: those of one rank behind each other.
  const std::vector<Node>& mine = subtrees_[static_cast<std::size_t>(rank)];
  const auto trees = static_cast<Index>(mine.size());
  sent_.resize(n * trees);
  sum_.resize(n);
  for (Index tree = 0; tree < trees; ++tree) {
    add_subtree(mine[at(tree)], fill, 0, sum_);
    for (int to = 0; to < count; ++to)
      sent_.segment(begin(to) * trees + tree * length(to), length(to)) = sum_.segment(begin(to), length(to));
  }

  const Index own = length(rank);
  places_.assign(at(shards_), -1);
  Index place = 0;
  for (const std::vector<Node>& subtrees : subtrees_)
    for (const Node& subtree : subtrees) {
      places_[at(subtree.begin)] = place;
      place += own;
    }
  received_.resize(place);
  std::vector<Bytes> sends;
  std::vector<MutableBytes> receives;
  place = 0;
  for (int r = 0; r < count; ++r) {
    sends.push_back(bytes_of(sent_.data() + begin(r) * trees, at(length(r) * trees)));
    const Index arriving = own * static_cast<Index>(subtrees_[static_cast<std::size_t>(r)].size());
    receives.push_back(mutable_bytes_of(received_.data() + place, at(arriving)));
    place += arriving;
  }
  ranks_.exchange(sends, receives);

  piece_.resize(own);
  join_subtrees({0, shards_}, 0, piece_);
  std::vector<std::size_t> sizes;
  for (int r = 0; r < count; ++r) sizes.push_back(at(length(r)) * sizeof(double));
  ranks_.gather(bytes_of(piece_.data(), at(own)), sizes, mutable_bytes_of(total.data(), at(n)));
}

}  // namespace fcbio::parallel
