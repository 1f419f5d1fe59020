// The intersection of sets.  An intersection among the members is replaced by its own members.
//
// Projection: Dykstra's algorithm (dykstra.hpp) until no member moves the point any more, at most
// kProjectionCycles cycles; then plain projections in turn, which put the violation at rounding level.  Both are
// deterministic.
//
// Linear lower bound: for any split d = sum of c_i,
//     min over the intersection of <d, z>  >=  sum over i of  min over member i of <c_i, z>,
// so a poor split costs tightness, never truth.  A good split comes from the proximal point method
//     x = projection of w = a - tau d on the intersection,   then a <- x:
// Dykstra's corrections are normals q_i of the members with x + sum of q_i = w, hence
//     d = sum of (-q_i / tau) + (a - x) / tau,
// and for c_i = -q_i / tau member i is minimised at x itself.  The rest (a - x) / tau vanishes as a settles; it
// goes to the bounded member with the smallest enclosing ball.  What rounding can do to the sum is subtracted at
// the end.
//
// The same split with d = 0 and a positive bound proves that the members have no common point.
//
// Members that are halfspaces, equations, rows and sides alone (and balls that cut nothing off) are one polyhedron.  There
// an interior-point method finds the projections that Dykstra's algorithm does not settle in a few cycles, and names
// the rows that conflict.
#include <algorithm>
#include <cmath>
#include <mutex>

#include "fcbio/error.hpp"
#include "fcbio/set.hpp"
#include "interior/polyhedron.hpp"
#include "sets/checks.hpp"
#include "sets/dykstra.hpp"
#include "sets/membership.hpp"
#include "sets/polyhedral_form.hpp"
#include "sets/scratch_watch.hpp"

namespace fcbio {
namespace {

// Operations for the first point of an intersection, about a tenth of a second.  Where none is found by then,
// emptiness is left to the solve.
constexpr double kAnchorBudget = 2e8;
constexpr int kFewCycles = 2'000;  // of Dykstra's algorithm, where there is another way
constexpr int kProjectionCycles = 100'000;
constexpr int kPolishCycles = 1'000;
constexpr int kBoundSteps = 100;          // proximal steps
constexpr int kBoundIdleSteps = 12;       // of them in a row in which neither the bound rises nor the value falls
constexpr int kBoundStepCycles = 500;     // cycles in one of them
constexpr int kBoundCycles = 20'000;      // cycles in all of them
constexpr double kBoundGap = 1e-13;       // relative gap at which a bound is as good as exact
constexpr double kStepAccuracy = 1e-3;    // largest move in a cycle when a step ends, in units of the step
constexpr double kLongestStep = 0x1p26;   // largest tau |d| in units of the size of the set
constexpr double kEmptyTolerance = 1e-6;  // relative violation that counts as "no common point"

class Intersection final : public ConvexSet {
 public:
  explicit Intersection(const std::vector<ConvexSetPtr>& members) : members_(flattened(members)) {
    bound_members();
    measure_members();
    if (sets::Conditions conditions; describe(conditions, 0))
      form_ = sets::polyhedral_form(conditions, dimension());
    find_anchor();
  }

  SetShape shape() const override {
    if (!form_) return {};
    const std::optional<double> told = rests_on_told_radius() ? std::optional<double>(reach()) : std::nullopt;
    return PolyhedronShape{std::get_if<RowMajorMatrix>(&form_->matrix),
                           std::get_if<CsrMatrix>(&form_->matrix),
                           &form_->row_lower,
                           &form_->row_upper,
                           &form_->lower,
                           &form_->upper,
                           told};
  }
  std::string_view name() const override { return "intersection"; }
  Index dimension() const override { return members_.front()->dimension(); }
  std::string premise() const override { return sets::premises_of(members_); }
  bool rests_on_told_radius() const override {
    return rests_on_told_radius_ || std::any_of(members_.begin(), members_.end(), [](const ConvexSetPtr& set) {
             return set->rests_on_told_radius();
           });
  }

  void project(VectorOut x, Scratch& scratch) const override {
    sets::Dykstra dykstra(members_, dimension(), scratch);
    dykstra.aim(x, 0.0);
    if (form_ && !dykstra.run(0.0, kFewCycles).converged && !dykstra.gave_up()) {
      Vector nearest = x;
      if (project_on_polyhedron(nearest, scratch)) {
        dykstra.aim(nearest, 0.0);
        dykstra.polish(kPolishCycles);
        x = dykstra.point();
        return;
      }
    }
    dykstra.run(0.0, kProjectionCycles);
    dykstra.polish(kPolishCycles);
    x = dykstra.point();
  }

  double linear_lower_bound(VectorIn direction, Scratch& scratch) const override {
    const double norm = sets::norm_of(direction);
    if (norm == 0.0) return 0.0;
    if (!std::isfinite(norm)) return -kInfinity;
    // The whole direction to one member: the first bounds.
    double best = -kInfinity;
    for (std::size_t i = 0; i < members_.size(); ++i) {
      SplitSum alone;
      add_share(i, direction, alone, scratch);
      best = std::max(best, safe(alone));
    }
    return std::max(best, proximal_bound(direction, norm, best, nullptr, scratch));
  }

  /// The best split that was found is the witness; it is evaluated afresh, each member by its own proof.
  double prove_linear_bound(VectorIn direction, SetWitness& witness, Scratch& scratch) const override {
    const double norm = sets::norm_of(direction);
    if (!std::isfinite(norm)) return -kInfinity;
    if (is_hint(witness)) {
      const double bound = evaluate(direction, witness, scratch);
      if (bound > -kInfinity) return bound;
    }
    witness = SetWitness{};
    double best = -kInfinity;
    std::size_t alone_best = keeper_;
    for (std::size_t i = 0; i < members_.size(); ++i) {
      SplitSum alone;
      add_share(i, direction, alone, scratch);
      const double bound = safe(alone);
      if (bound > best) alone_best = i;
      best = std::max(best, bound);
    }
    witness.shares.assign(members_.size(), Vector::Zero(dimension()));
    witness.shares[alone_best].resize(0);
    if (norm > 0.0) proximal_bound(direction, norm, best, &witness, scratch);
    return evaluate(direction, witness, scratch);
  }

  void take_duals(sets::ConditionDuals& duals, VectorOut share, SetWitness& witness) const override {
    witness = SetWitness{};
    witness.parts.resize(members_.size());
    witness.shares.assign(members_.size(), Vector::Zero(dimension()));
    for (std::size_t i = 0; i < members_.size(); ++i) {
      members_[i]->take_duals(duals, witness.shares[i], witness.parts[i]);
      share += witness.shares[i];
    }
    witness.shares[keeper_].resize(0);
  }
  void mark_used(std::vector<bool>& used) const override {
    for (const ConvexSetPtr& member : members_) member->mark_used(used);
  }

  bool minimize_linear(VectorIn, VectorOut) const override { return false; }

  std::optional<double> enclosing_ball(VectorOut centre) const override {
    if (!radius_) return std::nullopt;
    centre = centre_;
    return radius_;
  }
  std::optional<double> diameter() const override { return diameter_; }

  /// The largest violation of a member.
  double violation(VectorIn x) const override {
    double worst = 0.0;
    for (const ConvexSetPtr& member : members_) worst = std::max(worst, member->violation(x));
    return worst;
  }

  double reach() const override {
    double least = kInfinity;
    for (const ConvexSetPtr& member : members_) least = std::min(least, member->reach());
    return least;
  }
  bool describe(sets::Conditions& conditions, Index first) const override {
    return std::all_of(members_.begin(), members_.end(),
                       [&](const ConvexSetPtr& member) { return member->describe(conditions, first); });
  }
  bool interior_point(VectorOut s) const override { return settler() != nullptr && settler()->interior_point(s); }
  const interior::Tight* tight() const override { return settler() != nullptr ? settler()->tight() : nullptr; }
  double settle(VectorOut x) const override { return settler() != nullptr ? settler()->settle(x) : violation(x); }

 private:
  /// Shares of the right sizes, one of them empty.
  bool is_hint(const SetWitness& witness) const {
    if (witness.shares.size() != members_.size() || witness.parts.size() > members_.size()) return false;
    std::size_t open = 0;
    for (const Vector& share : witness.shares) {
      if (share.size() == 0) ++open;
      if (share.size() != 0 && (share.size() != dimension() || !share.allFinite())) return false;
    }
    return open == 1;
  }

  /// False: not found, or not within `scratch`'s time.
  bool project_on_polyhedron(Vector& x, Scratch& scratch) const {
    const interior::PolyhedronView sides{std::get_if<RowMajorMatrix>(&form_->matrix),
                                         std::get_if<CsrMatrix>(&form_->matrix),
                                         &form_->row_lower,
                                         &form_->row_upper,
                                         &form_->lower,
                                         &form_->upper};
    Vector duals(form_->row_lower.size());
    sets::ScratchWatch watch(scratch);
    return interior::nearest_point(sides, x, duals, &watch) == interior::Outcome::solved;
  }

  /// Null: a member does not tell its conditions.
  const sets::Settler* settler() const {
    std::call_once(settler_made_, [this] {
      if (auto membership = sets::membership_of(*this))
        settler_ = std::make_unique<sets::Settler>(std::move(membership), anchor_, radius_.value_or(reach_));
    });
    return settler_.get();
  }

  /// The bound of a split, rounding included.
  double evaluate(VectorIn direction, SetWitness& witness, Scratch& scratch) const {
    witness.parts.resize(members_.size());  // what is there is a hint
    Vector rest(dimension());
    sets::ExtendedSum lost;  // squares of what the rest differs from what is left of the direction
    for (Index j = 0; j < dimension(); ++j) {
      sets::ExtendedSum left;
      left.add(direction[j]);
      for (const Vector& share : witness.shares)
        if (share.size() > 0) left.add(-share[j]);
      rest[j] = static_cast<double>(left.value());
      const sets::Extended off = std::abs(left.value() - rest[j]) + left.error();
      lost.add(off * off);
    }
    sets::ExtendedSum sum;
    for (std::size_t i = 0; i < members_.size(); ++i) {
      const Vector& share = witness.shares[i].size() > 0 ? witness.shares[i] : rest;
      const double bound = members_[i]->prove_linear_bound(share, witness.parts[i], scratch.child(i));
      if (!std::isfinite(bound)) return -kInfinity;
      sum.add(bound);
    }
    if (lost.value() > 0) sum.add(-std::sqrt(lost.value()) * reach() * (1 + 1e-9L));
    return sets::rounded_down(sum.at_least());
  }

  // Slots after those of Dykstra.
  static constexpr std::size_t kProxCentre = sets::Dykstra::kSlots;
  static constexpr std::size_t kTarget = kProxCentre + 1;
  static constexpr std::size_t kPart = kProxCentre + 2;
  static constexpr std::size_t kRest = kProxCentre + 3;

  static std::vector<ConvexSetPtr> flattened(const std::vector<ConvexSetPtr>& members) {
    if (members.empty()) {
      throw InvalidArgument("intersection: expected at least one set, found none; list its members");
    }
    std::vector<ConvexSetPtr> flat;
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (!members[i]) {
        throw InvalidArgument("intersection: expected a set as member " + std::to_string(i) +
                              ", found a null pointer; construct the member first");
      }
      if (members[i]->dimension() != members[0]->dimension()) {
        throw InvalidArgument("intersection: expected sets of one dimension, found " +
                              sets::text_of(members[0]->dimension()) + " for member 0 and " +
                              sets::text_of(members[i]->dimension()) + " for member " + std::to_string(i) +
                              "; give all members the same number of coordinates");
      }
      if (const auto* inner = dynamic_cast<const Intersection*>(members[i].get())) {
        flat.insert(flat.end(), inner->members_.begin(), inner->members_.end());
      } else {
        flat.push_back(members[i]);
      }
    }
    return flat;
  }

  /// Members that are open learn how far the points of the others reach, or where that is not known, how far a
  /// solution does, as the caller vouches.
  void bound_members() {
    double least = kInfinity, told = kInfinity;
    for (const ConvexSetPtr& member : members_) {
      double& known = member->rests_on_told_radius() ? told : least;
      known = std::min(known, member->reach());
    }
    rests_on_told_radius_ = !(least < kInfinity) && told < kInfinity;
    if (rests_on_told_radius_) least = told;
    if (!(least < kInfinity)) return;
    for (ConvexSetPtr& member : members_)
      if (ConvexSetPtr bounded = member->within(least * (1.0 + 1e-9))) member = std::move(bounded);
  }

  void measure_members() {
    Vector centre = Vector::Zero(dimension());
    centre_ = centre;
    for (std::size_t i = 0; i < members_.size(); ++i) {
      const std::optional<double> radius = members_[i]->enclosing_ball(centre);
      if (radius && (!radius_ || *radius < *radius_)) {
        radius_ = radius;
        centre_ = centre;
        keeper_ = i;
      }
      const std::optional<double> size = members_[i]->diameter();
      if (size && (!diameter_ || *size < *diameter_)) diameter_ = size;
    }
    if (radius_) reach_ = sets::norm_of(centre_) + *radius_;
    for (std::size_t i = 0; i < members_.size(); ++i) {
      const std::optional<double> radius = members_[i]->enclosing_ball(centre);
      sizes_.push_back(radius ? sets::norm_of(centre) + *radius : reach_);
    }
  }

  /// The polyhedron finds the proof and names the rows; where it does not, nothing is refused.
  void refuse_conflict() const {
    const std::optional<double> radius = reach() < kInfinity ? std::optional<double>(reach()) : std::nullopt;
    try {
      std::visit(
          [&](const auto& matrix) {
            polyhedron(matrix, form_->row_lower, form_->row_upper, form_->lower, form_->upper, radius);
          },
          form_->matrix);
    } catch (const InvalidArgument& conflict) {
      throw InvalidArgument("intersection: expected sets with a common point, found none; as one " +
                            std::string(conflict.what()) +
                            " (rows are halfspaces, rows of polyhedra and equations, in this order)");
    }
  }

  /// The projection of the centre; refuses where there is none, as far as that is found out in short time.
  void find_anchor() {
    OperationBudget budget(kAnchorBudget);
    Scratch scratch(budget);
    sets::Dykstra dykstra(members_, dimension(), scratch);
    dykstra.aim(centre_, 0.0);
    double violated = 0.0;
    double allowed = 0.0;
    double margin = -kInfinity;
    const Vector zero = Vector::Zero(dimension());
    for (int cycles = 100; cycles <= kProjectionCycles && margin <= 0.0 && !dykstra.gave_up(); cycles *= 10) {
      const bool converged = dykstra.run(0.0, cycles).converged;
      anchor_ = dykstra.point();
      violated = violation(anchor_);
      allowed = kEmptyTolerance * (sets::norm_of(anchor_) + radius_.value_or(1.0));
      if (converged) break;
      if (violated > allowed) margin = split_bound(zero, 1.0, dykstra, scratch);
    }
    violated = dykstra.polish(kPolishCycles);
    anchor_ = dykstra.point();
    if (!radius_) reach_ = 1.0 + sets::norm_of(anchor_);
    if (violated > allowed && (margin > 0.0 || !dykstra.gave_up())) {
      if (form_) refuse_conflict();
      throw InvalidArgument(
          "intersection: expected sets with a common point, found none: the best point violates a member by " +
          sets::text_of(violated) + " > " + sets::text_of(allowed) +
          (margin > 0.0 ? " (a split of the zero direction separates the sets, so there is none)"
                        : " (sets that only touch need a little more room)") +
          "; enlarge a radius or drop a member");
    }
  }

  /// Bounds of parts of a direction, summed: what is known and what rounding may have added to it.
  struct SplitSum {
    double bound = 0.0;
    double weight = 0.0;  // sum of the sizes of all numbers that went into the bound
  };

  void add_share(std::size_t i, VectorIn share, SplitSum& sum, Scratch& scratch) const {
    const double lowest = members_[i]->linear_lower_bound(share, scratch.child(i));
    sum.bound += lowest;
    // An error of the share itself counts with the size of the intersection, one of the member's own arithmetic
    // with the size of the member.
    sum.weight += sets::norm_of(share) * (reach_ + sizes_[i]) + std::abs(lowest);
  }

  /// Sums of n products err by at most n units in the last place of the sizes involved; the rest are a few
  /// operations per member.
  double rounding_unit() const {
    const double count = static_cast<double>(members_.size());
    return kEpsilon * (8.0 + count + static_cast<double>(dimension()));
  }

  double safe(const SplitSum& sum) const {
    return std::isfinite(sum.bound) ? sum.bound - rounding_unit() * sum.weight : -kInfinity;
  }

  /// The bound of the split c_i = -scale q_i with the rest given to the keeper.
  double split_bound(VectorIn direction, double scale, const sets::Dykstra& dykstra, Scratch& scratch) const {
    Vector& part = scratch.vector(kPart, dimension());
    Vector& rest = scratch.vector(kRest, dimension());
    rest = direction;
    SplitSum sum;
    sum.weight = sets::norm_of(direction) * reach_;
    for (std::size_t i = 0; i < members_.size(); ++i) {
      if (i == keeper_) continue;
      part = -scale * dykstra.correction(i);
      rest -= part;
      add_share(i, part, sum, scratch);
    }
    add_share(keeper_, rest, sum, scratch);
    return safe(sum);
  }

  /// The split behind split_bound().
  void save_split(double scale, const sets::Dykstra& dykstra, SetWitness& witness) const {
    witness.shares.resize(members_.size());
    for (std::size_t i = 0; i < members_.size(); ++i) {
      if (i == keeper_)
        witness.shares[i].resize(0);
      else
        witness.shares[i] = -scale * dykstra.correction(i);
    }
  }

  /// `witness`, where there is one, receives the shares of a split that is better than `best`.
  double proximal_bound(VectorIn direction, double norm, double best, SetWitness* witness,
                        Scratch& scratch) const {
    sets::Dykstra dykstra(members_, dimension(), scratch);
    Vector& centre = scratch.vector(kProxCentre, dimension());  // a
    Vector& target = scratch.vector(kTarget, dimension());      // w
    const double size = radius_ && *radius_ > 0.0 ? *radius_ : reach_;
    centre = anchor_;
    double length = size;  // tau |d|
    double keep = 0.0;
    double tolerance = kStepAccuracy * size;
    const double exact = std::max(kBoundGap, 8.0 * rounding_unit()) * reach_;
    double lowest = kInfinity;  // value of <d, x>
    int cycles = 0;
    int idle = 0;
    for (int step = 0; step < kBoundSteps && cycles < kBoundCycles && idle < kBoundIdleSteps; ++step) {
      if (dykstra.gave_up()) break;
      target = centre - (length / norm) * direction;
      dykstra.aim(target, keep);
      const sets::DykstraOutcome outcome = dykstra.run(tolerance, kBoundStepCycles);
      cycles += outcome.cycles;
      const double bound = split_bound(direction, norm / length, dykstra, scratch);
      const double value = direction.dot(dykstra.point());
      if (bound > best && witness != nullptr) save_split(norm / length, dykstra, *witness);
      // Only a point that lies in all members says how far the bound is from the minimum.
      if (outcome.movement <= exact && value - bound <= norm * exact) return std::max(best, bound);
      // A direction that is nearly normal to a face: x travels along the face for some steps, and the bound waits.
      idle = bound > best + norm * exact || value < lowest - norm * exact ? 0 : idle + 1;
      lowest = std::min(lowest, value);
      best = std::max(best, bound);
      const double travelled = sets::norm_of(dykstra.point() - centre);
      if (!outcome.at_rounding && outcome.movement > std::max(exact, kStepAccuracy * travelled)) {
        tolerance = 0.1 * std::min(outcome.movement, kStepAccuracy * travelled);  // go on with this step
        keep = 1.0;
        continue;
      }
      tolerance = kStepAccuracy * travelled;
      centre = dykstra.point();
      const double longer = std::min(2.0 * length, kLongestStep * size);
      keep = longer / length;
      length = longer;
    }
    return best;
  }

  std::vector<ConvexSetPtr> members_;
  std::optional<sets::PolyhedralForm> form_;  // where balls cut nothing off
  bool rests_on_told_radius_ = false;
  std::optional<double> radius_;  // of the smallest enclosing ball of a member
  Vector centre_;                 // of that ball; zero if there is none
  std::size_t keeper_ = 0;        // the member with that ball
  std::vector<double> sizes_;     // bound of |z| over each member, where it has one
  std::optional<double> diameter_;
  mutable std::once_flag settler_made_;
  mutable std::unique_ptr<sets::Settler> settler_;
  Vector anchor_;       // a member of the intersection
  double reach_ = 1.0;  // bound of |z| over the intersection; where it is unbounded, the size of the anchor
};

}  // namespace

ConvexSetPtr intersection(std::vector<ConvexSetPtr> members) { return std::make_shared<Intersection>(members); }

}  // namespace fcbio
