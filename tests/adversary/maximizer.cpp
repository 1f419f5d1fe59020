#include "maximizer.hpp"

#include <algorithm>

#include "core/overloaded.hpp"
#include "support/kinds.hpp"
#include "values.hpp"

namespace fcbio::adversary {
namespace {

using Point = std::optional<ExactVector>;

/// center + radius * direction / |direction|
Point on_sphere(const ExactVector& center, const Exact& radius, const ExactVector& direction) {
  const Exact length = norm(direction);
  if (length == 0) return radius == 0 ? Point(center) : std::nullopt;
  ExactVector point = center;
  add(point, radius / length, direction);
  return point;
}

bool parallel_up_to_nothing(const ExactVector& across, const ExactVector& c) {
  return negligible(squared_norm(across), squared_norm(c));
}

Point of_box(const data::Box& box, const ExactVector& c) {
  ExactVector point;
  for (std::size_t j = 0; j < c.size(); ++j) {
    const double low = box.lower[static_cast<Index>(j)], high = box.upper[static_cast<Index>(j)];
    if (c[j] == 0 && low != high) return std::nullopt;
    const double end = c[j] > 0 ? high : low;
    if (!std::isfinite(end)) return std::nullopt;
    point.emplace_back(end);
  }
  return point;
}

/// The vertex `scale * sign * unit vector` for the largest of the scores.
Point of_vertices(const ExactVector& center, const Exact& scale, const ExactVector& c, bool both_signs) {
  std::size_t best = 0;
  const auto score = [&](std::size_t j) { return both_signs ? Exact(abs(c[j])) : c[j]; };
  for (std::size_t j = 1; j < c.size(); ++j)
    if (score(j) > score(best)) best = j;
  for (std::size_t j = 0; j < c.size(); ++j)
    if (j != best && score(j) == score(best)) return std::nullopt;
  if (both_signs && c[best] == 0) return std::nullopt;
  ExactVector point = center;
  point[best] += both_signs && c[best] < 0 ? Exact(-scale) : scale;
  return point;
}

Point of_nonnegative_ball(const Exact& radius, const ExactVector& c) {
  ExactVector positive = c;
  bool negative_only = true;
  for (Exact& entry : positive) {
    if (entry == 0) return std::nullopt;
    negative_only = negative_only && entry < 0;
    entry = std::max(entry, Exact(0));
  }
  const ExactVector zero(c.size(), Exact(0));
  return negative_only ? Point(zero) : on_sphere(zero, radius, positive);
}

/// A ball about `center` cut by <normal, x> <= value.
Point of_cap(const ExactVector& center, const Exact& radius, const ExactVector& normal, const Exact& value,
             const ExactVector& c) {
  const Point free = on_sphere(center, radius, c);
  if (!free) return std::nullopt;
  if (dot(normal, *free) <= value) return free;
  const Exact square = squared_norm(normal);
  const Exact along = (value - dot(normal, center)) / square;  // the plane is center + along * normal + across
  const Exact rim = radius * radius - along * along * square;
  if (rim < 0) return std::nullopt;
  ExactVector middle = center;
  add(middle, along, normal);
  ExactVector across = c;
  add(across, -dot(c, normal) / square, normal);
  if (parallel_up_to_nothing(across, c)) return std::nullopt;
  return on_sphere(middle, root(rim), across);
}

Point of_lens(const data::Ball& first, const data::Ball& second, const ExactVector& c) {
  const ExactVector a = exact(first.center), b = exact(second.center);
  const Exact r = first.radius, s = second.radius;
  const auto inside = [](const ExactVector& x, const ExactVector& center, const Exact& radius) {
    return squared_norm(minus(x, center)) <= radius * radius;
  };
  const Point one = on_sphere(a, r, c), two = on_sphere(b, s, c);
  if (!one || !two) return std::nullopt;
  if (inside(*one, b, s)) return one;
  if (inside(*two, a, r)) return two;
  // Both spheres: |x - a|^2 - |x - b|^2 = r^2 - s^2 is a plane, and the rim is what it cuts out of either.
  const ExactVector axis = minus(b, a);
  const Exact value = (r * r - s * s + squared_norm(b) - squared_norm(a)) / 2;
  const Exact along = (value - dot(axis, a)) / squared_norm(axis);
  const Exact rim = r * r - along * along * squared_norm(axis);
  if (rim < 0) return std::nullopt;
  ExactVector middle = a;
  add(middle, along, axis);
  if (rim == 0) return middle;
  ExactVector across = c;
  add(across, -dot(c, axis) / squared_norm(axis), axis);
  if (parallel_up_to_nothing(across, c)) return std::nullopt;
  return on_sphere(middle, root(rim), across);
}

/// {Mx = v} cut by a ball about `center`.
Point of_affine(const data::Affine& affine, const ExactVector& center, const Exact& radius, const ExactVector& c) {
  std::vector<ExactVector> units;
  ExactVector middle = center;  // moves to the nearest point of the subspace
  ExactVector across = c;
  ExactVector unit_values;  // <unit, x> on the subspace
  for (Index i = 0; i < affine.matrix.rows(); ++i) {
    ExactVector row = exact_row(affine.matrix, i);
    const Exact size = squared_norm(row);
    Exact value = affine.values[i];
    for (int sweep = 0; sweep < 2; ++sweep) {
      for (std::size_t k = 0; k < units.size(); ++k) {
        const Exact part = dot(units[k], row);
        add(row, -part, units[k]);
        value -= part * unit_values[k];
      }
    }
    const Exact rest = squared_norm(row);
    if (negligible(rest, size)) {  // depends on the rows before
      if (!negligible(value * value, size + Exact(affine.values[i]) * affine.values[i])) return std::nullopt;
      continue;
    }
    const Exact length = root(rest);
    for (Exact& entry : row) entry /= length;
    unit_values.push_back(value / length);
    units.push_back(std::move(row));
  }
  for (std::size_t k = 0; k < units.size(); ++k) {
    add(middle, unit_values[k] - dot(units[k], middle), units[k]);
    add(across, -dot(units[k], across), units[k]);
  }
  const Exact disc = radius * radius - squared_norm(minus(middle, center));
  if (disc < 0) return std::nullopt;
  if (units.size() == c.size()) return middle;
  if (parallel_up_to_nothing(across, c)) return std::nullopt;
  return on_sphere(middle, root(disc), across);
}

Point of_polyhedron(const data::Set& set, const ExactVector& c) {
  LinearProgram program;
  LinearProgram::Row cost;
  for (std::size_t j = 0; j < c.size(); ++j) cost.emplace_back(program.add_variable(false), -c[j]);
  if (!add_polyhedron(set, program)) return std::nullopt;
  const auto solution = program.minimize(cost, {});
  if (!solution || !solution->first_is_unique) return std::nullopt;
  const ExactVector point(solution->point.begin(),
                          solution->point.begin() + static_cast<std::ptrdiff_t>(c.size()));
  return inside_all_balls(set, point) ? Point(point) : std::nullopt;
}

Point of_product(const data::Product& product, const ExactVector& c) {
  ExactVector whole;
  for (const data::Set& part : product.sets) {
    const auto begin = c.begin() + static_cast<std::ptrdiff_t>(whole.size());
    const Point point = only_maximizer(part, ExactVector(begin, begin + part.dimension));
    if (!point) return std::nullopt;
    whole.insert(whole.end(), point->begin(), point->end());
  }
  return whole;
}

Point of_intersection(const data::Set& set, const std::vector<data::Set>& sets, const ExactVector& c) {
  const auto* ball = sets.size() == 2 ? std::get_if<data::Ball>(&sets[0].kind) : nullptr;
  if (ball == nullptr) return of_polyhedron(set, c);
  const data::Set& other = sets[1];
  if (const auto* second = std::get_if<data::Ball>(&other.kind)) return of_lens(*ball, *second, c);
  Point point;
  if (const auto* half = std::get_if<data::Halfspace>(&other.kind))
    point = of_cap(exact(ball->center), ball->radius, exact(half->coefficients), half->value, c);
  if (const auto* affine = std::get_if<data::Affine>(&other.kind))
    point = of_affine(*affine, exact(ball->center), ball->radius, c);
  return point && inside_all_balls(other, *point) ? point : std::nullopt;
}

}  // namespace

std::optional<ExactVector> only_maximizer(const data::Set& set, const ExactVector& c) {
  const ExactVector zero(c.size(), Exact(0));
  return std::visit(
      Overloaded{
          [&](const data::Ball& ball) { return on_sphere(exact(ball.center), ball.radius, c); },
          [&](const data::Box& box) { return of_box(box, c); },
          [](const data::Orthant&) { return Point(); },
          [&](const data::Polyhedron&) { return of_polyhedron(set, c); },
          [&](const data::CappedSimplex&) { return of_polyhedron(set, c); },
          [&](const data::Simplex& simplex) { return of_vertices(zero, simplex.total, c, false); },
          [&](const data::L1Ball& ball) { return of_vertices(exact(ball.center), ball.radius, c, true); },
          [&](const data::NonnegativeBall& ball) { return of_nonnegative_ball(ball.radius, c); },
          [&](const data::Halfspace& half) {
            return of_cap(zero, half.radius.value_or(1e300), exact(half.coefficients), half.value, c);
          },
          [&](const data::Affine& affine) { return of_affine(affine, zero, affine.radius.value_or(1e300), c); },
          [&](const data::Intersection& intersection) { return of_intersection(set, intersection.sets, c); },
          [&](const data::Product& product) { return of_product(product, c); },
          [](const data::WholeSpace&) { return Point(); },
      },
      set.kind);
}

bool add_polyhedron(const data::Set& set, LinearProgram& program) {
  const auto n = static_cast<std::size_t>(set.dimension);
  using Row = LinearProgram::Row;
  return std::visit(
      Overloaded{
          [&](const data::Intersection& intersection) {
            return std::all_of(intersection.sets.begin(), intersection.sets.end(),
                               [&](const data::Set& member) { return add_polyhedron(member, program); });
          },
          [&](const data::Box& box) {
            for (std::size_t j = 0; j < n; ++j) {
              const double low = box.lower[static_cast<Index>(j)], high = box.upper[static_cast<Index>(j)];
              if (std::isfinite(high)) program.add_row({{j, Exact(1)}}, high, false);
              if (std::isfinite(low)) program.add_row({{j, Exact(-1)}}, -Exact(low), false);
            }
            return true;
          },
          [&](const data::Simplex& simplex) {
            Row sum;
            for (std::size_t j = 0; j < n; ++j) {
              sum.emplace_back(j, Exact(1));
              program.add_row({{j, Exact(-1)}}, Exact(0), false);
            }
            program.add_row(std::move(sum), simplex.total, true);
            return true;
          },
          [&](const data::L1Ball& ball) {
            Row sum;
            for (std::size_t j = 0; j < n; ++j) {
              const std::size_t size = program.add_variable(true);
              const Exact center = ball.center[static_cast<Index>(j)];
              program.add_row({{j, Exact(1)}, {size, Exact(-1)}}, center, false);
              program.add_row({{j, Exact(-1)}, {size, Exact(-1)}}, -center, false);
              sum.emplace_back(size, Exact(1));
            }
            program.add_row(std::move(sum), ball.radius, false);
            return true;
          },
          [&](const data::Halfspace& half) {
            Row row;
            for (std::size_t j = 0; j < n; ++j)
              row.emplace_back(j, Exact(half.coefficients[static_cast<Index>(j)]));
            program.add_row(std::move(row), half.value, false);
            return true;
          },
          [&](const data::Affine& affine) {
            for (Index i = 0; i < affine.matrix.rows(); ++i) {
              Row row;
              for (std::size_t j = 0; j < n; ++j)
                row.emplace_back(j, Exact(affine.matrix(i, static_cast<Index>(j))));
              program.add_row(std::move(row), affine.values[i], true);
            }
            return true;
          },
          [](const data::Orthant&) { return false; },
          [&](const data::Polyhedron& polyhedron) {
            const auto add_sides = [&](const Row& row, double low, double high) {
              if (low == high) {
                program.add_row(Row(row), high, true);
                return;
              }
              if (std::isfinite(high)) program.add_row(Row(row), high, false);
              Row mirrored;
              for (const auto& [j, number] : row) mirrored.emplace_back(j, Exact(-number));
              if (std::isfinite(low)) program.add_row(std::move(mirrored), -low, false);
            };
            const std::vector<ExactVector> rows = exact_rows(polyhedron.matrix);
            for (std::size_t i = 0; i < rows.size(); ++i) {
              Row row;
              for (std::size_t j = 0; j < n; ++j) row.emplace_back(j, rows[i][j]);
              const auto at = static_cast<Index>(i);
              add_sides(row, polyhedron.row_lower[at], polyhedron.row_upper[at]);
            }
            for (std::size_t j = 0; j < n; ++j) {
              const auto at = static_cast<Index>(j);
              add_sides({{j, Exact(1)}}, polyhedron.lower[at], polyhedron.upper[at]);
            }
            return true;
          },
          [&](const data::CappedSimplex& simplex) {
            Row sum;
            for (std::size_t j = 0; j < n; ++j) {
              program.add_row({{j, Exact(1)}}, simplex.cap, false);
              program.add_row({{j, Exact(-1)}}, 0, false);
              sum.emplace_back(j, Exact(1));
            }
            program.add_row(std::move(sum), simplex.total, true);
            return true;
          },
          [](const data::Ball&) { return false; },
          [](const data::NonnegativeBall&) { return false; },
          [](const data::Product&) { return false; },
          [](const data::WholeSpace&) { return false; },
      },
      set.kind);
}

bool inside_all_balls(const data::Set& set, const ExactVector& x) {
  const auto inside = [&](const auto& cut) {
    return !cut.radius || squared_norm(x) <= Exact(*cut.radius) * *cut.radius;
  };
  return std::visit(Overloaded{
                        [&](const data::Halfspace& half) { return inside(half); },
                        [&](const data::Affine& affine) { return inside(affine); },
                        [&]<test::Compound Kind>(const Kind& whole) {
                          return std::all_of(whole.sets.begin(), whole.sets.end(),
                                             [&](const data::Set& member) { return inside_all_balls(member, x); });
                        },
                        [](const auto&) { return true; },
                    },
                    set.kind);
}

}  // namespace fcbio::adversary
