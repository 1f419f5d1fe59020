#include "io/result_json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "fcbio/version.hpp"
#include "io/npy.hpp"
#include "problem_support.hpp"

namespace fcbio::io {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;

Vector numbers(std::initializer_list<double> values) {
  return Eigen::Map<const Vector>(values.begin(), static_cast<Index>(values.size()));
}

Result small_result() {
  Result result;
  result.method = "fcbio";
  result.status = Status::certified;
  result.message = "both bounds proved";
  result.x = numbers({0.1, -2});
  result.upper_value = 0.5;
  result.lower_value = 1e-17;
  result.certificate.evidence = Evidence::proved;
  result.certificate.upper_excess = 1e-7;
  result.certificate.lower_gap = 2e-7;
  result.certificate.upper_lower_bound = 0.25;
  result.certificate.lower_lower_bound = 0.0;
  result.certificate.shortfall = 0.0;
  result.witness.multiplier = 12.5;
  result.witness.reference = numbers({1, 2});
  result.witness.lower_bound = {"known", {}, {}, {}, {}};
  result.witness.upper_bound = {"dual", {Vector{}}, {numbers({0.5, -0.5, 1}), Vector{}}, numbers({3, 4}), {}};
  result.accuracy = {1e-6, 1e-7};
  result.work = {10, 20, 30, 40, 45};
  result.solve_seconds = 1.5;
  result.certified_seconds = 1.25;
  result.options = {{"budget", "theory"}, {"cap", "100"},     {"eta", "2.5e-1"},
                    {"warm", "true"},     {"early", "false"}, {"upper_bound_below", "-inf"}};
  return result;
}

ResultContext small_context() { return {"0123456789abcdef", 7, 0.25, std::nullopt, false}; }

Json parsed(const ProblemDirectory& directory, const std::string& name) {
  return Json::parse(directory.contents(name));
}

TEST(ResultJson, FieldForField) {
  ProblemDirectory directory;
  write_result(small_result(), small_context(), directory.path() / "result.json");
  const Json expected = Json::parse(R"({
    "schema": 1, "version": "VERSION", "method": "fcbio", "status": "certified", "message": "both bounds proved",
    "upper_value": 0.5, "lower_value": 1e-17,
    "certificate": {"evidence": "proved", "upper_excess": 1e-7, "lower_gap": 2e-7, "upper_lower_bound": 0.25,
                    "lower_lower_bound": 0.0, "shortfall": 0.0},
    "witness": {"multiplier": 12.5, "reference": [1.0, 2.0],
      "lower_bound": {"kind": "known", "upper_duals": [], "lower_duals": [], "point": []},
      "upper_bound": {"kind": "dual", "upper_duals": [[]], "lower_duals": [[0.5, -0.5, 1.0], []], "point": [3.0, 4.0]}},
    "accuracy": {"upper": 1e-6, "lower": 1e-7, "from": "problem"},
    "work": {"iterations": 10, "upper_passes": 20, "lower_passes": 30, "projections": 40, "certified_after": 45},
    "seconds": {"read": 0.25, "solve": 1.5, "certified": 1.25},
    "parallel": {"ranks": 1, "threads": 1},
    "problem": {"dimension": 2, "fingerprint": "0123456789abcdef"}, "seed": 7,
    "options": {"budget": "theory", "cap": 100, "eta": 0.25, "warm": true, "early": false,
                "upper_bound_below": "-inf"},
    "x": [0.1, -2.0]})");
  Json written = parsed(directory, "result.json");
  EXPECT_EQ(written["version"], FCBIO_VERSION);
  written["version"] = "VERSION";
  EXPECT_EQ(written["digest"].get<std::string>().size(), 16U);
  EXPECT_THAT(directory.contents("result.json"),
              testing::EndsWith("\"digest\": \"" + written["digest"].get<std::string>() + "\"}\n"));
  written.erase("digest");
  EXPECT_EQ(written, expected);
  EXPECT_TRUE(written["options"]["cap"].is_number_integer());
  EXPECT_THAT(directory.contents("result.json"), testing::StartsWith("{\"schema\": 1,\n \"version\": "));
}

TEST(ResultJson, ReadsBackWhatWasWritten) {
  ProblemDirectory directory;
  const Result result = small_result();
  write_result(result, small_context(), directory.path() / "result.json");
  const StoredResult stored = read_result(directory.path() / "result.json");
  EXPECT_EQ(stored.version, FCBIO_VERSION);
  EXPECT_EQ(stored.method, "fcbio");
  EXPECT_EQ(stored.status, "certified");
  EXPECT_EQ(stored.message, result.message);
  EXPECT_EQ(stored.upper_value, 0.5);
  EXPECT_EQ(stored.lower_value, 1e-17);
  EXPECT_EQ(stored.evidence, "proved");
  EXPECT_EQ(stored.upper_excess, 1e-7);
  EXPECT_EQ(stored.lower_gap, 2e-7);
  EXPECT_EQ(stored.upper_lower_bound, 0.25);
  EXPECT_EQ(stored.lower_lower_bound, 0.0);
  EXPECT_EQ(stored.witness.multiplier, 12.5);
  EXPECT_EQ(stored.witness.reference, result.witness.reference);
  EXPECT_EQ(stored.witness.lower_bound.kind, "known");
  EXPECT_EQ(stored.witness.upper_bound.kind, "dual");
  ASSERT_EQ(stored.witness.upper_bound.upper_duals.size(), 1U);
  EXPECT_EQ(stored.witness.upper_bound.upper_duals[0].size(), 0);
  ASSERT_EQ(stored.witness.upper_bound.lower_duals.size(), 2U);
  EXPECT_EQ(stored.witness.upper_bound.lower_duals[0], numbers({0.5, -0.5, 1}));
  EXPECT_EQ(stored.witness.upper_bound.point, numbers({3, 4}));
  EXPECT_EQ(stored.accuracy.upper, 1e-6);
  EXPECT_EQ(stored.accuracy.lower, 1e-7);
  EXPECT_EQ(stored.work.iterations, 10);
  EXPECT_EQ(stored.work.upper_passes, 20);
  EXPECT_EQ(stored.work.lower_passes, 30);
  EXPECT_EQ(stored.work.projections, 40);
  EXPECT_EQ(stored.work.certified_after, 45);
  EXPECT_EQ(stored.shortfall, 0.0);
  EXPECT_EQ(stored.read_seconds, 0.25);
  EXPECT_EQ(stored.solve_seconds, 1.5);
  EXPECT_EQ(stored.dimension, 2);
  EXPECT_EQ(stored.fingerprint, "0123456789abcdef");
  EXPECT_EQ(stored.seed, 7U);
  EXPECT_EQ(stored.options.at("cap"), "100");
  EXPECT_EQ(stored.options.at("warm"), "true");
  EXPECT_EQ(stored.options.at("budget"), "theory");
  EXPECT_EQ(stored.x, result.x);
}

TEST(ResultJson, NumbersKeepAllTheirBits) {
  ProblemDirectory directory;
  Result result = small_result();
  result.x = numbers({0.1 + 0.2, 1.0 / 3.0, 5e-324, -1.7976931348623157e308, std::nextafter(1.0, 2.0)});
  result.witness.multiplier = 2.0 / 3.0;
  ResultContext context = small_context();
  context.seed = ~std::uint64_t{0};
  write_result(result, context, directory.path() / "r.json");
  const StoredResult stored = read_result(directory.path() / "r.json");
  EXPECT_EQ(stored.x, result.x);
  EXPECT_EQ(stored.witness.multiplier, 2.0 / 3.0);
  EXPECT_EQ(stored.seed, context.seed);
}

TEST(ResultJson, EngineAndTightClaimsAreThereWhereTheyMeanSomething) {
  ProblemDirectory directory;
  Result result = small_result();
  result.engine = "quasi-newton";
  result.accuracy.tight = true;
  result.certificate.tight_level = 0.75;
  result.certificate.tight_excess = 1e-8;
  write_result(result, small_context(), directory.path() / "result.json");
  const Json written = parsed(directory, "result.json");
  EXPECT_EQ(written["engine"], "quasi-newton");
  EXPECT_EQ(written["accuracy"]["tight"], true);
  EXPECT_EQ(written["certificate"]["tight_level"], 0.75);
  const StoredResult stored = read_result(directory.path() / "result.json");
  EXPECT_EQ(stored.engine, "quasi-newton");
  EXPECT_TRUE(stored.accuracy.tight);
  EXPECT_EQ(stored.tight_level, 0.75);
  EXPECT_EQ(stored.tight_excess, 1e-8);
}

TEST(ResultJson, PremisesAndAViolationOfConvexityAreThereWhereTheyMeanSomething) {
  ProblemDirectory directory;
  Result result = small_result();
  write_result(result, small_context(), directory.path() / "plain.json");
  EXPECT_FALSE(parsed(directory, "plain.json").contains("convexity"));
  EXPECT_FALSE(parsed(directory, "plain.json")["certificate"].contains("premises"));
  result.certificate.premises = {"the function 'f' is convex and its gradient right"};
  result.status = Status::not_convex;
  result.violation = ConvexityViolation{"f", Level::lower, numbers({1, 2}), numbers({3, 4}), 0.5, 2.0};
  write_result(result, small_context(), directory.path() / "result.json");
  EXPECT_EQ(parsed(directory, "result.json")["status"], "not_convex");
  EXPECT_EQ(parsed(directory, "result.json")["convexity"],
            Json::parse(R"({"function": "f", "level": "lower", "amount": 0.5, "distance": 2.0,
                            "first": [1.0, 2.0], "second": [3.0, 4.0]})"));
  const StoredResult stored = read_result(directory.path() / "result.json");
  EXPECT_EQ(stored.premises, result.certificate.premises);
  ASSERT_TRUE(stored.violation.has_value());
  EXPECT_EQ(stored.violation->function, "f");
  EXPECT_EQ(stored.violation->level, Level::lower);
  EXPECT_EQ(stored.violation->first, numbers({1, 2}));
  EXPECT_EQ(stored.violation->second, numbers({3, 4}));
  EXPECT_EQ(stored.violation->amount, 0.5);
}

TEST(ResultJson, AbsoluteClaimsAreThereWhereTheyMeanSomething) {
  ProblemDirectory directory;
  Result result = small_result();
  write_result(result, small_context(), directory.path() / "plain.json");
  EXPECT_FALSE(parsed(directory, "plain.json")["accuracy"].contains("absolute"));
  EXPECT_FALSE(parsed(directory, "plain.json")["accuracy"].contains("holder"));
  EXPECT_FALSE(parsed(directory, "plain.json")["certificate"].contains("upper_deficit"));
  EXPECT_FALSE(read_result(directory.path() / "plain.json").accuracy.absolute);

  result.accuracy.absolute = true;
  result.certificate.upper_deficit = 1.0 / 3.0;
  result.certificate.holder = HolderBound{2.0, 0.1, 5.0};
  result.certificate.holder_source = HolderSource::computed;
  write_result(result, small_context(), directory.path() / "result.json");
  const Json written = parsed(directory, "result.json");
  EXPECT_EQ(written["accuracy"]["absolute"], true);
  EXPECT_EQ(written["accuracy"]["holder"]["beta"], 0.1);
  EXPECT_EQ(written["accuracy"]["holder"]["source"], "computed");
  EXPECT_EQ(written["certificate"]["upper_deficit"], 1.0 / 3.0);
  StoredResult stored = read_result(directory.path() / "result.json");
  EXPECT_TRUE(stored.accuracy.absolute);
  EXPECT_EQ(stored.upper_deficit, 1.0 / 3.0);
  ASSERT_TRUE(stored.accuracy.holder);
  EXPECT_EQ(stored.accuracy.holder->alpha, 2.0);
  EXPECT_EQ(stored.accuracy.holder->beta, 0.1);
  EXPECT_EQ(stored.accuracy.holder->gradient_bound, 5.0);
  EXPECT_EQ(stored.holder_source, HolderSource::computed);

  // A told error bound is kept where nothing could be proved with it.
  result.certificate = Certificate{};
  result.accuracy.holder = HolderBound{1.0, 2.0, 3.0};
  write_result(result, small_context(), directory.path() / "told.json");
  EXPECT_FALSE(parsed(directory, "told.json")["certificate"].contains("upper_deficit"));
  stored = read_result(directory.path() / "told.json");
  EXPECT_EQ(stored.holder_source, HolderSource::told);
  EXPECT_EQ(stored.accuracy.holder.value().gradient_bound, 3.0);
  EXPECT_FALSE(stored.upper_deficit);
}

TEST(ResultJson, WhatIsNotKnownOrNotFiniteIsNull) {
  ProblemDirectory directory;
  Result result = small_result();
  result.status = Status::not_finite;
  result.upper_value = std::nan("");
  result.lower_value = kInfinity;
  result.certificate = Certificate{};
  result.certificate.lower_gap = kInfinity;
  result.certificate.upper_lower_bound = -kInfinity;
  result.x = Vector::Constant(kInlineNumbers + 1, std::nan(""));
  result.message = "bad \xff byte";
  write_result(result, small_context(), directory.path() / "result.json");
  const Json written = parsed(directory, "result.json");
  EXPECT_EQ(written["status"], "not_finite");
  EXPECT_TRUE(written["upper_value"].is_null());
  EXPECT_TRUE(written["lower_value"].is_null());
  for (const char* key : {"upper_excess", "lower_gap", "upper_lower_bound", "lower_lower_bound"})
    EXPECT_TRUE(written["certificate"][key].is_null()) << key;
  EXPECT_EQ(written["x"].size(), static_cast<std::size_t>(kInlineNumbers + 1));
  EXPECT_TRUE(written["x"][0].is_null());
  const StoredResult stored = read_result(directory.path() / "result.json");
  EXPECT_FALSE(stored.upper_value.has_value());
  EXPECT_FALSE(stored.lower_gap.has_value());
  EXPECT_TRUE(std::isnan(stored.x[0]));
}

TEST(ResultJson, LongVectorsGoToFiles) {
  ProblemDirectory directory;
  Result result = small_result();
  const Index n = kInlineNumbers + 1;
  result.x = Vector::LinSpaced(n, 0.0, 1.0);
  result.witness.reference = Vector::LinSpaced(n, 1.0, 2.0);
  result.witness.upper_bound.lower_duals[1] = Vector::LinSpaced(2 * n, 0.0, 5.0);
  result.witness.upper_bound.upper_duals[0] = Vector::Ones(kInlineNumbers);  // just short enough
  result.witness.lower_bound = {"dual", {}, {Vector::LinSpaced(n, 3.0, 4.0)}, {}, {}};
  result.witness.upper_bound.point = Vector::LinSpaced(n, 7.0, 9.0);
  write_result(result, small_context(), directory.path() / "my.run.json");
  const Json written = parsed(directory, "my.run.json");
  EXPECT_EQ(written["x"], "my.run.x.npy");
  EXPECT_EQ(written["witness"]["reference"], "my.run.reference.npy");
  EXPECT_EQ(written["witness"]["lower_bound"]["lower_duals"][0], "my.run.lower-bound.lower-dual-0.npy");
  EXPECT_EQ(written["witness"]["upper_bound"]["lower_duals"][1], "my.run.upper-bound.lower-dual-1.npy");
  EXPECT_EQ(written["witness"]["upper_bound"]["upper_duals"][0].size(), 1000U);
  EXPECT_EQ(written["witness"]["upper_bound"]["point"], "my.run.upper-bound.point.npy");
  const StoredResult stored = read_result(directory.path() / "my.run.json");
  EXPECT_EQ(stored.x, result.x);
  EXPECT_EQ(stored.witness.reference, result.witness.reference);
  EXPECT_EQ(stored.witness.lower_bound.lower_duals[0], result.witness.lower_bound.lower_duals[0]);
  EXPECT_EQ(stored.witness.upper_bound.lower_duals[1], result.witness.upper_bound.lower_duals[1]);
  EXPECT_EQ(stored.witness.upper_bound.point, result.witness.upper_bound.point);
}

TEST(ResultJson, ALongSolutionIsNotWrittenTwice) {
  ProblemDirectory directory;
  std::filesystem::create_directories(directory.path() / "out/deep");
  Result result = small_result();
  result.x = Vector::LinSpaced(kInlineNumbers + 1, 0.0, 1.0);
  ResultContext context = small_context();
  const auto x_of = [&](const std::string& solution) {
    context.solution = directory.path() / solution;
    write_solution(*context.solution, result.x);
    write_result(result, context, directory.path() / "out/r.json");
    EXPECT_EQ(read_result(directory.path() / "out/r.json").x, result.x);
    return parsed(directory, "out/r.json")["x"].get<std::string>();
  };
  EXPECT_EQ(x_of("out/x.npy"), "x.npy");
  EXPECT_EQ(x_of("out/deep/x.npy"), "deep/x.npy");
  EXPECT_FALSE(std::filesystem::exists(directory.path() / "out/r.x.npy"));
  EXPECT_EQ(x_of("elsewhere.npy"), "r.x.npy");
  EXPECT_EQ(x_of("out/x.csv"), "r.x.npy");
}

TEST(ResultJson, SolutionsByTheirEnding) {
  ProblemDirectory directory;
  const Vector x = numbers({0.1, -3});
  write_solution(directory.path() / "x.csv", x);
  EXPECT_EQ(directory.contents("x.csv"), "0.1\n-3\n");
  write_solution(directory.path() / "x.npy", x);
  EXPECT_EQ(directory.contents("x.npy"), format_npy(x));
  for (const char* name : {"x.txt", "x", "x.npy.gz"}) {
    try {
      write_solution(directory.path() / name, x);
      ADD_FAILURE() << name;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("expected a solution file that ends in .npy or .csv, found "));
    }
    EXPECT_FALSE(std::filesystem::exists(directory.path() / name));
  }
}

TEST(ResultJson, RefusesWhatIsNoResult) {
  ProblemDirectory directory;
  write_result(small_result(), small_context(), directory.path() / "good.json");
  const Json good = parsed(directory, "good.json");
  const auto refusal = [&](const std::string& text) -> std::string {
    try {
      read_result(directory.write("bad.json", text));
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  const auto changed = [&](const char* pointer, const Json& value) {
    Json bad = good;
    bad[Json::json_pointer(pointer)] = value;
    return refusal(bad.dump());
  };
  EXPECT_EQ(refusal(good.dump()), "accepted");
  EXPECT_THAT(refusal(""), HasSubstr("bad.json:1: expected JSON, found a syntax error"));
  EXPECT_THAT(refusal("{\"schema\": 1,\n\"version\" 3}"),
              HasSubstr("bad.json:2: expected JSON, found a syntax error"));
  EXPECT_THAT(refusal("[]"), HasSubstr("expected an object as \"\", found []"));
  EXPECT_THAT(refusal("{\"schema\": 1}"), HasSubstr("expected the field \"version\", found none"));
  EXPECT_THAT(changed("/schema", 2), HasSubstr("expected schema 1 as \"schema\", found 2"));
  EXPECT_THAT(changed("/upper_value", "0.5"),
              HasSubstr("expected a number or null as \"upper_value\", found \"0.5\""));
  EXPECT_THAT(changed("/certificate/lower_gap", true),
              HasSubstr("expected a number or null as \"certificate.lower_gap\", found true"));
  EXPECT_THAT(changed("/certificate", 3), HasSubstr("expected an object as \"certificate\", found 3"));
  EXPECT_THAT(changed("/witness/lower_bound/kind", "magic"),
              HasSubstr("expected known, dual or none as \"witness.lower_bound.kind\", found \"magic\""));
  EXPECT_THAT(changed("/witness/upper_bound/lower_duals/0/1", "a"),
              HasSubstr("as \"witness.upper_bound.lower_duals[0][1]\", found \"a\""));
  EXPECT_THAT(changed("/work/iterations", -1),
              HasSubstr("expected an integer >= 0 as \"work.iterations\", found -1"));
  EXPECT_THAT(changed("/x", Json::array({1, 2, 3})),
              HasSubstr("expected 2 numbers in \"x\", as problem.dimension says, found 3"));
  EXPECT_THAT(changed("/x", "absent.npy"), HasSubstr("absent.npy"));
  Json missing = good;
  missing["certificate"].erase("upper_excess");
  EXPECT_THAT(refusal(missing.dump()), HasSubstr("expected the field \"certificate.upper_excess\", found none"));
  EXPECT_THROW(read_result(directory.path() / "none.json"), InputError);
  EXPECT_THROW(read_result(directory.path()), InputError);
}

TEST(ResultJson, NothingIsLeftWhenTheFileCannotBeMade) {
  ProblemDirectory directory;
  EXPECT_THROW(write_result(small_result(), small_context(), directory.path() / "absent/result.json"), InputError);
  EXPECT_TRUE(std::filesystem::is_empty(directory.path()));
}

}  // namespace
}  // namespace fcbio::io
