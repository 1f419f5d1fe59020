// The discretised integral equations against the equations: A x_true against the known right side, computed by
// quadrature in the same basis; entries against quadrature of the kernel; symmetry; decay of the singular values.
#include "catalogue/integral_equations.hpp"

#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <cmath>
#include <numbers>

#include "catalogue/catalogue.hpp"
#include "naive.hpp"

namespace fcbio::catalogue {
namespace {

constexpr double kPi = std::numbers::pi;

/// Composite Simpson with 40 pieces.
template <class Integrand>
double integral(double low, double high, const Integrand& integrand) {
  constexpr int kPieces = 40;
  const double h = (high - low) / kPieces;
  double sum = 0.0;
  for (int k = 0; k < kPieces; ++k) {
    const double left = low + k * h;
    sum += h / 6.0 * (integrand(left) + 4.0 * integrand(left + 0.5 * h) + integrand(left + h));
  }
  return sum;
}

double phillips_phi(double x) { return std::abs(x) < 3.0 ? 1.0 + std::cos(kPi * x / 3.0) : 0.0; }
double phillips_right(double s) {
  const double size = std::abs(s);
  return (6.0 - size) * (1.0 + 0.5 * std::cos(kPi * s / 3.0)) + 4.5 / kPi * std::sin(kPi * size / 3.0);
}
double foxgood_right(double s) { return (std::pow(1.0 + s * s, 1.5) - s * s * s) / 3.0; }
double baart_right(double s) { return s == 0.0 ? 2.0 : 2.0 * std::sinh(s) / s; }

/// Coefficients in the box functions on n cells of [low, high].
template <class Right>
Vector galerkin(Index n, double low, double high, const Right& right) {
  const double h = (high - low) / static_cast<double>(n);
  Vector b(n);
  for (Index i = 0; i < n; ++i) {
    const double left = low + static_cast<double>(i) * h;
    b[i] = integral(left, left + h, right) / std::sqrt(h);
  }
  return b;
}

double relative_misfit(const IntegralEquation& equation, const Vector& b) {
  return (equation.matrix * equation.solution - b).norm() / b.norm();
}

TEST(IntegralEquations, KnownRightSidesAndSecondOrderConvergence) {
  const auto phillips = [](Index n) {
    return relative_misfit(phillips_equation(n), galerkin(n, -6.0, 6.0, phillips_right));
  };
  const auto baart = [](Index n) {
    return relative_misfit(baart_equation(n), galerkin(n, 0.0, 0.5 * kPi, baart_right));
  };
  const auto foxgood = [](Index n) {
    Vector b(n);
    for (Index i = 0; i < n; ++i) b[i] = foxgood_right((static_cast<double>(i) + 0.5) / static_cast<double>(n));
    return relative_misfit(foxgood_equation(n), b);
  };
  EXPECT_LT(phillips(100), 5e-3);
  EXPECT_LT(baart(100), 1e-3);
  EXPECT_LT(foxgood(100), 1e-3);
  // Halving the cells divides the error by 4.
  EXPECT_LT(phillips(200), 0.3 * phillips(100));
  EXPECT_LT(baart(200), 0.3 * baart(100));
  EXPECT_LT(foxgood(200), 0.3 * foxgood(100));
}

TEST(IntegralEquations, PhillipsEntriesAreDoubleIntegrals) {
  const Index n = 17;  // not a multiple of 4: cells straddle the ends of the kernel
  const double h = 12.0 / 17.0;
  const IntegralEquation equation = phillips_equation(n);
  EXPECT_EQ(equation.matrix, RowMajorMatrix(equation.matrix.transpose()));
  for (const Index j : {0, 1, 3, 4, 5, 16}) {
    const double distance = static_cast<double>(j) * h;
    // int int phi(s - t) = int of (h - |r|) phi(distance + r) dr
    const auto overlap = [&](double r) { return (h - std::abs(r)) * phillips_phi(distance + r); };
    const double expected = (integral(-h, 0.0, overlap) + integral(0.0, h, overlap)) / h;
    EXPECT_NEAR(equation.matrix(0, j), expected, 1e-4 * h);
  }
  EXPECT_EQ(equation.matrix(0, 16), 0.0);
}

TEST(IntegralEquations, BaartEntriesAreDoubleIntegrals) {
  const Index n = 9;  // odd: a cell has cos t = 0 in its middle
  const double step_s = 0.5 * kPi / 9.0;
  const double step_t = kPi / 9.0;
  const IntegralEquation equation = baart_equation(n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      const double s = static_cast<double>(i) * step_s;
      const double t = static_cast<double>(j) * step_t;
      const double expected = integral(t, t + step_t, [&](double tau) {
        return integral(s, s + step_s, [&](double sigma) { return std::exp(sigma * std::cos(tau)); });
      });
      EXPECT_NEAR(equation.matrix(i, j), expected / std::sqrt(step_s * step_t), 1e-4 * equation.matrix(i, j));
    }
}

TEST(IntegralEquations, SolutionsAreNonnegativeAndOfTheRightSize) {
  const Vector phillips = phillips_equation(64).solution;
  const Vector foxgood = foxgood_equation(64).solution;
  const Vector baart = baart_equation(64).solution;
  EXPECT_GE(std::min({phillips.minCoeff(), foxgood.minCoeff(), baart.minCoeff()}), 0.0);
  // |x|^2 is near the integral of u^2 (over h for the midpoint rule).
  EXPECT_NEAR(phillips.squaredNorm(), 9.0, 0.01);
  EXPECT_NEAR(baart.squaredNorm(), 0.5 * kPi, 0.001);
  EXPECT_NEAR(foxgood.squaredNorm() / 64.0, 1.0 / 3.0, 1e-4);
}

// Phillips falls like i^-3; the other two fall below rounding.
TEST(IntegralEquations, SingularValues) {
  const auto values = [](const IntegralEquation& equation) {
    return Vector(Eigen::JacobiSVD<Eigen::MatrixXd>(equation.matrix).singularValues());
  };
  const Vector phillips = values(phillips_equation(64));
  EXPECT_GT(phillips[10] / phillips[0], 1e-4);
  EXPECT_GT(phillips[63] / phillips[0], 1e-8);
  const Vector foxgood = values(foxgood_equation(32));
  EXPECT_LT(foxgood[10] / foxgood[0], 1e-7);
  EXPECT_LT(foxgood[25] / foxgood[0], 1e-14);
  const Vector baart = values(baart_equation(32));
  EXPECT_LT(baart[5] / baart[0], 1e-5);
  EXPECT_LT(baart[15] / baart[0], 1e-14);
  EXPECT_NEAR(baart[0], 3.2, 0.1);
}

TEST(IntegralEquations, TheProblemAsksForSmoothness) {
  const Instance instance = find_entry("foxgood").make({{"dimension", "12"}, {"noise", "0"}}, 1);
  const Vector x = foxgood_equation(12).solution;
  double expected = 0.5 * x.squaredNorm();
  for (Index i = 0; i + 1 < 12; ++i) expected += 0.5 * (x[i + 1] - x[i]) * (x[i + 1] - x[i]);
  EXPECT_NEAR(naive::value(instance.data.upper, x), expected, 1e-14);
  EXPECT_NEAR(naive::value(instance.data.lower, x), 0.0, 1e-28);  // without noise the truth is a minimiser
  EXPECT_LE(naive::violation(instance.data.domain, x), 0.0);
}

}  // namespace
}  // namespace fcbio::catalogue
