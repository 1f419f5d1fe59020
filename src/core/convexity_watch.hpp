// Functions that the caller wrote are not trusted blindly.  A convex function with a right (sub)gradient s has
//
//     f(y) >= f(x) + <s(x), y - x> + m/2 |y - x|^2      for all x, y     (m: strong convexity, where it was told).
//
// The watch keeps some of the visited linearisations of every such term and compares each new one with all of
// them, both ways, and each new value with all of them, one way.  A violation beyond rounding goes to the monitor:
// the solve stops, and its result names the two points.  What passes is not proved to be convex; that is why a
// result says "proved if".
//
// Rounding.  A value is taken to be right to n + 16 roundings of |value| + sum |s_i x_i|, which is also what
// user_term.cpp charges to a proof, plus 16 roundings of the largest value seen (a difference that cancels, such
// as cosh(x) - 1); a slope to n + 16 roundings of the largest slope seen.
//
// Which linearisations are kept depends on their order alone: the latest ones, and of all others every k-th, k
// doubling whenever they become too many.  All room is made at set-up.
#pragma once

#include <vector>

#include "fcbio/monitor.hpp"
#include "fcbio/point.hpp"
#include "linalg/archive.hpp"

namespace fcbio {

class ConvexityWatch {
 public:
  explicit ConvexityWatch(const Problem& problem);

  /// True where no part of this level is watched.
  bool empty(Level level) const { return terms_[level].empty(); }
  /// Value of part `part` at x.  Compared at once, unless its linearisation follows.
  enum class Next { nothing, linearization };
  void see_value(Level level, std::size_t part, VectorIn x, double value, Next next, Monitor& monitor);
  /// Linearisation at x, after see_value() at x: `duals` are those of Function::gradient().
  void see_linearization(Level level, VectorIn x, const PartVectors& images, const PartVectors& duals,
                         Monitor& monitor);

  void archive(Archive& archive) { archive(terms_); }

 private:
  struct Seen {
    Vector x, slope;
    double value = 0.0;
    double allowance = 0.0;  ///< error of `value`
    double norm = 0.0;       ///< |x|
    double moment = 0.0;     ///< <slope, x>
    void archive(Archive& archive) { archive(x, slope, value, allowance, norm, moment); }
  };
  struct Watched {
    std::size_t part = 0;
    const Term* term = nullptr;
    double strong_convexity = 0.0;
    std::vector<Seen> latest, thinned;      ///< slots; the first `*_size` are in use
    std::size_t latest_size = 0, next = 0;  ///< `next`: the slot of `latest` to be overwritten
    std::size_t thinned_size = 0, stride = 1, count = 0;
    double largest_value = 0.0, largest_slope = 0.0;
    Seen now;  ///< the newest value, and its slope once that is known
    void archive(Archive& archive) {
      archive(latest, thinned, latest_size, next, thinned_size, stride, count, largest_value, largest_slope, now);
    }
  };

  template <class Visit>
  static void for_each_kept(Watched& watched, Visit visit);
  static void compare(Level level, const Watched& watched, const Seen& at, const Seen& other, Monitor& monitor);
  static bool is_clear(const Watched& watched, const Seen& at, const Seen& other);
  static void keep(Watched& watched);
  static double allowance(const Watched& watched, double size);

  PerLevel<std::vector<Watched>> terms_;
};

class Oracle;
/// Visits more points before an answer is called certified, so that a mistake shows which no visited pair of
/// points betrayed (a method that stands at a maximum of a concave function visits one point only): `x`,
/// the start, a few others of Z, and points between x and these, each with a neighbour on the way.  Not charged,
/// as verification is not.
void probe_convexity(Oracle& oracle, VectorIn x);

}  // namespace fcbio
