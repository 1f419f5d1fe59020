// Every refusal of a problem file: one message with file, line, expected, found and remedy.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "io/problem_keys.hpp"
#include "problem_support.hpp"

namespace fcbio::io {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

struct Refusal {
  std::string name;
  std::string toml;
  std::string message;  // begins with this
};

void PrintTo(const Refusal& refusal, std::ostream* stream) { *stream << refusal.name; }

const std::string kBall = "[domain]\nset = \"ball\"\nradius = 2\n";                    // lines 1-3
const std::string kUpper = "[upper]\nfunction = \"squared-norm\"\n";                   // lines 4-5
const std::string kLower = "[lower]\nfunction = \"linear\"\ncoefficients = [1, 2]\n";  // lines 6-8

std::string with_lower(const std::string& lower) { return kBall + kUpper + "[lower]\n" + lower; }
std::string with_domain(const std::string& domain) { return kUpper + kLower + "[domain]\n" + domain; }

const std::set<std::string>& known_keys() {
  static const std::set<std::string> keys = [] {
    std::set<std::string> all = {"dimension", "start",  "domain",     "upper",    "lower",
                                 "accuracy",  "limits", "method",     "tight",    "absolute",
                                 "holder",    "alpha",  "beta",       "function", "set",
                                 "name",      "time",   "iterations", "passes",   "gradient_bound"};
    for (const auto& kinds : {function_kinds(), set_kinds()})
      for (const KindInfo& kind : kinds) {
        all.insert(kind.name);
        for (const KeyInfo& key : kind.keys) all.insert(key.name);
      }
    return all;
  }();
  return keys;
}

class ProblemRefusal : public testing::TestWithParam<Refusal> {};

TEST_P(ProblemRefusal, NamesPlaceExpectationFindingAndRemedy) {
  ProblemDirectory directory;
  directory.write("three.txt", "1\n2\n3\n");
  directory.write("a.svm", "1 1:1 3:2\n-1 2:1\n");
  directory.write("b.svm", "1 1:1 5:2\n-1 2:1\n");
  directory.write("classes.svm", "3 1:1\n1 2:1\n2 1:1\n7 1:1\n4 1:1\n5 1:1\n9 1:1\n");
  directory.write("two-three.svm", "3 1:1 2:1\n2 2:1\n");
  directory.write("d.csv", "age,height,label\n1,2,0\n3,4,1\n");
  directory.write("plain.csv", "1,2,0\n3,4,1\n");
  directory.write("one.csv", "1\n3\n");
  const std::string message = directory.refusal(GetParam().toml);
  EXPECT_THAT(message, StartsWith(GetParam().message)) << message;
  // What a remedy names exists: between backquotes stands a key, KEY = VALUE, or the name of a kind.
  const std::size_t remedy = message.find("; ");
  for (std::size_t at = message.find('`', remedy); remedy != std::string::npos && at != std::string::npos;) {
    const std::size_t end = message.find('`', at + 1);
    const std::string key = message.substr(at + 1, message.find_first_of(" `", at + 1) - at - 1);
    EXPECT_TRUE(known_keys().contains(key)) << key << " in: " << message;
    at = message.find('`', end + 1);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Outline, ProblemRefusal,
    testing::Values(
        Refusal{"Empty", "", "p.toml: expected the tables [domain], [upper] and [lower], found an empty file"},
        Refusal{"OnlyComment", "# nothing\n",
                "p.toml: expected the tables [domain], [upper] and [lower], found an empty file"},
        Refusal{"NoDomain", kUpper + kLower,
                "p.toml: expected a table [domain], found none; add [domain] with `set = ...`"},
        Refusal{"NoUpper", kBall + kLower,
                "p.toml: expected a table [upper], found none; add [upper] with `function = ...`"},
        Refusal{"NoLower", kBall + kUpper,
                "p.toml: expected a table [lower], found none; add [lower] with `function = ...`"},
        Refusal{
            "ShapeIsANumber", "shape = 3\n" + kBall + kUpper + kLower,
            "p.toml:1: expected an array of one or two integers >= 1: [n], or [rows, columns] for `shape` in the "
            "problem file, found the integer 3"},
        Refusal{
            "ShapeOfThree", "shape = [1, 1, 1]\n" + kBall + kUpper + kLower,
            "p.toml:1: expected an array of one or two integers >= 1: [n], or [rows, columns], found 3 of them"},
        Refusal{"ShapeWithoutRows", "shape = [0, 4]\n" + kBall + kUpper + kLower,
                "p.toml:1: expected an array of one or two integers >= 1: [n], or [rows, columns], found 0"},
        Refusal{
            "ShapeThatDoesNotFit", "dimension = 2\nshape = [2, 2]\n" + kBall + kUpper + kLower,
            "p.toml:2: expected 2 columns or numbers in `shape`, as `dimension = 2` says, found 4; only sparse "
            "data (LIBSVM, Matrix Market) is padded with empty columns"},
        Refusal{"EmptyTerms", "lower = []\n" + kBall + kUpper,
                "p.toml:1: expected at least one term in [[lower]], found an empty array"},
        Refusal{
            "UpperIsText", "upper = \"squared-norm\"\n" + kBall + kLower,
            "p.toml:1: expected a table [upper] or tables [[upper]] for `upper` in the problem file, found the "
            "string \"squared-norm\""},
        Refusal{"DomainIsNumber", "domain = 3\n" + kUpper + kLower,
                "p.toml:1: expected a table [domain] for `domain` in the problem file, found the integer 3"},
        Refusal{"Syntax", kBall + "[upper\n", "p.toml:4: expected TOML, found a syntax error: "},
        Refusal{"DoubleKey", kBall + "radius = 3\n", "p.toml:4: expected TOML, found a syntax error: "},
        Refusal{
            "UnknownTopKey", "dimensoin = 3\n" + kBall + kUpper + kLower,
            "p.toml:1: expected the keys domain, upper, lower, accuracy, limits, method, dimension, start, shape in "
            "the problem file, found the unknown key `dimensoin`; did you mean `dimension`?"},
        Refusal{"UnknownSetKey", kBall + "radios = 3\n" + kUpper + kLower,
                "p.toml:4: expected the keys set, radius, center, dimension in [domain], found the unknown key "
                "`radios`; did you mean `radius`?"},
        Refusal{
            "UnknownTermKey", with_lower("function = \"linear\"\ncoeficients = 1\n"),
            "p.toml:8: expected the keys function, coefficients, weight, lower_bound, maximize in [lower], found the "
            "unknown key `coeficients`; did you mean `coefficients`?"},
        Refusal{
            "KeyOfAnotherFunction", with_lower("function = \"linear\"\ncoefficients = 1\ndelta = 1\n"),
            "p.toml:9: expected the keys function, coefficients, weight, lower_bound, maximize in [lower], found the "
            "unknown key `delta`"},
        Refusal{
            "UnknownFunction", with_lower("function = \"least-square\"\n"),
            "p.toml:7: expected one of least-squares, logistic, huber, absolute, quantile, hinge, squared-hinge, "
            "squared-norm, l1-norm, linear, quadratic, max-affine, log-sum-exp as the function, found "
            "\"least-square\"; did you mean `least-squares`?"},
        Refusal{"UnknownSet", with_domain("set = \"bal\"\n"),
                "p.toml:7: expected one of ball, box, orthant, polyhedron, simplex, capped-simplex, l1-ball, "
                "nonnegative-ball, halfspace, affine, "
                "intersection, product, whole-space as the kind of set, found \"bal\"; did you mean `ball`?"},
        Refusal{
            "NoFunction", with_lower("coefficients = 1\n"),
            "p.toml:6: expected the key `function` (the function) in [lower], found none; add `function = ...`"},
        Refusal{"NoSet", with_domain("radius = 1\n"),
                "p.toml:6: expected the key `set` (the kind of set) in [domain], found none; add `set = ...`"},
        Refusal{
            "NoDimension", kBall + kUpper + "[lower]\nfunction = \"linear\"\ncoefficients = 1\n",
            "p.toml: expected something that gives the dimension of the problem (data, a vector, a matrix), found "
            "none; add `dimension = n`"}),
    [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Numbers, ProblemRefusal,
    testing::Values(
        Refusal{"NegativeRadius", with_domain("set = \"ball\"\nradius = -2\n"),
                "p.toml:8: expected `radius` >= 0 in [domain], found -2"},
        Refusal{"NoRadius", with_domain("set = \"ball\"\n"),
                "p.toml:6: expected the key `radius` (a number >= 0) in [domain], found none; add `radius = ...`"},
        Refusal{"RadiusText", with_domain("set = \"ball\"\nradius = \"2\"\n"),
                "p.toml:8: expected a number for `radius` in [domain], found the string \"2\""},
        Refusal{"RadiusNan", with_domain("set = \"ball\"\nradius = nan\n"),
                "p.toml:8: expected a finite number for `radius`, found nan"},
        Refusal{"RadiusInfinite", with_domain("set = \"ball\"\nradius = inf\n"),
                "p.toml:8: expected a finite number for `radius`, found inf"},
        Refusal{"CenterNan", with_domain("set = \"ball\"\nradius = 1\ncenter = [0, nan]\n"),
                "p.toml:9: expected a finite number for `center`, found nan"},
        Refusal{"CenterFlag", with_domain("set = \"ball\"\nradius = 1\ncenter = true\n"),
                "p.toml:9: expected a number, an array of numbers or a file of numbers for `center` in [domain], "
                "found true"},
        Refusal{"CenterEmpty", with_domain("set = \"ball\"\nradius = 1\ncenter = []\n"),
                "p.toml:9: expected numbers for `center`, found an empty array"},
        Refusal{"EmptyBox", with_domain("set = \"box\"\nlower = [0, 2]\nupper = 1\n"),
                "p.toml:8: expected `lower` <= `upper` in [domain], finite or open (-inf, inf), found lower 2 and "
                "upper 1 at index 1; an empty box has no points"},
        Refusal{
            "BoxAtInfinity", with_domain("set = \"box\"\nlower = inf\nupper = inf\n"),
            "p.toml:8: expected `lower` <= `upper` in [domain], finite or open (-inf, inf), found lower inf and "
            "upper inf at index 0"},
        Refusal{"BoxNan", with_domain("set = \"box\"\nlower = nan\nupper = inf\n"),
                "p.toml:8: expected a finite number for `lower`, found nan"},
        Refusal{
            "BoxWithoutUpper", with_domain("set = \"box\"\nlower = 0\n"),
            "p.toml:6: expected the key `upper` (a number, an array of numbers or a file of numbers) in [domain], "
            "found none"},
        Refusal{"NegativeTotal", with_domain("set = \"simplex\"\ntotal = -1\n"),
                "p.toml:8: expected `total` >= 0 in [domain], found -1"},
        Refusal{
            "PolyhedronSidesCross",
            with_domain("set = \"polyhedron\"\nmatrix = [[1, 2]]\nlower = [2]\nupper = [1]\n"),
            "p.toml:10: expected `lower` <= `upper` in [domain], finite or open (-inf, inf), found lower 2 and "
            "upper 1 at index 0; no point satisfies such a row"},
        Refusal{"PolyhedronSidesOfAnotherLength",
                with_domain("set = \"polyhedron\"\nmatrix = [[1, 2]]\nlower = [1, 2]\n"),
                "p.toml:9: expected 1 numbers in `lower`, one per row of `matrix`, found 2"},
        Refusal{"PolyhedronInfiniteEntry", with_domain("set = \"polyhedron\"\nmatrix = [[1, inf]]\nupper = 1\n"),
                "p.toml:8: expected a finite number for `matrix`, found inf"},
        Refusal{"PolyhedronSideNan", with_domain("set = \"polyhedron\"\nmatrix = [[1, 2]]\nupper = nan\n"),
                "p.toml:9: expected a finite number for `upper`, found nan"},
        Refusal{
            "CapTooLow", with_domain("set = \"capped-simplex\"\ncap = 0.4\n"),
            "p.toml:6: expected `cap` times the dimension >= `total` in [domain], found cap 0.4, dimension 2, total "
            "1; raise `cap` or lower `total`: the set is empty"},
        Refusal{"HalfspaceWithoutValue", with_domain("set = \"halfspace\"\nradius = 1\ncoefficients = 1\n"),
                "p.toml:6: expected the key `value` (the right side of c'x <= value) in [domain], found none"},
        Refusal{"AffineValues",
                with_domain("set = \"affine\"\nradius = 1\nmatrix = [[1, 2]]\nvalues = [1, 2, 3]\n"),
                "p.toml:10: expected 1 numbers in `values`, one per row of `matrix`, found 3"},
        Refusal{"RaggedMatrix", with_domain("set = \"affine\"\nradius = 1\nmatrix = [[1, 2], [1]]\nvalues = 1\n"),
                "p.toml:9: expected 2 numbers in row 1 of `matrix`, as in row 0, found 1"},
        Refusal{"MatrixOfNumbers", with_domain("set = \"affine\"\nradius = 1\nmatrix = [1, 2]\nvalues = 1\n"),
                "p.toml:9: expected an array of numbers as row 0 of `matrix`, found the integer 1"},
        Refusal{"NoSets", with_domain("set = \"product\"\nsets = []\n"),
                "p.toml:8: expected at least one set in `sets`, found an empty array"},
        Refusal{"SetInsideUnknown", with_domain("set = \"intersection\"\nsets = [{set = \"bax\"}]\n"),
                "p.toml:8: expected one of ball, box, orthant"},
        Refusal{"ProductWithoutDimension",
                with_domain("set = \"product\"\nsets = [{set = \"ball\", radius = 1}, {set = \"simplex\"}]\n"),
                "p.toml:8: expected something that gives the dimension of [domain].sets[0] (data, a vector, a "
                "matrix), found none; add `dimension = n`"},
        Refusal{"AccuracyZero", kBall + kUpper + kLower + "[accuracy]\nupper = 0\n",
                "p.toml:10: expected `upper` > 0 in [accuracy], found 0"},
        Refusal{"AccuracyNegative", kBall + kUpper + kLower + "[accuracy]\nlower = -1e-6\n",
                "p.toml:10: expected `lower` > 0 in [accuracy], found -1e-06"},
        Refusal{"AccuracyNan", kBall + kUpper + kLower + "[accuracy]\nupper = nan\n",
                "p.toml:10: expected a finite number for `upper`, found nan"},
        Refusal{
            "AccuracyUnknown", kBall + kUpper + kLower + "[accuracy]\nabsolut = true\n",
            "p.toml:10: expected the keys upper, lower, upper_relative, lower_relative, tight, absolute, holder in [accuracy], found the unknown "
            "key `absolut`; did you mean `absolute`?"},
        Refusal{"AccuracyAbsoluteNumber", kBall + kUpper + kLower + "[accuracy]\nabsolute = 1\n",
                "p.toml:10: expected true or false for `absolute` in [accuracy], found"},
        Refusal{
            "HolderNumber", kBall + kUpper + kLower + "[accuracy]\nholder = 2\n",
            "p.toml:10: expected an inline table {alpha = ..., beta = ..., gradient_bound = ...} for `holder` in "
            "[accuracy], found"},
        Refusal{"HolderIncomplete", kBall + kUpper + kLower + "[accuracy]\nholder = {alpha = 2, beta = 1}\n",
                "p.toml:10: expected the key `gradient_bound` (a number) in `holder` of [accuracy], found none"},
        Refusal{"HolderUnknownKey",
                kBall + kUpper + kLower +
                    "[accuracy]\nabsolute = true\nholder = {alpha = 2, beta = 1, gradient = 1}\n",
                "p.toml:11: expected the keys alpha, beta, gradient_bound in `holder` of [accuracy], found the "
                "unknown key `gradient`"},
        Refusal{"HolderAlpha",
                kBall + kUpper + kLower + "[accuracy]\nholder = {alpha = 0.5, beta = 1, gradient_bound = 1}\n",
                "p.toml:10: expected `alpha` >= 1 in `holder` of [accuracy], found 0.5"},
        Refusal{"HolderBeta",
                kBall + kUpper + kLower + "[accuracy]\nholder = {alpha = 2, beta = 0, gradient_bound = 1}\n",
                "p.toml:10: expected `beta` > 0 in `holder` of [accuracy], found 0"},
        Refusal{"HolderGradient",
                kBall + kUpper + kLower + "[accuracy]\nholder = {alpha = 2, beta = 1, gradient_bound = -1}\n",
                "p.toml:10: expected `gradient_bound` > 0 in `holder` of [accuracy], found -1"},
        Refusal{"NegativeWeight", with_lower("function = \"linear\"\ncoefficients = [1, 2]\nweight = -1\n"),
                "p.toml:9: expected `weight` >= 0 in [lower], found -1; a negative weight makes the objective "
                "nonconvex"},
        Refusal{"LowerBoundNan", with_lower("function = \"linear\"\ncoefficients = [1, 2]\nlower_bound = nan\n"),
                "p.toml:9: expected a finite number for `lower_bound`, found nan"},
        Refusal{"Delta", with_lower("function = \"huber\"\ndata = \"a.svm\"\ndelta = 0\n"),
                "p.toml:9: expected `delta` > 0, found 0"},
        Refusal{"Tau", with_lower("function = \"quantile\"\ndata = \"a.svm\"\ntau = 1.0\n"),
                "p.toml:9: expected 0 < `tau` < 1, found 1"},
        Refusal{"AverageNumber", with_lower("function = \"huber\"\ndata = \"a.svm\"\naverage = 1\n"),
                "p.toml:9: expected true or false for `average` in [lower], found the integer 1"},
        Refusal{"Constant", with_lower("function = \"quadratic\"\nmatrix = [[1]]\nconstant = inf\n"),
                "p.toml:9: expected a finite number for `constant`, found inf"},
        Refusal{"NotSquare", with_lower("function = \"quadratic\"\nmatrix = [[1, 0, 0], [0, 1, 0]]\n"),
                "p.toml:8: expected a square `matrix` in [lower], found 2 rows and 3 columns"},
        Refusal{"MatrixWithLabels", with_lower("function = \"quadratic\"\nmatrix = \"a.svm\"\n"),
                "p.toml:8: expected a matrix (.npy, .csv, .mtx) for `matrix`, found a.svm, a file with labels"},
        Refusal{"DimensionZero", "dimension = 0\n" + kBall + kUpper + kLower,
                "p.toml:1: expected 1 <= `dimension` <= 2147483647, found 0"},
        Refusal{"DimensionReal", "dimension = 2.0\n" + kBall + kUpper + kLower,
                "p.toml:1: expected an integer for `dimension` in the problem file, found the number 2"},
        Refusal{"MethodOption", kBall + kUpper + kLower + "[method]\ncap = [1]\n",
                "p.toml:10: expected a number, a string, true or false for `cap` in [method], found an array"}),
    [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Sizes, ProblemRefusal,
    testing::Values(
        Refusal{"TwoDataFiles",
                kBall +
                    "[upper]\nfunction = \"logistic\"\ndata = \"a.svm\"\n[lower]\nfunction = \"logistic\"\ndata = "
                    "\"b.svm\"\n",
                "p.toml:9: expected n = 3 (from a.svm), found n = 5 (from b.svm); if the last features are absent "
                "from a.svm, pad it: `dimension = 5` at the top of the file"},
        Refusal{"DenseIsNotPadded",
                kBall + "[upper]\nfunction = \"absolute\"\ndata = \"plain.csv\"\ntarget = 2\n[lower]\nfunction = "
                        "\"logistic\"\ndata = \"b.svm\"\n",
                "p.toml:10: expected n = 2 (from plain.csv), found n = 5 (from b.svm); make them agree"},
        Refusal{
            "DimensionBelowData", "dimension = 4\n" + with_lower("function = \"logistic\"\ndata = \"b.svm\"\n"),
            "p.toml:9: expected at most 4 columns or numbers in b.svm, as `dimension = 4` says, found 5; raise "
            "`dimension` to 5 or more"},
        Refusal{"DimensionWithoutRoomForOnes",
                "dimension = 5\n" + with_lower("function = \"logistic\"\ndata = \"b.svm\"\nintercept = true\n"),
                "p.toml:9: expected at most 5 columns or numbers in b.svm and its intercept, as `dimension = 5` "
                "says, found 6; raise `dimension` to 6 or more"},
        Refusal{
            "DimensionAboveDense",
            "dimension = 4\n" + with_lower("function = \"absolute\"\ndata = \"plain.csv\"\ntarget = 2\n"),
            "p.toml:9: expected 4 columns or numbers in plain.csv, as `dimension = 4` says, found 2; only sparse "
            "data (LIBSVM, Matrix Market) is padded with empty columns"},
        Refusal{
            "VectorFile", kBall + "[upper]\nfunction = \"squared-norm\"\ncenter = \"three.txt\"\n" + kLower,
            "p.toml:9: expected n = 3 (from `center` of [upper], three.txt), found n = 2 (from `coefficients` of "
            "[lower]); make them agree"},
        Refusal{
            "VectorFileAgainstDimension",
            "dimension = 2\n" + kBall + "[upper]\nfunction = \"squared-norm\"\ncenter = \"three.txt\"\n" + kLower,
            "p.toml:7: expected 2 columns or numbers in `center` of [upper], three.txt, as `dimension = 2` says, "
            "found 3"},
        Refusal{"Start", "start = [1, 2, 3]\n" + kBall + kUpper + kLower,
                "p.toml:1: expected n = 2 (from `coefficients` of [lower]), found n = 3 (from `start`); make them "
                "agree"},
        Refusal{
            "SetCenter", with_domain("set = \"ball\"\nradius = 1\ncenter = \"three.txt\"\n"),
            "p.toml:9: expected n = 2 (from `coefficients` of [lower]), found n = 3 (from `center` of [domain])"},
        Refusal{
            "ProductTotal",
            with_domain("set = \"product\"\nsets = [{set = \"simplex\", dimension = 1}, {set = \"simplex\", "
                        "dimension = 2}]\n"),
            "p.toml:8: expected n = 2 (from `coefficients` of [lower]), found n = 3 (from `sets` of [domain])"},
        Refusal{"MemberAgainstItself",
                with_domain("set = \"product\"\nsets = [{set = \"ball\", radius = 1, center = [1, 2], dimension = "
                            "3}]\n"),
                "p.toml:8: expected n = 3 (from `dimension` of [domain].sets[0]), found n = 2 (from `center` of "
                "[domain].sets[0])"}),
    [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Data, ProblemRefusal,
    testing::Values(
        Refusal{"NoData", with_lower("function = \"logistic\"\n"),
                "p.toml:6: expected the key `data` (a file, or an array of rows) in [lower], found none"},
        Refusal{"DataNumber", with_lower("function = \"logistic\"\ndata = 3\n"),
                "p.toml:8: expected a file, or an array of rows for `data` in [lower], found the integer 3"},
        Refusal{"MissingFile", with_lower("function = \"logistic\"\ndata = \"none.svm\"\n"), "none.svm: expected"},
        Refusal{
            "NoTarget", with_lower("function = \"least-squares\"\ndata = \"plain.csv\"\n"),
            "p.toml:6: expected the key `target` in [lower]: plain.csv does not bring labels of its own, found "
            "none; add `target = ...`: a column number, a column name, a file or {constant = NUMBER}"},
        Refusal{"TargetOutOfRange", with_lower("function = \"absolute\"\ndata = \"plain.csv\"\ntarget = 3\n"),
                "p.toml:9: expected a column 0 .. 2 of plain.csv as `target`, found 3"},
        Refusal{"TargetNegative", with_lower("function = \"absolute\"\ndata = \"plain.csv\"\ntarget = -1\n"),
                "p.toml:9: expected a column 0 .. 2 of plain.csv as `target`, found -1"},
        Refusal{"TargetIsAll", with_lower("function = \"absolute\"\ndata = \"one.csv\"\ntarget = 0\n"),
                "p.toml:9: expected a column besides the target in one.csv, found one column"},
        Refusal{"TargetColumnOfSparse", with_lower("function = \"absolute\"\ndata = \"a.svm\"\ntarget = 0\n"),
                "p.toml:9: expected a target column only for CSV and NPY data, found a.svm, which is sparse; use "
                "target = \"labels\" or a file"},
        Refusal{
            "TargetUnknownName", with_lower("function = \"absolute\"\ndata = \"d.csv\"\ntarget = \"hight\"\n"),
            "p.toml:9: expected a column of d.csv (age, height, label) or a file as `target`, found \"hight\", "
            "which is neither; did you mean \"height\"?"},
        Refusal{
            "TargetWithoutHeader", with_lower("function = \"absolute\"\ndata = \"plain.csv\"\ntarget = \"y\"\n"),
            "p.toml:9: expected \"labels\" (LIBSVM), a column number or a file as `target` of plain.csv, found "
            "\"y\", which is neither"},
        Refusal{"TargetFileLength",
                with_lower("function = \"absolute\"\ndata = \"d.csv\"\ntarget = \"three.txt\"\n"),
                "p.toml:9: expected 2 targets, one per row of d.csv, found 3"},
        Refusal{
            "TargetFlag", with_lower("function = \"absolute\"\ndata = \"d.csv\"\ntarget = true\n"),
            "p.toml:9: expected a column number, a column name, \"labels\", a file, an array or {constant = NUMBER} "
            "for `target` in [lower], found true"},
        Refusal{
            "Labels", with_lower("function = \"logistic\"\ndata = \"classes.svm\"\n"),
            "p.toml:8: expected two classes as targets of \"logistic\": -1/+1, 0/1 or 1/2, found the labels 1, "
            "2, 3, 4, 5, ... in classes.svm; map the labels to -1 and +1, or use a regression function"},
        Refusal{
            "LabelsTwoThree", with_lower("function = \"hinge\"\ndata = \"two-three.svm\"\ntarget = \"labels\"\n"),
            "p.toml:9: expected two classes as targets of \"hinge\": -1/+1, 0/1 or 1/2, found the labels 2, 3 in "
            "two-three.svm"},
        // Decided on the whole file: rows 1 and 2 alone would be a good pair of classes.
        Refusal{"LabelsOfAllRows",
                with_lower("function = \"squared-hinge\"\ndata = \"classes.svm\"\nrows = \"1:3\"\n"),
                "p.toml:8: expected two classes as targets of \"squared-hinge\""},
        Refusal{"RowsEmpty", with_lower("function = \"logistic\"\ndata = \"a.svm\"\nrows = \"1:1\"\n"),
                "p.toml:9: expected \"a:b\" with 0 <= a < b <= 2 as `rows` of a.svm, found \"1:1\", which selects "
                "none of the 2 rows"},
        Refusal{"RowsBeyond", with_lower("function = \"logistic\"\ndata = \"a.svm\"\nrows = \"0:3\"\n"),
                "p.toml:9: expected \"a:b\" with 0 <= a < b <= 2 as `rows` of a.svm, found \"0:3\" of 2 rows"},
        Refusal{"RowsBeginBeyond", with_lower("function = \"logistic\"\ndata = \"a.svm\"\nrows = \"2:\"\n"),
                "p.toml:9: expected \"a:b\" with 0 <= a < b <= 2 as `rows` of a.svm, found \"2:\", which selects "
                "none of the 2 rows"},
        Refusal{"RowsNegative", with_lower("function = \"logistic\"\ndata = \"a.svm\"\nrows = \"-1:\"\n"),
                "p.toml:9: expected \"a:b\" with 0 <= a < b <= 2 as `rows` of a.svm, found \"-1:\""},
        Refusal{"RowsWithoutColon", with_lower("function = \"logistic\"\ndata = \"a.svm\"\nrows = \"1\"\n"),
                "p.toml:9: expected \"a:b\" with 0 <= a < b <= 2 as `rows` of a.svm, found \"1\""},
        Refusal{"RowsNumber", with_lower("function = \"logistic\"\ndata = \"a.svm\"\nrows = 1\n"),
                "p.toml:9: expected a string for `rows` in [lower], found the integer 1"},
        Refusal{"ShuffleNegative", with_lower("function = \"logistic\"\ndata = \"a.svm\"\nshuffle = -1\n"),
                "p.toml:9: expected a seed >= 0 as `shuffle`, found -1"},
        Refusal{
            "SecondTerm",
            kBall + kUpper +
                "[[lower]]\nfunction = \"logistic\"\ndata = \"a.svm\"\n[[lower]]\nfunction = "
                "\"huber\"\ndata = \"a.svm\"\nweigth = 1\n",
            "p.toml:12: expected the keys function, data, columns, drop, categories, missing, standardize, scale, "
            "rows, shuffle, covariance_with, intercept, target, average, delta, sample_weights, "
            "weight, lower_bound, maximize in [[lower]] number 1, found the unknown key `weigth`; did you mean "
            "`weight`?"}),
    [](const auto& test) { return test.param.name; });

// What the constructors of the solver refuse names the problem file and the table.
INSTANTIATE_TEST_SUITE_P(
    Building, ProblemRefusal,
    testing::Values(
        Refusal{"NotSymmetric", with_lower("function = \"quadratic\"\nmatrix = [[1, 2], [0, 1]]\n"),
                "p.toml:6: [lower]: "},
        Refusal{"Indefinite", with_lower("function = \"quadratic\"\nmatrix = [[1, 0], [0, -1]]\n"),
                "p.toml:6: [lower]: "},
        Refusal{"ZeroHalfspace", with_domain("set = \"halfspace\"\ncoefficients = 0\nvalue = -1\nradius = 1\n"),
                "p.toml:6: [domain]: "},
        Refusal{"InconsistentAffine",
                with_domain("set = \"affine\"\nmatrix = [[1, 1], [1, 1]]\nvalues = [0, 1]\nradius = 1\n"),
                "p.toml:6: [domain]: "},
        Refusal{"AffineOutsideBall", with_domain("set = \"affine\"\nmatrix = [[1, 1]]\nvalues = 10\nradius = 1\n"),
                "p.toml:6: [domain]: "},
        Refusal{"InsideProduct",
                with_domain("set = \"product\"\nsets = [{set = \"simplex\", dimension = 1},\n {set = \"affine\", "
                            "matrix = [[1]], values = 5, radius = 1}]\n"),
                "p.toml:9: [domain].sets[1]: "}),
    [](const auto& test) { return test.param.name; });

TEST(ProblemFileRefusal, MissingFileAndDirectory) {
  ProblemDirectory directory;
  try {
    read_problem(directory.path() / "absent.toml");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("absent.toml: expected a readable problem file, found No such file or directory; check "
                          "the name"));
  }
  try {
    read_problem(directory.path());
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("expected a readable problem file, found a directory; give the PROBLEM.toml"));
  }
}

}  // namespace
}  // namespace fcbio::io
