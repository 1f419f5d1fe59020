// What a report page shows, as data: one problem, one or several runs on it, what is known about the optimum; or work
// against a lower bound over a range of accuracies.
// to_html() puts it, as JSON, into one self-contained page (source under web/).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fcbio/monitor.hpp"
#include "fcbio/result.hpp"
#include "report/answer.hpp"

namespace fcbio::report {

using Details = std::vector<std::pair<std::string, std::string>>;

/// One moment of a run.  NaN: not known at that moment.
struct Sample {
  Work work;
  double seconds = 0.0;
  double upper_value = 0.0;  ///< f and g, as in Progress
  double lower_value = 0.0;
  double bracket_low = 0.0;  ///< as in Progress
  double bracket_high = 0.0;
  double upper_excess = 0.0;
  double lower_gap = 0.0;
};

/// A line that proves something: f + multiplier * g >= value on all of Z.
struct Cut {
  double multiplier = 0.0;
  double value = 0.0;
};

/// A number known to lie between two others.
struct Interval {
  double low = 0.0;
  double high = 0.0;
};

/// The first point of a run that is surely (eps_f, eps_g)-weak optimal.
struct WeakAfter {
  Sample sample;
  bool returned = false;  ///< the returned point is surely weak optimal, too
};
/// Surely: f(x) <= low(f*) + eps_f, g(x) <= low(g*) + eps_g.
std::optional<WeakAfter> first_weak(const std::vector<Sample>& samples, const Result& result,
                                    const Interval& upper_optimum, const Interval& lower_optimum,
                                    const Accuracy& accuracy);
/// The returned point as the last moment of its run.
Sample returned_sample(const Result& result);

struct Run {
  std::string name;  ///< shown in legend and table; any text
  Result result;
  std::vector<Sample> samples;
  std::vector<Cut> cuts;
  std::optional<WeakAfter> weak_after = std::nullopt;  ///< empty: never, or f* and g* are not known
  Details columns = {};                                ///< more columns of the table, the same for all runs
};

struct LeftOut {
  std::string name;
  std::string why;
};

/// Work of a method at one accuracy, beside the lower bound, in gradients.  Every sample is another problem.
struct BoundSample {
  double accuracy = 0.0;
  std::int64_t bound = 0;                             ///< nobody can do with fewer
  std::int64_t judged = 0;                            ///< what the method is judged by; 0: it did not get there
  std::optional<std::int64_t> longest_round, rounds;  ///< of a method in rounds
  std::int64_t gradients = 0;                         ///< in all
  std::optional<std::int64_t> first_weak;             ///< up to the first weak point
};
struct BoundLine {
  std::string name;  ///< any text
  std::vector<BoundSample> samples;
  std::optional<double> exponent;  ///< fitted
};
struct Bounds {
  double expected_exponent = 0.0;
  std::vector<BoundLine> lines;
};

/// What an experiment that tries a theorem found.
struct Finding {
  bool holds = false;
  std::string headline;  ///< follows "Confirmed: " or "Refuted: "
  std::string text;
};

struct Report {
  std::string kind;   ///< "demo", "solve", "compare", "paper", "hard", "bounds"
  std::string title;  ///< any text
  std::string introduction;
  Details problem;  ///< "upper" -> "squared-norm", "domain" -> "ball of radius 2", ...
  Accuracy accuracy;
  std::optional<Interval> upper_optimum;  ///< f*, with its error bar
  std::optional<Interval> lower_optimum;  ///< g*
  std::string certificate;                ///< in words, of the first run; lines separated by '\n'
  std::vector<Run> runs;
  std::optional<Solution> solution;  ///< the returned point of the first run
  std::vector<Classifier> classifiers;
  std::optional<Finding> finding;
  std::vector<LeftOut> left_out;
  std::optional<Bounds> bounds;  ///< shown instead of problem and runs
};

/// Collects samples while a method runs.  Thinned by the iteration number (thinning.hpp), so memory stays small;
/// the last iteration told is always there.  Given the problem, it also evaluates, at the samples it keeps, what
/// the method itself did not compute (a monitor's clock stands still meanwhile, and no pass is charged); without
/// it such values stay unknown.
class Recorder : public Observer {
 public:
  Recorder() = default;
  explicit Recorder(const Problem& problem) : problem_(&problem) {}
  bool on_progress(const Progress& progress) override;
  /// All samples so far, the latest included.
  std::vector<Sample> samples() const;
  /// Those of the thinning rule alone: where a problem was given, their values are known.
  const std::vector<Sample>& kept() const { return kept_; }

 private:
  const Problem* problem_ = nullptr;
  std::vector<Sample> kept_;
  std::optional<Sample> latest_;
};

std::string to_json(const Report& report);
/// One self-contained page: no network, user strings shown as text.
std::string to_html(const Report& report);
/// Atomic: the file appears complete or not at all.  Throws InputError.
void write_html(const Report& report, const std::filesystem::path& file);

}  // namespace fcbio::report
