// The dual sandwich.  Let v(c) = min{ f(x) : g(x) <= c, x in Z }: convex and non-increasing, with f* = v(g*).
//   From below: for mu > 0 and any low <= min over Z of f + mu g,   v(c) >= low - mu c,   so f* >= low - mu g^ for
//   every g^ >= g*.  From above: every iterate is a point, and a convex combination of two points costs no pass.
// An engine minimises g until its gap is certified, then f + mu g along a short path of multipliers mu.  It stops
// as soon as some point has g <= g_lb + eps_g and f - (low - mu g^) <= eps_f: that is a proof of weak optimality.
//
// Why few multipliers are enough: with gap = f + mu g - low, f - (low - mu g^) = gap - mu (g - g^), so the inner
// problem needs accuracy eps_f + mu (g - g^) only, and with a point on either side of c = g_lb + eps_g the segment
// between them holds a feasible one with nearly the same f.
//
// Where the engine knows the face on which the answer lies (Engine::face_point), that point takes the place of the
// candidate at the end, if all is proved for it too and its g is no larger.
//
// After the certificate the path goes on, to multipliers that are larger than it took: the minimiser of f + mu g has
// a smaller g and an f nearer to f*, from below.
//
// Tight mode asks for more: f(x) <= v(c) + eps_f for a c close to g_lb + eps_g, that is the lowest f that the
// slack in g can buy.
#pragma once

#include "core/ledger.hpp"
#include "core/stall_watch.hpp"
#include "inner/engine.hpp"
#include "solver/multiplier_search.hpp"
#include "solver/skeleton/driver.hpp"
#include "solver/skeleton/feasible_segment.hpp"
#include "solver/skeleton/proof_attempt.hpp"

namespace fcbio {

class Sandwich final : public Driver {
 public:
  /// `finds_face`: ends on the face that the engine knows of.  It may take as long as all the rest of a small problem.
  Sandwich(const Problem& problem, const Accuracy& accuracy, Oracle& oracle, Ledger& ledger, Engine& engine,
           bool finds_face = true);
  void archive(Archive& archive) override;

 private:
  enum class Stage { fresh, lower, path };
  enum class Verdict { too_small, too_large, done, paused, exhausted };  // of a trial
  Outcome resume() override;
  void go_nearer(CertifiedAnswer& answer) override;
  bool begin_lower_phase();
  Outcome lower_phase();
  bool begin_path();
  Outcome path();
  double first_multiplier() const;
  Verdict trial();                        // one multiplier
  Verdict near_trial(double most_lower);  // the same after the certificate, for points of a smaller g
  bool begin_trial();
  double look();  // takes in the bound at the present point; returns the gap of f + mu g there
  void offer_candidates();
  void offer_feasible(const Point& point, double f, double g);
  void offer_segment(const FeasibleSegment::End& outside, const FeasibleSegment::End& inside);
  bool certificate_is_complete();
  void move_to_face();
  Verdict no_progress() const;
  void report(std::string_view phase, std::int64_t number);

  const Problem& problem_;
  const Accuracy& accuracy_;
  Oracle& oracle_;
  Ledger& ledger_;
  Engine& engine_;
  const bool finds_face_;

  Iterate at_;
  Point feasible_;  // the best point with g <= most_lower_
  double feasible_upper_ = kInfinity, feasible_lower_ = kInfinity;
  Point cheap_;  // tight: the last point with g > most_lower_, when a trial ended
  double cheap_lower_ = kInfinity;
  bool on_face_ = false;  // the candidate is a vertex, or the best point of a face
  FeasibleSegment segment_;
  ProofAttempt proof_;
  StallWatch watch_;  // of the lower phase, then of each trial
  MultiplierSearch search_;
  Weights weights_;
  double start_slope_ = 0.0;      // |g'| at the start
  double first_reference_ = 0.0;  // g^ after the lower phase
  double most_lower_ = 0.0;       // c_hi = g_lb + eps_g, less a little for rounding
  Stage stage_ = Stage::fresh;
  std::int64_t trial_ = 0;  // counts multipliers
  bool trial_begun_ = false;
  double low_ = -kInfinity;  // best bound of min f + mu g for the present mu
};

}  // namespace fcbio
