// A value is hashed (hash.hpp) as its kind and then: an object its size and (key, value) by ascending keys; an
// array its size and values; a string its bytes in UTF-8; a number the double it is, or the integer where no
// double is.
#include "io/result_digest.hpp"

#include <fmt/format.h>

#include <bit>

#include "data/hash.hpp"

namespace fcbio::io {
namespace {

using Json = nlohmann::json;

void add_integer(data::Hash& hash, bool negative, std::uint64_t magnitude) {
  const bool is_double = magnitude == 0 || magnitude >> std::countr_zero(magnitude) < std::uint64_t{1} << 53;
  hash.word(is_double ? 'd' : negative ? '-' : '+');
  if (is_double)
    hash.real(negative ? -static_cast<double>(magnitude) : static_cast<double>(magnitude));
  else
    hash.word(magnitude);
}

void add_value(data::Hash& hash, const Json& json) {
  switch (json.type()) {
    case Json::value_t::object:
      hash.word('{');
      hash.count(static_cast<Index>(json.size()));
      for (const auto& [key, value] : json.items()) {
        hash.text(key);
        add_value(hash, value);
      }
      return;
    case Json::value_t::array:
      hash.word('[');
      hash.count(static_cast<Index>(json.size()));
      for (const Json& value : json) add_value(hash, value);
      return;
    case Json::value_t::string:
      hash.word('s');
      hash.text(json.get_ref<const std::string&>());
      return;
    case Json::value_t::boolean:
      hash.word(json.get<bool>() ? 't' : 'f');
      return;
    case Json::value_t::number_float:
      hash.word('d');
      hash.real(json.get<double>());
      return;
    case Json::value_t::number_unsigned:
      return add_integer(hash, false, json.get<std::uint64_t>());
    case Json::value_t::number_integer: {
      const auto number = json.get<std::int64_t>();
      const auto bits = static_cast<std::uint64_t>(number);
      return add_integer(hash, number < 0, number < 0 ? 0 - bits : bits);
    }
    default:
      hash.word('n');
  }
}

}  // namespace

void ResultDigest::add_file(const std::string& name, const Vector& numbers) {
  data::Hash hash;
  hash.vector(numbers);
  files_[name] = hash.finish();
}

std::string ResultDigest::of(const Json& result) const {
  data::Hash hash;
  hash.word(1);  // of this recipe
  for (const auto& [key, value] : result.items()) {
    if (key == "digest" || key == "seconds" || key == "parallel")
      continue;  // the same answer has the same digest, however long it took and whoever computed it
    hash.text(key);
    add_value(hash, value);
  }
  for (const auto& [name, numbers] : files_) {
    hash.text(name);
    hash.word(numbers);
  }
  return fmt::format("{:016x}", hash.finish());
}

}  // namespace fcbio::io
