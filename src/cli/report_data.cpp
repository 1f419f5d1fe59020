// See report_data.hpp.
#include "cli/report_data.hpp"

#include <fmt/format.h>

#include "cli/flags.hpp"
#include "fcbio/error.hpp"
#include "functions/distributed_term.hpp"
#include "report/cuts.hpp"

namespace fcbio::cli {
namespace {

/// -1 and +1 of a loss that classifies; null: another function.
const Vector* labels_of(const data::Term& term) {
  if (const auto* logistic = std::get_if<data::Logistic>(&term.kind)) return &logistic->target;
  if (const auto* hinge = std::get_if<data::Hinge>(&term.kind)) return &hinge->target;
  if (const auto* squared = std::get_if<data::SquaredHinge>(&term.kind)) return &squared->target;
  return nullptr;
}

}  // namespace

report::Details problem_details(const data::Problem& data, const std::string& fingerprint) {
  report::Details details;
  if (!data.file.empty()) details.emplace_back("Problem file", data.file.string());
  details.emplace_back("Upper objective f", data::in_words(data.upper));
  details.emplace_back("Lower objective g", data::in_words(data.lower));
  details.emplace_back("Domain Z", data::in_words(data.domain));
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

AnswerWords::AnswerWords(const data::Problem& data) {
  coordinates_.shape = data.shape;
  coordinates_.names = data.names;
  for (const Level level : kLevels) {
    const std::vector<data::Term>& terms = level == Level::upper ? data.upper : data.lower;
    for (std::size_t i = 0; i < terms.size(); ++i)
      if (const Vector* labels = labels_of(terms[i])) classifiers_[level].push_back({i, *labels});
  }
}

void AnswerWords::describe(const Problem& problem, const Vector& x, report::Report& page) const {
  if (x.size() == 0) return;
  page.solution = report::solution_of(x, coordinates_);
  for (const Level level : kLevels) {
    for (const Labels& known : classifiers_[level]) {
      const Term& term = *problem.function(level).parts().at(known.term).term;  // one part per term, in order
      Vector scores(term.image_size());
      term.image(x, scores);
      functions::complete_rows(term, scores);
      page.classifiers.push_back(report::judge_scores(level, std::string(term.name()), scores, known.labels));
    }
  }
}

void check_report_file(const std::string& file) {
  if (!file.ends_with(".html") && !file.ends_with(".htm"))
    throw InvalidArgument(fmt::format("--report: expected a name ending in .html, found '{}'", file));
  check_writable("--report", file);
}

}  // namespace fcbio::cli
