// Bundle-level method on both levels, for Lipschitz and smooth problems alike.
//
//   lower phase   project the centre on {cuts of g <= l}, l between the proved bound of g* and the best value g^;
//                 evaluate g there, or, when the set is empty, read a better bound off the multipliers;
//                 until g^ - bound <= 0.4 eps_g.
//   upper phase   the same with {cuts of f <= t + v eps_f, cuts of g <= g^ + v s} for the proved bound t of f* and
//                 s = bound + eps_g - g^, where v is a fraction of the smallest
//                     psi(x) = max{ (f(x) - t) / eps_f, (g(x) - g^) / s }
//                 seen so far; an empty set gives multipliers nu, and with S_f, S_g their weights on the levels
//                     f* >= (min over Z of sum of nu_i (cut i) - S_g g^) / S_f,
//                 a Newton step on the root of the optimal value of psi.  Done at psi <= 1.
// The multipliers of every step are a bound as well, and with the duals averaged a better one than the cuts alone
// give; but the level goes on being counted from the bound of the last empty set, since a level that gives way to
// every small gain asks for too little.
//
// The bundle is kept at K cuts: before cuts are dropped the active ones are added up to one mixed cut.  The centre
// is the last point, which is fast but has no proof with restricted memory; when the gap has not halved for long,
// the best point takes its place for a while, kept until the gap has shrunk by a fixed factor.  That form has one
// (Ben-Tal and Nemirovski 2005: O(1/eps^2) steps for any memory, as long as the mixed cut is kept).
#pragma once

#include "core/ledger.hpp"
#include "core/stall_watch.hpp"
#include "inner/bundle_projection.hpp"
#include "solver/skeleton/driver.hpp"
#include "solver/skeleton/feasible_segment.hpp"
#include "solver/skeleton/proof_attempt.hpp"
#include "solver/skeleton/shares.hpp"

namespace fcbio {

struct BundleOptions {
  Index cuts = 0;                    ///< K; 0: 100, fewer where that would take too much memory
  double level = 0.3;                ///< where the level lies between the bound and the best value
  double lower_share = kLowerShare;  ///< of eps_g, for the gap of the lower phase
  bool fixed_centre = false;         ///< begin with the centre kept fixed
  int patience = 2000;               ///< steps without halving the gap before the other form takes over
};

class BundleLevel final : public Driver {
 public:
  /// Starts from what the ledger knows: from its reference when it has one, else from the problem's start.
  BundleLevel(const Problem& problem, const Accuracy& accuracy, Oracle& oracle, Ledger& ledger,
              BundleOptions options = {});
  void archive(Archive& archive) override;

 private:
  enum class Stage { fresh, lower, upper };
  struct Kept {
    Point point;
    double f = kInfinity, g = kInfinity;
    void archive(Archive& archive) { archive(point, f, g); }
  };
  struct Aim {
    LevelProjection::Levels levels;
    double gain = 0.0;  ///< by how much the bound must rise if the level set is empty
  };
  enum class Turn { stepped, raised, failed, stopped };

  Outcome resume() override;
  void go_nearer(CertifiedAnswer& answer) override;
  bool start();
  Outcome lower_phase();
  bool begin_upper_phase();
  Outcome upper_phase();
  Aim lower_aim();
  Aim upper_aim();
  /// One programme: a step to the projection of the centre on the level set, or a bound when that is empty.
  Turn turn(const Aim& aim, bool with_upper);
  bool step(bool with_upper);
  bool linearize(bool with_upper);
  double read_bound(const Vector& multipliers);  // what it raised the bound by
  void make_room();
  void learn(bool with_upper);
  void offer_segment();
  void offer_candidate();
  double psi(double bound, const Kept& at) const;
  double reachable() const;  // the largest g that counts as solved
  bool complete() const;
  bool certificate_holds();
  void begin_phase();
  /// False: no form makes progress.  `magnitude`: of the numbers whose difference the gap is.
  bool goes_on(double gap, double magnitude);
  std::int64_t step_cost(bool with_upper) const;
  void tell(std::string_view phase);

  const Problem& problem_;
  Accuracy accuracy_;  // what is aimed at: after the certificate a smaller eps_g
  Oracle& oracle_;
  Monitor& monitor_;
  Ledger& ledger_;
  BundleOptions options_;
  Stage stage_ = Stage::fresh;
  Bundle bundle_;
  LevelProjection projection_;
  CutBounds bounds_;
  CutCombination combination_;
  Vector multipliers_;  // of the last step, one per cut
  Vector programme_;    // of the last programme, which may have found its set empty
  std::vector<Index> order_;
  PerLevel<Linearization> at_;  // the point last evaluated
  Kept current_;                // y
  Kept anchor_;                 // the best point of the phase: least g, then least psi
  Kept best_;                   // the candidate: least f among those with g small enough
  FeasibleSegment segment_;
  ProofAttempt proof_;  // its share is taken of eps_g, too
  StallWatch watch_;    // for a gap that halves
  Vector centre_;
  double level_;
  double level_bound_ = -kInfinity;  // where the level is counted from
  int failures_ = 0;
  bool fixed_centre_;
  double centre_gap_ = kInfinity;  // when the centre was fixed
  int stalls_ = 0;                 // forms that were tried in a row
};

}  // namespace fcbio
