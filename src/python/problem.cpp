#include "python/problem.hpp"

#include <fmt/format.h>

#include <chrono>

#include "build/problem.hpp"
#include "fcbio/error.hpp"
#include "fcbio/threads.hpp"
#include "python/hessian_check.hpp"
#include "python/interrupt.hpp"
#include "python/sparse_rows.hpp"

namespace fcbio::python {
namespace {

/// Lends the tables of a problem out, so that the solver's side and the plain data share them.
struct Sharer {
  void operator()(const data::DataField&, data::Matrix& matrix) const { matrix.share(); }
  void operator()(const data::SquareMatrixField&, data::Matrix& matrix) const { matrix.share(); }
  template <class Field, class Member>
  void operator()(const Field&, Member&) const {}
};

void share_tables(std::vector<data::Term>& terms) {
  for (data::Term& term : terms) std::visit([](auto& kind) { data::for_each_field(kind, Sharer{}); }, term.kind);
}

/// Borrowed rows may have been changed since they were checked; the solver checks them itself.
struct SoundnessCheck {
  void operator()(const data::DataField&, const data::Matrix& matrix) const { check(matrix); }
  void operator()(const data::SquareMatrixField&, const data::Matrix& matrix) const { check(matrix); }
  template <class Field, class Member>
  void operator()(const Field&, const Member&) const {}

 private:
  static void check(const data::Matrix& matrix) {
    matrix.read([]<class View>(const View& view) {
      if constexpr (std::is_same_v<View, CsrView>) require_sound(view);
    });
  }
};

void require_sound_rows(const std::vector<data::Term>& terms) {
  for (const data::Term& term : terms)
    std::visit([](const auto& kind) { data::for_each_field(kind, SoundnessCheck{}); }, term.kind);
}

bool has_numbers(const data::Term& term) {
  const data::Matrix* rows = data::rows_of(term);
  return rows == nullptr || rows->has_numbers();
}

/// What Python is shown of a moment of the run.
class CallbackObserver : public Observer {
 public:
  CallbackObserver(py::object callback, Failures& failures)
      : callback_(std::move(callback)), failures_(failures) {}

  bool on_progress(const Progress& progress) override {
    if (failures_.any()) return false;
    const py::gil_scoped_acquire lock;
    try {
      py::dict moment;
      moment["phase"] = std::string(progress.phase);
      moment["round"] = progress.round;
      if (progress.work != nullptr) {
        moment["nit"] = progress.work->iterations;
        moment["passes"] = progress.work->passes();
      }
      moment["seconds"] = progress.seconds;
      moment["fun"] = progress.upper_value;
      moment["lower_fun"] = progress.lower_value;
      moment["level"] = progress.level;
      moment["bracket_low"] = progress.bracket_low;
      moment["bracket_high"] = progress.bracket_high;
      moment["upper_excess"] = progress.upper_excess;
      moment["lower_gap"] = progress.lower_gap;
      moment["x"] = progress.x != nullptr ? py::object(to_array(*progress.x)) : py::none();
      callback_(moment);
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    } catch (py::error_already_set& error) {
      if (error.matches(PyExc_StopIteration)) return false;
      failures_.keep_current();
      return false;
    }
    return true;
  }

 private:
  py::object callback_;
  Failures& failures_;
};

}  // namespace

PythonProblem::PythonProblem(std::vector<Part> upper, std::vector<Part> lower, Domain domain,
                             std::optional<Vector> start, const Accuracy& accuracy)
    : upper_(std::move(upper)), lower_(std::move(lower)), domain_(std::move(domain)), start_(std::move(start)) {
  std::vector<DimensionSource> sources;
  const auto add = [&sources](const std::vector<DimensionSource>& more) {
    sources.insert(sources.end(), more.begin(), more.end());
  };
  bool plain = domain_.is_plain();
  std::vector<std::string> notes;
  for (const auto& [level, parts] : {std::pair("upper", &upper_), std::pair("lower", &lower_)}) {
    if (parts->empty()) throw InvalidArgument(fmt::format("{}: expected at least one term, found none", level));
    for (const Part& part : *parts) {
      add(dimension_sources(part, level));
      plain = plain && !part.user && has_numbers(part.term);
      failures_.insert(failures_.end(), part.failures.begin(), part.failures.end());
      for (const std::string& note : part.notes) notes.push_back(fmt::format("{}: {}", level, note));
    }
  }
  add(dimension_sources(domain_));
  failures_.insert(failures_.end(), domain_.failures.begin(), domain_.failures.end());
  if (start_) sources.push_back({start_->size(), "x0"});
  dimension_ = agreed_dimension(sources);
  for (std::vector<Part>* parts : {&upper_, &lower_})
    for (Part& part : *parts)
      if (!part.user) expand(part.term, dimension_);
  expand(domain_, dimension_);
  if (!plain) return;

  data_ = std::make_shared<data::Problem>();
  data_->dimension = dimension_;
  data_->domain = domain_.set;
  for (const Part& part : upper_) data_->upper.push_back(part.term);
  for (const Part& part : lower_) data_->lower.push_back(part.term);
  data_->accuracy = accuracy;
  data_->start = start_;
  data_->notes = std::move(notes);
}

PythonProblem::PythonProblem(data::Problem data) : dimension_(data.dimension) {
  share_tables(data.upper);
  share_tables(data.lower);
  data_ = std::make_shared<data::Problem>(std::move(data));
}

PythonProblem::PythonProblem(Problem problem, std::shared_ptr<const void> owner)
    : dimension_(problem.dimension()),
      owner_(std::move(owner)),
      built_(std::make_shared<const Problem>(std::move(problem))) {}

const data::Problem& PythonProblem::data(const char* purpose) const {
  if (!data_)
    throw InvalidArgument(fmt::format(
        "expected a problem made of the functions and sets of the library, found one with callables or linear "
        "operators, which cannot be {}",
        purpose));
  return *data_;
}

const data::Problem& PythonProblem::sound_data(const char* purpose) const {
  const data::Problem& plain = data(purpose);
  require_sound_rows(plain.upper);
  require_sound_rows(plain.lower);
  return plain;
}

const std::string& PythonProblem::fingerprint() const {
  const std::lock_guard lock(mutex_);
  if (fingerprint_.empty()) fingerprint_ = data::fingerprint(sound_data("named"));
  return fingerprint_;
}

Problem PythonProblem::build() const {
  if (data_) return build::make_problem(*data_);
  const Vector start = start_.value_or(Vector::Zero(dimension_));
  const ConvexSetPtr domain = make_set(domain_, start);
  const auto level = [&](const std::vector<Part>& parts, const char* name) {
    Function total;
    for (const Part& part : parts) {
      Function function;
      if (part.user) {
        UserFunction user = *part.user;
        user.dimension = dimension_;
        if (user.hessian_product) require_hessian(user, *domain, start);
        function = part.term.weight * user_function(std::move(user));
      } else {
        function = build::make_function({part.term}, name);
      }
      total = total.parts().empty() ? function : total + function;
    }
    return total;
  };
  return Problem(level(upper_, "upper"), level(lower_, "lower"), domain, start);
}

std::pair<std::shared_ptr<const Problem>, double> PythonProblem::built() const {
  const std::lock_guard lock(mutex_);
  if (built_) return {built_, 0.0};
  const auto begun = std::chrono::steady_clock::now();
  auto fresh = std::make_shared<const Problem>(build());
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begun;
  for (const FailuresPtr& failures : failures_)
    if (failures->any()) return {fresh, seconds.count()};  // not to be kept: what was computed is not the truth
  built_ = fresh;
  return {built_, seconds.count()};
}

report::Details PythonProblem::details() const {
  if (data_) return cli::problem_details(*data_, fingerprint());
  const auto problem = built().first;
  return {{"Upper objective f", problem->upper().describe()},
          {"Lower objective g", problem->lower().describe()},
          {"Domain Z", std::string(problem->domain().name())},
          {"Unknowns", std::to_string(dimension_)}};
}

cli::AnswerWords PythonProblem::answer_words() const {
  return data_ ? cli::AnswerWords(*data_) : cli::AnswerWords();
}

void run_interruptibly(const std::vector<FailuresPtr>& failures, bool main_thread, bool return_on_interrupt,
                       const std::function<void(const std::atomic<bool>*)>& work) {
  std::atomic<bool> stop{false};
  struct Attachment {
    const std::vector<FailuresPtr>& failures;
    std::atomic<bool>* stop;
    Attachment(const std::vector<FailuresPtr>& all, std::atomic<bool>* flag) : failures(all), stop(flag) {
      for (const FailuresPtr& one : failures) one->attach(stop);
    }
    ~Attachment() {
      for (const FailuresPtr& one : failures) one->detach(stop);
    }
  } attachment(failures, &stop);
  std::exception_ptr refused;
  {
    const py::gil_scoped_release unlocked;
    const InterruptGuard guard(&stop, main_thread);
    try {
      work(&stop);
    } catch (...) {
      refused = std::current_exception();
    }
  }
  // What a callable raised is the reason for whatever the solver then said.
  for (const FailuresPtr& one : failures) {
    try {
      one->rethrow();
    } catch (const py::error_already_set& raised) {
      if (!return_on_interrupt || !raised.matches(PyExc_KeyboardInterrupt)) throw;
    }
  }
  if (PyErr_CheckSignals() != 0) {
    if (!return_on_interrupt || PyErr_ExceptionMatches(PyExc_KeyboardInterrupt) == 0)
      throw py::error_already_set();
    PyErr_Clear();
  }
  if (refused) std::rethrow_exception(refused);
}

ResultPtr solve(const ProblemPtr& problem, const SolveRequest& request) {
  auto answer = std::make_shared<PythonResult>();
  answer->problem = problem;
  std::vector<FailuresPtr> failures = problem->failures();
  const auto of_callback = std::make_shared<Failures>();
  failures.push_back(of_callback);
  std::optional<CallbackObserver> observer;
  if (!request.callback.is_none()) observer.emplace(request.callback, *of_callback);
  run_interruptibly(failures, request.main_thread, request.return_on_interrupt,
                    [&](const std::atomic<bool>* stop) {
                      const ThreadScope scope(request.options.threads);
                      const auto [built, seconds] = problem->built();
                      Monitor monitor(request.options.limits, stop);
                      monitor.charge_before(seconds);
                      report::Recorder recorder;
                      monitor.add_observer(recorder);
                      if (observer) monitor.add_observer(*observer);
                      answer->result = fcbio::solve(*built, request.options, monitor);
                      answer->samples = recorder.samples();
                    });
  if (problem->is_plain()) {
    const Accuracy& told = problem->data("").accuracy;
    const Accuracy& asked = request.options.accuracy;
    answer->accuracy_changed = told.upper != asked.upper || told.lower != asked.lower ||
                               told.upper_relative != asked.upper_relative ||
                               told.lower_relative != asked.lower_relative || told.tight != asked.tight ||
                               told.absolute != asked.absolute;
  }
  return answer;
}

}  // namespace fcbio::python
