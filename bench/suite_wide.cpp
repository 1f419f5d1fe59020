// Few thousand rows and tens of thousands of columns, with kinks in both functions: the l1 norm over the mean hinge loss
// on RCV1.  The weight of the norm is 1/n, so that both values are averages.
#include <fmt/format.h>

#include "catalogue/builders.hpp"
#include "data_rows.hpp"
#include "suite_problems.hpp"

namespace fcbio::bench {
namespace {

BenchProblem rcv1_hinge(const BenchContext& context) {
  constexpr Index kRows = 5000;
  constexpr double kSide = 50.0;
  constexpr std::uint64_t kSeed = 1;
  const Rows all = read_rows(context, "rcv1sub_binary.svm.xz");
  const Index n = all.matrix.cols;
  Rows rows = select(all, catalogue::Random(kSeed).permutation(all.matrix.rows), 0, kRows);
  BenchProblem problem;
  problem.name = "rcv1-hinge-l1";
  problem.summary =
      fmt::format("|x|_1 / n over mean hinge, {} rows of RCV1, n = {}, box [-{}, {}]^n, shuffled by seed {}",
                  kRows, n, kSide, kSide, kSeed);
  problem.data = catalogue::assemble(
      catalogue::box_set(Vector::Constant(n, -kSide), Vector::Constant(n, kSide)),
      catalogue::l1_norm_term_data(Vector::Zero(n), 1.0 / static_cast<double>(n)),
      catalogue::data_term("hinge", {std::move(rows.matrix)}, std::move(rows.labels), true), Accuracy{1e-2, 1e-2});
  problem.paper_method.clear();
  problem.cases = {{{1e-2, 1e-2}, 300}, {{1e-3, 1e-3}, 0, 0.0, 5.0}};
  return problem;
}

}  // namespace

std::vector<ProblemEntry> wide_problems() { return {{"rcv1-hinge-l1", "rcv1sub_binary.svm.xz", rcv1_hinge}}; }

}  // namespace fcbio::bench
