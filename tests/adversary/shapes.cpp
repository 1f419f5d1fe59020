#include "shapes.hpp"

#include <fmt/format.h>

#include <algorithm>

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
  io::SetData& set = shape.set;
  set.dimension = n;
  shape.note = dice.pick({"ball", "box", "simplex", "l1-ball", "nonnegative-ball", "halfspace"});
  if (n == 1 && shape.note == "halfspace") shape.note = "box";
  set.kind = shape.note;
  shape.reach = size;
  if (set.kind == "simplex") {
    set.total = size;
    return shape;
  }
  if (set.kind == "box") {
    const Vector middle = center(dice, n, size);
    set.lower = middle;
    set.upper = middle;
    for (Index j = 0; j < n; ++j) {
      if (dice.chance(0.1)) continue;  // no room in this direction
      set.lower[j] -= size * dice.uniform(0.0, 1.0);
      set.upper[j] += size * dice.uniform(0.0, 1.0);
    }
    shape.reach = reach_of(middle, size);
    return shape;
  }
  set.radius = size;
  if (set.kind == "ball" || set.kind == "l1-ball") {
    set.center = center(dice, n, size);
    shape.reach = reach_of(set.center, size);
  }
  if (set.kind == "halfspace") {
    set.coefficients = dice.normals(n, dice.power_of_ten(-4, 4));
    set.value = set.coefficients.norm() * size * dice.uniform(-0.9, 0.9);
  }
  return shape;
}

}  // namespace

io::SetData ball(Vector center, double radius) {
  io::SetData set;
  set.kind = "ball";
  set.dimension = center.size();
  set.center = std::move(center);
  set.radius = radius;
  return set;
}

io::SetData box(Vector lower, Vector upper) {
  io::SetData set;
  set.kind = "box";
  set.dimension = lower.size();
  set.lower = std::move(lower);
  set.upper = std::move(upper);
  return set;
}

io::SetData halfspace(Vector coefficients, double value, double radius) {
  io::SetData set;
  set.kind = "halfspace";
  set.dimension = coefficients.size();
  set.coefficients = std::move(coefficients);
  set.value = value;
  set.radius = radius;
  return set;
}

io::SetData affine(RowMajorMatrix matrix, Vector values, double radius) {
  io::SetData set;
  set.kind = "affine";
  set.dimension = matrix.cols();
  set.matrix = std::move(matrix);
  set.values = std::move(values);
  set.radius = radius;
  return set;
}

io::SetData whole(const char* kind, std::vector<io::SetData> sets) {
  io::SetData set;
  set.kind = kind;
  const bool is_product = set.kind == "product";
  for (const io::SetData& part : sets) set.dimension = part.dimension + (is_product ? set.dimension : 0);
  set.sets = std::move(sets);
  return set;
}

Shape plain_shape(Dice& dice) {
  const Index n = dice.dimension(1);
  const double size = dice.power_of_ten(-6, 6);
  if (n < 2 || dice.chance(0.8)) return plain_part(dice, n, size);
  const Index first = dice.integer(1, static_cast<int>(n) - 1);
  const Shape a = plain_part(dice, first, size), b = plain_part(dice, n - first, size * dice.power_of_ten(-2, 2));
  Shape shape;
  shape.set = whole("product", {a.set, b.set});
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
    shape.set = whole("intersection",
                      {ball(middle, radius), affine(matrix, matrix * point, 4.0 * (middle.norm() + radius))});
    shape.reach = reach_of(middle, radius);
    shape.note = "ball and affine";
    return shape;
  }
  shape.set = affine(matrix, matrix * inside, radius);
  if (rows == 3 && matrix.row(2) == 2.0 * matrix.row(1)) shape.set.values[2] = 2.0 * shape.set.values[1];
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
    shape.set = whole(
        "intersection",
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
  shape.set =
      whole("intersection", {ball(middle, first), ball(middle + (first + second - overlap) * axis, second)});
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
  shape.set = whole("intersection", {halfspace(n1, n1.dot(apex), radius), halfspace(n2, n2.dot(apex), radius)});
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
  io::SetData first;
  Vector inside(n);  // a point of the first member
  if (shape.note.starts_with("box") || shape.note == "point") {
    const Vector middle = dice.normals(n, size * dice.pick({0.0, 1.0, 100.0}));
    const double room = shape.note == "point" ? 0.0 : size;
    first = box(middle - Vector::Constant(n, room), middle + Vector::Constant(n, room * dice.uniform(0.1, 1.0)));
    for (Index j = 0; j < n; ++j) inside[j] = dice.uniform(first.lower[j], first.upper[j]);
    shape.reach = reach_of(middle, 2.0 * size);
  } else {
    first.kind = shape.note.starts_with("simplex") ? "simplex" : "l1-ball";
    first.dimension = n;
    first.total = size;
    if (first.kind == "l1-ball") {
      first.radius = size;
      first.center = dice.normals(n, size * dice.pick({0.0, 1.0}));
    }
    double sum = 0.0;
    for (double& entry : inside) sum += entry = dice.uniform(0.0, 1.0);
    inside *= size / sum;
    if (first.kind == "l1-ball") inside = first.center + 0.9 * inside;
    shape.reach = 10.0 * size;
  }
  const double radius = 100.0 * shape.reach;
  std::vector<io::SetData> members = {first};
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
  shape.set = whole("intersection", members);
  shape.direction = dice.chance(0.5) ? dice.normals(n) : Vector(last + dice.normals(n, dice.power_of_ten(-4, 0)));
  return shape;
}

}  // namespace fcbio::adversary
