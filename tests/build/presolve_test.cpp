// Idle variables: which problems lose them, what is put back, and that solve() does both for every caller.
#include "build/presolve.hpp"

#include <gtest/gtest.h>

#include "fcbio/fcbio.hpp"

namespace fcbio::build {
namespace {

Vector numbers(std::initializer_list<double> values) {
  return Vector::Map(values.begin(), static_cast<Index>(values.size()));
}

/// Three rows over n variables with numbers in columns 1 and 3 only.
CsrMatrix rows_on_columns_1_and_3(Index n) { return {3, n, {0, 2, 3, 4}, {1, 3, 3, 1}, {2.0, 3.0, 4.0, -1.0}}; }
Function logistic_on_columns_1_and_3(Index n) {
  return logistic(sparse_map(rows_on_columns_1_and_3(n)), numbers({1, -1, 1}));
}
Vector ramp(Index n) { return Vector::LinSpaced(n, 10.0, 10.0 + static_cast<double>(n - 1)); }

Problem problem_in(ConvexSetPtr domain, Vector start) {
  const Function f = logistic_on_columns_1_and_3(domain->dimension());
  return {f, f, std::move(domain), std::move(start)};
}
Problem problem_in(ConvexSetPtr domain) {
  const Index n = domain->dimension();
  return problem_in(std::move(domain), Vector::Zero(n));
}

double value(const Function& function, const Vector& x) {
  PartVectors images = function.make_images();
  function.images(x, images);
  return function.value(x, images);
}

TEST(Presolve, LeavesABallAroundTheOthers) {
  const Problem whole = problem_in(ball(ramp(5), 5.0), numbers({1, 2, 3, 4, 5}));
  const Presolved presolved(whole, {});
  const Problem& smaller = presolved.problem();
  EXPECT_EQ(presolved.idle(), 3);
  EXPECT_EQ(presolved.note(), "3 of 5 variables appear in no data and are left out of the computation");
  ASSERT_EQ(smaller.dimension(), 2);
  EXPECT_EQ(smaller.given_start(), numbers({2, 4}));
  const SetShape shape = smaller.domain().shape();
  EXPECT_EQ(*std::get<BallShape>(shape).centre, numbers({11, 13}));
  EXPECT_EQ(std::get<BallShape>(shape).radius, 5.0);
  for (const Level level : kLevels)
    EXPECT_EQ(value(smaller.function(level), numbers({0.5, -2})),
              value(whole.function(level), numbers({7, 0.5, 7, -2, 7})));

  Result result;
  result.x = numbers({-1, -2});
  result.witness.reference = numbers({-3, -4});
  presolved.restore(result);
  EXPECT_EQ(result.x, numbers({10, -1, 12, -2, 14}));  // at the centre
  EXPECT_EQ(result.witness.reference, numbers({10, -3, 12, -4, 14}));
  EXPECT_EQ(result.witness.upper_bound.point.size(), 0);
}

TEST(Presolve, IdleVariablesRestWhereTheyTakeNothingFromTheOthers) {
  const auto rest_of = [](const Problem& problem) {
    const Presolved presolved(problem, {});
    Result result;
    result.x = Vector::Zero(presolved.problem().dimension());
    presolved.restore(result);
    return result.x;
  };
  const Vector start = numbers({1, 2, 3, 4});
  EXPECT_EQ(rest_of(problem_in(box(numbers({-1, -1, 2, -1}), numbers({1, 1, 3, 1})))),
            numbers({0, 0, 2, 0}));  // the point of the box closest to the start
  EXPECT_EQ(rest_of(problem_in(whole_space(Vector::Zero(4), 1.0))), Vector::Zero(4));
  EXPECT_EQ(rest_of(problem_in(whole_space(start, 1.0), start)), numbers({1, 0, 3, 0}));
  EXPECT_EQ(rest_of(problem_in(nonnegative_ball(4, 1.0), start)), Vector::Zero(4));
  EXPECT_EQ(rest_of(problem_in(l1_ball(start, 1.0))), numbers({1, 0, 3, 0}));
}

TEST(Presolve, NormsThatAreLeastAtRestAreNoObstacle) {
  const Function g = logistic_on_columns_1_and_3(5);
  for (const auto& norm : {squared_norm, l1_norm}) {
    const Problem at_rest(norm(ramp(5)), g, ball(ramp(5), 5.0));
    EXPECT_EQ(Presolved(at_rest, {}).problem().dimension(), 2);
    Vector off = ramp(5);
    off[4] += 1.0;  // f would like to have this variable elsewhere
    const Problem elsewhere(norm(off), g, ball(ramp(5), 5.0));
    EXPECT_EQ(Presolved(elsewhere, {}).problem().dimension(), 3);
  }
  const Problem sloped(linear(numbers({0, 1, 0, 0, 2})), g, ball(Vector::Zero(5), 5.0));
  EXPECT_EQ(Presolved(sloped, {}).problem().dimension(), 3);
}

TEST(Presolve, VariablesStayWhereSomethingDependsOnThemOrMay) {
  const auto finds_none = [](const Problem& problem, const Accuracy& accuracy = {}) {
    const Presolved presolved(problem, accuracy);
    return presolved.idle() == 0 && &presolved.problem() == &problem && presolved.note().empty();
  };
  const ConvexSetPtr domain = ball(Vector::Zero(5), 5.0);
  const Function sparse = logistic_on_columns_1_and_3(5);
  EXPECT_FALSE(finds_none({sparse, sparse, domain}));
  EXPECT_TRUE(finds_none({sparse, sparse, domain}, {.absolute = true}));

  const RowMajorMatrix zero = RowMajorMatrix::Zero(2, 5);
  EXPECT_TRUE(finds_none({sparse, least_squares(dense_map(zero), Vector::Ones(2)), domain}));
  EXPECT_TRUE(
      finds_none({quadratic(RowMajorMatrix(RowMajorMatrix::Identity(5, 5)), Vector::Zero(5)), sparse, domain}));
  const UserFunction user{.dimension = 5, .evaluate = [](VectorIn, Vector*) { return 0.0; }, .smoothness = 1.0};
  EXPECT_TRUE(finds_none({user_function(user), sparse, domain}));

  EXPECT_TRUE(finds_none({sparse, sparse, simplex(5)}));  // an idle variable would take its share of the total
  EXPECT_TRUE(finds_none({sparse, sparse, halfspace(Vector::Ones(5), 1.0, 5.0)}));

  CsrMatrix nearly_full{1, 2000, {0, 1900}, {}, {}};  // all but 100 in use
  for (std::int32_t j = 0; j < 1900; ++j) nearly_full.columns.push_back(j);
  nearly_full.values.assign(1900, 1.0);
  const Function used = least_squares(sparse_map(nearly_full), Vector::Ones(1));
  EXPECT_TRUE(finds_none({used, used, ball(Vector::Zero(2000), 1.0)}));
}

class Watcher final : public Observer {
 public:
  bool on_progress(const Progress& progress) override {
    sizes_right &= progress.x != nullptr && progress.x->size() == 50;
    at_rest &= progress.x->tail(46).isConstant(2.0, 0.0);
    ++calls;
    return true;
  }
  bool sizes_right = true, at_rest = true;
  int calls = 0;
};

/// The whole problem costs as many passes and iterations as the one that has the used variables only, and gives
/// the same point there.
TEST(Presolve, SolveGivesTheAnswerOfTheSmallerProblemInTheWholeSpace) {
  const auto problem_of = [](Index n) {
    CsrMatrix rows{3, n, {0, 2, 4, 6}, {0, 1, 1, 2, 2, 3}, {1, 2, -1, 1, 3, 1}};
    const Vector centre = Vector::Constant(n, 2.0);
    return Problem(squared_norm(centre) + 0.1 * l1_norm(centre),
                   least_squares(sparse_map(std::move(rows)), numbers({1, 2, 3})), ball(centre, 4.0));
  };
  const Problem whole = problem_of(50), small = problem_of(4);
  for (const char* method : {"fcbio", "apb-apg", "a-irg"}) {
    SolveOptions options{.method = method, .accuracy = {1e-6, 1e-6}, .limits = {.iterations = 2000}};
    Watcher watcher;
    Monitor monitor(options.limits);
    monitor.add_observer(watcher);
    const Result result = solve(whole, options, monitor), expected = solve(small, options);
    ASSERT_EQ(result.x.size(), 50) << method;
    EXPECT_EQ(result.x.head(4), expected.x) << method;
    EXPECT_TRUE(result.x.tail(46).isConstant(2.0, 0.0)) << method;
    EXPECT_EQ(result.work.iterations, expected.work.iterations) << method;
    EXPECT_EQ(result.work.passes(), expected.work.passes()) << method;
    EXPECT_EQ(result.upper_value, expected.upper_value) << method;
    EXPECT_EQ(result.status, expected.status) << method;
    EXPECT_TRUE(watcher.sizes_right && watcher.at_rest && watcher.calls > 0) << method;
  }
}

/// Rows, products and norms of a map that left its empty columns out are those of the matrix.
TEST(Presolve, EmptyColumnsDoNotShowInASparseMap) {
  const CsrMatrix csr = rows_on_columns_1_and_3(7);
  const LinearMapPtr map = sparse_map(csr);
  ASSERT_EQ(map->cols(), 7);
  RowMajorMatrix dense = RowMajorMatrix::Zero(3, 7);
  dense(0, 1) = 2.0, dense(0, 3) = 3.0, dense(1, 3) = 4.0, dense(2, 1) = -1.0;
  RowMajorMatrix copied;
  ASSERT_TRUE(map->copy_rows(&copied));
  EXPECT_EQ(copied, dense);
  const Vector x = ramp(7), r = numbers({1, -2, 3});
  Vector image(3), gradient = ramp(7);
  map->apply(x, image);
  EXPECT_EQ(image, Vector(dense * x));
  map->add_transpose(0.5, r, gradient);
  EXPECT_EQ(gradient, Vector(ramp(7) + 0.5 * dense.transpose() * r));
  map->transpose(0.5, r, gradient);
  EXPECT_EQ(gradient, Vector(0.5 * dense.transpose() * r));

  const LinearMapPtr some = map->restricted({1, 2, 3});
  ASSERT_EQ(some->cols(), 3);
  some->apply(numbers({1, 5, -1}), image);
  EXPECT_EQ(image, numbers({-1, -4, -1}));
  EXPECT_EQ(map->restricted({1, 3})->cols(), 2);
}

}  // namespace
}  // namespace fcbio::build
