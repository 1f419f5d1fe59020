// Basic names used everywhere.  The public interface needs only Eigen and the standard library.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <limits>

namespace fcbio {

using Index = Eigen::Index;
using Vector = Eigen::VectorXd;
using VectorIn = const Eigen::Ref<const Vector>&;  ///< read only, never copied
using VectorOut = Eigen::Ref<Vector>;              ///< written in place; the caller owns the size

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// For numbers that do not exist, or not yet.
inline constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

/// The two levels of  min f(x)  s.t.  x in argmin over Z of g:  f is the upper, g the lower one.
enum class Level : std::uint8_t { upper = 0, lower = 1 };
inline constexpr Level kLevels[] = {Level::upper, Level::lower};

}  // namespace fcbio
