// compare.json, schema 2.
#include "experiments/comparison.hpp"
#include "experiments/json.hpp"
#include "fcbio/version.hpp"

namespace fcbio::experiments {
namespace {

Json interval(const std::optional<report::Interval>& known, const char* upper_end) {
  if (!known) return nullptr;
  return {{"low", json_number(known->low)},
          {"high", json_number(known->high)},
          {"low_is", "proved"},
          {"high_is", upper_end}};
}

Json range(const std::optional<report::Interval>& known) {
  if (!known) return nullptr;
  return {{"low", json_number(known->low)}, {"high", json_number(known->high)}};
}

Json work(const Work& done, double seconds) {
  Json json = {{"iterations", done.iterations},
               {"upper_passes", done.upper_passes},
               {"lower_passes", done.lower_passes},
               {"projections", done.projections},
               {"seconds", json_number(seconds)}};
  if (done.certified_after) json["certified_after"] = *done.certified_after;
  return json;
}

Json weak(const std::optional<report::WeakAfter>& first) {
  if (!first) return nullptr;
  Json json = work(first->sample.work, first->sample.seconds);
  json["returned"] = first->returned;
  return json;
}

Json run(const Comparison& comparison, const Attempt& attempt) {
  const Result& result = attempt.result;
  Json options = Json::object();
  for (const auto& [key, value] : result.options) options[key] = value;
  Json trace = {{"iterations", Json::array()},
                {"passes", Json::array()},
                {"seconds", Json::array()},
                {"upper_value", Json::array()},
                {"lower_value", Json::array()}};
  for (const report::Sample& sample : attempt.samples) {
    trace["iterations"].push_back(sample.work.iterations);
    trace["passes"].push_back(sample.work.passes());
    trace["seconds"].push_back(json_number(sample.seconds));
    trace["upper_value"].push_back(json_number(sample.upper_value));
    trace["lower_value"].push_back(json_number(sample.lower_value));
  }
  const Certificate& known = result.certificate;
  return {{"name", attempt.contestant.label},
          {"method", result.method},
          {"engine", result.engine},
          {"options", options},
          {"status", to_string(result.status)},
          {"message", result.message},
          {"upper_value", json_number(result.upper_value)},
          {"lower_value", json_number(result.lower_value)},
          {"upper_difference", range(upper_difference(comparison, result.upper_value))},
          {"lower_difference", range(lower_difference(comparison, result.lower_value))},
          {"certificate",
           {{"evidence", to_string(known.evidence)},
            {"upper_excess", json_number(known.upper_excess)},
            {"lower_gap", json_number(known.lower_gap)}}},
          {"work", work(result.work, result.solve_seconds)},
          {"first_weak", weak(attempt.first_weak)},
          {"trace", trace}};
}

}  // namespace

std::string to_json(const Comparison& comparison, const std::string& fingerprint, Index dimension) {
  const Limits& limits = comparison.limits;
  const auto limit = [](std::int64_t value) {
    return value == std::numeric_limits<std::int64_t>::max() ? Json(nullptr) : Json(value);
  };
  Json json = {{"schema", 2},
               {"version", FCBIO_VERSION},
               {"problem", {{"dimension", dimension}, {"fingerprint", fingerprint}}},
               {"accuracy", {{"upper", comparison.accuracy.upper}, {"lower", comparison.accuracy.lower}}},
               {"limits",
                {{"iterations", limit(limits.iterations)},
                 {"passes", limit(limits.passes)},
                 {"projections", limit(limits.projections)},
                 {"seconds", json_number(limits.seconds)}}},
               {"reference",
                {{"upper_optimum", interval(comparison.reference.upper_optimum,
                                            comparison.reference.upper_end_proved ? "proved" : "estimated")},
                 {"lower_optimum", interval(comparison.reference.lower_optimum, "proved")},
                 {"how", comparison.reference.how}}},
               {"interrupted", comparison.interrupted},
               {"runs", Json::array()}};
  for (const Attempt& attempt : comparison.attempts) json["runs"].push_back(run(comparison, attempt));
  json["left_out"] = left_out_json(comparison.left_out);
  return json_text(json);
}

}  // namespace fcbio::experiments
