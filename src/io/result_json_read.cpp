#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "io/input_error.hpp"
#include "io/result_json.hpp"
#include "io/vector_file.hpp"

namespace fcbio::io {
namespace {

using Json = nlohmann::json;

// A field of the file and its name from the top, "certificate.lower_gap".
class Field {
 public:
  Field(const Json& json, std::string name, const std::filesystem::path& file)
      : json_(json), name_(std::move(name)), file_(file) {}

  Field at(const std::string& key) const {
    const std::string name = name_.empty() ? key : name_ + "." + key;
    if (!json_.is_object()) refuse("an object");
    if (!json_.contains(key))
      throw InputError({file_.string(), 0, fmt::format("the field \"{}\"", name), "none",
                        "give a result.json as written by fcbio"});
    return {json_.at(key), name, file_};
  }
  bool has(const std::string& key) const { return json_.is_object() && json_.contains(key); }
  bool flag() const {
    if (!json_.is_boolean()) refuse("true or false");
    return json_.get<bool>();
  }
  std::string text() const {
    if (!json_.is_string()) refuse("a string");
    return json_.get<std::string>();
  }
  double real() const {
    if (!json_.is_number()) refuse("a number");
    return json_.get<double>();
  }
  std::optional<double> real_or_null() const {
    if (json_.is_null()) return std::nullopt;
    if (!json_.is_number()) refuse("a number or null");
    return json_.get<double>();
  }
  std::int64_t count() const {
    if (!json_.is_number_integer() ||
        (json_.is_number_integer() && !json_.is_number_unsigned() && json_.get<std::int64_t>() < 0))
      refuse("an integer >= 0");
    return json_.get<std::int64_t>();
  }
  std::uint64_t unsigned_count() const {
    if (!json_.is_number_unsigned()) refuse("an integer >= 0");
    return json_.get<std::uint64_t>();
  }
  /// An array of numbers (null: NaN), or the name of a file beside the result.
  Vector vector() const {
    if (json_.is_string()) return read_vector_file(file_.parent_path() / json_.get<std::string>());
    if (!json_.is_array()) refuse("an array of numbers or the name of a file");
    Vector numbers(static_cast<Index>(json_.size()));
    for (Index i = 0; i < numbers.size(); ++i)
      numbers[i] = Field(json_[static_cast<std::size_t>(i)], fmt::format("{}[{}]", name_, i), file_)
                       .real_or_null()
                       .value_or(std::numeric_limits<double>::quiet_NaN());
    return numbers;
  }
  PartVectors vectors() const {
    if (!json_.is_array()) refuse("an array");
    PartVectors list;
    for (std::size_t i = 0; i < json_.size(); ++i)
      list.push_back(Field(json_[i], fmt::format("{}[{}]", name_, i), file_).vector());
    return list;
  }
  std::vector<std::string> texts() const {
    if (!json_.is_array()) refuse("an array of strings");
    std::vector<std::string> list;
    for (std::size_t i = 0; i < json_.size(); ++i)
      list.push_back(Field(json_[i], fmt::format("{}[{}]", name_, i), file_).text());
    return list;
  }
  std::map<std::string, std::string> options() const {
    if (!json_.is_object()) refuse("an object");
    std::map<std::string, std::string> list;
    for (const auto& [key, value] : json_.items())
      list[key] = value.is_string() ? value.get<std::string>() : value.dump();
    return list;
  }
  [[noreturn]] void refuse(const std::string& expected) const {
    std::string found = json_.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (found.size() > 40) found = fmt::format("{} ({} characters of JSON)", json_.type_name(), found.size());
    throw InputError({file_.string(), 0, fmt::format("{} as \"{}\"", expected, name_), found, {}});
  }

 private:
  const Json& json_;
  std::string name_;
  const std::filesystem::path& file_;
};

Json parse(const std::filesystem::path& file) {
  std::error_code ignored;
  std::ifstream stream(file, std::ios::binary);
  if (!stream || std::filesystem::is_directory(file, ignored))
    throw InputError({file.string(), 0, "a readable result file", "none", "check the name and the permissions"});
  std::ostringstream buffer;
  buffer << stream.rdbuf();
  const std::string text = buffer.str();
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(error.byte, text.size()));
    throw InputError({file.string(), 1 + std::count(text.begin(), end, '\n'), "JSON",
                      fmt::format("a syntax error at byte {}", error.byte),
                      "give a result.json as written by fcbio"});
  }
}

BoundWitness bound(const Field& field) {
  BoundWitness witness;
  witness.kind = field.at("kind").text();
  if (witness.kind != "known" && witness.kind != "dual" && witness.kind != "none")
    field.at("kind").refuse("known, dual or none");
  witness.upper_duals = field.at("upper_duals").vectors();
  witness.lower_duals = field.at("lower_duals").vectors();
  witness.point = field.at("point").vector();
  return witness;
}

}  // namespace

StoredResult read_result(const std::filesystem::path& file) {
  const Json json = parse(file);
  const Field top(json, "", file);
  if (!json.is_object()) top.refuse("an object");
  if (top.at("schema").count() != 1) top.at("schema").refuse("schema 1");

  StoredResult result;
  result.version = top.at("version").text();
  result.method = top.at("method").text();
  if (top.has("engine")) result.engine = top.at("engine").text();
  result.status = top.at("status").text();
  result.message = top.at("message").text();
  result.upper_value = top.at("upper_value").real_or_null();
  result.lower_value = top.at("lower_value").real_or_null();

  const Field certificate = top.at("certificate");
  result.evidence = certificate.at("evidence").text();
  result.upper_excess = certificate.at("upper_excess").real_or_null();
  result.lower_gap = certificate.at("lower_gap").real_or_null();
  result.upper_lower_bound = certificate.at("upper_lower_bound").real_or_null();
  result.lower_lower_bound = certificate.at("lower_lower_bound").real_or_null();

  if (certificate.has("tight_level")) {
    result.tight_level = certificate.at("tight_level").real_or_null();
    result.tight_excess = certificate.at("tight_excess").real_or_null();
  }

  if (certificate.has("upper_deficit")) result.upper_deficit = certificate.at("upper_deficit").real_or_null();

  if (certificate.has("premises")) result.premises = certificate.at("premises").texts();
  if (top.has("convexity")) {
    const Field convexity = top.at("convexity");
    const std::string level = convexity.at("level").text();
    if (level != "upper" && level != "lower") convexity.at("level").refuse("upper or lower");
    result.violation =
        ConvexityViolation{convexity.at("function").text(), level == "upper" ? Level::upper : Level::lower,
                           convexity.at("first").vector(),  convexity.at("second").vector(),
                           convexity.at("amount").real(),   convexity.at("distance").real()};
  }

  const Field witness = top.at("witness");
  result.witness.multiplier =
      witness.at("multiplier").real_or_null().value_or(std::numeric_limits<double>::quiet_NaN());
  result.witness.reference = witness.at("reference").vector();
  result.witness.lower_bound = bound(witness.at("lower_bound"));
  result.witness.upper_bound = bound(witness.at("upper_bound"));

  result.accuracy.upper = top.at("accuracy").at("upper").real();
  result.accuracy.lower = top.at("accuracy").at("lower").real();
  if (top.at("accuracy").has("tight")) result.accuracy.tight = top.at("accuracy").at("tight").flag();
  if (top.at("accuracy").has("absolute")) result.accuracy.absolute = top.at("accuracy").at("absolute").flag();
  if (top.at("accuracy").has("holder")) {
    const Field holder = top.at("accuracy").at("holder");
    result.accuracy.holder =
        HolderBound{holder.at("alpha").real(), holder.at("beta").real(), holder.at("gradient_bound").real()};
    const std::string source = holder.at("source").text();
    if (source != "told" && source != "computed") holder.at("source").refuse("told or computed");
    result.holder_source = source == "told" ? HolderSource::told : HolderSource::computed;
  }
  const Field work = top.at("work");
  result.work = {work.at("iterations").count(), work.at("upper_passes").count(), work.at("lower_passes").count(),
                 work.at("projections").count()};
  result.read_seconds = top.at("seconds").at("read").real_or_null();
  result.solve_seconds = top.at("seconds").at("solve").real_or_null();
  result.dimension = static_cast<Index>(top.at("problem").at("dimension").count());
  result.fingerprint = top.at("problem").at("fingerprint").text();
  result.seed = top.at("seed").unsigned_count();
  result.options = top.at("options").options();
  result.x = top.at("x").vector();
  if (result.x.size() != result.dimension)
    throw InputError({file.string(),
                      0,
                      fmt::format("{} numbers in \"x\", as problem.dimension says", result.dimension),
                      fmt::format("{}", result.x.size()),
                      {}});
  return result;
}

}  // namespace fcbio::io
