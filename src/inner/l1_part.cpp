#include "inner/l1_part.hpp"

#include <algorithm>
#include <cmath>

#include "core/overloaded.hpp"

namespace fcbio {
namespace {

template <class Visit>
void for_each_l1(const Problem& problem, Level level, const Visit& visit) {
  const auto& parts = problem.function(level).parts();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Vector* centre = parts[i].term->l1_centre();
    if (centre != nullptr && parts[i].weight > 0.0) visit(i, parts[i].weight, *centre);
  }
}

double sign(double offset) { return offset > 0.0 ? 1.0 : (offset < 0.0 ? -1.0 : 0.0); }
double clip(double d) { return std::min(1.0, std::max(-1.0, d)); }

/// Whether |z|_1 is the same for all z of the set.
bool norm_is_constant(const SetShape& shape) {
  return std::visit(Overloaded{
                        [](const SimplexShape&) { return true; },
                        [](const BallShape&) { return false; },
                        [](const BoxShape&) { return false; },
                        [](const L1BallShape&) { return false; },
                        [](const NonnegativeBallShape&) { return false; },
                        [](const WholeSpaceShape&) { return false; },
                        [](const PolyhedronShape&) { return false; },
                        [](std::monostate) { return false; },
                    },
                    shape);
}

/// Why the projection of a soft threshold about `centre` is not the prox over the set; empty: it is.
std::string set_misfit(const ConvexSet& set, const Vector& centre) {
  using Words = std::string;
  return std::visit(
      Overloaded{
          [](const BoxShape&) { return Words(); },
          [](const WholeSpaceShape&) { return Words(); },
          [&](const BallShape& ball) {
            return Words(*ball.centre == centre ? "" : "an l1 norm whose center is not that of the ball");
          },
          [&](const L1BallShape& ball) {
            return Words(*ball.centre == centre ? "" : "an l1 norm whose center is not that of the l1 ball");
          },
          [&](const SimplexShape&) {
            return Words(centre.isZero(0.0) ? "" : "an l1 norm whose center is not 0 on a simplex");
          },
          [&](const PolyhedronShape&) { return "an l1 norm on the set '" + Words(set.name()) + "'"; },
          [&](const NonnegativeBallShape&) {
            return Words(centre.isZero(0.0) ? "" : "an l1 norm whose center is not 0 on a nonnegative ball");
          },
          [&](std::monostate) { return "an l1 norm on the set '" + Words(set.name()) + "'"; },
      },
      set.shape());
}

/// d_j <- the sign of z_j - c_j where that is the same for all z of the set.
void fix_signs(const SetShape& shape, const Vector& c, VectorOut d) {
  std::visit(
      Overloaded{
          [&](const BoxShape& box) {
            for (Index j = 0; j < d.size(); ++j) {
              if (c[j] < (*box.lower)[j]) d[j] = 1.0;
              if (c[j] > (*box.upper)[j]) d[j] = -1.0;
            }
          },
          [](const BallShape&) {},                            // about c
          [](const L1BallShape&) {},                          // about c
          [&](const NonnegativeBallShape&) { d.setOnes(); },  // about c = 0
          [](const SimplexShape&) {},                         // the norm is constant there
          [](const WholeSpaceShape&) {}, [](const PolyhedronShape&) {}, [](std::monostate) {},  // does not fit
      },
      shape);
}

}  // namespace

L1Part::L1Part(const Problem& problem) : problem_(problem), constant_(norm_is_constant(problem.domain().shape())) {
  for (Level level : kLevels)
    for_each_l1(problem, level, [&](std::size_t, double weight, const Vector& centre) {
      centre_ = &centre;
      norm_weight_[level] += weight;
    });
}

std::string L1Part::misfit(const Problem& problem) {
  const Vector* first = nullptr;
  bool same = true;
  for (Level level : kLevels)
    for_each_l1(problem, level, [&](std::size_t, double, const Vector& centre) {
      if (first == nullptr) first = &centre;
      same = same && *first == centre;
    });
  if (first == nullptr) return {};
  if (!same) return "l1 norms about different centers";
  return set_misfit(problem.domain(), *first);
}

double L1Part::norm(VectorIn x) const { return empty() ? 0.0 : (x - *centre_).lpNorm<1>(); }

void L1Part::remove_from(Level level, Linearization& at) const {
  for_each_l1(problem_, level, [&](std::size_t i, double weight, const Vector&) {
    at.gradient -= weight * at.duals[i];
    at.duals[i].setZero();
  });
}

double L1Part::slope_along(VectorIn x, VectorIn v) const {
  if (empty()) return 0.0;
  double sum = 0.0;
  for (Index j = 0; j < x.size(); ++j) sum += sign(x[j] - (*centre_)[j]) * v[j];
  return sum;
}

void L1Part::prox(Oracle& oracle, double threshold, VectorOut x) const {
  if (!empty() && !constant_ && threshold > 0.0) {
    const Vector& c = *centre_;
    for (Index j = 0; j < x.size(); ++j) {
      const double offset = x[j] - c[j];
      x[j] = std::abs(offset) <= threshold ? c[j] : x[j] - std::copysign(threshold, offset);
    }
  }
  oracle.project(x);
}

void L1Part::best_dual(Oracle& oracle, VectorIn slope, double curvature, double weight, Vector& point,
                       VectorOut d) const {
  const Vector& c = *centre_;
  if (constant_) {
    d.setOnes();  // |z|_1 = <1, z> on the simplex
    return;
  }
  if (curvature > 0.0) {
    point = slope / -curvature;
    prox(oracle, weight / curvature, point);
    for (Index j = 0; j < d.size(); ++j) {
      const double offset = point[j] - c[j];
      d[j] = offset != 0.0 ? sign(offset) : clip(-(slope[j] + curvature * point[j]) / weight);
    }
  } else {
    for (Index j = 0; j < d.size(); ++j) d[j] = clip(-slope[j] / weight);
  }
  fix_signs(problem_.domain().shape(), c, d);
}

void L1Part::write_dual(Level level, VectorIn d, PartVectors& duals) const {
  for_each_l1(problem_, level, [&](std::size_t i, double, const Vector&) { duals[i] = d; });
}

}  // namespace fcbio
