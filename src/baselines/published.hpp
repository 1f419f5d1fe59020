// How a file of this room becomes a registered method: words, options table, what it needs, and a function of a
// MethodRun.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "baselines/method_run.hpp"
#include "core/option_table.hpp"
#include "core/requirements.hpp"
#include "fcbio/method.hpp"

namespace fcbio {

/// The options struct of a method derives from this; published() adds both to its table.
struct BaselineOptions {
  std::int64_t iterations = 20000;
  SmoothnessKind smoothness = SmoothnessKind::safe;
};

/// What is given here is copied.
struct MethodText {
  std::string_view name;
  std::string_view summary;    ///< what it does, with its authors and year
  std::string_view needs;      ///< in words, as misfit tests it
  std::string_view guarantee;  ///< in words; "none known" where there is none
  bool zero_respecting = false;
  bool uses_smoothness = true;  ///< L_f or L_g, with some options at least
};

using Misfit = std::function<std::string(const Problem&)>;

/// A method behind options of any type.
class MethodBody {
 public:
  virtual ~MethodBody() = default;
  virtual void check(const OptionValues& values) const = 0;
  virtual Result run(const Problem& problem, const SolveOptions& options, Monitor& monitor) const = 0;
};

template <class Options>
class MethodWithOptions final : public MethodBody {
 public:
  using Run = Result (*)(MethodRun&, const Options&);
  MethodWithOptions(const std::vector<OptionEntry<Options>>& entries, Options defaults, Run method)
      : table_(entries), defaults_(std::move(defaults)), run_(method) {}
  std::vector<OptionInfo> describe() const { return table_.describe(defaults_); }
  void check(const OptionValues& values) const override { table_.parse(defaults_, values); }
  Result run(const Problem& problem, const SolveOptions& options, Monitor& monitor) const override {
    const Options own = table_.parse(defaults_, options.values);
    MethodRun method_run(problem, options.accuracy, own.iterations, own.smoothness, monitor);
    Result result = run_(method_run, own);
    result.options = table_.record(own);
    return result;
  }

 private:
  OptionTable<Options> table_;
  Options defaults_;
  Run run_;
};

MethodInfo published_method(const MethodText& text, std::vector<OptionInfo> options, Misfit misfit,
                            std::shared_ptr<const MethodBody> body);

/// `run` is called with a fresh MethodRun; everything but the name and options of the result is its business.
template <class Options>
MethodInfo published(const MethodText& text, std::vector<OptionEntry<Options>> entries, Misfit misfit,
                     typename MethodWithOptions<Options>::Run run, Options defaults = {}) {
  entries.push_back({"iterations",
                     &Options::iterations,
                     {1, 1e15},
                     {},
                     "the method's own budget, lower-level phase included; it has no certificate to stop at"});
  if (text.uses_smoothness)
    entries.push_back(
        {"smoothness",
         static_cast<SmoothnessKind Options::*>(&Options::smoothness),
         {},
         {"safe", "exact"},
         "L_f and L_g: 'safe' bounds of the largest eigenvalue, up to 7 % too large, or the eigenvalue "
         "itself to working accuracy, as published codes take it ('exact'; not safe)"});
  auto body = std::make_shared<const MethodWithOptions<Options>>(entries, std::move(defaults), run);
  std::vector<OptionInfo> options = body->describe();
  return published_method(text, std::move(options), std::move(misfit), std::move(body));
}

}  // namespace fcbio
