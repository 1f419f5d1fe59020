// Variables in no data: which problems lose them, and what is put back.
#include "io/idle_variables.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace fcbio::io {
namespace {

/// Two rows over n variables with numbers in columns 1 and 3 only.
TermData logistic_on_columns_1_and_3(Index n) {
  CsrMatrix rows{2, n, {0, 2, 3}, {1, 3, 3}, {2.0, 3.0, 4.0}};
  TermData term;
  term.function = "logistic";
  term.data = DataMatrix{std::move(rows)};
  term.target = Vector::Ones(2);
  return term;
}

SetData ball_of(Index n) {
  SetData set;
  set.kind = "ball";
  set.dimension = n;
  set.radius = 5.0;
  set.center = Vector::LinSpaced(n, 10.0, 10.0 + static_cast<double>(n - 1));
  return set;
}

ProblemData problem_in(SetData domain) {
  ProblemData data;
  data.dimension = domain.dimension;
  data.upper = data.lower = {logistic_on_columns_1_and_3(domain.dimension)};
  data.domain = std::move(domain);
  return data;
}

Vector numbers(std::initializer_list<double> values) {
  return Vector::Map(values.begin(), static_cast<Index>(values.size()));
}

TEST(IdleVariables, LeaveABallAroundTheOthers) {
  ProblemData data = problem_in(ball_of(5));
  data.start = numbers({1, 2, 3, 4, 5});
  const IdleVariables idle = take_out_idle_variables(data);
  EXPECT_EQ(idle.count(), 3);
  EXPECT_EQ(data.dimension, 2);
  EXPECT_EQ(data.domain.dimension, 2);
  EXPECT_EQ(data.domain.center, numbers({11, 13}));
  EXPECT_EQ(*data.start, numbers({2, 4}));
  for (const TermData& term : {data.upper.front(), data.lower.front()}) {
    const auto& matrix = std::get<CsrMatrix>(term.data->matrix);
    EXPECT_EQ(matrix.cols, 2);
    EXPECT_EQ(matrix.columns, (std::vector<std::int32_t>{0, 1, 1}));
    EXPECT_EQ(matrix.values, (std::vector<double>{2.0, 3.0, 4.0}));
  }
  EXPECT_EQ(build_problem(data).dimension(), 2);

  Result result;
  result.x = numbers({-1, -2});
  result.witness.reference = numbers({-3, -4});
  idle.put_back(result);
  EXPECT_EQ(result.x, numbers({10, -1, 12, -2, 14}));  // at the centre
  EXPECT_EQ(result.witness.reference, numbers({10, -3, 12, -4, 14}));
  EXPECT_EQ(result.witness.upper_bound.point.size(), 0);
}

TEST(IdleVariables, RestWhereTheyTakeNothingFromTheOthers) {
  const auto rest_of = [](ProblemData data) {
    Result result;
    const IdleVariables idle = take_out_idle_variables(data);
    result.x = Vector::Zero(data.dimension);
    idle.put_back(result);
    return result.x;
  };
  SetData set;
  set.dimension = 4;
  set.kind = "box";
  set.lower = numbers({-1, -1, 2, -1});
  set.upper = numbers({1, 1, 3, 1});
  EXPECT_EQ(rest_of(problem_in(set)), numbers({0, 0, 2, 0}));  // the point of the box closest to the start
  set = {};
  set.dimension = 4;
  set.kind = "whole-space";
  ProblemData whole = problem_in(set);
  EXPECT_EQ(rest_of(whole), Vector::Zero(4));
  whole.start = numbers({1, 2, 3, 4});
  EXPECT_EQ(rest_of(whole), numbers({1, 0, 3, 0}));
  set.kind = "nonnegative-ball";
  set.radius = 1.0;
  ProblemData corner = problem_in(set);
  corner.start = numbers({1, 2, 3, 4});
  EXPECT_EQ(rest_of(corner), Vector::Zero(4));
}

TEST(IdleVariables, AreLeftWhereSomethingDependsOnThemOrMay) {
  const auto finds_none = [](ProblemData data) {
    const Index dimension = data.dimension;
    const IdleVariables idle = take_out_idle_variables(data);
    return idle.count() == 0 && data.dimension == dimension && data.domain.dimension == dimension;
  };
  EXPECT_FALSE(finds_none(problem_in(ball_of(5))));

  ProblemData norm = problem_in(ball_of(5));
  norm.upper.emplace_back().function = "squared-norm";
  norm.upper.back().vector = Vector::Zero(5);
  EXPECT_TRUE(finds_none(norm));

  ProblemData dense = problem_in(ball_of(5));
  dense.lower.front().data = DataMatrix{RowMajorMatrix(RowMajorMatrix::Zero(2, 5))};
  EXPECT_TRUE(finds_none(dense));

  SetData simplex;
  simplex.kind = "simplex";
  simplex.dimension = 5;
  EXPECT_TRUE(finds_none(problem_in(simplex)));

  ProblemData absolute = problem_in(ball_of(5));
  absolute.accuracy.absolute = true;
  EXPECT_TRUE(finds_none(absolute));

  ProblemData unfit = problem_in(ball_of(5));  // to be refused, not repaired
  unfit.start = numbers({1, 2, 3});
  EXPECT_TRUE(finds_none(unfit));
  unfit.start = numbers({std::nan(""), 0, 0, 0, 0});
  EXPECT_TRUE(finds_none(unfit));

  ProblemData few = problem_in(ball_of(2000));  // all but 100 in use
  auto& matrix = std::get<CsrMatrix>(few.upper.front().data->matrix);
  matrix.columns.clear();
  for (std::int32_t j = 0; j < 1900; ++j) matrix.columns.push_back(j);
  matrix.values.assign(1900, 1.0);
  matrix.starts = {0, 1900, 1900};
  EXPECT_TRUE(finds_none(few));

  ProblemData nothing = problem_in(ball_of(5));
  for (TermData* term : {&nothing.upper.front(), &nothing.lower.front()})
    term->data = DataMatrix{CsrMatrix{2, 5, {0, 0, 0}, {}, {}}};
  EXPECT_TRUE(finds_none(nothing));
}

}  // namespace
}  // namespace fcbio::io
