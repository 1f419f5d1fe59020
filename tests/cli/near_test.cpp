// Answers near the solution, accuracies in units of the answer, sets without end: from problem file to `fcbio verify`.
#include <gmock/gmock.h>

#include "process.hpp"

namespace fcbio::cli_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class Near : public CliTest {};

constexpr const char* kSystem =
    "[domain]\nset = \"ball\"\nradius = 10\n"
    "[upper]\nfunction = \"squared-norm\"\n"
    "[lower]\nfunction = \"least-squares\"\ndata = [[2, 1], [1, 3]]\ntarget = [0, 5]\n";

TEST_F(Near, AnInvertibleSystemIsSolved) {
  write("p.toml", kSystem);
  const Outcome outcome = run({"solve", "p.toml", "-o", "r.json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  expect_verified("p.toml", "r.json");
  const nlohmann::json result = read_json("r.json");
  EXPECT_GE(result["upper_value"].get<double>(), 2.5 - 1e-5);
  EXPECT_NEAR(result["x"][0].get<double>(), -1.0, 1e-5);
  EXPECT_NEAR(result["x"][1].get<double>(), 2.0, 1e-5);
  EXPECT_GE(result["certificate"]["shortfall"].get<double>(), 0.0);
  const std::int64_t after = result["work"]["certified_after"];
  EXPECT_LE(result["work"]["upper_passes"].get<std::int64_t>() + result["work"]["lower_passes"].get<std::int64_t>(),
            2 * after);
  EXPECT_EQ(run({"solve", "p.toml", "--refine", "0", "-o", "first.json"}).exit_code, 0);
  EXPECT_EQ(read_json("first.json")["work"]["certified_after"], after);
  expect_verified("p.toml", "first.json");
  expect_refused({"solve", "p.toml", "--refine", "-2"}, {"refine", "a number >= 0 or inf"});
  expect_refused({"solve", "p.toml", "--method", "fcbio-sm", "--refine", "1"}, {"--refine", "fcbio-sm"});
}

TEST_F(Near, WhatTheSlackBuysIsToldWithItsRemedy) {
  const std::string problem = generate("min-norm", "p", {"--set", "condition=1000"});
  const Outcome outcome = run({"solve", problem, "--refine", "0", "--eps-g", "1e-3", "-o", "r.json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("At the multiplier"), HasSubstr("of f; --eps-g ")));
}

TEST_F(Near, RelativeAccuraciesAreVerified) {
  write("p.toml", std::string(kSystem) + "[accuracy]\nupper_relative = 1e-4\nlower = 1e-8\n");
  EXPECT_EQ(run({"solve", "p.toml", "-o", "r.json"}).exit_code, 0);
  expect_verified("p.toml", "r.json");
  const nlohmann::json result = read_json("r.json");
  EXPECT_EQ(result["accuracy"]["upper_relative"], 1e-4);
  EXPECT_EQ(result["accuracy"]["upper"], 0.0);
  EXPECT_LE(result["certificate"]["upper_excess"].get<double>(), 2.6e-4);
  EXPECT_EQ(run({"solve", "p.toml", "--eps-f-relative", "1e-6", "-o", "r.json"}).exit_code, 0);
  expect_verified("p.toml", "r.json");
  expect_refused({"compare", "p.toml", "--methods", "fcbio"}, {"--eps-f"});
  write("bad.toml", std::string(kSystem) + "[accuracy]\nupper_relative = 2\n");
  expect_refused({"solve", "bad.toml"}, {"bad.toml:", "upper_relative", "below 1"});
}

// Least squares with signs: (1, 0) is the answer, whatever radius it is looked for in.
TEST_F(Near, SetsWithoutEndAreEnclosedByTheirLowerLevel) {
  const std::string functions =
      "[upper]\nfunction = \"squared-norm\"\n"
      "[lower]\nfunction = \"least-squares\"\ndata = [[1, 0], [0, 1], [1, 1]]\ntarget = [1, -1, 1]\n";
  write("open.toml", "[domain]\nset = \"orthant\"\n" + functions);
  write("told.toml", "[domain]\nset = \"orthant\"\nradius = 3\n" + functions);
  const Outcome open = run({"solve", "open.toml", "-o", "open.json"});
  EXPECT_EQ(open.exit_code, 0) << open.out << open.err;
  EXPECT_THAT(open.out, HasSubstr("by the rank of the least squares of g no solution is further than"));
  EXPECT_EQ(run({"solve", "told.toml", "-o", "told.json"}).exit_code, 0);
  expect_verified("open.toml", "open.json");
  const auto passes = [](const nlohmann::json& result) { return result["work"]["certified_after"].get<int>(); };
  EXPECT_LE(passes(read_json("open.json")), 2 * passes(read_json("told.json")) + 8);
  EXPECT_EQ(read_json("open.json")["x"][1], 0.0);

  write("space.toml", "[domain]\nset = \"whole-space\"\n" + functions);
  EXPECT_EQ(run({"solve", "space.toml", "-o", "space.json"}).exit_code, 0);
  expect_verified("space.toml", "space.json");

  // A smaller ball than the proved one is a lie.
  nlohmann::json lie = read_json("open.json");
  lie["witness"]["region"]["radius"] = 0.5;
  lie.erase("digest");
  write("lie.json", lie.dump());
  EXPECT_NE(run({"verify", "open.toml", "lie.json"}).exit_code, 0);

  // By an l1 norm, and by the sides at which a linear g is least.
  const char* others[] = {
      "[domain]\nset = \"whole-space\"\n[upper]\nfunction = \"squared-norm\"\n"
      "[[lower]]\nfunction = \"l1-norm\"\n[[lower]]\nfunction = \"absolute\"\ndata = [[3, -1]]\ntarget = [1]\n",
      "[domain]\nset = \"box\"\nlower = [0, -inf, -1]\nupper = [inf, 2, 1]\n"
      "[upper]\nfunction = \"squared-norm\"\ncenter = 1\n"
      "[lower]\nfunction = \"linear\"\ncoefficients = [1, -2, 0]\n"};
  const std::vector<double> answers[] = {{1.0 / 3.0, 0.0}, {0.0, 2.0, 1.0}};
  for (std::size_t i = 0; i < 2; ++i) {
    write("other.toml", others[i]);
    const Outcome outcome = run({"solve", "other.toml", "-o", "other.json"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
    expect_verified("other.toml", "other.json");
    const nlohmann::json result = read_json("other.json");
    EXPECT_EQ(result["witness"]["region"]["by"], i == 0 ? "l1-norm" : "linear");
    for (std::size_t j = 0; j < answers[i].size(); ++j)
      EXPECT_NEAR(result["x"][j].get<double>(), answers[i][j], 1e-4);
    nlohmann::json smaller = result;
    smaller["witness"]["region"]["radius"] = 0.1;
    smaller.erase("digest");
    write("smaller.json", smaller.dump());
    EXPECT_EQ(run({"verify", "other.toml", "smaller.json"}).exit_code, 1);
  }

  write("flat.toml",
        "[domain]\nset = \"orthant\"\n[upper]\nfunction = \"squared-norm\"\n"
        "[lower]\nfunction = \"least-squares\"\ndata = [[1, -1]]\ntarget = [1]\n");
  expect_refused({"solve", "flat.toml"}, {"orthant", "`radius`"});
}

}  // namespace
}  // namespace fcbio::cli_test
