// What a good problem file means.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <lzma.h>
#include <rapidcheck/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include "problem_support.hpp"

namespace fcbio::io {
namespace {

using testing::ElementsAre;

const RowMajorMatrix& dense(const data::Term& term) {
  return std::get<RowMajorMatrix>(data::rows_of(term)->matrix);
}
const CsrMatrix& sparse(const data::Term& term) { return std::get<CsrMatrix>(data::rows_of(term)->matrix); }
Vector numbers(std::initializer_list<double> values) {
  return Eigen::Map<const Vector>(values.begin(), static_cast<Index>(values.size()));
}

const std::string kTrain = "1 1:1 3:2\n-1 2:1\n1 1:0.5\n-1 3:-1\n";

const std::string kRealistic = R"(
# Minimum norm among the least-squares solutions.
[domain]
set = "ball"
radius = 2.0

[upper]
function = "squared-norm"

[lower]
function = "least-squares"
data = "train.svm"
target = "labels"
average = false

[accuracy]
upper = 1e-6
lower = 1e-7

[method]
name = "fcbio-sm"
budget = "cap"
cap = 100
eta = 0.25
two_sided = true
)";

TEST(ProblemFile, TheDocumentedExample) {
  ProblemDirectory directory;
  directory.write("train.svm", kTrain);
  const data::Problem problem = directory.read(kRealistic);
  EXPECT_EQ(problem.dimension, 3);
  const auto& domain = std::get<data::Ball>(problem.domain.kind);
  EXPECT_EQ(domain.radius, 2.0);
  EXPECT_EQ(domain.center, Vector::Zero(3));
  ASSERT_EQ(problem.upper.size(), 1U);
  EXPECT_EQ(std::get<data::SquaredNorm>(problem.upper[0].kind).center, Vector::Zero(3));
  ASSERT_EQ(problem.lower.size(), 1U);
  const auto& lower = std::get<data::LeastSquares>(problem.lower[0].kind);
  EXPECT_FALSE(lower.average);
  EXPECT_EQ(lower.target, numbers({1, -1, 1, -1}));
  EXPECT_THAT(sparse(problem.lower[0]).values, ElementsAre(1, 2, 1, 0.5, -1));
  EXPECT_EQ(problem.accuracy.upper, 1e-6);
  EXPECT_EQ(problem.accuracy.lower, 1e-7);
  EXPECT_EQ(problem.method, "fcbio-sm");
  EXPECT_EQ(problem.options, (std::map<std::string, std::string>{
                                 {"budget", "cap"}, {"cap", "100"}, {"eta", "0.25"}, {"two_sided", "true"}}));
  EXPECT_FALSE(problem.start.has_value());
  EXPECT_THAT(problem.notes, testing::IsEmpty());
  EXPECT_EQ(problem.file.filename(), "p.toml");
  EXPECT_EQ(problem.lower[0].line, 10);
}

std::string gzip(const std::string& text, const std::filesystem::path& scratch) {
  gzFile file = gzopen(scratch.c_str(), "wb");
  gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
  std::ifstream stream(scratch, std::ios::binary);
  std::ostringstream bytes;
  bytes << stream.rdbuf();
  return bytes.str();
}

std::string xz(const std::string& text) {
  std::string bytes(lzma_stream_buffer_bound(text.size()), '\0');
  std::size_t size = 0;
  if (lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, nullptr, reinterpret_cast<const std::uint8_t*>(text.data()),
                              text.size(), reinterpret_cast<std::uint8_t*>(bytes.data()), &size,
                              bytes.size()) != LZMA_OK)
    throw std::runtime_error("xz");
  bytes.resize(size);
  return bytes;
}

std::string zstd(const std::string& text) {
  std::string bytes(ZSTD_compressBound(text.size()), '\0');
  bytes.resize(ZSTD_compress(bytes.data(), bytes.size(), text.data(), text.size(), 3));
  return bytes;
}

TEST(ProblemFile, CompressedDataIsTheSameProblem) {
  ProblemDirectory directory;
  directory.write("train.svm", kTrain);
  const std::string plain = data::fingerprint(directory.read(kRealistic));
  directory.write("train.svm.gz", gzip(kTrain, directory.path() / "scratch"));
  directory.write("train.svm.xz", xz(kTrain));
  directory.write("train.svm.zst", zstd(kTrain));
  std::filesystem::remove(directory.path() / "train.svm");
  for (const std::string ending : {".gz", ".xz", ".zst"}) {
    std::string toml = kRealistic;
    toml.insert(toml.find("train.svm") + 9, ending);
    EXPECT_EQ(data::fingerprint(directory.read(toml)), plain) << ending;
  }
}

TEST(ProblemFile, PathsAreRelativeToTheFile) {
  ProblemDirectory directory;
  std::filesystem::create_directories(directory.path() / "inner/data");
  directory.write("inner/data/train.svm", kTrain);
  std::string toml = kRealistic;
  toml.replace(toml.find("train.svm"), 9, "data/train.svm");
  const data::Problem problem = read_problem(directory.write("inner/p.toml", toml));
  EXPECT_EQ(problem.dimension, 3);
}

TEST(ProblemFile, SeveralTermsFromOneFile) {
  ProblemDirectory directory;
  directory.write("c.txt", "1\n-2\n3\n");
  directory.write("all.csv", "a,b,y\n1,2,0\n3,4,1\n5,6,1\n7,8,0\n9,10,1\n");
  const data::Problem problem = directory.read(R"(
[domain]
set = "l1-ball"
radius = 3
center = [0.5, 1, 0]
[upper]
function = "logistic"
data = "all.csv"
target = "y"
average = true
intercept = true
rows = "3:"
[[lower]]
function = "logistic"
data = "all.csv"
target = 2
intercept = true
rows = ":3"
weight = 2
lower_bound = 0
[[lower]]
function = "l1-norm"
center = "c.txt"
weight = 0.25
)");
  EXPECT_EQ(problem.dimension, 3);
  EXPECT_EQ(std::get<data::L1Ball>(problem.domain.kind).center, numbers({0.5, 1, 0}));
  RowMajorMatrix upper(2, 3);
  upper << 7, 8, 1, 9, 10, 1;
  EXPECT_EQ(dense(problem.upper[0]), upper);
  EXPECT_EQ(std::get<data::Logistic>(problem.upper[0].kind).target, numbers({-1, 1}));
  EXPECT_TRUE(std::get<data::Logistic>(problem.upper[0].kind).average);
  EXPECT_EQ(problem.upper[0].weight, 1.0);
  ASSERT_EQ(problem.lower.size(), 2U);
  RowMajorMatrix lower(3, 3);
  lower << 1, 2, 1, 3, 4, 1, 5, 6, 1;
  EXPECT_EQ(dense(problem.lower[0]), lower);
  EXPECT_EQ(std::get<data::Logistic>(problem.lower[0].kind).target, numbers({-1, 1, 1}));
  EXPECT_EQ(problem.lower[0].weight, 2.0);
  EXPECT_EQ(problem.lower[0].lower_bound, 0.0);
  EXPECT_EQ(std::get<data::L1Norm>(problem.lower[1].kind).center, numbers({1, -2, 3}));
  EXPECT_EQ(problem.lower[1].weight, 0.25);
  // Told once, though two terms use the file.
  EXPECT_THAT(problem.notes, ElementsAre("all.csv: labels mapped: 0 -> -1, 1 -> +1"));
}

TEST(ProblemFile, ShuffleComesBeforeRows) {
  ProblemDirectory directory;
  directory.write("d.csv", "0,0\n1,10\n2,20\n3,30\n4,40\n5,50\n6,60\n7,70\n8,80\n9,90\n");
  const data::Problem problem = directory.read(R"(
[domain]
set = "simplex"
[upper]
function = "absolute"
data = "d.csv"
target = 1
shuffle = 42
rows = "2:5"
[lower]
function = "huber"
data = "d.csv"
target = 1
shuffle = 42
delta = 0.5
)");
  // The order of seed 42 is 0 9 5 8 6 4 7 2 1 3.
  EXPECT_EQ(Vector(dense(problem.upper[0]).col(0)), numbers({5, 8, 6}));
  EXPECT_EQ(std::get<data::Absolute>(problem.upper[0].kind).target, numbers({50, 80, 60}));
  const auto& lower = std::get<data::Huber>(problem.lower[0].kind);
  EXPECT_EQ(lower.target, numbers({0, 90, 50, 80, 60, 40, 70, 20, 10, 30}));
  EXPECT_EQ(lower.delta, 0.5);
}

TEST(ProblemFile, DimensionPadsSparseData) {
  ProblemDirectory directory;
  directory.write("a.svm", "1 1:1 3:2\n-1 2:1\n");
  directory.write("b.mtx", "%%MatrixMarket matrix coordinate real general\n2 4 2\n1 4 1.5\n2 1 1\n");
  const data::Problem problem = directory.read(R"(
dimension = 6
[domain]
set = "box"
lower = -inf
upper = [1, 2, 3, inf, 5, 6]
[upper]
function = "hinge"
data = "a.svm"
intercept = true
[lower]
function = "quantile"
tau = 0.1
data = "b.mtx"
target = [1, 2]
)");
  EXPECT_EQ(problem.dimension, 6);
  EXPECT_EQ(std::get<data::Hinge>(problem.upper[0].kind).data.cols(), 6);
  EXPECT_THAT(sparse(problem.upper[0]).columns, ElementsAre(0, 2, 5, 1, 5));
  EXPECT_THAT(sparse(problem.upper[0]).values, ElementsAre(1, 2, 1, 1, 1));
  const auto& lower = std::get<data::Quantile>(problem.lower[0].kind);
  EXPECT_EQ(lower.data.cols(), 6);
  EXPECT_EQ(lower.target, numbers({1, 2}));
  EXPECT_EQ(lower.tau, 0.1);
  const auto& domain = std::get<data::Box>(problem.domain.kind);
  EXPECT_EQ(domain.lower, Vector::Constant(6, -kInfinity));
  EXPECT_EQ(domain.upper[3], kInfinity);
  EXPECT_EQ(domain.upper[5], 6.0);
}

TEST(ProblemFile, TargetsOfMaxAffineDefaultToZero) {
  ProblemDirectory directory;
  directory.write("a.csv", "1,2\n3,4\n");
  directory.write("b.svm", "5 1:1\n6 2:1\n");
  const data::Problem problem = directory.read(R"(
start = 1
[domain]
set = "whole-space"
[upper]
function = "max-affine"
data = "a.csv"
[lower]
function = "log-sum-exp"
data = "b.svm"
)");
  EXPECT_EQ(std::get<data::MaxAffine>(problem.upper[0].kind).target, Vector::Zero(2));
  EXPECT_EQ(std::get<data::LogSumExp>(problem.lower[0].kind).target, numbers({5, 6}));
  EXPECT_FALSE(std::get<data::WholeSpace>(problem.domain.kind).radius.has_value());
  EXPECT_EQ(problem.start, Vector::Ones(2));
}

TEST(ProblemFile, TheShapeOfXSaysItsDimensionAndChangesNoMathematics) {
  ProblemDirectory directory;
  const std::string tables = R"(
[domain]
set = "ball"
radius = 1.0
[upper]
function = "squared-norm"
[lower]
function = "l1-norm"
)";
  const data::Problem image = directory.read("shape = [2, 3]" + tables),
                      plain = directory.read("dimension = 6" + tables);
  EXPECT_EQ(image.dimension, 6);
  EXPECT_EQ(image.shape, (std::vector<Index>{2, 3}));
  EXPECT_EQ(directory.read("shape = [6]\ndimension = 6" + tables).shape, std::vector<Index>{6});
  EXPECT_TRUE(plain.shape.empty());
  EXPECT_EQ(data::fingerprint(image), data::fingerprint(plain));
}

TEST(ProblemFile, AColumnCalledLabelsAndATargetFile) {
  ProblemDirectory directory;
  directory.write("a.csv", "x,labels\n1,2\n3,4\n");
  directory.write("y.txt", "7\n8\n");
  const data::Problem problem = directory.read(R"(
[domain]
set = "nonnegative-ball"
radius = 1
[upper]
function = "least-squares"
data = "a.csv"
target = "labels"
[lower]
function = "least-squares"
data = [[1], [2]]
target = "y.txt"
)");
  EXPECT_EQ(std::get<data::LeastSquares>(problem.upper[0].kind).target, numbers({2, 4}));
  EXPECT_EQ(std::get<data::LeastSquares>(problem.lower[0].kind).target, numbers({7, 8}));
  EXPECT_EQ(dense(problem.lower[0]), (RowMajorMatrix(2, 1) << 1, 2).finished());
}

TEST(ProblemFile, NestedSets) {
  ProblemDirectory directory;
  const data::Problem problem = directory.read(R"(
[upper]
function = "quadratic"
matrix = [[2, 0, 0, 0], [0, 2, 0, 0], [0, 0, 2, 0], [0, 0, 0, 2]]
constant = 3
[lower]
function = "linear"
coefficients = 1
[domain]
set = "intersection"
[[domain.sets]]
set = "halfspace"
coefficients = 1
value = 2
radius = 5
[[domain.sets]]
set = "product"
sets = [{set = "simplex", dimension = 1, total = 2}, {set = "affine", matrix = [[1, 0, 1]], values = 1, radius = 4}]
)");
  EXPECT_EQ(problem.dimension, 4);
  const auto& upper = std::get<data::Quadratic>(problem.upper[0].kind);
  EXPECT_EQ(upper.constant, 3.0);
  EXPECT_EQ(upper.coefficients, Vector::Zero(4));
  EXPECT_EQ(std::get<data::Linear>(problem.lower[0].kind).coefficients, Vector::Ones(4));
  const auto& domain = std::get<data::Intersection>(problem.domain.kind);
  ASSERT_EQ(domain.sets.size(), 2U);
  const auto& half = std::get<data::Halfspace>(domain.sets[0].kind);
  EXPECT_EQ(half.coefficients, Vector::Ones(4));
  EXPECT_EQ(half.value, 2.0);
  EXPECT_EQ(domain.sets[1].dimension, 4);
  const auto& product = std::get<data::Product>(domain.sets[1].kind);
  ASSERT_EQ(product.sets.size(), 2U);
  EXPECT_EQ(product.sets[0].dimension, 1);
  EXPECT_EQ(std::get<data::Simplex>(product.sets[0].kind).total, 2.0);
  EXPECT_EQ(product.sets[1].dimension, 3);
  const auto& affine = std::get<data::Affine>(product.sets[1].kind);
  EXPECT_EQ(affine.values, numbers({1}));
  EXPECT_EQ(affine.matrix, (RowMajorMatrix(1, 3) << 1, 0, 1).finished());
}

// A damaged problem file is read or refused with InputError; nothing else can come out.
RC_GTEST_PROP(ProblemFile, DamageIsReadOrRefused, ()) {
  ProblemDirectory directory;
  directory.write("train.svm", kTrain);
  std::string toml = kRealistic;
  const int damages = *rc::gen::inRange(1, 6);
  for (int i = 0; i < damages; ++i) {
    const auto at = *rc::gen::inRange<std::size_t>(0, toml.size());
    const int kind = *rc::gen::inRange(0, 3);
    if (kind == 0) toml.erase(at, *rc::gen::inRange<std::size_t>(1, 20));
    if (kind == 1)
      toml.insert(at, *rc::gen::element<std::string>("[", "]", "=", "\"", "\n", "-", "1e999", "\xff", "{}", "nan",
                                                     "[[lower]]\n", "\0", "1979-05-27"));
    if (kind == 2) toml[at] = *rc::gen::arbitrary<char>();
  }
  try {
    const data::Problem problem = directory.read(toml);
    RC_ASSERT(problem.dimension > 0);
  } catch (const InputError& error) {
    RC_ASSERT(std::string(error.what()).size() > 10);
  }
}

}  // namespace
}  // namespace fcbio::io
