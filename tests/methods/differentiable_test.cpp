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

/// sum log(1 + exp(-<a_i, x>)) over rows of very different sizes, as a black box.
UserFunction black_box_logistic(const RowMajorMatrix& rows, bool with_hessian) {
  UserFunction user;
  user.name = "box";
  user.dimension = rows.cols();
  user.lower_bound = 0.0;
  user.evaluate = [rows](VectorIn x, Vector* gradient) {
    const Eigen::ArrayXd u = (rows * x).array();
    if (gradient != nullptr) *gradient = -rows.transpose() * (1.0 / (1.0 + u.exp())).matrix();
    return ((-u.abs()).exp().log1p() - u.min(0.0)).sum();
  };
  user.smoothness = 0.25 * rows.squaredNorm();
  if (with_hessian)
    user.hessian_product = [rows](VectorIn x, VectorIn v, VectorOut out) {
      const Eigen::ArrayXd share = 1.0 / (1.0 + (rows * x).array().exp());
      out = rows.transpose() * (share * (1.0 - share) * (rows * v).array()).matrix();
    };
  return user;
}

TEST(Differentiable, ABlackBoxThatTellsItsHessianGoesToNewton) {
  std::mt19937_64 random(8);
  const Index n = 12;
  RowMajorMatrix rows = test::random_matrix(40, n, random);
  for (Index j = 0; j < n; ++j) rows.col(j) *= std::pow(10.0, -2.5 * static_cast<double>(j) / n);
  for (const ConvexSetPtr& domain :
       {ball(Vector::Zero(n), 20.0), box(Vector::Constant(n, -4.0), Vector::Constant(n, 4.0))}) {
    const auto solved = [&](bool with_hessian) {
      const Problem problem(squared_norm(Vector::Zero(n)), user_function(black_box_logistic(rows, with_hessian)),
                            domain);
      // What rounding may do to averages of a black box's gradients is allowed for: a few 1e-10 of its values.
      return solve(problem, {.accuracy = {1e-5, 1e-6}, .limits = {.iterations = 200000}});
    };
    const Result told = solved(true), untold = solved(false);
    EXPECT_EQ(told.engine, "newton");
    EXPECT_EQ(told.status, Status::certified) << domain->name() << ": " << told.message;
    EXPECT_EQ(untold.engine, "accelerated");
    EXPECT_LT(3 * told.work.passes(), untold.work.passes()) << domain->name();
  }
}

// Its Hessian vanishes at the start, and is singular at the solution of the lower level.
TEST(Differentiable, AHessianMayBeSingular) {
  const Index n = 6;
  UserFunction user;
  user.name = "quartic";
  user.dimension = n;
  user.evaluate = [](VectorIn x, Vector* gradient) {
    if (gradient != nullptr) *gradient = x.array().cube();
    return 0.25 * x.array().pow(4).sum();
  };
  user.lower_bound = 0.0;
  user.hessian_product = [](VectorIn x, VectorIn v, VectorOut out) { out = 3.0 * x.array().square() * v.array(); };
  const Problem problem(user_function(user), least_squares(dense_map(RowMajorMatrix(RowMajorMatrix::Ones(1, n))), Vector::Ones(1)),
                        ball(Vector::Zero(n), 3.0));
  const Result result = solve(problem, {.accuracy = {1e-5, 1e-8}});
  EXPECT_EQ(result.engine, "newton");
  EXPECT_EQ(result.status, Status::certified) << result.message;
}

}  // namespace
}  // namespace fcbio
