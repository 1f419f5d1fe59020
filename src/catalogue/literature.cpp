// Tiny problems from the literature whose answer can be checked with a pencil.  All are fixed: no seed.
#include "catalogue/builders.hpp"

namespace fcbio::catalogue {
namespace {

Instance solved(data::Problem data, Vector x, double upper_optimum, double lower_optimum) {
  return {std::move(data), upper_optimum, lower_optimum, std::move(x)};
}

data::Set intersection_of(std::vector<data::Set> members) {
  const Index dimension = members.front().dimension;
  return {data::Intersection{std::move(members)}, dimension};
}

// On x1 + x2 = 1 (where g is least) f is x1^2/2 - 0.6 x1 + 0.1, least at x1 = 0.6; there 4 x1 + 6 x2 = 4.8 < 5.
Instance toy_polygon(const Parameters&) {
  const RowMajorMatrix q{{1.0, 0.0}, {0.0, 0.0}};
  data::Set domain =
      intersection_of({box_set(Vector::Zero(2), Vector::Ones(2)), halfspace_set(Vector{{1.0, 1.0}}, 1.0, 2.0),
                       halfspace_set(Vector{{4.0, 6.0}}, 5.0, 2.0)});
  return solved(assemble(std::move(domain), quadratic_term_data(q, Vector{{-0.5, 0.1}}, 0.0),
                         linear_term_data(Vector{{-1.0, -1.0}}), kUsualAccuracy),
                Vector{{0.6, 0.4}}, -0.08, -1.0);
}

// g = y1 + y2 + y3 >= 0 with equality on y2 = -y1, y3 = 0, where f = ((y1 - 2)^2 + y1^2 + 4)/2 is least at y1 = 1.
Instance franke_5_11(const Parameters&) {
  constexpr double kBound = 10.0;  // the source's set is a cone; f keeps every solution well inside this bound
  data::Set domain = intersection_of({box_set(Vector{{0.0, -kBound, 0.0}}, Vector::Constant(3, kBound)),
                                      halfspace_set(Vector{{-1.0, 1.0, 0.0}}, 0.0, kBound),     // y1 >= y2
                                      halfspace_set(Vector{{-1.0, -1.0, 0.0}}, 0.0, kBound)});  // y1 >= -y2
  return solved(assemble(std::move(domain), squared_norm_term_data(Vector{{2.0, 0.0, 2.0}}),
                         linear_term_data(Vector::Ones(3)), kUsualAccuracy),
                Vector{{1.0, -1.0, 0.0}}, 3.0, 0.0);
}

// (y1 - 2)^2 on [0, 1]^2 is least on y1 = 1; of those points (1, 0) has the smallest norm.
Instance franke_5_3(const Parameters&) {
  const RowMajorMatrix q{{2.0, 0.0}, {0.0, 0.0}};
  return solved(assemble(box_set(Vector::Zero(2), Vector::Ones(2)), squared_norm_term_data(Vector::Zero(2), 2.0),
                         quadratic_term_data(q, Vector{{-4.0, 0.0}}, 4.0), kUsualAccuracy),
                Vector{{1.0, 0.0}}, 1.0, 1.0);
}

Instance mitsos_barton_3_1(const Parameters&) {
  return solved(assemble(box_set(-Vector::Ones(1), Vector::Ones(1)), linear_term_data(Vector::Ones(1)),
                         linear_term_data(-Vector::Ones(1)), kUsualAccuracy),
                Vector::Ones(1), 1.0, -1.0);
}

Entry entry(EntryText text, Instance (*make)(const Parameters&)) {
  return fixed_entry(std::move(text), Parameters{}, {}, make);
}

}  // namespace

std::vector<Entry> literature_entries() {
  return {
      entry({"toy-polygon", "x1^2/2 - x1/2 + x2/10 over the minimisers of -(x1 + x2) on a polygon in the plane",
             "x* = (0.6, 0.4), f* = -0.08, g* = -1", "P6", "2"},
            toy_polygon),
      entry({"franke-5.11", "squared distance to (2, 0, 2) over the minimisers of a linear function on a cone",
             "x* = (1, -1, 0), f* = 3, g* = 0", "P16", "3"},
            franke_5_11),
      entry({"franke-5.3", "y1^2 + y2^2 over the minimisers of (y1 - 2)^2 on the unit square",
             "x* = (1, 0), f* = 1, g* = 1", "P16", "2"},
            franke_5_3),
      entry(
          {"mitsos-barton-3.1", "y over the minimisers of -y on [-1, 1]: both levels pull in opposite directions",
           "x* = 1, f* = 1, g* = -1", "P16", "1"},
          mitsos_barton_3_1),
  };
}

}  // namespace fcbio::catalogue
