#include "shapes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "core/overloaded.hpp"
#include "support/kinds.hpp"

namespace fcbio::adversary {
namespace {

/// 0, near, or so far away that doubles are coarse beside the size.
Vector center(Dice& dice, Index n, double size) {
  const double distance = dice.pick({0.0, 1.0, 1.0, 1e3, 1e8});
  return dice.normals(n, distance * size);
}

double reach_of(const Vector& center, double size) { return center.norm() + size; }

/// (along, aside) turned by an angle.
Vector in_plane(double along, double aside, double turn) {
  Vector vector = Vector::Zero(2);
  vector[0] = along * std::cos(turn) - aside * std::sin(turn);
  vector[1] = along * std::sin(turn) + aside * std::cos(turn);
  return vector;
}

Shape plain_part(Dice& dice, Index n, double size) {
  Shape shape;
  shape.size = size;
  shape.direction = dice.normals(n);
  data::Set& set = shape.set;
  set.dimension = n;
  set.kind = dice.pick<data::SetKind>(
      {data::Ball{}, data::Box{}, data::Simplex{}, data::L1Ball{}, data::NonnegativeBall{}, data::Halfspace{}});
  if (n == 1 && std::holds_alternative<data::Halfspace>(set.kind)) set.kind = data::Box{};
  shape.note = data::name_of(set);
  shape.reach = size;
  std::visit(Overloaded{
                 [&](data::Simplex& simplex) { simplex.total = size; },
                 [&](data::Box& room) {
                   const Vector middle = center(dice, n, size);
                   room = {middle, middle};
                   for (Index j = 0; j < n; ++j) {
                     if (dice.chance(0.1)) continue;  // no room in this direction
                     room.lower[j] -= size * dice.uniform(0.0, 1.0);
                     room.upper[j] += size * dice.uniform(0.0, 1.0);
                   }
                   shape.reach = reach_of(middle, size);
                 },
                 [&]<test::Centred Kind>(Kind& round) {
                   round.radius = size;
                   round.center = center(dice, n, size);
                   shape.reach = reach_of(round.center, size);
                 },
                 [&](data::NonnegativeBall& part) { part.radius = size; },
                 [&](data::Halfspace& half) {
                   half.radius = size;
                   half.coefficients = dice.normals(n, dice.power_of_ten(-4, 4));
                   half.value = half.coefficients.norm() * size * dice.uniform(-0.9, 0.9);
                 },
                 [](const auto&) { throw std::logic_error("not a plain set"); },
             },
             set.kind);
  return shape;
}

}  // namespace

data::Set ball(Vector center, double radius) {
  const Index n = center.size();
  return {data::Ball{radius, std::move(center)}, n};
}

data::Set box(Vector lower, Vector upper) {
  const Index n = lower.size();
  return {data::Box{std::move(lower), std::move(upper)}, n};
}

data::Set halfspace(Vector coefficients, double value, double radius) {
  const Index n = coefficients.size();
  return {data::Halfspace{std::move(coefficients), value, radius}, n};
}

data::Set affine(RowMajorMatrix matrix, Vector values, double radius) {
  const Index n = matrix.cols();
  return {data::Affine{std::move(matrix), std::move(values), radius}, n};
}

data::Set intersection(std::vector<data::Set> sets) {
  const Index n = sets.back().dimension;
  return {data::Intersection{std::move(sets)}, n};
}

data::Set product(std::vector<data::Set> sets) {
  Index n = 0;
  for (const data::Set& part : sets) n += part.dimension;
  return {data::Product{std::move(sets)}, n};
}

Shape plain_shape(Dice& dice) {
  const Index n = dice.dimension(1);
  const double size = dice.power_of_ten(-6, 6);
  if (n < 2 || dice.chance(0.8)) return plain_part(dice, n, size);
  const Index first = dice.integer(1, static_cast<int>(n) - 1);
  const Shape a = plain_part(dice, first, size), b = plain_part(dice, n - first, size * dice.power_of_ten(-2, 2));
  Shape shape;
  shape.set = product({a.set, b.set});
  shape.direction.resize(n);
  shape.direction << a.direction, b.direction;
  shape.size = std::max(a.size, b.size);
  shape.reach = std::max(a.reach, b.reach);
  shape.note = "product of " + a.note + " and " + b.note;
  return shape;
}

Shape affine_shape(Dice& dice) {
  const Index rows = dice.integer(1, 3);
  const Index n = std::max<Index>(rows, dice.integer(1, 6));
  const double radius = dice.power_of_ten(-3, 4), scale = dice.power_of_ten(-4, 4);
  const double angle = dice.power_of_ten(-13, -1);
  RowMajorMatrix matrix(rows, n);
  const Vector common = dice.normals(n).normalized();
  for (Index i = 0; i < rows; ++i) {
    const Vector row = common + (i == 0 ? 0.0 : angle) * dice.normals(n);
    matrix.row(i) = scale * (dice.chance(0.3) ? dice.power_of_ten(-2, 2) : 1.0) * row.transpose();
  }
  if (rows == 3 && dice.chance(0.2)) matrix.row(2) = 2.0 * matrix.row(1);
  Shape shape;
  shape.size = radius;
  shape.direction = dice.normals(n);
  const Vector inside = radius * dice.uniform(0.0, 0.7) * dice.normals(n).normalized();
  if (dice.chance(0.15) && n > rows) {  // about a far ball
    const Vector middle = dice.normals(n, radius * dice.pick({1.0, 1e3, 1e6}));
    const Vector point = middle + inside;
    shape.set =
        intersection({ball(middle, radius), affine(matrix, matrix * point, 4.0 * (middle.norm() + radius))});
    shape.reach = reach_of(middle, radius);
    shape.note = "ball and affine";
    return shape;
  }
  Vector values = matrix * inside;
  if (rows == 3 && matrix.row(2) == 2.0 * matrix.row(1)) values[2] = 2.0 * values[1];
  shape.set = affine(matrix, values, radius);
  shape.reach = radius;
  shape.note = fmt::format("{} rows in {} dimensions, angle {:.2g}", rows, n, angle);
  return shape;
}

Shape cap_shape(Dice& dice) {
  const Index n = dice.integer(2, 8);
  const double radius = dice.power_of_ten(-3, 4);
  const double rim = dice.power_of_ten(-7, -0.3);
  const Vector normal = dice.normals(n, dice.power_of_ten(-4, 4));
  const double height = (dice.chance(0.8) ? -1.0 : 1.0) * radius * std::sqrt((1.0 - rim) * (1.0 + rim));
  Shape shape;
  shape.size = radius;
  shape.direction = dice.chance(0.5) ? dice.normals(n) : Vector(normal.normalized() + dice.normals(n, rim));
  shape.note = fmt::format("rim {:.2g}", rim);
  if (dice.chance(0.25)) {
    const Vector middle = dice.normals(n, radius * dice.pick({1.0, 1e3, 1e6}));
    shape.reach = reach_of(middle, radius);
    shape.set = intersection(
        {ball(middle, radius), halfspace(normal, normal.dot(middle) + normal.norm() * height, 8.0 * shape.reach)});
    shape.note += ", far";
    return shape;
  }
  shape.reach = radius;
  shape.set = halfspace(normal, normal.norm() * height, radius);
  return shape;
}

Shape lens_shape(Dice& dice) {
  const Index n = dice.integer(2, 8);
  const double first = dice.power_of_ten(-3, 3), second = first * dice.power_of_ten(-1, 1);
  const double overlap = dice.power_of_ten(-13, 0) * std::min(first, second);
  const Vector axis = dice.normals(n).normalized();
  const Vector middle = dice.normals(n, first * dice.pick({0.0, 1.0, 1.0, 1e4}));
  Shape shape;
  shape.set = intersection({ball(middle, first), ball(middle + (first + second - overlap) * axis, second)});
  shape.direction = dice.chance(0.5) ? dice.normals(n) : Vector(axis + dice.normals(n, 1e-3));
  shape.size = std::min(first, second);
  shape.reach = reach_of(middle, 2.0 * (first + second));
  shape.note = fmt::format("overlap {:.2g}", overlap / shape.size);
  return shape;
}

Shape wedge_shape(Dice& dice) {
  const double half_angle = dice.power_of_ten(-6, -0.5);
  const double turn = dice.uniform(0.0, 6.283185307179586);
  const double radius = dice.power_of_ten(-1, 3);
  // Thin: normals nearly opposite, the axis leads to the apex.  Flat: normals nearly equal to the axis.
  const bool thin = dice.chance(0.7);
  const double along = thin ? std::sin(half_angle) : std::cos(half_angle);
  const double aside = thin ? std::cos(half_angle) : std::sin(half_angle);
  const double s1 = dice.power_of_ten(-2, 2), s2 = dice.power_of_ten(-2, 2);
  const Vector n1 = in_plane(s1 * along, s1 * aside, turn), n2 = in_plane(s2 * along, -s2 * aside, turn);
  const double apex_distance = dice.chance(0.2) ? 0.0 : 0.5 * radius * dice.uniform(0.0, 1.0);
  const Vector apex = in_plane(apex_distance, 0.0, dice.uniform(0.0, 6.283185307179586));
  Shape shape;
  shape.set = intersection({halfspace(n1, n1.dot(apex), radius), halfspace(n2, n2.dot(apex), radius)});
  const double weight = dice.uniform(0.01, 0.99);
  shape.direction = weight * n1 / s1 + (1.0 - weight) * n2 / s2;
  shape.direction /= shape.direction.norm();
  shape.size = shape.reach = radius;
  shape.note = fmt::format("{}, half-angle {:.2g}", thin ? "thin" : "flat", half_angle);
  return shape;
}

Shape polytope_shape(Dice& dice) {
  const Index n = dice.integer(2, 4);
  const double size = dice.power_of_ten(-3, 3);
  Shape shape;
  shape.size = size;
  shape.note = dice.pick({"box", "simplex", "l1-ball", "box-affine", "simplex-affine", "point"});
  data::Set first;
  Vector inside(n);  // a point of the first member
  if (shape.note.starts_with("box") || shape.note == "point") {
    const Vector middle = dice.normals(n, size * dice.pick({0.0, 1.0, 100.0}));
    const double room = shape.note == "point" ? 0.0 : size;
    const Vector lower = middle - Vector::Constant(n, room);
    const Vector upper = middle + Vector::Constant(n, room * dice.uniform(0.1, 1.0));
    first = box(lower, upper);
    for (Index j = 0; j < n; ++j) inside[j] = dice.uniform(lower[j], upper[j]);
    shape.reach = reach_of(middle, 2.0 * size);
  } else {
    const bool is_simplex = shape.note.starts_with("simplex");
    Vector middle = Vector::Zero(n);
    if (!is_simplex) middle = dice.normals(n, size * dice.pick({0.0, 1.0}));
    double sum = 0.0;
    for (double& entry : inside) sum += entry = dice.uniform(0.0, 1.0);
    inside *= size / sum;
    if (!is_simplex) inside = middle + 0.9 * inside;
    first.dimension = n;
    first.kind = data::Simplex{size};
    if (!is_simplex) first.kind = data::L1Ball{size, middle};
    shape.reach = 10.0 * size;
  }
  const double radius = 100.0 * shape.reach;
  std::vector<data::Set> members = {first};
  Vector last = dice.normals(n);
  if (shape.note.ends_with("affine")) {
    const Index rows = dice.integer(1, static_cast<int>(n) - 1);
    RowMajorMatrix matrix = dice.normals(rows, n, 1.0);
    if (rows > 1 && dice.chance(0.5))
      matrix.row(1) = matrix.row(0) + 1e-3 * dice.power_of_ten(-4, 0) * matrix.row(1);
    members.push_back(affine(matrix, matrix * inside, radius));
  } else {
    const int count = dice.integer(1, 3);
    for (int i = 0; i < count; ++i) {
      const Vector normal =
          dice.power_of_ten(-2, 2) * (i > 0 && dice.chance(0.4)
                                          ? Vector(dice.sign() * last + dice.normals(n, dice.power_of_ten(-6, -1)))
                                          : dice.normals(n));
      const double room = dice.chance(0.3) ? 0.0 : size * dice.power_of_ten(-6, 0) * normal.norm();
      members.push_back(halfspace(normal, normal.dot(inside) + room, radius));
      last = normal.normalized();
    }
  }
  shape.set = intersection(members);
  shape.direction = dice.chance(0.5) ? dice.normals(n) : Vector(last + dice.normals(n, dice.power_of_ten(-4, 0)));
  return shape;
}

}  // namespace fcbio::adversary
