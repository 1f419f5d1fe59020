// fcbio compare and fcbio paper: table, files, refusals, who is left out and why.
#include <gmock/gmock.h>

#include "process.hpp"

namespace fcbio::cli_test {
namespace {

using testing::HasSubstr;
using testing::Not;

class Compare : public CliTest {};

TEST_F(Compare, PrintsReferenceTableAndChartAndWritesBothFiles) {
  const std::string problem = generate("min-norm", "p");
  const Outcome outcome = run({"compare", problem, "--methods", "fcbio,fcbio-sm,a-irg", "--max-iterations", "400",
                               "-o", "c.json", "--report", "c.html"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out,
              testing::ContainsRegex("Reference  f\\* in \\[0\\.(49999[0-9]*|5), 0\\.5[0-9]*\\] \\(proved; "));
  EXPECT_THAT(outcome.out, HasSubstr("weak after"));
  EXPECT_THAT(outcome.out, HasSubstr("certified"));
  EXPECT_THAT(outcome.out, HasSubstr("passes over the data"));
  const nlohmann::json json = read_json("c.json");
  ASSERT_EQ(json["runs"].size(), 3u);
  EXPECT_EQ(json["runs"][0]["status"], "certified");
  EXPECT_TRUE(json["runs"][0]["first_weak"].is_object());
  EXPECT_EQ(json["runs"][0]["first_weak"]["returned"], true);
  EXPECT_EQ(json["runs"][2]["work"]["iterations"], 400);
  EXPECT_THAT(read("c.html"), HasSubstr("a-irg"));
  EXPECT_THAT(outcome.out, HasSubstr("wrote c.json\nwrote c.html\n"));
}

TEST_F(Compare, AllTellsWhoWasLeftOutAndWhy) {
  const std::string problem = generate("hinge-l1", "p");
  const Outcome outcome = run({"compare", problem, "--max-iterations", "30", "--reference-time", "1"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("Left out:"));
  EXPECT_THAT(outcome.out, HasSubstr("needs smooth f and g; the upper function is not smooth (term 'l1-norm')"));
}

TEST_F(Compare, AMethodAskedForThatDoesNotFitIsRefused) {
  const std::string problem = generate("hinge-l1", "p");
  expect_refused({"compare", problem, "--methods", "fcbio,fcbio-sm", "-o", "c.json"},
                 {"method 'fcbio-sm' needs smooth f and g", "the upper function is not smooth (term 'l1-norm')"});
  EXPECT_FALSE(exists("c.json"));
}

TEST_F(Compare, MistakesAreToldBeforeAnythingRuns) {
  const std::string problem = generate("toy-polygon", "p");
  expect_refused({"compare", problem, "--methods", "fcbio,fcbi"},
                 {"unknown method 'fcbi'", "did you mean 'fcbio'?"});
  expect_refused({"compare", problem, "--methods", "fcbio-sm:capp=3"}, {"unknown option 'capp'"});
  expect_refused({"compare", problem, "--report", "page.txt"}, {"--report", "page.txt"});
  expect_refused({"compare", problem, "-o", "none/c.json"}, {"--output none/c.json", "create it first"});
  expect_refused({"compare", problem, "--time-limit", "-1"}, {"--time-limit", "found '-1'"});
  expect_refused({"compare", "absent.toml"}, {"absent.toml"});
  EXPECT_THAT(files(), Not(testing::Contains("c.json")));
}

TEST_F(Compare, APassLimitDoesNotCutMethodsShortWhereNothingCostsAPass) {
  const std::string problem = generate("mitsos-barton-3.1", "p");
  const Outcome outcome = run(
      {"compare", problem, "--methods", "bi-pg", "--max-passes", "5", "--max-iterations", "400", "-o", "c.json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(read_json("c.json")["runs"][0]["work"]["iterations"], 400);
}

TEST_F(Compare, QuietSaysNothing) {
  const std::string problem = generate("toy-polygon", "p");
  const Outcome outcome =
      run({"compare", problem, "--methods", "fcbio", "--max-iterations", "9", "--quiet", "-o", "c.json"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.out + outcome.err, "");
  EXPECT_TRUE(exists("c.json"));
}

class Paper : public CliTest {};

TEST_F(Paper, MinimumNormOnATable) {
  std::string table = "a,b,c,d,e\n";
  for (int row = 0; row < 6; ++row)
    table +=
        std::to_string(row) + ",1," + std::to_string(row * row) + "," + std::to_string((row * 7) % 5) + ",2\n";
  write("t.csv", table);
  const Outcome outcome = run({"paper", "min-norm", "--data", "t.csv", "--rows", "3", "--target", "1",
                               "--max-iterations", "200", "-o", "c.json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("3 rows sampled with seed 1, column 1 is b"));
  const nlohmann::json json = read_json("c.json");
  EXPECT_EQ(json["problem"]["dimension"], 4);
  EXPECT_EQ(json["runs"].size(), 9u);  // the default and the eight of the paper
  EXPECT_EQ(json["runs"][1]["options"]["lower_iterations"], "15000");
}

TEST_F(Paper, LogisticLeavesNobodyOutButBisecBio) {
  std::string documents;
  for (int row = 0; row < 12; ++row)
    documents += (row % 2 == 0 ? "+1 " : "-1 ") + std::to_string(1 + row % 5) + ":1 " +
                 std::to_string(6 + row % 3) + ":0.5\n";
  write("d.svm", documents);
  const Outcome outcome = run({"paper", "logistic", "--data", "d.svm", "--rows", "6", "--max-iterations", "100",
                               "--reference-time", "2", "-o", "c.json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const nlohmann::json json = read_json("c.json");
  EXPECT_EQ(json["runs"].size(), 8u);
  EXPECT_EQ(json["left_out"].size(), 0u);
}

TEST_F(Paper, Refusals) {
  write("t.csv", "1,2\n3,4\n");
  expect_refused({"paper", "nonsense"}, {"expected min-norm or logistic, found 'nonsense'"});
  expect_refused({"paper", "min-norm", "--data", "t.csv"}, {"expected at least 400 rows, found 2; give --rows"});
  expect_refused({"paper", "min-norm", "--data", "t.csv", "--rows", "2", "--target", "5"},
                 {"--target: expected a column 0 .. 1, found 5"});
  expect_refused({"paper", "logistic", "--data", "t.csv"}, {"expected LIBSVM text with labels"});
  expect_refused({"paper", "min-norm", "--methods", "dbgd"},
                 {"--methods: expected some of fcbio, ", "found 'dbgd'"});
  expect_refused({"paper", "min-norm", "--target", "-2"}, {"--target: expected an integer >= 0, found '-2'"});
  expect_refused({"paper", "logistic", "--target", "2"}, {"--target: only for min-norm"});
}

}  // namespace
}  // namespace fcbio::cli_test
