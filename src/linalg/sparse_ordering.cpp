#include "linalg/sparse_ordering.hpp"

#include <camd.h>
#include <cholmod.h>

#include <algorithm>
#include <numeric>

namespace fcbio {
namespace {

class CholmodSession {
 public:
  CholmodSession() {
    cholmod_l_start(&common_);
    common_.print = 0;
    common_.try_catch = 1;  // errors are told by what is returned
    common_.supernodal = CHOLMOD_SIMPLICIAL;
    common_.nmethods = 1;
    common_.postorder = 1;
  }
  CholmodSession(const CholmodSession&) = delete;
  ~CholmodSession() { cholmod_l_finish(&common_); }
  cholmod_common* operator->() { return &common_; }
  cholmod_common* get() { return &common_; }

 private:
  cholmod_common common_;
};

// By CAMD itself: cholmod_l_camd of SuiteSparse 5.12 ends in a segmentation fault on some patterns.
bool order_by_groups(cholmod_sparse& pattern, std::vector<SuiteSparse_long>& groups,
                     std::vector<SuiteSparse_long>& order, CholmodSession& session) {
  constexpr int kPatternWithoutDiagonal = -1;
  cholmod_sparse* product = cholmod_l_aat(&pattern, nullptr, 0, kPatternWithoutDiagonal, session.get());
  if (product == nullptr) return false;
  const SuiteSparse_long status =
      camd_l_order(static_cast<SuiteSparse_long>(product->nrow), static_cast<SuiteSparse_long*>(product->p),
                   static_cast<SuiteSparse_long*>(product->i), order.data(), nullptr, nullptr, groups.data());
  cholmod_l_free_sparse(&product, session.get());
  return status == CAMD_OK || status == CAMD_OK_BUT_JUMBLED;
}

/// The cliques that each vertex is in.
Cliques transposed(const Cliques& cliques) {
  Cliques found;
  found.vertices = static_cast<Index>(cliques.count());
  found.starts.assign(static_cast<std::size_t>(cliques.vertices) + 1, 0);
  for (const std::int32_t member : cliques.members) ++found.starts[static_cast<std::size_t>(member) + 1];
  std::partial_sum(found.starts.begin(), found.starts.end(), found.starts.begin());
  found.members.resize(cliques.members.size());
  std::vector<std::int64_t> next(found.starts.begin(), found.starts.end() - 1);
  for (std::size_t clique = 0; clique < cliques.count(); ++clique)
    for (const std::int32_t member : cliques.of(clique))
      found.members[static_cast<std::size_t>(next[static_cast<std::size_t>(member)]++)] =
          static_cast<std::int32_t>(clique);
  return found;
}

}  // namespace

double least_operations(const Cliques& cliques) {
  constexpr Index kSample = 64;
  if (cliques.vertices == 0) return 0.0;
  const Cliques of_vertex = transposed(cliques);
  const Index step = (cliques.vertices + kSample - 1) / kSample;
  std::vector<Index> seen_by(static_cast<std::size_t>(cliques.vertices), -1);
  double neighbours = 0.0, looked_at = 0.0;
  for (Index vertex = step / 2; vertex < cliques.vertices; vertex += step, ++looked_at)
    for (const std::int32_t clique : of_vertex.of(static_cast<std::size_t>(vertex)))
      for (const std::int32_t other : cliques.of(static_cast<std::size_t>(clique))) {
        Index& seen = seen_by[static_cast<std::size_t>(other)];
        if (other != vertex && seen != vertex) neighbours += 1.0;
        seen = vertex;
      }
  const double mean = 1.0 + 0.5 * neighbours / looked_at;  // numbers of a column
  return static_cast<double>(cliques.vertices) * mean * mean;
}

// Cliques are the columns of a matrix F; CHOLMOD looks at F F'.
std::optional<SparseOrdering> order_sparse(const Cliques& cliques, const std::vector<bool>& late) {
  SparseOrdering found;
  if (cliques.vertices == 0) return found;
  const auto size = static_cast<std::size_t>(cliques.vertices);
  std::vector<SuiteSparse_long> starts(cliques.starts.begin(), cliques.starts.end());
  std::vector<SuiteSparse_long> members(cliques.members.begin(), cliques.members.end());
  members.resize(std::max<std::size_t>(members.size(), 1));
  cholmod_sparse pattern{};
  pattern.nrow = size;
  pattern.ncol = cliques.count();
  pattern.nzmax = members.size();
  pattern.p = starts.data();
  pattern.i = members.data();
  pattern.itype = CHOLMOD_LONG;
  pattern.xtype = CHOLMOD_PATTERN;
  pattern.dtype = CHOLMOD_DOUBLE;
  pattern.packed = 1;

  CholmodSession session;
  std::vector<SuiteSparse_long> given;
  session->method[0].ordering = CHOLMOD_AMD;
  if (std::find(late.begin(), late.end(), true) != late.end()) {
    std::vector<SuiteSparse_long> groups(late.begin(), late.end());
    given.resize(size);
    if (!order_by_groups(pattern, groups, given, session)) return std::nullopt;
    session->method[0].ordering = CHOLMOD_GIVEN;
  }
  cholmod_factor* factor =
      cholmod_l_analyze_p(&pattern, given.empty() ? nullptr : given.data(), nullptr, 0, session.get());
  if (factor == nullptr) return std::nullopt;
  const auto* order = static_cast<const SuiteSparse_long*>(factor->Perm);
  const auto* counts = static_cast<const SuiteSparse_long*>(factor->ColCount);
  for (std::size_t k = 0; k < size; ++k) {
    const auto count = static_cast<double>(counts[k]);
    found.order.push_back(static_cast<std::int32_t>(order[k]));
    found.counts.push_back(static_cast<std::int32_t>(counts[k]));
    found.numbers += count;
    found.operations += count * count;
  }
  cholmod_l_free_factor(&factor, session.get());
  return found;
}

}  // namespace fcbio
