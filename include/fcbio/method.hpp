// Methods: one registry, one way to run them.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "fcbio/monitor.hpp"
#include "fcbio/options.hpp"
#include "fcbio/problem.hpp"
#include "fcbio/result.hpp"

namespace fcbio {

struct MethodInfo {
  std::string name;
  std::string summary;
  std::string needs;      ///< in words: "smooth f and g"
  std::string guarantee;  ///< in words, with the source
  bool zero_respecting = false;
  bool offers_tight = false;  ///< Accuracy::tight
  std::vector<OptionInfo> options;
  /// Empty: the method fits.  Otherwise the missing property, in words.
  std::function<std::string(const Problem&)> misfit;
  /// Throws InvalidArgument for an unknown option or a value out of range.
  std::function<void(const OptionValues&)> check_options;
  std::function<Result(const Problem&, const Accuracy&, const OptionValues&, Monitor&)> run;
};

const std::vector<MethodInfo>& methods();
/// Throws InvalidArgument that offers the nearest name.
const MethodInfo& find_method(std::string_view name);

struct SolveOptions {
  std::string method = "fcbio";
  OptionValues values = {};
  Accuracy accuracy = {};
  Limits limits = {};
};

/// Runs a method.  Throws InvalidArgument for bad accuracy, unknown method or option, or a method that does not
/// fit the problem; everything after that is told by Result::status.
Result solve(const Problem& problem, const SolveOptions& options = {});
/// The same with observers and an interrupt flag: the limits are the monitor's own.
Result solve(const Problem& problem, const SolveOptions& options, Monitor& monitor);

}  // namespace fcbio
