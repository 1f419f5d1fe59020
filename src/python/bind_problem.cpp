// Problems, solving and results for Python.
#include <fmt/format.h>
#include <pybind11/functional.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "checker.hpp"
#include "claims/claims.hpp"
#include "cli/text.hpp"
#include "fcbio/error.hpp"
#include "io/problem_file.hpp"
#include "python/bindings.hpp"
#include "python/problem.hpp"
#include "report/cuts.hpp"

namespace fcbio::python {
namespace {

Accuracy make_accuracy(double upper, double lower, bool tight, bool absolute,
                       const std::optional<std::tuple<double, double, double>>& holder, double upper_relative,
                       double lower_relative) {
  Accuracy accuracy{upper, lower, tight, absolute, {}, upper_relative, lower_relative};
  if (holder) accuracy.holder = HolderBound{std::get<0>(*holder), std::get<1>(*holder), std::get<2>(*holder)};
  return accuracy;
}

py::dict accuracy_of(const Accuracy& accuracy) {
  py::dict told;
  told["upper"] = accuracy.upper;
  told["lower"] = accuracy.lower;
  if (accuracy.upper_relative > 0.0) told["upper_relative"] = accuracy.upper_relative;
  if (accuracy.lower_relative > 0.0) told["lower_relative"] = accuracy.lower_relative;
  if (accuracy.tight) told["tight"] = true;
  if (accuracy.absolute) told["absolute"] = true;
  if (accuracy.holder)
    told["holder"] =
        py::make_tuple(accuracy.holder->alpha, accuracy.holder->beta, accuracy.holder->gradient_bound);
  return told;
}

/// The bounds of a certificate, by the names of result.json; `From` is a Certificate or a StoredResult.
template <class From>
py::dict bounds_of(const From& known, const std::string& evidence) {
  py::dict told;
  told["evidence"] = evidence;
  told["upper_excess"] = known.upper_excess;
  told["lower_gap"] = known.lower_gap;
  told["upper_lower_bound"] = known.upper_lower_bound;
  told["lower_lower_bound"] = known.lower_lower_bound;
  if (known.shortfall) told["shortfall"] = *known.shortfall;
  if (known.tight_level) told["tight_level"] = *known.tight_level;
  if (known.tight_excess) told["tight_excess"] = *known.tight_excess;
  if (known.upper_deficit) told["upper_deficit"] = *known.upper_deficit;
  if (!known.premises.empty()) told["premises"] = known.premises;
  return told;
}

template <class Read>
py::array_t<double> column(const std::vector<report::Sample>& samples, const Read& read) {
  py::array_t<double> numbers(static_cast<py::ssize_t>(samples.size()));
  for (std::size_t i = 0; i < samples.size(); ++i)
    numbers.mutable_data()[i] = static_cast<double>(read(samples[i]));
  return numbers;
}

py::dict trace_of(const std::vector<report::Sample>& samples) {
  py::dict trace;
  trace["nit"] = column(samples, [](const auto& s) { return s.work.iterations; });
  trace["passes"] = column(samples, [](const auto& s) { return s.work.passes(); });
  trace["seconds"] = column(samples, [](const auto& s) { return s.seconds; });
  trace["fun"] = column(samples, [](const auto& s) { return s.upper_value; });
  trace["lower_fun"] = column(samples, [](const auto& s) { return s.lower_value; });
  trace["bracket_low"] = column(samples, [](const auto& s) { return s.bracket_low; });
  trace["bracket_high"] = column(samples, [](const auto& s) { return s.bracket_high; });
  trace["upper_excess"] = column(samples, [](const auto& s) { return s.upper_excess; });
  trace["lower_gap"] = column(samples, [](const auto& s) { return s.lower_gap; });
  return trace;
}

py::dict work_of(const Work& work) {
  py::dict told;
  told["iterations"] = work.iterations;
  told["upper_passes"] = work.upper_passes;
  told["lower_passes"] = work.lower_passes;
  told["projections"] = work.projections;
  if (work.certified_after) told["certified_after"] = *work.certified_after;
  return told;
}

/// The fields of a result as Python shows them.
py::dict fields_of(const PythonResult& answer) {
  py::dict fields;
  const auto common = [&](const auto& from, const Work& work) {
    fields["x"] = to_array(from.x);
    fields["message"] = from.message;
    fields["nit"] = work.iterations;
    fields["passes"] = work.passes();
    fields["method"] = from.method;
    fields["engine"] = from.engine;
    fields["accuracy"] = accuracy_of(from.accuracy);
    fields["work"] = work_of(work);
  };
  if (answer.stored) {
    const io::StoredResult& stored = *answer.stored;
    common(stored, stored.work);
    fields["fun"] = stored.upper_value;
    fields["lower_fun"] = stored.lower_value;
    fields["status"] = stored.status;
    fields["certificate"] = bounds_of(stored, stored.evidence);
    fields["seconds"] = stored.solve_seconds;
    fields["options"] = stored.options;
    fields["trace"] = trace_of({});
    return fields;
  }
  const Result& result = answer.result;
  common(result, result.work);
  fields["fun"] = result.upper_value;
  fields["lower_fun"] = result.lower_value;
  fields["status"] = std::string(to_string(result.status));
  fields["certificate"] = bounds_of(result.certificate, std::string(to_string(result.certificate.evidence)));
  fields["seconds"] = result.solve_seconds;
  py::dict options;
  for (const auto& [key, value] : result.options) options[py::str(key)] = value;
  fields["options"] = options;
  fields["trace"] = trace_of(answer.samples);
  if (result.violation) {
    py::dict violation;
    violation["function"] = result.violation->function;
    violation["level"] = result.violation->level == Level::upper ? "upper" : "lower";
    violation["amount"] = result.violation->amount;
    violation["distance"] = result.violation->distance;
    violation["first"] = to_array(result.violation->first);
    violation["second"] = to_array(result.violation->second);
    fields["convexity"] = violation;
  }
  return fields;
}

ResultPtr run(const ProblemPtr& problem, const std::string& method, const OptionValues& values,
              const Accuracy& accuracy, const py::dict& limits, int threads, py::object callback,
              bool return_on_interrupt, bool main_thread) {
  SolveRequest request;
  request.options.method = method;
  request.options.values = values;
  request.options.accuracy = accuracy;
  if (limits.contains("seconds")) request.options.limits.seconds = limits["seconds"].cast<double>();
  if (limits.contains("iterations")) request.options.limits.iterations = limits["iterations"].cast<std::int64_t>();
  if (limits.contains("passes")) request.options.limits.passes = limits["passes"].cast<std::int64_t>();
  request.options.threads = threads;
  request.callback = std::move(callback);
  request.return_on_interrupt = return_on_interrupt;
  request.main_thread = main_thread;
  return solve(problem, request);
}

const char* word(verify::Outcome outcome) {
  switch (outcome) {
    case verify::Outcome::ok:
      return "ok";
    case verify::Outcome::failed:
      return "failed";
    case verify::Outcome::not_claimed:
      return "not claimed";
    case verify::Outcome::not_checked:
      return "not checked";
    case verify::Outcome::assumed:
      return "assumed";
  }
  return "";
}

py::dict check(const PythonProblem& problem, const PythonResult& answer) {
  verify::VerifyReport report;
  {
    const py::gil_scoped_release unlocked;
    const data::Problem& data = problem.sound_data("verified");
    const std::string& fingerprint = problem.fingerprint();
    verify::Claims claims =
        answer.stored ? claims::claims_of(*answer.stored) : claims::claims_of(answer.result, fingerprint);
    if (claims.record)
      for (const MethodInfo& method : methods()) claims.record->known_methods.push_back(method.name);
    report = verify::verify(data, claims, fingerprint);
  }
  py::dict told;
  told["all_hold"] = report.all_hold;
  told["text"] = verify::to_text(report);
  py::list lines;
  for (const verify::Line& line : report.lines)
    lines.append(py::make_tuple(line.name, line.claimed, line.recomputed, word(line.outcome), line.note));
  told["lines"] = lines;
  return told;
}

void save(const PythonResult& answer, const std::filesystem::path& file) {
  if (answer.stored || !answer.problem)
    throw InvalidArgument("expected a result of minimize(), found one that was read from a file; copy that file");
  const py::gil_scoped_release unlocked;
  answer.problem->data("saved with its result");
  io::write_result(answer.result, {answer.problem->fingerprint(), 0, 0.0, {}, answer.accuracy_changed}, file);
}

void write_report(const PythonResult& answer, const std::filesystem::path& file, const std::string& title) {
  if (answer.stored || !answer.problem)
    throw InvalidArgument("expected a result of minimize(), found one that was read from a file; it has no trace");
  const py::gil_scoped_release unlocked;
  report::Report page;
  page.kind = "solve";
  page.title = title;
  page.problem = answer.problem->details();
  const auto built = answer.problem->built().first;
  page.runs.push_back(
      {answer.result.method, answer.result, answer.samples, report::proved_cuts(*built, answer.result)});
  page.accuracy = answer.result.accuracy;
  page.certificate = cli::certificate_in_words(answer.result);
  answer.problem->answer_words().describe(*built, answer.result.x, page);
  report::write_html(page, file);
}

double value_at(const Function& function, VectorIn x) {
  PartVectors images = function.make_images();
  function.images(x, images);
  return function.value(x, images);
}

std::pair<double, double> values(const PythonProblem& problem,
                                 const py::array_t<double, py::array::c_style>& point) {
  const Vector x = Eigen::Map<const Vector>(point.data(), point.size());
  if (x.size() != problem.dimension())
    throw InvalidArgument(fmt::format("x: expected {} numbers, found {}", problem.dimension(), x.size()));
  std::pair<double, double> found;
  run_interruptibly(problem.failures(), false, false, [&](const std::atomic<bool>*) {
    const auto built = problem.built().first;
    found = {value_at(built->upper(), x), value_at(built->lower(), x)};
  });
  return found;
}

}  // namespace

void bind_problem(py::module_& module) {
  py::class_<Accuracy>(module, "Accuracy")
      .def(py::init(&make_accuracy), py::arg("upper"), py::arg("lower"), py::arg("tight") = false,
           py::arg("absolute") = false, py::arg("holder") = py::none(), py::arg("upper_relative") = 0.0,
           py::arg("lower_relative") = 0.0);
  py::class_<PythonProblem, ProblemPtr>(module, "Problem")
      .def(py::init([](std::vector<Part> upper, std::vector<Part> lower, Domain domain,
                       const std::optional<py::array_t<double, py::array::c_style>>& start,
                       const Accuracy& accuracy) {
        std::optional<Vector> x0;
        if (start) x0 = Eigen::Map<const Vector>(start->data(), start->size());
        return std::make_shared<PythonProblem>(std::move(upper), std::move(lower), std::move(domain),
                                               std::move(x0), accuracy);
      }))
      .def_property_readonly("dimension", &PythonProblem::dimension)
      .def_property_readonly("is_plain", &PythonProblem::is_plain)
      .def("fingerprint", &PythonProblem::fingerprint, py::call_guard<py::gil_scoped_release>())
      .def("details", &PythonProblem::details, py::call_guard<py::gil_scoped_release>())
      .def("notes",
           [](const PythonProblem& p) { return p.is_plain() ? p.data("").notes : std::vector<std::string>{}; })
      .def("asked",
           [](const PythonProblem& p) {
             const data::Problem& data = p.data("");
             return py::make_tuple(accuracy_of(data.accuracy), data.method, data.options);
           })
      .def("save",
           [](const PythonProblem& p, const std::filesystem::path& directory, const std::string& comment) {
             const py::gil_scoped_release unlocked;
             io::write_problem(p.sound_data("written to files"), directory, comment);
           })
      .def("values", &values)
      .def("solve", &run);
  py::class_<PythonResult, ResultPtr>(module, "Result")
      .def("fields", &fields_of)
      .def("save", &save)
      .def("report", &write_report)
      .def("summary",
           [](const PythonResult& r) {
             return r.stored ? std::string{}
                             : cli::summary(r.result, std::nullopt) + "\n" + cli::certificate_in_words(r.result);
           })
      .def_readonly("problem", &PythonResult::problem);
  module.def("verify", &check);
  module.def("load_problem", [](const std::filesystem::path& file) {
    const py::gil_scoped_release unlocked;
    return std::make_shared<PythonProblem>(io::read_problem(file));
  });
  module.def("load_result", [](const std::filesystem::path& file) {
    const py::gil_scoped_release unlocked;
    auto answer = std::make_shared<PythonResult>();
    answer->stored = io::read_result(file);
    return answer;
  });
}

}  // namespace fcbio::python
