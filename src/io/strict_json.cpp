#include "io/strict_json.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fcbio::io {
namespace {

using Json = nlohmann::json;

constexpr const char* kAsWritten = "give a result.json as written by fcbio";

// Builds the document value by value; the parser calls it and does not recurse.
class StrictBuilder : public nlohmann::json_sax<Json> {
 public:
  explicit StrictBuilder(const TextSource& source) : source_(source) {}
  Json take() { return std::move(root_); }

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t&) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return false; }  // not in JSON text

  bool start_object(std::size_t) override { return open(Json::object()); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    open_.back().key = std::move(name);
    if (open_.back().json->contains(open_.back().key))
      refuse(source_, 0, "each key once in an object", fmt::format("\"{}\" twice", place()), kAsWritten);
    return true;
  }

  bool parse_error(std::size_t position, const std::string& token,
                   const nlohmann::detail::exception& error) override {
    const auto end = source_.text.begin() + static_cast<std::ptrdiff_t>(std::min(position, source_.text.size()));
    const std::int64_t line = 1 + std::count(source_.text.begin(), end, '\n');
    if (dynamic_cast<const Json::out_of_range*>(&error) != nullptr)
      refuse_number(source_, line, token, NumberKind::overflow);
    refuse(source_, line, "JSON", fmt::format("a syntax error at byte {}", position), kAsWritten);
  }

 private:
  struct Open {
    Json* json;
    std::string key;  // of an object: where the next value belongs
  };

  Json& place_for(Json&& value) {
    if (open_.empty()) return root_ = std::move(value);
    Open& parent = open_.back();
    if (parent.json->is_object()) return (*parent.json)[parent.key] = std::move(value);
    parent.json->push_back(std::move(value));
    return parent.json->back();
  }
  bool add(Json&& value) {
    place_for(std::move(value));
    return true;
  }
  bool open(Json&& container) {
    if (open_.size() == kDeepestJson)
      refuse(source_, 0, fmt::format("at most {} nested arrays and objects", kDeepestJson), "more than that",
             kAsWritten);
    open_.push_back({&place_for(std::move(container)), {}});
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }
  /// Of the last key, from the top: certificate.upper_excess.
  std::string place() const {
    std::string name;
    for (const Open& level : open_) {
      if (level.json->is_array())
        name += fmt::format("[{}]", level.json->size() - 1);
      else
        name += (name.empty() ? "" : ".") + level.key;
    }
    return name;
  }

  const TextSource& source_;
  Json root_;
  std::vector<Open> open_;
};

}  // namespace

Json parse_strict_json(const TextSource& source) {
  StrictBuilder builder(source);
  Json::sax_parse(source.text.begin(), source.text.end(), &builder);
  return builder.take();
}

}  // namespace fcbio::io
