#include "support/problems.hpp"

#include <Eigen/QR>
#include <Eigen/SVD>

namespace fcbio::test {
namespace {

Eigen::MatrixXd random_orthonormal(Index rows, Index cols, std::mt19937_64& random) {
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(random_matrix(rows, cols, random));
  return qr.householderQ() * Eigen::MatrixXd::Identity(rows, cols);
}

Eigen::MatrixXd matrix_of_condition(Index rows, Index cols, double condition, std::mt19937_64& random) {
  const Eigen::MatrixXd left = random_orthonormal(rows, rows, random);
  const Eigen::MatrixXd right = random_orthonormal(cols, rows, random);
  Vector singular(rows);
  for (Index i = 0; i < rows; ++i)
    singular[i] =
        3.0 * std::pow(condition, -static_cast<double>(i) / static_cast<double>(std::max<Index>(1, rows - 1)));
  return left * singular.asDiagonal() * right.transpose();
}

Vector unit_row_space_vector(const Eigen::MatrixXd& a, std::mt19937_64& random) {
  Vector x = a.transpose() * a.transpose().colPivHouseholderQr().solve(random_vector(a.cols(), random));
  return x / x.norm();
}

Vector unit(Vector v) { return v / v.norm(); }

double sorted_simplex_threshold(Vector v, double total) {  // naive: sort and scan
  std::sort(v.begin(), v.end(), std::greater<>());
  double sum = 0.0, threshold = 0.0;
  for (Index i = 0; i < v.size(); ++i) {
    sum += v[i];
    const double candidate = (sum - total) / static_cast<double>(i + 1);
    if (v[i] > candidate) threshold = candidate;
  }
  return threshold;
}

}  // namespace

KnownProblem minimum_norm(Index rows, Index cols, double condition, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const Eigen::MatrixXd a = matrix_of_condition(rows, cols, condition, random);
  const Vector solution = unit_row_space_vector(a, random);
  const Vector b = a * solution;
  const Vector start = unit(random_vector(cols, random));
  return {Problem(squared_norm(Vector::Zero(cols)), least_squares(dense_map(RowMajorMatrix(a)), b),
                  ball(Vector::Zero(cols), 2.0), start),
          0.5, 0.0, solution};
}

KnownProblem gaussian_minimum_norm(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const Eigen::MatrixXd a = random_matrix(400, 729, random) / 27.0;
  const Vector b = a * unit(random_vector(729, random));
  const Vector solution = a.transpose() * (a * a.transpose()).ldlt().solve(b);
  const Vector start = unit(random_vector(729, random));
  return {Problem(squared_norm(Vector::Zero(729)), least_squares(dense_map(RowMajorMatrix(a)), b),
                  ball(Vector::Zero(729), 2.0), start),
          0.5 * solution.squaredNorm(), 0.0, solution};
}

KnownProblem cut_off_minimum_norm(Index rows, Index cols, double condition, double radius, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const Eigen::MatrixXd a = matrix_of_condition(rows, cols, condition, random);
  const Vector b = a * unit_row_space_vector(a, random);
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(a, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const Vector s = svd.singularValues(), ub = svd.matrixU().transpose() * b;
  const auto coefficients = [&](double nu) -> Vector {  // V'x(nu), x(nu) = argmin |Ax-b|^2/2 + nu |x|^2/2
    return (s.array() * ub.array() / (s.array().square() + nu)).matrix();
  };
  double low = 0.0, high = 1.0;
  while (coefficients(high).norm() > radius) high *= 2.0;
  for (int i = 0; i < 200; ++i)
    (coefficients(0.5 * (low + high)).norm() > radius ? low : high) = 0.5 * (low + high);
  const Vector solution = svd.matrixV() * coefficients(high);
  return {Problem(squared_norm(Vector::Zero(cols)), least_squares(dense_map(RowMajorMatrix(a)), b),
                  ball(Vector::Zero(cols), radius), Vector::Zero(cols)),
          0.5 * solution.squaredNorm(), 0.5 * (a * solution - b).squaredNorm(), solution};
}

KnownProblem simplex_face(Index n, Index ties, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Vector cost = (random_vector(n, random).array().abs() + 0.5).matrix();
  cost.head(ties).setConstant(0.25);
  const Vector centre = random_vector(n, random);
  const double threshold = sorted_simplex_threshold(centre.head(ties), 1.0);
  Vector solution = Vector::Zero(n);
  solution.head(ties) = (centre.head(ties).array() - threshold).max(0.0);
  return {Problem(squared_norm(centre), linear(cost), simplex(n, 1.0)), 0.5 * (solution - centre).squaredNorm(),
          0.25, solution};
}

KnownProblem box_face(Index n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Vector cost = random_vector(n, random);
  for (Index j = 0; j < n; j += 2) cost[j] = 0.0;
  const Vector centre = 2.0 * random_vector(n, random);
  Vector solution(n);
  for (Index j = 0; j < n; ++j)
    solution[j] = cost[j] == 0.0 ? std::clamp(centre[j], -1.0, 1.0) : (cost[j] > 0.0 ? -1.0 : 1.0);
  return {Problem(squared_norm(centre), linear(cost), box(Vector::Constant(n, -1.0), Vector::Constant(n, 1.0))),
          0.5 * (solution - centre).squaredNorm(), cost.dot(solution), solution};
}

KnownProblem toy_polygon() {
  RowMajorMatrix q = RowMajorMatrix::Zero(2, 2);
  q(0, 0) = 1.0;
  const ConvexSetPtr domain =
      intersection({halfspace(Vector{{1.0, 1.0}}, 1.0, 10.0), halfspace(Vector{{4.0, 6.0}}, 5.0, 10.0),
                    box(Vector::Zero(2), Vector::Constant(2, 2.0))});
  return {Problem(quadratic(q, Vector{{-0.5, 0.1}}), linear(Vector{{-1.0, -1.0}}), domain), -0.08, -1.0,
          Vector{{0.6, 0.4}}};
}

KnownProblem franke_5_11() {
  // y1 >= |y2|, y3 >= 0 as halfspaces with a radius that holds the solution.
  const ConvexSetPtr domain = intersection({halfspace(Vector{{-1.0, 1.0, 0.0}}, 0.0, 10.0),
                                            halfspace(Vector{{-1.0, -1.0, 0.0}}, 0.0, 10.0),
                                            halfspace(Vector{{0.0, 0.0, -1.0}}, 0.0, 10.0)});
  return {Problem(squared_norm(Vector{{2.0, 0.0, 2.0}}), linear(Vector::Ones(3)), domain), 3.0, 0.0,
          Vector{{1.0, -1.0, 0.0}}};
}

KnownProblem franke_5_3() {
  // f = y1^2 + y2^2, g = (y1 - 2)^2 over [0, 1]^2
  RowMajorMatrix q = RowMajorMatrix::Zero(2, 2);
  q(0, 0) = 2.0;
  return {Problem(2.0 * squared_norm(Vector::Zero(2)), quadratic(q, Vector{{-4.0, 0.0}}, 4.0),
                  box(Vector::Zero(2), Vector::Ones(2))),
          1.0, 1.0, Vector{{1.0, 0.0}}};
}

KnownProblem mitsos_barton_3_1() {
  return {Problem(linear(Vector::Ones(1)), linear(-Vector::Ones(1)), box(-Vector::Ones(1), Vector::Ones(1))), 1.0,
          -1.0, Vector::Ones(1)};
}

Problem pair_on_product(double condition) {
  const Index rows = 90, n = 60;
  std::mt19937_64 random(11);
  const auto half = [&] {
    RowMajorMatrix data = random_matrix(rows, n, random);
    for (Index j = 0; j < n; ++j)
      data.col(j) *= std::pow(condition, -static_cast<double>(j) / static_cast<double>(n - 1));
    return least_squares(dense_map(std::move(data)), random_vector(rows, random));
  };
  Function upper = half(), lower = half();
  return Problem(std::move(upper), std::move(lower),
                 product({ball(Vector::Ones(n / 2), 1.0), ball(Vector::Zero(n / 2), 1.0)}));
}

}  // namespace fcbio::test
