#include "record.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fcbio::verify {
namespace {

Line judged(std::string name, std::string claimed, std::string found, bool holds, std::string note_if_not) {
  return {std::move(name), std::move(claimed), std::move(found), holds ? Outcome::ok : Outcome::failed,
          holds ? std::string{} : std::move(note_if_not)};
}

Line digest_line(const Record& record) {
  if (!record.digest_stored) return {"digest", "none", record.digest_found, Outcome::not_claimed, {}};
  return judged("digest", *record.digest_stored, record.digest_found, record.digest_stored == record.digest_found,
                "the file, or a file it names, was changed after it was written");
}

Line method_line(const Record& record) {
  const std::vector<std::string>& known = record.known_methods;
  const bool is_known = std::find(known.begin(), known.end(), record.method) != known.end();
  return judged("method", record.method, is_known ? "known" : "unknown", is_known,
                "expected a method of this program ('fcbio methods' lists them)");
}

std::string with_relative(double absolute, double relative) {
  return relative > 0 ? fmt::format("{} or {} of it", absolute, relative) : fmt::format("{}", absolute);
}

std::string accuracy_text(const Accuracy& accuracy) {
  return fmt::format("{}, {}{}{}", with_relative(accuracy.upper, accuracy.upper_relative),
                     with_relative(accuracy.lower, accuracy.lower_relative), accuracy.tight ? ", tight" : "",
                     accuracy.absolute ? ", absolute" : "");
}

Line accuracy_line(const data::Problem& problem, const Claims& claims, const Record& record) {
  const Accuracy& asked = problem.accuracy;
  Accuracy told{claims.upper_accuracy, claims.lower_accuracy, claims.tight, claims.absolute};
  told.upper_relative = claims.upper_relative;
  told.lower_relative = claims.lower_relative;
  const bool same = told.upper == asked.upper && told.lower == asked.lower && told.tight == asked.tight &&
                    told.absolute == asked.absolute && told.upper_relative == asked.upper_relative &&
                    told.lower_relative == asked.lower_relative;
  const std::string claimed = accuracy_text(told), found = accuracy_text(asked);
  if (record.accuracy_from == "command line")
    return {"accuracy", claimed, found, Outcome::ok,
            "given on the command line; the problem file asks for " + found};
  return judged("accuracy", claimed, found, same && record.accuracy_from == "problem",
                "the problem file asks for " + found);
}

}  // namespace

void check_record(const data::Problem& problem, const Claims& claims, std::vector<Line>& lines) {
  if (!claims.record) return;
  const Record& record = *claims.record;
  lines.push_back(digest_line(record));
  lines.push_back(judged("dimension", fmt::format("{}", record.dimension), fmt::format("{}", problem.dimension),
                         record.dimension == problem.dimension, "the problem has another number of variables"));
  lines.push_back(method_line(record));
  lines.push_back(accuracy_line(problem, claims, record));
  lines.push_back(
      {"other fields", "", "", Outcome::not_checked, fmt::format("{}", fmt::join(record.not_checked, ", "))});
}

}  // namespace fcbio::verify
