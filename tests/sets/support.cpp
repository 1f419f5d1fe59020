// The example sets; see support.hpp.
#include "sets/support.hpp"

namespace fcbio::test {
namespace {

std::vector<Example> make_examples() {
  Random random(11);
  const RowMajorMatrix wide = random.matrix(3, 7);
  RowMajorMatrix dependent(4, 5);
  dependent.topRows(2) = random.matrix(2, 5);
  dependent.row(2) = 2.0 * dependent.row(0) - dependent.row(1);
  dependent.row(3) = 1e4 * dependent.row(1);
  const Vector member = random.vector(5);
  const RowMajorMatrix square = random.matrix(3, 3);
  const Vector corner = random.vector(3);
  return {
      {"ball", ball(random.vector(6), 1.5)},
      {"ball in one dimension", ball(vec({-2.0}), 0.5)},
      {"ball of radius 0", ball(random.vector(3), 0.0)},
      {"box", box(vec({-1.0, 0.0, 2.0, -3.0}), vec({1.0, 0.0, 2.5, 4.0}))},
      {"box with open sides", box(vec({-kInfinity, 0.0, -kInfinity}), vec({1.0, kInfinity, kInfinity}))},
      {"simplex", simplex(8)},
      {"simplex of total 3.5", simplex(3, 3.5)},
      {"simplex in one dimension", simplex(1, 2.0)},
      {"simplex of total 0", simplex(4, 0.0)},
      {"l1 ball", l1_ball(random.vector(6), 2.0)},
      {"l1 ball in one dimension", l1_ball(vec({1.0}), 2.0)},
      {"l1 ball of radius 0", l1_ball(random.vector(2), 0.0)},
      {"nonnegative ball", nonnegative_ball(5, 2.0)},
      {"nonnegative ball in one dimension", nonnegative_ball(1, 2.0)},
      {"nonnegative ball of radius 0", nonnegative_ball(3, 0.0)},
      {"halfspace through 0", halfspace(random.vector(4), 0.0, 2.0)},
      {"halfspace that keeps most of the ball", halfspace(vec({1.0, 2.0, -1.0}), 2.0, 1.5)},
      {"halfspace beyond the ball", halfspace(vec({1.0, 1.0}), 100.0, 1.5)},
      {"cap", halfspace(vec({1.0, 2.0, -2.0}), -4.0, 2.0)},
      {"cap of one point", halfspace(vec({3.0, 4.0}), -10.0, 2.0)},
      {"halfspace in one dimension", halfspace(vec({-2.0}), -1.0, 3.0)},
      {"affine", affine_subspace(wide, wide * random.vector(7, 0.2), 3.0)},
      {"affine with dependent equations", affine_subspace(dependent, dependent * member, 4.0 * member.norm())},
      {"affine of full rank", affine_subspace(square, square * corner, 2.0 * corner.norm())},
      {"affine in one dimension", affine_subspace(RowMajorMatrix::Constant(1, 1, 2.0), vec({1.0}), 1.0)},
      {"product", product({ball(vec({1.0, 2.0}), 1.0), simplex(3), box(vec({-1.0}), vec({2.0}))})},
      {"product with an open box", product({box(vec({0.0}), vec({kInfinity})), l1_ball(vec({0.0, 0.0}), 1.0)})},
      {"whole space", whole_space(random.vector(3), std::nullopt)},
      {"ball and box",
       intersection({ball(Vector::Zero(6), 1.5), box(Vector::Constant(6, -0.2), Vector::Ones(6))})},
      {"ball and orthant",
       intersection({box(Vector::Zero(3), Vector::Constant(3, kInfinity)), ball(vec({-0.5, 0.2, 1.0}), 1.0)})},
      {"simplex, halfspace and box",
       intersection({simplex(5), halfspace(vec({1.0, -1.0, 2.0, 0.0, 0.5}), 0.1, 3.0),
                     box(Vector::Zero(5), Vector::Constant(5, 0.6))})},
      {"intersection of one", intersection({simplex(4)})},
      {"product of intersections",
       product({intersection({ball(Vector::Zero(2), 1.0), box(Vector::Zero(2), Vector::Ones(2))}), simplex(2)})},
      {"capped simplex", capped_simplex(6, 1.0, 0.3)},
      {"capped simplex of one point", capped_simplex(3, 1.5, 0.5)},
      {"box and halfspaces without balls",
       intersection({halfspace(vec({1.0, -1.0, 2.0}), 0.1), box(Vector::Constant(3, -1.0), Vector::Ones(3)),
                     halfspace(vec({0.0, 1.0, 1.0}), 0.5)})},
      {"box and equation without a ball",
       intersection(
           {affine_subspace(RowMajorMatrix{{1.0, 1.0, 1.0}}, vec({0.5})), box(Vector::Zero(3), Vector::Ones(3))})},
  };
}

}  // namespace

// Out of line, all of these: where g++ 12 sees that a vector has two entries it warns about reads that never
// happen.
Vector Random::vector(Index n, double scale) {
  Vector x(n);
  for (Index i = 0; i < n; ++i) x[i] = scale * normal();
  return x;
}

RowMajorMatrix Random::matrix(Index rows, Index cols) {
  RowMajorMatrix m(rows, cols);
  for (Index i = 0; i < rows; ++i) m.row(i) = vector(cols).transpose();
  return m;
}

Vector vec(std::initializer_list<double> numbers) {
  Vector x(static_cast<Index>(numbers.size()));
  Index i = 0;
  for (double number : numbers) x[i++] = number;
  return x;
}

const std::vector<Example>& examples() {
  static const std::vector<Example> all = make_examples();
  return all;
}

}  // namespace fcbio::test
