// fcbio generate: files that solve, seeds, overwriting.
#include <gmock/gmock.h>

#include <map>
#include <sstream>

#include "process.hpp"

namespace fcbio::cli_test {
namespace {

using testing::HasSubstr;

class Generate : public CliTest {};

TEST_F(Generate, SameSeedSameBytesOtherSeedOtherBytes) {
  generate("min-norm", "a", {"--seed", "5"});
  generate("min-norm", "b", {"--seed", "5"});
  generate("min-norm", "c", {"--seed", "6"});
  EXPECT_EQ(read("a/PROBLEM.toml"), read("b/PROBLEM.toml"));
  EXPECT_EQ(read("a/lower-0.npy"), read("b/lower-0.npy"));
  EXPECT_NE(read("a/lower-0.npy"), read("c/lower-0.npy"));
}

TEST_F(Generate, TellsTheKnownAnswerAndTheNextCommand) {
  const Outcome outcome = run({"generate", "toy-polygon", "-o", "deep/er"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("f* = -0.08"));
  EXPECT_THAT(outcome.out, HasSubstr("fcbio solve deep/er/PROBLEM.toml"));
  EXPECT_THAT(read("deep/er/PROBLEM.toml"), HasSubstr("generate toy-polygon --seed 1"));
  EXPECT_THAT(read("deep/er/PROBLEM.toml"), HasSubstr("x* = (0.6, 0.4)"));
}

// Names from the list itself: the second line of the table on, where a row begins after two spaces.
TEST_F(Generate, EveryListedProblemIsWrittenSolvedFromItsFilesAndVerified) {
  const std::map<std::string, Arguments> smaller = {
      {"min-norm-gaussian", {"rows=20", "columns=40"}},
      {"min-norm-wikipedia", {"rows=20", "columns=40"}},
      {"min-norm-collinear", {"rows=50", "features=10"}},
      {"elastic-net", {"rows=50", "features=10"}},
      {"regression-split", {"rows=60", "columns=45"}},
      {"dictionary", {"length=6", "atoms=10", "old_atoms=8", "samples=20", "new_samples=15"}},
      {"phillips", {"dimension=30"}},
      {"foxgood", {"dimension=30"}},
      {"baart", {"dimension=30"}},
      {"nesterov-lasso", {"rows=20", "columns=40", "support=4"}},
  };
  const std::string list = run({"problems"}).out;
  std::istringstream lines(list.substr(list.find('\n')));
  int problems = 0;
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 100U) << line;
    if (!line.starts_with("  ") || line.size() < 3 || line[2] == ' ') continue;
    const std::string name = line.substr(2, line.find(' ', 2) - 2);
    SCOPED_TRACE(name);
    Arguments arguments;
    if (smaller.contains(name))
      for (const std::string& setting : smaller.at(name)) arguments.insert(arguments.end(), {"--set", setting});
    const std::string problem = generate(name, name, arguments);
    EXPECT_EQ(run({"solve", problem, "-o", name + ".json", "--quiet"}).exit_code, 0);
    EXPECT_EQ(read_json(name + ".json")["status"], "certified");
    expect_verified(problem, name + ".json");
    ++problems;
  }
  EXPECT_GE(problems, 28);
}

TEST_F(Generate, TheListTellsIdAndSize) {
  const std::string list = run({"problems"}).out;
  EXPECT_THAT(list, testing::ContainsRegex("\n  logistic-min-norm +P4 +1000 x 124  "));
  EXPECT_THAT(list, testing::ContainsRegex("\n  hard-smooth +P15 +20  "));
  EXPECT_THAT(list, testing::ContainsRegex("\n  box-face  +30  "));
  EXPECT_THAT(run({"problems", "dictionary"}).out, testing::StartsWith("dictionary (P8), size 6250 x 1250\n"));
}

TEST_F(Generate, QuietSaysNothing) {
  const Outcome outcome = run({"generate", "toy-polygon", "-o", "d", "--quiet"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.out + outcome.err, "");
}

TEST_F(Generate, DoesNotOverwriteUnlessForced) {
  generate("toy-polygon", "d");
  const std::string before = read("d/PROBLEM.toml");
  expect_refused({"generate", "franke-5.3", "-o", "d"}, {"d/PROBLEM.toml exists", "--force"});
  EXPECT_EQ(read("d/PROBLEM.toml"), before);
  generate("franke-5.3", "d", {"--force"});
  EXPECT_NE(read("d/PROBLEM.toml"), before);
  write("e/PROBLEM.toml", "");  // an empty one holds nothing to lose
  generate("franke-5.3", "e");
}

TEST_F(Generate, Refusals) {
  write("file", "");
  expect_refused({"generate", "min-norm", "-o", "file"}, {"-o file: expected a directory"});
  expect_refused({"generate", "min-nrom", "-o", "d"}, {"unknown problem 'min-nrom'", "did you mean 'min-norm'"});
  expect_refused({"generate", "min-norm", "-o", "d", "--set", "row=3"}, {"did you mean 'rows'"});
  expect_refused({"generate", "min-norm", "-o", "d", "--set", "rows=-3"}, {"found '-3'"});
  expect_refused({"generate", "min-norm", "-o", "d", "--seed", "-3"}, {"--seed", "found '-3'"});
}

}  // namespace
}  // namespace fcbio::cli_test
