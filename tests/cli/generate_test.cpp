// fcbio generate: files that solve, seeds, overwriting.
#include <gmock/gmock.h>

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
