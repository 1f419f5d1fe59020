// Reports as JSON and as pages: numbers, texts, files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "data/input_error.hpp"
#include "pages.hpp"
#include "support/refusal.hpp"

namespace fcbio::report_test {
namespace {

using nlohmann::json;
using report::Report;
using testing::HasSubstr;
using testing::Not;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

class ScratchDirectory {
 public:
  ScratchDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "fcbio-report-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no scratch directory");
    path_ = name;
  }
  ~ScratchDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

std::string contents_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

/// What a browser takes for the data: from the opening of the block to the first '</' after it.
std::string data_block(const std::string& html) {
  const std::string opening = "<script type=\"application/json\" id=\"report-data\">";
  const std::size_t begin = html.find(opening) + opening.size();
  return html.substr(begin, html.find("</", begin) - begin);
}

TEST(ReportJson, HoldsWhatTheReportHolds) {
  const json read = json::parse(to_json(comparison()));
  EXPECT_EQ(read["schema"], 1);
  EXPECT_EQ(read["kind"], "compare");
  EXPECT_EQ(read["problem"],
            json::parse(R"([["Upper objective f", "squared-norm"], ["Domain Z", "ball of radius 2"]])"));
  EXPECT_EQ(read["accuracy"]["upper"], 1e-4);
  EXPECT_EQ(read["upper_optimum"]["low"], 2.0 - 1e-6);
  EXPECT_EQ(read["left_out"], json::parse(R"([{"name": "absent", "why": "needs a smooth f"}])"));
  ASSERT_EQ(read["runs"].size(), 3U);
  const json& run = read["runs"][0];
  EXPECT_EQ(run["name"], "swift");
  EXPECT_EQ(run["status"], "certified");
  EXPECT_EQ(run["certificate"]["evidence"], "proved");
  EXPECT_EQ(run["options"], json::parse(R"([["memory", "10"], ["engine", "auto"]])"));
  EXPECT_EQ(run["cuts"][0]["multiplier"], 3.0);
  EXPECT_EQ(run["weak_after"]["passes"], 6);
  EXPECT_EQ(run["weak_after"]["returned"], true);
  EXPECT_EQ(read["runs"][1]["weak_after"]["returned"], false);
  EXPECT_TRUE(read["runs"][2]["weak_after"].is_null());
  EXPECT_EQ(run["samples"]["count"], 40);
  for (const char* column : {"iterations", "upper_passes", "lower_passes", "seconds", "upper_value", "lower_value",
                             "bracket_low", "bracket_high", "upper_excess", "lower_gap"})
    EXPECT_EQ(run["samples"][column].size(), 40U) << column;
  // To the bit: differences as small as 1e-12 are shown.
  EXPECT_EQ(run["samples"]["upper_value"][7].get<double>(), comparison().runs[0].samples[7].upper_value);
}

TEST(ReportJson, NumbersThatAreNotFiniteAreNull) {
  Report made = comparison();
  made.accuracy.upper = kNaN;
  made.upper_optimum = {-kInfinity, 1.0};
  made.runs.resize(1);
  made.runs[0].result.upper_value = kNaN;
  made.runs[0].result.solve_seconds = kInfinity;
  made.runs[0].result.certificate.upper_excess = -kInfinity;
  made.runs[0].result.certificate.lower_gap.reset();
  made.runs[0].samples[0].upper_value = kInfinity;
  for (report::Sample& sample : made.runs[0].samples) sample.bracket_low = kNaN;
  made.runs[0].cuts = {{kNaN, kInfinity}};
  const std::string text = to_json(made);
  const json read = json::parse(text);  // JSON has no word for NaN: this would throw
  const json& run = read["runs"][0];
  EXPECT_TRUE(read["accuracy"]["upper"].is_null());
  EXPECT_TRUE(read["upper_optimum"]["low"].is_null());
  EXPECT_EQ(read["upper_optimum"]["high"], 1.0);
  EXPECT_TRUE(run["upper_value"].is_null());
  EXPECT_TRUE(run["seconds"].is_null());
  EXPECT_TRUE(run["certificate"]["upper_excess"].is_null());
  EXPECT_TRUE(run["certificate"]["lower_gap"].is_null());
  EXPECT_TRUE(run["samples"]["upper_value"][0].is_null());
  EXPECT_TRUE(run["samples"]["upper_value"][1].is_number());
  EXPECT_EQ(run["samples"]["bracket_low"], json::array());  // nothing known in the whole column
  EXPECT_TRUE(run["cuts"][0]["multiplier"].is_null());
}

TEST(ReportJson, AnEmptyReportIsComplete) {
  const json read = json::parse(to_json(empty()));
  EXPECT_TRUE(read["upper_optimum"].is_null());
  EXPECT_EQ(read["runs"], json::array());
  EXPECT_EQ(read["left_out"], json::array());
  EXPECT_TRUE(read["solution"].is_null());
  EXPECT_EQ(read["classifiers"], json::array());
  EXPECT_EQ(read["problem"], json::array());
}

TEST(ReportJson, LongRunsAreThinnedButKeepTheirEnds) {
  Report made = comparison();
  made.runs.resize(1);
  const report::Sample last = made.runs[0].samples.back();
  for (std::int64_t k = 41; k <= 10000; ++k) {
    made.runs[0].samples.push_back(last);
    made.runs[0].samples.back().work.iterations = k;
  }
  const json iterations = json::parse(to_json(made))["runs"][0]["samples"]["iterations"];
  EXPECT_LE(iterations.size(), 800U);
  EXPECT_GE(iterations.size(), 600U);
  EXPECT_EQ(iterations.front(), 1);
  EXPECT_EQ(iterations[19], 20);  // on a logarithmic axis the first ones are far apart
  EXPECT_EQ(iterations.back(), 10000);
  for (std::size_t i = 1; i < iterations.size(); ++i)
    EXPECT_LT(iterations[i - 1].get<int>(), iterations[i].get<int>());
}

TEST(ReportPage, OfTwentyNineLongRunsIsSmallEnoughToOpenAtOnce) {
  Report made = comparison();
  made.runs.resize(1);
  std::vector<report::Sample>& samples = made.runs[0].samples;
  const std::vector<report::Sample> pattern = samples;
  for (std::size_t k = 0; k < 5000; ++k) {
    samples.push_back(pattern[k % pattern.size()]);
    samples.back().work = {static_cast<std::int64_t>(100000 + k), 123456, 1234567, 0};
  }
  made.runs.resize(29, made.runs[0]);
  EXPECT_LT(to_html(made).size(), 1500000U);
}

TEST(ReportJson, HoldsTheAnswerAndWhatAnExperimentFound) {
  const json read = json::parse(to_json(comparison()));
  EXPECT_EQ(read["solution"]["dimension"], 12);
  EXPECT_EQ(read["solution"]["nonzero"], 11);
  EXPECT_EQ(read["solution"]["largest"][0], json::parse(R"({"index": 11, "name": "weight 11", "value": -5.5})"));
  EXPECT_EQ(read["solution"]["shape"], json::parse("[3, 4]"));
  EXPECT_EQ(read["solution"]["values"].size(), 12U);
  EXPECT_EQ(read["classifiers"][0]["auc"], 0.75);
  EXPECT_TRUE(read["finding"].is_null());
  const json experiment = json::parse(to_json(theorem()));
  EXPECT_TRUE(experiment["solution"].is_null());
  EXPECT_EQ(experiment["finding"]["holds"], true);
  EXPECT_EQ(experiment["runs"][1]["columns"], json::parse(R"([["watched", "zero-respecting"]])"));
}

TEST(ReportPage, TextOfTheUserStaysInsideTheDataBlock) {
  const Report made = hostile();
  const std::string html = to_html(made);
  // The same page without any text of the user has as much markup.
  const std::string plain = to_html(empty());
  EXPECT_EQ(count_of(html, "<"), count_of(plain, "<"));
  EXPECT_THAT(html, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(html, Not(HasSubstr("<img")));
  const std::string block = data_block(html);
  EXPECT_THAT(block, Not(HasSubstr("<")));
  const json read = json::parse(block);
  EXPECT_EQ(read, json::parse(to_json(made)));
  EXPECT_EQ(read["runs"][0]["name"], "<script>alert(1)</script>");
  EXPECT_EQ(read["title"], made.title);
}

TEST(ReportPage, BytesThatAreNotUtf8AreReplaced) {
  const json read = json::parse(data_block(to_html(hostile())));
  EXPECT_EQ(read["problem"][1][1], "\xef\xbf\xbd\xef\xbf\xbd and \x01\x1f");
}

TEST(ReportPage, LoadsNothing) {
  const std::string html = to_html(empty());
  EXPECT_EQ(html.rfind("<!DOCTYPE html>", 0), 0U);
  EXPECT_THAT(html, HasSubstr("default-src 'none'"));
  EXPECT_THAT(html, Not(HasSubstr("<script src")));
  EXPECT_THAT(html, Not(HasSubstr("stylesheet")));
  EXPECT_THAT(html, Not(HasSubstr("@import")));
  EXPECT_THAT(html, HasSubstr("Observable"));  // licences are passed on
}

TEST(ReportFile, AppearsCompleteAndReplaces) {
  const ScratchDirectory directory;
  const std::filesystem::path file = directory.path() / "report.html";
  write_html(empty(), file);
  write_html(comparison(), file);
  EXPECT_EQ(contents_of(file), to_html(comparison()));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(directory.path()), {}), 1);
}

TEST(ReportFile, ThatCannotBeWrittenIsRefusedByName) {
  const ScratchDirectory directory;
  const auto refusal = [](const std::filesystem::path& file) {
    return test::refusal<InputError>([&] { write_html(empty(), file); });
  };
  EXPECT_THAT(refusal(directory.path() / "absent" / "report.html"), HasSubstr("absent/report.html"));
  EXPECT_THAT(refusal(directory.path()), HasSubstr(directory.path().string()));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(directory.path()), {}), 0);
}

// The browser tests under web/tests open these: FCBIO_REPORT_PAGES says where to leave them.
TEST(ReportFile, PagesForTheBrowserTests) {
  const ScratchDirectory scratch;
  const char* wanted = std::getenv("FCBIO_REPORT_PAGES");
  const std::filesystem::path directory = wanted != nullptr ? std::filesystem::path(wanted) : scratch.path();
  for (const auto& [name, made] : pages()) {
    write_html(made, directory / name);
    EXPECT_EQ(contents_of(directory / name), to_html(made)) << name;
  }
}

}  // namespace
}  // namespace fcbio::report_test
