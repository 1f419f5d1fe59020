// Options of methods.  In C++ they are structs; text (OptionValues) is for the edges: the command line and files.
// One static table per struct (name, member, range, help) drives validation, the command line, JSON, and the
// generated docs/options.md, which explains every option.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "fcbio/export.hpp"
#include "fcbio/types.hpp"

namespace fcbio {

/// What the default method runs inside; named in text as to_string() says.
enum class EngineKind : std::uint8_t {
  automatic,
  quasi_newton,
  newton,
  accelerated,
  bundle_level,
  race,
  level,
  interior_point,
  low_rank,
  smoothed,
  primal_dual
};
FCBIO_EXPORT std::string_view to_string(EngineKind engine);  ///< "auto", "quasi-newton", ...

struct EarlierAnswer;

/// Of the default method `fcbio`.
struct CertifiedOptions {
  EngineKind engine = EngineKind::automatic;
  std::int64_t memory = 0;                       ///< curvature pairs; 0: by cost
  std::int64_t cuts = 0;                         ///< of the bundle; 0: by dimension
  std::optional<double> upper_bound_below = {};  ///< engine = level: the first end of the bracket
  /// After the certificate, on towards the solution itself, for at most this share of its work; 0: not at all
  double refine = 1.0;
  const EarlierAnswer* start = nullptr;  ///< whose bounds to begin with; solve() sets it to SolveOptions::start
};

/// Inner steps per round: what the convergence lemma asks for, or a fixed number.
enum class RoundBudget : std::uint8_t { theory, cap };

/// Of the published `fcbio-sm` and `fcbio-lip`; the defaults are the published settings.
struct FcbioOptions {
  RoundBudget budget = RoundBudget::cap;
  std::int64_t cap = 8000;  ///< T' of the appendix
  bool early_stop = true;
  bool warm_start = true;
  double alpha0 = 0.5;  ///< fcbio-sm
  double eta = 0.0;     ///< fcbio-lip
  std::int64_t lower_iterations = 15000;
  std::optional<double> upper_bound_below = {};  ///< l
  bool two_sided = false;
};

/// What a user gave: name -> text, as in --set KEY=VALUE or a [method] table.
using OptionValues = std::map<std::string, std::string>;

struct OptionInfo {
  std::string name;
  std::string type;           ///< "real", "integer", "flag", "choice"
  std::string default_value;  ///< as text
  std::string range;          ///< "(0, 1]", "true | false", "theory | cap"
  std::string help;
};

}  // namespace fcbio
