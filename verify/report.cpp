// The report as text.
#include <fmt/format.h>

#include <algorithm>

#include "checker.hpp"

namespace fcbio::verify {
namespace {

const char* word(Outcome outcome) {
  switch (outcome) {
    case Outcome::ok:
      return "ok";
    case Outcome::failed:
      return "FAILED";
    case Outcome::not_claimed:
      return "not claimed";
    case Outcome::assumed:
      return "assumed";
  }
  return "";
}

}  // namespace

std::string to_text(const VerifyReport& report) {
  std::size_t name = 5, claimed = 7, recomputed = 10;
  std::size_t failures = 0, checked = 0;
  for (const Line& line : report.lines) {
    name = std::max(name, line.name.size());
    claimed = std::max(claimed, line.claimed.size());
    recomputed = std::max(recomputed, line.recomputed.size());
    failures += line.outcome == Outcome::failed ? 1U : 0U;
    checked += line.outcome == Outcome::ok || line.outcome == Outcome::failed ? 1U : 0U;
  }
  std::string text =
      fmt::format("{:<{}}  {:<{}}  {:<{}}\n", "claim", name, "claimed", claimed, "recomputed", recomputed);
  for (const Line& line : report.lines) {
    text += fmt::format("{:<{}}  {:<{}}  {:<{}}  {}{}\n", line.name, name, line.claimed, claimed, line.recomputed,
                        recomputed, word(line.outcome), line.note.empty() ? "" : ": " + line.note);
  }
  text += report.all_hold ? fmt::format("verified: all {} claims hold\n", checked)
                          : fmt::format("NOT verified: {} of {} claims failed\n", failures, checked);
  return text;
}

}  // namespace fcbio::verify
