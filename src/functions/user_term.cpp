// A convex function known by a lambda.  Dual: n+1 numbers, a subgradient s at some point y and value(y) - <s, y>;
//     term(x) >= d[n] + <d.head(n), x>     by convexity, and for averages of such duals.
//
// The lambda writes into a Vector, so one must be lent to it.  The term keeps a pool of them behind a mutex: a
// call takes a buffer and puts it back, so threads and lambdas that call other lambdas do not meet, and nothing is
// allocated once as many buffers exist as calls ever ran at the same time.
//
// Rounding.  What the lambda does inside is not known: its value is taken to be right to n + 16 roundings of
// |value| + sum |s_i x_i|, as that of a sum of n products would be.  This is an allowance, not a proof.  A dual is
// made with d[n] lowered by it, which pays for value - <s, y> too.  A dual cannot be recomputed from data, so the
// rounding of averaging it stays in it; kAveragings steps of three roundings each are allowed for.
#include <mutex>
#include <vector>

#include "fcbio/term.hpp"
#include "functions/check.hpp"
#include "functions/rounding.hpp"

namespace fcbio {
namespace {

using functions::absolute_dot;
using functions::dot;
using functions::kUnderflow;
using functions::norm;
using functions::rounding_factor;

constexpr Index kAveragings = Index{1} << 20;

class BufferPool {
 public:
  explicit BufferPool(Index size) : size_(size) {}

  /// A buffer, for as long as the lease lives.
  class Lease {
   public:
    explicit Lease(BufferPool& pool) : pool_(pool), buffer_(pool.take()) {}
    ~Lease() { pool_.put_back(std::move(buffer_)); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    Vector& operator*() { return *buffer_; }

   private:
    BufferPool& pool_;
    std::unique_ptr<Vector> buffer_;
  };

 private:
  std::unique_ptr<Vector> take() {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) {
      idle_.reserve(++made_);  // room for all, so that putting back never allocates
      return std::make_unique<Vector>(Vector::Zero(size_));
    }
    auto buffer = std::move(idle_.back());
    idle_.pop_back();
    return buffer;
  }
  void put_back(std::unique_ptr<Vector> buffer) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(buffer));
  }

  Index size_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Vector>> idle_;
  std::size_t made_ = 0;
};

class UserTerm final : public Term {
 public:
  explicit UserTerm(UserFunction function) : function_(std::move(function)), pool_(function_.dimension) {}

  std::string_view name() const override { return function_.name; }
  Index dimension() const override { return function_.dimension; }
  PassCost cost() const override {
    return {.image = 0, .value = 1, .gradient = 1, .slope = 0, .slope_along = 1, .hessian = 1};
  }

  double value(VectorIn x, VectorIn) const override { return function_.evaluate(x, nullptr); }

  /// Gradient s, constant c, and the sizes |s| and |c|: averages of the sizes tell how much rounding the averages
  /// of s and c may have gathered, also where those cancel.
  Index dual_size() const override { return dimension() + 3; }
  void linear_dual(VectorIn x, VectorIn, VectorOut d) const override {
    BufferPool::Lease gradient(pool_);
    const double value = evaluate(x, *gradient);
    const Index n = dimension();
    d.head(n) = *gradient;
    d[n] = value - dot(*gradient, x) - allowance(x, value, *gradient);
    d[n + 1] = norm(*gradient);
    d[n + 2] = std::abs(d[n]);
  }
  void add_gradient(double weight, VectorIn, VectorIn, VectorIn d, VectorOut gradient) const override {
    gradient += weight * d.head(dimension());
  }
  double slope_along(VectorIn x, VectorIn, VectorIn v, VectorIn, VectorOut) const override {
    BufferPool::Lease gradient(pool_);
    evaluate(x, *gradient);
    return dot(*gradient, v);
  }
  bool tells_hessian() const override { return static_cast<bool>(function_.hessian_product); }
  bool add_hessian_product(double weight, VectorIn x, VectorIn, VectorIn v, Scratch&,
                           VectorOut out) const override {
    if (!function_.hessian_product) return false;
    BufferPool::Lease product(pool_);
    function_.hessian_product(x, v, *product);
    out += weight * *product;
    return true;
  }

  double dual_constant(VectorIn d) const override { return d[dimension()]; }
  void add_slope(double weight, VectorIn d, VectorOut slope) const override {
    slope += weight * d.head(dimension());
  }

  double value_rounding(VectorIn x, VectorIn) const override {
    BufferPool::Lease gradient(pool_);
    const double value = evaluate(x, *gradient);
    return allowance(x, value, *gradient);
  }
  double slope_rounding(VectorIn d) const override {
    return rounding_factor(3 * kAveragings) * std::abs(d[dimension() + 1]) + kUnderflow;
  }
  double dual_constant_rounding(VectorIn d) const override {
    return rounding_factor(3 * kAveragings) * std::abs(d[dimension() + 2]) + kUnderflow;
  }

  bool differentiable() const override { return function_.differentiable || smooth() || tells_hessian(); }
  bool smooth() const override { return function_.smoothness.has_value(); }
  CostedBound smoothness() const override { return {function_.smoothness, 0}; }
  CostedBound lipschitz(VectorIn, double) const override { return {function_.lipschitz, 0}; }
  double lower_bound() const override { return function_.lower_bound; }
  double strong_convexity() const override { return function_.strong_convexity; }
  bool prox(double step, VectorOut x) const override {
    if (!function_.prox) return false;
    function_.prox(step, x);
    return true;
  }
  std::string premise() const override {
    const bool told = function_.lower_bound > -kInfinity;
    return "the function '" + function_.name +
           (told ? "' is convex, its gradient and its lower bound right" : "' is convex and its gradient right");
  }

 private:
  double allowance(VectorIn x, double value, const Vector& gradient) const {
    return rounding_factor(dimension() + 16) * (std::abs(value) + absolute_dot(gradient, x)) + kUnderflow;
  }
  double evaluate(VectorIn x, Vector& gradient) const {
    const double value = function_.evaluate(x, &gradient);
    if (gradient.size() != dimension()) {
      const Index found = gradient.size();
      gradient.resize(dimension());
      refuse(function_.name, "a gradient of " + std::to_string(dimension()) + " numbers", std::to_string(found),
             "write the gradient in place, without resizing it");
    }
    return value;
  }

  UserFunction function_;
  mutable BufferPool pool_;
};

void require_constant(const UserFunction& function, const std::string& what, std::optional<double> value) {
  if (value && !(*value >= 0.0 && std::isfinite(*value))) {
    refuse(function.name, "a finite " + what + " >= 0", functions::number_text(*value),
           "leave it empty when it is not known");
  }
}

}  // namespace

TermPtr user_term(UserFunction function) {
  if (function.name.empty()) function.name = "user";
  if (function.dimension <= 0) {
    refuse(function.name, "a dimension of at least 1", std::to_string(function.dimension),
           "set UserFunction::dimension");
  }
  if (!function.evaluate) {
    refuse(function.name, "a callable evaluate", "an empty one", "set UserFunction::evaluate");
  }
  require_constant(function, "smoothness constant", function.smoothness);
  require_constant(function, "Lipschitz constant", function.lipschitz);
  require_constant(function, "strong convexity constant", function.strong_convexity);
  if (std::isnan(function.lower_bound) || function.lower_bound == kInfinity) {
    refuse(function.name, "a lower bound below +infinity", functions::number_text(function.lower_bound),
           "leave it at -infinity when it is not known");
  }
  return std::make_shared<UserTerm>(std::move(function));
}

}  // namespace fcbio
