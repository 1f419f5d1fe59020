// fcbio hard and fcbio bounds: tables, files, refusals, interrupts.
#include <gmock/gmock.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "process.hpp"

namespace fcbio::cli_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// True once a child of this process handles SIGINT.
bool a_child_handles_interrupts() {
  std::ifstream children("/proc/self/task/" + std::to_string(::getpid()) + "/children");
  for (long child = 0; children >> child;) {
    std::ifstream status("/proc/" + std::to_string(child) + "/status");
    for (std::string line; std::getline(status, line);)
      if (line.rfind("SigCgt:", 0) == 0 && (std::stoull(line.substr(7), nullptr, 16) >> (SIGINT - 1) & 1U) != 0)
        return true;
  }
  return false;
}

class Theory : public CliTest {
 protected:
  /// Sends Ctrl-C once the handler stands, and a little later so that a run has most likely begun: what is tested
  /// holds either way.
  Outcome run_and_interrupt(const Arguments& arguments) const {
    int later = 0;
    return run_until(
        arguments, [&] { return (later > 0 || a_child_handles_interrupts()) && ++later > 60; }, SIGINT);
  }
};

TEST_F(Theory, HardShowsNoMovementAndWritesBothFiles) {
  for (const std::string family : {"smooth", "lipschitz"}) {
    const Outcome outcome = run({"hard", family, "-T", "10", "-o", "h.json", "--report", "h.html"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
    EXPECT_EQ(outcome.err, "");
    EXPECT_THAT(outcome.out, HasSubstr(family == "smooth" ? "at least 0.0208333 away" : "at least 0.25 away"));
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("T = 10"), HasSubstr("zero-respecting"), HasSubstr("Left out:")));
    EXPECT_THAT(outcome.out, HasSubstr("wrote h.json\nwrote h.html\n"));
    EXPECT_THAT(read("h.html"), HasSubstr("Where f* cannot be found"));
    const nlohmann::json json = read_json("h.json");
    EXPECT_EQ(json["family"], family);
    EXPECT_EQ(json["queries"], 10);
    EXPECT_EQ(json["interrupted"], false);
    EXPECT_NEAR(json["upper_optimum"].get<double>(), family == "smooth" ? 11.0 / (24.0 * 21.0) : 0.25, 1e-15);
    EXPECT_GE(json["upper_optimum"], json["guaranteed_distance"]);
    std::vector<std::string> seen;
    for (const nlohmann::json& run : json["runs"]) {
      seen.push_back(run["name"]);
      EXPECT_LE(run["lower_gradients"], 10) << run["name"];
      EXPECT_GT(run["lower_gradients"], 0) << run["name"];
      EXPECT_NE(run["status"], "interrupted") << run["name"];
      EXPECT_EQ(run["zero_respecting"].get<bool>(), run["violation"].is_null());
      if (run["declared_zero_respecting"]) {
        EXPECT_EQ(run["zero_respecting"], true) << run["name"];
      }
      if (run["zero_respecting"]) {
        EXPECT_EQ(run["largest_upper_change"], 0.0) << run["name"];
      }
    }
    EXPECT_THAT(seen, testing::Contains(family == "smooth" ? "fcbio-sm" : "fcbio-lip"));
    for (const nlohmann::json& who : json["left_out"])
      EXPECT_THAT(who["why"].get<std::string>(), testing::StartsWith("needs "));
  }
}

TEST_F(Theory, HardTakesAListWithOptions) {
  const Outcome outcome =
      run({"hard", "smooth", "-T", "25", "--methods", "fcbio-sm:alpha0=1,cg-bio", "-o", "h.json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, Not(HasSubstr("Left out:")));
  const nlohmann::json json = read_json("h.json");
  ASSERT_EQ(json["runs"].size(), 2u);
  EXPECT_EQ(json["runs"][0]["name"], "fcbio-sm:alpha0=1");
  EXPECT_EQ(json["runs"][1]["method"], "cg-bio");
}

TEST_F(Theory, HardRefusals) {
  expect_refused({"hard", "rough"}, {"hard: expected smooth or lipschitz, found 'rough'"});
  expect_refused({"hard"}, {"FAMILY"});
  expect_refused({"hard", "smooth", "-T", "0"}, {"-T", "'0'"});
  expect_refused({"hard", "smooth", "-T", "2.5"}, {"-T", "'2.5'"});
  expect_refused({"hard", "smooth", "-T", "1000001"}, {"-T: expected at most 1000000, found 1000001"});
  expect_refused({"hard", "smooth", "--methods", "fcbi"}, {"unknown method 'fcbi'", "did you mean 'fcbio'?"});
  expect_refused({"hard", "lipschitz", "--methods", "fcbio-sm", "-o", "h.json"},
                 {"method 'fcbio-sm' needs smooth f and g", "the lower function is not smooth"});
  expect_refused({"hard", "smooth", "-o", "none/h.json"}, {"--output none/h.json", "create it first"});
  expect_refused({"hard", "smooth", "--report", "h.txt"}, {"--report", "h.txt"});
  EXPECT_TRUE(files().empty());
}

TEST_F(Theory, QuietSaysNothing) {
  for (const Arguments& arguments : {Arguments{"hard", "smooth", "-T", "5", "--methods", "a-irg", "--quiet"},
                                     Arguments{"bounds", "smooth", "--accuracies", "1e-2,1e-3", "--quiet"}}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_EQ(outcome.out + outcome.err, "");
  }
}

TEST_F(Theory, BoundsPrintsTableChartAndFit) {
  const Outcome outcome =
      run({"bounds", "smooth", "--accuracies", "1e-2,1e-3,1e-4", "-o", "b.json", "--report", "b.html"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("Lower bound: D sqrt(3 L / (32 eps)) - 1; D = 1, the upper level"),
                                 HasSubstr("fitted exponent -0."), HasSubstr("(lower bound -0.5)"),
                                 HasSubstr("1 / accuracy"), HasSubstr("wrote b.json\nwrote b.html\n")));
  EXPECT_THAT(read("b.html"), AllOf(HasSubstr("\"kind\":\"bounds\""), HasSubstr("fcbio-sm:budget=theory"),
                                    HasSubstr("\"expected_exponent\":-0.5"), HasSubstr("</html>")));
  const nlohmann::json json = read_json("b.json");
  EXPECT_EQ(json["hard_level"], "upper");
  EXPECT_EQ(json["expected_exponent"], -0.5);
  ASSERT_EQ(json["curves"].size(), 1u);
  const nlohmann::json& curve = json["curves"][0];
  EXPECT_NEAR(curve["exponent"].get<double>(), -0.5, 0.15);
  ASSERT_EQ(curve["points"].size(), 3u);
  for (const nlohmann::json& point : curve["points"]) {
    EXPECT_GE(point["ratio"], 1.0);
    EXPECT_GE(point["first_weak"], point["bound"]);
    EXPECT_GE(point["gradients"], point["longest_round"]);
    EXPECT_EQ(point["complete"], true);
  }
}

TEST_F(Theory, BoundsOnTheLowerLevelAndForOthers) {
  const Outcome outcome = run({"bounds", "lipschitz", "--level", "lower", "--accuracies", "1e-1,3e-2", "--methods",
                               "fcbio-lip:budget=theory:warm_start=false,polyak-switching,fcbio", "-o", "b.json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("D = 0.5, the lower level is the chain"));
  const nlohmann::json json = read_json("b.json");
  EXPECT_EQ(json["hard_level"], "lower");
  ASSERT_EQ(json["curves"].size(), 3u);
  EXPECT_TRUE(json["curves"][0]["points"][0]["longest_round"].is_number());
  for (std::size_t i : {1u, 2u})
    EXPECT_TRUE(json["curves"][i]["points"][0]["longest_round"].is_null());  // no rounds
  for (const nlohmann::json& curve : json["curves"])
    for (const nlohmann::json& point : curve["points"]) EXPECT_GE(point["ratio"], 1.0) << curve["name"];
}

TEST_F(Theory, BoundsThatALimitCutsAreNotJudged) {
  const Outcome outcome =
      run({"bounds", "smooth", "--accuracies", "1e-2,1e-4", "--max-iterations", "30", "-o", "b.json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("no fit: fewer than two accuracies were reached"));
  const nlohmann::json point = read_json("b.json")["curves"][0]["points"][1];
  EXPECT_EQ(point["complete"], false);
  EXPECT_TRUE(point["ratio"].is_null());
}

TEST_F(Theory, BoundsRefusals) {
  expect_refused({"bounds", "hard"}, {"bounds: expected smooth or lipschitz, found 'hard'"});
  expect_refused({"bounds", "smooth", "--level", "middle"}, {"--level: expected upper or lower, found 'middle'"});
  expect_refused({"bounds", "smooth", "--accuracies", "1e-3,1e-2"},
                 {"--accuracies: expected falling numbers, found '1e-3,1e-2'"});
  expect_refused({"bounds", "smooth", "--accuracies", "1e-2,1e-2"}, {"expected falling numbers"});
  expect_refused({"bounds", "smooth", "--accuracies", "1e-2,x"}, {"--accuracies", "'x'"});
  expect_refused({"bounds", "smooth", "--accuracies", "0.5,1e-2"},
                 {"accuracy 0.5 asks for nothing", "within 0.09375"});
  expect_refused({"bounds", "smooth", "--radius", "0"}, {"--radius", "'0'"});
  expect_refused({"bounds", "smooth", "--max-iterations", "0"}, {"--max-iterations", "'0'"});
  expect_refused({"bounds", "lipschitz", "--methods", "fcbio-sm", "-o", "b.json"},
                 {"method 'fcbio-sm' needs smooth f and g"});
  expect_refused({"bounds", "smooth", "--methods", "fcbio-sm:capp=3"}, {"unknown option 'capp'"});
  expect_refused({"bounds", "smooth", "--report", "b.txt"}, {"--report", "b.txt"});
  expect_refused({"bounds", "smooth", "-o", "none/b.json"}, {"--output none/b.json", "create it first"});
  EXPECT_TRUE(files().empty());
}

TEST_F(Theory, InterruptKeepsWhatIsThere) {
  const Outcome hard = run_and_interrupt(
      {"hard", "smooth", "-T", "1000000", "--methods", "fcbio-sm,a-irg", "-o", "h.json", "--report", "h.html"});
  EXPECT_EQ(hard.exit_code, 130) << hard.out << hard.err;
  const nlohmann::json seen = read_json("h.json");
  EXPECT_EQ(seen["interrupted"], true);
  for (const nlohmann::json& run : seen["runs"]) {
    EXPECT_LT(run["lower_gradients"], 1000000);
    EXPECT_EQ(run["largest_upper_change"], 0.0);
  }
  EXPECT_TRUE(exists("h.html"));

  const Outcome bounds = run_and_interrupt(
      {"bounds", "lipschitz", "--accuracies", "1e-1,1e-4", "--max-iterations", "1e12", "-o", "b.json"});
  EXPECT_EQ(bounds.exit_code, 130) << bounds.out << bounds.err;
  const nlohmann::json measured = read_json("b.json");
  EXPECT_EQ(measured["interrupted"], true);
  for (const nlohmann::json& curve : measured["curves"])
    for (const nlohmann::json& point : curve["points"]) EXPECT_EQ(point["accuracy"], 1e-1);  // the other was cut
}

// The only method of the list: the interrupt that ends it must not pass for an end of its own.
TEST_F(Theory, InterruptOfTheLastMethodIsTold) {
  const Outcome outcome =
      run_and_interrupt({"hard", "lipschitz", "-T", "1000000", "--methods", "fcbio-lip", "-o", "h.json"});
  EXPECT_EQ(outcome.exit_code, 130) << outcome.out << outcome.err;
  EXPECT_EQ(read_json("h.json")["interrupted"], true);
}

}  // namespace
}  // namespace fcbio::cli_test
