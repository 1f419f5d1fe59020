#include "python/hessian_check.hpp"

#include <fmt/format.h>

#include <cmath>
#include <random>

#include "fcbio/error.hpp"

namespace fcbio::python {
namespace {

constexpr int kTriangles = 3;
constexpr double kSame = 1e-6;  // relative: what rounding may do to symmetry and sign
constexpr double kNear = 0.05;  // relative: what curvature may do to a difference quotient
constexpr double kShares[] = {0x1p-10, 0x1p-14, 0x1p-18};  // one bend of the gradient does not lie within all

/// Points of the domain, of which triangles are made.
class Points {
 public:
  Points(const ConvexSet& domain, VectorIn start) : domain_(domain), first_(start) {
    domain_.project(first_, scratch_);
    Vector centre = first_;
    size_ = domain_.enclosing_ball(centre).value_or(0.0);
    if (!(size_ > 0.0)) size_ = 1.0 + first_.norm();
  }
  const Vector& first() const { return first_; }
  Vector another() {
    Vector x = first_;
    for (double& number : x) number += size_ * normal_(random_) / std::sqrt(static_cast<double>(x.size()));
    domain_.project(x, scratch_);
    return x;
  }

 private:
  const ConvexSet& domain_;
  Scratch scratch_;
  Vector first_;
  double size_ = 1.0;
  std::mt19937_64 random_{1};
  std::normal_distribution<double> normal_;
};

[[noreturn]] void refuse(const UserFunction& function, const std::string& expected, const std::string& found) {
  throw InvalidArgument(fmt::format("{}.hessp: expected {}, found {}", function.name, expected, found));
}

class TriangleCheck {
 public:
  explicit TriangleCheck(const UserFunction& function) : function_(function) {}

  /// At the centre x of a triangle, towards two of its corners: x + h v and x - h v are within it.
  void run(const Vector& a, const Vector& b, const Vector& c) const {
    const Vector x = (a + b + c) / 3.0, v = b - x, w = c - x;
    if (v.norm() == 0.0 || w.norm() == 0.0) return;
    const Vector hv = product(x, v), hw = product(x, w);
    if (!hv.allFinite() || !hw.allFinite()) return;  // the callable is asked for finite numbers, and has failed
    const double size = hv.norm() * w.norm() + v.norm() * hw.norm();
    if (std::abs(hv.dot(w) - v.dot(hw)) > kSame * size)
      refuse(function_, "products with a symmetric matrix",
             fmt::format("<Hv, w> = {:g} and <v, Hw> = {:g}", hv.dot(w), v.dot(hw)));
    if (v.dot(hv) < -kSame * hv.norm() * v.norm())
      refuse(function_, "products with a positive semidefinite matrix", fmt::format("<v, Hv> = {:g}", v.dot(hv)));
    compare_with_gradients(x, v, hv);
  }

 private:
  Vector product(const Vector& x, const Vector& v) const {
    Vector out = Vector::Zero(x.size());
    function_.hessian_product(x, v, out);
    return out;
  }
  Vector gradient(const Vector& x) const {
    Vector out = Vector::Zero(x.size());
    function_.evaluate(x, &out);
    return out;
  }

  void compare_with_gradients(const Vector& x, const Vector& v, const Vector& hv) const {
    double least = kInfinity;
    Vector nearest;
    for (const double h : kShares) {
      const Vector after = gradient(x + h * v), before = gradient(x - h * v);
      if (!after.allFinite() || !before.allFinite()) return;
      const Vector quotient = (after - before) / (2.0 * h);
      const double sizes = hv.norm() + quotient.norm();
      const double room = kEpsilon * static_cast<double>(x.size() + 64) *
                              (after.norm() + before.norm() + sizes * x.norm() / v.norm()) / h +
                          kNear * sizes;
      const double beyond = (hv - quotient).norm() - room;
      if (beyond < least) least = beyond, nearest = quotient;
    }
    if (least > 0.0)
      refuse(function_, fmt::format("what the gradient changes by, of norm {:g}", nearest.norm()),
             fmt::format("a product of norm {:g} that differs from it by {:g}", hv.norm(), (hv - nearest).norm()));
  }

  const UserFunction& function_;
};

}  // namespace

void require_hessian(const UserFunction& function, const ConvexSet& domain, VectorIn start) {
  Points points(domain, start);
  const TriangleCheck check(function);
  for (int k = 0; k < kTriangles; ++k) {
    const Vector b = points.another(), c = points.another();
    check.run(points.first(), b, c);
  }
}

}  // namespace fcbio::python
