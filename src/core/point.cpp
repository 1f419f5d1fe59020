#include "fcbio/point.hpp"

#include "linalg/sweeps.hpp"

namespace fcbio {

Point::Point(const Problem& problem)
    : x(Vector::Zero(problem.dimension())), images{problem.upper().make_images(), problem.lower().make_images()} {}

void Point::set_combination(double a, const Point& p, double b, const Point& q) {
  blend(a, p.x, b, q.x, x);
  for (Level level : kLevels) {
    PartVectors& mine = images_of(level);
    for (std::size_t i = 0; i < mine.size(); ++i)
      blend(a, p.images_of(level)[i], b, q.images_of(level)[i], mine[i]);
  }
}

}  // namespace fcbio
