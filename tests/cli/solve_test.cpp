// fcbio solve from problem file to verified result: every run ends in `fcbio verify`.
#include <gmock/gmock.h>
#include <signal.h>

#include <array>
#include <cmath>
#include <sstream>

#include "process.hpp"

namespace fcbio::cli_test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

class Solve : public CliTest {
 protected:
  /// A problem that no method finishes at this accuracy in any reasonable time.
  Arguments endless() {
    return {
        "solve", generate("nemirovski", "endless", {"--quiet"}), "--engine", "level", "--eps-f", "1e-9", "--eps-g",
        "1e-9"};
  }
};

struct Known {
  const char* kind;
  Arguments parameters;
  double upper;  // f*, or NaN
  double lower;  // g*
};

TEST_F(Solve, BuiltInProblemsAreCertifiedVerifiedAndRight) {
  const double unknown = std::nan("");
  const std::vector<Known> problems = {
      {"min-norm", {}, 0.5, 0.0},
      {"min-norm", {"--set", "condition=10", "--set", "rank=20", "--set", "noise=0.1"}, 0.5, 0.005},
      {"min-norm", {"--set", "condition=10", "--set", "radius=0.5"}, 0.125, unknown},
      {"min-norm-gaussian", {"--set", "rows=40", "--set", "columns=80"}, unknown, 0.0},
      {"logistic-pair", {"--set", "rows=60", "--set", "columns=100"}, unknown, unknown},
      {"regression-pair", {"--set", "set=box"}, unknown, unknown},
      {"regression-pair", {"--set", "set=l1-ball"}, unknown, unknown},
      {"regression-pair", {"--set", "set=simplex"}, unknown, unknown},
      {"simplex-face", {}, unknown, 1.0},
      {"box-face", {}, unknown, unknown},
      {"toy-polygon", {}, -0.08, -1.0},
      {"franke-5.11", {}, 3.0, 0.0},
      {"franke-5.3", {}, 1.0, 1.0},
      {"mitsos-barton-3.1", {}, 1.0, -1.0},
  };
  int number = 0;
  for (const Known& known : problems) {
    SCOPED_TRACE(known.kind);
    std::string name = "p";
    name += std::to_string(number++);
    const std::string problem = generate(known.kind, name, known.parameters);
    const Outcome outcome = run({"solve", problem, "-o", name + ".json"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
    EXPECT_EQ(outcome.err, "") << "no progress line when piped";
    EXPECT_THAT(outcome.out,
                AllOf(HasSubstr("certified"), HasSubstr("Proved:"), HasSubstr("wrote " + name + ".json")));
    const nlohmann::json result = read_json(name + ".json");
    EXPECT_EQ(result["status"], "certified");
    EXPECT_EQ(result["certificate"]["evidence"], "proved");
    const double f = result["upper_value"], g = result["lower_value"];
    const double excess = result["certificate"]["upper_excess"], gap = result["certificate"]["lower_gap"];
    EXPECT_LE(excess, result["accuracy"]["upper"].get<double>());
    EXPECT_LE(gap, result["accuracy"]["lower"].get<double>());
    if (!std::isnan(known.upper)) {
      EXPECT_GE(excess, f - known.upper - 1e-12) << "the claim must hold against the truth";
    }
    if (!std::isnan(known.lower)) {
      EXPECT_GE(gap, g - known.lower - 1e-12) << "the claim must hold against the truth";
    }
    expect_verified(problem, name + ".json");
  }
}

TEST_F(Solve, NonsmoothProblemIsCertifiedByTheDefaultMethod) {
  const std::string problem =
      generate("hinge-l1", "p", {"--set", "rows=8", "--set", "columns=12", "--set", "support=3"});
  const Outcome outcome = run({"solve", problem, "-o", "r.json", "--eps-f", "0.1", "--eps-g", "0.1"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  expect_verified(problem, "r.json");
}

TEST_F(Solve, ToyPolygonPointIsNearTheKnownOne) {
  const std::string problem = generate("toy-polygon", "p");
  EXPECT_EQ(run({"solve", problem, "-o", "r.json"}).exit_code, 0);
  const std::vector<double> x = read_json("r.json")["x"];
  ASSERT_EQ(x.size(), 2U);
  EXPECT_NEAR(x[0], 0.6, 1e-2);
  EXPECT_NEAR(x[1], 0.4, 1e-2);
}

TEST_F(Solve, PublishedMethodRunsWithItsOptions) {
  const std::string problem = generate("min-norm", "p", {"--set", "condition=5"});
  const Outcome outcome = run({"solve", problem, "--method", "fcbio-sm", "--set", "cap=300", "--set",
                               "lower_iterations=0", "--eps-f", "1e-3", "--eps-g", "1e-4", "-o", "r.json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  const nlohmann::json result = read_json("r.json");
  EXPECT_EQ(result["method"], "fcbio-sm");
  EXPECT_EQ(result["options"]["cap"], 300);
  EXPECT_EQ(result["options"]["lower_iterations"], 0);
  EXPECT_EQ(result["accuracy"]["upper"], 1e-3);
  EXPECT_EQ(result["accuracy"]["lower"], 1e-4);
  expect_verified(problem, "r.json");
}

TEST_F(Solve, CommandLineOverridesTheFile) {
  const std::string problem = generate("min-norm", "p", {"--set", "condition=5"});
  write(problem,
        read(problem) + "\n[method]\nname = \"fcbio-sm\"\ncap = 200\nalpha0 = 1.0\nlower_iterations = 0\n");
  const Arguments coarse = {"solve", problem, "--eps-f", "1e-3", "--eps-g", "1e-4"};
  EXPECT_EQ(run(coarse + Arguments{"-o", "file.json"}).exit_code, 0);
  EXPECT_EQ(read_json("file.json")["method"], "fcbio-sm");
  EXPECT_EQ(read_json("file.json")["options"]["cap"], 200);
  EXPECT_EQ(run(coarse + Arguments{"--set", "cap=155", "-o", "set.json"}).exit_code, 0);
  EXPECT_EQ(read_json("set.json")["options"]["cap"], 155);
  EXPECT_EQ(read_json("set.json")["options"]["alpha0"], 1.0);
  const Outcome other = run({"solve", problem, "--method", "fcbio", "-o", "other.json"});
  EXPECT_EQ(other.exit_code, 0) << other.err;
  EXPECT_THAT(other.out, HasSubstr("note: the [method] options of the file are for 'fcbio-sm'"));
  EXPECT_EQ(read_json("other.json")["method"], "fcbio");
}

TEST_F(Solve, SeedIsRecorded) {
  const std::string problem = generate("franke-5.3", "p");
  EXPECT_EQ(run({"solve", problem, "--seed", "42", "-o", "r.json"}).exit_code, 0);
  EXPECT_EQ(read_json("r.json")["seed"], 42);
}

TEST_F(Solve, TheSeedReachesAMethodThatDraws) {
  const std::string problem = generate("min-norm", "p");
  const auto solved = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"solve", problem,   "--method", "fcbio-vr", "--eps-f",
                                       "1e-2",  "--eps-g", "1e-3",     "-o",       "r.json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    EXPECT_EQ(run(arguments).exit_code, 0);
    EXPECT_EQ(run({"verify", problem, "r.json"}).exit_code, 0);
    return read_json("r.json");
  };
  const auto first = solved({"--seed", "3"}), again = solved({"--set", "seed=3"}), other = solved({"--seed", "4"});
  EXPECT_EQ(first["seed"], 3);
  EXPECT_EQ(again["seed"], 3);
  EXPECT_EQ(first["x"], again["x"]);
  EXPECT_NE(first["x"], other["x"]);
}

TEST_F(Solve, TheTraceHasBothValuesForEveryMethod) {
  const std::string problem = generate("min-norm", "p");
  for (const char* method : {"fcbio", "fcbio-vr", "fcbio-sm", "a-irg", "cg-bio"}) {
    run({"solve", problem, "--method", method, "--max-iterations", "1234", "-o", "r.json", "--trace", "t.jsonl"});
    std::istringstream lines(read("t.jsonl"));
    nlohmann::json last;
    for (std::string line; std::getline(lines, line);) {
      last = nlohmann::json::parse(line);
      EXPECT_TRUE(last["upper_value"].is_number() && last["lower_value"].is_number()) << method << ": " << line;
    }
    if (std::string(method) == "a-irg") {  // what is returned is the last point shown
      EXPECT_EQ(last["iteration"], 1234);
      EXPECT_NEAR(last["upper_value"].get<double>(), read_json("r.json")["upper_value"].get<double>(), 1e-9);
    }
  }
}

TEST_F(Solve, SolutionAndTraceAreWritten) {
  const std::string problem = generate("min-norm", "p", {"--set", "condition=5"});
  const Outcome outcome = run({"solve", problem, "-o", "r.json", "--solution", "x.csv", "--trace", "trace.jsonl"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  std::stringstream numbers(read("x.csv"));
  const std::vector<double> x = read_json("r.json")["x"];
  for (const double expected : x) {
    double number = 0.0;
    ASSERT_TRUE(numbers >> number);
    EXPECT_EQ(number, expected);
  }
  std::stringstream lines(read("trace.jsonl"));
  std::string line, last;
  std::int64_t previous = 0;
  while (std::getline(lines, line)) {
    const nlohmann::json entry = nlohmann::json::parse(line);
    EXPECT_GT(entry["iteration"].get<std::int64_t>(), previous);
    previous = entry["iteration"];
    last = line;
  }
  EXPECT_EQ(nlohmann::json::parse(last)["iteration"], read_json("r.json")["work"]["iterations"]);
}

TEST_F(Solve, LongPointsGoToAFileBesideTheResult) {
  const std::string problem = generate("simplex-face", "p", {"--set", "dimension=1200"});
  std::filesystem::create_directory(path("out"));
  EXPECT_EQ(run({"solve", problem, "-o", "out/r.json"}).exit_code, 0);
  ASSERT_TRUE(read_json("out/r.json")["x"].is_string());
  EXPECT_TRUE(exists("out/" + read_json("out/r.json")["x"].get<std::string>()));
  expect_verified(problem, "out/r.json");
  EXPECT_EQ(run({"solve", problem, "-o", "out/s.json", "--solution", "out/point.npy"}).exit_code, 0);
  EXPECT_EQ(read_json("out/s.json")["x"], "point.npy");
  expect_verified(problem, "out/s.json");
}

/// Rows with numbers in every third column of 30, for training and validation.  Each stands twice with its label and
/// once with the other one, so that the classes overlap: g has a minimiser, also on the whole space.
std::array<std::string, 2> rows_with_idle_columns() {
  std::array<std::string, 2> rows;
  for (std::size_t row = 0; row < 24; ++row) {
    std::ostringstream line;
    for (std::size_t column = 1; column <= 30; column += 3)
      if ((row + column) % 5 != 0)
        line << ' ' << column << ':' << 0.1 * static_cast<double>((row * column) % 7) - 0.2;
    const std::array<const char*, 2> labels{row % 3 == 0 ? "+1" : "-1", row % 3 == 0 ? "-1" : "+1"};
    for (const char* label : {labels[0], labels[0], labels[1]}) rows[row % 2] += label + line.str() + "\n";
  }
  return rows;
}

TEST_F(Solve, VariablesInNoDataAreLeftOutAndPutBack) {
  const std::array<std::string, 2> rows = rows_with_idle_columns();
  write("validation.svm", rows[0]);
  write("training.svm", rows[1]);
  const struct {
    std::string domain;
    double rest;
  } cases[] = {{"set = \"ball\"\nradius = 4.0\ncenter = 2.0", 2.0},
               {"set = \"l1-ball\"\nradius = 4.0", 0.0},
               {"set = \"nonnegative-ball\"\nradius = 4.0", 0.0},
               {"set = \"whole-space\"\nradius = 50.0", 0.0},
               {"set = \"box\"\nlower = 0.5\nupper = 3.0", 0.5},
               {"set = \"simplex\"", std::nan("")}};  // there all variables depend on each other
  for (const auto& one : cases) {
    SCOPED_TRACE(one.domain);
    write("p.toml",
          "dimension = 30\n"
          "[upper]\nfunction = \"logistic\"\naverage = true\ndata = \"validation.svm\"\n"
          "[lower]\nfunction = \"logistic\"\naverage = true\ndata = \"training.svm\"\n"
          "[domain]\n" +
              one.domain + "\n");
    const bool told = one.domain.find("whole-space") != std::string::npos;  // refused in tight mode
    const Outcome outcome = run(Arguments{"solve", "p.toml", "-o", "r.json", "--report", "r.html"} +
                                (told ? Arguments{} : Arguments{"--tight"}));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
    expect_verified("p.toml", "r.json");
    const nlohmann::json result = read_json("r.json");
    const std::vector<double> x = result["x"];
    ASSERT_EQ(x.size(), 30U);
    const std::string note = "note: 20 of 30 variables appear in no data";
    if (std::isnan(one.rest)) {
      EXPECT_THAT(outcome.out, Not(HasSubstr(note)));
      continue;
    }
    EXPECT_THAT(outcome.out, HasSubstr(note));
    if (&one == &cases[0]) {
      const Outcome compared = run({"compare", "p.toml", "--methods", "fcbio", "-o", "c.json"});
      EXPECT_THAT(compared.out, HasSubstr(note));
      EXPECT_EQ(read_json("c.json")["problem"]["dimension"], 30);
    }
    EXPECT_GT(result["witness"]["multiplier"], 0.0);
    // The proved line of f + mu g comes first on the page; that of the functions' own bounds has multiplier 0.
    EXPECT_THAT(read("r.html"),
                AllOf(HasSubstr("\"cuts\":[{\"multiplier\":"), Not(HasSubstr("\"cuts\":[{\"multiplier\":0.0,"))));
    for (std::size_t j = 0; j < 30; ++j) {
      if (j % 3 != 0) {
        EXPECT_EQ(x[j], one.rest) << j;
      }
    }
  }
}

TEST_F(Solve, NormsThatAreLeastAtRestDoNotKeepIdleVariables) {
  write("training.svm", rows_with_idle_columns()[1]);
  for (const std::string norm : {"squared-norm", "l1-norm"}) {
    for (const double centre : {2.0, 1.5}) {  // of the norm; that of the ball is 2
      SCOPED_TRACE(norm);
      write("p.toml",
            "dimension = 30\n[domain]\nset = \"ball\"\nradius = 4.0\ncenter = 2.0\n[upper]\nfunction = \"" + norm +
                "\"\ncenter = " + std::to_string(centre) +
                "\n[lower]\nfunction = \"logistic\"\naverage = true\ndata = \"training.svm\"\n"
                "[accuracy]\nupper = 1e-3\nlower = 1e-4\n");
      const Outcome outcome = run({"solve", "p.toml", "-o", "r.json"});
      EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
      expect_verified("p.toml", "r.json");
      const bool at_rest = centre == 2.0;
      EXPECT_EQ(outcome.out.find("note: 20 of 30 variables") != std::string::npos, at_rest) << outcome.out;
      const std::vector<double> x = read_json("r.json")["x"];
      ASSERT_EQ(x.size(), 30U);
      if (at_rest) {
        EXPECT_EQ(x[1], 2.0);
      }
    }
  }
}

TEST_F(Solve, TraceReportAndResultHaveOneClock) {
  const std::string problem = generate("min-norm", "p");
  ASSERT_EQ(run({"solve", problem, "-o", "r.json", "--trace", "t.jsonl", "--report", "r.html", "--method",
                 "fcbio-sm", "--max-iterations", "200"})
                .exit_code,
            3);
  const std::string page = read("r.html"), opening = "id=\"report-data\">";
  const std::size_t begin = page.find(opening) + opening.size();
  const nlohmann::json report = nlohmann::json::parse(page.substr(begin, page.find("</script>", begin) - begin));
  const nlohmann::json& run_of_page = report["runs"][0];
  const std::vector<std::int64_t> iterations = run_of_page["samples"]["iterations"];
  const std::vector<double> seconds = run_of_page["samples"]["seconds"];
  std::stringstream lines(read("t.jsonl"));
  std::size_t at = 0;
  double last = 0.0;
  for (std::string line; std::getline(lines, line); ++at) {
    const nlohmann::json told = nlohmann::json::parse(line);
    ASSERT_LT(at, iterations.size());
    EXPECT_EQ(told["iteration"], iterations[at]);
    last = told["seconds"];
    EXPECT_NEAR(seconds[at], last, 0.6e-6) << iterations[at];  // the page rounds to microseconds
  }
  EXPECT_EQ(at, iterations.size());
  const double in_result = read_json("r.json")["seconds"]["solve"];
  EXPECT_EQ(run_of_page["seconds"], in_result);
  EXPECT_GE(in_result, last);
}

TEST_F(Solve, QuietIsSilentButStillWrites) {
  const std::string problem = generate("franke-5.3", "p");
  const Outcome outcome = run({"solve", problem, "-o", "r.json", "--quiet"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.out + outcome.err, "");
  EXPECT_TRUE(exists("r.json"));
  expect_refused({"solve", "nothing.toml", "--quiet"}, {"nothing.toml"});
}

TEST_F(Solve, LimitsEndWithExitThreeAndTheBestPoint) {
  const Arguments arguments = endless();
  const std::vector<std::pair<Arguments, std::string>> limits = {
      {{"--max-iterations", "50"}, "iteration_limit"},
      {{"--max-projections", "30"}, "work_limit"},
      {{"--max-passes", "120"}, "work_limit"},
      {{"--time-limit", "0.05"}, "time_limit"},
  };
  for (const auto& [limit, status] : limits) {
    SCOPED_TRACE(status);
    const Outcome outcome =
        run(arguments + limit + Arguments{"-o", status + ".json", "--trace", status + ".jsonl"});
    EXPECT_EQ(outcome.exit_code, 3) << outcome.out << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr(status));
    const nlohmann::json result = read_json(status + ".json");
    EXPECT_EQ(result["status"], status);
    EXPECT_EQ(result["x"].size(), 7U);
    EXPECT_TRUE(exists(status + ".jsonl"));
    expect_verified(arguments[1], status + ".json");
  }
  EXPECT_LE(read_json("iteration_limit.json")["work"]["iterations"], 50);
  const nlohmann::json work = read_json("work_limit.json")["work"];
  EXPECT_LE(work["upper_passes"].get<int>() + work["lower_passes"].get<int>(), 120);
}

TEST_F(Solve, OneIterationStillGivesAPoint) {
  const std::string problem = generate("min-norm", "p");
  EXPECT_EQ(run({"solve", problem, "--max-iterations", "1", "-o", "r.json"}).exit_code, 3);
  EXPECT_EQ(read_json("r.json")["x"].size(), 100U);
  expect_verified(problem, "r.json");
}

TEST_F(Solve, OverflowEndsWithExitFourAndAPoint) {
  write("p.toml",
        "dimension = 2\n[domain]\nset = \"ball\"\nradius = 2.0\n[upper]\nfunction = \"linear\"\n"
        "coefficients = \"huge.csv\"\n[lower]\nfunction = \"linear\"\ncoefficients = 1.0\n");
  write("huge.csv", "1e308\n-1e308\n");  // finite, but not its norm
  const Outcome outcome = run({"solve", "p.toml", "-o", "r.json"});
  EXPECT_EQ(outcome.exit_code, 4) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("Nothing is proved about f(x) - f*"));
  EXPECT_EQ(read_json("r.json")["status"], "not_finite");
  EXPECT_EQ(read_json("r.json")["x"].size(), 2U);
  EXPECT_TRUE(read_json("r.json")["certificate"]["upper_excess"].is_null());
  expect_verified("p.toml", "r.json");
}

TEST_F(Solve, AProblemWithoutASolutionIsRefused) {
  write("p.toml",
        "dimension = 2\n[domain]\nset = \"box\"\nlower = -inf\nupper = 1.0\n[upper]\nfunction = "
        "\"squared-norm\"\n[lower]\nfunction = \"linear\"\ncoefficients = 1.0\n");
  expect_refused({"solve", "p.toml"},
                 {"the lower function is linear and falls without end as x[0] goes to -infinity",
                  "give the domain a bound there (`lower` of the box)"});
}

TEST_F(Solve, InterruptEndsWithExit130AndTheBestPoint) {
  for (const int signal_number : {SIGINT, SIGTERM}) {
    const std::string name = signal_number == SIGINT ? "int" : "term";
    const Arguments arguments =
        endless() + Arguments{"-o",         name + ".json", "--trace",      name + ".jsonl",
                              "--solution", name + ".npy",  "--time-limit", "120"};
    const std::size_t before = files().size();
    // The trace's temporary file appears once the handler stands and the solve begins.
    const Outcome outcome = run_until(
        arguments, [&] { return files().size() > before; }, signal_number);
    EXPECT_EQ(outcome.exit_code, 130) << outcome.out << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("interrupted"));
    EXPECT_EQ(read_json(name + ".json")["status"], "interrupted");
    EXPECT_TRUE(exists(name + ".npy"));
    EXPECT_TRUE(exists(name + ".jsonl"));
    expect_verified(arguments[1], name + ".json");
    std::filesystem::remove_all(path("endless"));
  }
}

TEST_F(Solve, ProgressLineOnATerminalOnly) {
  const std::string problem = generate("min-norm", "p");
  const Outcome shown = run_on_terminal({"solve", problem});
  EXPECT_EQ(shown.exit_code, 0);
  EXPECT_THAT(shown.err, AllOf(HasSubstr("\r"), HasSubstr("passes"), HasSubstr("g-g* <=")));
  EXPECT_THAT(shown.err, testing::EndsWith("\r\x1b[K")) << "the line is cleared at the end";
  EXPECT_THAT(shown.out, Not(HasSubstr("\r")));
  EXPECT_EQ(run_on_terminal({"solve", problem, "--quiet"}).err, "");
  EXPECT_EQ(run({"solve", problem}).err, "");
}

/// Without what tells how long it took, and who computed it.
std::string answer_alone(std::string text) {
  for (const char* key : {"\"seconds\"", "\"parallel\""}) {
    const std::size_t from = text.find(key);
    EXPECT_NE(from, std::string::npos);
    text.erase(from, text.find('}', from) - from);
  }
  return text;
}

TEST_F(Solve, SameBytesForEveryRunAndNumberOfThreads) {
  const std::vector<std::pair<std::string, Arguments>> problems = {
      {"logistic-pair", {}},
      {"min-norm-gaussian", {"--set", "rows=150", "--set", "columns=300"}},
      {"regression-pair", {}},
  };
  for (const auto& [kind, parameters] : problems) {
    SCOPED_TRACE(kind);
    const std::string problem = generate(kind, kind, parameters);
    const auto solve = [&, problem_file = problem](const std::string& threads) {
      const Outcome outcome = run({"solve", problem_file, "--threads", threads, "-o", "r.json", "--quiet"});
      EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
      return answer_alone(read("r.json"));
    };
    const std::string first = solve("1");
    EXPECT_EQ(solve("1"), first);
    EXPECT_EQ(solve("2"), first);
    EXPECT_EQ(solve("3"), first);
  }
}

}  // namespace
}  // namespace fcbio::cli_test
