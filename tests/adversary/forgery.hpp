// Results that lie: what a certified result.json becomes when single fields, or several in agreement, are changed.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "dice.hpp"
#include "hostile_problem.hpp"

namespace fcbio::adversary {

using Json = nlohmann::ordered_json;

/// A problem with an honest result of it, as JSON, that the solver certified and verify accepted.
struct HonestResult {
  HostileProblem problem;
  Json json;
};

struct Forgery {
  std::string name;
  std::function<void(Json&)> forge;
  /// Wrong whatever the truth is: a word that does not exist, another problem, constants that are not the file's.
  bool always_wrong = false;
};

/// Everything that is tried on one result.
std::vector<Forgery> forgeries(const HonestResult& honest, Dice& dice);

struct ForgeryCount {
  std::int64_t tried = 0;     ///< files made
  std::int64_t lies = 0;      ///< of these, with a claim that is false or contradicts the problem
  std::int64_t accepted = 0;  ///< of these, accepted by verify, or ended by a wrong exception
  std::vector<std::string> accepted_names;
};

/// Makes honest results of all kinds (seeded) and forges until `count` files were tried.  Accepted lies are
/// written to `failures` unless that is empty.
ForgeryCount forge_many(std::int64_t count, std::uint64_t seed, const std::filesystem::path& failures);

}  // namespace fcbio::adversary
