#include "planted_set.hpp"

#include <algorithm>

#include "shapes.hpp"

namespace fcbio::adversary {
namespace {

using Normal = std::function<ExactVector(Dice&)>;

ExactVector zeros(Index n) { return ExactVector(static_cast<std::size_t>(n), Exact(0)); }

/// 0 .. 4 in steps of 1/8; often 0.
Exact multiplier(Dice& dice) { return dice.chance(0.3) ? Exact(0) : Exact(dice.integer(1, 32)) / 8; }

ExactVector integers(Dice& dice, Index n, int most) {
  ExactVector numbers;
  for (Index j = 0; j < n; ++j) numbers.emplace_back(dice.integer(-most, most));
  return numbers;
}

ExactVector scaled(const Exact& factor, ExactVector vector) {
  for (Exact& entry : vector) entry *= factor;
  return vector;
}

/// Integers whose Euclidean norm is an integer, by stereographic projection.
struct RationalDirection {
  ExactVector vector;
  Exact norm;
};
RationalDirection rational_direction(Dice& dice, Index n, bool nonnegative) {
  RationalDirection direction{zeros(n), 0};
  Exact squares = 0;
  const int q = dice.integer(1, 3);
  for (Index j = 0; j + 1 < n; ++j) {
    const int m = nonnegative ? dice.integer(0, 3) : dice.integer(-3, 3);
    direction.vector[static_cast<std::size_t>(j)] = 2 * q * m;
    squares += m * m;
  }
  direction.vector.back() = squares - q * q;
  direction.norm = squares + q * q;
  if (nonnegative) direction.vector.back() = abs(direction.vector.back());
  return direction;
}

/// A double that is at least |x| by a clear factor.
double generous(const ExactVector& x, double unit) { return 4.0 * nearest_double(norm(x)) + unit; }

PlantedSet in_ball(Dice& dice, ExactVector x, double unit) {
  const auto n = static_cast<Index>(x.size());
  if (dice.chance(0.7)) {
    const RationalDirection direction = rational_direction(dice, n, false);
    ExactVector center = x;
    const Exact scale = Exact(unit) * dice.power_of_two(-2, 4);
    add(center, -scale, direction.vector);
    return {ball(to_doubles(center), to_double(scale * direction.norm)), x,
            [v = direction.vector](Dice& d) { return scaled(multiplier(d), v); }, "ball"};
  }
  ExactVector center = x;
  add(center, unit, integers(dice, n, 8));
  return {ball(to_doubles(center), generous(minus(x, center), unit)), x, [n](Dice&) { return zeros(n); },
          "ball inside"};
}

PlantedSet in_box(Dice& dice, ExactVector x, double unit) {
  ExactVector low = x, high = x;
  std::vector<int> side;  // -1: at the lower end, 1: at the upper, 2: no room, 0: between
  for (std::size_t j = 0; j < x.size(); ++j) {
    side.push_back(dice.pick({-1, -1, 1, 1, 0, 0, 2}));
    if (side[j] == 1 || side[j] == 0) low[j] -= Exact(unit) * dice.integer(1, 64);
    if (side[j] == -1 || side[j] == 0) high[j] += Exact(unit) * dice.integer(1, 64);
  }
  return {box(to_doubles(low), to_doubles(high)), x,
          [side](Dice& d) {
            ExactVector normal;
            for (const int at : side)
              normal.push_back(at == 0 ? Exact(0)
                                       : Exact(multiplier(d) * (at == 2 ? static_cast<int>(d.sign()) : at)));
            return normal;
          },
          "box"};
}

PlantedSet in_halfspace(Dice& dice, ExactVector x, double unit) {
  const auto n = static_cast<Index>(x.size());
  ExactVector a = integers(dice, n, 31);
  a.front() += a.front() == 0 ? 1 : 0;
  const bool active = dice.chance(0.8);
  const Exact value = dot(a, x) + (active ? Exact(0) : Exact(unit) * dice.integer(1, 32));
  const double scale = dice.power_of_two(-20, 20);
  return {halfspace(to_doubles(scaled(scale, a)), to_double(value * scale), generous(x, 64 * unit)), x,
          [a, active](Dice& d) { return scaled(active ? multiplier(d) : Exact(0), a); }, "halfspace"};
}

PlantedSet in_affine(Dice& dice, ExactVector x, double unit) {
  const auto n = static_cast<Index>(x.size());
  const Index count = dice.integer(1, static_cast<int>(std::min<Index>(3, n)));
  std::vector<ExactVector> rows;
  RowMajorMatrix matrix(count, n);
  Vector values(count);
  for (Index i = 0; i < count; ++i) {
    rows.push_back(integers(dice, n, 31));
    rows.back()[static_cast<std::size_t>(i)] += 64;
    matrix.row(i) = to_doubles(rows.back()).transpose();
    values[i] = to_double(dot(rows.back(), x));
  }
  return {affine(matrix, values, generous(x, 64 * unit)), x,
          [rows, n](Dice& d) {
            ExactVector normal = zeros(n);
            for (const ExactVector& row : rows) add(normal, multiplier(d) * static_cast<int>(d.sign()), row);
            return normal;
          },
          "affine"};
}

PlantedSet in_l1_ball(Dice& dice, ExactVector x, double unit) {
  const auto n = static_cast<Index>(x.size());
  ExactVector off = integers(dice, n, 15);
  for (Exact& entry : off)
    if (dice.chance(0.4)) entry = 0;
  if (squared_norm(off) == 0) off.front() = 3;
  ExactVector center = x;
  add(center, -Exact(unit), off);
  Exact radius = 0;
  for (const Exact& entry : off) radius += abs(entry) * unit;
  const data::Set set{data::L1Ball{to_double(radius), to_doubles(center)}, n};
  return {set, x,
          [off](Dice& d) {
            const Exact size = multiplier(d);
            ExactVector normal;
            for (const Exact& entry : off)
              normal.push_back(entry == 0 ? Exact(size * d.integer(-4, 4) / 4)
                                          : Exact(entry > 0 ? size : Exact(-size)));
            return normal;
          },
          "l1-ball"};
}

/// x >= 0
PlantedSet in_simplex(Dice&, ExactVector x, double) {
  Exact total = 0;
  for (const Exact& entry : x) total += entry;
  const data::Set set{data::Simplex{to_double(total)}, static_cast<Index>(x.size())};
  return {set, x,
          [x](Dice& d) {
            const Exact level = multiplier(d) * static_cast<int>(d.sign());
            ExactVector normal;
            for (const Exact& entry : x) normal.push_back(entry > 0 ? level : Exact(level - multiplier(d)));
            return normal;
          },
          "simplex"};
}

/// x >= 0; on the sphere where its norm is given.
PlantedSet in_nonnegative_ball(ExactVector x, const std::optional<Exact>& length, double unit) {
  const double radius = length ? to_double(*length) : generous(x, unit);
  const data::Set set{data::NonnegativeBall{radius}, static_cast<Index>(x.size())};
  return {set, x,
          [x, unit, active = length.has_value()](Dice& d) {
            const Exact size = active ? Exact(multiplier(d) / unit) : Exact(0);
            ExactVector normal;
            for (const Exact& entry : x) normal.push_back(entry > 0 ? Exact(size * entry) : Exact(-multiplier(d)));
            return normal;
          },
          "nonnegative-ball"};
}

ExactVector point(Dice& dice, Index n, double unit, bool nonnegative) {
  ExactVector x = integers(dice, n, dice.pick({7, 63, 1023}));
  for (Exact& entry : x) {
    if (dice.chance(0.2)) entry = 0;
    if (nonnegative) entry = abs(entry);
    entry *= unit;
  }
  return x;
}

PlantedSet plant_one(Dice& dice, Index n, double unit) {
  const std::string kind = dice.pick({"ball", "box", "simplex", "l1-ball", "nonnegative-ball", "halfspace",
                                      "affine", "intersection", "whole-space"});
  if (kind == "nonnegative-ball" && dice.chance(0.6)) {
    const RationalDirection direction = rational_direction(dice, n, true);
    return in_nonnegative_ball(scaled(unit, direction.vector), direction.norm * unit, unit);
  }
  ExactVector x = point(dice, n, unit, kind == "simplex" || kind == "nonnegative-ball");
  if (kind == "simplex" && squared_norm(x) == 0) x.front() = unit;
  if (kind == "nonnegative-ball") return in_nonnegative_ball(x, std::nullopt, unit);
  if (kind == "simplex") return in_simplex(dice, x, unit);
  if (dice.chance(0.2))  // far away, where doubles are coarse
    for (Exact& entry : x) entry += Exact(unit) * std::ldexp(dice.integer(-7, 7), 24);
  if (kind == "ball") return in_ball(dice, x, unit);
  if (kind == "box") return in_box(dice, x, unit);
  if (kind == "l1-ball") return in_l1_ball(dice, x, unit);
  if (kind == "halfspace") return in_halfspace(dice, x, unit);
  if (kind == "affine") return in_affine(dice, x, unit);
  if (kind == "whole-space") {
    const data::Set set{data::WholeSpace{generous(x, unit)}, n};
    return {set, x, [n](Dice&) { return zeros(n); }, kind};
  }
  std::vector<PlantedSet> members;
  const int count = dice.integer(2, 3);
  for (int i = 0; i < count; ++i) {
    const int which = dice.integer(0, 4);
    if (which == 0) members.push_back(in_ball(dice, x, unit));
    if (which == 1) members.push_back(in_box(dice, x, unit));
    if (which >= 2 && which <= 3) members.push_back(in_halfspace(dice, x, unit));
    if (which == 4) members.push_back(in_affine(dice, x, unit));
  }
  std::vector<data::Set> sets;
  std::string note = "intersection of";
  for (const PlantedSet& member : members) {
    sets.push_back(member.set);
    note += " " + member.note;
  }
  return {intersection(sets), x,
          [members, n](Dice& d) {
            ExactVector normal = zeros(n);
            for (const PlantedSet& member : members) add(normal, 1, member.normal(d));
            return normal;
          },
          note};
}

}  // namespace

PlantedSet plant_set(Dice& dice, Index n, double unit) {
  if (n < 2 || dice.chance(0.85)) return plant_one(dice, n, unit);
  const Index first = dice.integer(1, static_cast<int>(n) - 1);
  const PlantedSet a = plant_one(dice, first, unit), b = plant_one(dice, n - first, unit);
  ExactVector x = a.point;
  x.insert(x.end(), b.point.begin(), b.point.end());
  return {product({a.set, b.set}), x,
          [a, b](Dice& d) {
            ExactVector normal = a.normal(d);
            const ExactVector rest = b.normal(d);
            normal.insert(normal.end(), rest.begin(), rest.end());
            return normal;
          },
          "product of " + a.note + " and " + b.note};
}

}  // namespace fcbio::adversary
