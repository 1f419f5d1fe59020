#include "inner/newton_rows.hpp"

#include <cmath>

namespace fcbio {
namespace {

/// Terms that are their own minorant have a constant Hessian, exact_curvature() I.
bool has_no_dual(const Term& term) { return term.dual_size() == 0; }

std::string part_misfit(const Function::Part& part) {
  const Term& term = *part.term;
  if (has_no_dual(term)) return {};
  const std::string name(term.name());
  if (term.tells_hessian()) return {};
  if (term.map() == nullptr)
    return "the term '" + name + "' is not a loss on rows of data, and does not tell products with its Hessian";
  if (term.map()->free() || !term.map()->copy_rows(nullptr))
    return "the numbers of the data of '" + name + "' are not at hand";
  const Vector x = Vector::Zero(term.dimension()), u = Vector::Zero(term.image_size());
  Vector w(term.map()->rows());
  if (!term.curvature(x, u, w)) return "the loss '" + name + "' has no diagonal second derivative";
  return {};
}

}  // namespace

std::string NewtonRows::misfit(const Problem& problem) {
  for (Level level : kLevels)
    for (const Function::Part& part : problem.function(level).parts())
      if (std::string why = part_misfit(part); !why.empty()) return why;
  return {};
}

NewtonRows::NewtonRows(const Problem& problem) : dimension_(problem.dimension()) {
  const Vector origin = Vector::Zero(dimension_), nothing;
  for (Level level : {Level::lower, Level::upper}) {
    Vector& slope = linear_[level];
    slope = Vector::Zero(dimension_);
    const std::vector<Function::Part>& parts = problem.function(level).parts();
    for (std::size_t place = 0; place < parts.size(); ++place) {
      const Term& term = *parts[place].term;
      if (has_no_dual(term)) {
        term.add_gradient(parts[place].weight, origin, nothing, nothing, slope);
        curvature_[level] += parts[place].weight * term.exact_curvature();
        continue;
      }
      if (term.tells_hessian()) {
        products_.push_back({level, place, parts[place].weight, &term});
        numbers_ += dimension_ * dimension_;
        looks_constant_[level] = false;
        continue;
      }
      const Index rows = term.map()->rows();
      parts_.push_back({level, place, parts[place].weight, &term, size_, rows});
      size_ += rows;
      numbers_ += term.map()->numbers();
      const Vector near = Vector::Zero(rows), far = Vector::NullaryExpr(rows, [](Index i) {
                                                return 10.0 * std::sin(1.0 + static_cast<double>(i));
                                              });
      Vector at_near(rows), at_far(rows);
      term.curvature(origin, near, at_near);
      term.curvature(origin, far, at_far);
      if (at_near != at_far || at_near.minCoeff() <= 0.0) looks_constant_[level] = false;
    }
    slope *= -1.0;
    if (level == Level::lower) lower_size_ = size_;
  }
}

double NewtonRows::curvature(const Weights& weights) const {
  return weights.upper * curvature_.upper + weights.lower * curvature_.lower;
}

void NewtonRows::add_linear(const Weights& weights, VectorOut out) const {
  for (Level level : kLevels)
    if (weights.uses(level)) out += weights.of(level) * linear(level);
}

void NewtonRows::curvatures(Level level, const Iterate& at, VectorOut out) const {
  for (const Part& part : parts_) {
    if (part.level != level) continue;
    auto segment = out.segment(part.first, part.rows);
    part.term->curvature(at.point.x, at.point.images_of(level)[part.place], segment);
    segment *= part.weight;
  }
}

void NewtonRows::forces(const Weights& weights, const Iterate& at, VectorOut out) const {
  for (const Part& part : parts_) {
    if (part.first >= out.size()) continue;
    const double weight = part.weight * weights.of(part.level);
    if (weights.uses(part.level))
      out.segment(part.first, part.rows) = weight * at.at[part.level].duals[part.place];
    else
      out.segment(part.first, part.rows).setZero();
  }
}

void NewtonRows::stack(const Weights& weights, const Point& point, VectorOut out) const {
  for (const Part& part : parts_) {
    if (part.first >= out.size()) continue;
    if (weights.uses(part.level))
      out.segment(part.first, part.rows) = point.images_of(part.level)[part.place];
    else
      out.segment(part.first, part.rows).setZero();
  }
}

void NewtonRows::add_transpose(Level level, VectorIn rows, VectorOut out) const {
  for (const Part& part : parts_)
    if (part.level == level) part.term->map()->add_transpose(1.0, rows.segment(part.first, part.rows), out);
}

}  // namespace fcbio
