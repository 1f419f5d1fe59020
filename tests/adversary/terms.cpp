#include "terms.hpp"

#include <algorithm>

namespace fcbio::adversary {
namespace {

bool has_labels(const std::string& function) {
  return function == "logistic" || function == "hinge" || function == "squared-hinge";
}

void set_parameters(Dice& dice, io::TermData& term, double size) {
  if (term.function == "huber") term.delta = size * dice.power_of_ten(-2, 1);
  if (term.function == "quantile") term.tau = dice.pick({0.5, 0.1, 0.9, 0.3});
  if (dice.chance(0.4)) term.weight = dice.power_of_ten(-3, 3);
}

}  // namespace

io::TermData random_term(Dice& dice, const std::string& function, Index n, double data_scale, double point_scale) {
  io::TermData term;
  term.function = function;
  set_parameters(dice, term, data_scale * point_scale);
  if (function == "squared-norm" || function == "l1-norm") {
    term.vector = dice.chance(0.3) ? Vector::Zero(n).eval() : dice.normals(n, point_scale);
  } else if (function == "linear") {
    term.vector = dice.normals(n, data_scale);
  } else if (function == "quadratic") {
    RowMajorMatrix root(dice.integer(1, 4), n);  // small integers: Q is exact, so positive semidefinite
    for (Index i = 0; i < root.size(); ++i) root.data()[i] = dice.integer(-9, 9);
    term.data =
        io::DataMatrix{RowMajorMatrix(std::exp2(std::round(std::log2(data_scale))) * (root.transpose() * root))};
    term.vector = dice.normals(n, data_scale * point_scale);
    term.constant = dice.chance(0.5) ? 0.0 : dice.normal();
  } else {
    const Index rows = dice.integer(1, 5);
    term.data = io::DataMatrix{dice.normals(rows, n, data_scale)};
    term.target = dice.normals(rows, data_scale * point_scale);
    if (has_labels(function))
      for (double& label : term.target) label = label < 0.0 ? -1.0 : 1.0;
    term.average = !has_labels(function) ? false : dice.chance(0.3);
  }
  return term;
}

std::vector<io::TermData> random_terms(Dice& dice, Index n, double data_scale, double point_scale) {
  std::vector<io::TermData> terms;
  const int count = dice.chance(0.3) ? 2 : 1;
  for (int i = 0; i < count; ++i)
    terms.push_back(random_term(dice, kFunctions[dice.integer(0, 12)], n, data_scale, point_scale));
  return terms;
}

std::vector<io::TermData> falling_terms(Dice& dice, const Vector& c, const Exact& most) {
  constexpr const char* kFalling[] = {"linear",   "least-squares", "absolute",      "huber",      "quantile",
                                      "logistic", "hinge",         "squared-hinge", "max-affine", "log-sum-exp"};
  std::vector<io::TermData> terms;
  const int count = dice.chance(0.3) ? dice.integer(2, 3) : 1;
  const double size = std::max(std::abs(nearest_double(most)), 1e-30);
  for (int i = 0; i < count; ++i) {
    io::TermData term;
    term.function = kFalling[dice.integer(0, 9)];
    set_parameters(dice, term, size);
    if (term.function == "linear") {
      term.vector = -c;
      terms.push_back(std::move(term));
      continue;
    }
    const Index rows = dice.chance(0.3) ? dice.integer(2, 3) : 1;
    RowMajorMatrix data(rows, c.size());
    term.target = Vector::Zero(rows);
    for (Index row = 0; row < rows; ++row) {
      // A power of two times c: exactly a multiple of it.  The slope changes where `factor * <c, x>` is of size 1.
      double factor = dice.power_of_two(-2, 2);
      if (has_labels(term.function) || term.function == "log-sum-exp")
        factor *= std::exp2(-std::ceil(std::log2(size)) + (dice.chance(0.3) ? 4 : -2));
      const Exact end = Exact(factor) * most;
      const double sign = dice.sign();
      double& target = term.target[row];
      if (has_labels(term.function)) {
        while (term.function != "logistic" && Exact(factor) * most >= 1) factor /= 2;
        target = sign;
        data.row(row) = (sign * factor) * c.transpose();
      } else if (term.function == "max-affine" || term.function == "log-sum-exp") {
        target = factor * size * dice.normal();
        data.row(row) = -factor * c.transpose();
      } else {
        const double beyond =
            double_above(end) + (dice.chance(0.3) ? 0.0 : factor * size * dice.power_of_ten(-6, 1));
        target = sign * beyond;
        data.row(row) = (sign * factor) * c.transpose();
      }
    }
    term.average = dice.chance(0.2) && term.function != "max-affine" && term.function != "log-sum-exp";
    term.data = io::DataMatrix{std::move(data)};
    terms.push_back(std::move(term));
  }
  return terms;
}

}  // namespace fcbio::adversary
