// A point with much room: maximise t subject to p_i(x) >= t for all conditions, by the barrier
//     minimise  -kappa t - sum of log(p_i(x) - t)
// with Newton steps and kappa growing tenfold; at the minimiser t is within (number of conditions) / kappa of the
// best. Half the best room is as good as all of it, so it stops there.  The pieces p_i are concave lower estimates
// of the room (membership.hpp), smooth: (R^2 - |x - c|^2) / (2 R) for a ball, R - sum sqrt((x_j - c_j)^2 + d^2)
// for an l1 ball.
//
// x = x_0 + B y, the columns of B an orthonormal basis of the normals of planes and of the ways to the centres,
// along the solutions of the equations: room is won in these directions, and there are few of them.
#include <algorithm>
#include <cmath>
#include <optional>

#include "linalg/symmetric_solve.hpp"
#include "sets/membership.hpp"

namespace fcbio::sets {
namespace {

constexpr Index kAllDirections = 24;  // up to this dimension B spans everything
constexpr Index kMostDirections = 160;
constexpr double kMostBarrierOperations = 1e8;
constexpr int kNewtonSteps = 40;
constexpr double kSmallest = 1e-14;  // room, relative to the size of the set, that is not worth looking for

class Barrier {
 public:
  Barrier(const Membership& membership, VectorIn start)
      : membership_(membership), conditions_(membership.conditions()), origin_(start) {
    for (const auto& sides : conditions_.sides)
      for (Index j = 0; j < sides.size; ++j) {
        double& at = origin_[sides.first + j];
        const double low = sides.lower_side(j), high = sides.upper_side(j);
        if (!(low < at && at < high))
          at = std::isfinite(low) && std::isfinite(high) ? 0.5 * low + 0.5 * high
               : std::isfinite(low)                      ? std::max(at, low + 1.0)
               : std::isfinite(high)                     ? std::min(at, high - 1.0)
                                                         : at;
      }
    membership.equations().approach(origin_);
    span_directions();
    for (const auto& sides : conditions_.sides)
      for (Index j = 0; j < sides.size; ++j)
        count_ += sides.fixes(j)
                      ? 0
                      : Index{std::isfinite(sides.lower_side(j))} + Index{std::isfinite(sides.upper_side(j))};
    count_ +=
        static_cast<Index>(conditions_.planes.size() + conditions_.balls.size() + conditions_.l1_balls.size());
    for (const auto& block : conditions_.rows)
      for (Index i = 0; i < block.matrix.count(); ++i)
        if (!block.is_equation(i))
          count_ += Index{(*block.lower)[i] > -kInfinity} + Index{(*block.upper)[i] < kInfinity};
    for (const auto& plane : conditions_.planes) lengths_.push_back(plane.normal->norm());
  }

  Index count() const { return count_; }
  Index directions() const { return basis_.cols(); }
  /// One Newton step costs about this many operations.
  double operations() const {
    const auto q = static_cast<double>(directions());
    return static_cast<double>(count_) * q * q + q * q * q + 4.0 * q * static_cast<double>(origin_.size());
  }

  Vector point(const Vector& y) const { return origin_ + basis_ * y; }

  /// visit(value, gradient in y, curvature): every piece at x; the curvature c stands for -c I in y, c >= 0.
  template <class Visit>
  void each_piece(const Vector& x, const Visit& visit) const {
    Vector gradient(directions());
    for (std::size_t i = 0; i < conditions_.planes.size(); ++i) {
      const auto& plane = conditions_.planes[i];
      const Index n = plane.normal->size();
      gradient = basis_.middleRows(plane.first, n).transpose() * *plane.normal / -lengths_[i];
      visit((plane.value - plane.normal->dot(x.segment(plane.first, n))) / lengths_[i], gradient, 0.0);
    }
    for (const auto& block : conditions_.rows)
      for (Index i = 0; i < block.matrix.count(); ++i) {
        if (block.is_equation(i)) continue;
        double product = 0.0, square = 0.0;
        gradient.setZero();
        block.matrix.each(i, [&](Index j, double a) {
          product += a * x[block.first + j];
          square += a * a;
          gradient += a * basis_.row(block.first + j).transpose();
        });
        if (square == 0.0) continue;
        const double length = std::sqrt(square);
        gradient /= length;
        if ((*block.lower)[i] > -kInfinity) visit((product - (*block.lower)[i]) / length, gradient, 0.0);
        gradient = -gradient;
        if ((*block.upper)[i] < kInfinity) visit(((*block.upper)[i] - product) / length, gradient, 0.0);
      }
    for (const auto& ball : conditions_.balls) {
      Vector offset = x.segment(ball.first, ball.size);
      if (ball.centre != nullptr) offset -= *ball.centre;
      gradient = basis_.middleRows(ball.first, ball.size).transpose() * offset / -ball.radius;
      visit((ball.radius - offset.norm()) * (ball.radius + offset.norm()) / (2.0 * ball.radius), gradient,
            1.0 / ball.radius);
    }
    for (const auto& ball : conditions_.l1_balls) {
      Vector offset = x.segment(ball.first, ball.size);
      if (ball.centre != nullptr) offset -= *ball.centre;
      const double root = std::sqrt(static_cast<double>(ball.size));
      const double corner = 0.1 * ball.radius / static_cast<double>(ball.size);
      const Vector rounded = (offset.array().square() + corner * corner).sqrt();
      gradient = basis_.middleRows(ball.first, ball.size).transpose() * offset.cwiseQuotient(rounded) / -root;
      visit((ball.radius - rounded.sum()) / root, gradient, 1.0 / (root * corner));
    }
    for (const auto& sides : conditions_.sides)
      for (Index j = 0; j < sides.size; ++j) {
        if (sides.fixes(j)) continue;
        const Index at = sides.first + j;
        gradient = basis_.row(at).transpose();
        if (std::isfinite(sides.lower_side(j))) visit(x[at] - sides.lower_side(j), gradient, 0.0);
        gradient = -gradient;
        if (std::isfinite(sides.upper_side(j))) visit(sides.upper_side(j) - x[at], gradient, 0.0);
      }
  }

  double least_piece(const Vector& x) const {
    double least = kInfinity;
    each_piece(x, [&](double value, const Vector&, double) { least = std::min(least, value); });
    return least;
  }

 private:
  void span_directions() {
    const Index n = origin_.size();
    std::vector<Vector> wanted;
    const auto placed = [&](Index first, const auto& part) {
      Vector whole = Vector::Zero(n);
      whole.segment(first, part.size()) = part;
      wanted.push_back(std::move(whole));
    };
    if (n <= kAllDirections) {
      for (Index j = 0; j < n; ++j) wanted.push_back(Vector::Unit(n, j));
    } else {
      for (const auto& plane : conditions_.planes) placed(plane.first, *plane.normal);
      for (const auto& block : conditions_.rows)
        for (Index i = 0; i < std::min(block.matrix.count(), kMostDirections); ++i) {
          Vector whole = Vector::Zero(n);
          block.matrix.each(i, [&](Index j, double a) { whole[block.first + j] = a; });
          if (!block.is_equation(i)) wanted.push_back(std::move(whole));
        }
      for (const auto* balls : {&conditions_.balls, &conditions_.l1_balls})
        for (const auto& ball : *balls) {
          Vector way = -origin_.segment(ball.first, ball.size);
          if (ball.centre != nullptr) way += *ball.centre;
          placed(ball.first, way);
        }
      for (const auto& sides : conditions_.sides) {
        Vector way = Vector::Zero(sides.size);
        for (Index j = 0; j < sides.size; ++j)
          if (std::isfinite(sides.lower_side(j)) && std::isfinite(sides.upper_side(j)))
            way[j] = 0.5 * sides.lower_side(j) + 0.5 * sides.upper_side(j) - origin_[sides.first + j];
          else if (std::isfinite(sides.lower_side(j)))
            way[j] = 1.0;
        placed(sides.first, way);
      }
    }
    basis_.resize(n, std::min<Index>(kMostDirections, static_cast<Index>(wanted.size())));
    Index found = 0;
    for (Vector& direction : wanted) {
      if (found == basis_.cols()) break;
      double length = direction.norm();
      if (!(length > 0.0) || !std::isfinite(length)) continue;
      direction /= length;
      for (int pass = 0; pass < 2; ++pass) {
        for (Index j = 0; j < n; ++j)
          if (membership_.fixed()[static_cast<std::size_t>(j)]) direction[j] = 0.0;
        membership_.equations().flatten(direction);
        direction -= basis_.leftCols(found) * (basis_.leftCols(found).transpose() * direction);
      }
      length = direction.norm();
      if (length > 1e-10) basis_.col(found++) = direction / length;
    }
    basis_.conservativeResize(n, found);
  }

  const Membership& membership_;
  const Conditions& conditions_;
  Vector origin_;
  Eigen::MatrixXd basis_;
  std::vector<double> lengths_;
  Index count_ = 0;
};

}  // namespace

bool find_interior(const Membership& membership, VectorIn start, double size, Vector& s) {
  const Barrier barrier(membership, start);
  const Index q = barrier.directions();
  Vector y = Vector::Zero(q);
  Vector best = barrier.point(y);
  double room = membership.room(best);
  const auto keep_better = [&](Vector x) {
    membership.equations().approach(x);
    const double now = membership.room(x);
    if (now > room) {
      room = now;
      best = std::move(x);
    }
  };
  if (q > 0 && barrier.count() > 0 && size > 0.0 && std::isfinite(size)) {
    const auto pieces = static_cast<double>(barrier.count());
    double t = barrier.least_piece(best) - size;
    double operations = 0.0;
    Eigen::MatrixXd hessian(q + 1, q + 1);
    Vector gradient(q + 1), trial(q);
    for (double kappa = pieces / size; operations < kMostBarrierOperations; kappa *= 10.0) {
      for (int step = 0; step < kNewtonSteps && operations < kMostBarrierOperations; ++step) {
        operations += barrier.operations();
        hessian.setZero();
        gradient.setZero();
        gradient[q] = -kappa;
        double value = -kappa * t, curved = 0.0;
        barrier.each_piece(barrier.point(y), [&](double p, const Vector& slope, double curvature) {
          const double inverse = 1.0 / (p - t);
          value -= std::log(p - t);
          gradient.head(q) -= inverse * slope;
          gradient[q] += inverse;
          hessian.topLeftCorner(q, q).selfadjointView<Eigen::Lower>().rankUpdate(slope, inverse * inverse);
          hessian.row(q).head(q) -= (inverse * inverse) * slope.transpose();
          hessian(q, q) += inverse * inverse;
          curved += inverse * curvature;
        });
        hessian.diagonal().head(q).array() += curved;
        const std::optional<Vector> solved = solve_symmetric(hessian, gradient);
        if (!solved) break;
        const Vector& way = *solved;
        const double decrement = gradient.dot(way);
        if (!std::isfinite(decrement) || decrement <= 1e-3) break;
        double length = 1.0;
        for (; length > 1e-12; length *= 0.5) {
          trial = y - length * way.head(q);
          const double level = t - length * way[q];
          double there = -kappa * level;
          barrier.each_piece(barrier.point(trial), [&](double p, const Vector&, double) {
            there = p > level ? there - std::log(p - level) : kInfinity;
          });
          if (there <= value - 0.1 * length * decrement) {
            y = trial;
            t = level;
            break;
          }
        }
        if (length <= 1e-12) break;
      }
      keep_better(barrier.point(y));
      const double missing = pieces / kappa;  // t is at most this much below the best
      if (missing < 0.5 * t || missing < kSmallest * size || t + missing < 0.0) break;
    }
  }
  if (!(room > 0.0)) return false;
  s = best;
  return true;
}

}  // namespace fcbio::sets
