// Help, version, and every way to hold the program wrongly.
#include <gmock/gmock.h>

#include "process.hpp"

namespace fcbio::cli_test {
namespace {

using testing::HasSubstr;
using testing::Not;

class Usage : public CliTest {};

const Arguments kCommands = {"demo", "solve",  "verify",   "compare", "paper",
                             "hard", "bounds", "generate", "convert", "methods", "problems"};

TEST_F(Usage, VersionIsOneLine) {
  const Outcome outcome = run({"--version"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, testing::MatchesRegex("fcbio [0-9]+\\.[0-9]+\\.[0-9]+\n"));
}

TEST_F(Usage, OverviewNamesEveryCommandAndNoOther) {
  const Outcome outcome = run({"--help"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  for (const std::string& command : kCommands) EXPECT_THAT(outcome.out, HasSubstr("\n  " + command + " "));
  EXPECT_THAT(outcome.out, HasSubstr("Examples:"));
  EXPECT_THAT(outcome.out, HasSubstr("Exit codes:"));
  for (const std::string later : {"checkpoint"}) EXPECT_THAT(outcome.out, Not(HasSubstr(later)));
}

TEST_F(Usage, HelpOfEveryCommandEndsWithAnExampleThatNamesIt) {
  for (const std::string& command : kCommands) {
    SCOPED_TRACE(command);
    const Outcome outcome = run({command, "--help"});
    EXPECT_EQ(outcome.exit_code, 0);
    const std::size_t example = outcome.out.rfind("Example");
    ASSERT_NE(example, std::string::npos);
    EXPECT_THAT(outcome.out.substr(example), HasSubstr("fcbio " + command));
  }
}

TEST_F(Usage, SolveHelpListsItsFlags) {
  const std::string help = run({"solve", "--help"}).out;
  for (const std::string flag :
       {"--output", "--solution", "--trace", "--method", "--set", "--eps-f", "--eps-g", "--tight", "--absolute",
        "--time-limit", "--max-iterations", "--max-passes", "--max-projections", "--threads", "--seed", "--quiet"})
    EXPECT_THAT(help, HasSubstr(flag));
}

TEST_F(Usage, MissingAndUnknownCommands) {
  expect_refused({}, {"a command is needed", "fcbio demo"});
  expect_refused({"sovle", "x.toml"}, {"unknown command 'sovle'", "did you mean 'solve'"});
  expect_refused({"--verson"}, {"unknown option '--verson'", "did you mean '--version'"});
  expect_refused({"checkpoint"}, {"unknown command 'checkpoint'"});
}

TEST_F(Usage, MissingAndUnknownArguments) {
  expect_refused({"solve"}, {"PROBLEM.toml is required", "fcbio solve --help"});
  expect_refused({"verify", "p.toml"}, {"result.json is required"});
  expect_refused({"generate", "min-norm"}, {"--output is required"});
  expect_refused({"solve", "--metod", "fcbio"}, {"unknown option '--metod'", "did you mean '--method'"});
  expect_refused({"solve", "p.toml", "--eps=1"}, {"unknown option '--eps'", "did you mean '--eps-"});
  expect_refused({"solve", "p.toml", "q.toml"}, {"unexpected argument 'q.toml'"});
  expect_refused({"demo", "--outptu", "d"}, {"unknown option '--outptu'", "did you mean '--output'"});
  expect_refused({"methods", "fcbio", "again"}, {"unexpected argument 'again'"});
  expect_refused({"solve", "p.toml", "--eps-f"}, {"--eps-f"});
  expect_refused({"solve", "p.toml", "--eps-f", "1", "--eps-f", "2"}, {"--eps-f"});
}

TEST_F(Usage, NumbersThatAreNotWhatTheFlagTakes) {
  for (const std::string flag : {"--eps-f", "--eps-g", "--time-limit"})
    for (const std::string bad : {"0", "-1", "nan", "inf", "abc", "1e-6x", "1e999"})
      expect_refused({"solve", "p.toml", flag, bad},
                     {flag + ": expected a finite number > 0, found '" + bad + "'"});
  for (const std::string flag : {"--max-iterations", "--max-passes", "--max-projections", "--threads"})
    for (const std::string bad : {"0", "-3", "1.5", "many", "nan"})
      expect_refused({"solve", "p.toml", flag, bad}, {flag + ": expected an integer >= 1, found '" + bad + "'"});
  expect_refused({"solve", "p.toml", "--threads", "100000"}, {"--threads: expected at most"});
  for (const std::string bad : {"-1", "x", "0.5"})
    expect_refused({"solve", "p.toml", "--seed", bad}, {"--seed: expected an integer >= 0, found '" + bad + "'"});
}

TEST_F(Usage, SettingsMustBeKeyEqualsValueOnce) {
  expect_refused({"solve", "p.toml", "--set", "cap"}, {"expected KEY=VALUE, found 'cap'"});
  expect_refused({"solve", "p.toml", "--set", "=5"}, {"expected KEY=VALUE, found '=5'"});
  expect_refused({"solve", "p.toml", "--set", "cap=5", "--set", "cap=6"}, {"'cap' is given twice"});
}

TEST_F(Usage, SetDoesNotSwallowTheProblemFile) {
  const std::string problem = generate("mitsos-barton-3.1", "p");
  const Outcome outcome = run({"solve", "--method", "fcbio-sm", "--set", "cap=100", problem, "--quiet"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
}

TEST_F(Usage, MethodsAreListedAndDescribed) {
  const Outcome list = run({"methods"});
  EXPECT_EQ(list.exit_code, 0);
  for (const std::string name : {"fcbio", "fcbio-sm", "fcbio-lip"}) {
    EXPECT_THAT(list.out, HasSubstr(name));
    const Outcome one = run({"methods", name});
    EXPECT_EQ(one.exit_code, 0);
    EXPECT_THAT(one.out, HasSubstr("needs"));
    EXPECT_THAT(one.out, HasSubstr("guarantee"));
  }
  EXPECT_THAT(run({"methods", "fcbio-sm"}).out, HasSubstr("alpha0"));
  expect_refused({"methods", "fcbo-sm"}, {"did you mean 'fcbio-sm'"});
  expect_refused({"methods", "fcbio", "--markdown"}, {"leave NAME out"});
}

TEST_F(Usage, MarkdownHasATableRowForEveryOption) {
  const Outcome outcome = run({"methods", "--markdown"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, testing::StartsWith("# Methods and their options\n"));
  EXPECT_THAT(outcome.out, HasSubstr("## `fcbio-sm`"));
  EXPECT_THAT(outcome.out, HasSubstr("| `budget` | theory \\| cap | cap |"));
}

TEST_F(Usage, ProblemsAreListedAndDescribed) {
  const Outcome list = run({"problems"});
  EXPECT_EQ(list.exit_code, 0);
  for (const std::string name : {"min-norm", "logistic-pair", "toy-polygon", "franke-5.11", "hinge-l1"})
    EXPECT_THAT("\n" + list.out, HasSubstr("\n  " + name + " "));
  const Outcome one = run({"problems", "min-norm"});
  EXPECT_THAT(one.out, HasSubstr("known answer"));
  EXPECT_THAT(one.out, HasSubstr("condition"));
  EXPECT_THAT(run({"problems", "toy-polygon"}).out, HasSubstr("--seed changes nothing"));
  expect_refused({"problems", "min-nrom"}, {"did you mean 'min-norm'"});
}

}  // namespace
}  // namespace fcbio::cli_test
