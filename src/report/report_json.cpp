// Report to JSON: what the page under web/ reads (web/src/report.ts states the same shape as types).  Samples are
// stored by column; a column without any number is empty.  A number that is not known or not finite is null.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fcbio/version.hpp"
#include "io/json_number.hpp"
#include "report/report.hpp"

namespace fcbio::report {
namespace {

using Json = io::OrderedJson;

// More points in one line than this cannot be told apart on a screen; all lines together share the second number,
// which keeps a page with thirty runs small, but none has fewer than the third.
constexpr std::size_t kMostOfOne = 800, kMostOfAll = 6000, kLeastOfOne = 120;

Json interval(const std::optional<Interval>& known) {
  if (!known) return nullptr;
  return {{"low", io::json_number(known->low)}, {"high", io::json_number(known->high)}};
}

Json pairs(const Details& details) {
  Json array = Json::array();
  for (const auto& [name, text] : details) array.push_back({name, text});
  return array;
}

Json accuracy(const Accuracy& asked) {
  return {
      {"upper", io::json_number(asked.upper)}, {"lower", io::json_number(asked.lower)}, {"tight", asked.tight}};
}

Json certificate(const Certificate& known) {
  return {{"evidence", to_string(known.evidence)},
          {"upper_excess", io::json_number(known.upper_excess)},
          {"lower_gap", io::json_number(known.lower_gap)},
          {"upper_lower_bound", io::json_number(known.upper_lower_bound)},
          {"lower_lower_bound", io::json_number(known.lower_lower_bound)},
          {"tight_level", io::json_number(known.tight_level)},
          {"tight_excess", io::json_number(known.tight_excess)}};
}

/// At most `most` of the samples, the first and the last among them: half of them evenly, half evenly on a
/// logarithmic axis, as both are drawn.
std::vector<Sample> shown(const std::vector<Sample>& samples, std::size_t most) {
  if (samples.size() <= most) return samples;
  const std::size_t half = most / 2, last = samples.size() - 1;
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < half; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(half - 1);
    chosen.push_back(i * last / (half - 1));
    chosen.push_back(std::min(last, static_cast<std::size_t>(std::pow(static_cast<double>(last), share))));
  }
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  std::vector<Sample> some;
  for (const std::size_t at : chosen) some.push_back(samples[at]);
  return some;
}

std::size_t samples_of_one(std::size_t runs) {
  return std::clamp(kMostOfAll / std::max<std::size_t>(runs, 1), kLeastOfOne, kMostOfOne);
}

template <class Read>
Json column(const std::vector<Sample>& samples, Read read) {
  Json numbers = Json::array();
  bool any = false;
  for (const Sample& sample : samples) {
    numbers.push_back(io::json_number(read(sample)));
    any = any || !numbers.back().is_null();
  }
  return any ? numbers : Json::array();
}

/// A bound that is only shown, never subtracted from: as many digits as a chart can show.
double few_digits(double value) { return std::isfinite(value) ? std::stod(fmt::format("{:.5e}", value)) : value; }

Json count(const std::optional<std::int64_t>& known) { return known ? Json(*known) : Json(nullptr); }

Json counts(const std::vector<Sample>& samples, std::int64_t Work::*which) {
  Json numbers = Json::array();
  for (const Sample& sample : samples) numbers.push_back(sample.work.*which);
  return numbers;
}

Json columns(const std::vector<Sample>& samples) {
  return {{"count", samples.size()},
          {"iterations", counts(samples, &Work::iterations)},
          {"upper_passes", counts(samples, &Work::upper_passes)},
          {"lower_passes", counts(samples, &Work::lower_passes)},
          // Microseconds are all that a chart can show.
          {"seconds", column(samples, [](const Sample& s) { return std::round(s.seconds * 1e6) / 1e6; })},
          {"upper_value", column(samples, [](const Sample& s) { return s.upper_value; })},
          {"lower_value", column(samples, [](const Sample& s) { return s.lower_value; })},
          {"bracket_low", column(samples, [](const Sample& s) { return s.bracket_low; })},
          {"bracket_high", column(samples, [](const Sample& s) { return s.bracket_high; })},
          {"upper_excess", column(samples, [](const Sample& s) { return few_digits(s.upper_excess); })},
          {"lower_gap", column(samples, [](const Sample& s) { return few_digits(s.lower_gap); })}};
}

Json weak_json(const std::optional<WeakAfter>& weak) {
  if (!weak) return nullptr;
  return {{"passes", weak->sample.work.passes()},
          {"iterations", weak->sample.work.iterations},
          {"seconds", io::json_number(weak->sample.seconds)},
          {"returned", weak->returned}};
}

Json run_json(const Run& run, std::size_t most_samples) {
  const Result& result = run.result;
  Json cuts = Json::array();
  for (const Cut& cut : run.cuts)
    cuts.push_back({{"multiplier", io::json_number(cut.multiplier)}, {"value", io::json_number(cut.value)}});
  return {{"name", run.name},
          {"method", result.method},
          {"engine", result.engine},
          {"status", to_string(result.status)},
          {"message", result.message},
          {"upper_value", io::json_number(result.upper_value)},
          {"lower_value", io::json_number(result.lower_value)},
          {"certificate", certificate(result.certificate)},
          {"multiplier", io::json_number(result.witness.multiplier)},
          {"accuracy", accuracy(result.accuracy)},
          {"work",
           {{"iterations", result.work.iterations},
            {"upper_passes", result.work.upper_passes},
            {"lower_passes", result.work.lower_passes},
            {"projections", result.work.projections},
            {"certified_after", count(result.work.certified_after)}}},
          {"seconds", io::json_number(result.solve_seconds)},
          {"options", pairs(result.options)},
          {"samples", columns(shown(run.samples, most_samples))},
          {"cuts", std::move(cuts)},
          {"weak_after", weak_json(run.weak_after)},
          {"columns", pairs(run.columns)}};
}

Json solution_json(const std::optional<Solution>& solution) {
  if (!solution) return nullptr;
  Json largest = Json::array(), values = Json::array();
  for (const Solution::Entry& entry : solution->largest)
    largest.push_back({{"index", entry.index},
                       {"name", entry.name.empty() ? Json(nullptr) : Json(entry.name)},
                       {"value", io::json_number(entry.value)}});
  for (const double value : solution->values) values.push_back(io::json_number(value));
  return {{"dimension", solution->dimension},
          {"nonzero", solution->nonzero},
          {"largest", std::move(largest)},
          {"shape", solution->shape},
          {"values", std::move(values)}};
}

Json classifiers_json(const std::vector<Classifier>& classifiers) {
  Json list = Json::array();
  for (const Classifier& judged : classifiers)
    list.push_back({{"level", judged.level == Level::upper ? "upper" : "lower"},
                    {"name", judged.name},
                    {"rows", judged.rows},
                    {"positives", judged.positives},
                    {"accuracy", judged.accuracy},
                    {"auc", io::json_number(judged.auc)}});
  return list;
}

Json finding_json(const std::optional<Finding>& finding) {
  if (!finding) return nullptr;
  return {{"holds", finding->holds}, {"headline", finding->headline}, {"text", finding->text}};
}

Json bounds_json(const Bounds& bounds) {
  Json lines = Json::array();
  for (const BoundLine& line : bounds.lines) {
    Json samples = Json::array();
    for (const BoundSample& sample : line.samples)
      samples.push_back({{"accuracy", sample.accuracy},
                         {"bound", sample.bound},
                         {"judged", sample.judged},
                         {"longest_round", count(sample.longest_round)},
                         {"rounds", count(sample.rounds)},
                         {"gradients", sample.gradients},
                         {"first_weak", count(sample.first_weak)}});
    lines.push_back(
        {{"name", line.name}, {"exponent", io::json_number(line.exponent)}, {"samples", std::move(samples)}});
  }
  return {{"expected_exponent", bounds.expected_exponent}, {"lines", std::move(lines)}};
}

}  // namespace

std::string to_json(const Report& report) {
  Json runs = Json::array();
  for (const Run& run : report.runs) runs.push_back(run_json(run, samples_of_one(report.runs.size())));
  Json left_out = Json::array();
  for (const LeftOut& method : report.left_out) left_out.push_back({{"name", method.name}, {"why", method.why}});
  Json json = {{"schema", 1},
               {"version", FCBIO_VERSION},
               {"kind", report.kind},
               {"title", report.title},
               {"introduction", report.introduction},
               {"problem", pairs(report.problem)},
               {"accuracy", accuracy(report.accuracy)},
               {"upper_optimum", interval(report.upper_optimum)},
               {"lower_optimum", interval(report.lower_optimum)},
               {"certificate", report.certificate},
               {"runs", std::move(runs)},
               {"solution", solution_json(report.solution)},
               {"classifiers", classifiers_json(report.classifiers)},
               {"finding", finding_json(report.finding)},
               {"left_out", std::move(left_out)}};
  if (report.bounds) json["bounds"] = bounds_json(*report.bounds);
  // Text that is not UTF-8 (a file name, say) must not stop a report.
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace fcbio::report
