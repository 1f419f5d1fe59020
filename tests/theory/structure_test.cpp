// What structure buys: the chain of Theorem 4.1 written as least squares on rows of data,
//     g = 1/8 |B x - b|^2,  B the differences of neighbours (0 at both ends), b = R e_1   (g* = R^2 / (8 (2T+1))).
// A factorisation sees all of B at once, so the engine that uses one is not zero-respecting: f moves in its first
// step.  Quasi-Newton asks for gradients like everybody else and needs its T.
#include <gtest/gtest.h>

#include "fcbio/method.hpp"

namespace fcbio {
namespace {

Problem chain_on_rows(Index queries) {
  const Index q = 2 * queries;
  RowMajorMatrix differences = RowMajorMatrix::Zero(q + 1, q), half = RowMajorMatrix::Zero(queries, q);
  for (Index i = 0; i < q; ++i) differences(i, i) = -1.0, differences(i + 1, i) = 1.0;
  half.rightCols(queries).setIdentity();
  Vector target = Vector::Zero(q + 1);
  target[0] = -1.0 / std::sqrt(static_cast<double>(q));
  return Problem(least_squares(dense_map(half), Vector::Zero(queries)),
                 0.25 * least_squares(dense_map(differences), target), ball(Vector::Zero(q), 1.0));
}

/// The first iteration that shows a point with f(x) != 0.
class FirstMove : public Observer {
 public:
  bool on_progress(const Progress& progress) override {
    if (iteration == 0 && !progress.x->tail(progress.x->size() / 2).isZero(0.0))
      iteration = progress.work->iterations;
    return true;
  }
  std::int64_t iteration = 0;
};

std::int64_t first_move(Index queries, const std::string& engine) {
  const Problem problem = chain_on_rows(queries);
  FirstMove moved;
  Monitor monitor;
  monitor.add_observer(moved);
  const Result result = solve(problem, {.values = {{"engine", engine}}, .accuracy = {1e-6, 1e-10}}, monitor);
  const auto t = static_cast<double>(queries);
  EXPECT_EQ(result.status, Status::certified) << result.message;
  EXPECT_LE(result.upper_value, (t + 1.0) / (24.0 * (2.0 * t + 1.0)) + 1e-6);
  EXPECT_GT(result.upper_value, 0.02);
  EXPECT_LE(result.lower_value, 1.0 / (16.0 * t * (2.0 * t + 1.0)) + 1e-10);
  return moved.iteration;
}

TEST(Structure, AFactorisationIsNotZeroRespecting) {
  EXPECT_EQ(first_move(100, "newton"), 1);
  EXPECT_FALSE(find_method("fcbio").zero_respecting);  // and says so
}

TEST(Structure, QuasiNewtonNeedsItsQueries) { EXPECT_GE(first_move(100, "quasi-newton"), 100); }

}  // namespace
}  // namespace fcbio
