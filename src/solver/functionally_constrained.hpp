// FC-BiO, the Functionally Constrained Bilevel Optimizer (the paper's Algorithm 1).
//
//   min f(x) s.t. x in argmin over Z of g   is relaxed to   min f(x) s.t. g(x) - g^ <= 0, x in Z,   whose value is
//   the smallest root of  psi*(t) = min over Z of max{ f(x) - t, g(x) - g^ },  found by bisection on t.
//
// With eps_f != eps_g the lower part is scaled by eps_f/eps_g.  If g^ <= g* + eps_g/2 and every psi*(t) is found
// to eps/2, the point that last lowered the bracket's upper end is (eps_f, eps_g)-weak optimal.
//
// The published mode decides "psi*(t) > 0" by an exhausted budget, which is an estimate.  The two-sided mode
// decides it by a certified lower bound and goes on until the certificate of the returned point is complete.
#pragma once

#include <memory>

#include "solver/fcbio_options.hpp"
#include "solver/judges.hpp"

namespace fcbio {

enum class InnerKind { accelerated, subgradient };

class FunctionallyConstrained {
 public:
  FunctionallyConstrained(const Problem& problem, const Accuracy& accuracy, const FcbioOptions& options,
                          InnerKind kind, Monitor& monitor);
  /// Everything but the method's name and options is filled in.
  Result run();

 private:
  enum class Phase { lower, bracket, rounds };
  void archive(Archive& archive);
  bool prepare();        // constants and the inner solver; false: stopped
  bool lower_phase();    // x_g, g^
  bool first_bracket();  // [l, u]
  void bisection();
  bool one_round(std::int64_t round);  // false: stop
  bool certificate_holds();            // proves the candidate; false: rounding ate too much, go on
  std::int64_t round_budget(const Target& target) const;
  std::optional<double> charged(Level level, const CostedBound& bound);
  Desk desk() { return {oracle_, *inner_, ledger_, bounds_, accuracy_, proof_}; }

  const Problem& problem_;
  const Accuracy accuracy_;
  const FcbioOptions options_;
  const InnerKind kind_;
  Monitor& monitor_;
  Oracle oracle_;
  Ledger ledger_;
  const Monitor::Reservation for_the_end_;  // passes of the proof with which a run concludes
  ProofAttempt proof_;
  MinorantBounds bounds_;
  std::unique_ptr<InnerSolver> inner_;

  Phase phase_ = Phase::lower;
  Point point_;                      // x-bar: where the next round starts
  Target target_;                    // psi(t, .)
  double bracket_low_ = -kInfinity;  // l
  double bracket_high_ = kInfinity;  // u
  bool rounds_complete_ = false;     // the bracket closed by the method's own rules
  bool undecided_ = false;           // two-sided: a round ended without a verdict
};

}  // namespace fcbio
