// Methods, the catalogue, hard instances and comparisons for Python.
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "catalogue/catalogue.hpp"
#include "cli/text.hpp"
#include "experiments/comparison.hpp"
#include "fcbio/check.hpp"
#include "fcbio/error.hpp"
#include "fcbio/threads.hpp"
#include "python/bindings.hpp"
#include "python/problem.hpp"
#include "theory/hard_instances.hpp"

namespace fcbio::python {
namespace {

py::list options_of(const std::vector<OptionInfo>& options) {
  py::list told;
  for (const OptionInfo& option : options) {
    py::dict one;
    one["name"] = option.name;
    one["type"] = option.type;
    one["default"] = option.default_value;
    one["range"] = option.range;
    one["help"] = option.help;
    told.append(one);
  }
  return told;
}

py::list all_methods() {
  py::list told;
  for (const MethodInfo& method : methods()) {
    py::dict one;
    one["name"] = method.name;
    one["summary"] = method.summary;
    one["needs"] = method.needs;
    one["guarantee"] = method.guarantee;
    one["options"] = options_of(method.options);
    told.append(one);
  }
  return told;
}

py::list all_problems() {
  py::list told;
  for (const catalogue::Entry& entry : catalogue::entries()) {
    py::dict one;
    one["name"] = entry.name;
    one["summary"] = entry.summary;
    one["answer"] = entry.answer;
    one["size"] = entry.size;
    one["parameters"] = options_of(entry.parameters);
    told.append(one);
  }
  return told;
}

py::object optional_array(const std::optional<Vector>& vector) {
  return vector ? py::object(to_array(*vector)) : py::none();
}

py::tuple from_catalogue(const std::string& name, const OptionValues& parameters, std::uint64_t seed) {
  catalogue::Instance instance;
  ProblemPtr problem;
  {
    const py::gil_scoped_release unlocked;
    instance = catalogue::find_entry(name).make(parameters, seed);
    problem = std::make_shared<PythonProblem>(std::move(instance.data));
  }
  return py::make_tuple(problem, instance.upper_optimum, instance.lower_optimum,
                        optional_array(instance.solution));
}

py::tuple hard(const std::string& family, std::int64_t queries) {
  if (family != "smooth" && family != "lipschitz")
    throw InvalidArgument("family: expected 'smooth' or 'lipschitz', found '" + family + "'");
  if (queries < 1 || queries > 1000000)
    throw InvalidArgument("queries: expected 1 .. 1000000, found " + std::to_string(queries));
  theory::HardInstance instance =
      theory::hard_instance(family == "smooth" ? theory::Family::smooth : theory::Family::lipschitz, queries);
  auto problem = std::make_shared<PythonProblem>(std::move(instance.problem), std::move(instance.watch));
  return py::make_tuple(std::move(problem), instance.upper_optimum, instance.lower_optimum,
                        to_array(instance.solution));
}

/// compare.json, and the page where one is asked for.
std::string compare(const PythonProblem& problem, const std::string& methods_text, double upper, double lower,
                    const py::dict& limits, double reference_seconds, int threads,
                    const std::optional<std::filesystem::path>& page_file, bool main_thread) {
  std::vector<experiments::Contestant> contestants = experiments::parse_contestants(methods_text);
  const Accuracy accuracy{upper, lower};
  Limits each;
  if (limits.contains("seconds")) each.seconds = limits["seconds"].cast<double>();
  if (limits.contains("iterations")) each.iterations = limits["iterations"].cast<std::int64_t>();
  if (limits.contains("passes")) each.passes = limits["passes"].cast<std::int64_t>();
  std::string json;
  run_interruptibly(problem.failures(), main_thread, false, [&](const std::atomic<bool>* stop) {
    const ThreadScope scope(threads);
    const auto built = problem.built().first;
    const std::vector<report::LeftOut> left_out = experiments::remove_misfits(*built, contestants);
    if (methods_text != "all" && !left_out.empty())
      throw InvalidArgument("method '" + left_out.front().name + "' " + left_out.front().why);
    experiments::Reference reference = experiments::find_reference(*built, accuracy, {reference_seconds, stop});
    experiments::ComparisonOptions options;
    options.accuracy = accuracy;
    options.limits = each;
    options.interrupt = stop;
    experiments::Comparison comparison = experiments::compare(*built, contestants, std::move(reference), options);
    comparison.left_out.insert(comparison.left_out.begin(), left_out.begin(), left_out.end());
    json = experiments::to_json(comparison, problem.is_plain() ? problem.fingerprint() : "", problem.dimension());
    if (!page_file) return;
    report::Report page;
    page.kind = "compare";
    page.title = "Methods compared";
    page.problem = problem.details();
    experiments::fill_report(*built, comparison, page);
    if (!page.runs.empty()) {
      page.certificate = cli::certificate_in_words(page.runs.front().result);
      problem.answer_words().describe(*built, page.runs.front().result.x, page);
    }
    report::write_html(page, *page_file);
  });
  return json;
}

py::list findings_of(const CheckReport& report) {
  py::list findings;
  for (const CheckFinding& finding : report.findings) {
    py::list points;
    for (const Vector& point : finding.points) points.append(to_array(point));
    findings.append(py::make_tuple(finding.what, points));
  }
  return findings;
}

py::list check_user_function(const Part& part, const py::array_t<double, py::array::c_style>& center,
                             double radius) {
  if (!part.user) throw InvalidArgument("function: expected a function made of callables");
  UserFunction user = *part.user;
  user.dimension = center.size();
  const Vector centre = Eigen::Map<const Vector>(center.data(), center.size());
  CheckReport report;
  run_interruptibly(part.failures, false, false,
                    [&](const std::atomic<bool>*) { report = check_function(user, centre, radius); });
  return findings_of(report);
}

py::list check_user_set(const Domain& domain) {
  if (!domain.user) throw InvalidArgument("set: expected a set made of callables");
  CheckReport report;
  run_interruptibly(domain.failures, false, false,
                    [&](const std::atomic<bool>*) { report = check_set(*user_set(*domain.user)); });
  return findings_of(report);
}

}  // namespace

void bind_commands(py::module_& module) {
  module.def("methods", &all_methods);
  module.def("problems", &all_problems);
  module.def("catalogue", &from_catalogue);
  module.def("hard_instance", &hard);
  module.def("compare", &compare);
  module.def("check_function", &check_user_function);
  module.def("check_set", &check_user_set);
}

}  // namespace fcbio::python
