// Random problems for the tests of the checker, and points of Z made without any of its code.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <concepts>
#include <random>
#include <stdexcept>

#include "core/overloaded.hpp"
#include "data/problem.hpp"
#include "real.hpp"
#include "support/kinds.hpp"

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

inline const std::vector<std::string> kFunctions = data::names_of(std::type_identity<data::FunctionKind>{});

/// Often none; else one in four is 0.
inline Vector weights(Generator& random, Index count) {
  Vector w = uniform(random, 0, 1) < 0.5 ? Vector() : Vector::Ones(count).eval();
  for (Index i = 1; i < w.size(); ++i) w[i] = uniform(random, 0, 1) < 0.25 ? 0.0 : uniform(random, 0.1, 5.0);
  return w;
}

/// Of summand i; absent weights are 1.
inline double weight_at(const Vector& weights, Index i) { return weights.size() == 0 ? 1.0 : weights[i]; }

inline data::Term term(Generator& random, const std::string& function, Index n, Index rows) {
  data::Term result;
  result.kind = test::function_called(function);
  result.weight = uniform(random, 0.1, 3.0);
  const Vector vector = gaussian(random, n);
  const double delta = uniform(random, 0.2, 2.0);
  const double tau = uniform(random, 0.1, 0.9);
  std::visit(Overloaded{
                 [&]<test::Centred Kind>(Kind& norm) {
                   norm.center = vector;
                   norm.weights = weights(random, n);
                 },
                 [&](data::Linear& linear) { linear.coefficients = vector; },
                 [&](data::Quadratic& quadratic) {
                   const RowMajorMatrix root = gaussian(random, 2, n);
                   RowMajorMatrix q = root.transpose() * root;
                   q = RowMajorMatrix(0.5 * (q + q.transpose()));
                   quadratic = {{q}, vector, uniform(random, -1, 1)};
                 },
                 [&]<test::OfRows Kind>(Kind& kind) {
                   if constexpr (test::RowSum<Kind>) {
                     kind.average = uniform(random, 0, 1) < 0.5;
                     kind.sample_weights = weights(random, rows);
                   }
                   if constexpr (std::same_as<Kind, data::Huber>) kind.delta = delta;
                   if constexpr (std::same_as<Kind, data::Quantile>) kind.tau = tau;
                   const RowMajorMatrix data = gaussian(random, rows, n);
                   kind.data = uniform(random, 0, 1) < 0.5 ? data::Matrix{data} : data::Matrix{compressed(data)};
                   kind.target = gaussian(random, rows);
                   if constexpr (test::Classifier<Kind>) {
                     for (double& label : kind.target) label = label < 0 ? -1 : 1;
                   }
                 },
             },
             result.kind);
  return result;
}

inline std::size_t dual_size(const data::Term& term, Index n) {
  const Index size = std::visit(
      Overloaded{
          [](const data::Linear&) { return Index{0}; },
          [n](const data::SquaredNorm& norm) { return data::is_absent(norm.weights, 1.0) ? Index{0} : n; },
          [n](const data::L1Norm&) { return n; },
          [n](const data::Quadratic&) { return n; },
          []<test::OfRows Kind>(const Kind& kind) { return kind.target.size(); },
      },
      term.kind);
  return static_cast<std::size_t>(size);
}

inline const std::vector<std::string> kSets = {
    "ball",           "box",          "orthant",          "polyhedron", "simplex",
    "capped-simplex", "l1-ball",      "nonnegative-ball", "halfspace",  "affine",
    "product",        "intersection", "whole-space"};
static_assert(std::variant_size_v<data::SetKind> == 13, "kSets lists all of them");

inline data::Set set(Generator& random, const std::string& name, Index n) {
  data::Set result;
  result.kind = test::set_called(name);
  result.dimension = n;
  const double radius = uniform(random, 0.5, 3.0);
  std::visit(
      Overloaded{
          [&]<test::Centred Kind>(Kind& ball) {
            ball = {radius, gaussian(random, n)};
          },
          [&](data::Box& box) {
            const Vector a = gaussian(random, n), b = gaussian(random, n);
            box = {a.cwiseMin(b), a.cwiseMax(b)};
          },
          [&](data::Orthant& orthant) { orthant.radius = radius; },
          [&](data::Polyhedron& polyhedron) {  // around middle_of()
            const Index rows = std::max<Index>(n - 1, 1);
            const RowMajorMatrix matrix = gaussian(random, rows, n);
            const Vector a = gaussian(random, n), b = gaussian(random, n);
            const Vector middle = 0.5 * (a + b), image = matrix * middle;
            polyhedron.matrix =
                uniform(random, 0, 1) < 0.5 ? data::Matrix{matrix} : data::Matrix{compressed(matrix)};
            polyhedron.row_lower = image - gaussian(random, rows).cwiseAbs();
            polyhedron.row_upper = image + gaussian(random, rows).cwiseAbs();
            for (Index i = 0; i < rows; ++i)
              if (const double fate = uniform(random, 0, 1); fate < 0.3)
                polyhedron.row_lower[i] = -kInfinity;
              else if (fate < 0.5)
                polyhedron.row_upper[i] = polyhedron.row_lower[i] = image[i];
            polyhedron.lower = a.cwiseMin(b);
            polyhedron.upper = a.cwiseMax(b);
          },
          [&](data::CappedSimplex& simplex) {
            simplex.total = uniform(random, 0.5, 3.0);
            simplex.cap = simplex.total / static_cast<double>(n) * uniform(random, 1.0, 3.0);
          },
          [&](data::Simplex& simplex) { simplex.total = uniform(random, 0.5, 3.0); },
          [&](data::NonnegativeBall& ball) { ball.radius = radius; },
          [&](data::Halfspace& half) {
            half.coefficients = gaussian(random, n);
            half.value = uniform(random, -0.8, 1.2) * radius * half.coefficients.norm();
            half.radius = radius;
          },
          [&](data::Affine& affine) {
            const Index rows = std::max<Index>(n / 2, 1);
            affine.matrix = gaussian(random, rows, n);
            Vector inside = gaussian(random, n);
            inside *= 0.7 * radius / inside.norm();
            affine.values = affine.matrix * inside;
            affine.radius = radius;
          },
          [&](data::Product& product) {
            const Index first = std::max<Index>(n / 2, 1);
            product.sets.push_back(set(random, "ball", first));
            if (n > first) product.sets.push_back(set(random, "simplex", n - first));
          },
          [&](data::Intersection& intersection) {  // 0 is inside every member
            intersection.sets = {set(random, "ball", n), set(random, "halfspace", n), set(random, "box", n)};
            auto& ball = std::get<data::Ball>(intersection.sets[0].kind);
            auto& half = std::get<data::Halfspace>(intersection.sets[1].kind);
            auto& box = std::get<data::Box>(intersection.sets[2].kind);
            ball.center *= 0.3 * ball.radius / ball.center.norm();
            half.value = std::abs(half.value) / 3;
            box.lower = -box.lower.cwiseAbs();
            box.upper = Vector::Constant(n, kInfinity);
          },
          [&](data::WholeSpace& space) { space.radius = radius; },
      },
      result.kind);
  return result;
}

inline bool contains(const data::Set& set, const Vector& x);

inline RowMajorMatrix dense_rows(const data::Matrix& matrix) {
  if (const auto* dense = std::get_if<RowMajorMatrix>(&matrix.matrix)) return *dense;
  const auto& sparse = std::get<CsrMatrix>(matrix.matrix);
  RowMajorMatrix rows = RowMajorMatrix::Zero(sparse.rows, sparse.cols);
  for (Index i = 0; i < sparse.rows; ++i)
    for (auto k = sparse.starts[static_cast<std::size_t>(i)]; k < sparse.starts[static_cast<std::size_t>(i) + 1];
         ++k)
      rows(i, sparse.columns[static_cast<std::size_t>(k)]) = sparse.values[static_cast<std::size_t>(k)];
  return rows;
}

/// The point that set() makes a polyhedron around.
inline Vector middle_of(const data::Polyhedron& polyhedron) { return 0.5 * (polyhedron.lower + polyhedron.upper); }

inline bool inside(const data::Polyhedron& polyhedron, const RowMajorMatrix& rows, const Vector& x) {
  const Vector image = rows * x;
  for (Index i = 0; i < image.size(); ++i)
    if (polyhedron.row_lower[i] != polyhedron.row_upper[i] &&
        !(image[i] >= polyhedron.row_lower[i] && image[i] <= polyhedron.row_upper[i]))
      return false;
  return (x.array() >= polyhedron.lower.array()).all() && (x.array() <= polyhedron.upper.array()).all();
}

/// A random point of the set.  `start` is the centre of a whole space.
inline Vector member(Generator& random, const data::Set& set, const Vector& start) {
  const Index n = start.size();
  const double depth = uniform(random, 0, 1) < 0.3 ? 1.0 : uniform(random, 0, 1);  // often on the boundary
  const Vector direction = gaussian(random, n).normalized();
  Vector shares = gaussian(random, n).cwiseAbs2();
  if (uniform(random, 0, 1) < 0.3)
    shares = Vector::Unit(n, static_cast<Index>(random() % static_cast<std::uint64_t>(n)));
  shares /= shares.sum();
  return std::visit(
      Overloaded{
          [&](const data::Ball& ball) -> Vector { return ball.center + depth * ball.radius * direction; },
          [&](const data::WholeSpace& space) -> Vector { return start + depth * *space.radius * direction; },
          [&](const data::NonnegativeBall& ball) -> Vector { return depth * ball.radius * direction.cwiseAbs(); },
          [&](const data::Orthant& orthant) -> Vector { return depth * *orthant.radius * direction.cwiseAbs(); },
          [&](const data::Polyhedron& polyhedron) -> Vector {
            // From the middle along the equations as far as the rows and sides go.
            const Vector middle = middle_of(polyhedron);
            const RowMajorMatrix rows = dense_rows(polyhedron.matrix);
            std::vector<Index> equations;
            for (Index i = 0; i < rows.rows(); ++i)
              if (polyhedron.row_lower[i] == polyhedron.row_upper[i]) equations.push_back(i);
            Vector along = direction;
            if (!equations.empty()) {
              const RowMajorMatrix fixed = rows(equations, Eigen::all);
              along -= fixed.completeOrthogonalDecomposition().solve(Vector(fixed * direction));
            }
            Vector x = middle + 10.0 * along;
            while ((x - middle).norm() > 1e-12 && !inside(polyhedron, rows, x)) x = middle + 0.8 * (x - middle);
            return (x - middle).norm() > 1e-9 ? x : middle;
          },
          [&](const data::CappedSimplex& simplex) -> Vector {
            const Vector even = Vector::Constant(n, simplex.total / static_cast<double>(n));
            const Vector way = simplex.total * shares - even;
            double step = 1.0;
            while ((even + step * way).maxCoeff() > simplex.cap) step *= 0.9;
            return even + step * way;
          },
          [&](const data::Simplex& simplex) -> Vector { return simplex.total * shares; },
          [&](const data::L1Ball& ball) -> Vector {
            return ball.center + depth * ball.radius * shares.cwiseProduct(direction.cwiseSign());
          },
          [&](const data::Box& box) {
            Vector x(n);
            for (Index j = 0; j < n; ++j)
              x[j] = box.lower[j] + (box.upper[j] - box.lower[j]) * uniform(random, 0, 1);
            return x;
          },
          [&](const data::Affine& affine) -> Vector {
            const auto solver = affine.matrix.completeOrthogonalDecomposition();
            const Vector nearest = solver.solve(affine.values);
            Vector along = direction - solver.solve(Vector(affine.matrix * direction));
            const double room = std::sqrt(std::max(0.0, *affine.radius * *affine.radius - nearest.squaredNorm()));
            if (along.norm() > 1e-9) along *= depth * room / along.norm();
            return nearest + along;
          },
          [&](const data::Halfspace& half) {
            Vector x = depth * *half.radius * direction;
            const Vector deepest = -*half.radius * half.coefficients.normalized();
            const double excess = half.coefficients.dot(x) - half.value, room = half.coefficients.dot(x - deepest);
            if (excess > 0) x += (excess / room) * (deepest - x);  // onto the plane, along a chord of the ball
            return x;
          },
          [&](const data::Product& product) {
            Vector x(n);
            Index offset = 0;
            for (const data::Set& part : product.sets) {
              x.segment(offset, part.dimension) = member(random, part, start.segment(offset, part.dimension));
              offset += part.dimension;
            }
            return x;
          },
          [&](const data::Intersection&) {
            Vector x = 3.0 * direction;  // an intersection about 0: shrink until inside
            while (!contains(set, x)) x *= 0.9;
            return x;
          },
      },
      set.kind);
}

/// Of the sets that set() makes intersections of.
inline bool contains(const data::Set& set, const Vector& x) {
  return std::visit(
      Overloaded{
          [&](const data::Ball& ball) { return (x - ball.center).norm() <= ball.radius; },
          [&](const data::Box& box) {
            return (x.array() >= box.lower.array()).all() && (x.array() <= box.upper.array()).all();
          },
          [&](const data::Halfspace& half) {
            return half.coefficients.dot(x) <= half.value && x.norm() <= *half.radius;
          },
          [&](const data::Intersection& intersection) {
            return std::all_of(intersection.sets.begin(), intersection.sets.end(),
                               [&](const data::Set& part) { return contains(part, x); });
          },
          [](const auto&) -> bool { throw std::logic_error("not a member of any intersection here"); },
      },
      set.kind);
}

}  // namespace fcbio::verify::samples
