// write_problem() and read_problem() are inverse to each other, and the fingerprint sees every change.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <functional>

#include "problem_support.hpp"

namespace fcbio::io {
namespace {

Vector numbers(std::initializer_list<double> values) {
  return Eigen::Map<const Vector>(values.begin(), static_cast<Index>(values.size()));
}

// Numbers with all 53 bits, of many sizes, and the special ones.
double any_number() {
  const int kind = *rc::gen::inRange(0, 6);
  if (kind == 0) return 0.0;
  if (kind == 1) return -0.0;
  if (kind == 2) return *rc::gen::element(1.0, -1.0, 0.1, 5e-324, 1e22, -1.7976931348623157e308, 123456789.0);
  const double mantissa = static_cast<double>(*rc::gen::arbitrary<std::int64_t>());
  return std::ldexp(mantissa, *rc::gen::inRange(-120, 60));
}

Vector any_vector(Index n) {
  Vector vector(n);
  const bool constant = *rc::gen::arbitrary<bool>();
  const double first = any_number();
  for (double& entry : vector) entry = constant ? first : any_number();
  return vector;
}

DataMatrix any_matrix(Index rows, Index cols) {
  if (*rc::gen::arbitrary<bool>()) {
    RowMajorMatrix dense(rows, cols);
    for (Index i = 0; i < rows; ++i) dense.row(i) = any_vector(cols).transpose();
    return {dense};
  }
  CsrMatrix sparse;
  sparse.rows = rows;
  sparse.cols = cols;
  sparse.starts.push_back(0);
  for (Index i = 0; i < rows; ++i) {
    for (std::int32_t j = 0; j < cols; ++j) {
      if (*rc::gen::inRange(0, 3) > 0) continue;
      sparse.columns.push_back(j);
      sparse.values.push_back(any_number());  // explicit zeros too
    }
    sparse.starts.push_back(static_cast<std::int64_t>(sparse.values.size()));
  }
  return {sparse};
}

TermData any_term(Index n) {
  TermData term;
  term.function = *rc::gen::element<std::string>("least-squares", "logistic", "huber", "absolute", "quantile",
                                                 "hinge", "squared-hinge", "squared-norm", "l1-norm", "linear",
                                                 "quadratic", "max-affine", "log-sum-exp");
  term.weight = *rc::gen::element(1.0, 0.0, 0.1, 3.0, 1e-300);
  if (*rc::gen::arbitrary<bool>()) term.lower_bound = any_number();
  if (term.function == "squared-norm" || term.function == "l1-norm" || term.function == "linear") {
    term.vector = any_vector(n);
  } else if (term.function == "quadratic") {
    term.data = any_matrix(n, n);
    term.vector = any_vector(n);
    term.constant = any_number();
  } else {
    const auto rows = *rc::gen::inRange<Index>(1, 6);
    term.data = any_matrix(rows, n);
    term.target = any_vector(rows);
    if (term.function == "logistic" || term.function == "hinge" || term.function == "squared-hinge")
      for (double& label : term.target) label = *rc::gen::element(-1.0, 1.0);
    term.average = term.function != "max-affine" && term.function != "log-sum-exp" && *rc::gen::arbitrary<bool>();
    term.delta = *rc::gen::element(1.0, 0.3);
    term.tau = *rc::gen::element(0.5, 0.01);
  }
  return term;
}

SetData any_set(Index n, int depth) {
  SetData set;
  set.dimension = n;
  set.kind = *rc::gen::element<std::string>("ball", "box", "simplex", "l1-ball", "nonnegative-ball", "halfspace",
                                            "affine", "whole-space", "intersection", "product");
  if (depth == 0 && (set.kind == "intersection" || set.kind == "product")) set.kind = "ball";
  const bool has_radius = set.kind != "box" && set.kind != "simplex" && set.kind != "intersection" &&
                          set.kind != "product" && (set.kind != "whole-space" || *rc::gen::arbitrary<bool>());
  if (has_radius) set.radius = *rc::gen::element(0.0, 1.0, 0.1, 1e300);
  if (set.kind == "ball" || set.kind == "l1-ball") set.center = any_vector(n);
  if (set.kind == "box") {
    set.lower = any_vector(n);
    set.upper = set.lower + any_vector(n).cwiseAbs();
    if (*rc::gen::arbitrary<bool>()) set.lower[0] = -kInfinity;
    for (double& entry : set.upper)
      if (std::isinf(entry)) entry = kInfinity;
  }
  if (set.kind == "simplex") set.total = *rc::gen::element(1.0, 0.3);
  if (set.kind == "halfspace") {
    set.coefficients = any_vector(n);
    set.value = any_number();
  }
  if (set.kind == "affine") {
    const auto rows = *rc::gen::inRange<Index>(1, 3);
    set.matrix.resize(rows, n);
    for (Index i = 0; i < rows; ++i) set.matrix.row(i) = any_vector(n).transpose();
    set.values = any_vector(rows);
  }
  if (set.kind == "intersection")
    for (int i = 0; i < 2; ++i) set.sets.push_back(any_set(n, depth - 1));
  if (set.kind == "product") {
    const Index first = n > 1 ? *rc::gen::inRange<Index>(1, n) : 1;
    set.sets.push_back(any_set(first, depth - 1));
    if (n > first) set.sets.push_back(any_set(n - first, depth - 1));
  }
  return set;
}

ProblemData any_problem() {
  ProblemData data;
  data.dimension = *rc::gen::inRange<Index>(1, 20);
  data.domain = any_set(data.dimension, 2);
  for (auto* terms : {&data.upper, &data.lower}) {
    const int count = *rc::gen::inRange(1, 3);
    for (int i = 0; i < count; ++i) terms->push_back(any_term(data.dimension));
  }
  if (*rc::gen::arbitrary<bool>()) data.start = any_vector(data.dimension);
  data.accuracy = {*rc::gen::element(1e-6, 0.1), *rc::gen::element(1e-9, 3.0)};
  data.accuracy.tight = *rc::gen::arbitrary<bool>();
  data.accuracy.absolute = *rc::gen::arbitrary<bool>();
  if (*rc::gen::arbitrary<bool>())
    data.accuracy.holder =
        HolderBound{*rc::gen::element(1.0, 2.5), *rc::gen::element(1e-9, 4.0), *rc::gen::element(1.0 / 3.0, 1e30)};
  if (*rc::gen::arbitrary<bool>()) {
    data.method = "fcbio-sm";
    data.options = {{"cap", "100"}, {"eta", "0.25"}, {"budget", "theory"}, {"two_sided", "true"}, {"odd", "007"}};
  }
  return data;
}

RC_GTEST_PROP(WriteProblem, ReadingGivesTheSameFingerprint, ()) {
  const ProblemData data = any_problem();
  ProblemDirectory directory;
  write_problem(data, directory.path() / "new/folder", "A \"title\"\n\nwith\ttwo paragraphs");
  const ProblemData read = read_problem(directory.path() / "new/folder" / kProblemFileName);
  RC_ASSERT(fingerprint(read) == fingerprint(data));
  RC_ASSERT(read.dimension == data.dimension);
  RC_ASSERT(read.accuracy.upper == data.accuracy.upper);
  RC_ASSERT(read.accuracy.lower == data.accuracy.lower);
  RC_ASSERT(read.accuracy.tight == data.accuracy.tight);
  RC_ASSERT(read.accuracy.absolute == data.accuracy.absolute);
  RC_ASSERT(read.accuracy.holder.has_value() == data.accuracy.holder.has_value());
  if (data.accuracy.holder) {
    RC_ASSERT(read.accuracy.holder->alpha == data.accuracy.holder->alpha);
    RC_ASSERT(read.accuracy.holder->beta == data.accuracy.holder->beta);
    RC_ASSERT(read.accuracy.holder->gradient_bound == data.accuracy.holder->gradient_bound);
  }
  RC_ASSERT(read.method == data.method);
  RC_ASSERT(read.options == data.options);
  RC_ASSERT(read.upper.size() == data.upper.size());
  // Dense stays dense, sparse stays sparse.
  for (std::size_t i = 0; i < data.lower.size(); ++i)
    if (data.lower[i].data) RC_ASSERT(read.lower[i].data->matrix.index() == data.lower[i].data->matrix.index());
}

ProblemData small_problem() {
  ProblemData data;
  data.dimension = 3;
  data.domain.kind = "box";
  data.domain.dimension = 3;
  data.domain.lower = numbers({-1, -2, -kInfinity});
  data.domain.upper = Vector::Ones(3);
  TermData upper;
  upper.function = "squared-norm";
  upper.vector = Vector::Zero(3);
  TermData lower;
  lower.function = "huber";
  lower.delta = 0.5;
  lower.average = true;
  lower.data = DataMatrix{CsrMatrix{2, 3, {0, 2, 3}, {0, 1, 1}, {1.5, 2, -1}}};
  lower.target = numbers({0.25, 1e-20});
  data.upper = {upper};
  data.lower = {lower};
  return data;
}

TEST(WriteProblem, TheFileIsReadable) {
  ProblemDirectory directory;
  write_problem(small_problem(), directory.path(), "made by a test\n\nseed 7");
  EXPECT_EQ(directory.contents("PROBLEM.toml"), R"(# made by a test
#
# seed 7
dimension = 3

[domain]
set = "box"
lower = [-1.0, -2.0, -inf]
upper = 1.0
dimension = 3

[upper]
function = "squared-norm"
center = 0.0

[lower]
function = "huber"
data = "lower-0.svm"
target = "labels"
average = true
delta = 0.5

[accuracy]
upper = 1e-06
lower = 1e-06
)");
  EXPECT_EQ(directory.contents("lower-0.svm"), "0.25 1:1.5 2:2\n1e-20 2:-1\n");
}

TEST(WriteProblem, ADirectoryThatCannotBeMade) {
  ProblemDirectory directory;
  directory.write("file", "");
  try {
    write_problem(small_problem(), directory.path() / "file" / "inside", "");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("expected a directory that can be made"));
  }
}

// Computed by another program (Python) from the description: result files store it, and it must be the same on
// every machine.
TEST(Fingerprint, IsPinned) { EXPECT_EQ(fingerprint(small_problem()), "1c28fa72303c53ca"); }

TEST(Fingerprint, StorageDoesNotMatter) {
  const ProblemData data = small_problem();
  ProblemData other = data;
  other.lower[0].data = DataMatrix{(RowMajorMatrix(2, 3) << 1.5, 2, -0.0, 0, -1, 0).finished()};
  EXPECT_EQ(fingerprint(other), fingerprint(data));
  other.lower[0].data = DataMatrix{CsrMatrix{2, 3, {0, 3, 4}, {0, 1, 2, 1}, {1.5, 2, 0, -1}}};
  EXPECT_EQ(fingerprint(other), fingerprint(data));
  other.upper[0].vector[1] = -0.0;
  other.accuracy.upper = 1.0;
  other.method = "another";
  other.notes = {"something"};
  other.upper[0].tau = 0.75;  // not used by a squared norm
  EXPECT_EQ(fingerprint(other), fingerprint(data));
}

TEST(Fingerprint, EveryPartMatters) {
  const std::vector<std::function<void(ProblemData&)>> changes = {
      [](ProblemData&) {},
      [](ProblemData& p) { p.dimension = 4; },
      [](ProblemData& p) { p.domain.lower[1] = std::nextafter(-2.0, 0.0); },
      [](ProblemData& p) { p.domain.upper[2] = 2.0; },
      [](ProblemData& p) { p.domain.kind = "simplex"; },
      [](ProblemData& p) { p.upper[0].weight = 2.0; },
      [](ProblemData& p) { p.lower[0].weight = 2.0; },
      [](ProblemData& p) { p.upper[0].function = "l1-norm"; },
      [](ProblemData& p) { p.upper[0].vector[0] = 1.0; },
      [](ProblemData& p) { p.upper[0].vector[1] = 1.0; },
      [](ProblemData& p) { p.upper[0].lower_bound = 0.0; },
      [](ProblemData& p) { p.lower[0].average = false; },
      [](ProblemData& p) { p.lower[0].delta = 0.25; },
      [](ProblemData& p) { p.lower[0].target[1] = 0.0; },
      [](ProblemData& p) { std::get<CsrMatrix>(p.lower[0].data->matrix).values[2] = 1.0; },
      [](ProblemData& p) { std::get<CsrMatrix>(p.lower[0].data->matrix).columns[2] = 2; },
      [](ProblemData& p) { std::get<CsrMatrix>(p.lower[0].data->matrix).starts[1] = 1; },
      [](ProblemData& p) { p.start = Vector::Zero(3); },
      [](ProblemData& p) { p.start = Vector::Ones(3); },
      [](ProblemData& p) { std::swap(p.upper, p.lower); },
      [](ProblemData& p) { p.upper.push_back(p.upper[0]); },
      [](ProblemData& p) { p.lower.push_back(p.upper[0]); },
  };
  std::map<std::string, std::size_t> seen;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    ProblemData data = small_problem();
    changes[i](data);
    const auto [place, is_new] = seen.emplace(fingerprint(data), i);
    EXPECT_TRUE(is_new) << "changes " << place->second << " and " << i;
  }
}

}  // namespace
}  // namespace fcbio::io
