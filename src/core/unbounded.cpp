// A linear g with g_j > 0 where the set is open downwards (or g_j < 0 where it is open upwards) has no minimum:
// the ray -e_j (e_j) stays in the set.  A linear f alone proves nothing, for the minimisers of g may be bounded
// all the same; but where g is linear too, its minimisers are free in every coordinate with g_j = 0.
//
// Other rays by a linear programme (falling_ray.hpp).  Let d be a ray of Z and let M d = 0 for the data M of all terms of
// g that are not linear: then g(x + t d) = g(x) + t <c, d> for the sum <c, .> of the linear ones, and with <c, d> < 0
// there is no minimum.  With <c, d> <= 0, and the same for f with <c_f, d> < 0, there is no solution either: g falls
// without end, or d leads from minimisers of g to minimisers of g, and f falls on them.
#include "core/unbounded.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/falling_ray.hpp"
#include "core/overloaded.hpp"
#include "sets/row_view.hpp"

namespace fcbio {
namespace {

/// c, where the function is <c, x>.
std::optional<Vector> slope_of_linear(const Function& function) {
  Vector slope = Vector::Zero(function.dimension());
  for (const Function::Part& part : function.parts()) {
    if (part.weight == 0.0) continue;
    if (part.term->name() != "linear") return std::nullopt;
    part.term->add_slope(part.weight, Vector(), slope);
  }
  return slope;
}

struct OpenSides {
  bool below, above;
};

using AllSides = std::vector<OpenSides>;

AllSides sides_of(const Vector& lower, const Vector& upper) {
  AllSides open;
  for (Index j = 0; j < lower.size(); ++j) open.push_back({lower[j] == -kInfinity, upper[j] == kInfinity});
  return open;
}

/// e_j raises row i where a_ij > 0, so its upper side must be open; and so on.
AllSides sides_of(const PolyhedronShape& set) {
  AllSides open = sides_of(*set.lower, *set.upper);
  const sets::RowView rows{set.dense, set.sparse};
  for (Index i = 0; i < rows.count(); ++i) {
    const bool falls = (*set.row_lower)[i] == -kInfinity, rises = (*set.row_upper)[i] == kInfinity;
    rows.each(i, [&](Index j, double a) {
      OpenSides& sides = open[static_cast<std::size_t>(j)];
      sides.below = sides.below && (a > 0.0 ? falls : rises);
      sides.above = sides.above && (a > 0.0 ? rises : falls);
    });
  }
  return open;
}

/// Where the rays along -e_j and e_j stay in the set, for sets that are known to have such rays.
AllSides open_sides(const SetShape& shape, Index n) {
  const AllSides closed(static_cast<std::size_t>(n), {false, false});
  return std::visit(Overloaded{
                        [&](const WholeSpaceShape&) {
                          return AllSides(static_cast<std::size_t>(n), {true, true});
                        },
                        [](const BoxShape& box) { return sides_of(*box.lower, *box.upper); },
                        [](const PolyhedronShape& set) { return sides_of(set); },
                        [&](const BallShape&) { return closed; },
                        [&](const SimplexShape&) { return closed; },
                        [&](const L1BallShape&) { return closed; },
                        [&](const NonnegativeBallShape&) { return closed; },
                        [&](std::monostate) { return closed; },
                    },
                    shape);
}

/// A function along rays: linear where none of `data` sees them.
struct Along {
  Vector slope;
  std::vector<const LinearMap*> data;
};

/// Empty: a term of the function tells nothing about rays, or grows along all of them.  The slope is that of one term,
/// without its weight: a sum would not be exact.
std::optional<Along> along_rays(const Function& function) {
  Along along{Vector::Zero(function.dimension()), {}};
  bool has_slope = false;
  for (const Function::Part& part : function.parts()) {
    if (part.weight == 0.0) continue;
    if (part.term->name() == "linear" && !has_slope) {
      part.term->add_slope(1.0, Vector(), along.slope);
      has_slope = true;
    } else if (part.term->map() != nullptr && !part.term->map()->free() && part.term->l1_centre() == nullptr) {
      along.data.push_back(part.term->map());
    } else {
      return std::nullopt;
    }
  }
  return along;
}

std::string told(std::string_view how, const Vector& ray) {
  Index j = 0;
  ray.cwiseAbs().maxCoeff(&j);
  return fmt::format(
      "{}, on which x[{}] goes to {}infinity (and {} others move), so the problem has no solution; give the domain a "
      "bound there (`box` of a polyhedron, say)",
      how, j, ray[j] < 0.0 ? "-" : "+", (ray.array() != 0.0).count() - 1);
}

std::string told(std::string_view level, Index j, bool downwards, const SetShape& shape) {
  const bool box = std::holds_alternative<BoxShape>(shape);  // for words only
  return fmt::format(
      "the {} function is linear and falls without end as x[{}] goes to {}infinity, where the domain is open, so "
      "the problem has no solution; give the domain a bound there ({})",
      level, j, downwards ? "-" : "+",
      box ? fmt::format("`{}` of the box", downwards ? "lower" : "upper") : "a ball or a box, say");
}

/// Along a coordinate, where both functions are linear or g is.
std::string falls_along_coordinate(const Problem& problem, const SetShape& shape) {
  const std::optional<Vector> g = slope_of_linear(problem.lower());
  if (!g) return {};
  const AllSides sides = open_sides(shape, g->size());
  for (Index j = 0; j < g->size(); ++j) {
    const OpenSides open = sides[static_cast<std::size_t>(j)];
    if ((*g)[j] > 0.0 && open.below) return told("lower", j, true, shape);
    if ((*g)[j] < 0.0 && open.above) return told("lower", j, false, shape);
  }
  const std::optional<Vector> f = slope_of_linear(problem.upper());
  if (!f) return {};
  for (Index j = 0; j < f->size(); ++j) {
    if ((*g)[j] != 0.0) continue;
    const OpenSides open = sides[static_cast<std::size_t>(j)];
    if ((*f)[j] > 0.0 && open.below) return told("upper", j, true, shape);
    if ((*f)[j] < 0.0 && open.above) return told("upper", j, false, shape);
  }
  return {};
}

}  // namespace

std::string falls_without_end(const Problem& problem) {
  const SetShape shape = problem.domain().shape();
  if (std::string why = falls_along_coordinate(problem, shape); !why.empty()) return why;
  if (problem.domain().diameter() && !problem.domain().rests_on_told_radius()) return {};  // no rays
  const std::optional<Along> g = along_rays(problem.lower());
  if (!g) return {};
  if (const auto ray = falling_ray(shape, {g->slope, {}, g->data}))
    return told("the lower function falls without end along a ray of the domain", *ray);
  const std::optional<Along> f = along_rays(problem.upper());
  if (!f) return {};
  RayConditions both{f->slope, g->slope, f->data};
  both.flat.insert(both.flat.end(), g->data.begin(), g->data.end());
  if (const auto ray = falling_ray(shape, both))
    return told(
        "the upper function falls without end along a ray of the domain on which the lower one does not rise",
        *ray);
  return {};
}

}  // namespace fcbio
