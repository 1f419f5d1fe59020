// Work against the lower bounds as the accuracy shrinks (theory/lower_bounds.hpp), with fitted exponents.
//
// All is counted in gradients of the chain, as the theorems count.  A method in rounds (FC-BiO) is judged by its
// longest round: the theorems bound the work of one minimax problem, and the number of rounds is a logarithm on
// top, told apart.  Every other method is judged by its gradients up to the first point shown that is truly weak
// optimal (the optimum is known here).
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiments/contestants.hpp"
#include "theory/lower_bounds.hpp"

namespace fcbio::experiments {

struct BoundPoint {
  double accuracy = 0.0;
  std::int64_t bound = 0;  ///< gradients that nobody can do without
  bool in_rounds = true;   ///< nothing but rounds (and their lower phase and first bracket) was seen
  bool complete = false;   ///< no limit ended the run
  std::int64_t longest_round = 0;
  std::int64_t rounds = 0;
  std::int64_t gradients = 0;  ///< in all
  std::int64_t iterations = 0;
  std::optional<std::int64_t> first_weak;  ///< gradients up to the first weak point; empty: not reached
  /// What the method is judged by; 0: it did not get there.
  std::int64_t judged() const { return in_rounds ? (complete ? longest_round : 0) : first_weak.value_or(0); }
};

struct BoundCurve {
  Contestant contestant;
  std::vector<BoundPoint> points;
  std::optional<double> exponent;             ///< of judged() against the accuracy; empty: fewer than two points
  std::optional<double> first_weak_exponent;  ///< of first_weak, likewise
};

struct BoundsExperiment {
  theory::Family family = theory::Family::smooth;
  Level chain = Level::upper;  ///< which level is hard
  double radius = 1.0;
  double expected_exponent() const { return family == theory::Family::smooth ? -0.5 : -2.0; }
  std::vector<BoundCurve> curves;
  std::vector<report::LeftOut> left_out;
  bool interrupted = false;
};

struct BoundsOptions {
  std::vector<double> accuracies;  ///< falling
  double radius = 1.0;
  std::int64_t iteration_limit = 5000000;  ///< per run
  const std::atomic<bool>* interrupt = nullptr;
  std::function<void(const Contestant&, double accuracy)> announce;
};

/// 1e-2 .. 1e-6 (smooth), 1e-1 .. 10^-2.5 (Lipschitz), in half decades.
std::vector<double> default_accuracies(theory::Family family);
/// fcbio-sm or fcbio-lip with the number of steps that its theorem asks for, every round from the start.
std::string default_contestants(theory::Family family);

/// Contestants that do not fit are left out.  Throws InvalidArgument for an accuracy that the start may have.
BoundsExperiment run_bounds(theory::Family family, Level chain, const std::vector<Contestant>& contestants,
                            const BoundsOptions& options);

std::string to_json(const BoundsExperiment& experiment);

}  // namespace fcbio::experiments
