// A problem as Python holds it, what solving it gives, and everything that is done with the two.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "cli/report_data.hpp"
#include "fcbio/method.hpp"
#include "io/result_json.hpp"
#include "python/parts.hpp"
#include "report/report.hpp"

namespace fcbio::python {

class PythonProblem {
 public:
  PythonProblem(std::vector<Part> upper, std::vector<Part> lower, Domain domain, std::optional<Vector> start,
                const Accuracy& accuracy);
  /// From a file or the catalogue.
  explicit PythonProblem(data::Problem data);
  /// A problem made of black boxes; `owner` keeps alive what they look at.
  PythonProblem(Problem problem, std::shared_ptr<const void> owner);

  Index dimension() const { return dimension_; }
  /// The plain data; throws InvalidArgument that says what `purpose` cannot be done without.
  const data::Problem& data(const char* purpose) const;
  /// The same, where its numbers will be gone over: borrowed ones are checked again.
  const data::Problem& sound_data(const char* purpose) const;
  bool is_plain() const { return data_ != nullptr; }
  /// Of the plain data; found at the first call.
  const std::string& fingerprint() const;
  /// The solver's side, made at the first call, together with the seconds that took (0 later).
  std::pair<std::shared_ptr<const Problem>, double> built() const;
  const std::vector<FailuresPtr>& failures() const { return failures_; }
  report::Details details() const;
  cli::AnswerWords answer_words() const;

 private:
  Problem build() const;

  Index dimension_ = 0;
  std::shared_ptr<const void> owner_;
  std::shared_ptr<data::Problem> data_;  // null: some part is a callable
  std::vector<Part> upper_, lower_;      // with callables
  Domain domain_;
  std::optional<Vector> start_;
  std::vector<FailuresPtr> failures_;
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const Problem> built_;
  mutable std::string fingerprint_;
};

using ProblemPtr = std::shared_ptr<PythonProblem>;

struct PythonResult {
  ProblemPtr problem;  ///< null: read from a file
  Result result;       ///< of a solve
  std::vector<report::Sample> samples;
  std::optional<io::StoredResult> stored;
  bool accuracy_changed = false;
};

using ResultPtr = std::shared_ptr<PythonResult>;

struct SolveRequest {
  SolveOptions options;
  py::object callback;
  bool return_on_interrupt = false;
  bool main_thread = false;
};

ResultPtr solve(const ProblemPtr& problem, const SolveRequest& request);

/// Runs `work` without the interpreter's lock; Ctrl-C and what callables of the problem raise end it.
void run_interruptibly(const std::vector<FailuresPtr>& failures, bool main_thread, bool return_on_interrupt,
                       const std::function<void(const std::atomic<bool>*)>& work);

}  // namespace fcbio::python
