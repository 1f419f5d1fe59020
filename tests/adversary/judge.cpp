#include "judge.hpp"

#include <fmt/format.h>

#include <cmath>

#include "values.hpp"

namespace fcbio::adversary {
namespace {

class Judge {
 public:
  Judge(const HostileProblem& problem, const verify::Claims& claims) : truth_(problem.truth), claims_(claims) {
    if (claims.x.size() != static_cast<std::size_t>(problem.data.dimension)) {
      found_.emplace_back("x has the wrong size");
      return;
    }
    for (const double entry : claims.x) {
      if (!std::isfinite(entry)) {
        if (claims.status == "certified") found_.emplace_back("certified with an x that is not finite");
        return;
      }
    }
    const ExactVector x(claims.x.begin(), claims.x.end());
    if (claims.status == "certified") {
      if (clearly_outside(problem.data.domain, x)) found_.emplace_back("x is outside Z");
      if (truth_.empty) found_.emplace_back("certified though Z is empty");
    }
    if (truth_.lower) judge_lower(value(problem.data.lower, x));
    if (truth_.upper) judge_upper(value(problem.data.upper, x));
    if (claims.tight_level && claims.tight_excess) judge_tight(value(problem.data.upper, x));
  }

  std::vector<std::string> found() && { return std::move(found_); }

 private:
  /// `smaller` <= `larger` is claimed.  What 768 bits cannot tell apart counts as equal.
  void expect(const std::string& name, const Exact& smaller, const Exact& larger) {
    const Exact beyond = smaller - larger;
    const Exact blur = ldexp(abs(smaller) + abs(larger), -600);
    if (beyond <= blur) return;
    found_.push_back(
        fmt::format("{} is false by {}: {} <= {} was claimed", name, beyond.text(4), text(smaller), text(larger)));
  }

  void expect_number(const std::string& name, const std::optional<double>& claimed, const Exact& truth,
                     bool below) {
    if (!claimed) return;
    if (!std::isfinite(*claimed)) {
      if (below ? *claimed > 0.0 : *claimed < 0.0) found_.push_back(name + " is infinite");
      return;
    }
    below ? expect(name, *claimed, truth) : expect(name, truth, *claimed);
  }

  void judge_lower(const Exact& at_x) {
    const Exact gap = at_x - *truth_.lower;
    expect_number("lower_lower_bound", claims_.lower_lower_bound, *truth_.lower, true);
    expect_number("lower_gap", claims_.lower_gap, gap, false);
    if (claims_.status == "certified" || claims_.status == "converged")
      expect(claims_.status + ": lower accuracy", gap, claims_.lower_accuracy);
  }

  void judge_upper(const Exact& at_x) {
    const Exact excess = at_x - *truth_.upper;
    expect_number("upper_lower_bound", claims_.upper_lower_bound, *truth_.upper, true);
    expect_number("upper_excess", claims_.upper_excess, excess, false);
    expect_number("upper_deficit", claims_.upper_deficit, -excess, false);
    if (claims_.status != "certified") return;
    expect("certified: upper accuracy", excess, claims_.upper_accuracy);
    if (claims_.absolute) expect("certified: absolute accuracy", -excess, claims_.upper_accuracy);
  }

  void judge_tight(const Exact& at_x) {
    const Exact level = *claims_.tight_level;
    const Exact claimed = at_x - *claims_.tight_excess;
    if (truth_.value_function) {
      if (!truth_.lower || level >= *truth_.lower) expect("tight_excess", claimed, truth_.value_function(level));
    } else if (truth_.lower && truth_.upper && level >= *truth_.lower) {
      expect("tight_excess", claimed, *truth_.upper);
    }
    if (claims_.status == "certified" && claims_.tight) {
      expect("certified: tight accuracy", *claims_.tight_excess, claims_.upper_accuracy);
      if (truth_.lower && level < *truth_.lower) found_.emplace_back("certified: tight_level below g*");
    }
  }

  const Truth& truth_;
  const verify::Claims& claims_;
  std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> false_claims(const HostileProblem& problem, const verify::Claims& claims) {
  return Judge(problem, claims).found();
}

}  // namespace fcbio::adversary
