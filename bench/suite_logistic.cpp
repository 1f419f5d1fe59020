// Logistic problems on real data: validation over training (RCV1, a9a), and minimum norm (a9a, a1a,
// colon-cancer).
#include <fmt/format.h>

#include "catalogue/builders.hpp"
#include "catalogue/categories.hpp"
#include "data_rows.hpp"
#include "suite_problems.hpp"

namespace fcbio::bench {
namespace {

constexpr std::uint64_t kSeed = 1;

data::Term mean_logistic(Rows rows) { return mean_loss("logistic", std::move(rows)); }

BenchProblem rcv1(const BenchContext& context) {
  constexpr Index kEach = 5000;
  constexpr double kRadius = 300.0;
  const Rows all = read_rows(context, "rcv1sub_binary.svm.xz");
  const std::vector<Index> order = catalogue::Random(kSeed).permutation(all.matrix.rows);
  BenchProblem problem;
  problem.name = "rcv1";
  problem.summary = fmt::format(
      "RCV1-v2 subsets: mean logistic on {} validation rows over {} training rows, n = {}, ball {}, shuffled by "
      "seed {}",
      kEach, kEach, all.matrix.cols, kRadius, kSeed);
  problem.data = catalogue::assemble(catalogue::ball_set(all.matrix.cols, kRadius),
                                     mean_logistic(select(all, order, kEach, kEach)),
                                     mean_logistic(select(all, order, 0, kEach)), Accuracy{1e-3, 1e-3});
  problem.paper_options = logistic_settings();
  problem.cases = {{{1e-3, 1e-3}, 180, 20.0}, {{1e-6, 1e-6}, 600}};
  return problem;
}

/// Minimum-norm logistic regression on the first 1000 rows, an intercept appended, in the l1 ball of radius 10, as
/// in the published experiments of Bisec-BiO.  All features are 0 or 1 (min-max scaling changes nothing).
BenchProblem a1a(const BenchContext& context) {
  constexpr Index kRows = 1000;
  const Rows all = read_rows(context, "a1a.t.xz");
  std::vector<Index> order(static_cast<std::size_t>(kRows));
  for (Index i = 0; i < kRows; ++i) order[static_cast<std::size_t>(i)] = i;
  Rows rows = select(all, order, 0, kRows);
  const Index n = all.matrix.cols + 1;
  CsrMatrix with_ones;
  with_ones.rows = kRows;
  with_ones.cols = n;
  with_ones.starts.push_back(0);
  for (std::size_t row = 0; row < static_cast<std::size_t>(kRows); ++row) {
    for (auto k = static_cast<std::size_t>(rows.matrix.starts[row]);
         k < static_cast<std::size_t>(rows.matrix.starts[row + 1]); ++k) {
      with_ones.columns.push_back(rows.matrix.columns[k]);
      with_ones.values.push_back(rows.matrix.values[k]);
    }
    with_ones.columns.push_back(static_cast<std::int32_t>(n - 1));
    with_ones.values.push_back(1.0);
    with_ones.starts.push_back(static_cast<std::int64_t>(with_ones.values.size()));
  }
  rows.matrix = std::move(with_ones);

  BenchProblem problem;
  problem.name = "a1a";
  problem.summary = fmt::format("squared norm over mean logistic, {} x {}, l1 ball 10, published start", kRows, n);
  problem.data =
      catalogue::assemble(catalogue::l1_ball_set(n, 10.0), catalogue::squared_norm_term_data(Vector::Zero(n)),
                          mean_logistic(std::move(rows)), Accuracy{1e-5, 1e-6});
  problem.data.start = catalogue::numpy_uniform(123456, n);
  problem.reference = Reference{4.9417535, 0.327942572541973, 1e-6, "measured, penalty extrapolated"};
  problem.paper_options = minimum_norm_settings();
  problem.cases = {{{1e-3, 1e-4}}, {{1e-5, 1e-6}, 600, 0.0, 0.1}};
  return problem;
}

/// Validation on a9a.t over training on a9a: many more rows than columns.
BenchProblem a9a_pair(const BenchContext& context) {
  constexpr Index kColumns = 123;
  constexpr double kRadius = 300.0;
  Rows training = widened(read_rows(context, "a9a.xz"), kColumns);
  Rows validation = widened(read_rows(context, "a9a.t.xz"), kColumns);
  BenchProblem problem;
  problem.name = "a9a-pair";
  problem.summary = fmt::format("mean logistic on {} validation rows over {} training rows, n = {}, ball {}",
                                validation.matrix.rows, training.matrix.rows, kColumns, kRadius);
  problem.data = catalogue::assemble(catalogue::ball_set(kColumns, kRadius), mean_logistic(std::move(validation)),
                                     mean_logistic(std::move(training)), Accuracy{1e-3, 1e-3});
  problem.paper_options = logistic_settings();
  problem.cases = {{{1e-3, 1e-3}, 70}, {{1e-6, 1e-6}, 110}, {{1e-9, 1e-9}, 220}};
  return problem;
}

BenchProblem norm_over_logistic(const std::string& name, Rows rows, double radius, Accuracy accuracy,
                                std::vector<AccuracyCase> cases) {
  const Index n = rows.matrix.cols;
  BenchProblem problem;
  problem.name = name;
  problem.summary = fmt::format("squared norm over mean logistic, {} x {}, ball {}", rows.matrix.rows, n, radius);
  problem.data =
      catalogue::assemble(catalogue::ball_set(n, radius), catalogue::squared_norm_term_data(Vector::Zero(n)),
                          mean_logistic(std::move(rows)), accuracy);
  problem.paper_options = minimum_norm_settings();
  problem.cases = std::move(cases);
  return problem;
}

BenchProblem a9a_norm(const BenchContext& context) {
  return norm_over_logistic("a9a-norm", read_rows(context, "a9a.xz"), 100.0, {1e-3, 1e-3}, {{{1e-3, 1e-3}, 120}});
}

BenchProblem colon_cancer(const BenchContext& context) {
  return norm_over_logistic("colon-cancer", read_rows(context, "colon-cancer.svm.xz"), 10.0, {1e-4, 1e-4},
                            {{{1e-3, 1e-3}}, {{1e-6, 1e-6}}});
}

}  // namespace

OptionValues minimum_norm_settings() {
  return {{"alpha0", "0.5"}, {"cap", "8000"}, {"lower_iterations", "15000"}, {"upper_bound_below", "0"}};
}

OptionValues logistic_settings() {
  return {{"alpha0", "0.5"}, {"cap", "500"}, {"lower_iterations", "1000"}, {"upper_bound_below", "0"}};
}

std::vector<ProblemEntry> logistic_problems() {
  return {{"rcv1", "rcv1sub_binary.svm.xz", rcv1},
          {"a9a-pair", "a9a.t.xz", a9a_pair},
          {"a9a-norm", "a9a.xz", a9a_norm},
          {"a1a", "a1a.t.xz", a1a},
          {"colon-cancer", "colon-cancer.svm.xz", colon_cancer}};
}

}  // namespace fcbio::bench
