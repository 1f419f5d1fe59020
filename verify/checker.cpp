// Claim by claim.  What was re-proved is on the safe side of the checker's own rounding, and a claim must not go
// beyond it at all: whoever makes a claim rounds it to the safe side first.
#include "checker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "bounds.hpp"
#include "convexity.hpp"
#include "deficit.hpp"
#include "enclosure.hpp"
#include "membership.hpp"
#include "reach.hpp"
#include "record.hpp"
#include "short_text.hpp"
#include "values.hpp"

namespace fcbio::verify {
namespace {

/// Relative agreement asked of upper_value and lower_value, which prove nothing by themselves, and what is lost to
/// underflow on the way.
constexpr Real kValueTolerance = 1e-9L;
constexpr Real kUnderflow = std::numeric_limits<double>::min();

constexpr std::array<std::string_view, 9> kStatuses = {"certified",  "converged",  "iteration_limit",
                                                       "time_limit", "work_limit", "interrupted",
                                                       "stalled",    "not_finite", "not_convex"};

std::string text(Real number) { return fmt::format("{:.17g}", static_cast<double>(number)); }

/// One level: what is claimed about it and what was found.
struct LevelCheck {
  std::string bound_name, gap_name;
  std::optional<double> claimed_bound, claimed_gap;
  double accuracy = 0.0;  ///< absolute
  double relative = 0.0;  ///< in units of the larger of |value| and |bound|
  Number value;           ///< of the level's function at x
  Proof proof;
  bool bound_holds = false;
  bool gap_holds = false;
  Real gap = kRealInfinity;  ///< re-proved
  bool proved() const { return bound_holds && gap_holds; }
  Real asked() const {
    if (!(relative > 0) || !proof.proved()) return accuracy;
    const Real scale = std::max(std::abs(proof.bound), std::abs(value.value) - value.error());
    return std::max<Real>(accuracy, relative * scale);
  }
  bool within_accuracy() const { return gap_holds && *claimed_gap <= asked(); }
};

class Checker {
 public:
  Checker(const data::Problem& data, const Claims& claims)
      : claims_(claims), problem_(make_problem(data)), told_(data.accuracy.holder) {}

  void check(const std::string& fingerprint_found) {
    add("problem fingerprint", claims_.fingerprint, fingerprint_found, claims_.fingerprint == fingerprint_found,
        "the result belongs to another problem, or the data changed");
    if (claims_.region) check_region();
    check_premises();
    const bool usable = check_point();
    LevelCheck upper, lower;
    lower = {"lower_lower_bound",
             "lower_gap",
             claims_.lower_lower_bound,
             claims_.lower_gap,
             claims_.lower_accuracy,
             claims_.lower_relative,
             {},
             {}};
    upper = {"upper_lower_bound",
             "upper_excess",
             claims_.upper_lower_bound,
             claims_.upper_excess,
             claims_.upper_accuracy,
             claims_.upper_relative,
             {},
             {}};
    if (usable) {
      const RealVector x(claims_.x.begin(), claims_.x.end());
      upper.value = function_value(problem_.upper, x);
      lower.value = function_value(problem_.lower, x);
      check_value("upper_value", claims_.upper_value, upper.value);
      check_value("lower_value", claims_.lower_value, lower.value);
    }
    check_level(usable, lower, prove_lower_level);
    check_level(usable, upper, prove_upper_level);
    if (claims_.shortfall) check_shortfall(upper);
    const bool tight_claimed = claims_.tight_level || claims_.tight_excess;
    const bool tight_holds = tight_claimed ? check_tight(usable, upper.value, lower) : !claims_.tight;
    const bool absolute_holds = claims_.upper_deficit ? check_deficit(usable, lower) : !claims_.absolute;
    if (usable && lower.proof.proved()) check_contradiction(lower);
    check_evidence(upper, lower);
    check_status(upper, lower, tight_holds && absolute_holds);
  }

  std::vector<Line>& lines() { return report_.lines; }
  VerifyReport report() && {
    report_.all_hold = std::none_of(report_.lines.begin(), report_.lines.end(),
                                    [](const Line& line) { return line.outcome == Outcome::failed; });
    return std::move(report_);
  }

 private:
  void add(std::string name, std::string claimed, std::string recomputed, bool holds, std::string note_if_not) {
    report_.lines.push_back({std::move(name), std::move(claimed), std::move(recomputed),
                             holds ? Outcome::ok : Outcome::failed,
                             holds ? std::string{} : std::move(note_if_not)});
  }

  void assume(std::string name, std::string note) {
    report_.lines.push_back({std::move(name), "", "", Outcome::assumed, std::move(note)});
  }

  /// Solutions are in a ball, proved: from here on linear bounds are taken over it.
  void check_region() {
    const Enclosure found = prove_enclosure(problem_, *claims_.region);
    const double claimed = claims_.region->radius;
    const bool holds = found.proved() && std::isfinite(claimed) && claimed >= found.radius;
    add("region", claims_.region->by + ", " + text(claimed), found.proved() ? text(found.radius) : "-", holds,
        found.proved() ? "the ball is smaller than what is proved" : found.failure);
    if (holds) restrict_to(problem_.domain, claimed);
  }

  void check_premises() {
    for (const auto* terms : {&problem_.upper, &problem_.lower}) {
      for (const TermView& view : *terms) {
        if (view.form() != Form::quadratic) continue;
        const Real lambda = view.concavity();
        add("convexity", "convex", lambda == 0 ? "convex" : "least eigenvalue >= -" + short_text(lambda),
            lambda < kRealInfinity,
            fmt::format(
                "the matrix of a quadratic term is not symmetric, or not proved to be positive semidefinite "
                "(beyond {} variables only diagonal dominance is a proof)",
                kLargestFactored));
      }
    }
    assume_radius(problem_.domain);
    for (const auto* terms : {&problem_.upper, &problem_.lower}) {
      for (const TermView& view : *terms) {
        if (!view.term().lower_bound) continue;
        assume("lower_bound",
               fmt::format("'{}' is at least {} as the problem file says", view.name(), *view.term().lower_bound));
      }
    }
  }

  void assume_radius(const Region& region) {
    if (region.kind == RegionKind::whole_space && std::isfinite(region.radius)) {
      assume("radius", fmt::format("solutions lie within {} of the start, as the problem file says",
                                   short_text(region.radius)));
    }
    if (region.told_radius)
      assume("radius",
             fmt::format("a solution x has norm(x) <= {}, as the problem file says", short_text(region.radius)));
    for (const Region& part : region.parts) assume_radius(part);
  }

  /// False: x cannot be used at all.
  bool check_point() {
    const bool usable = claims_.x.size() == problem_.dimension && all_finite(claims_.x);
    add("x", fmt::format("{} finite numbers", problem_.dimension),
        fmt::format("{} numbers{}", claims_.x.size(), all_finite(claims_.x) ? "" : ", not all finite"), usable,
        "x is not a point of the problem");
    if (!usable) return false;
    const RealVector x(claims_.x.begin(), claims_.x.end());
    const Violation found = violation(problem_.domain, x);
    add("x in Z", "to " + short_text(found.allowed), "to " + short_text(found.off), found.tolerable(),
        "x is outside the domain");
    return true;
  }

  void check_value(const std::string& name, const std::optional<double>& claimed, const Number& found) {
    if (!claimed) {
      report_.lines.push_back({name, "null", text(found.value), Outcome::not_claimed, {}});
      return;
    }
    const Real allowed = kValueTolerance * std::abs(found.value) + kDoubleDigits * found.magnitude + kUnderflow;
    const Real off = std::abs(*claimed - found.value);
    add(name, text(*claimed), text(found.value), off <= allowed,
        "differs by " + short_text(off) + " > " + short_text(allowed));
  }

  void add_bound(const std::string& name, const std::optional<double>& claimed, Real found, bool at_most,
                 const LevelCheck& level, bool& holds) {
    holds = false;
    if (!claimed) {
      report_.lines.push_back({name, "null", level.proof.proved() ? text(found) : "-", Outcome::not_claimed, {}});
      return;
    }
    if (!level.proof.proved()) {
      add(name, text(*claimed), "-", false, level.proof.failure);
      return;
    }
    const Real beyond = at_most ? *claimed - found : found - *claimed;
    holds = std::isfinite(*claimed) && beyond <= 0;
    add(name, text(*claimed), text(found), holds,
        fmt::format("claims {} more than is proved", short_text(beyond)));
  }

  void check_level(bool usable, LevelCheck& level, Proof (*prove)(const CheckedProblem&, const Claims&)) {
    level.proof = usable ? prove(problem_, claims_) : Proof{-kRealInfinity, "x is not a point of the problem"};
    if (level.proof.proved()) level.gap = level.value.value + level.value.error() - level.proof.bound;
    add_bound(level.bound_name, level.claimed_bound, level.proof.bound, true, level, level.bound_holds);
    add_bound(level.gap_name, level.claimed_gap, level.gap, false, level, level.gap_holds);
  }

  void check_shortfall(const LevelCheck& upper) {
    const double claimed = *claims_.shortfall;
    const Real found = std::max<Real>(0, -upper.gap);  // the re-proved bound of f* minus f(x), rounded down
    add("shortfall", text(claimed), upper.proof.proved() ? text(found) : "-", claimed >= 0 && claimed <= found,
        upper.proof.proved() ? "expected a number >= 0, at most the proved bound of f* minus f(x)"
                             : upper.proof.failure);
  }

  /// No point of Z lies below a true lower bound of g, so x refutes a false premise of the problem file.
  void check_contradiction(const LevelCheck& lower) {
    const RealVector x(claims_.x.begin(), claims_.x.end());
    // Where x is not proved to be near Z, it refutes nothing.
    const Real off = proved_distance(problem_.domain, x);
    if (!std::isfinite(off) || lower.gap >= -largest_change(problem_.lower, x, off) - 2 * lower.value.error())
      return;
    add("premises", "g(x) >= g*", "g(x) - bound = " + short_text(lower.gap), false,
        "x lies below the lower bound of g, so a lower_bound or radius told in the problem file is false");
  }

  /// True: f(x) is proved to be within the claimed excess of v(tight_level), and where `tight` was asked for, that
  /// excess is within the accuracy and the level at least the proved bound of g* plus kTightShare eps_g.
  bool check_tight(bool usable, const Number& value, const LevelCheck& lower) {
    constexpr Real kTightShare = 0.8L;
    const bool complete = claims_.tight_level && claims_.tight_excess && std::isfinite(*claims_.tight_level);
    const Real least =
        lower.proof.proved() ? lower.proof.bound + kTightShare * claims_.lower_accuracy : kRealInfinity;
    const bool high_enough = complete && (!claims_.tight || *claims_.tight_level >= least);
    add("tight_level", complete ? text(*claims_.tight_level) : "null",
        claims_.tight ? "at least " + short_text(least) : "any", high_enough,
        "expected a tight_level with a tight_excess, and with accuracy.tight a level near the proved bound of g* "
        "plus eps_g");
    if (!high_enough) return false;
    LevelCheck level{"", "tight_excess", {}, claims_.tight_excess, claims_.upper_accuracy, 0.0, {}, {}};
    level.value = value;
    level.proof = Proof{-kRealInfinity, "x is not a point of the problem"};
    if (rests_on_told_radius(problem_.domain) || claims_.region)  // a claim about every point of Z cannot
      level.proof.failure = "a radius told for an open set vouches for solutions, not for every point of Z";
    else if (usable)
      level.proof = prove_value_function(problem_, claims_);
    if (level.proof.proved()) level.gap = value.value + value.error() - level.proof.bound;
    add_bound(level.gap_name, level.claimed_gap, level.gap, false, level, level.gap_holds);
    return level.gap_holds && (!claims_.tight || level.within_accuracy());
  }

  /// True: f* <= f(x) + upper_deficit is proved, and where `absolute` was asked for, that is within the accuracy.
  bool check_deficit(bool usable, const LevelCheck& lower) {
    const double claimed = *claims_.upper_deficit;
    const Deficit found = usable ? prove_deficit(problem_, claims_, told_, lower.proof, report_.lines)
                                 : Deficit{kRealInfinity, "x is not a point of the problem"};
    if (!found.proved()) {
      add("upper_deficit", text(claimed), "-", false, found.failure);
      return false;
    }
    const Real beyond = found.deficit - claimed;
    const bool holds = std::isfinite(claimed) && beyond <= 0;
    add("upper_deficit", text(claimed), text(found.deficit), holds,
        fmt::format("claims {} more than is proved", short_text(beyond)));
    return holds && (!claims_.absolute || claimed <= claims_.upper_accuracy);
  }

  void check_evidence(const LevelCheck& upper, const LevelCheck& lower) {
    const std::string& evidence = claims_.evidence;
    const std::string found = upper.proved() && lower.proved() ? "proved" : "not all bounds proved";
    if (evidence == "proved") {
      add("evidence", evidence, found, found == "proved", "proved needs all four bounds, and each to hold");
    } else {
      add("evidence", evidence, found, evidence == "estimated" || evidence == "none",
          "expected proved, estimated or none");
    }
  }

  void check_status(const LevelCheck& upper, const LevelCheck& lower, bool tight_holds) {
    const std::string& status = claims_.status;
    const std::string asked =
        fmt::format("{} at {}, {}", status, short_text(upper.asked()), short_text(lower.asked()));
    const std::string found = fmt::format("gaps {}, {}", short_text(upper.gap), short_text(lower.gap));
    const bool known = std::find(kStatuses.begin(), kStatuses.end(), status) != kStatuses.end();
    const auto is_accuracy = [](double absolute, double relative) {
      return absolute >= 0 && relative >= 0 && relative < 1 && absolute + relative > 0 && std::isfinite(absolute);
    };
    const bool accuracy = is_accuracy(claims_.upper_accuracy, claims_.upper_relative) &&
                          is_accuracy(claims_.lower_accuracy, claims_.lower_relative);
    if (!known || !accuracy) {
      add("status", asked, found, false,
          known ? "expected a finite accuracy > 0" : "expected a status of the result schema");
    } else if (status == "certified") {
      add("status", asked, found,
          upper.proved() && lower.proved() && upper.within_accuracy() && lower.within_accuracy() && tight_holds,
          "certified needs both gaps (and a tight one or a deficit where asked for) proved within the accuracy");
    } else if (status == "converged") {
      add("status", asked, found, lower.within_accuracy(),
          "converged needs the lower gap proved within the accuracy");
    } else {
      add("status", asked, found, true, {});
    }
  }

  const Claims& claims_;
  CheckedProblem problem_;
  std::optional<HolderBound> told_;  ///< of the problem file
  VerifyReport report_;
};

}  // namespace

const Line* VerifyReport::find(const std::string& name) const {
  for (const Line& line : lines) {
    if (line.name == name) return &line;
  }
  return nullptr;
}

VerifyReport verify(const data::Problem& problem, const Claims& claims, const std::string& fingerprint_found) {
  Checker checker(problem, claims);
  check_record(problem, claims, checker.lines());
  checker.check(fingerprint_found);
  return std::move(checker).report();
}

}  // namespace fcbio::verify
