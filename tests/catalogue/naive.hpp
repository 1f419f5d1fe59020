// The obvious slow way to evaluate a ProblemData at a point: one formula per function and set of the problem file,
// sharing nothing with the solver.
#pragma once

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "io/problem_data.hpp"

namespace fcbio::naive {

inline Eigen::MatrixXd dense(const io::DataMatrix& data) {
  if (const auto* matrix = std::get_if<RowMajorMatrix>(&data.matrix)) return *matrix;
  const auto& csr = std::get<CsrMatrix>(data.matrix);
  Eigen::MatrixXd full = Eigen::MatrixXd::Zero(csr.rows, csr.cols);
  for (Index i = 0; i < csr.rows; ++i)
    for (auto k = csr.starts[static_cast<std::size_t>(i)]; k < csr.starts[static_cast<std::size_t>(i) + 1]; ++k)
      full(i, csr.columns[static_cast<std::size_t>(k)]) += csr.values[static_cast<std::size_t>(k)];
  return full;
}

inline double value(const io::TermData& term, const Vector& x) {
  double sum = 0.0;
  if (term.function == "squared-norm") {
    sum = 0.5 * (x - term.vector).squaredNorm();
  } else if (term.function == "l1-norm") {
    sum = (x - term.vector).cwiseAbs().sum();
  } else if (term.function == "linear") {
    sum = term.vector.dot(x);
  } else if (term.function == "quadratic") {
    sum = 0.5 * x.dot(dense(*term.data) * x) + term.vector.dot(x) + term.constant;
  } else if (term.function == "max-affine") {
    sum = (dense(*term.data) * x + term.target).maxCoeff();
  } else {
    const Vector u = dense(*term.data) * x;
    for (Index i = 0; i < u.size(); ++i) {
      const double b = term.target[i];
      if (term.function == "least-squares")
        sum += 0.5 * (u[i] - b) * (u[i] - b);
      else if (term.function == "logistic")
        sum += std::log1p(std::exp(-b * u[i]));
      else if (term.function == "hinge")
        sum += std::max(0.0, 1.0 - b * u[i]);
      else
        throw std::logic_error("no naive twin of " + term.function);
    }
    if (term.average) sum /= static_cast<double>(u.size());
  }
  return term.weight * sum;
}

inline double value(const std::vector<io::TermData>& terms, const Vector& x) {
  double sum = 0.0;
  for (const io::TermData& term : terms) sum += value(term, x);
  return sum;
}

/// Largest violated inequality of the set; 0 for members.
inline double violation(const io::SetData& set, const Vector& x) {
  if (set.kind == "ball") return std::max(0.0, (x - set.center).norm() - *set.radius);
  if (set.kind == "l1-ball") return std::max(0.0, (x - set.center).cwiseAbs().sum() - *set.radius);
  if (set.kind == "box") return std::max({0.0, (set.lower - x).maxCoeff(), (x - set.upper).maxCoeff()});
  if (set.kind == "simplex") return std::max({0.0, -x.minCoeff(), std::abs(x.sum() - set.total)});
  if (set.kind == "halfspace") return std::max({0.0, set.coefficients.dot(x) - set.value, x.norm() - *set.radius});
  if (set.kind == "whole-space") return 0.0;
  if (set.kind == "intersection") {
    double worst = 0.0;
    for (const io::SetData& member : set.sets) worst = std::max(worst, violation(member, x));
    return worst;
  }
  if (set.kind == "product") {
    double worst = 0.0;
    Index first = 0;
    for (const io::SetData& member : set.sets) {
      worst = std::max(worst, violation(member, x.segment(first, member.dimension)));
      first += member.dimension;
    }
    return worst;
  }
  throw std::logic_error("no naive twin of " + set.kind);
}

}  // namespace fcbio::naive
