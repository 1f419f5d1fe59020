// See report_data.hpp.
#include "cli/report_data.hpp"

#include <fmt/format.h>

#include "cli/flags.hpp"
#include "fcbio/error.hpp"
#include "report/cuts.hpp"

namespace fcbio::cli {
namespace {

std::string matrix_words(const io::DataMatrix& data) {
  const auto* sparse = std::get_if<CsrMatrix>(&data.matrix);
  if (sparse == nullptr) return fmt::format("{} x {}, dense", data.rows(), data.cols());
  return fmt::format("{} x {}, sparse with {} numbers", data.rows(), data.cols(), sparse->nonzeros());
}

std::string vector_words(const char* role, const Vector& vector) {
  if (vector.size() == 0) return "";
  if ((vector.array() == vector[0]).all()) return vector[0] == 0.0 ? "" : fmt::format("{} {:g}", role, vector[0]);
  return fmt::format("{} given", role);
}

std::string term_words(const io::TermData& term) {
  std::string words = term.weight == 1.0 ? term.function : fmt::format("{:g} * {}", term.weight, term.function);
  std::string inside;
  const auto add = [&inside](const std::string& part) {
    if (!part.empty()) inside += (inside.empty() ? "" : "; ") + part;
  };
  if (term.data) add(matrix_words(*term.data));
  if (term.average) add("mean over rows");
  if (term.function == "huber") add(fmt::format("delta {:g}", term.delta));
  if (term.function == "quantile") add(fmt::format("tau {:g}", term.tau));
  add(vector_words(term.function == "linear" || term.function == "quadratic" ? "coefficients" : "centre",
                   term.vector));
  if (term.lower_bound) add(fmt::format("told to be at least {:g}", *term.lower_bound));
  return inside.empty() ? words : words + " (" + inside + ")";
}

std::string objective_words(const std::vector<io::TermData>& terms) {
  std::string words;
  for (const io::TermData& term : terms) words += (words.empty() ? "" : " + ") + term_words(term);
  return words;
}

std::string box_side(const Vector& bounds) {
  if (bounds.size() == 0) return "none";
  if ((bounds.array() == bounds[0]).all()) return fmt::format("{:g}", bounds[0]);
  return "given per coordinate";
}

std::string set_words(const io::SetData& set) {
  std::string words = set.kind;
  if (set.kind == "simplex") words += fmt::format(" of total {:g}", set.total);
  if (set.kind == "box")
    words += fmt::format(", lower side {}, upper side {}", box_side(set.lower), box_side(set.upper));
  if (set.kind == "halfspace") words += fmt::format(" c'x <= {:g}", set.value);
  if (set.kind == "affine") words += fmt::format(" ({} equations)", set.matrix.rows());
  if (set.radius) words += fmt::format(" of radius {:g}", *set.radius);
  const std::string center = vector_words("centre", set.center);
  if (!center.empty()) words += ", " + center;
  for (std::size_t i = 0; i < set.sets.size(); ++i)
    words += fmt::format("{}({})", i == 0 ? " of " : " and ", set_words(set.sets[i]));
  return words;
}

}  // namespace

report::Details problem_details(const io::ProblemData& data, const std::string& fingerprint) {
  report::Details details;
  if (!data.file.empty()) details.emplace_back("Problem file", data.file.string());
  details.emplace_back("Upper objective f", objective_words(data.upper));
  details.emplace_back("Lower objective g", objective_words(data.lower));
  details.emplace_back("Domain Z", set_words(data.domain));
  details.emplace_back("Unknowns", std::to_string(data.dimension));
  details.emplace_back("Start", data.start ? "given" : "projection of 0 onto Z");
  for (const std::string& note : data.notes) details.emplace_back("Note", note);
  details.emplace_back("Fingerprint", fingerprint);
  return details;
}

report::Run report_run(std::string name, const Problem& problem, const Result& result,
                       const report::Recorder& recorder) {
  return {std::move(name), result, recorder.samples(), report::proved_cuts(problem, result)};
}

void check_report_file(const std::string& file) {
  if (!file.ends_with(".html") && !file.ends_with(".htm"))
    throw InvalidArgument(fmt::format("--report: expected a name ending in .html, found '{}'", file));
  check_writable("--report", file);
}

}  // namespace fcbio::cli
