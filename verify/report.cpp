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
    case Outcome::not_checked:
      return "not checked";
    case Outcome::assumed:
      return "assumed";
  }
  return "";
}

/// Words of the result file, so that they can neither add lines to the report nor spoil its columns.
std::string shown(const std::string& text) {
  constexpr std::size_t kShownCharacters = 60;
  std::string out = text.substr(0, kShownCharacters);
  for (char& c : out) {
    if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7E) c = '?';
  }
  return text.size() > kShownCharacters ? out + "..." : out;
}

}  // namespace

std::string to_text(const VerifyReport& whole) {
  VerifyReport report = whole;
  for (Line& line : report.lines) line.claimed = shown(line.claimed);
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
