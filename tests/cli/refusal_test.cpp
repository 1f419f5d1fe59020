// Bad input, end to end: exit code 2, one message with file, line, expected, found and remedy, and no file
// written.
#include <gmock/gmock.h>

#include "process.hpp"

namespace fcbio::cli_test {
namespace {

class Refusal : public CliTest {
 protected:
  Refusal() {
    write("good.svm", "+1 1:0.5 3:1\n-1 2:1 3:-0.5\n+1 1:1 2:0.25\n");
    write("good.csv", "1,2,3\n4,5,6\n");
    write("two.csv", "1\n2\n");
  }
  static std::string problem(const std::string& lower,
                             const std::string& domain = "set = \"ball\"\nradius = 2.0\n",
                             const std::string& upper = "function = \"squared-norm\"\n",
                             const std::string& rest = "") {
    return "[domain]\n" + domain + "\n[upper]\n" + upper + "\n[lower]\n" + lower + "\n" + rest;
  }
  static std::string from_data(const std::string& function, const std::string& data,
                               const std::string& target = "labels") {
    return "function = \"" + function + "\"\ndata = \"" + data + "\"\ntarget = \"" + target + "\"\n";
  }
  void expect_problem_refused(const std::string& text, const std::vector<std::string>& fragments,
                              const Arguments& more = {}) const {
    write("p.toml", text);
    Arguments arguments = {"solve", "p.toml",  "-o",      "r.json",           "--solution",
                           "x.npy", "--trace", "t.jsonl", "--max-iterations", "10"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    expect_refused(arguments, fragments);
  }
  void expect_data_refused(const std::string& name, const std::string& contents,
                           const std::vector<std::string>& fragments,
                           const std::string& function = "least-squares") const {
    SCOPED_TRACE(name);
    write(name, contents);
    const bool labelled = name.find(".svm") != std::string::npos;
    std::vector<std::string> all = fragments;
    all.push_back(name);
    expect_problem_refused(problem(from_data(function, name, labelled ? "labels" : "two.csv")), all);
  }
};

TEST_F(Refusal, AQuadraticThatIsNotConvexByALittle) {
  expect_problem_refused(problem("function = \"quadratic\"\nmatrix = [[1e12, 0.0], [0.0, -4e-4]]\n",
                                 "set = \"box\"\nlower = -100.0\nupper = 100.0\n",
                                 "function = \"squared-norm\"\ncenter = [0.0, 0.0]\n"),
                         {"the negative curvature -4e-04"});
}

TEST_F(Refusal, TheGoodFilesAreGood) {  // so that what follows is refused for its own reason
  write("p.toml", problem(from_data("logistic", "good.svm")));
  EXPECT_EQ(run({"solve", "p.toml", "--eps-f", "1e-2", "--eps-g", "1e-2"}).exit_code, 0);
  write("p.toml", problem(from_data("least-squares", "good.csv", "two.csv")));
  EXPECT_EQ(run({"solve", "p.toml"}).exit_code, 0);
}

TEST_F(Refusal, MissingAndTruncatedFiles) {
  expect_refused({"solve", "missing.toml", "-o", "r.json"}, {"missing.toml"});
  expect_problem_refused(problem(from_data("least-squares", "missing.svm")), {"missing.svm"});
  expect_problem_refused(problem(from_data("least-squares", "good.csv", "missing.csv")), {"missing.csv"});
  // gzip: a stored block that promises 100 bytes and holds a few.
  expect_data_refused(
      "cut.svm.gz",
      std::string("\x1f\x8b\x08\0\0\0\0\0\0\x03", 10) + std::string("\x01\x64\0\x9b\xff", 5) + "+1 1:",
      {"ends too early"});
  expect_data_refused("not.svm.gz", "+1 1:2\n", {});
}

TEST_F(Refusal, MalformedNumbersAndIndices) {
  expect_data_refused("number.svm", "+1 1:0.5\n-1 2:1.5x\n", {"number.svm:2"});
  expect_data_refused("zero.svm", "+1 1:0.5\n-1 0:1\n", {"zero.svm:2", "0"});
  expect_data_refused("descending.svm", "+1 2:0.5 1:1\n-1 2:1\n", {"descending.svm:1"});
  expect_data_refused("large.svm", "+1 99999999999:0.5\n-1 2:1\n", {"large.svm:1"});
  expect_data_refused("number.csv", "1,2,3\n4,abc,6\n", {"number.csv:2"});
}

TEST_F(Refusal, NotFiniteEmptyRagged) {
  expect_data_refused("nan.svm", "+1 1:nan\n-1 2:1\n", {"nan.svm:1"});
  expect_data_refused("inf.csv", "1,2,3\n4,inf,6\n", {"inf.csv:2"});
  expect_data_refused("overflow.csv", "1,2,3\n4,1e999,6\n", {"overflow.csv:2"});
  expect_data_refused("empty.svm", "", {});
  expect_data_refused("empty.csv", "", {});
  expect_data_refused("ragged.csv", "1,2,3\n4,5\n", {"ragged.csv:2"});
}

TEST_F(Refusal, LabelsThatAreNotBinary) {
  expect_data_refused("three.svm", "1 1:1\n2 1:2\n3 1:3\n", {}, "logistic");
  expect_data_refused("half.svm", "0.5 1:1\n-1 1:2\n", {}, "hinge");
}

TEST_F(Refusal, DimensionsThatDisagree) {
  write("wide.svm", "+1 1:1 7:1\n-1 2:1\n");
  const std::string pair = problem(from_data("logistic", "good.svm"), "set = \"ball\"\nradius = 2.0\n",
                                   from_data("logistic", "wide.svm"));
  expect_problem_refused(pair, {"dimension"});
  write("p.toml", "dimension = 7\n" + pair);  // the remedy works
  EXPECT_EQ(run({"solve", "p.toml", "--eps-f", "0.1", "--eps-g", "0.1"}).exit_code, 0);
}

TEST_F(Refusal, UnknownNamesOfferTheNearest) {
  const std::string good = from_data("least-squares", "good.csv", "two.csv");
  expect_problem_refused(problem(good + "averge = true\n"), {"p.toml:", "averge", "average"});
  expect_problem_refused(problem(from_data("least-square", "good.csv", "two.csv")), {"p.toml:", "least-squares"});
  expect_problem_refused(problem(good, "set = \"bal\"\nradius = 1.0\n"), {"p.toml:", "ball"});
  expect_problem_refused(problem(good, "set = \"ball\"\nradius = 1.0\nradus = 2\n"), {"radus", "radius"});
  expect_problem_refused(problem(good), {"unknown method 'fcbo'", "did you mean 'fcbio'"}, {"--method", "fcbo"});
  expect_problem_refused(problem(good, "set = \"ball\"\nradius = 2.0\n", "function = \"squared-norm\"\n",
                                 "[method]\nname = \"fcbio-mm\"\n"),
                         {"fcbio-mm", "fcbio-sm"});
  expect_problem_refused(problem(good), {"unknown option 'alfa0'", "did you mean 'alpha0'"},
                         {"--method", "fcbio-sm", "--set", "alfa0=1"});
  expect_problem_refused(problem(good), {"alpha0", "found '7'"}, {"--method", "fcbio-sm", "--set", "alpha0=7"});
}

TEST_F(Refusal, SetsAndAccuraciesThatMakeNoSense) {
  const std::string good = from_data("least-squares", "good.csv", "two.csv");
  const std::string norm = "function = \"squared-norm\"\n";
  expect_problem_refused(problem(good, "set = \"ball\"\nradius = -1.0\n"), {"radius"});
  expect_problem_refused(problem(good, "set = \"box\"\nlower = 1.0\nupper = 0.0\n"), {"box"});
  for (const std::string bad : {"0.0", "-1e-6", "nan", "inf"})
    expect_problem_refused(
        problem(good, "set = \"ball\"\nradius = 1.0\n", norm, "[accuracy]\nupper = " + bad + "\n"),
        {"p.toml:", "upper"});
  expect_problem_refused("[domain\n", {"p.toml:1"});
}

TEST_F(Refusal, MethodsThatDoNotFit) {
  const std::string hinge = problem(from_data("hinge", "good.svm"));
  expect_problem_refused(hinge, {"fcbio-sm", "smooth"}, {"--method", "fcbio-sm"});
}

TEST_F(Refusal, OutputsThatCannotBeWritten) {
  write("p.toml", problem(from_data("least-squares", "good.csv", "two.csv")));
  std::filesystem::create_directory(path("directory"));
  for (const std::string flag : {"-o", "--solution", "--trace"}) {
    expect_refused({"solve", "p.toml", flag, "no/where.npy"}, {"existing directory 'no'", "create it first"});
    expect_refused({"solve", "p.toml", flag, "directory"}, {"found a directory"});
    expect_refused({"solve", "p.toml", flag, "p.toml"},
                   {flag == "--solution" ? ".npy" : "is also the problem file"});
  }
  expect_refused({"solve", "p.toml", "--solution", "x.txt"}, {"ending in .npy or .csv"});
  expect_refused({"solve", "p.toml", "-o", "same", "--trace", "./same"}, {"is also --output"});
}

TEST_F(Refusal, AbsoluteWithoutAnErrorBound) {
  const std::string logistic = problem(from_data("logistic", "good.svm"));
  expect_problem_refused(logistic,
                         {"accuracy.absolute needs an error bound of g", "found the lower function 'logistic'",
                          "`fcbio hard smooth`", "accuracy.holder = {alpha, beta, gradient_bound}"},
                         {"--absolute"});
  expect_problem_refused(logistic, {"accuracy.absolute is offered by the method 'fcbio' only", "'fcbio-sm'"},
                         {"--absolute", "--method", "fcbio-sm"});
  expect_problem_refused(problem(from_data("least-squares", "good.svm"), "set = \"ball\"\nradius = 2.0\n",
                                 "function = \"squared-norm\"\n", "[accuracy]\nabsolute = true\n"),
                         {"accuracy.absolute and accuracy.tight contradict each other"}, {"--tight"});
}

}  // namespace
}  // namespace fcbio::cli_test
