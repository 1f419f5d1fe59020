// Nonsmooth problems with known answers, and an observer that measures the gaps of a run.
#pragma once

#include <Eigen/QR>
#include <vector>

#include "fcbio/method.hpp"
#include "fcbio/point.hpp"
#include "support/problems.hpp"

namespace fcbio::test {

/// g = mean |Q1 x - b|, f = mean |Q x - c| with Q orthogonal and Q1 its first `tied` rows.  The minimisers of g
/// have Q1 x = b, and f then asks for the rest of Qx to be c: f* = 1/n sum over the tied rows of |b_i - c_i|, g* =
/// 0. Ball of radius 2 |x*| about 0, start 0.
inline KnownProblem rotated_absolute(Index n, Index tied, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const Eigen::MatrixXd q = Eigen::HouseholderQR<Eigen::MatrixXd>(random_matrix(n, n, random)).householderQ();
  const Vector c = random_vector(n, random), b = random_vector(tied, random);
  Vector image = c;
  image.head(tied) = b;
  const Vector solution = q.transpose() * image;
  const double optimum = (b - c.head(tied)).lpNorm<1>() / static_cast<double>(n);
  Problem problem(
      (1.0 / static_cast<double>(n)) * absolute_deviation(dense_map(RowMajorMatrix(q)), c),
      (1.0 / static_cast<double>(tied)) * absolute_deviation(dense_map(RowMajorMatrix(q.topRows(tied))), b),
      ball(Vector::Zero(n), 2.0 * solution.norm()));
  return {std::move(problem), optimum, 0.0, solution};
}

struct Gaps {
  double upper, lower;
};

inline double value_at(const Problem& problem, Level level, const Vector& x) {
  PartVectors images = problem.function(level).make_images();
  problem.function(level).images(x, images);
  return problem.function(level).value(x, images);
}

inline Gaps gaps_at(const KnownProblem& known, const Vector& x) {
  return {value_at(known.problem, Level::upper, x) - known.upper_optimum,
          value_at(known.problem, Level::lower, x) - known.lower_optimum};
}

/// The gaps of what would be returned, after every iteration.
struct GapObserver final : Observer {
  const KnownProblem& known;
  std::vector<Gaps> gaps;  // gaps[k]: after k + 1 iterations
  std::vector<std::string> phases;
  explicit GapObserver(const KnownProblem& of) : known(of) {}
  bool on_progress(const Progress& progress) override {
    gaps.push_back(gaps_at(known, *progress.x));
    phases.emplace_back(progress.phase);
    return true;
  }
};

struct ObservedRun {
  Result result;
  std::vector<Gaps> gaps;
  std::vector<std::string> phases;
};

inline ObservedRun observed(const KnownProblem& known, const SolveOptions& options) {
  Monitor monitor(options.limits);
  GapObserver observer(known);
  monitor.add_observer(observer);
  Result result = solve(known.problem, options, monitor);
  return {std::move(result), std::move(observer.gaps), std::move(observer.phases)};
}

}  // namespace fcbio::test
