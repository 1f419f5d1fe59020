#include "sets/membership.hpp"

#include <algorithm>
#include <cmath>

#include "sets/polyhedral_form.hpp"

namespace fcbio::sets {
namespace {

constexpr int kTries = 12;               // the margin doubles from try to try
constexpr double kSameNumbers = 4096.0;  // units in the last place
constexpr Extended kTight = 0x1p-40L;    // slack, in units of what it is the difference of, that is rounding
constexpr Extended kBand = 1e-3L;        // a slack this near to the limit is taken for neither
constexpr double kRoomBudget = 2e10;     // operations that may be spent on finding the point with the most room

std::vector<bool> fixed_coordinates(Index dimension, const Conditions& conditions) {
  std::vector<bool> fixed(static_cast<std::size_t>(dimension), false);
  for (const Conditions::Sides& sides : conditions.sides)
    for (Index j = 0; j < sides.size; ++j)
      if (sides.fixes(j)) fixed[static_cast<std::size_t>(sides.first + j)] = true;
  return fixed;
}

/// <a, x> and |a|^2 of a plane or a row.
struct Product {
  ExtendedSum sum, square;
  void add(double a, double x) {
    sum.add_product(a, x);
    square.add(Extended{a} * a);
  }
  Extended length() const { return std::sqrt(square.value()); }
  /// (value - <a, x>) / |a|, from below; of a zero row there is no limit to it.
  Extended room_below(double value) const {
    if (square.value() == 0) return kExtendedInfinity;
    ExtendedSum left;
    left.add(value);
    left.add(-sum.value(), sum.size());
    const Extended least = left.at_least();
    return least / (length() * (1 + (least > 0 ? kAllowance : -kAllowance)));
  }
  Extended room_above(double value) const {
    Product mirrored = *this;
    mirrored.sum = ExtendedSum{};
    mirrored.sum.add(-sum.value(), sum.size());
    return mirrored.room_below(-value);
  }
  /// |value - <a, x>| in units of what counts as rounding.
  Extended slack(double value) const {
    return std::abs(value - sum.value()) / (kTight * (std::abs(Extended{value}) + sum.size()));
  }
};

Product product_of(const Conditions::Plane& plane, VectorIn x) {
  Product product;
  for (Index j = 0; j < plane.normal->size(); ++j) product.add((*plane.normal)[j], x[plane.first + j]);
  return product;
}

Product product_of(const Conditions::Rows& block, Index row, VectorIn x) {
  Product product;
  block.matrix.each(row, [&](Index j, double a) { product.add(a, x[block.first + j]); });
  return product;
}

/// <a, x> = value without any rounding.
bool meets_exactly(const Conditions::Rows& block, Index row, VectorIn x, double value) {
  std::vector<Extended> factors{-1}, numbers{value};
  block.matrix.each(row, [&](Index j, double a) {
    factors.push_back(a);
    numbers.push_back(x[block.first + j]);
  });
  return vanishes_without_rounding(factors, numbers);
}

Extended room_in(const Conditions::Round& ball, VectorIn x) {
  return Extended{ball.radius} - norm_at_most(x.segment(ball.first, ball.size), ball.centre, ball.size);
}

Extended room_in_l1(const Conditions::Round& ball, VectorIn x) {
  ExtendedSum left;
  left.add(ball.radius);
  for (Index j = 0; j < ball.size; ++j)
    left.add(-std::abs(Extended{x[ball.first + j]} - (ball.centre != nullptr ? Extended{(*ball.centre)[j]} : 0)));
  const Extended least = left.at_least();
  // For less than nothing the distance to the ball is what counts, and it is at most the excess itself.
  return least > 0 ? least / (std::sqrt(static_cast<Extended>(ball.size)) * (1 + kAllowance)) : least;
}

Extended room_between(const Conditions::Sides& sides, const std::vector<bool>& fixed, VectorIn x) {
  Extended least = kExtendedInfinity;
  for (Index j = 0; j < sides.size; ++j) {
    const Extended at = x[sides.first + j];
    const Extended room = std::min(at - sides.lower_side(j), sides.upper_side(j) - at);
    if (!fixed[static_cast<std::size_t>(sides.first + j)] || room < 0)
      least = std::min(least, room > 0 ? room * (1 - kAllowance) : room);
  }
  return least;
}

void append(const Conditions::Rows& block, Index row, double value, EquationRows& out) {
  block.matrix.each(row, [&](Index j, double a) {
    out.matrix.columns.push_back(static_cast<std::int32_t>(block.first + j));
    out.matrix.values.push_back(a);
  });
  out.close(value);
}

void append(Index first, const Vector& row, double value, EquationRows& out) {
  for (Index j = 0; j < row.size(); ++j) {
    if (row[j] == 0.0) continue;
    out.matrix.columns.push_back(static_cast<std::int32_t>(first + j));
    out.matrix.values.push_back(row[j]);
  }
  out.close(value);
}

bool has_numbers(const Conditions::Rows& block, Index row) {
  bool found = false;
  block.matrix.each(row, [&](Index, double) { found = true; });
  return found;
}

EquationRows given_equations(Index dimension, const Conditions& conditions) {
  EquationRows all(dimension);
  for (const Conditions::Equation& equation : conditions.equations)
    append(equation.first, equation.row, equation.value, all);
  for (const Conditions::Rows& block : conditions.rows)
    for (Index i = 0; i < block.matrix.count(); ++i)
      if (block.is_equation(i) && has_numbers(block, i)) append(block, i, (*block.lower)[i], all);
  return all;
}

}  // namespace

Membership::Membership(Index dimension, Conditions conditions)
    : conditions_(std::move(conditions)),
      fixed_(fixed_coordinates(dimension, conditions_)),
      equations_(given_equations(dimension, conditions_), fixed_) {}

Membership::Membership(Index dimension, Conditions conditions, std::vector<TightRow> tight,
                       std::vector<bool> fixed)
    : conditions_(std::move(conditions)), tight_(std::move(tight)), fixed_(std::move(fixed)) {
  EquationRows all = given_equations(dimension, conditions_);
  for (const auto& [block, row, side] : tight_) {
    if (block == kPlanes) {
      const Conditions::Plane& plane = conditions_.planes[static_cast<std::size_t>(row)];
      append(plane.first, *plane.normal, plane.value, all);
    } else {
      const Conditions::Rows& rows = conditions_.rows[block];
      append(rows, row, side == Side::lower ? (*rows.lower)[row] : (*rows.upper)[row], all);
    }
  }
  equations_ = Equations(std::move(all), fixed_);
}

bool Membership::is_tight(std::size_t block, Index row) const {
  return std::any_of(tight_.begin(), tight_.end(),
                     [&](const TightRow& tight) { return tight.block == block && tight.row == row; });
}

double Membership::room(VectorIn x) const {
  Extended least = kExtendedInfinity;
  for (const auto& sides : conditions_.sides) least = std::min(least, room_between(sides, fixed_, x));
  for (std::size_t i = 0; i < conditions_.planes.size(); ++i)
    if (!is_tight(kPlanes, static_cast<Index>(i)))
      least = std::min(least, product_of(conditions_.planes[i], x).room_below(conditions_.planes[i].value));
  auto next = tight_.begin();  // in the order of the rows
  while (next != tight_.end() && next->block == kPlanes) ++next;
  for (std::size_t k = 0; k < conditions_.rows.size(); ++k) {
    const Conditions::Rows& block = conditions_.rows[k];
    for (Index i = 0; i < block.matrix.count(); ++i) {
      const bool tight = next != tight_.end() && next->block == k && next->row == i;
      if (tight) ++next;
      if (tight || block.is_equation(i)) continue;
      const Product product = product_of(block, i, x);
      const auto take = [&](Extended room, double side) {
        if (room < 0 && product.slack(side) <= 1 && meets_exactly(block, i, x, side)) room = 0;
        least = std::min(least, room);
      };
      if ((*block.upper)[i] < kInfinity) take(product.room_below((*block.upper)[i]), (*block.upper)[i]);
      if ((*block.lower)[i] > -kInfinity) take(product.room_above((*block.lower)[i]), (*block.lower)[i]);
    }
  }
  for (const auto& ball : conditions_.balls) least = std::min(least, room_in(ball, x));
  for (const auto& ball : conditions_.l1_balls) least = std::min(least, room_in_l1(ball, x));
  return rounded_down(least);
}

bool Membership::picks_agree(VectorIn x) const {
  if (tight_.empty() && fixed_ == fixed_coordinates(x.size(), conditions_)) return true;
  const auto agrees = [](bool tight, Extended slack) { return tight ? slack <= 1 - kBand : slack >= 1 + kBand; };
  for (std::size_t i = 0; i < conditions_.planes.size(); ++i) {
    const Product product = product_of(conditions_.planes[i], x);
    if (!agrees(is_tight(kPlanes, static_cast<Index>(i)), product.slack(conditions_.planes[i].value)))
      return false;
  }
  auto next = tight_.begin();
  while (next != tight_.end() && next->block == kPlanes) ++next;
  for (std::size_t k = 0; k < conditions_.rows.size(); ++k) {
    const Conditions::Rows& block = conditions_.rows[k];
    for (Index i = 0; i < block.matrix.count(); ++i) {
      const bool tight = next != tight_.end() && next->block == k && next->row == i;
      const Side side = tight ? next->side : Side::none;
      if (tight) ++next;
      if (block.is_equation(i)) continue;
      const Product product = product_of(block, i, x);
      if (product.square.value() == 0) continue;
      if ((*block.lower)[i] > -kInfinity && !agrees(side == Side::lower, product.slack((*block.lower)[i])))
        return false;
      if ((*block.upper)[i] < kInfinity && !agrees(side == Side::upper, product.slack((*block.upper)[i])))
        return false;
    }
  }
  for (const Conditions::Sides& sides : conditions_.sides)
    for (Index j = 0; j < sides.size; ++j) {
      const double at = x[sides.first + j];
      const bool on_side = at == sides.lower_side(j) || at == sides.upper_side(j);
      if (on_side && !fixed_[static_cast<std::size_t>(sides.first + j)]) return false;
    }
  return true;
}

double Membership::distance(VectorIn x) const {
  const double to_solutions = equations_.distance(x);
  return room(x) >= to_solutions && picks_agree(x) ? to_solutions : kInfinity;
}

double Membership::settle(VectorOut x, const Vector& interior) const {
  if (!x.allFinite()) return kInfinity;
  double reached = distance(x);
  if (reached < kInfinity || interior.size() == 0) return reached;
  const double deep = room(interior);
  const Vector original = x;
  if (!tight_.empty()) equations_.approach(x);
  const Vector given = x;
  double margin = 2.0 * kEpsilon * given.norm();
  for (int k = 0; k < kTries && reached == kInfinity; ++k, margin *= tight_.empty() ? 2.0 : 8.0) {
    const double wanted = 2.0 * equations_.distance(given) + margin;
    if (!(deep > wanted)) break;
    const double here = std::min(room(given), wanted);
    const double share = std::min(1.0, (wanted - here) / (deep - here));
    x = given + share * (interior - given);
    for (Index j = 0; j < x.size(); ++j)
      if (fixed_[static_cast<std::size_t>(j)]) x[j] = interior[j];
    reached = distance(x);
  }
  if (reached == kInfinity && (interior - given).norm() <= kSameNumbers * kEpsilon * given.norm()) {
    // A set hardly larger than the distance of two doubles: its interior point is as good.
    x = interior;
    reached = distance(x);
  }
  if (reached == kInfinity) x = original;
  return reached;
}

std::unique_ptr<Membership> Membership::tightened(const interior::Tight& ties, Vector& s) const {
  using Tie = interior::Tight::Tie;
  std::vector<TightRow> tight;
  std::vector<bool> fixed = fixed_;
  for (std::size_t j = 0; j < fixed.size(); ++j) fixed[j] = fixed[j] || ties.sides[j] != Tie::none;
  std::size_t next = 0;
  const auto take = [&](std::size_t block, Index row) {
    const Tie tie = ties.rows[next++];
    if (tie != Tie::none) tight.push_back({block, row, tie == Tie::low ? Side::lower : Side::upper});
  };
  for (std::size_t i = 0; i < conditions_.planes.size(); ++i) take(kPlanes, static_cast<Index>(i));
  for (std::size_t k = 0; k < conditions_.rows.size(); ++k)
    for (Index i = 0; i < conditions_.rows[k].matrix.count(); ++i) {
      if (conditions_.rows[k].is_equation(i))
        ++next;
      else
        take(k, i);
    }
  std::unique_ptr<Membership> smaller(new Membership(s.size(), conditions_, std::move(tight), std::move(fixed)));
  smaller->equations_.approach(s);
  smaller->equations_.approach(s);
  return smaller->room(s) > 0.0 ? std::move(smaller) : nullptr;
}

std::unique_ptr<Membership> Membership::picked(VectorIn x) const {
  std::vector<TightRow> tight;
  std::vector<bool> fixed = fixed_;
  for (const Conditions::Sides& sides : conditions_.sides)
    for (Index j = 0; j < sides.size; ++j) {
      const double at = x[sides.first + j];
      if (at == sides.lower_side(j) || at == sides.upper_side(j))
        fixed[static_cast<std::size_t>(sides.first + j)] = true;
    }
  for (std::size_t i = 0; i < conditions_.planes.size(); ++i)
    if (product_of(conditions_.planes[i], x).slack(conditions_.planes[i].value) <= 1)
      tight.push_back({kPlanes, static_cast<Index>(i), Side::upper});
  for (std::size_t k = 0; k < conditions_.rows.size(); ++k) {
    const Conditions::Rows& block = conditions_.rows[k];
    for (Index i = 0; i < block.matrix.count(); ++i) {
      if (block.is_equation(i)) continue;
      const Product product = product_of(block, i, x);
      if (product.square.value() == 0) continue;
      if ((*block.upper)[i] < kInfinity && product.slack((*block.upper)[i]) <= 1)
        tight.push_back({k, i, Side::upper});
      else if ((*block.lower)[i] > -kInfinity && product.slack((*block.lower)[i]) <= 1)
        tight.push_back({k, i, Side::lower});
    }
  }
  return std::unique_ptr<Membership>(new Membership(x.size(), conditions_, std::move(tight), std::move(fixed)));
}

std::unique_ptr<Membership> membership_of(const ConvexSet& set) {
  Conditions conditions;
  if (!set.describe(conditions, 0)) return nullptr;
  return std::make_unique<Membership>(set.dimension(), std::move(conditions));
}

Settler::Settler(std::unique_ptr<Membership> membership, VectorIn start, double size)
    : membership_(std::move(membership)) {
  if (!find_deepest(size) && !find_interior(*membership_, start, size, interior_)) interior_.resize(0);
}

/// By the linear program of the largest room, where no ball cuts anything off; false: one does, or it was not solved.
bool Settler::find_deepest(double size) {
  const Conditions& conditions = membership_->conditions();
  if (!(size > 0.0) || !std::isfinite(size)) return false;
  const std::optional<PolyhedralForm> form =
      polyhedral_form(conditions, static_cast<Index>(membership_->fixed().size()));
  if (!form) return false;
  const interior::PolyhedronView view{.dense = std::get_if<RowMajorMatrix>(&form->matrix),
                                      .sparse = std::get_if<CsrMatrix>(&form->matrix),
                                      .row_lower = &form->row_lower,
                                      .row_upper = &form->row_upper,
                                      .lower = &form->lower,
                                      .upper = &form->upper};
  OperationBudget budget(kRoomBudget);
  const interior::DeepestPoint deepest = interior::deepest_point(view, size, &budget);
  if (deepest.outcome != interior::Outcome::solved || !deepest.x.allFinite()) return false;
  if (deepest.room > interior::kNoRoom * size) {
    interior_ = deepest.x;
    membership_->equations().approach(interior_);
    if (membership_->room(interior_) > 0.0) return true;
  }
  interior_.resize(0);
  tight_ = interior::find_tight(view, deepest, size);
  if (!tight_) return true;
  tight_interior_ = tight_->x;
  tightened_ = membership_->tightened(*tight_, tight_interior_);
  return true;
}

bool Settler::interior_point(VectorOut s) const {
  if (interior_.size() == 0) return false;
  s = interior_;
  return true;
}

double Settler::settle(VectorOut x) const {
  double off = membership_->settle(x, interior_);
  if (off < kInfinity || !tight_) return off;
  off = settle_on_face(x);
  if (off < kInfinity || !tightened_) return off;
  return tightened_->settle(x, tight_interior_);
}

/// Where everything that is tight at x holds as equations, x hardly moves.
double Settler::settle_on_face(VectorOut x) const {
  if (!x.allFinite()) return kInfinity;
  Vector trial = x;
  if ((tight_->x - x).norm() <= kSameNumbers * kEpsilon * x.norm()) {  // a single point, perhaps, known to the last digit
    trial = tight_->x;
    if (const double off = membership_->settle(trial, Vector()); off < kInfinity) {
      x = trial;
      return off;
    }
    trial = x;
  }
  const double near = static_cast<double>(kTight) * (1.0 + x.lpNorm<Eigen::Infinity>());
  for (const Conditions::Sides& sides : membership_->conditions().sides)
    for (Index j = 0; j < sides.size; ++j) {
      double& at = trial[sides.first + j];
      if (std::abs(at - sides.lower_side(j)) <= near) at = sides.lower_side(j);
      if (std::abs(at - sides.upper_side(j)) <= near) at = sides.upper_side(j);
    }
  const std::unique_ptr<Membership> face = membership_->picked(trial);
  face->equations().approach(trial);
  const double off = face->settle(trial, Vector());
  if (off < kInfinity) x = trial;
  return off;
}

}  // namespace fcbio::sets
