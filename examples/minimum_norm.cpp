// Of all least-squares solutions of two equations in three unknowns, the shortest.
#include <cstdio>
#include <fcbio/fcbio.hpp>

int main() {
  const fcbio::RowMajorMatrix a{{1.0, 2.0, 0.0}, {0.0, 1.0, -1.0}};
  const fcbio::Vector b{{1.0, 2.0}};

  const fcbio::Problem problem(fcbio::squared_norm(fcbio::Vector::Zero(3)),     // upper: f
                               fcbio::least_squares(fcbio::dense_map(a), b),    // lower: g
                               fcbio::ball(fcbio::Vector::Zero(3), 10.0));      // domain: Z
  const fcbio::Result result = fcbio::solve(problem, {.accuracy = {1e-6, 1e-6}});

  std::printf("%s\nx = (%.4f, %.4f, %.4f)\n", result.message.c_str(), result.x[0], result.x[1], result.x[2]);
  std::printf("f(x) - f* <= %.2g, g(x) - g* <= %.2g\n", *result.certificate.upper_excess,
              *result.certificate.lower_gap);
  return result.status == fcbio::Status::certified ? 0 : 1;
}
