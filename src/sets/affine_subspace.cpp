// An affine subspace cut by a ball, {x : M x = values, |x| <= radius}, or not cut (radius infinite).
//
// Q has as columns an orthonormal basis of the row space of M (rank-revealing QR of M', rows scaled to norm 1),
// x_p is the solution of least norm, which lies in that row space.  So the set is the ball of radius rho =
// sqrt(radius^2 - |x_p|^2) about x_p inside the null space of M, and with N = I - Q Q'
//   projection      x_p + N x min(1, rho / |N x|)
//   linear minimum  <c, x_p> - rho |N c|, at x_p - rho N c / |N c|
// Refused: equations that contradict each other, and |x_p| > radius, which leaves the set empty.
#include <algorithm>
#include <cmath>
#include <mutex>
#include <utility>
#include <vector>

#include "fcbio/error.hpp"
#include "fcbio/set.hpp"
#include "linalg/pivoted_qr.hpp"
#include "sets/checks.hpp"
#include "sets/membership.hpp"

namespace fcbio {
namespace {

/// A row whose part outside the span of the others is smaller than this (rows have norm 1) depends on them.
constexpr double kDependent = 1e-12;
/// Relative residual up to which a dependent equation agrees with the others.
constexpr double kConsistent = 1e-9;

class AffineSubspace final : public ConvexSet {
 public:
  AffineSubspace(RowMajorMatrix matrix, Vector values, double radius)
      : matrix_(std::move(matrix)), values_(std::move(values)), radius_(radius) {
    check_arguments();
    given_matrix_ = matrix_;
    given_values_ = values_;
    scale_rows();
    find_basis();
    check_consistent();
  }

  std::string_view name() const override { return "affine"; }
  Index dimension() const override { return matrix_.cols(); }

  void project(VectorOut x, Scratch& scratch) const override {
    scratch.is_over(4.0 * static_cast<double>(basis_.size()));  // told for the loops around it
    const double norm = null_part(x);
    if (norm > disc_radius_) x *= disc_radius_ / norm;
    x += least_norm_;
  }

  /// For every m and every member z, <s, z> = <m, v> + <s - M'm, z> >= <m, v> - radius |s - M'm|.  The best m
  /// leaves s - M'm parallel to the minimiser; an error in it costs tightness and not truth.  What the evaluation
  /// itself may lose grows with |m| (badly conditioned equations have large multipliers) and is subtracted.
  double linear_lower_bound(VectorIn direction, Scratch& scratch) const override {
    const double norm = sets::norm_of(direction);
    if (radius_ == kInfinity) {
      Vector& given = scratch.vector(3, matrix_.rows());
      given = best_multipliers(direction, kMostPull * norm, scratch);
      for (Index i = 0; i < matrix_.rows(); ++i)
        if (lengths_[i] > 0.0) given[i] /= lengths_[i];
      return evaluate(direction, given);
    }
    const double most = norm / std::sqrt(kEpsilon * static_cast<double>(dimension() + 16));  // as for a halfspace
    const Vector& multipliers = best_multipliers(direction, most, scratch);
    Vector& rest = scratch.vector(0, dimension());
    rest = direction;
    double size = radius_ * norm;
    for (Index i = 0; i < matrix_.rows(); ++i) {
      rest -= multipliers[i] * matrix_.row(i).transpose();
      size += std::abs(multipliers[i]) * (std::abs(values_[i]) + radius_);
    }
    const double unit = kEpsilon * static_cast<double>(dimension() + matrix_.rows() + 16);
    return multipliers.dot(values_) - radius_ * sets::norm_of(rest) - unit * size;
  }

  /// The same with multipliers of the equations as they were given, evaluated in extended precision.
  double prove_linear_bound(VectorIn direction, SetWitness& witness, Scratch& scratch) const override {
    const double norm = sets::norm_of(direction);
    Vector hint = std::move(witness.multipliers);
    witness = SetWitness{};
    if (hint.size() == given_values_.size() && hint.allFinite()) {
      witness.multipliers = std::move(hint);
    } else {
      witness.multipliers = best_multipliers(direction, kMostPull * norm, scratch);
      for (Index i = 0; i < matrix_.rows(); ++i)
        if (lengths_[i] > 0.0) witness.multipliers[i] /= lengths_[i];
    }
    if (!witness.multipliers.allFinite()) witness.multipliers.setZero();
    return evaluate(direction, witness.multipliers);
  }

  bool minimize_linear(VectorIn direction, VectorOut vertex) const override {
    vertex = direction;
    const double norm = null_part(vertex);
    if (radius_ == kInfinity && disc_radius_ > 0.0) return false;
    // Where the direction lies in the row space but for rounding, every member will do.
    vertex *= norm > 4.0 * kEpsilon * sets::norm_of(direction) ? -disc_radius_ / norm : 0.0;
    vertex += least_norm_;
    return true;
  }

  std::optional<double> enclosing_ball(VectorOut centre) const override {
    if (!(std::min(reach(), disc_radius_) < kInfinity)) return std::nullopt;
    if (disc_radius_ == kInfinity) {
      centre.setZero();
      return reach_;
    }
    centre = least_norm_;
    return disc_radius_;
  }
  std::optional<double> diameter() const override {
    const double half = std::min(disc_radius_, reach_);
    return half < kInfinity ? std::optional<double>(2.0 * half) : std::nullopt;
  }

  /// Largest residual of an equation whose row has norm 1, or the excess over the radius.
  double violation(VectorIn x) const override {
    double worst = std::max(0.0, sets::norm_of(x) - radius_);
    for (Index i = 0; i < matrix_.rows(); ++i) {
      worst = std::max(worst, std::abs(matrix_.row(i).dot(x) - values_[i]));
    }
    return worst;
  }

  double reach() const override { return std::min(radius_, reach_); }
  ConvexSetPtr within(double reach) const override {
    if (radius_ < kInfinity) return nullptr;
    auto smaller = std::make_shared<AffineSubspace>(given_matrix_, given_values_, radius_);
    smaller->reach_ = reach;
    return smaller;
  }
  void take_duals(sets::ConditionDuals& duals, VectorOut share, SetWitness& witness) const override {
    Vector multipliers = Vector::Zero(given_values_.size());
    Index next = 0;
    for (Index i = 0; i < given_values_.size(); ++i)
      if (!given_matrix_.row(i).isZero(0.0)) multipliers[i] = duals.equation_ahead(next++);
    ConvexSet::take_duals(duals, share, witness);
    witness.multipliers = std::move(multipliers);
  }
  bool describe(sets::Conditions& conditions, Index first) const override {
    for (Index i = 0; i < given_matrix_.rows(); ++i)
      if (!given_matrix_.row(i).isZero(0.0))
        conditions.equations.push_back({first, given_matrix_.row(i), given_values_[i]});
    if (radius_ < kInfinity) conditions.balls.push_back({first, dimension(), nullptr, radius_});
    return true;
  }
  bool interior_point(VectorOut s) const override {
    s = least_norm_;
    return true;
  }
  double settle(VectorOut x) const override {
    std::call_once(membership_made_, [this] { membership_ = sets::membership_of(*this); });
    return membership_->settle(x, least_norm_);
  }

 private:
  double evaluate(VectorIn direction, const Vector& multipliers) const {
    sets::ExtendedSum sum, square;
    for (Index i = 0; i < given_values_.size(); ++i) sum.add_product(multipliers[i], given_values_[i]);
    sets::Extended size = 0;
    for (Index j = 0; j < dimension(); ++j) {
      sets::ExtendedSum rest;
      rest.add(direction[j]);
      for (Index i = 0; i < given_values_.size(); ++i) rest.add_product(-multipliers[i], given_matrix_(i, j));
      square.add(rest.value() * rest.value());
      size += rest.size() * rest.size();
    }
    if (size > 0) {
      if (!(reach() < kInfinity)) return -kInfinity;
      sum.add(-reach() * std::sqrt(square.value()), reach() * std::sqrt(size));
    }
    return sets::rounded_down(sum.at_least() - 2 * sum.error());
  }

  /// m with M'm near the part of the direction in the row space, plus `pull` x_p, for rows of norm 1.
  const Vector& best_multipliers(VectorIn direction, double most, Scratch& scratch) const {
    Vector& rest = scratch.vector(0, dimension());
    Vector& multipliers = scratch.vector(1, matrix_.rows());
    Vector& pivoted = scratch.vector(2, triangle_.rows());
    rest = direction;
    const double across = null_part(rest);
    const double pull = disc_radius_ > 0.0 ? std::min(across / disc_radius_, most) : (across > 0.0 ? most : 0.0);
    rest = direction + pull * least_norm_;
    for (Index j = 0; j < triangle_.rows(); ++j) pivoted[j] = basis_.col(j).dot(rest);
    triangle_.triangularView<Eigen::Upper>().solveInPlace(pivoted);
    multipliers.setZero();
    for (Index j = 0; j < triangle_.rows(); ++j) multipliers[pivots_[static_cast<std::size_t>(j)]] = pivoted[j];
    return multipliers;
  }

  /// x <- N x = x - Q Q'x; returns |N x|.  Column by column, so that no temporary is needed; a second time where
  /// most of x was removed, because what rounding left of it is then no longer small beside the rest.
  double null_part(VectorOut x) const {
    if (basis_.cols() == dimension()) {
      x.setZero();
      return 0.0;
    }
    double before = sets::norm_of(x);
    for (int pass = 0; pass < 2; ++pass) {
      for (Index j = 0; j < basis_.cols(); ++j) x -= basis_.col(j).dot(x) * basis_.col(j);
      const double after = sets::norm_of(x);
      if (after > 0.7 * before) return after;
      before = after;
    }
    return before;
  }

  void check_arguments() const {
    sets::require_dimension("affine", matrix_.cols());
    if (matrix_.rows() < 1) {
      throw InvalidArgument("affine: expected at least one equation, found none; use a ball instead");
    }
    if (matrix_.rows() != values_.size()) {
      throw InvalidArgument("affine: expected one value per row of the matrix, found " +
                            sets::text_of(values_.size()) + " values and " + sets::text_of(matrix_.rows()) +
                            " rows; give one right-hand side per equation");
    }
    for (Index i = 0; i < matrix_.rows(); ++i) {
      sets::require_finite("affine", ("matrix entries in row " + sets::text_of(i)).c_str(),
                           matrix_.row(i).transpose());
    }
    sets::require_finite("affine", "values", values_);
    if (radius_ != kInfinity) sets::require_size("affine", "radius", radius_);
  }

  /// Rows get norm 1, so that neither the rank nor a residual depends on the units of an equation.
  void scale_rows() {
    lengths_ = Vector::Zero(matrix_.rows());
    for (Index i = 0; i < matrix_.rows(); ++i) {
      const double norm = sets::norm_of(matrix_.row(i));
      lengths_[i] = norm;
      if (norm > 0.0) {
        matrix_.row(i) /= norm;
        values_[i] /= norm;
      } else if (values_[i] != 0.0) {
        throw InvalidArgument(
            "affine: expected equations that have a solution, found 0 = " + sets::text_of(values_[i]) +
            " in row " + sets::text_of(i) + "; drop the row or correct its value");
      }
    }
  }

  void find_basis() {
    PivotedQr<double> factors(matrix_.transpose());
    const Index rank = factors.rank(kDependent);
    basis_ = factors.basis(rank);
    for (Index j = 0; j < rank; ++j) pivots_.push_back(factors.pivot(j));
    // M' P = Q R, so the equations of the first `rank` pivots read R' (Q'x) = values there.
    Vector pivoted = values_(pivots_);
    factors.solve_transposed(rank, pivoted);
    least_norm_ = basis_ * pivoted;
    triangle_ = factors.triangle(rank);
  }

  void check_consistent() {
    const double size = sets::norm_of(least_norm_);
    const Vector residual = matrix_ * least_norm_ - values_;
    Index row = 0;
    const double worst = residual.cwiseAbs().maxCoeff(&row);
    const double allowed = kConsistent * (size + values_.cwiseAbs().maxCoeff());
    if (!(worst <= allowed)) {
      throw InvalidArgument("affine: expected equations that have a common solution, found a residual of " +
                            sets::text_of(worst) + " > " + sets::text_of(allowed) + " in row " +
                            sets::text_of(row) + " at the best point (rows scaled to norm 1, rank " +
                            sets::text_of(basis_.cols()) + " of " + sets::text_of(matrix_.rows()) +
                            "); correct or drop equations that contradict each other");
    }
    if (size > radius_ * (1.0 + 1e-12)) {
      throw InvalidArgument("affine: expected a solution of norm <= radius, found " + sets::text_of(size) +
                            " as the least norm of a solution and " + sets::text_of(radius_) +
                            " as the radius, which leaves the set empty; raise the radius");
    }
    // With full rank the set is one point; so it is where the least norm reaches the radius.
    const bool point = basis_.cols() == dimension() || size >= radius_;
    disc_radius_ = point ? 0.0 : std::sqrt((radius_ - size) * (radius_ + size));
  }

  static constexpr double kMostPull = 0x1p30;  // as for a halfspace

  RowMajorMatrix given_matrix_;
  Vector given_values_;
  Vector lengths_;  // of the given rows
  mutable std::once_flag membership_made_;
  mutable std::unique_ptr<sets::Membership> membership_;
  RowMajorMatrix matrix_;  // rows of norm 1 (or zero)
  Vector values_;
  double radius_;
  Eigen::MatrixXd basis_;     // Q
  Eigen::MatrixXd triangle_;  // R: the rows of M that were taken as pivots are the columns of Q R
  std::vector<Index> pivots_;
  Vector least_norm_;         // x_p
  double disc_radius_ = 0.0;  // rho
  double reach_ = kInfinity;  // of the points that matter, where that is known from elsewhere
};

}  // namespace

ConvexSetPtr affine_subspace(RowMajorMatrix matrix, Vector values, double radius) {
  return std::make_shared<AffineSubspace>(std::move(matrix), std::move(values), radius);
}

}  // namespace fcbio
