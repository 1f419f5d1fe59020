// The built-in problems: made in memory from a few parameters and a seed, most of them with their answer known in
// closed form.  `fcbio problems` lists them, `fcbio generate` writes them to files, tests solve them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/problem.hpp"
#include "fcbio/options.hpp"

namespace fcbio::catalogue {

/// A problem and what is known about its answer.  Empty: not known.
struct Instance {
  data::Problem data;
  std::optional<double> upper_optimum;  // f*
  std::optional<double> lower_optimum;  // g*
  std::optional<Vector> solution;       // x*, or one of several
};

struct Entry {
  std::string name;
  std::string summary;
  std::string answer;   ///< what is known about the solution, in words
  std::string id;       ///< P1 .. P16 of docs/problems.md; empty: made for this program
  std::string size;     ///< of the lower level's data at the default parameters: "rows x n", or "n" without data
  bool seeded = false;  ///< false: the problem is fixed, the seed changes nothing
  std::vector<OptionInfo> parameters;
  /// Throws InvalidArgument for unknown parameters (nearest name offered) and values out of range.
  std::function<Instance(const OptionValues& values, std::uint64_t seed)> make;
};

/// In the order in which they are listed.
const std::vector<Entry>& entries();
/// Throws InvalidArgument that offers the nearest name.
const Entry& find_entry(std::string_view name);

}  // namespace fcbio::catalogue
