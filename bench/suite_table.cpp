#include "suite_table.hpp"

#include <fmt/format.h>

#include "fcbio/version.hpp"
#include "io/json_number.hpp"

namespace fcbio::bench {
namespace {

using Json = io::OrderedJson;

constexpr const char* kColumns =
    "{:<20} {:<12} {:<24} {:>10} {:>9} {:>9} {:>9} {:>9} {:<12} {:>9} {:>9} {:>9} {:>9}  {}";

std::string number(std::optional<double> value) { return value ? fmt::format("{:.2e}", *value) : "-"; }
std::string ratio(std::optional<double> value, bool is_bound) {
  if (!value) return "-";
  return fmt::format("{}{:.3g}", is_bound ? ">" : "", *value);
}
std::string accuracy_text(const Accuracy& accuracy) {
  if (accuracy.upper == accuracy.lower) return fmt::format("{:g}", accuracy.upper);
  return fmt::format("{:g},{:g}", accuracy.upper, accuracy.lower);
}
std::string method_text(const RunRecord& record) {
  return record.engine.empty() ? record.method : fmt::format("{} ({})", record.method, record.engine);
}

Json record_json(const RunRecord& record) {
  Json json;
  json["problem"] = record.problem;
  json["accuracy"] = {{"upper", record.accuracy.upper}, {"lower", record.accuracy.lower}};
  json["method"] = record.method;
  json["engine"] = record.engine;
  json["setting"] = record.setting;
  json["published_method"] = record.is_paper;
  if (!record.refusal.empty()) {
    json["refused"] = record.refusal;
    return json;
  }
  const Result& result = record.result;
  json["status"] = std::string(to_string(result.status));
  json["message"] = result.message;
  json["evidence"] = std::string(to_string(result.certificate.evidence));
  json["certified"] = result.status == Status::certified;
  json["passes"] = record.passes;
  json["upper_passes"] = result.work.upper_passes;
  json["lower_passes"] = result.work.lower_passes;
  json["iterations"] = result.work.iterations;
  json["projections"] = result.work.projections;
  json["seconds"] = record.seconds;
  json["censored"] = record.censored;
  json["upper_value"] = io::json_number(result.upper_value);
  json["lower_value"] = io::json_number(result.lower_value);
  json["upper_excess_claimed"] = io::json_number(result.certificate.upper_excess);
  json["lower_gap_claimed"] = io::json_number(result.certificate.lower_gap);
  json["upper_excess_true"] = io::json_number(record.true_excess);
  json["lower_gap_true"] = io::json_number(record.true_gap);
  json["pass_ratio"] = io::json_number(record.pass_ratio);
  json["time_ratio"] = io::json_number(record.time_ratio);
  json["ratios_are_lower_bounds"] = record.ratio_is_bound;
  json["bar"] = record.bar;
  json["bar_met"] = record.met ? Json(*record.met) : Json(nullptr);
  json["verified"] = record.verified.empty() ? Json(nullptr) : Json(record.verified);
  Json options = Json::object();
  for (const auto& [name, value] : result.options) options[name] = value;
  json["options"] = std::move(options);
  return json;
}

}  // namespace

std::string table_head() {
  return fmt::format(fmt::runtime(kColumns), "problem", "accuracy", "method (engine)", "passes", "steps",
                     "seconds", "x passes", "x time", "status", "f-f* <=", "g-g* <=", "true f", "true g", "bar") +
         "\n";
}

std::string table_line(const RunRecord& record) {
  if (!record.refusal.empty())
    return fmt::format("{:<20} {:<12} {:<24} refused: {}\n", record.problem, accuracy_text(record.accuracy),
                       method_text(record), record.refusal);
  const std::string mark = record.censored ? ">" : "";
  std::string tail = record.bar;
  if (!record.bar.empty()) tail += record.met ? (*record.met ? "  MET" : "  MISSED") : "  OPEN";
  if (!record.setting.empty()) tail += (tail.empty() ? "" : "; ") + record.setting;
  if (!record.verified.empty()) tail += (tail.empty() ? "" : "; ") + ("verified " + record.verified);
  return fmt::format(fmt::runtime(kColumns), record.problem, accuracy_text(record.accuracy), method_text(record),
                     fmt::format("{}{}", mark, record.passes), record.result.work.iterations,
                     fmt::format("{}{:.3g}", mark, record.seconds),
                     ratio(record.pass_ratio, record.ratio_is_bound),
                     ratio(record.time_ratio, record.ratio_is_bound), to_string(record.result.status),
                     number(record.result.certificate.upper_excess), number(record.result.certificate.lower_gap),
                     number(record.true_excess), number(record.true_gap), tail) +
         "\n";
}

std::string skipped_line(const std::string& problem, const std::string& reason) {
  return fmt::format("{:<20} skipped: {}\n", problem, reason);
}

std::string to_json(const std::vector<std::pair<std::string, std::string>>& problems,
                    const std::vector<RunRecord>& records, const std::vector<Skipped>& skipped, int threads) {
  Json json;
  json["schema"] = 1;
  json["version"] = FCBIO_VERSION;
  json["threads"] = threads;
  json["problems"] = Json::array();
  for (const auto& [name, summary] : problems) json["problems"].push_back({{"name", name}, {"summary", summary}});
  json["runs"] = Json::array();
  for (const RunRecord& record : records) json["runs"].push_back(record_json(record));
  json["skipped"] = Json::array();
  for (const Skipped& one : skipped) json["skipped"].push_back({{"problem", one.problem}, {"reason", one.reason}});
  return json.dump(2) + "\n";
}

}  // namespace fcbio::bench
