// One format for every message about bad input, so that a user knows where to look.
#include "io/input_error.hpp"

namespace fcbio::io {

namespace {

std::string message_of(const InputProblem& problem) {
  std::string message = problem.file;
  if (problem.line > 0) message += (message.empty() ? "line " : ":") + std::to_string(problem.line);

  std::string body;
  if (!problem.expected.empty()) body = "expected " + problem.expected;
  if (!problem.found.empty()) body += (body.empty() ? "found " : ", found ") + problem.found;
  if (!problem.remedy.empty()) body += (body.empty() ? "" : "; ") + problem.remedy;

  if (!message.empty() && !body.empty()) message += ": ";
  return message + body;
}

}  // namespace

InputError::InputError(const InputProblem& problem) : std::runtime_error(message_of(problem)) {}

}  // namespace fcbio::io
