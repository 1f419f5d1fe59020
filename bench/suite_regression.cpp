// The least-squares pair: f = 1/2 |A_v x - b_v|^2 on 214 validation rows over the minimisers of g = 1/2 |A x -
// b|^2 on 400 training rows, synthetic page views divided by their largest number, n = 729; on the box [0,
// 0.02]^n, the unit simplex and the l1 ball of radius 1; from the projection of (1/n, ..., 1/n).
#include <fmt/format.h>

#include "catalogue/builders.hpp"
#include "catalogue/page_views.hpp"
#include "suite_problems.hpp"

namespace fcbio::bench {
namespace {

constexpr Index kArticles = 1068;
constexpr Index kTraining = 400;
constexpr Index kValidation = 214;
constexpr Index kColumns = 729;
constexpr std::uint64_t kSeed = 3;

data::Set set_named(const std::string& kind) {
  if (kind == "box") return catalogue::box_set(Vector::Zero(kColumns), Vector::Constant(kColumns, 0.02));
  if (kind == "l1-ball") return catalogue::l1_ball_set(kColumns, 1.0);
  return {data::Simplex{}, kColumns};
}

BenchProblem regression_pair(const std::string& kind) {
  catalogue::Random random(kSeed);
  catalogue::PageViewRegression views = catalogue::page_view_regression(kArticles, kColumns, random);
  views.data *= 1.5;  // it comes divided by 1.5 times the largest
  views.target *= 1.5;
  const auto level = [&views](Index first, Index count) {
    return catalogue::data_term("least-squares", {RowMajorMatrix(views.data.middleRows(first, count))},
                                views.target.segment(first, count), false);
  };
  BenchProblem problem;
  problem.name = "pair-" + kind;
  problem.summary = fmt::format("least squares {} over {} rows, n = {}, {}, seed {}", kValidation, kTraining,
                                kColumns, kind, kSeed);
  problem.data = catalogue::assemble(set_named(kind), level(kTraining, kValidation), level(0, kTraining),
                                     Accuracy{1e-4, 1e-4});
  problem.data.start = Vector::Constant(kColumns, 1.0 / static_cast<double>(kColumns));
  problem.paper_options = minimum_norm_settings();
  problem.cases = {{{1e-4, 1e-4}, 150}, {{1e-6, 1e-6}, 600}};
  return problem;
}

}  // namespace

std::vector<ProblemEntry> regression_problems() {
  std::vector<ProblemEntry> entries;
  for (const char* kind : {"box", "simplex", "l1-ball"}) {
    entries.push_back(
        {std::string("pair-") + kind, "", [kind](const BenchContext&) { return regression_pair(kind); }});
  }
  return entries;
}

}  // namespace fcbio::bench
