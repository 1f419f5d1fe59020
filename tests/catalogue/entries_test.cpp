// Every entry in the same way: what its texts say about it is true, every parameter does something, it survives
// being written to files, and mistakes are refused with a useful text.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "catalogue/catalogue.hpp"
#include "fcbio/error.hpp"
#include "io/problem_file.hpp"
#include "small_sizes.hpp"
#include "support/refusal.hpp"

namespace fcbio::catalogue {
namespace {

using testing::HasSubstr;

std::string size_of(const data::Problem& data) {
  for (const data::Term& term : data.lower)
    if (const data::Matrix* rows = data::rows_of(term))
      return std::to_string(rows->rows()) + " x " + std::to_string(data.dimension);
  return std::to_string(data.dimension);
}

TEST(Entries, SizesAreThoseOfTheDefaults) {
  for (const Entry& entry : entries()) EXPECT_EQ(entry.size, size_of(entry.make({}, 1).data)) << entry.name;
}

TEST(Entries, EveryConvexProblemOfTheListIsThere) {
  std::set<std::string> ids;
  for (const Entry& entry : entries()) ids.insert(entry.id);
  ids.erase("");
  std::set<std::string> expected;
  for (int k = 1; k <= 16; ++k) expected.insert("P" + std::to_string(k));
  EXPECT_EQ(ids, expected);
}

TEST(Entries, ThePageOfProblemsHasARowForEachWithItsIdAndSize) {
  std::ifstream file(std::string(FCBIO_SOURCE_DIR) + "/docs/problems.md");
  std::map<std::string, std::string> rows;  // by name
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("| `")) rows[line.substr(3, line.find('`', 3) - 3)] = line;
  for (const Entry& entry : entries()) {
    ASSERT_TRUE(rows.contains(entry.name)) << entry.name;
    const std::string begin =
        "| `" + entry.name + "` | " + (entry.id.empty() ? "" : entry.id + " ") + "| " + entry.size + " |";
    EXPECT_THAT(rows.at(entry.name), testing::StartsWith(begin));
    rows.erase(entry.name);
  }
  EXPECT_TRUE(rows.empty()) << rows.begin()->first << " is no entry";
}

// A value other than the default (and other than small()'s) for every parameter of every entry.
TEST(Entries, EveryParameterChangesTheProblem) {
  const std::map<std::string, std::string> other = {
      {"rows", "13"},       {"columns", "29"},    {"rank", "7"},       {"condition", "7"}, {"radius", "300.5"},
      {"training", "17"},   {"validation", "19"}, {"dimension", "26"}, {"ties", "5"},      {"total", "0.7"},
      {"spread", "0.11"},   {"support", "3"},     {"chain", "3"},      {"center", "7"},    {"features", "5"},
      {"repeats", "9"},     {"degree", "2"},      {"atoms", "11"},     {"old_atoms", "5"}, {"samples", "21"},
      {"new_samples", "9"}, {"steps", "12"},      {"ridge", "0.3"},    {"bound", "0.7"},   {"average", "true"},
      {"length", "5"},
  };
  std::size_t seen = 0;
  for (const Entry& entry : entries()) {
    const std::string usual = data::fingerprint(entry.make(small(entry.name), 1).data);
    for (const OptionInfo& parameter : entry.parameters) {
      SCOPED_TRACE(entry.name + " " + parameter.name);
      OptionValues values = small(entry.name);
      if (other.contains(parameter.name)) {
        values[parameter.name] = other.at(parameter.name);
      } else if (parameter.name == "noise") {
        values["noise"] = "0.25";
        if (entry.name == "min-norm") values["rank"] = "20";
      } else {  // a choice: the last one that is not the default
        std::istringstream choices(parameter.range);
        for (std::string word; choices >> word;)
          if (word != "|" && word != parameter.default_value) values[parameter.name] = word;
      }
      ASSERT_TRUE(values.contains(parameter.name));
      EXPECT_NE(data::fingerprint(entry.make(values, 1).data), usual);
      ++seen;
    }
  }
  EXPECT_GE(seen, 80U);
}

TEST(Entries, FilesReadBackAreTheSameProblem) {
  const std::filesystem::path directory =
      std::filesystem::temp_directory_path() / ("fcbio-entries-" + std::to_string(::getpid()));
  std::vector<std::pair<const Entry*, OptionValues>> forms;
  for (const Entry& entry : entries()) forms.emplace_back(&entry, small(entry.name));
  for (const auto& [name, key, value] :
       std::vector<std::array<std::string, 3>>{{"min-norm-collinear", "set", "ball"},
                                               {"elastic-net", "average", "true"},
                                               {"logistic-repeated", "norm", "l1"},
                                               {"nesterov-lasso", "norm", "l2"},
                                               {"hinge-documents", "set", "ball"},
                                               {"regression-pair", "set", "simplex"}}) {
    OptionValues values = small(name);
    values[key] = value;
    forms.emplace_back(&find_entry(name), values);
  }
  for (const auto& form : forms) {
    SCOPED_TRACE(form.first->name);
    const data::Problem data = form.first->make(form.second, 5).data;
    io::write_problem(data, directory, "a comment");
    const data::Problem read = io::read_problem(directory / io::kProblemFileName);
    EXPECT_EQ(data::fingerprint(read), data::fingerprint(data));
    EXPECT_EQ(read.accuracy.upper, data.accuracy.upper);
    EXPECT_EQ(read.accuracy.lower, data.accuracy.lower);
    EXPECT_EQ(read.start.has_value(), data.start.has_value());
    if (read.start && data.start) {
      EXPECT_EQ(*read.start, *data.start);
    }
    std::filesystem::remove_all(directory);
  }
}

std::string refusal(const std::string& name, const OptionValues& values) {
  return test::refusal([&] { find_entry(name).make(values, 1); });
}

TEST(Entries, Refusals) {
  EXPECT_THAT(refusal("min-norm-collinear", {{"rows", "90"}}), HasSubstr("more than features = 90, found 90"));
  EXPECT_THAT(refusal("min-norm-collinear", {{"rows", "40"}, {"features", "8"}, {"radius", "0.01"}}),
              HasSubstr("raise radius"));
  EXPECT_THAT(refusal("elastic-net", {{"radius", "0.01"}}), HasSubstr("solutions are known to lie within"));
  EXPECT_THAT(refusal("elastic-net", {{"average", "maybe"}}), HasSubstr("expected true | false, found 'maybe'"));
  EXPECT_THAT(refusal("elastic-net", {{"set", "box"}}), HasSubstr("whole-space | ball"));
  EXPECT_THAT(refusal("logistic-repeated", {{"repeats", "1"}}), HasSubstr("found '1'"));
  EXPECT_THAT(refusal("logistic-repeated", {{"rows", "40"}, {"columns", "20"}}),
              HasSubstr("lower rows or raise columns"));
  EXPECT_THAT(refusal("logistic-repeated", {{"radius", "0.5"}}), HasSubstr("raise radius"));
  EXPECT_THAT(refusal("dictionary", {{"old_atoms", "51"}}), HasSubstr("at most atoms = 50, found 51"));
  EXPECT_THAT(refusal("nesterov-lasso", {{"rows", "300"}}), HasSubstr("at most columns = 250, found 300"));
  EXPECT_THAT(refusal("nesterov-lasso", {{"support", "300"}}), HasSubstr("at most columns = 250, found 300"));
  EXPECT_THAT(refusal("nesterov-lasso", {{"norm", "l0"}}), HasSubstr("l1 | l2"));
  EXPECT_THAT(refusal("phillips", {{"dimension", "1"}}), HasSubstr("found '1'"));
  EXPECT_THAT(refusal("hard-lipschitz", {{"radius", "0.5"}}), HasSubstr("found '0.5'"));
  EXPECT_THAT(refusal("hard-smooth", {{"step", "5"}}), HasSubstr("did you mean 'steps'"));
  EXPECT_THAT(refusal("elastc-net", {}), HasSubstr("did you mean 'elastic-net'"));
}

}  // namespace
}  // namespace fcbio::catalogue
