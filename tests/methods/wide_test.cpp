// Wide sparse data with kinks in both functions, end to end: the engines that are made for them certify what they claim,
// and agree with the interior point about the value.
#include <gtest/gtest.h>

#include "fcbio/method.hpp"
#include "support/problems.hpp"

namespace fcbio {
namespace {

/// `rows` documents of about `words` words among n; the label of a document is the sign of a sparse planted point.
struct Documents {
  LinearMapPtr map;
  Vector labels;
};
Documents documents(Index rows, Index n, int words, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform;
  CsrMatrix a{rows, n, {0}, {}, {}};
  for (Index i = 0; i < rows; ++i) {
    std::vector<bool> used(static_cast<std::size_t>(n), false);
    for (int k = 0; k < words; ++k) {  // rare words are rare
      const double draw = uniform(random);
      used[static_cast<std::size_t>(draw * draw * static_cast<double>(n))] = true;
    }
    for (Index j = 0; j < n; ++j) {
      if (!used[static_cast<std::size_t>(j)]) continue;
      a.columns.push_back(static_cast<std::int32_t>(j));
      a.values.push_back(0.1 + 0.2 * uniform(random));
    }
    a.starts.push_back(a.nonzeros());
  }
  Documents made{sparse_map(std::move(a)), Vector(rows)};
  Vector planted = Vector::Zero(n);
  for (Index j = 0; j < n; j += 5) planted[j] = uniform(random) < 0.5 ? 2.0 : -2.0;
  made.map->apply(planted, made.labels);
  for (double& label : made.labels) label = label >= 0.0 ? 1.0 : -1.0;
  return made;
}

Problem hinge_problem(const ConvexSetPtr& domain, unsigned seed) {
  const Index n = domain->dimension(), rows = 200;
  Documents made = documents(rows, n, 12, seed);
  return Problem((1.0 / static_cast<double>(n)) * l1_norm(Vector::Zero(n)),
                 (1.0 / static_cast<double>(rows)) * hinge(made.map, made.labels), domain);
}

Result solve_with(const Problem& problem, const std::string& engine, double eps, std::int64_t passes) {
  SolveOptions options{.accuracy = {eps, eps}};
  options.values["engine"] = engine;
  options.limits.passes = passes;
  return solve(problem, options);
}

TEST(Wide, EnginesAgreeWithTheInteriorPoint) {
  const Index n = 1000;
  for (const ConvexSetPtr& domain :
       {box(Vector::Constant(n, -20.0), Vector::Constant(n, 20.0)), ball(Vector::Zero(n), 100.0)}) {
    const Problem problem = hinge_problem(domain, 3);
    const Result exact = solve_with(problem, "interior-point", 1e-6, 1000000000);
    ASSERT_EQ(exact.status, Status::certified) << exact.message;
    const struct {
      const char* engine;
      double eps;
      std::int64_t passes;
    } cases[] = {{"smoothed", 1e-1, 400}, {"primal-dual", 1e-1, 1000}, {"primal-dual", 1e-2, 6000}};
    for (const auto& one : cases) {
      const Result result = solve_with(problem, one.engine, one.eps, one.passes);
      ASSERT_EQ(result.status, Status::certified) << domain->name() << " " << one.engine << ": " << result.message;
      // f* is above what was proved, and below f(x) + what the slack in g buys.
      EXPECT_LE(*result.certificate.upper_lower_bound, *exact.certificate.upper_lower_bound + 1e-6 + 1e-9);
      EXPECT_LE(*result.certificate.upper_excess, one.eps);
      EXPECT_LE(*result.certificate.lower_gap, one.eps);
    }
  }
}

// 4,000 rows and 12,000 columns: no factorisation is affordable, and the choice says so by its engine.
TEST(Wide, TheAutomaticChoice) {
  const Index n = 12000;
  Documents made = documents(4000, n, 30, 5);
  const Problem problem((1.0 / static_cast<double>(n)) * l1_norm(Vector::Zero(n)),
                        (1.0 / 4000.0) * hinge(made.map, made.labels),
                        box(Vector::Constant(n, -50.0), Vector::Constant(n, 50.0)));
  SolveOptions options{.accuracy = {3e-2, 3e-2}};
  options.limits.passes = 1500;
  const Result result = solve(problem, options);
  ASSERT_EQ(result.status, Status::certified) << result.message;
  EXPECT_TRUE(result.engine.starts_with("smoothed")) << result.engine;
}

}  // namespace
}  // namespace fcbio
