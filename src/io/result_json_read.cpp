#include <fmt/format.h>

#include <algorithm>

#include "data/input_error.hpp"
#include "io/regular_file.hpp"
#include "io/result_digest.hpp"
#include "io/result_json.hpp"
#include "io/strict_json.hpp"
#include "io/vector_file.hpp"

namespace fcbio::io {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t kLargestHeader = std::uint64_t{1} << 16;  // of a .npy file

struct Source {
  std::filesystem::path file;
  ResultDigest digest;  ///< gathers the vector files as they are read
};

// A field of the file and its name from the top, "certificate.lower_gap".
class JsonField {
 public:
  JsonField(const Json& json, std::string name, Source& source)
      : json_(json), name_(std::move(name)), source_(source) {}

  JsonField at(const std::string& key) const {
    const std::string name = name_.empty() ? key : name_ + "." + key;
    if (!json_.is_object()) refuse("an object");
    if (!json_.contains(key))
      throw InputError({source_.file.string(), 0, fmt::format("the field \"{}\"", name), "none",
                        "give a result.json as written by fcbio"});
    return {json_.at(key), name, source_};
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
    const std::uint64_t number = unsigned_count();
    if (number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
      refuse("an integer below 2^63");
    return static_cast<std::int64_t>(number);
  }
  std::uint64_t unsigned_count() const {
    if (!json_.is_number_unsigned()) refuse("an integer >= 0");
    return json_.get<std::uint64_t>();
  }
  /// An array of numbers (null: NaN), or the name of a file beside the result with at most `most` numbers.
  Vector vector(Index most = std::numeric_limits<Index>::max()) const {
    if (json_.is_string()) return vector_file(most);
    if (!json_.is_array()) refuse("an array of numbers or the name of a file");
    Vector numbers(static_cast<Index>(json_.size()));
    for (Index i = 0; i < numbers.size(); ++i)
      numbers[i] = JsonField(json_[static_cast<std::size_t>(i)], fmt::format("{}[{}]", name_, i), source_)
                       .real_or_null()
                       .value_or(kUnknown);
    return numbers;
  }
  PartVectors vectors() const {
    if (!json_.is_array()) refuse("an array");
    PartVectors list;
    for (std::size_t i = 0; i < json_.size(); ++i)
      list.push_back(JsonField(json_[i], fmt::format("{}[{}]", name_, i), source_).vector());
    return list;
  }
  std::vector<std::string> texts() const {
    if (!json_.is_array()) refuse("an array of strings");
    std::vector<std::string> list;
    for (std::size_t i = 0; i < json_.size(); ++i)
      list.push_back(JsonField(json_[i], fmt::format("{}[{}]", name_, i), source_).text());
    return list;
  }
  std::map<std::string, std::string> options() const {
    if (!json_.is_object()) refuse("an object");
    std::map<std::string, std::string> list;
    for (const auto& [key, value] : json_.items())
      list[key] = value.is_string() ? value.get<std::string>() : value.dump();
    return list;
  }
  SetWitness set_witness() const {
    if (!json_.is_object()) refuse("an object");
    SetWitness witness;
    if (has("multipliers")) witness.multipliers = at("multipliers").vector();
    if (has("shares")) witness.shares = at("shares").vectors();
    if (has("parts")) {
      const JsonField parts = at("parts");
      if (!parts.json_.is_array()) parts.refuse("an array");
      for (std::size_t i = 0; i < parts.json_.size(); ++i)
        witness.parts.push_back(
            JsonField(parts.json_[i], fmt::format("{}[{}]", parts.name_, i), source_).set_witness());
    }
    return witness;
  }
  [[noreturn]] void refuse(const std::string& expected) const {
    std::string found = json_.dump(-1, ' ', true, Json::error_handler_t::replace);
    if (found.size() > 40) found = fmt::format("{} ({} characters of JSON)", json_.type_name(), found.size());
    throw InputError({source_.file.string(), 0, fmt::format("{} as \"{}\"", expected, name_), found, {}});
  }

 private:
  /// A result may be handed on by strangers: it names .npy files beside itself or below, nothing else.
  Vector vector_file(Index most) const {
    const std::string& name = json_.get_ref<const std::string&>();
    const std::filesystem::path path(name);
    if (path.is_absolute() || std::find(path.begin(), path.end(), "..") != path.end())
      refuse("the name of a file beside the result or in a directory below it");
    if (path.extension() != ".npy" || name.find('\0') != std::string::npos) refuse("the name of a .npy file");
    const auto room = static_cast<std::uint64_t>(most);
    constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();
    Vector numbers = read_vector_file(source_.file.parent_path() / path,
                                      room < kUnlimited / 16 ? 8 * room + kLargestHeader : kUnlimited);
    source_.digest.add_file(name, numbers);
    return numbers;
  }

  const Json& json_;
  std::string name_;
  Source& source_;
};

BoundWitness bound(const JsonField& field) {
  BoundWitness witness;
  witness.kind = field.at("kind").text();
  if (witness.kind != "known" && witness.kind != "dual" && witness.kind != "none")
    field.at("kind").refuse("known, dual or none");
  witness.upper_duals = field.at("upper_duals").vectors();
  witness.lower_duals = field.at("lower_duals").vectors();
  witness.point = field.at("point").vector();
  if (field.has("domain")) witness.domain = field.at("domain").set_witness();
  return witness;
}

}  // namespace

StoredResult read_result(const std::filesystem::path& file) {
  const std::string text = read_regular_file(
      file, {"a readable result file", "check the name and the permissions", "name the result.json in it",
             kLargestText, "give a result.json as written by fcbio"});
  return parse_result({text, file.string()});
}

StoredResult parse_result(const TextSource& text) {
  Source source{text.name, {}};
  const Json json = parse_strict_json(text);
  const JsonField top(json, "", source);
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

  const JsonField certificate = top.at("certificate");
  result.evidence = certificate.at("evidence").text();
  result.upper_excess = certificate.at("upper_excess").real_or_null();
  result.lower_gap = certificate.at("lower_gap").real_or_null();
  result.upper_lower_bound = certificate.at("upper_lower_bound").real_or_null();
  result.lower_lower_bound = certificate.at("lower_lower_bound").real_or_null();

  if (certificate.has("shortfall")) result.shortfall = certificate.at("shortfall").real_or_null();
  if (certificate.has("tight_level")) {
    result.tight_level = certificate.at("tight_level").real_or_null();
    result.tight_excess = certificate.at("tight_excess").real_or_null();
  }

  if (certificate.has("upper_deficit")) result.upper_deficit = certificate.at("upper_deficit").real_or_null();

  if (certificate.has("premises")) result.premises = certificate.at("premises").texts();
  if (top.has("convexity")) {
    const JsonField convexity = top.at("convexity");
    const std::string level = convexity.at("level").text();
    if (level != "upper" && level != "lower") convexity.at("level").refuse("upper or lower");
    result.violation =
        ConvexityViolation{convexity.at("function").text(), level == "upper" ? Level::upper : Level::lower,
                           convexity.at("first").vector(),  convexity.at("second").vector(),
                           convexity.at("amount").real(),   convexity.at("distance").real()};
  }

  const JsonField witness = top.at("witness");
  result.witness.multiplier = witness.at("multiplier").real_or_null().value_or(kUnknown);
  result.witness.reference = witness.at("reference").vector();
  result.witness.lower_bound = bound(witness.at("lower_bound"));
  result.witness.upper_bound = bound(witness.at("upper_bound"));

  if (witness.has("region")) {
    const JsonField region = witness.at("region");
    result.witness.region = RegionWitness{region.at("by").text(), region.at("radius").real(),
                                          region.at("beta").real(), region.at("point").vector()};
  }

  result.accuracy.upper = top.at("accuracy").at("upper").real();
  result.accuracy.lower = top.at("accuracy").at("lower").real();
  if (top.at("accuracy").has("from")) {
    result.accuracy_from = top.at("accuracy").at("from").text();
    if (result.accuracy_from != kFromProblem && result.accuracy_from != kFromCommandLine)
      top.at("accuracy").at("from").refuse(fmt::format("\"{}\" or \"{}\"", kFromProblem, kFromCommandLine));
  }
  for (const auto& [name, number] : {std::pair{"upper_relative", &Accuracy::upper_relative},
                                     std::pair{"lower_relative", &Accuracy::lower_relative}})
    if (top.at("accuracy").has(name)) result.accuracy.*number = top.at("accuracy").at(name).real();
  if (top.at("accuracy").has("tight")) result.accuracy.tight = top.at("accuracy").at("tight").flag();
  if (top.at("accuracy").has("absolute")) result.accuracy.absolute = top.at("accuracy").at("absolute").flag();
  if (top.at("accuracy").has("holder")) {
    const JsonField holder = top.at("accuracy").at("holder");
    result.accuracy.holder =
        HolderBound{holder.at("alpha").real(), holder.at("beta").real(), holder.at("gradient_bound").real()};
    const std::string origin = holder.at("source").text();
    if (origin != "told" && origin != "computed") holder.at("source").refuse("told or computed");
    result.holder_source = origin == "told" ? HolderSource::told : HolderSource::computed;
  }
  const JsonField work = top.at("work");
  result.work = {work.at("iterations").count(), work.at("upper_passes").count(), work.at("lower_passes").count(),
                 work.at("projections").count()};
  if (work.has("certified_after")) result.work.certified_after = work.at("certified_after").count();
  result.read_seconds = top.at("seconds").at("read").real_or_null();
  result.solve_seconds = top.at("seconds").at("solve").real_or_null();
  result.dimension = static_cast<Index>(top.at("problem").at("dimension").count());
  result.fingerprint = top.at("problem").at("fingerprint").text();
  result.seed = top.at("seed").unsigned_count();
  result.options = top.at("options").options();
  result.x = top.at("x").vector(result.dimension);
  if (result.x.size() != result.dimension)
    throw InputError({text.name,
                      0,
                      fmt::format("{} numbers in \"x\", as problem.dimension says", result.dimension),
                      fmt::format("{}", result.x.size()),
                      {}});
  if (top.has("digest")) result.digest = top.at("digest").text();
  result.digest_found = source.digest.of(json);
  return result;
}

}  // namespace fcbio::io
