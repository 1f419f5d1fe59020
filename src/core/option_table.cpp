#include "core/option_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/nearest_name.hpp"
#include "core/number_text.hpp"
#include "fcbio/error.hpp"

namespace fcbio {
namespace {

constexpr const char* kUnset = "unset";

/// A member of a struct of the caller's.  OptionMember saw to it that it is what its kind says.
template <class Member>
const Member& member(const OptionRow& row, const void* options) {
  return *reinterpret_cast<const Member*>(static_cast<const char*>(options) + row.place);
}
template <class Member>
Member& member(const OptionRow& row, void* options) {
  return *reinterpret_cast<Member*>(static_cast<char*>(options) + row.place);
}

std::string show(const OptionRow& row, const void* options) {
  switch (row.kind) {
    case OptionKind::real:
      return fmt::format("{}", member<double>(row, options));
    case OptionKind::optional_real: {
      const auto& value = member<std::optional<double>>(row, options);
      return value ? fmt::format("{}", *value) : kUnset;
    }
    case OptionKind::integer:
      return fmt::format("{}", member<std::int64_t>(row, options));
    case OptionKind::flag:
      return member<bool>(row, options) ? "true" : "false";
    case OptionKind::text:
      return member<std::string>(row, options);
    case OptionKind::enumerator: {
      const std::size_t place = member<std::uint8_t>(row, options);
      return place < row.choices.size() ? row.choices[place] : fmt::format("enumerator {}", place);
    }
  }
  return {};
}

std::string type_name(OptionKind kind) {
  switch (kind) {
    case OptionKind::real:
    case OptionKind::optional_real:
      return "real";
    case OptionKind::integer:
      return "integer";
    case OptionKind::flag:
      return "flag";
    case OptionKind::text:
    case OptionKind::enumerator:
      return "choice";
  }
  return {};
}

bool read(const OptionRow& row, const std::string& text, void* options) {
  switch (row.kind) {
    case OptionKind::real:
      if (row.range.infinite && text == "inf") {
        member<double>(row, options) = kInfinity;
        return true;
      }
      return read_real(text, member<double>(row, options));
    case OptionKind::optional_real:
      return read_real(text, member<std::optional<double>>(row, options).emplace());
    case OptionKind::integer:
      return read_integer(text, member<std::int64_t>(row, options));
    case OptionKind::flag:
      return read_flag(text, member<bool>(row, options));
    case OptionKind::text:
      member<std::string>(row, options) = text;
      return true;
    case OptionKind::enumerator:
      member<std::uint8_t>(row, options) =
          static_cast<std::uint8_t>(std::find(row.choices.begin(), row.choices.end(), text) - row.choices.begin());
      return true;
  }
  return false;
}

bool inside(const Range& range, double value) {
  return (range.open_low ? value > range.low : value >= range.low) && value <= range.high;
}

bool allowed(const OptionRow& row, const void* options) {
  switch (row.kind) {
    case OptionKind::real:
      return inside(row.range, member<double>(row, options));
    case OptionKind::optional_real: {
      const auto& value = member<std::optional<double>>(row, options);
      return !value || inside(row.range, *value);
    }
    case OptionKind::integer:
      return inside(row.range, static_cast<double>(member<std::int64_t>(row, options)));
    case OptionKind::flag:
      return true;
    case OptionKind::text:
      return std::find(row.choices.begin(), row.choices.end(), member<std::string>(row, options)) !=
             row.choices.end();
    case OptionKind::enumerator:
      return member<std::uint8_t>(row, options) < row.choices.size();
  }
  return false;
}

bool is_finite(const OptionRow& row, const void* options) {
  if (row.kind == OptionKind::real)
    return std::isfinite(member<double>(row, options)) ||
           (row.range.infinite && !std::isnan(member<double>(row, options)));
  if (row.kind != OptionKind::optional_real) return true;
  return std::isfinite(member<std::optional<double>>(row, options).value_or(0.0));
}

std::string range_text(const OptionRow& row) {
  if (!row.choices.empty()) return fmt::format("{}", fmt::join(row.choices, " | "));
  if (row.kind == OptionKind::flag) return "true | false";
  const std::string kind = row.kind == OptionKind::integer ? "an integer" : "a number";
  const Range& r = row.range;
  if (r.low == -kInfinity && r.high == kInfinity) return kind;
  if (r.high == kInfinity)
    return fmt::format("{} {} {}{}", kind, r.open_low ? ">" : ">=", r.low, r.infinite ? " or inf" : "");
  return fmt::format("{} in {}{}, {}]", kind, r.open_low ? "(" : "[", r.low, r.high);
}

[[noreturn]] void refuse_value(const OptionRow& row, const std::string& found) {
  throw InvalidArgument(fmt::format("option '{}': expected {}, found '{}'", row.name, range_text(row), found));
}

}  // namespace

OptionRow::OptionRow(std::string_view the_name, OptionKind the_kind, std::ptrdiff_t the_place, Range the_range,
                     std::vector<std::string> the_choices, std::string_view the_help)
    : name(the_name),
      kind(the_kind),
      place(the_place),
      range(the_range),
      choices(std::move(the_choices)),
      help(the_help) {}
OptionRow::OptionRow(const OptionRow&) = default;
OptionRow::OptionRow(OptionRow&&) noexcept = default;
OptionRow& OptionRow::operator=(const OptionRow&) = default;
OptionRow& OptionRow::operator=(OptionRow&&) noexcept = default;
OptionRow::~OptionRow() = default;

OptionRows::OptionRows(std::vector<OptionRow> rows) : rows_(std::move(rows)) {}
OptionRows::OptionRows(const OptionRows&) = default;
OptionRows::~OptionRows() = default;

void OptionRows::parse(void* options, const OptionValues& values) const {
  for (const auto& [name, text] : values) {
    const OptionRow& row = find(name);
    if (!read(row, text, options) || !allowed(row, options)) refuse_value(row, text);
  }
}

void OptionRows::check(const void* options) const {
  for (const OptionRow& row : rows_) {
    if (!is_finite(row, options) || !allowed(row, options)) refuse_value(row, show(row, options));
  }
}

std::vector<OptionInfo> OptionRows::describe(const void* options) const {
  std::vector<OptionInfo> infos;
  for (const OptionRow& row : rows_)
    infos.push_back({row.name, type_name(row.kind), show(row, options), range_text(row), row.help});
  return infos;
}

UsedOptions OptionRows::record(const void* options) const {
  UsedOptions used;
  for (const OptionRow& row : rows_)
    if (std::string text = show(row, options); text != kUnset) used.emplace_back(row.name, std::move(text));
  return used;
}

const OptionRow& OptionRows::find(const std::string& name) const {
  std::vector<std::string> known;
  for (const OptionRow& row : rows_) {
    if (row.name == name) return row;
    known.push_back(row.name);
  }
  throw InvalidArgument(fmt::format("unknown option '{}'{}; known options: {}", name, did_you_mean(name, known),
                                    fmt::join(known, ", ")));
}

}  // namespace fcbio
