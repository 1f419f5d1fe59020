// Nonsmooth problems: f = |x|_1 over the minimisers of the mean hinge loss or the mean absolute residual, and the
// Nemirovski chain (f* = 196).
//
// hinge-l1 and absolute-l1: A is 100 x 200 with normal entries of deviation 3/sqrt(200), w has 10 normal entries
// of deviation 2; labels are the signs of A w + 0.05 noise, targets A w.  Rows fit exactly, so g* = 0 and f* is
// the value of a linear program; Z is the ball of radius 2 |x*|.
#include <fmt/format.h>

#include <cmath>

#include "catalogue/builders.hpp"
#include "l1_reference.hpp"
#include "suite_problems.hpp"

namespace fcbio::bench {
namespace {

constexpr std::uint64_t kSeed = 1;
constexpr std::int64_t kMostPaperSubgradients = 400000;
constexpr std::int64_t kPassesPerSubgradient = 2;  // image and transpose
/// Step lengths of the published method; its best one counts.
const std::vector<double> kStepLengths{3e-1, 1e-1, 3e-2, 1e-2, 3e-3, 1e-3, 3e-4, 1e-4};

void use_lipschitz_method(BenchProblem& problem) {
  problem.paper_method = "fcbio-lip";
  problem.paper_options = {{"cap", "8000"}, {"lower_iterations", "20000"}, {"upper_bound_below", "0"}};
  problem.step_lengths = kStepLengths;
  problem.most_paper_passes = kPassesPerSubgradient * kMostPaperSubgradients;
}

BenchProblem random_pair(Relation relation) {
  constexpr Index kRows = 100;
  constexpr Index kColumns = 200;
  constexpr std::size_t kSupport = 10;
  const bool hinge = relation == Relation::at_least;
  catalogue::Random random(kSeed);
  RowMajorMatrix a(kRows, kColumns);
  for (Index i = 0; i < kRows; ++i)
    for (Index j = 0; j < kColumns; ++j)
      a(i, j) = 3.0 / std::sqrt(static_cast<double>(kColumns)) * random.normal();
  Vector w = Vector::Zero(kColumns);
  const std::vector<Index> order = random.permutation(kColumns);
  for (std::size_t k = 0; k < kSupport; ++k) w[order[k]] = 2.0 * random.normal();
  Vector target = a * w;
  if (hinge)
    for (double& number : target) number = number + 0.05 * random.normal() < 0.0 ? -1.0 : 1.0;

  const L1Reference reference = hinge ? smallest_l1_norm(target.asDiagonal() * a, Vector::Ones(kRows), relation)
                                      : smallest_l1_norm(a, target, relation);
  const double radius = 2.0 * reference.x.norm();
  BenchProblem problem;
  problem.name = hinge ? "hinge-l1" : "absolute-l1";
  problem.summary = fmt::format("l1 norm over mean {}, {} x {}, ball 2 |x*| = {:.4g}, seed {}",
                                hinge ? "hinge" : "absolute residual", kRows, kColumns, radius, kSeed);
  problem.data = catalogue::assemble(
      catalogue::ball_set(kColumns, radius), catalogue::l1_norm_term_data(Vector::Zero(kColumns)),
      catalogue::data_term(hinge ? "hinge" : "absolute", {std::move(a)}, target, true), Accuracy{1e-2, 1e-2});
  problem.reference = Reference{reference.value, 0.0,
                                reference.value - reference.bound + reference.violation * (1.0 + reference.value),
                                "linear program"};
  use_lipschitz_method(problem);
  const std::int64_t coarse = hinge ? 1500 : 700;
  const std::int64_t fine = hinge ? 3500 : 900;
  problem.cases = {{{1e-2, 1e-2}, kPassesPerSubgradient * coarse}, {{1e-3, 1e-3}, kPassesPerSubgradient * fine}};
  return problem;
}

BenchProblem hinge_box(const BenchContext&) {
  catalogue::Instance instance =
      catalogue::find_entry("hinge-l1").make({{"rows", "2000"}, {"columns", "500"}, {"support", "20"}}, kSeed);
  const Index n = instance.data.dimension;
  BenchProblem problem;
  problem.name = "hinge-l1-box";
  problem.summary =
      fmt::format("l1 norm over mean hinge, 2000 x {}, box [-1, 1]^n, planted answer, seed {}", n, kSeed);
  problem.data = std::move(instance.data);
  problem.data.domain = catalogue::box_set(Vector::Constant(n, -1.0), Vector::Ones(n));
  problem.reference = Reference{*instance.upper_optimum, *instance.lower_optimum, 1e-12, "planted"};
  use_lipschitz_method(problem);
  problem.cases = {{{1e-2, 1e-2}}, {{1e-3, 1e-3}}};
  return problem;
}

BenchProblem chain(const BenchContext&) {
  catalogue::Instance instance = catalogue::find_entry("nemirovski").make({}, 0);
  BenchProblem problem;
  problem.name = "nemirovski";
  problem.summary = "l1 distance to (50, ..., 50) over a bidiagonal least squares, n = 7, radius 150";
  problem.data = std::move(instance.data);
  problem.reference = Reference{*instance.upper_optimum, *instance.lower_optimum, 1e-12, "closed form"};
  use_lipschitz_method(problem);
  problem.cases = {{{1e-2, 1e-2}}, {{1e-4, 1e-4}}};
  return problem;
}

}  // namespace

std::vector<ProblemEntry> nonsmooth_problems() {
  return {{"hinge-l1", "", [](const BenchContext&) { return random_pair(Relation::at_least); }},
          {"absolute-l1", "", [](const BenchContext&) { return random_pair(Relation::equal); }},
          {"hinge-l1-box", "", hinge_box},
          {"nemirovski", "", chain}};
}

std::vector<ProblemEntry> problem_entries() {
  std::vector<ProblemEntry> all;
  for (const auto& part : {minimum_norm_problems(), logistic_problems(), regression_problems(),
                           nonsmooth_problems(), ill_posed_problems(), wide_problems(), image_problems()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace fcbio::bench
