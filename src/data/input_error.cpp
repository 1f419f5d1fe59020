// One format for every message about bad input, so that a user knows where to look.
#include "data/input_error.hpp"

namespace fcbio {

namespace {

constexpr std::size_t kShownCharacters = 400;

/// What a file says is quoted in messages: it must not move the cursor, add lines or fill the screen.
std::string harmless(const std::string& text) {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string shown;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7F)
      shown += c;
    else
      shown += {'\\', 'x', kHex[byte >> 4], kHex[byte & 15]};
    if (shown.size() > kShownCharacters) return shown + "...";
  }
  return shown;
}

std::string message_of(const InputProblem& problem) {
  std::string message = harmless(problem.file);
  if (problem.line > 0) message += (message.empty() ? "line " : ":") + std::to_string(problem.line);

  std::string body;
  if (!problem.expected.empty()) body = "expected " + harmless(problem.expected);
  if (!problem.found.empty()) body += (body.empty() ? "found " : ", found ") + harmless(problem.found);
  if (!problem.remedy.empty()) body += (body.empty() ? "" : "; ") + harmless(problem.remedy);

  if (!message.empty() && !body.empty()) message += ": ";
  return message + body;
}

}  // namespace

InputError::InputError(const InputProblem& problem) : std::runtime_error(message_of(problem)) {}

}  // namespace fcbio
