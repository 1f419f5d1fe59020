// From plain data to the solver's objects: every function and set by its formula at a point.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "fcbio/error.hpp"
#include "problem_support.hpp"

namespace fcbio::io {
namespace {

double value(const Function& function, const Vector& x) {
  PartVectors images = function.make_images();
  function.images(x, images);
  return function.value(x, images);
}

Vector numbers(std::initializer_list<double> values) {
  return Eigen::Map<const Vector>(values.begin(), static_cast<Index>(values.size()));
}

Problem problem_with_upper(const std::string& upper) {
  ProblemDirectory directory;
  directory.write("d.csv", "1,2,1\n-1,3,-1\n0.5,0,1\n");
  return build::make_problem(
      directory.read("[domain]\nset = \"ball\"\nradius = 9\n[lower]\nfunction = \"squared-norm\"\n" + upper));
}

double softplus(double z) { return std::log1p(std::exp(z)); }

// At x = (1, -2) the rows (1, 2), (-1, 3), (0.5, 0) give u = (-3, -7, 0.5); targets are (1, -1, 1).
TEST(BuildProblem, EveryFunctionByItsFormula) {
  const Vector x = numbers({1, -2});
  const auto at_x = [&](const std::string& keys) {
    return value(problem_with_upper("[upper]\n" + keys).upper(), x);
  };
  const std::string data = "\ndata = \"d.csv\"\ntarget = 2\n";
  EXPECT_NEAR(at_x("function = \"least-squares\"" + data), 0.5 * (16 + 36 + 0.25), 1e-12);
  EXPECT_NEAR(at_x("function = \"least-squares\"" + data + "average = true\nweight = 6"), (16 + 36 + 0.25), 1e-12);
  EXPECT_NEAR(at_x("function = \"logistic\"" + data), softplus(3) + softplus(-7) + softplus(-0.5), 1e-12);
  EXPECT_NEAR(at_x("function = \"huber\"\ndelta = 2" + data), 2 * 4 - 2 + 2 * 6 - 2 + 0.125, 1e-12);
  EXPECT_NEAR(at_x("function = \"absolute\"" + data), 4 + 6 + 0.5, 1e-12);
  EXPECT_NEAR(at_x("function = \"quantile\"\ntau = 0.25" + data), 0.25 * 4 + 0.25 * 6 + 0.25 * 0.5, 1e-12);
  EXPECT_NEAR(at_x("function = \"hinge\"" + data), 4 + 0 + 0.5, 1e-12);
  EXPECT_NEAR(at_x("function = \"squared-hinge\"" + data), 0.5 * (16 + 0.25), 1e-12);
  EXPECT_NEAR(at_x("function = \"max-affine\"" + data), 1.5, 1e-12);
  EXPECT_NEAR(at_x("function = \"log-sum-exp\"" + data), std::log(std::exp(-2) + std::exp(-8) + std::exp(1.5)),
              1e-12);
  EXPECT_NEAR(at_x("function = \"squared-norm\"\ncenter = [0, 1]"), 5, 1e-12);
  EXPECT_NEAR(at_x("function = \"l1-norm\"\ncenter = [0, 1]"), 4, 1e-12);
  EXPECT_NEAR(at_x("function = \"linear\"\ncoefficients = [3, 1]"), 1, 1e-12);
  EXPECT_NEAR(at_x("function = \"quadratic\"\nmatrix = [[2, 1], [1, 3]]\ncoefficients = 1\nconstant = 10"),
              0.5 * (2 - 4 + 12) - 1 + 10, 1e-12);
}

TEST(BuildProblem, TermsAreSummedWithTheirWeights) {
  const Problem problem = problem_with_upper(
      "[[upper]]\nfunction = \"squared-norm\"\nweight = 0.5\ncenter = [0, 0]\n[[upper]]\nfunction = "
      "\"linear\"\ncoefficients = 1\nweight = 4\n");
  ASSERT_EQ(problem.upper().parts().size(), 2U);
  EXPECT_NEAR(value(problem.upper(), numbers({1, -2})), 0.5 * 2.5 - 4, 1e-12);
}

TEST(BuildProblem, ToldLowerBounds) {
  const auto bound = [](const std::string& upper) { return problem_with_upper(upper).upper().lower_bound(); };
  const std::string linear = "function = \"linear\"\ncoefficients = [1, 2]\n";
  const std::string norm = "function = \"squared-norm\"\n";
  EXPECT_EQ(bound("[upper]\n" + linear), -kInfinity);
  EXPECT_EQ(bound("[upper]\nlower_bound = -7\n" + linear), -7.0);
  EXPECT_EQ(bound("[upper]\nlower_bound = 0.25\n" + norm + "center = [0, 0]\n"), 0.25);
  // A worse bound than the term's own changes nothing.
  EXPECT_EQ(bound("[upper]\nlower_bound = -3\n" + norm + "center = [0, 0]\n"), 0.0);
  // Weighted, summed with the 0 that a squared norm knows by itself, and never above the exact -21.
  const double sum = bound("[[upper]]\nlower_bound = -7\nweight = 3\n" + linear + "[[upper]]\n" + norm);
  EXPECT_LE(sum, -21.0);
  EXPECT_NEAR(sum, -21.0, 1e-13);
  // One unbounded term: nothing is known.
  EXPECT_EQ(bound("[[upper]]\nlower_bound = -7\n" + linear + "[[upper]]\n" + linear), -kInfinity);
  // A bound of a mean is told for the mean.
  const double mean = bound(
      "[upper]\nfunction = \"least-squares\"\ndata = \"d.csv\"\ntarget = 2\naverage = true\nlower_bound = 0.1\n");
  EXPECT_LE(mean, 0.1);
  EXPECT_NEAR(mean, 0.1, 1e-14);
}

TEST(BuildProblem, EverySet) {
  const auto set = [](const std::string& domain) {
    ProblemDirectory directory;
    return build::make_problem(directory.read("[upper]\nfunction = \"squared-norm\"\n[lower]\nfunction = "
                                              "\"linear\"\ncoefficients = [1, 2, 2]\n[domain]\n" +
                                              domain))
        .domain_pointer();
  };
  const auto projected = [](const ConvexSetPtr& domain, Vector x) {
    Scratch scratch;
    domain->project(x, scratch);
    return x;
  };
  const auto close = [](const Vector& a, const Vector& b) { return (a - b).cwiseAbs().maxCoeff() < 1e-8; };
  EXPECT_TRUE(close(projected(set("set = \"ball\"\nradius = 3\ncenter = [1, 0, 0]"), numbers({1, 5, 0})),
                    numbers({1, 3, 0})));
  EXPECT_TRUE(close(projected(set("set = \"box\"\nlower = -1\nupper = [1, 2, inf]"), numbers({-5, 5, 5})),
                    numbers({-1, 2, 5})));
  EXPECT_TRUE(close(projected(set("set = \"simplex\"\ntotal = 2"), numbers({5, 0, 0})), numbers({2, 0, 0})));
  EXPECT_TRUE(close(projected(set("set = \"l1-ball\"\nradius = 1\ncenter = [0, 0, 1]"), numbers({0, 0, 4})),
                    numbers({0, 0, 2})));
  EXPECT_TRUE(
      close(projected(set("set = \"nonnegative-ball\"\nradius = 1"), numbers({-3, 2, 0})), numbers({0, 1, 0})));
  EXPECT_TRUE(close(
      projected(set("set = \"halfspace\"\ncoefficients = [0, 1, 0]\nvalue = 1\nradius = 9"), numbers({1, 3, 1})),
      numbers({1, 1, 1})));
  EXPECT_TRUE(
      close(projected(set("set = \"affine\"\nmatrix = [[0, 0, 1]]\nvalues = 2\nradius = 9"), numbers({1, 3, 1})),
            numbers({1, 3, 2})));
  EXPECT_TRUE(close(projected(set("set = \"intersection\"\nsets = [{set = \"box\", lower = -1, upper = 1}, {set = "
                                  "\"ball\", radius = 9}]"),
                              numbers({2, 0, -3})),
                    numbers({1, 0, -1})));
  EXPECT_TRUE(
      close(projected(set("set = \"product\"\nsets = [{set = \"simplex\", dimension = 1}, {set = \"ball\", "
                          "radius = 2, dimension = 2}]"),
                      numbers({7, 0, -3})),
            numbers({1, 0, -2})));
  EXPECT_TRUE(close(projected(set("set = \"whole-space\""), numbers({7, 0, -3})), numbers({7, 0, -3})));
}

TEST(BuildProblem, TheWholeSpaceIsCentredAtTheStart) {
  ProblemDirectory directory;
  const Problem problem = build::make_problem(directory.read(
      "start = [1, 2, 3]\n[upper]\nfunction = \"squared-norm\"\n[lower]\nfunction = "
      "\"linear\"\ncoefficients = 1\n[domain]\nset = \"product\"\nsets = [{set = \"box\", dimension = "
      "1, lower = 0, upper = 1}, {set = \"whole-space\", dimension = 2, radius = 5}]\n"));
  EXPECT_EQ(problem.start(), numbers({1, 2, 3}));
  // min over the second factor of x_2 is 2 - 5, and of x_3 it is 3 - 5.
  Scratch scratch;
  EXPECT_NEAR(problem.domain().linear_lower_bound(numbers({0, 1, 0}), scratch), -3.0, 1e-9);
  EXPECT_NEAR(problem.domain().linear_lower_bound(numbers({0, 0, 1}), scratch), -2.0, 1e-9);
}

TEST(BuildProblem, DataMadeInMemoryIsRefusedWithItsPlace) {
  data::Problem data;
  data.dimension = 2;
  data.domain = {data::Ball{1.0, Vector::Zero(2)}, 2};
  data.upper = data.lower = {data::Term{data::SquaredNorm{Vector::Zero(2)}}};
  EXPECT_NO_THROW(build::make_problem(data));

  const auto message = [](const data::Problem& bad) -> std::string {
    try {
      build::make_problem(bad);
    } catch (const InvalidArgument& error) {
      return error.what();
    }
    return "accepted";
  };
  data::Problem bad = data;
  bad.lower.clear();
  EXPECT_EQ(message(bad), "[lower]: expected at least one term, found none");
  bad = data;
  bad.lower[0].kind = data::SquaredNorm{Vector::Zero(3)};
  EXPECT_THAT(message(bad), testing::StartsWith("the problem: "));
  bad = data;
  bad.domain.kind = data::Product{{data.domain, data.domain}};
  EXPECT_EQ(message(bad), "[domain]: expected sets of 2 dimensions together, found 4");
}

}  // namespace
}  // namespace fcbio::io
