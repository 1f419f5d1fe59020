// check_set(): distances are compared to 1e-9 of the size of the set and of the points.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/check_report.hpp"
#include "linalg/gaussian.hpp"

namespace fcbio {
namespace {

constexpr double kTolerance = 1e-9;

class SetCheck {
 public:
  SetCheck(const ConvexSet& set, int samples, std::uint64_t seed) : set_(set), samples_(samples), random_(seed) {
    centre_ = Vector::Zero(set.dimension());
    const std::optional<double> radius = set_.enclosing_ball(centre_);
    bounded_ = radius.has_value();
    radius_ = radius.value_or(1.0);
    size_ = centre_.norm() + std::max(radius_, std::numeric_limits<double>::min());
  }

  CheckReport run() {
    check_projections();
    check_members();
    if (!set_.rests_on_told_radius()) check_bounds();  // such bounds speak of solutions, not of every member
    return std::move(findings_).report();
  }

 private:
  void find(const std::string& kind, const std::string& what, std::vector<Vector> points) {
    findings_.add(kind, fmt::format("'{}': {}", set_.name(), what), std::move(points));
  }
  Vector projected(Vector x) {
    set_.project(x, scratch_);
    return x;
  }
  Vector direction() {
    Vector d(set_.dimension());
    random_.fill(d);
    return d;
  }
  double tolerance(const Vector& x) const { return kTolerance * (size_ + x.norm()); }

  void check_projections() {
    for (int k = 0; k < samples_; ++k) {
      // From inside to far away: a far point ends at a near minimiser of a linear function.
      const double reach = std::vector<double>{0.1, 1.0, 10.0, 1e3}[static_cast<std::size_t>(k % 4)];
      Vector x = centre_ + reach * std::max(radius_, 1e-3 * size_) * direction().normalized();
      Vector p = projected(x);
      if (!p.allFinite()) {
        find("finite", "a projection is not made of finite numbers", {x});
        continue;
      }
      const double near = tolerance(x);
      if (set_.violation(p) > near)
        find("inside", fmt::format("a projection misses the set by {:.3g}", set_.violation(p)), {x, p});
      if ((x - p).norm() > near && !(set_.violation(x) > 0.0))
        find("violation", "a point that the projection moves counts as a member", {x, p});
      const Vector again = projected(p);
      if ((again - p).norm() > near)
        find("idempotent", fmt::format("projecting a projection moves it by {:.3g}", (again - p).norm()), {x, p});
      if (!points_.empty()) {
        const double before = (x - points_.back()).norm(), after = (p - members_.back()).norm();
        if (after > before + near + tolerance(points_.back()))
          find("nonexpansive",
               fmt::format("two points at distance {:g} have projections at distance {:g}", before, after),
               {x, points_.back()});
      }
      points_.push_back(std::move(x));
      members_.push_back(std::move(p));
    }
  }

  void check_members() {
    for (std::size_t i = 0; i < members_.size(); ++i) {
      const Vector& p = members_[i];
      const Vector out = points_[i] - p;
      for (std::size_t j = 0; j < members_.size(); ++j) {
        const Vector& z = members_[j];
        const double angle = out.dot(z - p);
        if (angle > tolerance(points_[i]) * (out.norm() + (z - p).norm()))
          find("nearest",
               fmt::format(
                   "a projection is not the nearest point: a member lies {:.3g} beyond the plane through it",
                   angle / out.norm()),
               {points_[i], p, z});
        if (j >= i) continue;
        const Vector middle = 0.5 * (p + z);
        if (set_.violation(middle) > tolerance(middle))
          find("convex",
               fmt::format("not convex: half way between two members the set is missed by {:.3g}",
                           set_.violation(middle)),
               {p, z});
        if (const auto diameter = set_.diameter();
            diameter && !set_.rests_on_told_radius() && (p - z).norm() > *diameter + tolerance(p))
          find("diameter",
               fmt::format("two members are {:g} apart, more than the diameter {:g}", (p - z).norm(), *diameter),
               {p, z});
      }
    }
  }

  void check_bounds() {
    for (int k = 0; k < samples_; ++k) {
      Vector d = direction().normalized();
      if (k % 4 == 3) d = Vector::Unit(set_.dimension(), (k / 4) % set_.dimension()) * (k % 8 == 3 ? 1.0 : -1.0);
      const double bound = set_.linear_lower_bound(d, scratch_);
      Vector vertex(set_.dimension());
      const bool has_vertex = set_.minimize_linear(d, vertex);
      if (has_vertex) {
        if (!(set_.violation(vertex) <= tolerance(vertex)))
          find("vertex",
               fmt::format("a minimiser of a linear function misses the set by {:.3g}", set_.violation(vertex)),
               {d, vertex});
        compare_bound(bound, d, vertex);
      }
      if (bounded_) compare_bound(bound, d, projected(centre_ - 100.0 * radius_ * d));
      for (const Vector& z : members_) {
        compare_bound(bound, d, z);
        if (has_vertex && d.dot(vertex) > d.dot(z) + tolerance(z))
          find("minimiser",
               fmt::format("a member lies {:.3g} below the minimiser of a linear function",
                           d.dot(vertex) - d.dot(z)),
               {d, vertex, z});
      }
    }
    for (const Vector& z : members_)
      if (bounded_ && (z - centre_).norm() > radius_ + tolerance(z))
        find("radius",
             fmt::format("a member lies {:g} from the centre, outside of the radius {:g}", (z - centre_).norm(),
                         radius_),
             {z});
  }

  void compare_bound(double bound, const Vector& d, const Vector& z) {
    if (bound > d.dot(z) + tolerance(z))
      find("support",
           fmt::format("the linear lower bound (or support) is wrong: a member lies {:.3g} below it",
                       bound - d.dot(z)),
           {d, z});
  }

  const ConvexSet& set_;
  int samples_;
  Gaussian random_;
  Scratch scratch_;
  Findings findings_;
  Vector centre_;
  double radius_ = 1.0, size_ = 1.0;
  bool bounded_ = false;
  std::vector<Vector> points_, members_;  // and their projections
};

}  // namespace

CheckReport check_set(const ConvexSet& set, int samples, std::uint64_t seed) {
  return SetCheck(set, samples, seed).run();
}

}  // namespace fcbio
