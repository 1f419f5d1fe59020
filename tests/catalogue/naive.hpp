// The obvious slow way to evaluate a data::Problem at a point: one formula per function and set of the problem
// file, sharing nothing with the solver.
#pragma once

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "core/overloaded.hpp"
#include "data/problem.hpp"

namespace fcbio::naive {

inline Eigen::MatrixXd dense(const data::Matrix& data) {
  if (const auto* matrix = std::get_if<RowMajorMatrix>(&data.matrix)) return *matrix;
  const auto& csr = std::get<CsrMatrix>(data.matrix);
  Eigen::MatrixXd full = Eigen::MatrixXd::Zero(csr.rows, csr.cols);
  for (Index i = 0; i < csr.rows; ++i)
    for (auto k = csr.starts[static_cast<std::size_t>(i)]; k < csr.starts[static_cast<std::size_t>(i) + 1]; ++k)
      full(i, csr.columns[static_cast<std::size_t>(k)]) += csr.values[static_cast<std::size_t>(k)];
  return full;
}

inline double row_value(const data::LeastSquares&, double u, double b) { return 0.5 * (u - b) * (u - b); }
inline double row_value(const data::Logistic&, double u, double b) { return std::log1p(std::exp(-b * u)); }
inline double row_value(const data::Hinge&, double u, double b) { return std::max(0.0, 1.0 - b * u); }

/// Functions and sets that no entry of the catalogue is made of.
struct NoTwin {
  template <class Kind>
  double operator()(const Kind&) const {
    throw std::logic_error("no naive twin of " + std::string(data::Descriptor<Kind>::name));
  }
};

inline double value(const data::Term& term, const Vector& x) {
  const auto over_rows = [&](const auto& kind) {
    const Vector u = dense(kind.data) * x;
    double sum = 0.0;
    for (Index i = 0; i < u.size(); ++i) sum += row_value(kind, u[i], kind.target[i]);
    return kind.average ? sum / static_cast<double>(u.size()) : sum;
  };
  const double unweighted = std::visit(
      Overloaded{
          [&](const data::SquaredNorm& norm) { return 0.5 * (x - norm.center).squaredNorm(); },
          [&](const data::L1Norm& norm) { return (x - norm.center).cwiseAbs().sum(); },
          [&](const data::Linear& linear) { return linear.coefficients.dot(x); },
          [&](const data::Quadratic& quadratic) {
            return 0.5 * x.dot(dense(quadratic.matrix) * x) + quadratic.coefficients.dot(x) + quadratic.constant;
          },
          [&](const data::MaxAffine& pieces) { return (dense(pieces.data) * x + pieces.target).maxCoeff(); },
          [&](const data::LeastSquares& squares) { return over_rows(squares); },
          [&](const data::Logistic& logistic) { return over_rows(logistic); },
          [&](const data::Hinge& hinge) { return over_rows(hinge); },
          NoTwin{},
      },
      term.kind);
  return term.weight * unweighted;
}

inline double value(const std::vector<data::Term>& terms, const Vector& x) {
  double sum = 0.0;
  for (const data::Term& term : terms) sum += value(term, x);
  return sum;
}

/// Largest violated inequality of the set; 0 for members.
inline double violation(const data::Set& set, const Vector& x) {
  return std::visit(
      Overloaded{
          [&](const data::Ball& ball) { return std::max(0.0, (x - ball.center).norm() - ball.radius); },
          [&](const data::L1Ball& ball) {
            return std::max(0.0, (x - ball.center).cwiseAbs().sum() - ball.radius);
          },
          [&](const data::Box& box) {
            return std::max({0.0, (box.lower - x).maxCoeff(), (x - box.upper).maxCoeff()});
          },
          [&](const data::Simplex& simplex) {
            return std::max({0.0, -x.minCoeff(), std::abs(x.sum() - simplex.total)});
          },
          [&](const data::Halfspace& half) {
            return std::max({0.0, half.coefficients.dot(x) - half.value, x.norm() - half.radius.value_or(kInfinity)});
          },
          [](const data::WholeSpace&) { return 0.0; },
          [&](const data::Intersection& intersection) {
            double worst = 0.0;
            for (const data::Set& member : intersection.sets) worst = std::max(worst, violation(member, x));
            return worst;
          },
          [&](const data::Product& product) {
            double worst = 0.0;
            Index first = 0;
            for (const data::Set& member : product.sets) {
              worst = std::max(worst, violation(member, x.segment(first, member.dimension)));
              first += member.dimension;
            }
            return worst;
          },
          NoTwin{},
      },
      set.kind);
}

/// The rows of the data of the only term of a level.
inline Eigen::MatrixXd rows(const std::vector<data::Term>& level) { return dense(*data::rows_of(level.front())); }

}  // namespace fcbio::naive
