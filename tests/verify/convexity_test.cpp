// The checker's own proof of convexity, beside that of the solver: true, and never weaker than what the solver
// charges for.
#include "convexity.hpp"

#include <gtest/gtest.h>

#include "build/problem.hpp"
#include "checker.hpp"
#include "fcbio/fcbio.hpp"
#include "functions/quadratic_checks.hpp"
#include "known_problems.hpp"
#include "reach.hpp"
#include "samples.hpp"

namespace fcbio::verify {
namespace {

using samples::Generator;

data::Term quadratic(const RowMajorMatrix& q) { return known::quadratic(q, Vector::Zero(q.rows())); }

Real proved(const RowMajorMatrix& q) {
  const data::Term term = quadratic(q);
  return prove_concavity(TermView(term, static_cast<std::size_t>(q.rows())));
}

RowMajorMatrix integer_gram(Generator& random, Index n, Index rank) {
  RowMajorMatrix a(rank, n);
  for (Index i = 0; i < a.size(); ++i) a.data()[i] = static_cast<double>(static_cast<int>(random() % 19) - 9);
  return a.transpose() * a;
}

TEST(Convexity, TheSolverChargesAtLeastWhatTheCheckerNeeds) {
  Generator random(501);
  int charged = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const Index n = 2 + trial % 12;
    RowMajorMatrix q = integer_gram(random, n, 1 + static_cast<Index>(random() % static_cast<std::uint64_t>(n)));
    if (trial % 3 == 1) q *= 0.1;                                                 // rounds
    if (trial % 3 == 2) q = RowMajorMatrix(samples::gaussian(random, n - 1, n));  // made below
    if (trial % 3 == 2) q = RowMajorMatrix(q.transpose() * q).selfadjointView<Eigen::Lower>();
    const functions::Curvature solver = functions::prove_semidefinite(q, *dense_map(q));
    const Real checker = proved(q);
    EXPECT_LE(checker, static_cast<Real>(solver.concavity)) << n;
    if (solver.concavity > 0.0) ++charged;
  }
  EXPECT_GT(charged, 50);
}

TEST(Convexity, TheSameWhereBothFactoriseInDouble) {
  Generator random(502);
  const Index n = 520;
  const RowMajorMatrix q = integer_gram(random, n, 60);
  const double solver = functions::prove_semidefinite(q, *dense_map(q)).concavity;
  EXPECT_GT(solver, 0.0);
  EXPECT_LE(proved(q), static_cast<Real>(solver));
}

TEST(Convexity, DiagonalDominanceIsExact) {
  EXPECT_EQ(proved(RowMajorMatrix{{2, -1, -1}, {-1, 2, -1}, {-1, -1, 2}}), 0);
  EXPECT_EQ(proved(RowMajorMatrix::Zero(3, 3)), 0);
  EXPECT_EQ(proved(RowMajorMatrix{{1e-300, 0}, {0, 1e300}}), 0);
  EXPECT_EQ(proved(RowMajorMatrix{{5, 2}, {2, 1}}), 0);  // definite, not dominant: by factorisation
}

TEST(Convexity, WhatIsNotConvexIsNotProved) {
  EXPECT_EQ(proved(RowMajorMatrix{{1e12, 0}, {0, -4e-4}}), kRealInfinity);
  EXPECT_EQ(proved(RowMajorMatrix{{1, 1 + 1e-14}, {1 + 1e-14, 1}}), kRealInfinity);
  EXPECT_EQ(proved(RowMajorMatrix{{0, 1}, {1, 0}}), kRealInfinity);
  EXPECT_EQ(proved(RowMajorMatrix{{2, 1}, {0, 2}}), kRealInfinity);  // not symmetric
}

TEST(Convexity, ReachIsAtLeastTheNormOfEveryMember) {
  Generator random(503);
  for (const std::string& kind : samples::kSets) {
    for (int trial = 0; trial < 40; ++trial) {
      const Index n = 1 + trial % 5;
      const data::Set set = samples::set(random, kind, n);
      const Vector start = samples::gaussian(random, n);
      const Region region = make_region(set, samples::reals(start));
      const Real farthest = reach(region);
      for (int k = 0; k < 20; ++k) {
        const RealVector z = samples::reals(samples::member(random, set, start));
        EXPECT_LE(norm(z), farthest * (1 + 1e-12L)) << kind;
      }
    }
  }
}

/// min over the quadratic's minimisers of 1/2 |x - c|^2: singular, certified, and the certificate holds.
TEST(Convexity, SingularQuadraticsAreCertifiedAndVerified) {
  Generator random(504);
  int certified = 0;
  for (int trial = 0; trial < 12; ++trial) {
    const Index n = 3 + trial;
    data::Problem data;
    data.dimension = n;
    data.upper = {known::squared_norm(samples::gaussian(random, n))};
    data.lower = {quadratic(integer_gram(random, n, n / 2))};
    data.domain = known::box(Vector::Constant(n, -2.0), Vector::Constant(n, 2.0));
    const Problem problem = build::make_problem(data);
    const Result result = solve(problem, {.accuracy = {1e-6, 1e-6}});
    certified += result.status == Status::certified ? 1 : 0;
    EXPECT_LE(*result.certificate.lower_lower_bound, 0.0);  // g* = 0 exactly
    EXPECT_LE(result.lower_value, *result.certificate.lower_gap);
  }
  EXPECT_EQ(certified, 12);
}

}  // namespace
}  // namespace fcbio::verify
