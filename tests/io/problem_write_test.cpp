// write_problem() and read_problem() are inverse to each other, and the fingerprint sees every change.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <concepts>
#include <functional>

#include "core/overloaded.hpp"
#include "fcbio/error.hpp"
#include "problem_support.hpp"
#include "support/kinds.hpp"

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

data::Matrix any_matrix(Index rows, Index cols) {
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

data::Term any_term(Index n) {
  data::Term term;
  term.kind = test::function_called(*rc::gen::elementOf(data::names_of(std::type_identity<data::FunctionKind>{})));
  term.weight = *rc::gen::element(1.0, 0.0, 0.1, 3.0, 1e-300);
  if (*rc::gen::arbitrary<bool>()) term.lower_bound = any_number();
  std::visit(Overloaded{
                 [&]<test::Centred Kind>(Kind& norm) { norm.center = any_vector(n); },
                 [&](data::Linear& linear) { linear.coefficients = any_vector(n); },
                 [&](data::Quadratic& quadratic) {
                   quadratic = {any_matrix(n, n), any_vector(n), any_number()};
                 },
                 [&]<test::OfRows Kind>(Kind& kind) {
                   const auto rows = *rc::gen::inRange<Index>(1, 6);
                   kind.data = any_matrix(rows, n);
                   kind.target = any_vector(rows);
                   if constexpr (test::Classifier<Kind>)
                     for (double& label : kind.target) label = *rc::gen::element(-1.0, 1.0);
                   if constexpr (test::RowSum<Kind>) kind.average = *rc::gen::arbitrary<bool>();
                   if constexpr (std::same_as<Kind, data::Huber>) kind.delta = *rc::gen::element(1.0, 0.3);
                   if constexpr (std::same_as<Kind, data::Quantile>) kind.tau = *rc::gen::element(0.5, 0.01);
                 },
             },
             term.kind);
  return term;
}

data::Set any_set(Index n, int depth) {
  data::Set set;
  set.dimension = n;
  set.kind = test::set_called(*rc::gen::elementOf(data::names_of(std::type_identity<data::SetKind>{})));
  const bool compound = std::visit([]<class Kind>(const Kind&) { return test::Compound<Kind>; }, set.kind);
  if (depth == 0 && compound) set.kind = data::Ball{};
  const auto radius = [] { return *rc::gen::element(0.0, 1.0, 0.1, 1e300); };
  std::visit(Overloaded{
                 [&]<test::Centred Kind>(Kind& ball) {
                   ball = {radius(), any_vector(n)};
                 },
                 [&](data::Box& box) {
                   box.lower = any_vector(n);
                   box.upper = box.lower + any_vector(n).cwiseAbs();
                   if (*rc::gen::arbitrary<bool>()) box.lower[0] = -kInfinity;
                   for (double& entry : box.upper)
                     if (std::isinf(entry)) entry = kInfinity;
                 },
                 [&](data::Orthant& orthant) {
                   if (*rc::gen::arbitrary<bool>()) orthant.radius = radius();
                 },
                 [&](data::Polyhedron& polyhedron) {
                   const auto rows = *rc::gen::inRange<Index>(1, 12);
                   RowMajorMatrix matrix(rows, n);
                   for (Index i = 0; i < rows; ++i) matrix.row(i) = any_vector(n).transpose();
                   polyhedron.matrix = {std::move(matrix)};
                   polyhedron.row_lower = any_vector(rows).cwiseAbs() * -1.0;
                   polyhedron.row_upper = any_vector(rows).cwiseAbs();
                   polyhedron.lower = any_vector(n).cwiseAbs() * -1.0;
                   polyhedron.upper = Vector::Constant(n, kInfinity);
                   if (*rc::gen::arbitrary<bool>()) polyhedron.row_lower[0] = -kInfinity;
                   if (*rc::gen::arbitrary<bool>()) polyhedron.lower.setConstant(-kInfinity);
                   if (*rc::gen::arbitrary<bool>()) polyhedron.radius = radius();
                 },
                 [&](data::CappedSimplex& simplex) {
                   simplex.total = *rc::gen::element(1.0, 0.3);
                   simplex.cap = *rc::gen::element(1.0, 1.5);
                 },
                 [&](data::Simplex& simplex) { simplex.total = *rc::gen::element(1.0, 0.3); },
                 [&](data::NonnegativeBall& ball) { ball.radius = radius(); },
                 [&](data::Halfspace& half) {
                   half = {any_vector(n), any_number(), radius()};
                 },
                 [&](data::Affine& affine) {
                   const auto rows = *rc::gen::inRange<Index>(1, 3);
                   affine.matrix.resize(rows, n);
                   for (Index i = 0; i < rows; ++i) affine.matrix.row(i) = any_vector(n).transpose();
                   affine.values = any_vector(rows);
                   affine.radius = radius();
                 },
                 [&](data::Intersection& intersection) {
                   for (int i = 0; i < 2; ++i) intersection.sets.push_back(any_set(n, depth - 1));
                 },
                 [&](data::Product& product) {
                   const Index first = n > 1 ? *rc::gen::inRange<Index>(1, n) : 1;
                   product.sets.push_back(any_set(first, depth - 1));
                   if (n > first) product.sets.push_back(any_set(n - first, depth - 1));
                 },
                 [&](data::WholeSpace& space) {
                   if (*rc::gen::arbitrary<bool>()) space.radius = radius();
                 },
             },
             set.kind);
  return set;
}

/// Any matrix of the term, also Q.
const data::Matrix* matrix_of(const data::Term& term) {
  const auto* quadratic = std::get_if<data::Quadratic>(&term.kind);
  return quadratic != nullptr ? &quadratic->matrix : data::rows_of(term);
}

data::Problem any_problem() {
  data::Problem data;
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
  const data::Problem data = any_problem();
  ProblemDirectory directory;
  write_problem(data, directory.path() / "new/folder", "A \"title\"\n\nwith\ttwo paragraphs");
  const data::Problem read = read_problem(directory.path() / "new/folder" / kProblemFileName);
  RC_ASSERT(data::fingerprint(read) == data::fingerprint(data));
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
    if (const data::Matrix* matrix = matrix_of(data.lower[i]))
      RC_ASSERT(matrix_of(read.lower[i])->matrix.index() == matrix->matrix.index());
}

data::Problem small_problem() {
  data::Problem data;
  data.dimension = 3;
  data.domain = {data::Box{numbers({-1, -2, -kInfinity}), Vector::Ones(3)}, 3};
  data.upper = {data::Term{data::SquaredNorm{Vector::Zero(3)}}};
  data.lower = {data::Term{
      data::Huber{{CsrMatrix{2, 3, {0, 2, 3}, {0, 1, 1}, {1.5, 2, -1}}}, numbers({0.25, 1e-20}), true, 0.5}}};
  return data;
}

data::Box& box(data::Problem& problem) { return std::get<data::Box>(problem.domain.kind); }
Vector& center(data::Problem& problem) { return std::get<data::SquaredNorm>(problem.upper[0].kind).center; }
data::Huber& huber(data::Problem& problem) { return std::get<data::Huber>(problem.lower[0].kind); }
CsrMatrix& rows(data::Problem& problem) { return std::get<CsrMatrix>(huber(problem).data.matrix); }

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

// Borrowed tables are the same problem: name, words, files, and the answer of the solver's side.
TEST(WriteProblem, TheShapeOfXIsKept) {
  ProblemDirectory directory;
  data::Problem problem = small_problem();
  problem.shape = {1, 3};
  write_problem(problem, directory.path(), "");
  EXPECT_EQ(read_problem(directory.path() / "PROBLEM.toml").shape, problem.shape);
}

TEST(WriteProblem, BorrowedDataMakesNoDifference) {
  for (const bool dense : {false, true}) {
    data::Problem owned = small_problem();
    if (dense) huber(owned).data = {RowMajorMatrix{{1.5, 2.0, 0.0}, {0.0, -1.0, 0.0}}};
    data::Problem borrowed = owned;
    huber(borrowed).data.share();
    ASSERT_FALSE(std::holds_alternative<CsrMatrix>(huber(borrowed).data.matrix));
    EXPECT_EQ(huber(borrowed).data.is_sparse(), !dense);
    EXPECT_EQ(data::fingerprint(borrowed), data::fingerprint(owned));
    EXPECT_EQ(data::in_words(borrowed.lower), data::in_words(owned.lower));
    ProblemDirectory directory;
    write_problem(borrowed, directory.path(), "");
    EXPECT_EQ(data::fingerprint(read_problem(directory.path() / "PROBLEM.toml")), data::fingerprint(owned));
    EXPECT_EQ(huber(borrowed).data.owned().matrix.index(), huber(owned).data.matrix.index());
  }
}

TEST(WriteProblem, AMapKnownByItsProductsCannotBeWritten) {
  data::Problem problem = small_problem();
  huber(problem).data = {identity_map(3)};
  huber(problem).target = Vector::Zero(3);
  EXPECT_EQ(huber(problem).data.rows(), 3);
  EXPECT_THAT(data::in_words(problem.lower), testing::HasSubstr("3 x 3, linear operator"));
  EXPECT_THROW(data::fingerprint(problem), InvalidArgument);
  ProblemDirectory directory;
  EXPECT_THROW(write_problem(problem, directory.path(), ""), InvalidArgument);
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
TEST(Fingerprint, IsPinned) { EXPECT_EQ(data::fingerprint(small_problem()), "1c28fa72303c53ca"); }

TEST(Fingerprint, StorageDoesNotMatter) {
  const data::Problem data = small_problem();
  data::Problem other = data;
  huber(other).data = data::Matrix{(RowMajorMatrix(2, 3) << 1.5, 2, -0.0, 0, -1, 0).finished()};
  EXPECT_EQ(data::fingerprint(other), data::fingerprint(data));
  huber(other).data = data::Matrix{CsrMatrix{2, 3, {0, 3, 4}, {0, 1, 2, 1}, {1.5, 2, 0, -1}}};
  EXPECT_EQ(data::fingerprint(other), data::fingerprint(data));
  center(other)[1] = -0.0;
  other.accuracy.upper = 1.0;
  other.method = "another";
  other.notes = {"something"};
  EXPECT_EQ(data::fingerprint(other), data::fingerprint(data));
}

TEST(Fingerprint, EveryPartMatters) {
  const std::vector<std::function<void(data::Problem&)>> changes = {
      [](data::Problem&) {},
      [](data::Problem& p) { p.dimension = 4; },
      [](data::Problem& p) { box(p).lower[1] = std::nextafter(-2.0, 0.0); },
      [](data::Problem& p) { box(p).upper[2] = 2.0; },
      [](data::Problem& p) { p.domain.kind = data::Simplex{}; },
      [](data::Problem& p) { p.upper[0].weight = 2.0; },
      [](data::Problem& p) { p.lower[0].weight = 2.0; },
      [](data::Problem& p) { p.upper[0].kind = data::L1Norm{center(p)}; },
      [](data::Problem& p) { center(p)[0] = 1.0; },
      [](data::Problem& p) { center(p)[1] = 1.0; },
      [](data::Problem& p) { p.upper[0].lower_bound = 0.0; },
      [](data::Problem& p) { huber(p).average = false; },
      [](data::Problem& p) { huber(p).delta = 0.25; },
      [](data::Problem& p) { huber(p).target[1] = 0.0; },
      [](data::Problem& p) { rows(p).values[2] = 1.0; },
      [](data::Problem& p) { rows(p).columns[2] = 2; },
      [](data::Problem& p) { rows(p).starts[1] = 1; },
      [](data::Problem& p) { p.start = Vector::Zero(3); },
      [](data::Problem& p) { p.start = Vector::Ones(3); },
      [](data::Problem& p) { std::swap(p.upper, p.lower); },
      [](data::Problem& p) { p.upper.push_back(p.upper[0]); },
      [](data::Problem& p) { p.lower.push_back(p.upper[0]); },
  };
  std::map<std::string, std::size_t> seen;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    data::Problem data = small_problem();
    changes[i](data);
    const auto [place, is_new] = seen.emplace(data::fingerprint(data), i);
    EXPECT_TRUE(is_new) << "changes " << place->second << " and " << i;
  }
}

}  // namespace
}  // namespace fcbio::io
