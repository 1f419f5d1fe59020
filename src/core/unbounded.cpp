// A linear g with g_j > 0 where the set is open downwards (or g_j < 0 where it is open upwards) has no minimum:
// the ray -e_j (e_j) stays in the set.  A linear f alone proves nothing, for the minimisers of g may be bounded
// all the same; but where g is linear too, its minimisers are free in every coordinate with g_j = 0.
//
// Other rays of a polyhedron {low <= A x <= high} by a linear programme: d with (Ad)_i <= 0 where high_i is finite,
// >= 0 where low_i is, likewise for the sides of x, and <g, d> < 0.  A step towards the inside of the cone of such d
// gives every inequality room for rounding; what has no room is not told.
#include "core/unbounded.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/overloaded.hpp"
#include "interior/polyhedron.hpp"
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

/// Whether d is a ray of the set along which <g, .> falls, rounding allowed for.
bool is_falling_ray(const PolyhedronShape& set, const Vector& g, const Vector& d) {
  const double unit = 2.0 * kEpsilon * static_cast<double>(d.size() + 2);
  for (Index j = 0; j < d.size(); ++j) {
    if (std::isfinite((*set.lower)[j]) && d[j] < 0.0) return false;
    if (std::isfinite((*set.upper)[j]) && d[j] > 0.0) return false;
  }
  const sets::RowView rows{set.dense, set.sparse};
  for (Index i = 0; i < rows.count(); ++i) {
    double product = 0.0, size = 0.0;
    rows.each(i, [&](Index j, double a) {
      product += a * d[j];
      size += std::abs(a * d[j]);
    });
    if (std::isfinite((*set.row_upper)[i]) && product + unit * size > 0.0) return false;
    if (std::isfinite((*set.row_lower)[i]) && product - unit * size < 0.0) return false;
  }
  return g.dot(d) + unit * g.cwiseAbs().dot(d.cwiseAbs()) < 0.0;
}

std::optional<Vector> falling_ray(const PolyhedronShape& set, const Vector& g) {
  if (set.lower->allFinite() && set.upper->allFinite()) return std::nullopt;
  const auto side = [](double bound, double open) { return std::isfinite(bound) ? 0.0 : open; };
  const Vector lower = set.lower->unaryExpr([&](double l) { return side(l, -1.0); });
  const Vector upper = set.upper->unaryExpr([&](double h) { return side(h, 1.0); });
  const Vector row_lower = set.row_lower->unaryExpr([&](double l) { return side(l, -kInfinity); });
  const Vector row_upper = set.row_upper->unaryExpr([&](double h) { return side(h, kInfinity); });
  const interior::PolyhedronView cone{set.dense, set.sparse, &row_lower, &row_upper, &lower, &upper};
  constexpr double kMostOperations = 2e9;
  OperationBudget budget(kMostOperations);
  Vector d = Vector::Zero(g.size()), duals(row_lower.size());
  if (interior::minimize_linear(cone, g, d, duals, &budget) != interior::Outcome::solved) return std::nullopt;
  const double fall = -g.dot(d);
  if (!(fall > 0.0)) return std::nullopt;
  const interior::DeepestPoint inside = interior::deepest_point(cone, 1.0, &budget);
  if (inside.outcome == interior::Outcome::solved && inside.room > 0.0)
    d += std::min(1.0, 0.5 * fall / (std::abs(g.dot(inside.x)) + fall)) * inside.x;
  for (Index j = 0; j < d.size(); ++j) {
    if (std::isfinite((*set.lower)[j])) d[j] = std::max(d[j], 0.0);
    if (std::isfinite((*set.upper)[j])) d[j] = std::min(d[j], 0.0);
  }
  return is_falling_ray(set, g, d) ? std::optional<Vector>(d) : std::nullopt;
}

std::string told(std::string_view level, Index j, bool downwards, const SetShape& shape) {
  const bool box = std::holds_alternative<BoxShape>(shape);  // for words only
  return fmt::format(
      "the {} function is linear and falls without end as x[{}] goes to {}infinity, where the domain is open, so "
      "the problem has no solution; give the domain a bound there ({})",
      level, j, downwards ? "-" : "+",
      box ? fmt::format("`{}` of the box", downwards ? "lower" : "upper") : "a ball or a box, say");
}

}  // namespace

std::string falls_without_end(const Problem& problem) {
  const SetShape shape = problem.domain().shape();
  const std::optional<Vector> g = slope_of_linear(problem.lower());
  if (!g) return {};
  const AllSides sides = open_sides(shape, g->size());
  for (Index j = 0; j < g->size(); ++j) {
    const OpenSides open = sides[static_cast<std::size_t>(j)];
    if ((*g)[j] > 0.0 && open.below) return told("lower", j, true, shape);
    if ((*g)[j] < 0.0 && open.above) return told("lower", j, false, shape);
  }
  if (const auto* polyhedron = std::get_if<PolyhedronShape>(&shape)) {
    if (const auto ray = falling_ray(*polyhedron, *g)) {
      Index j = 0;
      ray->cwiseAbs().maxCoeff(&j);
      return fmt::format(
          "the lower function is linear and falls without end along a ray of the polyhedron, on which x[{}] goes to "
          "{}infinity (and {} others move), so the problem has no solution; give the polyhedron a bound there (`box`)",
          j, (*ray)[j] < 0.0 ? "-" : "+", (ray->array() != 0.0).count() - 1);
    }
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

}  // namespace fcbio
