// See flags.hpp.
#include "cli/flags.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <sstream>

#include "core/number_text.hpp"
#include "fcbio/error.hpp"

namespace fcbio::cli {

double positive_number(const std::string& flag, const std::string& text) {
  double number = 0.0;
  if (!read_real(text, number) || number <= 0.0)
    throw InvalidArgument(fmt::format("{}: expected a finite number > 0, found '{}'", flag, text));
  return number;
}

std::int64_t positive_integer(const std::string& flag, const std::string& text) {
  std::int64_t number = 0;
  if (!read_integer(text, number) || number < 1)
    throw InvalidArgument(fmt::format("{}: expected an integer >= 1, found '{}'", flag, text));
  return number;
}

std::int64_t count_number(const std::string& flag, const std::string& text) {
  std::int64_t number = 0;
  if (!read_integer(text, number) || number < 0)
    throw InvalidArgument(fmt::format("{}: expected an integer >= 0, found '{}'", flag, text));
  return number;
}

std::uint64_t seed_number(const std::string& text) {
  return static_cast<std::uint64_t>(count_number("--seed", text));
}

int thread_number(const std::string& text) {
  constexpr std::int64_t kMost = 1024;
  const std::int64_t threads = positive_integer("--threads", text);
  if (threads > kMost)
    throw InvalidArgument(fmt::format("--threads: expected at most {}, found {}", kMost, threads));
  return static_cast<int>(threads);
}

std::vector<std::string> comma_separated(const std::string& text) {
  std::vector<std::string> pieces;
  std::istringstream stream(text);
  for (std::string piece; std::getline(stream, piece, ',');) pieces.push_back(piece);
  return pieces;
}

std::string lower_case(std::string text) {
  for (char& letter : text)
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  return text;
}

OptionValues settings(const std::vector<std::string>& texts) {
  OptionValues values;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      throw InvalidArgument(fmt::format("--set: expected KEY=VALUE, found '{}'", text));
    const std::string key = text.substr(0, equals);
    if (!values.emplace(key, text.substr(equals + 1)).second)
      throw InvalidArgument(fmt::format("--set: '{}' is given twice; keep one", key));
  }
  return values;
}

void check_writable(const std::string& flag, const std::filesystem::path& file) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path parent = file.has_parent_path() ? file.parent_path() : fs::path(".");
  if (!fs::is_directory(parent, ignored))
    throw InvalidArgument(fmt::format("{} {}: expected an existing directory '{}', found none; create it first",
                                      flag, file.string(), parent.string()));
  const fs::file_status status = fs::status(file, ignored);
  if (fs::is_directory(status) || file.filename().empty())
    throw InvalidArgument(fmt::format("{} {}: expected a file name, found a directory", flag, file.string()));
  // An ordinary file is replaced by renaming, which needs the directory; a device or pipe is written directly.
  const bool replaced = !fs::exists(status) || fs::is_regular_file(status);
  if (::access(replaced ? parent.c_str() : file.c_str(), replaced ? W_OK | X_OK : W_OK) != 0)
    throw InvalidArgument(fmt::format("{} {}: cannot be written: {}; choose another place", flag, file.string(),
                                      std::strerror(errno)));
}

}  // namespace fcbio::cli
