// Methods: one registry, one way to run them.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fcbio/monitor.hpp"
#include "fcbio/options.hpp"
#include "fcbio/problem.hpp"
#include "fcbio/result.hpp"

namespace fcbio {

/// What a solve is asked for.  The typed options are those of the named method: `certified` of the default, `published`
/// of fcbio-sm and fcbio-lip.  `values` are texts put over them, from a command line or a file, and the way to set
/// options of the other methods.
///     solve(problem, {.accuracy = {1e-4, 1e-6}, .certified = {.engine = EngineKind::newton}});
struct SolveOptions {
  std::string method = "fcbio";
  OptionValues values = {};
  Accuracy accuracy = {};
  Limits limits = {};
  CertifiedOptions certified = {};
  FcbioOptions published = {};
  std::shared_ptr<const EarlierAnswer> start = {};  ///< in place of the problem's start
  int threads = 0;  ///< of this solve alone; 0: of the caller's ThreadScope, 1 without one
};

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
  std::function<Result(const Problem&, const SolveOptions&, Monitor&)> run;
  /// The options as run() will use them, in table order, of a method that can go on from a checkpoint; empty: it cannot.
  std::function<std::vector<std::pair<std::string, std::string>>(const SolveOptions&)> options_as_used;
};

FCBIO_EXPORT const std::vector<MethodInfo>& methods();
/// Throws InvalidArgument that offers the nearest name.
FCBIO_EXPORT const MethodInfo& find_method(std::string_view name);

/// Runs a method, on the variables that anything depends on; the others are put back into the result.  Throws
/// InvalidArgument for bad accuracy, unknown method or option, too many threads, or a method that does not fit the
/// problem; everything after that is told by Result::status.
FCBIO_EXPORT Result solve(const Problem& problem, const SolveOptions& options = {});
/// The same with observers and an interrupt flag: the limits are the monitor's own.
FCBIO_EXPORT Result solve(const Problem& problem, const SolveOptions& options, Monitor& monitor);

}  // namespace fcbio
