// Methods on the instances where f cannot be found (theory/hard_instances.hpp), each watched query by query.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <vector>

#include "experiments/contestants.hpp"
#include "theory/hard_instances.hpp"

namespace fcbio::experiments {

struct HardAttempt {
  Contestant contestant;
  bool declared_zero_respecting = false;
  std::optional<theory::QueryWatch::Violation> violation;  ///< what the watch saw; empty: zero-respecting
  std::int64_t lower_gradients = 0;                        ///< queries of g' that were recorded, T at most
  /// Largest |f(x) - f(x_0)| over all points queried, shown or returned on the strength of T gradients of g or
  /// fewer.
  double largest_upper_change = 0.0;
  report::Run run;
  /// Against the theorem: zero-respecting, and yet f moved; or not what its declaration says.
  bool contradicts() const { return violation ? declared_zero_respecting : largest_upper_change != 0.0; }
};

struct HardExperiment {
  theory::Family family = theory::Family::smooth;
  std::int64_t queries = 0;  // T
  double upper_optimum = 0.0, lower_optimum = 0.0, guaranteed_distance = 0.0;
  std::vector<HardAttempt> attempts;
  std::vector<report::LeftOut> left_out;
  bool interrupted = false;
};

struct HardOptions {
  /// Unset: 1e-3 for f, and for g less than T gradients can reach, so that nobody may rightly stop before.
  std::optional<Accuracy> accuracy;
  const std::atomic<bool>* interrupt = nullptr;
  std::function<void(const Contestant&, std::size_t number, std::size_t of)> announce;
};

/// Contestants that do not fit are left out: f and g are black boxes here.
HardExperiment run_hard(theory::Family family, std::int64_t queries, const std::vector<Contestant>& contestants,
                        const HardOptions& options = {});

std::string to_json(const HardExperiment& experiment);

/// What is in the page of `fcbio hard` about the theorem: the finding, and the runs with what was watched.
void fill_report(const HardExperiment& experiment, report::Report& page);

}  // namespace fcbio::experiments
