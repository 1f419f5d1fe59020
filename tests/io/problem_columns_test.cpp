// Data as people have it: columns by name, categories, missing values, weights, in a problem file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fcbio/fcbio.hpp"
#include "problem_support.hpp"

namespace fcbio::io {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string kPeople =
    "age,job,\"city, state\",income,label\n"
    "30,nurse,\"Rome, IT\",1.5,no\n"
    "40,cook,\"Bern, CH\",2,yes\n"
    "50,nurse,\"Bern, CH\",4.5,yes\n"
    "20,?,\"Rome, IT\",,no\n";

std::string problem(const std::string& lower, const std::string& upper = "function = \"squared-norm\"\n") {
  return "[domain]\nset = \"ball\"\nradius = 2\n[upper]\n" + upper + "[lower]\n" + lower;
}

template <class Kind>
const Kind& lower_kind(const data::Problem& data) {
  return std::get<Kind>(data.lower.front().kind);
}

RowMajorMatrix dense(const data::Matrix& matrix) {
  RowMajorMatrix out = RowMajorMatrix::Zero(matrix.rows(), matrix.cols());
  matrix.read([&]<class View>(const View& view) {
    if constexpr (std::is_same_v<View, CsrView>) {
      for (Index i = 0; i < view.rows; ++i)
        for (auto k = static_cast<std::size_t>(view.starts[static_cast<std::size_t>(i)]);
             k < static_cast<std::size_t>(view.starts[static_cast<std::size_t>(i) + 1]); ++k)
          out(i, view.columns[k]) = view.values[k];
    } else {
      for (Index i = 0; i < view.rows; ++i)
        for (Index j = 0; j < view.cols; ++j) out(i, j) = view(i, j);
    }
  });
  return out;
}

class Columns : public testing::Test {
 protected:
  void SetUp() override { directory_.write("p.csv", kPeople); }
  ProblemDirectory directory_;
};

TEST_F(Columns, ChosenByNameOrNumberInTheOrderGiven) {
  const data::Problem data = directory_.read(problem(
      "function = \"logistic\"\ndata = \"p.csv\"\ntarget = \"label\"\ncolumns = [\"income\", 0]\nrows = \"0:3\"\n"
      "missing = \"drop-rows\"\nintercept = true\n"));
  const auto& logistic = lower_kind<data::Logistic>(data);
  EXPECT_EQ(dense(logistic.data),
            (RowMajorMatrix(3, 3) << 1.5, 30.0, 1.0, 2.0, 40.0, 1.0, 4.5, 50.0, 1.0).finished());
  EXPECT_EQ(logistic.target, (Vector(3) << -1.0, 1.0, 1.0).finished());
  EXPECT_THAT(data.names, ElementsAre("income", "age", "intercept"));
  EXPECT_THAT(data.notes, ElementsAre("p.csv: 1 of 4 rows are left out: a value is missing",
                                      "p.csv: labels mapped: 'no' -> -1, 'yes' -> +1"));
}

TEST_F(Columns, TextsBecomeOneColumnForEachValue) {
  const data::Problem data = directory_.read(
      problem("function = \"logistic\"\ndata = \"p.csv\"\ntarget = \"label\"\ndrop = [\"income\"]\n"
              "categories = \"auto\"\nmissing = \"drop-rows\"\n"));
  EXPECT_THAT(data.names,
              ElementsAre("age", "job=cook", "job=nurse", "city, state=Bern, CH", "city, state=Rome, IT"));
  EXPECT_EQ(dense(lower_kind<data::Logistic>(data).data),
            (RowMajorMatrix(3, 5) << 30.0, 0.0, 1.0, 0.0, 1.0, 40.0, 1.0, 0.0, 1.0, 0.0, 50.0, 0.0, 1.0, 1.0, 0.0)
                .finished());
}

TEST_F(Columns, NumbersAsCategoriesComeInTheirOrder) {
  directory_.write("n.csv", "grade,y\n10,1\n9,2\n10.0,3\n");
  const data::Problem data = directory_.read(
      problem("function = \"least-squares\"\ndata = \"n.csv\"\ntarget = \"y\"\ncategories = [\"grade\"]\n"));
  EXPECT_THAT(data.names, ElementsAre("grade=9", "grade=10"));
  EXPECT_EQ(dense(lower_kind<data::LeastSquares>(data).data),
            (RowMajorMatrix(3, 2) << 0.0, 1.0, 1.0, 0.0, 0.0, 1.0).finished());
}

TEST_F(Columns, MeansStandForMissingValues) {
  const data::Problem data = directory_.read(
      problem("function = \"logistic\"\ndata = \"p.csv\"\ntarget = \"label\"\ncolumns = [\"income\", \"job\"]\n"
              "categories = [\"job\"]\nmissing = \"mean\"\n"));
  const RowMajorMatrix all = dense(lower_kind<data::Logistic>(data).data);
  EXPECT_EQ(all.rows(), 4);
  EXPECT_EQ(RowMajorMatrix(all.row(3)), (RowMajorMatrix(1, 3) << 8.0 / 3.0, 1.0 / 3.0, 2.0 / 3.0).finished());
}

TEST_F(Columns, ManyCategoriesAreSparse) {
  std::string text = "id,y\n";
  for (int i = 0; i < 20; ++i) text += std::string(1, static_cast<char>('a' + i)) + ",1\n";
  directory_.write("many.csv", text);
  const data::Problem data = directory_.read(
      problem("function = \"least-squares\"\ndata = \"many.csv\"\ntarget = \"y\"\ncategories = \"auto\"\n"));
  EXPECT_TRUE(lower_kind<data::LeastSquares>(data).data.is_sparse());
  EXPECT_TRUE(dense(lower_kind<data::LeastSquares>(data).data).isIdentity(0.0));
}

TEST_F(Columns, Refusals) {
  const auto refused = [&](const std::string& keys) {
    return directory_.refusal(problem("function = \"logistic\"\ndata = \"p.csv\"\ntarget = \"label\"\n" + keys));
  };
  EXPECT_EQ(refused(""),
            "p.csv:2: expected a number in column 'job', found 'nurse'; name the column in `categories` (or say "
            "`categories = \"auto\"`) or in `drop`");
  EXPECT_EQ(
      refused("categories = \"auto\"\n"),
      "p.csv:5: expected a value in column 'job', found '?'; say `missing = \"drop-rows\"` to leave such rows "
      "out, or `missing = \"mean\"` to fill in means");
  EXPECT_EQ(
      refused("columns = [\"income\"]\n"),
      "p.csv:5: expected a value in column 'income', found an empty field; say `missing = \"drop-rows\"` to leave "
      "such rows out, or `missing = \"mean\"` to fill in means");
  EXPECT_EQ(
      refused("columns = [\"agee\"]\n"),
      "p.toml:10: expected a column of p.csv (age, job, city, state, income, label) as `columns`, found \"agee\", "
      "which is none; did you mean \"age\"?");
  EXPECT_EQ(refused("columns = [\"age\", 0]\n"),
            "p.toml:10: expected each column once in `columns`, found 'age' twice");
  EXPECT_EQ(refused("columns = [\"age\"]\ndrop = [\"job\"]\n"),
            "p.toml:11: expected either `columns` or `drop`, found both; remove one of them");
  EXPECT_EQ(refused("columns = [\"label\"]\n"),
            "p.toml:10: expected features in `columns`, found 'label', which has another use in [lower]");
  EXPECT_EQ(refused("columns = [\"age\"]\ncategories = [\"job\"]\n"),
            "p.toml:11: expected features as `categories` of [lower], found 'job', which is none; remove it from "
            "`categories`, or take it in with `columns`");
  EXPECT_EQ(refused("missing = \"median\"\n").substr(0, 37), "p.toml:10: expected one of error, dro");
  directory_.write("three.csv", "x,y\n1,a\n2,b\n3,c\n");
  EXPECT_EQ(
      directory_.refusal(problem("function = \"hinge\"\ndata = \"three.csv\"\ntarget = \"y\"\n")),
      "three.csv:2: expected one of two classes, the only values in column 'y', found 'a'; choose a target with two "
      "values; this column has 3");
  EXPECT_EQ(directory_.refusal(problem("function = \"huber\"\ndata = \"three.csv\"\ntarget = \"y\"\n")),
            "three.csv:2: expected a number in column 'y', found 'a'; write numbers like -1.5 or 2e-3");
  directory_.write("a.svm", "1 1:1\n-1 2:1\n");
  EXPECT_EQ(
      directory_.refusal(problem("function = \"hinge\"\ndata = \"a.svm\"\ndrop = [0]\n")),
      "p.toml:9: expected `drop` only for CSV and NPY data, found a.svm, which is sparse; leave the key out");
}

TEST_F(Columns, CategoriesMustAgreeBetweenTerms) {
  directory_.write("q.csv", "job,label\nnurse,1\nsmith,0\n");
  directory_.write("r.csv", "job,label\nnurse,1\ncook,0\n");
  const std::string keys = "target = \"label\"\ncategories = \"auto\"\n";
  EXPECT_THAT(directory_.refusal(problem("function = \"logistic\"\ndata = \"q.csv\"\n" + keys,
                                         "function = \"logistic\"\ndata = \"r.csv\"\n" + keys)),
              HasSubstr("expected the same columns in all terms, found variable 0 is \"job=cook\" in r.csv and "
                        "\"job=nurse\" in q.csv"));
}

TEST_F(Columns, SampleWeightsComeFromAColumnAFileOrAnArray) {
  directory_.write("w.csv", "a,w,y\n1,0.5,1\n2,2,0\n3,0,1\n");
  directory_.write("w.txt", "0.5\n2\n0\n");
  const Vector expected = (Vector(2) << 2.0, 0.0).finished();
  for (const std::string& weights :
       std::vector<std::string>{"\"w\"\ncolumns = [\"a\"]", "\"w.txt\"", "[0.5, 2, 0]"}) {
    const data::Problem data = directory_.read(problem(
        "function = \"huber\"\ndata = \"w.csv\"\ntarget = \"y\"\nrows = \"1:\"\nsample_weights = " + weights +
        "\n"));
    EXPECT_EQ(lower_kind<data::Huber>(data).sample_weights, expected) << weights;
  }
  const std::string begin = "function = \"huber\"\ndata = \"w.csv\"\ntarget = \"y\"\nsample_weights = ";
  EXPECT_EQ(
      directory_.refusal(problem(begin + "[1, -2, 1]\n")),
      "p.toml:10: expected `sample_weights` >= 0 in [lower], found -2; a negative weight makes the objective "
      "nonconvex");
  EXPECT_EQ(directory_.refusal(problem(begin + "[1, 2]\n")),
            "p.toml:10: expected 3 numbers, one per row of w.csv, found 2");
  EXPECT_THAT(
      directory_.refusal(problem("function = \"max-affine\"\ndata = \"w.csv\"\nsample_weights = [1, 1, 1]\n")),
      HasSubstr("found the unknown key `sample_weights`"));
}

TEST_F(Columns, WeightsOfNormsByName) {
  directory_.write("w.csv", "a,b,y\n1,0.5,1\n2,2,0\n");
  const std::string lower = "function = \"least-squares\"\ndata = \"w.csv\"\ntarget = \"y\"\nintercept = true\n";
  const data::Problem data =
      directory_.read(problem(lower, "function = \"l1-norm\"\nweights = {intercept = 0, a = 2.5}\n"));
  EXPECT_EQ(std::get<data::L1Norm>(data.upper.front().kind).weights, (Vector(3) << 2.5, 1.0, 0.0).finished());
  EXPECT_EQ(
      directory_.refusal(problem(lower, "function = \"l1-norm\"\nweights = {c = 1}\n")),
      "p.toml:6: expected names of variables in `weights`, found \"c\", which is none of them; did you mean `a`?");
  EXPECT_EQ(directory_.refusal(problem(lower, "function = \"squared-norm\"\nweights = [1, -1, 1]\n")),
            "p.toml:6: expected `weights` >= 0 in [upper], found -1");
}

TEST_F(Columns, ConstantTargets) {
  directory_.write("w.csv", "a,b\n1,0.5\n2,2\n");
  const data::Problem data =
      directory_.read(problem("function = \"least-squares\"\ndata = \"w.csv\"\ntarget = {constant = 3}\n"));
  EXPECT_EQ(lower_kind<data::LeastSquares>(data).target, Vector::Constant(2, 3.0));
  EXPECT_EQ(lower_kind<data::LeastSquares>(data).data.cols(), 2);
}

// cov(s, a'x) = 1/m sum (s_i - mean) a_i'x, by hand; the intercept has none.
TEST_F(Columns, CovarianceLeavesOneRow) {
  directory_.write("s.csv", "a,b,s,y\n1,4,0,1\n2,4,1,0\n6,4,1,1\n");
  const data::Problem data = directory_.read(
      problem("function = \"least-squares\"\ndata = \"s.csv\"\ncovariance_with = \"s\"\ndrop = [\"y\"]\n"
              "intercept = true\n"));
  const auto& squares = lower_kind<data::LeastSquares>(data);
  const RowMajorMatrix row = dense(squares.data);
  ASSERT_EQ(row.rows(), 1);
  EXPECT_NEAR(row(0, 0), (-2.0 / 3.0 * 1.0 + 1.0 / 3.0 * 2.0 + 1.0 / 3.0 * 6.0) / 3.0, 1e-15);
  EXPECT_NEAR(row(0, 1), 0.0, 1e-15);
  EXPECT_EQ(row(0, 2), 0.0);
  EXPECT_EQ(squares.target, Vector::Zero(1));
  EXPECT_THAT(data.names, ElementsAre("a", "b", "intercept"));
}

TEST_F(Columns, WhatIsMaximisedIsHeldNegated) {
  const data::Problem data =
      directory_.read(problem("function = \"linear\"\ncoefficients = [1, -2]\nmaximize = true\nweight = 3\n",
                              "function = \"squared-norm\"\nweight = -0.5\nmaximize = true\n"));
  EXPECT_EQ(lower_kind<data::Linear>(data).coefficients, (Vector(2) << -1.0, 2.0).finished());
  EXPECT_EQ(data.lower.front().weight, 3.0);
  EXPECT_EQ(data.upper.front().weight, 0.5);
  EXPECT_TRUE(data.maximized.upper && data.maximized.lower);
  EXPECT_EQ(
      directory_.refusal(problem("function = \"squared-norm\"\nmaximize = true\n")),
      "p.toml:8: expected `weight` <= 0 beside `maximize` in [lower]: only concave functions are maximised, found 1; "
      "maximise a linear function, or give the weight its sign");
}

TEST_F(Columns, LimitsOfTheFile) {
  const std::string linear = problem("function = \"linear\"\ncoefficients = [1, -2]\n");
  const data::Problem data = directory_.read(linear + "[limits]\ntime = 2.5\niterations = 100\npasses = 1000\n");
  EXPECT_EQ(data.limits.seconds, 2.5);
  EXPECT_EQ(data.limits.iterations, 100);
  EXPECT_EQ(data.limits.passes, 1000);
  EXPECT_EQ(directory_.refusal(linear + "[limits]\ntime = 0\n"),
            "p.toml:10: expected `time` > 0 seconds in [limits], found 0");
  EXPECT_EQ(
      directory_.refusal(linear + "[limits]\npass = 3\n"),
      "p.toml:10: expected the keys time, iterations, passes in [limits], found the unknown key `pass`; did you "
      "mean `passes`?");
}

TEST_F(Columns, WeightsAreWrittenAndNamed) {
  directory_.write("w.csv", "a,b,y\n1,0.5,1\n2,2,0\n");
  const std::string lower =
      "function = \"least-squares\"\ndata = \"w.csv\"\ntarget = \"y\"\nsample_weights = [0.25, 3]\n";
  const data::Problem data =
      directory_.read(problem(lower, "function = \"l1-norm\"\nweights = [1, 2]\n") + "[limits]\npasses = 7\n");
  write_problem(data, directory_.path() / "copy", "");
  const data::Problem copy = read_problem(directory_.path() / "copy" / kProblemFileName);
  EXPECT_EQ(data::fingerprint(copy), data::fingerprint(data));
  EXPECT_EQ(copy.limits.passes, 7);
  EXPECT_EQ(std::get<data::L1Norm>(copy.upper.front().kind).weights, (Vector(2) << 1.0, 2.0).finished());

  data::Problem other = data;
  std::get<data::L1Norm>(other.upper.front().kind).weights[0] = 1.5;
  EXPECT_NE(data::fingerprint(other), data::fingerprint(data));
  other = data;
  std::get<data::LeastSquares>(other.lower.front().kind).sample_weights[0] = 1.5;
  EXPECT_NE(data::fingerprint(other), data::fingerprint(data));
  // Ones say nothing.
  other = data;
  std::get<data::L1Norm>(other.upper.front().kind).weights.setOnes();
  std::get<data::LeastSquares>(other.lower.front().kind).sample_weights.setOnes();
  EXPECT_EQ(data::fingerprint(other),
            data::fingerprint(directory_.read(problem(
                "function = \"least-squares\"\ndata = \"w.csv\"\ntarget = \"y\"\n", "function = \"l1-norm\"\n"))));
  EXPECT_EQ(data::in_words(data.upper), "l1-norm (weights given)");
  EXPECT_EQ(data::in_words(data.lower), "least-squares (2 x 2, dense; rows weighted)");
}

}  // namespace
}  // namespace fcbio::io
