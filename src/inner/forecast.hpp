// How much longer an engine will take, seen from how its gap fell until now.  Work and gap of a run are marked as they
// come, at most kMost of them, spread evenly; the gap is taken to go on falling as it did over the second half of the
// run's work: geometrically.
#pragma once

#include <array>

#include "fcbio/types.hpp"
#include "linalg/archive.hpp"

namespace fcbio {

class Forecast {
 public:
  /// A new run, in whatever unit of work.
  void begin(double spent);
  /// `wanted`: the gap that the run is for.  A gap that is not finite says nothing.
  void note(double spent, double gap, double wanted);
  /// Work until the gap is what is wanted; kInfinity: nothing says that it will be.
  double remaining() const;

  void archive(Archive& archive) { archive(spent_, gaps_, count_, apart_, begun_, now_, gap_, wanted_); }

 private:
  static constexpr std::size_t kMost = 64;
  std::array<double, kMost> spent_{}, gaps_{};
  std::size_t count_ = 0;
  double apart_ = 0.0;  // work between marks
  double begun_ = 0.0, now_ = 0.0, gap_ = kInfinity, wanted_ = 0.0;
};

}  // namespace fcbio
