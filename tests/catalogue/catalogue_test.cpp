// Every entry: the known answer is consistent with the problem it comes with, checked by naive evaluation and by
// optimality conditions; seeds and parameters do what they say; mistakes are refused with a useful text.
#include "catalogue/catalogue.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <set>

#include "build/problem.hpp"
#include "catalogue/random.hpp"
#include "fcbio/error.hpp"
#include "naive.hpp"
#include "small_sizes.hpp"
#include "support/kinds.hpp"
#include "support/refusal.hpp"

namespace fcbio::catalogue {
namespace {

using testing::HasSubstr;

std::string refusal(const std::string& name, const OptionValues& values) {
  return test::refusal([&] { find_entry(name).make(values, 1); });
}

void expect_consistent(const Instance& instance) {
  const Vector* x = instance.solution ? &*instance.solution : nullptr;
  ASSERT_EQ(x != nullptr, instance.upper_optimum.has_value());
  ASSERT_EQ(x != nullptr, instance.lower_optimum.has_value());
  if (x == nullptr) return;
  ASSERT_EQ(x->size(), instance.data.dimension);
  EXPECT_LE(naive::violation(instance.data.domain, *x), 1e-12);
  EXPECT_NEAR(naive::value(instance.data.upper, *x), *instance.upper_optimum,
              1e-12 * (1.0 + std::abs(*instance.upper_optimum)));
  EXPECT_NEAR(naive::value(instance.data.lower, *x), *instance.lower_optimum,
              1e-12 * (1.0 + std::abs(*instance.lower_optimum)));
}

TEST(Catalogue, NamesAreUniqueAndDescribed) {
  std::set<std::string> names;
  for (const Entry& entry : entries()) {
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
    EXPECT_FALSE(entry.summary.empty());
    EXPECT_FALSE(entry.answer.empty());
    for (const OptionInfo& parameter : entry.parameters) EXPECT_FALSE(parameter.help.empty()) << parameter.name;
  }
  EXPECT_GE(names.size(), 28U);
}

TEST(Catalogue, KnownAnswersAreConsistent) {
  for (const Entry& entry : entries())
    for (const std::uint64_t seed : {0U, 1U, 2U, 77U}) {
      SCOPED_TRACE(entry.name + " seed " + std::to_string(seed));
      expect_consistent(entry.make(small(entry.name), seed));
    }
}

TEST(Catalogue, DefaultsHaveTheShapesOfTheLiterature) {
  const Instance gaussian = find_entry("min-norm-gaussian").make({}, 1);
  EXPECT_EQ(gaussian.data.dimension, 729);
  EXPECT_EQ(test::target_of(gaussian.data.lower.front()).size(), 400);
  expect_consistent(gaussian);
  const Eigen::MatrixXd a = naive::rows(gaussian.data.lower);
  EXPECT_NEAR(a.squaredNorm(), 400.0, 10.0);  // variance 1/729
  const Instance chain = find_entry("nemirovski").make({}, 1);
  EXPECT_DOUBLE_EQ(*chain.upper_optimum, 196.0);
  const Eigen::MatrixXd m = naive::rows(chain.data.lower);
  EXPECT_NEAR(Eigen::MatrixXd(m.transpose() * m).operatorNorm(), 3.53209, 1e-5);
}

TEST(Catalogue, ProblemsAreWellFormed) {
  for (const Entry& entry : entries()) {
    SCOPED_TRACE(entry.name);
    const data::Problem data = entry.make(small(entry.name), 1).data;
    EXPECT_GT(data.accuracy.upper, 0.0);
    EXPECT_GT(data.accuracy.lower, 0.0);
    EXPECT_EQ(data.domain.dimension, data.dimension);
    if (data.start) {
      EXPECT_LE(naive::violation(data.domain, *data.start), 1e-12);
    }
    const Problem problem = build::make_problem(data);
    EXPECT_EQ(problem.dimension(), data.dimension);
  }
}

TEST(Catalogue, SameSeedSameProblemOtherSeedOtherProblem) {
  for (const Entry& entry : entries()) {
    SCOPED_TRACE(entry.name);
    const auto print = [&](std::uint64_t seed) {
      return data::fingerprint(entry.make(small(entry.name), seed).data);
    };
    EXPECT_EQ(print(1), print(1));
    EXPECT_EQ(print(1) != print(2), entry.seeded);
  }
}

TEST(Catalogue, EveryParameterChangesTheProblem) {
  const std::vector<std::pair<std::string, OptionValues>> changes = {
      {"min-norm", {{"rows", "41"}}},
      {"min-norm", {{"columns", "101"}}},
      {"min-norm", {{"rank", "20"}}},
      {"min-norm", {{"condition", "10"}}},
      {"min-norm", {{"radius", "0.5"}}},
      {"min-norm", {{"rank", "20"}, {"noise", "0.1"}}},
      {"min-norm-gaussian", {{"rows", "12"}, {"columns", "30"}, {"radius", "3"}}},
      {"logistic-pair", {{"rows", "40"}, {"columns", "120"}, {"radius", "3"}}},
      {"regression-pair", {{"set", "simplex"}}},
      {"regression-pair", {{"set", "l1-ball"}}},
      {"regression-pair", {{"training", "20"}}},
      {"regression-pair", {{"validation", "20"}}},
      {"regression-pair", {{"columns", "20"}}},
      {"simplex-face", {{"dimension", "31"}}},
      {"simplex-face", {{"ties", "3"}}},
      {"simplex-face", {{"total", "2"}}},
      {"simplex-face", {{"spread", "0"}}},
      {"box-face", {{"dimension", "31"}}},
      {"box-face", {{"ties", "3"}}},
      {"box-face", {{"spread", "0"}}},
      {"hinge-l1", {{"rows", "10"}}},
      {"hinge-l1", {{"columns", "50"}}},
      {"hinge-l1", {{"support", "2"}}},
      {"nemirovski", {{"dimension", "8"}}},
      {"nemirovski", {{"chain", "3"}}},
      {"nemirovski", {{"center", "10"}}},
      {"nemirovski", {{"radius", "200"}}},
  };
  for (const auto& [name, values] : changes) {
    SCOPED_TRACE(name + " " + values.begin()->first);
    const Entry& entry = find_entry(name);
    const Instance changed = entry.make(values, 1);
    expect_consistent(changed);
    EXPECT_NE(data::fingerprint(changed.data), data::fingerprint(entry.make(small(name), 1).data));
  }
}

// x* against the pseudo-inverse (when the ball does not cut) or the optimality condition of the cut ball.
TEST(Catalogue, MinimumNormIsThePseudoInverse) {
  for (const std::string condition : {"1", "100", "1e5"})
    for (const std::string noise : {"0", "0.3"}) {
      SCOPED_TRACE(condition + " " + noise);
      const Instance instance =
          find_entry("min-norm").make({{"condition", condition}, {"rank", "25"}, {"noise", noise}}, 4);
      const Eigen::MatrixXd a = naive::rows(instance.data.lower);
      Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
      decomposition.setThreshold(1e-10);
      decomposition.compute(a);
      ASSERT_EQ(decomposition.rank(), 25);
      const Vector reference = decomposition.solve(test::target_of(instance.data.lower.front()));
      EXPECT_LT((*instance.solution - reference).norm(), 1e-14 * std::stod(condition) * 1e2);
      EXPECT_NEAR(instance.solution->norm(), 1.0, 1e-12);
    }
}

TEST(Catalogue, CutBallAnswerIsStationary) {
  const Instance instance = find_entry("min-norm").make({{"radius", "0.6"}, {"rank", "20"}, {"noise", "0.2"}}, 4);
  const Eigen::MatrixXd a = naive::rows(instance.data.lower);
  const Vector& x = *instance.solution;
  EXPECT_NEAR(x.norm(), 0.6, 1e-13);
  const Vector gradient = a.transpose() * (a * x - test::target_of(instance.data.lower.front()));
  const double multiplier = -gradient.dot(x) / x.squaredNorm();
  EXPECT_GT(multiplier, 1e-3);  // the ball does cut
  EXPECT_LT((gradient + multiplier * x).norm(), 1e-12);
}

TEST(Catalogue, PageViewsAreIllConditionedAndUncut) {
  const Instance instance = find_entry("min-norm-wikipedia").make({}, 1);
  EXPECT_EQ(instance.data.dimension, 729);
  EXPECT_TRUE(instance.solution.has_value());
  expect_consistent(instance);
  const Eigen::MatrixXd a = naive::rows(instance.data.lower);
  const Vector squares = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(a * a.transpose()).eigenvalues();
  EXPECT_GT(std::sqrt(squares.maxCoeff() / squares.minCoeff()), 1e3);
}

// On a face, the answer minimises f: the derivative towards every vertex of the optimal face is nonnegative, and
// no random point of Z has a smaller g.
TEST(Catalogue, FaceAnswersBeatRandomPoints) {
  Random random(8);
  for (const std::string name : {"simplex-face", "box-face"}) {
    SCOPED_TRACE(name);
    const Instance instance = find_entry(name).make({}, 3);
    const auto* box = std::get_if<data::Box>(&instance.data.domain.kind);
    const auto* simplex = std::get_if<data::Simplex>(&instance.data.domain.kind);
    ASSERT_EQ(box != nullptr, name == "box-face");
    ASSERT_EQ(simplex != nullptr, name == "simplex-face");
    const Vector& coefficients = std::get<data::Linear>(instance.data.lower.front().kind).coefficients;
    const Vector& x = *instance.solution;
    for (int trial = 0; trial < 2000; ++trial) {
      Vector z(x.size());
      for (Index j = 0; j < z.size(); ++j)
        z[j] = box != nullptr ? random.uniform(box->lower[j], box->upper[j]) : -std::log(1.0 - random.uniform());
      if (simplex != nullptr) z *= simplex->total / z.sum();
      ASSERT_GE(coefficients.dot(z), *instance.lower_optimum - 1e-12);
      // Move z onto the optimal face: keep the tied coordinates, the others as in x.
      const double smallest = box != nullptr ? 0.0 : coefficients.minCoeff();
      Vector on_face = x;
      double tied_sum = 0.0;
      for (Index j = 0; j < z.size(); ++j)
        if (coefficients[j] == smallest) tied_sum += z[j];
      for (Index j = 0; j < z.size(); ++j)
        if (coefficients[j] == smallest) on_face[j] = box != nullptr ? z[j] : z[j] * simplex->total / tied_sum;
      ASSERT_NEAR(coefficients.dot(on_face), *instance.lower_optimum, 1e-12);
      ASSERT_GE(naive::value(instance.data.upper, on_face), *instance.upper_optimum - 1e-12);
    }
  }
}

// Every direction that keeps all margins at least 1 (K d >= 0) does not decrease the l1 norm.
TEST(Catalogue, HingeAnswerIsStationary) {
  Random random(6);
  const Instance instance = find_entry("hinge-l1").make({}, 3);
  const auto& lower = std::get<data::Hinge>(instance.data.lower.front().kind);
  const Eigen::MatrixXd k = lower.target.asDiagonal() * naive::dense(lower.data);
  const Vector& x = *instance.solution;
  EXPECT_LT((k * x - Vector::Ones(k.rows())).cwiseAbs().maxCoeff(), 1e-12);
  const Eigen::MatrixXd kernel = k.fullPivLu().kernel();
  ASSERT_GT(kernel.cols(), 0);
  const auto decomposition = k.completeOrthogonalDecomposition();
  for (int trial = 0; trial < 2000; ++trial) {
    Vector push(k.rows());
    for (Index i = 0; i < push.size(); ++i) push[i] = trial % 2 == 0 ? 0.0 : random.uniform();
    const Vector d = kernel * random.normal_vector(kernel.cols()) + decomposition.solve(push);
    double slope = 0.0;
    for (Index j = 0; j < x.size(); ++j) slope += x[j] == 0.0 ? std::abs(d[j]) : (x[j] > 0.0 ? d[j] : -d[j]);
    ASSERT_GE(slope, -1e-10 * d.norm());
  }
}

TEST(Catalogue, DocumentsAreUnitRowsWithBothLabels) {
  const data::Problem data = find_entry("logistic-pair").make({}, 1).data;
  for (const data::Term* term : {&data.upper.front(), &data.lower.front()}) {
    const auto& logistic = std::get<data::Logistic>(term->kind);
    const Eigen::MatrixXd rows = naive::dense(logistic.data);
    EXPECT_EQ(rows.cols(), 300);
    for (Index i = 0; i < rows.rows(); ++i) ASSERT_NEAR(rows.row(i).norm(), 1.0, 1e-12);
    EXPECT_NEAR(logistic.target.sum(), 0.0, 50.0);
    EXPECT_NEAR(logistic.target.cwiseAbs().minCoeff(), 1.0, 0.0);
    const auto& csr = std::get<CsrMatrix>(logistic.data.matrix);
    EXPECT_LT(csr.nonzeros(), rows.size() / 4);
  }
}

TEST(Catalogue, Refusals) {
  EXPECT_THAT(refusal("min-norm", {{"row", "3"}}), HasSubstr("did you mean 'rows'"));
  EXPECT_THAT(refusal("min-norm", {{"rows", "0"}}), HasSubstr("found '0'"));
  EXPECT_THAT(refusal("min-norm", {{"rows", "nan"}}), HasSubstr("found 'nan'"));
  EXPECT_THAT(refusal("min-norm", {{"radius", "-1"}}), HasSubstr("found '-1'"));
  EXPECT_THAT(refusal("min-norm", {{"rank", "41"}}), HasSubstr("min(rows, columns) = 40"));
  EXPECT_THAT(refusal("min-norm", {{"noise", "1"}}), HasSubstr("needs rank < rows"));
  EXPECT_THAT(refusal("min-norm-gaussian", {{"rows", "800"}}), HasSubstr("at most columns = 729"));
  EXPECT_THAT(refusal("regression-pair", {{"set", "cube"}}), HasSubstr("box | l1-ball | simplex"));
  EXPECT_THAT(refusal("simplex-face", {{"ties", "31"}}), HasSubstr("at most dimension = 30"));
  EXPECT_THAT(refusal("box-face", {{"ties", "31"}}), HasSubstr("at most dimension = 30"));
  EXPECT_THAT(refusal("hinge-l1", {{"support", "41"}}), HasSubstr("at most columns = 40"));
  EXPECT_THAT(refusal("nemirovski", {{"chain", "8"}}), HasSubstr("at most dimension = 7"));
  EXPECT_THAT(refusal("nemirovski", {{"radius", "80"}}), HasSubstr("raise radius"));
  EXPECT_THAT(refusal("min-nrom", {}), HasSubstr("did you mean 'min-norm'"));
}

}  // namespace
}  // namespace fcbio::catalogue
