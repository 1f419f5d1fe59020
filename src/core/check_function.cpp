// check_function(): every inequality is allowed the rounding that the term itself states for its values, and 64
// roundings more of the largest slope over the distance.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/check_report.hpp"
#include "fcbio/error.hpp"
#include "functions/rounding.hpp"
#include "linalg/gaussian.hpp"

namespace fcbio {
namespace {

constexpr double kNeighbour = 0x1p-14;  // of the radius: a neighbour for difference quotients
constexpr Index kCoordinates = 20;      // tested one by one at each sample

struct Sample {
  Vector x, image, gradient;
  double value = 0.0;
  double rounding = 0.0;  // of the value
  bool finite() const { return std::isfinite(value) && gradient.allFinite(); }
};

class FunctionCheck {
 public:
  FunctionCheck(const Term& term, VectorIn centre, double radius, int samples, std::uint64_t seed,
                Findings& findings)
      : term_(term), centre_(centre), radius_(radius), samples_(samples), random_(seed), findings_(findings) {}

  void run() {
    check_values();
    if (seen_.size() < 2) return;
    for (const Sample& sample : seen_) slope_ = std::max(slope_, sample.gradient.norm());
    check_quotients();
    check_pairs();
    check_constants();
    check_lower_bound();
    check_prox();
    if (term_.tells_hessian()) check_hessian();
  }

 private:
  std::string who() const { return fmt::format("'{}'", term_.name()); }
  void find(const std::string& kind, const std::string& what, std::vector<Vector> points) {
    findings_.add(who() + kind, who() + ": " + what, std::move(points));
  }

  Sample at(const Vector& x) const {
    Sample sample{x, Vector::Zero(term_.image_size()), Vector::Zero(term_.dimension())};
    if (term_.image_size() > 0) term_.image(x, sample.image);
    Vector dual = Vector::Zero(term_.dual_size());
    sample.value = term_.value(x, sample.image);
    term_.linear_dual(x, sample.image, dual);
    term_.gradient(1.0, x, sample.image, dual, sample.gradient);
    sample.rounding = term_.value_rounding(x, sample.image);
    return sample;
  }

  double slack(const Sample& a, const Sample& b) const {
    return a.rounding + b.rounding +
           functions::rounding_factor(term_.dimension() + 64) * slope_ * (a.x - b.x).norm();
  }

  Vector random_point() {
    Vector direction(centre_.size());
    random_.fill(direction);
    Vector share(1);
    random_.fill(share);
    const double norm = direction.norm();
    // Inside, on shells of all sizes: |share| is mostly below 1.
    return centre_ + (norm > 0.0 ? radius_ * std::min(1.0, std::abs(share[0])) / norm : 0.0) * direction;
  }

  void check_values() {
    for (int k = 0; k < samples_; ++k) {
      Sample sample = at(k == 0 ? centre_ : random_point());
      if (!sample.finite()) {
        find("finite", fmt::format("the value {:g} or its gradient is not a finite number", sample.value),
             {sample.x});
        continue;
      }
      const Sample again = at(sample.x);
      if (again.value != sample.value || again.gradient != sample.gradient)
        find("repeats", "two calls at one point give different answers", {sample.x});
      seen_.push_back(std::move(sample));
    }
  }

  /// For a convex function (f(x) - f(x - hv))/h <= <s, v> <= (f(x + hv) - f(x))/h.
  void check_quotients() {
    const Index n = centre_.size();
    const double h = kNeighbour * (radius_ > 0.0 ? radius_ : 1.0);
    for (std::size_t k = 0; k < seen_.size(); ++k) {
      const Sample& x = seen_[k];
      for (Index c = 0; c < std::min(n, kCoordinates); ++c) {
        const Index j = n <= kCoordinates ? c : (static_cast<Index>(k) * kCoordinates + c) % n;
        for (const double sign : {1.0, -1.0}) {
          Vector y = x.x;
          y[j] += sign * h;
          const Sample next = at(y);
          if (!next.finite()) continue;
          const double step = next.x[j] - x.x[j];
          const double amount = x.gradient[j] * step - (next.value - x.value);
          if (amount > slack(x, next))
            find("gradient",
                 fmt::format(
                     "entry {} of the gradient is {:g} where the values have the slope {:g}: the gradient is "
                     "wrong, or the function not convex",
                     j, x.gradient[j], (next.value - x.value) / step),
                 {x.x, next.x});
        }
      }
    }
  }

  void check_pairs() {
    for (std::size_t i = 0; i < seen_.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        check_pair(seen_[i], seen_[j]);
        check_pair(seen_[j], seen_[i]);
      }
      const Sample& x = seen_[i];
      const Sample& y = seen_[(i + 1) % seen_.size()];
      const Sample middle = at(0.5 * (x.x + y.x));
      const double excess = middle.value - 0.5 * (x.value + y.value);
      if (std::isfinite(excess) && excess > middle.rounding + x.rounding + y.rounding)
        find("convex",
             fmt::format("not convex: half way between two points the value lies {:.3g} above their mean", excess),
             {x.x, y.x});
    }
  }

  void check_pair(const Sample& x, const Sample& y) {
    const Vector step = y.x - x.x;
    const double rise = y.value - x.value - x.gradient.dot(step), squared = step.squaredNorm();
    const double room = slack(x, y);
    if (rise < -room)
      find("subgradient",
           fmt::format(
               "the linearisation at the first point lies {:.3g} above the value at the second: not convex, "
               "or the gradient is wrong",
               -rise),
           {x.x, y.x});
    else if (const double m = term_.strong_convexity();
             rise - 0.5 * m * squared < -room - functions::rounding_factor(step.size() + 64) * m * squared)
      find("strong",
           fmt::format("the strong convexity {:g} is too large: here it is at most {:g}", m, 2.0 * rise / squared),
           {x.x, y.x});
  }

  void check_constants() {
    const double smoothness = term_.smooth() ? term_.smoothness().value.value_or(kInfinity) : kInfinity;
    const double lipschitz = term_.lipschitz(centre_, radius_).value.value_or(kInfinity);
    constexpr double kRounded = 1.0 + 1e-9;
    for (std::size_t i = 0; i < seen_.size(); ++i) {
      const Sample& x = seen_[i];
      if (x.gradient.norm() > lipschitz * kRounded)
        find("lipschitz",
             fmt::format("the gradient has the norm {:g}, above the Lipschitz constant {:g}", x.gradient.norm(),
                         lipschitz),
             {x.x});
      for (std::size_t j = 0; j < i; ++j) {
        const Sample& y = seen_[j];
        const double distance = (x.x - y.x).norm(), change = (x.gradient - y.gradient).norm();
        if (change >
            smoothness * distance * kRounded + functions::rounding_factor(term_.dimension() + 64) * slope_)
          find("smooth",
               fmt::format("the gradient changes by {:g} over the distance {:g}, more than the smoothness "
                           "constant {:g} allows",
                           change, distance, smoothness),
               {x.x, y.x});
        if (std::abs(x.value - y.value) > lipschitz * distance * kRounded + slack(x, y))
          find("lipschitz",
               fmt::format("the value changes by {:g} over the distance {:g}, more than the Lipschitz "
                           "constant {:g} allows",
                           std::abs(x.value - y.value), distance, lipschitz),
               {x.x, y.x});
      }
    }
  }

  /// Goes downhill inside the ball from the lowest sample, so that a bound above the minimum shows.
  void check_lower_bound() {
    constexpr int kSteps = 100;
    if (!(term_.lower_bound() > -kInfinity)) return;
    Sample lowest = *std::min_element(seen_.begin(), seen_.end(),
                                      [](const Sample& a, const Sample& b) { return a.value < b.value; });
    double step = radius_;
    for (int k = 0; k < kSteps && lowest.gradient.norm() > 0.0; ++k) {
      Vector y = lowest.x - step * lowest.gradient.normalized() - centre_;
      if (y.norm() > radius_) y *= radius_ / y.norm();
      Sample next = at(centre_ + y);
      step *= next.finite() && next.value < lowest.value ? 1.5 : 0.5;
      if (next.finite() && next.value < lowest.value) lowest = std::move(next);
    }
    if (lowest.value + lowest.rounding < term_.lower_bound())
      find("lower", fmt::format("the lower bound {:g} is above the value {:g}", term_.lower_bound(), lowest.value),
           {lowest.x});
  }

  /// p = prox(x) minimises h(z) = step f(z) + |z - x|^2/2, so  h(z) >= h(p) + |z - p|^2/2.
  void check_prox() {
    for (std::size_t i = 0; i < seen_.size(); ++i) {
      const Vector& x = seen_[i].x;
      for (const double step : {0.0, 1e-3, 1.0, 100.0}) {
        Vector p = x;
        if (!term_.prox(step, p)) return;
        const Sample at_p = at(p);
        if (!at_p.finite() || !p.allFinite()) {
          find("prox", fmt::format("prox with step {:g} gives a point without a finite value", step), {x, p});
          continue;
        }
        for (const std::size_t other : {(i + 1) % seen_.size(), i}) {
          for (const double share : {1.0, 1e-2}) {
            const Sample z = at(p + share * (seen_[other].x - p));
            const double gain = step * (at_p.value - z.value) +
                                0.5 * ((p - x).squaredNorm() - (z.x - x).squaredNorm() + (z.x - p).squaredNorm());
            const double scale = (p - x).squaredNorm() + (z.x - x).squaredNorm();
            const double room = step * slack(at_p, z) + functions::rounding_factor(x.size() + 64) * scale +
                                1e-9 * (step * std::abs(at_p.value - z.value) + scale);
            if (std::isfinite(gain) && gain > room)
              find("prox",
                   fmt::format("prox with step {:g} is not the minimiser: at the third point its objective is "
                               "lower by {:.3g} than it may be",
                               step, gain),
                   {x, p, z.x});
          }
        }
      }
    }
  }

  Vector hessian_times(const Sample& x, const Vector& v) {
    Vector product = Vector::Zero(v.size());
    term_.add_hessian_product(1.0, x.x, x.image, v, scratch_, product);
    return product;
  }

  /// Products are symmetric, not negative, and what gradients change by: <Hv, w> = <v, Hw>, <v, Hv> >= 0, and
  /// (f'(x + hv) - f'(x - hv))/2h for at least one of three h, since a bend of the gradient may lie within some.
  void check_hessian() {
    constexpr double kSame = 1e-6, kNearby = 0.05;
    Vector v(centre_.size()), w(centre_.size());
    for (const Sample& x : seen_) {
      random_.fill(v);
      random_.fill(w);
      v.normalize();
      w.normalize();
      const Vector hv = hessian_times(x, v), hw = hessian_times(x, w);
      if (!hv.allFinite() || !hw.allFinite()) {
        find("hessian finite", "a product with the Hessian is not finite", {x.x, v});
        continue;
      }
      const double size = hv.norm() + hw.norm();
      if (std::abs(hv.dot(w) - v.dot(hw)) > kSame * size)
        find("hessian symmetric",
             fmt::format("<Hv, w> = {:g} and <v, Hw> = {:g} differ: the Hessian is not symmetric", hv.dot(w),
                         v.dot(hw)),
             {x.x, v, w});
      if (v.dot(hv) < -kSame * size)
        find("hessian convex",
             fmt::format("<v, Hv> = {:g} is negative: not convex, or the Hessian is wrong", v.dot(hv)), {x.x, v});
      double least = kInfinity;  // of the difference, beyond rounding
      Vector nearest;
      for (const double share : {0x1p-10, 0x1p-14, 0x1p-18}) {
        const double h = share * (radius_ > 0.0 ? radius_ : 1.0);
        const Sample after = at(x.x + h * v), before = at(x.x - h * v);
        if (!after.finite() || !before.finite()) return;
        const Vector quotient = (after.gradient - before.gradient) / (2.0 * h);
        const double room =
            functions::rounding_factor(term_.dimension() + 64) *
                (after.gradient.norm() + before.gradient.norm() + (hv.norm() + quotient.norm()) * x.x.norm()) / h +
            kNearby * (hv.norm() + quotient.norm());
        const double difference = (hv - quotient).norm() - room;
        if (difference < least) least = difference, nearest = quotient;
      }
      if (least > 0.0)
        find("hessian",
             fmt::format(
                 "the product with the Hessian has the norm {:g} where the gradients change by {:g}, and differs "
                 "from that by {:g}",
                 hv.norm(), nearest.norm(), (hv - nearest).norm()),
             {x.x, v});
    }
  }

  const Term& term_;
  Vector centre_;
  double radius_;
  int samples_;
  Gaussian random_;
  Findings& findings_;
  std::vector<Sample> seen_;
  double slope_ = 0.0;  // the largest norm of a gradient
  Scratch scratch_;
};

}  // namespace

std::string CheckReport::in_words() const {
  if (findings.empty()) return "no mistake found";
  std::string words;
  for (const CheckFinding& finding : findings) words += (words.empty() ? "" : "\n") + finding.what;
  return words;
}

CheckReport check_function(const Function& function, VectorIn centre, double radius, int samples,
                           std::uint64_t seed) {
  if (centre.size() != function.dimension() || !centre.allFinite() || !(radius >= 0.0) || !std::isfinite(radius))
    throw InvalidArgument(
        fmt::format("check_function: expected a finite centre of {} numbers and a finite radius >= 0, found {} "
                    "numbers and {:g}",
                    function.dimension(), centre.size(), radius));
  Findings findings;
  for (const Function::Part& part : function.parts())
    FunctionCheck(*part.term, centre, radius, samples, seed, findings).run();
  return std::move(findings).report();
}

CheckReport check_function(const UserFunction& function, VectorIn centre, double radius, int samples,
                           std::uint64_t seed) {
  return check_function(user_function(function), centre, radius, samples, seed);
}

}  // namespace fcbio
