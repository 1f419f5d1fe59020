// One static table per options struct.  An entry names a member, its range and its help; parsing, validation,
// listing and recording are all driven by it.
#pragma once

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/nearest_name.hpp"
#include "fcbio/error.hpp"
#include "fcbio/options.hpp"

namespace fcbio {

/// Smallest and largest allowed number; `open_low`: the smallest itself is not allowed.
struct Range {
  double low = -kInfinity;
  double high = kInfinity;
  bool open_low = false;
};

template <class Options>
struct OptionEntry {
  using Member = std::variant<double Options::*, std::optional<double> Options::*, std::int64_t Options::*,
                              bool Options::*, std::string Options::*>;
  std::string name;
  Member member;
  Range range;
  std::vector<std::string> choices;  ///< for text members
  std::string help;
};

namespace option_detail {

inline std::string show(double v) { return fmt::format("{}", v); }
inline std::string show(const std::optional<double>& v) { return v ? show(*v) : "unset"; }
inline std::string show(std::int64_t v) { return fmt::format("{}", v); }
inline std::string show(bool v) { return v ? "true" : "false"; }
inline std::string show(const std::string& v) { return v; }

inline std::string type_name(double) { return "real"; }
inline std::string type_name(const std::optional<double>&) { return "real"; }
inline std::string type_name(std::int64_t) { return "integer"; }
inline std::string type_name(bool) { return "flag"; }
inline std::string type_name(const std::string&) { return "choice"; }

template <class Number>
bool parse_number(const std::string& text, Number& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc{} && end == text.data() + text.size();
}
inline bool parse(const std::string& text, double& out) { return parse_number(text, out) && std::isfinite(out); }
inline bool parse(const std::string& text, std::optional<double>& out) { return parse(text, out.emplace()); }
inline bool parse(const std::string& text, std::int64_t& out) {
  if (parse_number(text, out)) return true;
  double real = 0.0;  // 1e5 is an integer too
  if (!parse(text, real) || real != std::floor(real) || std::abs(real) > 9e15) return false;
  out = static_cast<std::int64_t>(real);
  return true;
}
inline bool parse(const std::string& text, bool& out) {
  out = text == "true" || text == "1" || text == "yes" || text == "on";
  return out || text == "false" || text == "0" || text == "no" || text == "off";
}
inline bool parse(const std::string& text, std::string& out) {
  out = text;
  return true;
}

inline bool inside(const Range& range, double v) {
  return (range.open_low ? v > range.low : v >= range.low) && v <= range.high;
}
inline bool allowed(const Range& range, const std::vector<std::string>&, double v) { return inside(range, v); }
inline bool allowed(const Range& range, const std::vector<std::string>&, const std::optional<double>& v) {
  return !v || inside(range, *v);
}
inline bool allowed(const Range& range, const std::vector<std::string>&, std::int64_t v) {
  return inside(range, static_cast<double>(v));
}
inline bool allowed(const Range&, const std::vector<std::string>&, bool) { return true; }
inline bool allowed(const Range&, const std::vector<std::string>& choices, const std::string& v) {
  for (const std::string& choice : choices)
    if (choice == v) return true;
  return false;
}

/// object.*member, behind a call: inlined, g++ 12 warns about kinds of members that a small struct cannot have.
template <class Object, class Member>
[[gnu::noinline]] auto& member_of(Object& object, Member member) {
  return object.*member;
}

}  // namespace option_detail

template <class Options>
class OptionTable {
 public:
  explicit OptionTable(std::vector<OptionEntry<Options>> entries) : entries_(std::move(entries)) {}

  /// `defaults` with what the user gave; InvalidArgument names the option, what it takes and what was found.
  Options parse(Options defaults, const OptionValues& values) const {
    for (const auto& value : values) {  // no structured binding: clang 14 does not let lambdas capture one
      const std::string& name = value.first;
      const std::string& text = value.second;
      const OptionEntry<Options>& entry = find(name);
      std::visit(
          [&](auto member) {
            auto& target = option_detail::member_of(defaults, member);
            if (!option_detail::parse(text, target) || !option_detail::allowed(entry.range, entry.choices, target))
              throw InvalidArgument(
                  fmt::format("option '{}': expected {}, found '{}'", name, range_text(entry), text));
          },
          entry.member);
    }
    return defaults;
  }

  std::vector<OptionInfo> describe(const Options& defaults) const {
    std::vector<OptionInfo> infos;
    for (const auto& entry : entries_) {
      std::visit(
          [&](auto member) {
            const auto& value = option_detail::member_of(defaults, member);
            infos.push_back({entry.name, option_detail::type_name(value), option_detail::show(value),
                             range_text(entry), entry.help});
          },
          entry.member);
    }
    return infos;
  }

  /// The options as used, in table order; unset ones are left out.
  std::vector<std::pair<std::string, std::string>> record(const Options& options) const {
    std::vector<std::pair<std::string, std::string>> used;
    for (const auto& entry : entries_) {
      std::visit(
          [&](auto member) {
            const std::string text = option_detail::show(option_detail::member_of(options, member));
            if (text != "unset") used.emplace_back(entry.name, text);
          },
          entry.member);
    }
    return used;
  }

 private:
  const OptionEntry<Options>& find(const std::string& name) const {
    std::vector<std::string> known;
    for (const auto& entry : entries_) {
      if (entry.name == name) return entry;
      known.push_back(entry.name);
    }
    const std::string near = nearest_name(name, known);
    throw InvalidArgument(fmt::format("unknown option '{}'{}; known options: {}", name,
                                      near.empty() ? "" : fmt::format("; did you mean '{}'?", near),
                                      fmt::join(known, ", ")));
  }

  static std::string range_text(const OptionEntry<Options>& entry) {
    if (!entry.choices.empty()) return fmt::format("{}", fmt::join(entry.choices, " | "));
    if (std::holds_alternative<bool Options::*>(entry.member)) return "true | false";
    const std::string kind =
        std::holds_alternative<std::int64_t Options::*>(entry.member) ? "an integer" : "a number";
    const Range& r = entry.range;
    if (r.low == -kInfinity && r.high == kInfinity) return kind;
    if (r.high == kInfinity) return fmt::format("{} {} {}", kind, r.open_low ? ">" : ">=", r.low);
    return fmt::format("{} in {}{}, {}]", kind, r.open_low ? "(" : "[", r.low, r.high);
  }

  std::vector<OptionEntry<Options>> entries_;
};

}  // namespace fcbio
