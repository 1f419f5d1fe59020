// Problems with known answers, made in memory.  Each says its optimum.
#pragma once

#include <cmath>
#include <random>

#include "fcbio/problem.hpp"

namespace fcbio::test {

inline Vector random_vector(Index n, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  return Vector::NullaryExpr(n, [&] { return normal(random); });
}

inline Eigen::MatrixXd random_matrix(Index rows, Index cols, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  return Eigen::MatrixXd::NullaryExpr(rows, cols, [&] { return normal(random); });
}

struct KnownProblem {
  Problem problem;
  double upper_optimum;  // f*
  double lower_optimum;  // g*
  Vector solution;       // x*; empty when not unique or not known
};

/// min 1/2|x|^2 over the least-squares solutions of Ax = b, ball of radius 2 about 0.  Singular values fall
/// geometrically from 3 to 3/condition.  x* = A+ b with |x*| = 1, f* = 1/2, g* = 0.
KnownProblem minimum_norm(Index rows, Index cols, double condition, std::uint64_t seed);

/// The Gaussian problem: A 400 x 729 with N(0, 1/729) entries, |b| from a unit vector, ball 2, unit random start.
KnownProblem gaussian_minimum_norm(std::uint64_t seed);

/// As minimum_norm, but the ball of radius `radius` < |A+ b| = 1 cuts the solution off, so that g* > 0 and the
/// lower solution is unique: x* solves min |Ax - b| over the ball, found by the secular equation in the SVD.
KnownProblem cut_off_minimum_norm(Index rows, Index cols, double condition, double radius, std::uint64_t seed);

/// g = c'x over the unit simplex, c smallest (with ties) on the first `ties` coordinates; f = 1/2|x - centre|^2.
/// x* = projection of the centre on that face.
KnownProblem simplex_face(Index n, Index ties, std::uint64_t seed);

/// g = c'x over the box [-1, 1]^n with c = 0 on every other coordinate; f = 1/2|x - centre|^2.
KnownProblem box_face(Index n, std::uint64_t seed);

/// P6: f = x1^2/2 - x1/2 + x2/10, g = -(x1 + x2), {x1 + x2 <= 1, 4 x1 + 6 x2 <= 5, x >= 0}.
/// x* = (0.6, 0.4), f* = -0.08, g* = -1.
KnownProblem toy_polygon();

/// P16.  FrankeEtal2018 Ex 5.11: x* = (1, -1, 0), f* = 3, g* = 0.
KnownProblem franke_5_11();
/// FrankeEtal2018 Ex 5.3: x* = (1, 0), f* = 1, g* = 1.
KnownProblem franke_5_3();
/// MitsosBarton Ex 3.1: x* = 1, f* = 1, g* = -1.
KnownProblem mitsos_barton_3_1();

/// Least squares above least squares on a product of two balls, which Newton's method does not take.
Problem pair_on_product(double condition);

}  // namespace fcbio::test
