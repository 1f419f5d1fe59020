// fcbio verify: honest results pass, and every kind of lie is found.  fcbio demo ends in it.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include "process.hpp"

namespace fcbio::cli_test {
namespace {

using testing::HasSubstr;

class Verify : public CliTest {
 protected:
  Verify() : problem_(generate("min-norm", "p", {"--set", "condition=5"})) {
    EXPECT_EQ(run({"solve", problem_, "-o", "r.json"}).exit_code, 0);
  }
  /// The stored result with one change, and no digest that would tell of it, must fail, and say in which claim.
  void expect_caught(const std::string& claim, const std::function<void(nlohmann::json&)>& change) const {
    SCOPED_TRACE(claim);
    nlohmann::json result = read_json("r.json");
    result.erase("digest");
    change(result);
    write("lie.json", result.dump());
    const Outcome outcome = run({"verify", problem_, "lie.json"});
    EXPECT_EQ(outcome.exit_code, 1) << outcome.out << outcome.err;
    EXPECT_THAT(outcome.out, testing::ContainsRegex(claim + "[^\n]*FAILED|FAILED[^\n]*" + claim));
    EXPECT_EQ(outcome.err, "");
  }
  std::string problem_;
};

TEST_F(Verify, HonestResultPassesAlsoQuietly) {
  expect_verified(problem_, "r.json");
  const Outcome quiet = run({"verify", problem_, "r.json", "--quiet"});
  EXPECT_EQ(quiet.exit_code, 0);
  EXPECT_EQ(quiet.out + quiet.err, "");
}

TEST_F(Verify, LiesAreCaught) {
  expect_caught("upper_value",
                [](nlohmann::json& r) { r["upper_value"] = r["upper_value"].get<double>() - 1e-3; });
  expect_caught("lower_value",
                [](nlohmann::json& r) { r["lower_value"] = r["lower_value"].get<double>() + 1e-3; });
  expect_caught("upper_excess", [](nlohmann::json& r) { r["certificate"]["upper_excess"] = -0.2; });
  expect_caught("lower_gap", [](nlohmann::json& r) { r["certificate"]["lower_gap"] = -1e-3; });
  expect_caught("upper_lower_bound", [](nlohmann::json& r) { r["certificate"]["upper_lower_bound"] = 0.6; });
  expect_caught("lower_lower_bound", [](nlohmann::json& r) { r["certificate"]["lower_lower_bound"] = 1.0; });
  expect_caught("x in Z", [](nlohmann::json& r) { r["x"][0] = 5.0; });
  expect_caught("upper_value", [](nlohmann::json& r) { r["x"][0] = r["x"][0].get<double>() + 0.1; });
  expect_caught("upper_lower_bound", [](nlohmann::json& r) { r["witness"]["multiplier"] = 1e9; });
  expect_caught("status", [](nlohmann::json& r) {
    r["accuracy"]["lower"] = 1e-30;
    r["accuracy"]["from"] = "command line";
  });
  expect_caught("method", [](nlohmann::json& r) { r["method"] = ""; });
  expect_caught("method", [](nlohmann::json& r) { r["method"] = "fcbio-best"; });
  expect_caught("dimension", [](nlohmann::json& r) {
    r["x"].push_back(0.0);
    r["problem"]["dimension"] = r["x"].size();
  });
}

TEST_F(Verify, AnyChangeIsSeenByTheDigest) {
  EXPECT_THAT(run({"verify", problem_, "r.json"}).out, testing::ContainsRegex("digest .* ok\n"));
  nlohmann::json result = read_json("r.json");
  write("same.json", result.dump(3));
  expect_verified(problem_, "same.json");
  result["message"] = "better than ever";
  write("changed.json", result.dump());
  const Outcome changed = run({"verify", problem_, "changed.json"});
  EXPECT_EQ(changed.exit_code, 1);
  EXPECT_THAT(changed.out, HasSubstr("FAILED: the file, or a file it names, was changed after it was written"));
  EXPECT_THAT(changed.out, HasSubstr("NOT verified: 1 of "));
  result.erase("digest");
  write("without.json", result.dump());
  expect_verified(problem_, "without.json");
  EXPECT_THAT(run({"verify", problem_, "without.json"}).out, testing::ContainsRegex("digest .* not claimed\n"));
}

TEST_F(Verify, TellsWhatItCannotCheck) {
  const std::string out = run({"verify", problem_, "r.json"}).out;
  EXPECT_THAT(out, HasSubstr("not checked: version, engine, message, work, seconds, seed, options\n"));
  EXPECT_THAT(out, testing::ContainsRegex("verified: all 1[0-9] claims hold\n$"));
}

TEST_F(Verify, AccuracyIsThatOfTheProblemFileOrToldAsAnother) {
  EXPECT_THAT(run({"verify", problem_, "r.json"}).out, testing::ContainsRegex("accuracy +1e-06, 1e-06 .* ok\n"));
  expect_caught("accuracy", [](nlohmann::json& r) { r["accuracy"]["upper"] = 1e-3; });
  expect_caught("accuracy", [](nlohmann::json& r) {
    r["accuracy"].update({{"upper", 1e-3}}), r["accuracy"].erase("from");
  });
  expect_caught("the problem file asks for 1e-06, 1e-06",
                [](nlohmann::json& r) { r["accuracy"]["lower"] = 1e-5; });
  ASSERT_EQ(run({"solve", problem_, "--eps-f", "1e-3", "-o", "r.json"}).exit_code, 0);
  EXPECT_EQ(read_json("r.json")["accuracy"]["from"], "command line");
  expect_verified(problem_, "r.json");
  EXPECT_THAT(run({"verify", problem_, "r.json"}).out,
              HasSubstr("ok: given on the command line; the problem file asks for 1e-06, 1e-06\n"));
  expect_caught("accuracy", [](nlohmann::json& r) { r["accuracy"]["from"] = "problem"; });
  ASSERT_EQ(run({"solve", problem_, "--tight", "-o", "r.json"}).exit_code, 0);
  expect_caught("accuracy", [](nlohmann::json& r) { r["accuracy"]["from"] = "problem"; });
  ASSERT_EQ(run({"solve", problem_, "--eps-f", "1e-6", "-o", "r.json"}).exit_code, 0);
  EXPECT_EQ(read_json("r.json")["accuracy"]["from"], "problem") << "the flag says what the file says";
}

TEST_F(Verify, FilesOfStrangersAreRefusedAndHarmless) {
  const std::string text = read("r.json");
  std::string twice = text;
  twice.insert(1, "\"x\": [0, 0], ");
  write("twice.json", twice);
  expect_refused({"verify", problem_, "twice.json"},
                 {"twice.json: expected each key once in an object, found \"x\" twice"});
  write("deep.json", std::string(100'000, '[') + std::string(100'000, ']'));
  expect_refused({"verify", problem_, "deep.json"}, {"expected at most 32 nested arrays and objects"});
  nlohmann::json result = read_json("r.json");
  result["options"] = nlohmann::json::parse(std::string(30, '[') + std::string(30, ']'));
  write("options.json", result.dump());
  expect_refused({"verify", problem_, "options.json"}, {"expected an object as \"options\""});
  result = read_json("r.json");
  result["x"] = "/dev/zero";
  write("zero.json", result.dump());
  expect_refused(
      {"verify", problem_, "zero.json"},
      {"expected the name of a file beside the result or in a directory below it as \"x\"", "/dev/zero"});
  expect_refused({"verify", problem_, "/dev/zero"},
                 {"/dev/zero: expected a readable result file, found a device"});
  expect_refused({"verify", "/dev/zero", "r.json"},
                 {"/dev/zero: expected a readable problem file, found a device"});
  ASSERT_EQ(::mkfifo(path("pipe.npy").c_str(), 0600), 0);
  result["x"] = "pipe.npy";
  write("pipe.json", result.dump());
  expect_refused({"verify", problem_, "pipe.json"}, {"pipe.npy: expected a readable file, found a pipe"});
  expect_refused({"verify", problem_, "pipe.npy"}, {"expected a readable result file, found a pipe"});
  expect_refused({"solve", "pipe.npy"}, {"expected a readable problem file, found a pipe"});
  write("data.toml",
        "[domain]\nset = \"ball\"\nradius = 1\n[upper]\nfunction = \"squared-norm\"\n[lower]\nfunction = "
        "\"linear\"\ncoefficients = \"pipe.npy\"\n");
  expect_refused({"solve", "data.toml"}, {"pipe.npy: expected a readable file, found a pipe"});
}

TEST_F(Verify, WordsOfTheResultCannotForgeTheReport) {
  nlohmann::json result = read_json("r.json");
  result["method"] = "fcbio\nverified: all 20 claims hold\n\x1b[8m";
  result["evidence"] = std::string(10'000, 'e');
  write("forged.json", result.dump());
  const Outcome outcome = run({"verify", problem_, "forged.json"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.out, testing::Not(HasSubstr("\nverified")));
  EXPECT_THAT(outcome.out, testing::Not(HasSubstr("\x1b")));
  EXPECT_LT(outcome.out.size(), 5000U);
}

TEST_F(Verify, TightClaimsAreCheckedAndLiesAboutThemCaught) {
  ASSERT_EQ(run({"solve", problem_, "--tight", "-o", "r.json"}).exit_code, 0);
  expect_verified(problem_, "r.json");
  expect_caught("tight_excess", [](nlohmann::json& r) { r["certificate"]["tight_excess"] = -0.1; });
  expect_caught("tight_excess", [](nlohmann::json& r) { r["certificate"]["tight_level"] = 1.0; });
  expect_caught("tight_level", [](nlohmann::json& r) {  // true of the empty set, and worth nothing
    r["certificate"]["tight_level"] = -1e30;
    r["certificate"]["tight_excess"] = -1e20;
  });
  expect_caught("tight_level", [](nlohmann::json& r) { r["certificate"]["tight_level"] = nullptr; });
  expect_caught("status", [](nlohmann::json& r) {
    r["certificate"].erase("tight_level");
    r["certificate"].erase("tight_excess");
  });
}

TEST_F(Verify, AbsoluteClaimsAreCheckedAndLiesAboutThemCaught) {
  const Outcome solved = run({"solve", problem_, "--absolute", "--eps-f", "1e-4", "-o", "r.json"});
  ASSERT_EQ(solved.exit_code, 0) << solved.out << solved.err;
  EXPECT_THAT(solved.out, HasSubstr("f(x) - f* >="));
  EXPECT_THAT(solved.out, HasSubstr("below the least value of f"));
  expect_verified(problem_, "r.json");
  EXPECT_EQ(read_json("r.json")["accuracy"]["holder"]["source"], "computed");
  const auto holder = [](nlohmann::json& r) -> nlohmann::json& { return r["accuracy"]["holder"]; };
  expect_caught("upper_deficit", [](nlohmann::json& r) { r["certificate"]["upper_deficit"] = -1.0; });
  expect_caught("status", [](nlohmann::json& r) { r["certificate"]["upper_deficit"] = 2e-4; });
  expect_caught("status", [](nlohmann::json& r) { r["certificate"].erase("upper_deficit"); });
  expect_caught("upper_deficit", [](nlohmann::json& r) { r["accuracy"].erase("holder"); });
  expect_caught("error bound",
                [&](nlohmann::json& r) { holder(r)["beta"] = 1.2 * holder(r)["beta"].get<double>(); });
  expect_caught("error bound", [&](nlohmann::json& r) { holder(r)["alpha"] = 1.5; });
  expect_caught("gradient bound", [&](nlohmann::json& r) { holder(r)["gradient_bound"] = 1e-6; });
  expect_caught("the problem file tells another", [&](nlohmann::json& r) { holder(r)["source"] = "told"; });
}

/// The unit ball touches S = {x2 = 1} at (0, 1); on it g = dist^4 / 8.
const char* const kTangent =
    "[domain]\nset = \"ball\"\nradius = 1\n[upper]\nfunction = \"linear\"\ncoefficients = [-1, 0]\n"
    "[lower]\nfunction = \"least-squares\"\ndata = [[0, 1]]\ntarget = [1]\n[accuracy]\nupper = 1e-2\nabsolute = "
    "true\n";

TEST_F(Verify, ToldErrorBoundsAreComparedWithTheProblemFile) {
  problem_ = "tangent.toml";
  write(problem_, std::string(kTangent) + "holder = {alpha = 4, beta = 0.5, gradient_bound = 1}\n");
  const Outcome solved = run({"solve", problem_, "-o", "r.json"});
  ASSERT_EQ(solved.exit_code, 0) << solved.out << solved.err;
  EXPECT_THAT(solved.out, HasSubstr("told, not proved"));
  expect_verified(problem_, "r.json");
  EXPECT_THAT(run({"verify", problem_, "r.json"}).out, HasSubstr("assumed: (beta/alpha) dist^alpha"));
  expect_caught("upper_deficit", [](nlohmann::json& r) { r["certificate"]["upper_deficit"] = 1e-5; });
  expect_caught("error bound", [](nlohmann::json& r) { r["accuracy"]["holder"]["beta"] = 5.0; });
  // A computed bound would be false here: x has no minimiser of g over the whole space near it inside the ball.
  expect_caught("nearest minimiser", [](nlohmann::json& r) {
    r["accuracy"]["holder"] = {{"alpha", 2}, {"beta", 0.99}, {"gradient_bound", 1}, {"source", "computed"}};
  });
}

TEST_F(Verify, ResultOfAnotherProblemIsCaught) {
  const std::string other = generate("min-norm", "q", {"--seed", "9"});
  const Outcome outcome = run({"verify", other, "r.json"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("fingerprint"));
}

TEST_F(Verify, UnreadableInputIsRefused) {
  expect_refused({"verify", problem_, "missing.json"}, {"missing.json"});
  expect_refused({"verify", "missing.toml", "r.json"}, {"missing.toml"});
  write("bad.json", "{\"schema\": 1");
  expect_refused({"verify", problem_, "bad.json"}, {"bad.json"});
  write("empty.json", "{}");
  expect_refused({"verify", problem_, "empty.json"}, {"empty.json"});
}

class Demo : public CliTest {};

TEST_F(Demo, IsCertifiedAndVerified) {
  const Outcome outcome = run({"demo"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_EQ(outcome.err, "");
  for (const std::string fragment : {"iteration", "status          certified", "Proved:", "Known answer: f* = 0.5",
                                     "independent checker", "verified"})
    EXPECT_THAT(outcome.out, HasSubstr(fragment));
  EXPECT_EQ(files(), std::vector<std::string>{"fcbio-demo.html"});
}

TEST_F(Demo, WritesFilesThatVerifyAndSolveToTheSameResult) {
  EXPECT_EQ(run({"demo", "--output", "d"}).exit_code, 0);
  expect_verified("d/PROBLEM.toml", "d/result.json");
  EXPECT_TRUE(exists("d/x.npy"));
  EXPECT_EQ(run({"solve", "d/PROBLEM.toml", "-o", "again.json"}).exit_code, 0);
  const nlohmann::json first = read_json("d/result.json"), again = read_json("again.json");
  EXPECT_EQ(first["problem"], again["problem"]);
  EXPECT_EQ(first["x"], again["x"]);
  EXPECT_EQ(first["accuracy"]["upper"], 1e-6);
  EXPECT_EQ(first["accuracy"]["lower"], 1e-6);
}

}  // namespace
}  // namespace fcbio::cli_test
