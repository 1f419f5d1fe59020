// Data as it is, end to end: one problem file, certified and verified, with the names of the columns in what is
// written.
#include <gmock/gmock.h>

#include <cmath>

#include "process.hpp"

namespace fcbio::cli_test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class Data : public CliTest {
 protected:
  /// 60 people: ages, two texts, a sensitive column, a label as text; every tenth misses a value.
  void write_people() const {
    std::string text = "age,job,group,sex,label\n";
    for (int i = 0; i < 60; ++i) {
      const int age = 20 + (i * 37) % 45;
      const bool yes = (age > 40) != (i % 7 == 0);
      text += std::to_string(age) + "," +
              (i % 10 == 3  ? "?"
               : i % 3 == 0 ? "nurse"
               : i % 3 == 1 ? "cook"
                            : "\"a, b\"") +
              "," + std::to_string(i % 4) + "," + (i % 2 == 0 ? "1" : "0") + "," + (yes ? "yes" : "no") + "\n";
    }
    write("people.csv", text);
  }
  static std::string domain() { return "[domain]\nset = \"ball\"\nradius = 20\n"; }
  static std::string accuracy() { return "[accuracy]\nupper = 1e-3\nlower = 1e-5\n"; }
};

TEST_F(Data, RawCsvToACertifiedFairClassifier) {
  write_people();
  const std::string keys =
      "data = \"people.csv\"\ncategories = [\"job\", \"group\"]\nmissing = \"drop-rows\"\nstandardize = true\n"
      "intercept = true\n";
  write("p.toml",
        domain() + "[upper]\nfunction = \"least-squares\"\ncovariance_with = \"sex\"\ndrop = [\"label\"]\n" +
            keys + "[lower]\nfunction = \"logistic\"\ntarget = \"label\"\naverage = true\ndrop = [\"sex\"]\n" +
            keys + accuracy());
  const Outcome outcome = run({"solve", "p.toml", "-o", "r.json", "--solution", "x.csv"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("note: people.csv: 6 of 60 rows are left out: a value is missing"));
  EXPECT_THAT(outcome.out, HasSubstr("labels mapped: 'no' -> -1, 'yes' -> +1"));
  expect_verified("p.toml", "r.json");
  const nlohmann::json result = read_json("r.json");
  EXPECT_EQ(result["problem"]["names"][1], "job=a, b");
  EXPECT_EQ(result["problem"]["names"].back(), "intercept");
  EXPECT_THAT(read("x.csv"), StartsWith("variable,value,original\n\"age\","));
  // What was written can be read again, as a start.
  write("q.toml", "start = \"x.csv\"\n" + read("p.toml"));
  EXPECT_EQ(run({"solve", "q.toml", "--quiet"}).exit_code, 0);
}

// The same function in the units of the file: predictions of rows agree.
TEST_F(Data, StandardisedCoefficientsInUnitsOfTheFile) {
  write("d.csv", "a,b,y\n1,200,1\n2,300,2\n3,250,4\n4,700,3\n5,100,6\n");
  write("p.toml", domain() +
                      "[upper]\nfunction = \"squared-norm\"\n[lower]\nfunction = \"least-squares\"\n"
                      "data = \"d.csv\"\ntarget = \"y\"\nstandardize = true\nintercept = true\n" +
                      accuracy());
  ASSERT_EQ(run({"solve", "p.toml", "--solution", "x.csv", "-o", "r.json"}).exit_code, 0);
  expect_verified("p.toml", "r.json");
  double original[3], value[3];
  std::string rest = read("x.csv");
  rest = rest.substr(rest.find('\n') + 1);
  for (int j = 0; j < 3; ++j) {
    char name[32];
    ASSERT_EQ(std::sscanf(rest.c_str(), "%31[^,],%lf,%lf", name, &value[j], &original[j]), 3) << rest;
    rest = rest.substr(rest.find('\n') + 1);
  }
  const double means[] = {3.0, 310.0}, deviations[] = {std::sqrt(2.0), std::sqrt(42400.0)};
  for (const auto& row : {std::pair(1.0, 200.0), std::pair(5.0, 100.0)}) {
    const double told = original[0] * row.first + original[1] * row.second + original[2];
    const double standardised = value[0] * (row.first - means[0]) / deviations[0] +
                                value[1] * (row.second - means[1]) / deviations[1] + value[2];
    EXPECT_NEAR(told, standardised, 1e-12);
  }
}

TEST_F(Data, WeightsAreCertifiedAndVerified) {
  write_people();
  const std::string lower =
      "[[lower]]\nfunction = \"logistic\"\ndata = \"people.csv\"\ntarget = \"label\"\ncolumns = [\"age\", \"group\"]\n"
      "sample_weights = \"sex\"\naverage = true\nscale = true\nintercept = true\n";
  for (const std::string& norm : std::vector<std::string>{"squared-norm", "l1-norm"}) {
    for (const std::string& where : std::vector<std::string>{"upper", "lower"}) {
      SCOPED_TRACE(norm + " " + where);
      const bool above = where == "upper";
      write("p.toml",
            domain() + (above ? "[upper]\n" : "[upper]\nfunction = \"squared-norm\"\n[[lower]]\nweight = 0.1\n") +
                "function = \"" + norm + "\"\nweights = {intercept = 0, age = 2.5}\n" + lower + accuracy());
      const Outcome outcome = run({"solve", "p.toml", "-o", "r.json"});
      EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
      expect_verified("p.toml", "r.json");
    }
  }
}

// By hand: least w'|x| with x_1 + x_2 = 1 puts everything on the cheaper variable.
TEST_F(Data, WeightsOfAnL1NormDecide) {
  for (const bool first_is_cheap : {true, false}) {
    write("p.toml",
          std::string("[domain]\nset = \"box\"\nlower = -5\nupper = 5\n[upper]\nfunction = \"l1-norm\"\n") +
              (first_is_cheap ? "weights = [1, 3]\n" : "weights = [3, 1]\n") +
              "[lower]\nfunction = \"least-squares\"\ndata = [[1, 1]]\ntarget = {constant = 1}\n"
              "[accuracy]\nupper = 1e-6\nlower = 1e-10\n");
    const Outcome outcome = run({"solve", "p.toml", "-o", "r.json"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
    expect_verified("p.toml", "r.json");
    const nlohmann::json result = read_json("r.json");
    EXPECT_NEAR(result["x"][first_is_cheap ? 0 : 1].get<double>(), 1.0, 1e-4);
    EXPECT_NEAR(result["upper_value"].get<double>(), 1.0, 1e-4);
  }
}

TEST_F(Data, MaximaAreToldAsSuch) {
  write("p.toml",
        "[domain]\nset = \"simplex\"\n[upper]\nfunction = \"linear\"\ncoefficients = [1, 2, 4]\nmaximize = true\n"
        "[lower]\nfunction = \"linear\"\ncoefficients = [1, 1, 1]\n");
  const Outcome outcome = run({"solve", "p.toml", "-o", "r.json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("maximum -f      4, and no solution of the lower level has more than 4"));
  EXPECT_EQ(read_json("r.json")["problem"]["maximized"], nlohmann::json::array({"upper"}));
  expect_verified("p.toml", "r.json");
}

TEST_F(Data, LimitsOfTheFileAndOfTheCommandLine) {
  const std::string problem = generate("min-norm", "p");
  write("p/PROBLEM.toml", read("p/PROBLEM.toml") + "\n[limits]\niterations = 1\n");
  EXPECT_EQ(run({"solve", problem}).exit_code, 3);
  EXPECT_EQ(run({"solve", problem, "--max-iterations", "100000"}).exit_code, 0);
}

TEST_F(Data, ConvergedIsNotSuccess) {
  const std::string problem = generate("min-norm", "p");
  const Outcome outcome = run({"solve", problem, "--method", "big-sam", "-o", "r.json"});
  if (read_json("r.json")["status"] == "converged") {
    EXPECT_EQ(outcome.exit_code, 5) << outcome.out;
    EXPECT_THAT(outcome.out, HasSubstr("by the method's own rule: not proved"));
  } else {
    EXPECT_EQ(outcome.exit_code, 3) << outcome.out;
  }
}

TEST_F(Data, InitWritesAProblemThatCanBeSolved) {
  write_people();
  write("plain.csv", "1,2,3.5\n2,1,4\n0,1,2\n5,5,1\n");
  write("a.svm", "1 1:1 3:2\n-1 2:1\n1 1:2\n-1 2:3 3:1\n");
  for (const std::string& data : std::vector<std::string>{"people.csv", "plain.csv", "a.svm"}) {
    SCOPED_TRACE(data);
    const std::string problem = data + ".toml";
    EXPECT_EQ(run({"init", data, "-o", problem}).exit_code, 0);
    const Outcome outcome = run({"solve", problem, "-o", "r.json"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err << read(problem);
    expect_verified(problem, "r.json");
    expect_refused({"init", data, "-o", problem}, {"the file exists"});
  }
  EXPECT_THAT(run({"init", "people.csv", "--target", "age"}).out, HasSubstr("target = \"age\"\n"));
  EXPECT_THAT(run({"init", "people.csv"}).out, HasSubstr("function = \"logistic\"\n"));
  expect_refused({"init", "people.csv", "--target", "agee"}, {"expected a column (age, job, group, sex, label)"});
  expect_refused({"init", "none.csv"}, {"none.csv"});
}

// Every key that the help of a function or set names is known to the reader: it may be refused for what it holds,
// never as unknown.
TEST_F(Data, EveryKeyOfTheHelpExists) {
  for (const std::string& command : std::vector<std::string>{"functions", "sets"}) {
    const std::string word = command == "functions" ? "function" : "set";
    const std::string list = run({command}).out;
    for (std::size_t at = 0; at < list.size() && list.compare(at, 2, "  ") == 0; at = list.find('\n', at) + 1) {
      if (list[at + 2] == ' ') continue;  // a line that goes on
      const std::string name = list.substr(at + 2, list.find(' ', at + 2) - at - 2);
      SCOPED_TRACE(name);
      const std::string help = run({command, name}).out;
      EXPECT_EQ(run({"help", name}).out, help);
      const std::size_t keys = help.find("\nkeys, beside ");
      ASSERT_NE(keys, std::string::npos) << help;
      for (std::size_t line = help.find('\n', keys + 1) + 1; line < help.size();
           line = help.find('\n', line) + 1) {
        if (help.compare(line, 3, "   ") == 0) continue;
        const std::string key = help.substr(line + 2, help.find(' ', line + 2) - line - 2);
        const std::string entry = word + " = \"" + name + "\"\n" + key + " = 1979-05-27\n";
        const bool function = word == "function";
        write("p.toml", std::string("[domain]\n") + (function ? "set = \"simplex\"\n" : entry) + "[upper]\n" +
                            (function ? entry : "function = \"squared-norm\"\n") +
                            "[lower]\nfunction = \"linear\"\ncoefficients = [1, 2]\n");
        const Outcome outcome = run({"solve", "p.toml"});
        EXPECT_EQ(outcome.exit_code, 2) << key << outcome.out;
        EXPECT_THAT(outcome.err, Not(HasSubstr("unknown key"))) << key;
      }
    }
  }
}

/// The words between backquotes, or those that begin with two dashes.
std::vector<std::string> named_in(const std::string& text, bool keys) {
  std::vector<std::string> found;
  const std::string opening = keys ? "`" : "--";
  for (std::size_t at = text.find(opening); at != std::string::npos; at = text.find(opening, at + 1)) {
    const std::size_t begin = keys ? at + 1 : at;
    const std::size_t end =
        text.find_first_not_of(keys ? "abcdefghijklmnopqrstuvwxyz_" : "abcdefghijklmnopqrstuvwxyz-", begin);
    if (end > begin + 2) found.push_back(text.substr(begin, end - begin));
    if (keys) at = text.find('`', at + 1);
    if (at == std::string::npos) break;
  }
  return found;
}

// A problem that is not solved as asked ends with a message; the flags that it names are flags of solve, the keys
// those of the function or set in question.
TEST_F(Data, RemediesNameWhatExists) {
  const std::string upper = "[upper]\nfunction = \"squared-norm\"\n";
  const std::string lower = "[lower]\nfunction = \"least-squares\"\ndata = [[1, 2], [2, 4.5]]\ntarget = [1, 2]\n";
  const std::string linear = "[lower]\nfunction = \"linear\"\ncoefficients = [-1, 0]\n";
  struct Ending {
    std::string domain, set, rest;
    Arguments flags;
  };
  const std::vector<Ending> endings = {
      {"set = \"whole-space\"\n", "whole-space", upper + lower, {}},
      {"set = \"orthant\"\n", "orthant", upper + lower, {"--max-passes", "500"}},
      {"set = \"box\"\nlower = 0\nupper = inf\n", "box", upper + lower, {"--max-passes", "500"}},
      {"set = \"orthant\"\n", "orthant", upper + linear, {"--max-passes", "500"}},
      {"set = \"ball\"\nradius = 2\n", "ball", upper + lower, {"--max-iterations", "1"}},
      {"set = \"ball\"\nradius = 2\n", "ball", upper + lower, {"--max-passes", "3"}},
      {"set = \"ball\"\nradius = 2\n", "ball", upper + lower, {"--eps-f", "1e-300", "--eps-g", "1e-300"}},
      {"set = \"ball\"\nradius = 2\n", "ball", upper + linear, {"--absolute"}},
      {"set = \"whole-space\"\n", "whole-space", upper + lower, {"--method", "big-sam", "--max-iterations", "50"}},
  };
  const std::string help = run({"solve", "--help"}).out;
  for (const Ending& ending : endings) {
    write("p.toml", "[domain]\n" + ending.domain + ending.rest);
    const Outcome outcome = run(Arguments{"solve", "p.toml", "-o", "r.json"} + ending.flags);
    const std::string said =
        outcome.exit_code == 2 ? outcome.err : read_json("r.json")["message"].get<std::string>();
    SCOPED_TRACE(ending.domain + said);
    for (const std::string& flag : named_in(said, false)) EXPECT_THAT(help, HasSubstr(flag));
    const std::string keys = run({"sets", ending.set}).out + run({"functions", "least-squares"}).out +
                             run({"functions", "linear"}).out +
                             "  holder  absolute  tight  upper  lower  domain  fcbio ";
    for (const std::string& key : named_in(said, true)) EXPECT_THAT(keys, HasSubstr("  " + key + " "));
  }
}

TEST_F(Data, HelpTopicsManualAndCompletions) {
  const std::string topics = run({"help"}).out;
  for (const std::string& topic :
       std::vector<std::string>{"problem", "accuracy", "data", "statuses", "certificate"}) {
    EXPECT_THAT(topics, HasSubstr("  " + topic + " "));
    EXPECT_EQ(run({"help", topic}).exit_code, 0);
  }
  EXPECT_THAT(run({"help", "solve"}).out, HasSubstr("--eps-f"));
  EXPECT_THAT(run({"help", "fcbio-sm"}).out, HasSubstr("fcbio methods fcbio-sm"));
  expect_refused({"help", "logistc"}, {"unknown topic 'logistc'; did you mean 'logistic'?"});
  EXPECT_THAT(run({"help", "--man"}).out, StartsWith(".TH FCBIO 1"));
  for (const std::string& flag :
       std::vector<std::string>{"--eps-f", "--threads", "capped-simplex", "certificate"}) {
    const std::string escaped = [&] {
      std::string out;
      for (const char c : flag) out += c == '-' ? "\\-" : std::string(1, c);
      return out;
    }();
    EXPECT_THAT(run({"help", "--man"}).out, HasSubstr(escaped));
    EXPECT_THAT(run({"help", "--bash"}).out, HasSubstr(flag));
  }
  write("c.bash", run({"help", "--bash"}).out);
  EXPECT_THAT(run({"help", "--zsh"}).out, StartsWith("#compdef fcbio\n"));
}

}  // namespace
}  // namespace fcbio::cli_test
