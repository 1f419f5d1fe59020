#include <fmt/format.h>

#include "data/input_error.hpp"
#include "fcbio/version.hpp"
#include "io/atomic_file.hpp"
#include "io/json_number.hpp"
#include "io/npy.hpp"
#include "io/number.hpp"
#include "io/result_digest.hpp"
#include "io/result_json.hpp"
#include "io/vector_file.hpp"

namespace fcbio::io {
namespace {

OrderedJson numbers(const Vector& vector) {
  OrderedJson array = OrderedJson::array();
  for (const double entry : vector) array.push_back(json_number(entry));
  return array;
}

// Text of an option, as the JSON it means: numbers and flags are not strings.
OrderedJson option(const std::string& text) {
  if (text == "true" || text == "false") return text == "true";
  const NumberText parsed = whole_number(text);
  if (parsed.kind != NumberKind::finite) return text;
  const bool integral = text.find_first_not_of("+-0123456789") == std::string::npos;
  if (integral && std::abs(parsed.value) < 9e15) return static_cast<std::int64_t>(parsed.value);
  return parsed.value;
}

// Vectors too long for the JSON go to files that share its stem.
class VectorStore {
 public:
  VectorStore(const std::filesystem::path& result, ResultDigest& digest)
      : directory_(result.parent_path()), stem_(result.stem().string()), digest_(digest) {}

  /// Numbers that are not finite stay in the JSON, as null: no data file may hold them.
  OrderedJson store(const Vector& vector, const std::string& role) const {
    if (vector.size() <= kInlineNumbers || !vector.allFinite()) return numbers(vector);
    const std::string name = fmt::format("{}.{}.npy", stem_, role);
    write_npy(directory_ / name, vector);
    digest_.add_file(name, vector);
    return name;
  }

  OrderedJson bound(const BoundWitness& witness, const std::string& role) const {
    OrderedJson json = {
        {"kind", witness.kind}, {"upper_duals", OrderedJson::array()}, {"lower_duals", OrderedJson::array()}};
    for (std::size_t i = 0; i < witness.upper_duals.size(); ++i)
      json["upper_duals"].push_back(store(witness.upper_duals[i], fmt::format("{}.upper-dual-{}", role, i)));
    for (std::size_t i = 0; i < witness.lower_duals.size(); ++i)
      json["lower_duals"].push_back(store(witness.lower_duals[i], fmt::format("{}.lower-dual-{}", role, i)));
    json["point"] = store(witness.point, role + ".point");
    if (!witness.domain.empty()) json["domain"] = domain(witness.domain, role + ".domain");
    return json;
  }

  /// Only what the set needs.
  OrderedJson domain(const SetWitness& witness, const std::string& role) const {
    OrderedJson json = OrderedJson::object();
    if (witness.multipliers.size() > 0) json["multipliers"] = store(witness.multipliers, role + ".multipliers");
    for (std::size_t i = 0; i < witness.shares.size(); ++i)
      json["shares"].push_back(store(witness.shares[i], fmt::format("{}.share-{}", role, i)));
    for (std::size_t i = 0; i < witness.parts.size(); ++i)
      json["parts"].push_back(domain(witness.parts[i], fmt::format("{}.part-{}", role, i)));
    return json;
  }

  OrderedJson solution(const Vector& x, const std::optional<std::filesystem::path>& written) const {
    if (x.size() > kInlineNumbers && written && written->extension() == ".npy") {
      const auto relative = std::filesystem::absolute(*written).lexically_normal().lexically_relative(
          std::filesystem::absolute(directory_ / "x").lexically_normal().parent_path());
      if (!relative.empty() && *relative.begin() != "..") {
        digest_.add_file(relative.generic_string(), x);
        return relative.generic_string();
      }
    }
    return store(x, "x");
  }

 private:
  std::filesystem::path directory_;
  std::string stem_;
  ResultDigest& digest_;
};

}  // namespace

void write_result(const Result& result, const ResultContext& context, const std::filesystem::path& file) {
  ResultDigest digest;
  const VectorStore vectors(file, digest);
  const Certificate& certificate = result.certificate;
  OrderedJson options = OrderedJson::object();
  for (const auto& [name, value] : result.options) options[name] = option(value);

  OrderedJson json;
  json["schema"] = 1;
  json["version"] = FCBIO_VERSION;
  json["method"] = result.method;
  if (!result.engine.empty()) json["engine"] = result.engine;
  json["status"] = to_string(result.status);
  json["message"] = result.message;
  json["upper_value"] = json_number(result.upper_value);
  json["lower_value"] = json_number(result.lower_value);
  json["certificate"] = {{"evidence", to_string(certificate.evidence)},
                         {"upper_excess", json_number(certificate.upper_excess)},
                         {"lower_gap", json_number(certificate.lower_gap)},
                         {"upper_lower_bound", json_number(certificate.upper_lower_bound)},
                         {"lower_lower_bound", json_number(certificate.lower_lower_bound)}};
  if (certificate.shortfall) json["certificate"]["shortfall"] = json_number(certificate.shortfall);
  if (certificate.tight_level) {
    json["certificate"]["tight_level"] = json_number(certificate.tight_level);
    json["certificate"]["tight_excess"] = json_number(certificate.tight_excess);
  }
  if (certificate.upper_deficit) json["certificate"]["upper_deficit"] = json_number(certificate.upper_deficit);
  if (!certificate.premises.empty()) json["certificate"]["premises"] = certificate.premises;
  if (const auto& violation = result.violation)
    json["convexity"] = {{"function", violation->function},
                         {"level", violation->level == Level::upper ? "upper" : "lower"},
                         {"amount", json_number(violation->amount)},
                         {"distance", json_number(violation->distance)},
                         {"first", vectors.store(violation->first, "convexity-first")},
                         {"second", vectors.store(violation->second, "convexity-second")}};
  json["witness"] = {{"multiplier", json_number(result.witness.multiplier)},
                     {"reference", vectors.store(result.witness.reference, "reference")},
                     {"lower_bound", vectors.bound(result.witness.lower_bound, "lower-bound")},
                     {"upper_bound", vectors.bound(result.witness.upper_bound, "upper-bound")}};
  if (const std::optional<RegionWitness>& region = result.witness.region)
    json["witness"]["region"] = {{"by", region->by},
                                 {"radius", json_number(region->radius)},
                                 {"beta", json_number(region->beta)},
                                 {"point", vectors.store(region->point, "region-point")}};
  json["accuracy"] = {{"upper", json_number(result.accuracy.upper)},
                      {"lower", json_number(result.accuracy.lower)},
                      {"from", context.accuracy_changed ? kFromCommandLine : kFromProblem}};
  if (result.accuracy.upper_relative > 0.0)
    json["accuracy"]["upper_relative"] = json_number(result.accuracy.upper_relative);
  if (result.accuracy.lower_relative > 0.0)
    json["accuracy"]["lower_relative"] = json_number(result.accuracy.lower_relative);
  if (result.accuracy.tight) json["accuracy"]["tight"] = true;
  if (result.accuracy.absolute) {
    json["accuracy"]["absolute"] = true;
    // The one that was used; a told one also where it led to nothing.
    if (const std::optional<HolderBound>& holder =
            certificate.holder ? certificate.holder : result.accuracy.holder)
      json["accuracy"]["holder"] = {{"alpha", json_number(holder->alpha)},
                                    {"beta", json_number(holder->beta)},
                                    {"gradient_bound", json_number(holder->gradient_bound)},
                                    {"source", to_string(certificate.holder_source)}};
  }
  json["work"] = {{"iterations", result.work.iterations},
                  {"upper_passes", result.work.upper_passes},
                  {"lower_passes", result.work.lower_passes},
                  {"projections", result.work.projections}};
  if (result.work.certified_after) json["work"]["certified_after"] = *result.work.certified_after;
  json["seconds"] = {{"read", json_number(context.read_seconds)}, {"solve", json_number(result.solve_seconds)}};
  if (result.certified_seconds) json["seconds"]["certified"] = json_number(result.certified_seconds);
  json["parallel"] = {{"ranks", context.ranks}, {"threads", context.threads}};
  json["problem"] = {{"dimension", result.x.size()}, {"fingerprint", context.fingerprint}};
  if (!context.names.empty() && result.x.size() <= kInlineNumbers) json["problem"]["names"] = context.names;
  for (const Level level : kLevels)
    if (context.maximized[level])
      json["problem"]["maximized"].push_back(level == Level::upper ? "upper" : "lower");
  json["seed"] = context.seed;
  json["options"] = std::move(options);
  json["x"] = vectors.solution(result.x, context.solution);

  // One line per field: readable, and a long vector does not become a thousand lines.
  std::string text;
  for (const auto& [name, value] : json.items()) {
    text += text.empty() ? "{" : ",\n ";
    text += OrderedJson(name).dump() + ": " + value.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
  }
  // Of what a reader will see: text that is not UTF-8 was replaced.
  const std::string found = digest.of(nlohmann::json::parse(text + "}"));
  write_file_atomically(file, text + fmt::format(",\n \"digest\": \"{}\"}}\n", found));
}

void write_solution(const std::filesystem::path& file, VectorIn x, const VectorColumns& columns) {
  const std::string ending = file.extension().string();
  if (ending != ".npy" && ending != ".csv")
    throw InputError({file.string(), 0, "a solution file that ends in .npy or .csv",
                      ending.empty() ? "no ending" : ending, "rename it"});
  write_vector_file(file, x, columns);
}

}  // namespace fcbio::io
