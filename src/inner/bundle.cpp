#include "inner/bundle.hpp"

#include "linalg/dense_kernels.hpp"

namespace fcbio {
namespace {

Index points_size(const Function& function) { return function.exact_curvature() > 0.0 ? function.dimension() : 0; }

}  // namespace

CutCombination::CutCombination(const Problem& problem)
    : slope(Vector::Zero(problem.dimension())), duals{problem.upper().make_duals(), problem.lower().make_duals()} {
  for (Level level : kLevels) points[level].setZero(points_size(problem.function(level)));
}

Bundle::Bundle(const Problem& problem, Index capacity, const Vector& shift)
    : capacity_(capacity),
      shift_(shift),
      slopes_(problem.dimension(), capacity),
      constants_(capacity),
      shifted_(capacity),
      weights_{Vector(capacity), Vector(capacity)},
      gram_(capacity, capacity),
      births_(static_cast<std::size_t>(capacity)) {
  for (Level level : kLevels) {
    const Function& function = problem.function(level);
    for (const Vector& dual : function.make_duals()) duals_[level].emplace_back(dual.size(), capacity);
    points_[level].resize(points_size(function), capacity);
  }
}

void Bundle::archive(Archive& archive) {
  archive(size_, born_, removals_, constants_, shifted_, weights_, births_);
  archive.leading_columns(slopes_, size_);
  archive.leading_columns(gram_, size_);
  for (Level level : kLevels) {
    for (Eigen::MatrixXd& duals : duals_[level]) archive.leading_columns(duals, size_);
    archive.leading_columns(points_[level], size_);
  }
}

void Bundle::enter(Index i) {
  shifted_[i] = slopes_.col(i).dot(shift_);
  births_[static_cast<std::size_t>(i)] = ++born_;
  ++size_;
  const DenseBlock block{slopes_.data(), slopes_.rows(), size_, slopes_.rows()};
  gram_.col(i).head(size_).setZero();
  block_inner_products(block, 1.0, slopes_.col(i).data(), gram_.col(i).data());
  gram_.row(i).head(size_) = gram_.col(i).head(size_).transpose();
}

void Bundle::add(Level level, const Linearization& at_y, VectorIn y) {
  const Index i = size_;
  slopes_.col(i) = at_y.gradient;
  constants_[i] = at_y.value - at_y.gradient.dot(y);
  for (Level each : kLevels) {
    weights_[each][i] = each == level ? 1.0 : 0.0;
    for (std::size_t part = 0; part < duals_[each].size(); ++part) {
      if (each == level)
        duals_[each][part].col(i) = at_y.duals[part];
      else
        duals_[each][part].col(i).setZero();
    }
    if (points_[each].rows() == 0) continue;
    if (each == level)
      points_[each].col(i) = y;
    else
      points_[each].col(i).setZero();
  }
  enter(i);
}

void Bundle::add(const CutCombination& cut) {
  const Index i = size_;
  // Of total weight 1: multipliers of mixed cuts stay comparable with those of the others.
  const double scale = 1.0 / (cut.weights.upper + cut.weights.lower);
  slopes_.col(i) = scale * cut.slope;
  constants_[i] = scale * cut.constant;
  for (Level level : kLevels) {
    weights_[level][i] = scale * cut.weights[level];
    for (std::size_t part = 0; part < duals_[level].size(); ++part)
      duals_[level][part].col(i) = scale * cut.duals[level][part];
    if (points_[level].rows() > 0) points_[level].col(i) = scale * cut.points[level];
  }
  enter(i);
}

void Bundle::remove(Index i) {
  const Index last = --size_;
  ++removals_;
  if (i == last) return;
  slopes_.col(i) = slopes_.col(last);
  constants_[i] = constants_[last];
  shifted_[i] = shifted_[last];
  for (Level level : kLevels) {
    weights_[level][i] = weights_[level][last];
    for (Eigen::MatrixXd& dual : duals_[level]) dual.col(i) = dual.col(last);
    if (points_[level].rows() > 0) points_[level].col(i) = points_[level].col(last);
  }
  gram_.col(i).head(size_) = gram_.col(last).head(size_);
  gram_(i, i) = gram_(last, last);
  gram_.row(i).head(size_) = gram_.col(i).head(size_).transpose();
  births_[static_cast<std::size_t>(i)] = births_[static_cast<std::size_t>(last)];
}

void Bundle::combine(const Vector& nu, CutCombination& out) const {
  out.slope.setZero();
  out.constant = 0.0;
  for (Level level : kLevels) {
    out.weights[level] = 0.0;
    for (Vector& dual : out.duals[level]) dual.setZero();
    out.points[level].setZero();
  }
  for (Index i = 0; i < size_; ++i) {
    if (!(nu[i] > 0.0)) continue;
    out.slope += nu[i] * slopes_.col(i);
    out.constant += nu[i] * constants_[i];
    for (Level level : kLevels) {
      const double weight = weights_[level][i];
      if (!(weight > 0.0)) continue;
      out.weights[level] += nu[i] * weight;
      for (std::size_t part = 0; part < duals_[level].size(); ++part)
        out.duals[level][part] += nu[i] * duals_[level][part].col(i);
      if (points_[level].rows() > 0) out.points[level] += nu[i] * points_[level].col(i);
    }
  }
}

CutBounds::CutBounds(const Problem& problem)
    : averages_{problem.upper().make_duals(), problem.lower().make_duals()},
      slope_(Vector::Zero(problem.dimension())),
      point_(slope_),
      residual_(slope_) {}

// The constant of the averaged minorant of one level, from the conjugates.
double CutBounds::average(const Function& function, Level level, const CutCombination& cut) {
  double constant = 0.0;
  for (std::size_t part = 0; part < function.parts().size(); ++part) {
    const Term& term = *function.parts()[part].term;
    averages_[level][part] = cut.duals[level][part] / cut.weights[level];
    // Where a dual carries numbers derived from the rest the average is consistent by linearity.
    if (term.witness_size() == term.dual_size()) term.repair_dual(averages_[level][part]);
    constant += function.parts()[part].weight * term.dual_constant(averages_[level][part]);
  }
  return constant;
}

CutBounds::Bound CutBounds::lower(Oracle& oracle, const CutCombination& cut) {
  const Function& g = oracle.problem().lower();
  const double weight = cut.weight(Level::lower);
  const double constant = average(g, Level::lower, cut);
  slope_ = cut.slope / weight;
  if (g.exact_curvature() > 0.0) slope_ -= (g.exact_curvature() / weight) * cut.points.lower;
  return {0.0, minimum_over_domain(oracle, constant, g.exact_curvature(), slope_, point_, residual_)};
}

CutBounds::Bound CutBounds::lagrangian(Oracle& oracle, const CutCombination& cut) {
  const Problem& problem = oracle.problem();
  const double weight = cut.weight(Level::upper);
  const double mu = cut.weight(Level::lower) / weight;
  double constant = average(problem.upper(), Level::upper, cut);
  double curvature = problem.upper().exact_curvature();
  slope_ = cut.slope / weight;
  if (curvature > 0.0) slope_ -= (curvature / weight) * cut.points.upper;
  if (mu > 0.0) {
    constant += mu * average(problem.lower(), Level::lower, cut);
    const double lower_curvature = problem.lower().exact_curvature();
    if (lower_curvature > 0.0) slope_ -= (lower_curvature / weight) * cut.points.lower;
    curvature += mu * lower_curvature;
  }
  return {mu, minimum_over_domain(oracle, constant, curvature, slope_, point_, residual_)};
}

void CutBounds::lift(const Problem& problem, VectorIn point, CutCombination& cut) {
  double constant = 0.0;
  for (Level level : kLevels) {
    const double weight = cut.weight(level);
    if (!(weight > 0.0)) continue;
    const Function& function = problem.function(level);
    const double curvature = function.exact_curvature();
    constant += weight * average(function, level, cut);
    if (!(curvature > 0.0)) continue;
    // The minorant is affine + curvature/2 |x|^2; the square is replaced by its tangent at `point`.
    Vector& points = cut.points[level];
    cut.slope += curvature * (weight * point - points);
    points = weight * point;
    constant -= 0.5 * curvature * weight * point.squaredNorm();
  }
  cut.constant = constant;
}

}  // namespace fcbio
