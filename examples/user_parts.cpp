// A function and a set of one's own: of all points of a disc that are nearest to a line, the one with the least
// sum of cosh.  First both are tested, then the problem is solved.
#include <cmath>
#include <cstdio>
#include <fcbio/fcbio.hpp>

int main() {
  fcbio::UserFunction f;
  f.name = "cosh";
  f.dimension = 2;
  f.evaluate = [](fcbio::VectorIn x, fcbio::Vector* gradient) {
    if (gradient != nullptr) *gradient = x.array().sinh();  // write in place, do not resize
    return x.array().cosh().sum();
  };
  f.smoothness = std::cosh(2.0);  // on the disc, which lies in [0, 2] x [-1, 1]
  f.strong_convexity = 1.0;
  f.lower_bound = 2.0;

  fcbio::UserSet disc;
  disc.name = "disc";
  disc.dimension = 2;
  disc.centre = fcbio::Vector{{1.0, 0.0}};
  disc.radius = 1.0;
  disc.project = [c = disc.centre](fcbio::VectorOut x) {
    const double distance = (x - c).norm();
    if (distance > 1.0) x = c + (x - c) / distance;
  };
  disc.support = [c = disc.centre](fcbio::VectorIn d) { return d.dot(c) + d.norm(); };  // max of <d, z>

  const fcbio::CheckReport function_report = fcbio::check_function(f, disc.centre, disc.radius);
  const fcbio::CheckReport set_report = fcbio::check_set(*fcbio::user_set(disc));
  std::printf("function: %s\nset: %s\n", function_report.in_words().c_str(), set_report.in_words().c_str());

  const fcbio::RowMajorMatrix line{{1.0, 1.0}};  // x1 + x2 = 1
  const fcbio::Problem problem(fcbio::user_function(f),
                               fcbio::least_squares(fcbio::dense_map(line), fcbio::Vector::Ones(1)),
                               fcbio::user_set(disc));
  const fcbio::Result result = fcbio::solve(problem, {.accuracy = {1e-6, 1e-6}});
  std::printf("%s\nx = (%.4f, %.4f)\n", result.message.c_str(), result.x[0], result.x[1]);
  const bool right = std::abs(result.x[0] - 0.5) < 1e-2 && std::abs(result.x[1] - 0.5) < 1e-2;
  return function_report.ok && set_report.ok && result.status == fcbio::Status::certified && right ? 0 : 1;
}
