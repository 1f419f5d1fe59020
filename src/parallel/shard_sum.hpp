// Sums over shards that lie on many ranks, the same to the bit for any number of ranks.  Every rank owns a run of
// neighbouring shards.  Vectors are added along a binary tree over the shards whose shape depends on their number only:
// [a, b) is the sum of [a, (a+b)/2) and [(a+b)/2, b).  A rank adds up the largest subtrees that are its own; each rank
// then gets one piece of all these vectors, goes on with it to the root, and shares it with all: as few numbers on
// the wires as there can be, about twice the length of the vector for each rank.
#pragma once

#include <functional>
#include <vector>

#include "fcbio/types.hpp"
#include "parallel/communicator.hpp"

namespace fcbio::parallel {

/// The shards [first, end) of a rank.
struct ShardRun {
  Index first = 0, end = 0;
  bool holds(Index begin, Index behind) const { return first <= begin && behind <= end; }
};
ShardRun shards_of(int rank, int ranks, Index shards);

class ShardSum {
 public:
  ShardSum(Communicator& ranks, Index shards);

  Communicator& ranks() const { return ranks_; }
  Index shards() const { return shards_; }
  /// Those of this rank.
  const ShardRun& own() const { return own_; }

  /// A column for every shard, with what fill(shard, column) wrote on its owner.  Collective.
  using FillNumbers = std::function<void(Index shard, VectorOut column)>;
  Eigen::MatrixXd gather(Index count, const FillNumbers& fill) const;

  /// total <- the sum of what fill(shard, out) wrote on the owners.  Collective.  Memory: a vector for each level of the
  /// tree.
  using Fill = std::function<void(Index shard, VectorOut out)>;
  void add_up(const Fill& fill, VectorOut total) const;
  /// The largest number of additions a number goes through there.
  Index depth() const;

 private:
  struct Node {
    Index begin, end;
  };
  void collect_subtrees(Node node, const ShardRun& run, std::vector<Node>& found) const;
  void add_subtree(Node node, const Fill& fill, std::size_t level, VectorOut out) const;
  void join_subtrees(Node node, std::size_t level, VectorOut out) const;
  Vector& scratch(std::vector<Vector>& levels, std::size_t level, Index size) const;

  Communicator& ranks_;
  Index shards_;
  ShardRun own_;
  std::vector<std::vector<Node>> subtrees_;  // by rank
  // One sum at a time: a job of many ranks makes its collective calls from one thread.
  mutable std::vector<Vector> whole_, pieces_;  // for each level of the tree
  mutable Vector sum_, sent_, received_, piece_;
  mutable std::vector<Index> places_;  // in received_, of every shard that begins a subtree
};

}  // namespace fcbio::parallel
