// How a file of this room becomes a registered method: words, options table, what it needs, and a function of a
// MethodRun.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "baselines/method_run.hpp"
#include "core/option_table.hpp"
#include "core/requirements.hpp"
#include "fcbio/method.hpp"

namespace fcbio {

/// The options struct of a method derives from this; published() adds `iterations` to its table.
struct BaselineOptions {
  std::int64_t iterations = 20000;
};

struct MethodText {
  std::string name;
  std::string summary;    ///< what it does, with its authors and year
  std::string needs;      ///< in words, as misfit tests it
  std::string guarantee;  ///< in words; "none known" where there is none
  bool zero_respecting = false;
};

using Misfit = std::function<std::string(const Problem&)>;

/// `run` is called with a fresh MethodRun; everything but the name and options of the result is its business.
template <class Options>
MethodInfo published(MethodText text, std::vector<OptionEntry<Options>> entries, Misfit misfit,
                     Result (*run)(MethodRun&, const Options&), Options defaults = {}) {
  entries.push_back({"iterations",
                     &Options::iterations,
                     {1, 1e15},
                     {},
                     "the method's own budget, lower-level phase included; it has no certificate to stop at"});
  struct Settings {
    OptionTable<Options> table;
    Options defaults;
    Options with(const OptionValues& values) const { return table.parse(defaults, values); }
  };
  // (clang 14 cannot make_shared an aggregate)
  const std::shared_ptr<const Settings> settings(
      new Settings{OptionTable<Options>(std::move(entries)), std::move(defaults)});
  MethodInfo info;
  info.name = std::move(text.name);
  info.summary = std::move(text.summary);
  info.needs = std::move(text.needs);
  info.guarantee = std::move(text.guarantee);
  info.zero_respecting = text.zero_respecting;
  info.options = settings->table.describe(settings->defaults);
  info.misfit = std::move(misfit);
  info.check_options = [settings](const OptionValues& values) { settings->with(values); };
  info.run = [settings, run](const Problem& problem, const Accuracy& accuracy, const OptionValues& values,
                             Monitor& monitor) {
    const Options options = settings->with(values);
    MethodRun method_run(problem, accuracy, options.iterations, monitor);
    Result result = run(method_run, options);
    result.options = settings->table.record(options);
    return result;
  };
  return info;
}

}  // namespace fcbio
