// Ill-posed least squares: the smoothest solution of Phillips' integral equation, see catalogue/integral_equations.cpp.
#include <fmt/format.h>

#include "catalogue/builders.hpp"
#include "suite_problems.hpp"

namespace fcbio::bench {
namespace {

BenchProblem phillips(Index n, std::vector<AccuracyCase> cases) {
  constexpr std::uint64_t kSeed = 1;
  BenchProblem problem;
  problem.name = fmt::format("phillips-{}", n);
  problem.summary = fmt::format(
      "differences and squared norm over least squares, Phillips' equation, n = {}, box, seed {}", n, kSeed);
  problem.data = catalogue::find_entry("phillips").make({{"dimension", fmt::format("{}", n)}}, kSeed).data;
  problem.paper_options = minimum_norm_settings();
  problem.cases = std::move(cases);
  return problem;
}

}  // namespace

std::vector<ProblemEntry> ill_posed_problems() {
  return {{"phillips-1000", "",
           [](const BenchContext&) {
             return phillips(1000, {{{1e-6, 1e-6}, 800}, {{1e-9, 1e-9}}});
           }},
          {"phillips-3000", "", [](const BenchContext&) {
             return phillips(3000, {{{1e-6, 1e-6}}, {{1e-9, 1e-9}}});
           }}};
}

}  // namespace fcbio::bench
