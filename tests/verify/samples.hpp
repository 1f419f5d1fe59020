// Random problems for the tests of the checker, and points of Z made without any of its code.
#pragma once

#include <Eigen/Dense>
#include <random>

#include "io/problem_data.hpp"
#include "real.hpp"

namespace fcbio::verify::samples {

using Generator = std::mt19937_64;

inline double uniform(Generator& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

inline Vector gaussian(Generator& random, Index n) {
  std::normal_distribution<double> normal;
  Vector v(n);
  for (double& number : v) number = normal(random);
  return v;
}

inline RowMajorMatrix gaussian(Generator& random, Index rows, Index columns) {
  RowMajorMatrix m(rows, columns);
  for (Index i = 0; i < rows; ++i) m.row(i) = gaussian(random, columns).transpose();
  return m;
}

/// The same matrix in compressed rows, zeros left out.
inline CsrMatrix compressed(const RowMajorMatrix& dense) {
  CsrMatrix sparse;
  sparse.rows = dense.rows();
  sparse.cols = dense.cols();
  sparse.starts.push_back(0);
  for (Index i = 0; i < dense.rows(); ++i) {
    for (Index j = 0; j < dense.cols(); ++j) {
      if (dense(i, j) == 0) continue;
      sparse.columns.push_back(static_cast<std::int32_t>(j));
      sparse.values.push_back(dense(i, j));
    }
    sparse.starts.push_back(static_cast<std::int64_t>(sparse.values.size()));
  }
  return sparse;
}

inline RealVector reals(const Vector& v) { return {v.begin(), v.end()}; }
inline std::vector<double> doubles(const Vector& v) { return {v.begin(), v.end()}; }

inline const std::vector<std::string> kFunctions = {
    "least-squares", "logistic", "huber",  "absolute",  "quantile",   "hinge",      "squared-hinge",
    "squared-norm",  "l1-norm",  "linear", "quadratic", "max-affine", "log-sum-exp"};

inline bool is_classifier(const std::string& function) {
  return function == "logistic" || function == "hinge" || function == "squared-hinge";
}
inline bool is_row_sum(const std::string& function) {
  return is_classifier(function) || function == "least-squares" || function == "huber" || function == "absolute" ||
         function == "quantile";
}

inline io::TermData term(Generator& random, const std::string& function, Index n, Index rows) {
  io::TermData result;
  result.function = function;
  result.weight = uniform(random, 0.1, 3.0);
  result.vector = gaussian(random, n);
  result.delta = uniform(random, 0.2, 2.0);
  result.tau = uniform(random, 0.1, 0.9);
  if (function == "quadratic") {
    const RowMajorMatrix root = gaussian(random, 2, n);
    RowMajorMatrix q = root.transpose() * root;
    q = RowMajorMatrix(0.5 * (q + q.transpose()));
    result.data = io::DataMatrix{q};
    result.constant = uniform(random, -1, 1);
  } else if (is_row_sum(function) || function == "max-affine" || function == "log-sum-exp") {
    result.average = is_row_sum(function) && uniform(random, 0, 1) < 0.5;
    const RowMajorMatrix data = gaussian(random, rows, n);
    result.data = uniform(random, 0, 1) < 0.5 ? io::DataMatrix{data} : io::DataMatrix{compressed(data)};
    result.target = gaussian(random, rows);
    if (is_classifier(function)) {
      for (double& label : result.target) label = label < 0 ? -1 : 1;
    }
  }
  return result;
}

inline std::size_t dual_size(const io::TermData& term, Index n) {
  if (term.function == "linear" || term.function == "squared-norm") return 0;
  if (term.function == "l1-norm" || term.function == "quadratic") return static_cast<std::size_t>(n);
  return static_cast<std::size_t>(term.target.size());
}

inline const std::vector<std::string> kSets = {
    "ball",      "box",    "simplex", "l1-ball",      "nonnegative-ball",
    "halfspace", "affine", "product", "intersection", "whole-space"};

inline io::SetData set(Generator& random, const std::string& kind, Index n) {
  io::SetData result;
  result.kind = kind;
  result.dimension = n;
  result.radius = uniform(random, 0.5, 3.0);
  if (kind == "ball" || kind == "l1-ball") result.center = gaussian(random, n);
  if (kind == "box") {
    const Vector a = gaussian(random, n), b = gaussian(random, n);
    result.lower = a.cwiseMin(b);
    result.upper = a.cwiseMax(b);
  }
  if (kind == "simplex") result.total = uniform(random, 0.5, 3.0);
  if (kind == "halfspace") {
    result.coefficients = gaussian(random, n);
    result.value = uniform(random, -0.8, 1.2) * *result.radius * result.coefficients.norm();
  }
  if (kind == "affine") {
    const Index rows = std::max<Index>(n / 2, 1);
    result.matrix = gaussian(random, rows, n);
    Vector inside = gaussian(random, n);
    inside *= 0.7 * *result.radius / inside.norm();
    result.values = result.matrix * inside;
  }
  if (kind == "product") {
    const Index first = std::max<Index>(n / 2, 1);
    result.sets.push_back(set(random, "ball", first));
    if (n > first) result.sets.push_back(set(random, "simplex", n - first));
  }
  if (kind == "intersection") {  // 0 is inside every member
    io::SetData ball = set(random, "ball", n), half = set(random, "halfspace", n), box = set(random, "box", n);
    ball.center *= 0.3 * *ball.radius / ball.center.norm();
    half.value = std::abs(half.value) / 3;
    box.lower = -box.lower.cwiseAbs();
    box.upper = Vector::Constant(n, kInfinity);
    result.sets = {ball, half, box};
  }
  return result;
}

inline bool contains(const io::SetData& set, const Vector& x);

/// A random point of the set.  `start` is the centre of a whole space.
inline Vector member(Generator& random, const io::SetData& set, const Vector& start) {
  const Index n = start.size();
  const double depth = uniform(random, 0, 1) < 0.3 ? 1.0 : uniform(random, 0, 1);  // often on the boundary
  const Vector direction = gaussian(random, n).normalized();
  Vector shares = gaussian(random, n).cwiseAbs2();
  if (uniform(random, 0, 1) < 0.3)
    shares = Vector::Unit(n, static_cast<Index>(random() % static_cast<std::uint64_t>(n)));
  shares /= shares.sum();
  if (set.kind == "ball") return set.center + depth * *set.radius * direction;
  if (set.kind == "whole-space") return start + depth * *set.radius * direction;
  if (set.kind == "nonnegative-ball") return depth * *set.radius * direction.cwiseAbs();
  if (set.kind == "simplex") return set.total * shares;
  if (set.kind == "l1-ball") return set.center + depth * *set.radius * shares.cwiseProduct(direction.cwiseSign());
  if (set.kind == "box") {
    Vector x(n);
    for (Index j = 0; j < n; ++j) x[j] = set.lower[j] + (set.upper[j] - set.lower[j]) * uniform(random, 0, 1);
    return x;
  }
  if (set.kind == "affine") {
    const auto solver = set.matrix.completeOrthogonalDecomposition();
    const Vector nearest = solver.solve(set.values);
    Vector along = direction - solver.solve(Vector(set.matrix * direction));
    const double room = std::sqrt(std::max(0.0, *set.radius * *set.radius - nearest.squaredNorm()));
    if (along.norm() > 1e-9) along *= depth * room / along.norm();
    return nearest + along;
  }
  if (set.kind == "halfspace") {
    Vector x = depth * *set.radius * direction;
    const Vector deepest = -*set.radius * set.coefficients.normalized();
    const double excess = set.coefficients.dot(x) - set.value, room = set.coefficients.dot(x - deepest);
    if (excess > 0) x += (excess / room) * (deepest - x);  // onto the plane, along a chord of the ball
    return x;
  }
  if (set.kind == "product") {
    Vector x(n);
    Index offset = 0;
    for (const io::SetData& part : set.sets) {
      x.segment(offset, part.dimension) = member(random, part, start.segment(offset, part.dimension));
      offset += part.dimension;
    }
    return x;
  }
  Vector x = 3.0 * direction;  // an intersection about 0: shrink until inside
  while (!contains(set, x)) x *= 0.9;
  return x;
}

inline bool contains(const io::SetData& set, const Vector& x) {
  if (set.kind == "ball") return (x - set.center).norm() <= *set.radius;
  if (set.kind == "box") return (x.array() >= set.lower.array()).all() && (x.array() <= set.upper.array()).all();
  if (set.kind == "halfspace") return set.coefficients.dot(x) <= set.value && x.norm() <= *set.radius;
  for (const io::SetData& part : set.sets) {
    if (!contains(part, x)) return false;
  }
  return true;
}

}  // namespace fcbio::verify::samples
