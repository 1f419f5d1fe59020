// Smooth nonnegative solutions of noisy integral equations:
//
//     f = 1/2 |Lx|^2 + 1/2 |x|^2, L first differences,   over the minimisers of   g = 1/2 |Ax - b|^2   in [0,
//     bound]^n, b = A x_true + noise * (standard normal).
#include "catalogue/integral_equations.hpp"

#include <cmath>
#include <numbers>

#include "catalogue/builders.hpp"
#include "catalogue/portable.hpp"

namespace fcbio::catalogue {
namespace {

constexpr double kPi = std::numbers::pi;

// phi of phillips_equation, its integral from 0 and its double integral.
double phillips_integral(double x) {
  const double size = std::abs(x);
  const double value = size < 3.0 ? size + 3.0 / kPi * std::sin(kPi * size / 3.0) : 3.0;
  return x < 0.0 ? -value : value;
}

double phillips_double_integral(double x) {
  const double size = std::abs(x);
  if (size >= 3.0) return 4.5 + 18.0 / (kPi * kPi) + 3.0 * (size - 3.0);
  return 0.5 * size * size + 9.0 / (kPi * kPi) * (1.0 - std::cos(kPi * size / 3.0));
}

}  // namespace

IntegralEquation phillips_equation(Index n) {
  const double h = 12.0 / static_cast<double>(n);
  // int int phi(s - t) over two cells d apart: a second difference of the double integral.
  Vector band(n);
  for (Index d = 0; d < n; ++d) {
    const double at = static_cast<double>(d) * h;
    const double difference = at - h >= 3.0
                                  ? 0.0
                                  : phillips_double_integral(at + h) - 2.0 * phillips_double_integral(at) +
                                        phillips_double_integral(at - h);
    band[d] = difference / h;
  }
  IntegralEquation equation{RowMajorMatrix(n, n), Vector(n)};
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) equation.matrix(i, j) = band[i < j ? j - i : i - j];
    const double left = -6.0 + static_cast<double>(i) * h;
    const double integral = phillips_integral(left + h) - phillips_integral(left);
    equation.solution[i] = std::fmax(0.0, integral) / std::sqrt(h);
  }
  return equation;
}

IntegralEquation foxgood_equation(Index n) {
  const double h = 1.0 / static_cast<double>(n);
  IntegralEquation equation{RowMajorMatrix(n, n), Vector(n)};
  const auto midpoint = [h](Index i) { return (static_cast<double>(i) + 0.5) * h; };
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j)
      equation.matrix(i, j) = h * std::sqrt(midpoint(i) * midpoint(i) + midpoint(j) * midpoint(j));
    equation.solution[i] = midpoint(i);
  }
  return equation;
}

IntegralEquation baart_equation(Index n) {
  const double step_s = 0.5 * kPi / static_cast<double>(n);
  const double step_t = kPi / static_cast<double>(n);
  IntegralEquation equation{RowMajorMatrix(n, n), Vector(n)};
  for (Index i = 0; i < n; ++i) {
    const double s = static_cast<double>(i) * step_s;
    // int over cell i of exp(s c) ds
    const auto inner = [&](double t) {
      const double c = std::cos(t);
      return std::exp(s * c) * (std::abs(c) < 1e-12 ? step_s : std::expm1(step_s * c) / c);
    };
    for (Index j = 0; j < n; ++j) {
      const double t = static_cast<double>(j) * step_t;
      const double simpson = step_t / 6.0 * (inner(t) + 4.0 * inner(t + 0.5 * step_t) + inner(t + step_t));
      equation.matrix(i, j) = simpson / std::sqrt(step_s * step_t);
    }
    const double left = static_cast<double>(i) * step_t;
    equation.solution[i] = (std::cos(left) - std::cos(left + step_t)) / std::sqrt(step_t);
  }
  return equation;
}

namespace {

Instance smooth_solution(IntegralEquation equation, const Parameters& options, Random& random) {
  const Index n = options.dimension;
  Vector b = times(equation.matrix, equation.solution);
  for (double& entry : b) entry += options.noise * random.normal();

  CsrMatrix differences;
  differences.rows = n - 1;
  differences.cols = n;
  differences.starts.push_back(0);
  for (Index i = 0; i + 1 < n; ++i) {
    differences.columns.insert(differences.columns.end(),
                               {static_cast<std::int32_t>(i), static_cast<std::int32_t>(i + 1)});
    differences.values.insert(differences.values.end(), {-1.0, 1.0});
    differences.starts.push_back(static_cast<std::int64_t>(differences.values.size()));
  }
  Instance instance;
  instance.data = assemble(box_set(Vector::Zero(n), Vector::Constant(n, options.bound)),
                           data_term("least-squares", {std::move(differences)}, Vector::Zero(n - 1), false),
                           data_term("least-squares", {std::move(equation.matrix)}, std::move(b), false),
                           Accuracy{1e-6, 1e-6});
  instance.data.upper.push_back(squared_norm_term_data(Vector::Zero(n)));
  instance.data.shape = {n};
  return instance;
}

Instance phillips(const Parameters& options, Random& random) {
  return smooth_solution(phillips_equation(options.dimension), options, random);
}
Instance foxgood(const Parameters& options, Random& random) {
  return smooth_solution(foxgood_equation(options.dimension), options, random);
}
Instance baart(const Parameters& options, Random& random) {
  return smooth_solution(baart_equation(options.dimension), options, random);
}

Entry equation_entry(const char* name, const char* summary, Instance (*make)(const Parameters&, Random&)) {
  return seeded_entry(
      {name, summary, "no closed form: the certificate is the answer", "P9", "100 x 100"},
      Parameters{.dimension = 100, .noise = 1e-2, .bound = 2.0},
      ParameterTable({
          {"dimension", &Parameters::dimension, {2, 1e4}, {}, "cells of the discretisation: n"},
          {"noise", &Parameters::noise, {0, kInfinity}, {}, "standard deviation of the noise in b"},
          {"bound", &Parameters::bound, {0, kInfinity, true}, {}, "Z = [0, bound]^n"},
      }),
      make);
}

}  // namespace

std::vector<Entry> integral_equation_entries() {
  return {
      equation_entry("phillips", "smoothest nonnegative least-squares solution of Phillips' integral equation",
                     phillips),
      equation_entry(
          "foxgood",
          "smoothest nonnegative least-squares solution of Fox and Goodwin's equation (severely ill-posed)",
          foxgood),
      equation_entry(
          "baart", "smoothest nonnegative least-squares solution of Baart's equation (severely ill-posed)", baart),
  };
}

}  // namespace fcbio::catalogue
