// The one-dimensional dual against the paper's three-candidate proposition: closed form on the ball, Dykstra on
// other sets.
#include "inner/gradient_mapping.hpp"

#include <gtest/gtest.h>

#include "support/problems.hpp"

namespace fcbio {
namespace {

struct Instance {
  Problem problem;
  Linearization f, g;
  Target target;
  Vector y;
  double smoothness;

  Instance(ConvexSetPtr domain, std::mt19937_64& random)
      : problem(linear(Vector::Zero(domain->dimension())), linear(Vector::Zero(domain->dimension())), domain),
        f(problem.upper()),
        g(problem.lower()) {
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    const Index n = domain->dimension();
    y = 1.5 * test::random_vector(n, random);
    f.value = uniform(random);
    g.value = uniform(random);
    f.gradient = test::random_vector(n, random) * std::pow(10.0, uniform(random));
    g.gradient = test::random_vector(n, random) * std::pow(10.0, uniform(random));
    target.level = uniform(random);
    target.lower_reference = 0.3 * uniform(random);
    target.scale = std::pow(10.0, uniform(random));
    smoothness = std::pow(10.0, 1.5 * uniform(random));
  }

  double model(VectorIn x) const {
    const Vector d = x - y;
    return std::max(target.upper_part(f.value) + f.gradient.dot(d),
                    target.lower_part(g.value) + target.scale * g.gradient.dot(d)) +
           0.5 * smoothness * d.squaredNorm();
  }
  Vector projected(Vector x) const {
    Scratch scratch;
    problem.domain().project(x, scratch);
    return x;
  }
  Vector candidate_on_f() const { return projected(y - f.gradient / smoothness); }
  Vector candidate_on_g() const { return projected(y - (target.scale / smoothness) * g.gradient); }
  // H = {z : <w, z> = b}, where both models are equal
  Vector w() const { return f.gradient - target.scale * g.gradient; }
  double b() const { return w().dot(y) - (target.upper_part(f.value) - target.lower_part(g.value)); }
};

Vector mapping(Instance& instance, std::int64_t* projections = nullptr) {
  Monitor monitor;
  Oracle oracle(instance.problem, monitor);
  GradientMapping map(oracle, 0.0);
  Vector next(instance.y.size());
  map.step(instance.target, instance.y, instance.f, instance.g, instance.smoothness, next);
  if (projections != nullptr) *projections += monitor.work().projections;
  return next;
}

// Projection on ball(0, R) and the hyperplane, in closed form; empty when they do not meet.
std::optional<Vector> on_ball_and_hyperplane(const Vector& z, const Vector& w, double b, double radius) {
  const Vector nearest = (b / w.squaredNorm()) * w;
  const double rho = radius * radius - nearest.squaredNorm();
  if (rho < 0.0) return std::nullopt;
  const Vector q = z - ((w.dot(z) - b) / w.squaredNorm()) * w;
  if (q.norm() <= radius) return q;
  const Vector v = z - (w.dot(z) / w.squaredNorm()) * w;
  return nearest + std::sqrt(rho) * v / v.norm();
}

TEST(GradientMapping, AgreesWithThePropositionOnTheBall) {
  std::mt19937_64 random(11);
  constexpr double kRadius = 1.3;
  int interior = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    Instance instance(ball(Vector::Zero(6), kRadius), random);
    std::vector<Vector> candidates{instance.candidate_on_f(), instance.candidate_on_g()};
    const Vector z = instance.y - instance.f.gradient / instance.smoothness;
    if (const auto third = on_ball_and_hyperplane(z, instance.w(), instance.b(), kRadius))
      candidates.push_back(*third);
    const auto best =
        std::min_element(candidates.begin(), candidates.end(),
                         [&](const Vector& p, const Vector& q) { return instance.model(p) < instance.model(q); });
    if (best - candidates.begin() == 2) ++interior;
    const Vector next = mapping(instance);
    EXPECT_LE(instance.model(next), instance.model(*best) + 1e-9 * (1.0 + std::abs(instance.model(*best))));
    EXPECT_LT((next - *best).norm(), 1e-6);
  }
  EXPECT_GT(interior, 500);  // the case that matters was really met
}

// Dykstra between Z and the hyperplane.
Vector on_set_and_hyperplane(const Instance& instance, const Vector& z) {
  const Vector w = instance.w();
  Vector x = z, correction = Vector::Zero(z.size());
  for (int cycle = 0; cycle < 20000; ++cycle) {
    const Vector before = x;
    const double residual = std::abs(w.dot(x) - instance.b());
    x -= ((w.dot(x) - instance.b()) / w.squaredNorm()) * w;  // an affine set needs no correction
    const Vector inside = instance.projected(x + correction);
    correction += x - inside;
    x = inside;
    if (residual < 1e-12 * (1.0 + w.norm()) && (x - before).norm() < 1e-13) break;
  }
  return x;
}

TEST(GradientMapping, AgreesWithThePropositionByDykstraOnOtherSets) {
  std::mt19937_64 random(12);
  const std::vector<ConvexSetPtr> sets{box(Vector::Constant(5, -0.7), Vector::Constant(5, 0.9)), simplex(5, 1.0),
                                       l1_ball(Vector::Zero(5), 1.0), nonnegative_ball(5, 1.2)};
  for (const ConvexSetPtr& set : sets) {
    SCOPED_TRACE(set->name());
    int third_is_best = 0;
    for (int trial = 0; trial < 150; ++trial) {
      Instance instance(set, random);
      const double two =
          std::min(instance.model(instance.candidate_on_f()), instance.model(instance.candidate_on_g()));
      const Vector third = on_set_and_hyperplane(instance, instance.y - instance.f.gradient / instance.smoothness);
      // The third candidate counts only where Z and the hyperplane meet.
      const bool meets = std::abs(instance.w().dot(third) - instance.b()) < 1e-9 * (1.0 + instance.w().norm());
      const double best = meets ? std::min(two, instance.model(third)) : two;
      if (meets && instance.model(third) < two - 1e-9) ++third_is_best;
      EXPECT_NEAR(instance.model(mapping(instance)), best, 1e-7 * (1.0 + std::abs(best)));
    }
    EXPECT_GT(third_is_best, 5);
  }
}

TEST(GradientMapping, NeedsFewProjections) {
  std::mt19937_64 random(13);
  for (const ConvexSetPtr& set : {box(Vector::Constant(40, -0.7), Vector::Constant(40, 0.9)), simplex(40, 1.0),
                                  l1_ball(Vector::Zero(40), 1.0), ball(Vector::Zero(40), 1.0)}) {
    std::int64_t projections = 0;
    constexpr int kTrials = 300;
    for (int trial = 0; trial < kTrials; ++trial) {
      Instance instance(set, random);
      mapping(instance, &projections);
    }
    EXPECT_LT(static_cast<double>(projections) / kTrials, 12.0) << set->name();
  }
}

TEST(GradientMapping, EqualGradientsDoNotDivideByZero) {
  std::mt19937_64 random(14);
  Instance instance(ball(Vector::Zero(3), 1.0), random);
  instance.target.scale = 1.0;
  instance.g.gradient = instance.f.gradient;
  const Vector next = mapping(instance);
  EXPECT_TRUE(next.allFinite());
  EXPECT_LT((next - instance.candidate_on_f()).norm(), 1e-12);
}

}  // namespace
}  // namespace fcbio
