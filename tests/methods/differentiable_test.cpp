// Functions that are differentiable but have no Lipschitz constant of the gradient: engines that search for their
// steps take them, those that need the constant do not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fcbio/error.hpp"
#include "fcbio/method.hpp"
#include "support/problems.hpp"

namespace fcbio {
namespace {

/// sum exp(u_i) - b_i u_i, the negative logarithm of Poisson's likelihood: twice differentiable, curvature
/// unbounded. phi*(r) = sum (r_i + b_i) (log(r_i + b_i) - 1) for r > -b.
class PoissonLoss final : public Loss {
 public:
  explicit PoissonLoss(Vector counts) : counts_(std::move(counts)) {}
  std::string_view name() const override { return "poisson"; }
  Index size() const override { return counts_.size(); }
  double value(VectorIn u) const override { return u.array().exp().sum() - counts_.dot(u); }
  void derivative(VectorIn u, VectorOut r) const override { r = u.array().exp().matrix() - counts_; }
  bool curvature(VectorIn u, VectorOut w) const override {
    w = u.array().exp();
    return true;
  }
  void make_dual_feasible(VectorOut r) const override {
    r = r.cwiseMax(-counts_ + Vector::Constant(size(), 1e-300));
  }
  double conjugate(VectorIn r) const override {
    const Eigen::ArrayXd rate = (r + counts_).array().max(1e-300);
    return (rate * (rate.log() - 1.0)).sum();
  }
  std::optional<double> smoothness() const override { return std::nullopt; }
  bool differentiable() const override { return differentiable_; }
  std::optional<double> lipschitz(VectorIn centre, double radius) const override {
    return (centre.array() + radius).exp().matrix().norm() + counts_.norm();
  }
  bool differentiable_ = true;

 private:
  Vector counts_;
};

Problem poisson_regression(const ConvexSetPtr& domain, bool known = true) {
  std::mt19937_64 random(3);
  const Index n = domain->dimension(), rows = n / 2;
  const auto data = dense_map(RowMajorMatrix(0.3 * test::random_matrix(rows, n, random)));
  const auto loss = std::make_shared<PoissonLoss>(
      Vector(Vector::NullaryExpr(rows, [&] { return static_cast<double>(1 + random() % 4); })));
  loss->differentiable_ = known;
  return Problem(squared_norm(Vector::Zero(n)), Function(loss_term(data, loss)), domain);
}

TEST(Differentiable, ALossWithoutAConstantGoesToQuasiNewton) {
  const Index n = 20;
  for (const ConvexSetPtr& domain : {box(Vector::Constant(n, -3.0), Vector::Constant(n, 3.0)),
                                     l1_ball(Vector::Zero(n), 30.0), ball(Vector::Zero(n), 20.0)}) {
    const Result result = solve(poisson_regression(domain), {.accuracy = {1e-5, 1e-6}});
    EXPECT_EQ(result.status, Status::certified) << domain->name() << ": " << result.message;
    EXPECT_TRUE(result.engine.find("newton") != std::string::npos) << domain->name() << ": " << result.engine;
  }
}

TEST(Differentiable, WhoDoesNotSaySoGetsTheBundle) {
  const Problem problem = poisson_regression(ball(Vector::Zero(20), 20.0), false);
  const Result result = solve(problem, {.accuracy = {1e-2, 1e-2}, .limits = {.iterations = 50}});
  EXPECT_EQ(result.engine, "bundle-level");
  try {
    solve(problem, {.values = {{"engine", "quasi-newton"}}});
    FAIL() << "quasi-newton took it";
  } catch (const InvalidArgument& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("the lower function is not differentiable (term 'poisson')"));
  }
}

TEST(Differentiable, MethodsThatTakeTheirStepsFromTheConstantStillRefuse) {
  const Problem problem = poisson_regression(ball(Vector::Zero(20), 20.0));
  EXPECT_THAT(find_method("fcbio-sm").misfit(problem), testing::HasSubstr("not smooth (term 'poisson')"));
}

/// sum x_j^4 / 4 as a black box, for which no constant is told.
Function quartic(Index n, bool differentiable) {
  UserFunction user;
  user.name = "quartic";
  user.dimension = n;
  user.evaluate = [](VectorIn x, Vector* gradient) {
    if (gradient != nullptr) *gradient = x.array().cube();
    return 0.25 * x.array().pow(4).sum();
  };
  user.lower_bound = 0.0;
  user.differentiable = differentiable;
  return user_function(user);
}

TEST(Differentiable, ABlackBoxWithoutAConstantGoesToAcceleratedGradients) {
  const Index n = 6;
  const RowMajorMatrix line = RowMajorMatrix::Ones(1, n);
  const auto solved = [&](bool differentiable) {
    const Problem problem(quartic(n, differentiable), least_squares(dense_map(line), Vector::Ones(1)),
                          ball(Vector::Zero(n), 3.0));
    return solve(problem, {.accuracy = {1e-5, 1e-8}});
  };
  const Result told = solved(true), untold = solved(false);
  EXPECT_EQ(told.engine, "accelerated");
  EXPECT_EQ(told.status, Status::certified) << told.message;
  EXPECT_LE((told.x - Vector::Constant(n, 1.0 / static_cast<double>(n))).lpNorm<Eigen::Infinity>(), 0.05);
  EXPECT_EQ(untold.engine, "bundle-level");
}

}  // namespace
}  // namespace fcbio
