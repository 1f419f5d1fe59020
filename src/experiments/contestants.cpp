#include "experiments/contestants.hpp"

#include <fmt/format.h>

#include "fcbio/error.hpp"

namespace fcbio::experiments {
namespace {

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> pieces;
  for (std::size_t at = 0;; ++at) {
    const std::size_t end = std::min(text.find(separator, at), text.size());
    pieces.emplace_back(text.substr(at, end - at));
    at = end;
    if (at == text.size()) return pieces;
  }
}

Contestant parse_one(const std::string& text) {
  const std::vector<std::string> pieces = split(text, ':');
  Contestant contestant{text, pieces.front(), {}};
  const MethodInfo& method = find_method(contestant.method);
  for (std::size_t i = 1; i < pieces.size(); ++i) {
    const std::size_t equals = pieces[i].find('=');
    if (equals == 0 || equals == std::string::npos)
      throw InvalidArgument(fmt::format("methods: expected NAME:KEY=VALUE, found '{}'", text));
    const std::string key = pieces[i].substr(0, equals);
    if (!contestant.values.emplace(key, pieces[i].substr(equals + 1)).second)
      throw InvalidArgument(fmt::format("methods: '{}' is given twice in '{}'", key, text));
  }
  try {
    method.check_options(contestant.values);
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(fmt::format("methods: '{}': {}", text, error.what()));
  }
  return contestant;
}

}  // namespace

std::vector<Contestant> parse_contestants(std::string_view text) {
  std::vector<Contestant> contestants;
  if (text == "all") {
    for (const MethodInfo& method : methods()) contestants.push_back({method.name, method.name, {}});
    return contestants;
  }
  if (text.empty()) throw InvalidArgument("methods: expected a list of methods or all, found nothing");
  for (const std::string& piece : split(text, ',')) {
    if (piece.empty()) throw InvalidArgument(fmt::format("methods: an empty name in '{}'; remove a comma", text));
    if (piece == "all") throw InvalidArgument("methods: 'all' stands alone, not in a list");
    for (const Contestant& other : contestants)
      if (other.label == piece) throw InvalidArgument(fmt::format("methods: '{}' is listed twice", piece));
    contestants.push_back(parse_one(piece));
  }
  return contestants;
}

std::string why_not(const Problem& problem, const Contestant& contestant) {
  const MethodInfo& method = find_method(contestant.method);
  const std::string missing = method.misfit(problem);
  return missing.empty() ? missing : fmt::format("needs {}; {}", method.needs, missing);
}

OptionValues with_iterations(const Contestant& contestant, std::int64_t iterations) {
  OptionValues values = contestant.values;
  for (const OptionInfo& option : find_method(contestant.method).options)
    if (option.name == "iterations") values.emplace(option.name, fmt::format("{}", iterations));
  return values;
}

std::vector<report::LeftOut> remove_misfits(const Problem& problem, std::vector<Contestant>& contestants) {
  std::vector<report::LeftOut> left_out;
  std::erase_if(contestants, [&](const Contestant& contestant) {
    const std::string why = why_not(problem, contestant);
    if (!why.empty()) left_out.push_back({contestant.label, why});
    return !why.empty();
  });
  return left_out;
}

}  // namespace fcbio::experiments
