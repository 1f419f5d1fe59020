#include "core/convexity_watch.hpp"

#include <algorithm>
#include <cmath>

#include "core/oracle.hpp"
#include "functions/rounding.hpp"
#include "linalg/gaussian.hpp"

namespace fcbio {
namespace {

using functions::rounding_factor;

constexpr double kCancelled = 1e-9;  // of the largest value seen: what a function may lose inside, unseen
constexpr Index kMostKept = 64;
constexpr Index kFewestKept = 4;
constexpr Index kMostNumbers = Index{1} << 22;  // per term

std::size_t slots(Index n) {
  const Index kept = std::clamp(kMostNumbers / (2 * n), kFewestKept, kMostKept);
  return static_cast<std::size_t>(kept / 2);
}

}  // namespace

ConvexityWatch::ConvexityWatch(const Problem& problem) {
  const Index n = problem.dimension();
  const auto room = [n] { return Seen{Vector::Zero(n), Vector::Zero(n)}; };
  for (Level level : kLevels) {
    const std::vector<Function::Part>& parts = problem.function(level).parts();
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (parts[i].weight == 0.0 || parts[i].term->premise().empty()) continue;
      Watched watched;
      watched.part = i;
      watched.term = parts[i].term.get();
      watched.strong_convexity = watched.term->strong_convexity();
      watched.now = room();
      watched.latest.assign(slots(n), room());
      watched.thinned.assign(slots(n), room());
      terms_[level].push_back(std::move(watched));
    }
  }
}

double ConvexityWatch::allowance(const Watched& watched, double size) {
  // 1: a difference of numbers of this size may be behind a small value.
  return rounding_factor(watched.now.x.size() + 16) * (1.0 + size) + kCancelled * watched.largest_value +
         functions::kUnderflow;
}

template <class Visit>
void ConvexityWatch::for_each_kept(Watched& watched, Visit visit) {
  for (std::size_t i = 0; i < watched.latest_size; ++i) visit(watched.latest[i]);
  for (std::size_t i = 0; i < watched.thinned_size; ++i) visit(watched.thinned[i]);
}

/// One product instead of three: <s, y> - <s, x>, with what this form may lose.  True: `at` lies below `other` by
/// more than that, so that there is nothing to look at closely.
bool ConvexityWatch::is_clear(const Watched& watched, const Seen& at, const Seen& other) {
  if (watched.strong_convexity > 0.0) return false;
  const double rise = functions::dot(at.slope, other.x) - at.moment;
  const double rounding = 4.0 * (at.allowance + other.allowance) +
                          rounding_factor(2 * at.x.size() + 16) * watched.largest_slope * (at.norm + other.norm);
  return at.value + rise + rounding < other.value;
}

/// Whether the linearisation `at` lies above the value of `other`.
void ConvexityWatch::compare(Level level, const Watched& watched, const Seen& at, const Seen& other,
                             Monitor& monitor) {
  if (monitor.violation() || is_clear(watched, at, other)) return;
  const Index n = at.x.size();
  const double *s = at.slope.data(), *x = at.x.data(), *y = other.x.data();
  const double inner = functions::sum_of(n, [=](Index i) { return s[i] * (y[i] - x[i]); });
  const double size = functions::sum_of(n, [=](Index i) { return std::abs(s[i] * (y[i] - x[i])); });
  const double squared = functions::sum_of(n, [=](Index i) { return (y[i] - x[i]) * (y[i] - x[i]); });
  const double bend = 0.5 * watched.strong_convexity * squared;
  const double distance = std::sqrt(squared);
  const double rounding = at.allowance + other.allowance + rounding_factor(n + 8) * (size + bend) +
                          rounding_factor(n + 16) * watched.largest_slope * distance;
  const double amount = at.value + inner + bend - other.value - rounding;
  if (amount > 0.0 && std::isfinite(amount))
    monitor.refute({std::string(watched.term->name()), level, at.x, other.x, amount, distance});
}

void ConvexityWatch::keep(Watched& watched) {
  if (watched.latest_size == watched.latest.size()) {
    // What falls out of the latest goes to the thinned history.
    if (watched.count % watched.stride == 0) {
      if (watched.thinned_size == watched.thinned.size()) {
        for (std::size_t i = 0; 2 * i < watched.thinned.size(); ++i)
          std::swap(watched.thinned[i], watched.thinned[2 * i]);
        watched.thinned_size = (watched.thinned.size() + 1) / 2;
        watched.stride *= 2;
      }
      if (watched.count % watched.stride == 0)
        std::swap(watched.thinned[watched.thinned_size++], watched.latest[watched.next]);
    }
    ++watched.count;
  } else {
    ++watched.latest_size;
  }
  std::swap(watched.latest[watched.next], watched.now);
  watched.next = (watched.next + 1) % watched.latest.size();
}

void ConvexityWatch::see_value(Level level, std::size_t part, VectorIn x, double value, Next next,
                               Monitor& monitor) {
  for (Watched& watched : terms_[level]) {
    if (watched.part != part || !std::isfinite(value)) continue;
    watched.now.x = x;
    watched.now.value = value;
    watched.largest_value = std::max(watched.largest_value, std::abs(value));
    watched.now.norm = functions::norm(x);
    if (next == Next::linearization) continue;
    // sum |s_i x_i| <= |s| |x|, the slope here being unknown
    watched.now.allowance = allowance(watched, std::abs(value) + watched.largest_slope * watched.now.norm);
    for_each_kept(watched, [&](const Seen& kept) { compare(level, watched, kept, watched.now, monitor); });
  }
}

void ConvexityWatch::see_linearization(Level level, VectorIn x, const PartVectors& images,
                                       const PartVectors& duals, Monitor& monitor) {
  for (Watched& watched : terms_[level]) {
    Seen& now = watched.now;
    const Vector& dual = duals[watched.part];
    watched.term->gradient(1.0, x, images[watched.part], dual, now.slope);
    const double length = functions::norm(now.slope);
    if (!std::isfinite(length) || !std::isfinite(now.value) || now.x != x) continue;
    watched.largest_slope = std::max(watched.largest_slope, length);
    now.moment = functions::dot(now.slope, x);
    now.allowance = allowance(watched, std::abs(now.value) + functions::absolute_dot(now.slope, x));
    // The value that came with the gradient must be that of the call without it.
    const double again = watched.term->dual_constant(dual) + now.moment;
    if (const double amount = again - now.value - 2.0 * now.allowance; amount > 0.0 && std::isfinite(amount))
      monitor.refute({std::string(watched.term->name()), level, x, x, amount, 0.0});
    for_each_kept(watched, [&](const Seen& kept) {
      compare(level, watched, kept, now, monitor);
      compare(level, watched, now, kept, monitor);
    });
    keep(watched);
  }
}

void probe_convexity(Oracle& oracle, VectorIn x) {
  const Problem& problem = oracle.problem();
  if (oracle.watch() == nullptr) return;
  constexpr int kTargets = 12;       // the start, and others of Z that a seed chooses
  constexpr double kNear = 0x1p-16;  // so near that a slope changes little on the way
  constexpr std::uint64_t kSeed = 1789;
  const Index n = problem.dimension();
  Gaussian gaussian(kSeed);
  Vector centre = x;
  const double radius = problem.domain().enclosing_ball(centre).value_or(1.0 + (x - problem.start()).norm());
  Scratch scratch;
  Vector target = problem.start();
  const auto look = [&](const Vector& point) {
    for (Level level : kLevels) oracle.look(level, point);
  };
  look(x);
  for (int k = 0; k < kTargets; ++k) {
    if (k > 0) {
      gaussian.fill(target);
      target = centre + (radius / std::sqrt(static_cast<double>(n))) * target;
      problem.domain().project(target, scratch);
    }
    const Vector middle = 0.5 * (x + target);
    look(target);
    look(x + kNear * (target - x));
    look(middle);
    look(middle + kNear * (x - middle));
  }
}

}  // namespace fcbio
