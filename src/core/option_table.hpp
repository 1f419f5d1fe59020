// One static table per options struct.  An entry names a member, its range and its help; parsing, validation,
// listing and recording are all driven by it.  What is done with a member depends on its kind, not on the struct, so
// all of that is compiled once (option_table.cpp); the templates here only say where a member lies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "fcbio/options.hpp"

namespace fcbio {

/// Smallest and largest allowed number; `open_low`: the smallest itself is not allowed.
struct Range {
  double low = -kInfinity;
  double high = kInfinity;
  bool open_low = false;
  bool infinite = false;  ///< infinity itself is allowed
};

/// What a member is: a number, a flag, one of the texts of `choices`, or an enumerator (of one byte) whose text
/// stands at its place in `choices`.
enum class OptionKind : std::uint8_t { real, optional_real, integer, flag, text, enumerator };

/// A member of a struct: its kind, and how many bytes it lies behind the beginning.
template <class Options>
struct OptionMember {
  OptionMember(double Options::*member) : OptionMember(OptionKind::real, member) {}
  OptionMember(std::optional<double> Options::*member) : OptionMember(OptionKind::optional_real, member) {}
  OptionMember(std::int64_t Options::*member) : OptionMember(OptionKind::integer, member) {}
  OptionMember(bool Options::*member) : OptionMember(OptionKind::flag, member) {}
  OptionMember(std::string Options::*member) : OptionMember(OptionKind::text, member) {}
  template <class Enum>
  requires(std::is_enum_v<Enum> && sizeof(Enum) == 1) OptionMember(Enum Options::*member)
      : OptionMember(OptionKind::enumerator, member) {}

  OptionKind kind;
  std::ptrdiff_t place;

 private:
  template <class Member>
  OptionMember(OptionKind the_kind, Member Options::*member) : kind(the_kind) {
    const Options& object = any_object();
    place = reinterpret_cast<const char*>(&(object.*member)) - reinterpret_cast<const char*>(&object);
  }
  static const Options& any_object() {
    static const Options object{};
    return object;
  }
};

/// An entry without its struct.  Made, copied and destroyed out of line: tables are long lists of them, and the
/// compiler would spend its time on their strings.
struct OptionRow {
  OptionRow(std::string_view the_name, OptionKind the_kind, std::ptrdiff_t the_place, Range the_range,
            std::vector<std::string> the_choices, std::string_view the_help);
  OptionRow(const OptionRow&);
  OptionRow(OptionRow&&) noexcept;
  OptionRow& operator=(const OptionRow&);
  OptionRow& operator=(OptionRow&&) noexcept;
  ~OptionRow();

  std::string name;
  OptionKind kind;
  std::ptrdiff_t place;
  Range range;
  std::vector<std::string> choices;
  std::string help;
};

template <class Options>
struct OptionEntry : OptionRow {
  OptionEntry(std::string_view the_name, OptionMember<Options> member, Range the_range,
              std::vector<std::string> the_choices, std::string_view the_help)
      : OptionRow(the_name, member.kind, member.place, the_range, std::move(the_choices), the_help) {}
};

using UsedOptions = std::vector<std::pair<std::string, std::string>>;

/// The table without its struct: `options` points to one.
class OptionRows {
 public:
  explicit OptionRows(std::vector<OptionRow> rows);
  OptionRows(const OptionRows&);
  ~OptionRows();
  void parse(void* options, const OptionValues& values) const;
  void check(const void* options) const;
  std::vector<OptionInfo> describe(const void* options) const;
  UsedOptions record(const void* options) const;

 private:
  const OptionRow& find(const std::string& name) const;
  std::vector<OptionRow> rows_;
};

template <class Options>
class OptionTable {
 public:
  explicit OptionTable(const std::vector<OptionEntry<Options>>& entries)
      : rows_(std::vector<OptionRow>(entries.begin(), entries.end())) {}

  /// `defaults` with what the user gave; InvalidArgument names the option, what it takes and what was found.
  Options parse(Options defaults, const OptionValues& values) const {
    rows_.parse(&defaults, values);
    return defaults;
  }
  /// Refuses, likewise, a struct with a value out of range.
  void check(const Options& options) const { rows_.check(&options); }
  std::vector<OptionInfo> describe(const Options& defaults) const { return rows_.describe(&defaults); }
  /// The options as used, in table order; unset ones are left out.
  UsedOptions record(const Options& options) const { return rows_.record(&options); }
  const OptionRows& rows() const { return rows_; }

 private:
  OptionRows rows_;
};

}  // namespace fcbio
