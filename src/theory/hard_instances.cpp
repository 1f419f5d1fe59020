#include "theory/hard_instances.hpp"

#include <cmath>

#include "theory/chains.hpp"

namespace fcbio::theory {
namespace {

/// x -> chain(x - start), without allocating; solves in several threads may share it.
template <class Chain>
UserFunction shifted(const Chain& chain, const Vector& start) {
  UserFunction function;
  function.dimension = chain.size();
  function.evaluate = [chain, start](VectorIn x, Vector* gradient) {
    static thread_local Vector moved;
    moved = x - start;
    return chain.evaluate(moved, gradient);
  };
  return function;
}

/// 1/2 sum_{j > T} (x_j - start_j)^2
UserFunction second_half(const Vector& start) {
  UserFunction function;
  function.name = "second-half";
  function.dimension = start.size();
  const Index half = start.size() / 2;
  function.evaluate = [start, half](VectorIn x, Vector* gradient) {
    if (gradient != nullptr) {
      gradient->head(half).setZero();
      gradient->tail(half) = x.tail(half) - start.tail(half);
    }
    return 0.5 * (x.tail(half) - start.tail(half)).squaredNorm();
  };
  function.smoothness = 1.0;
  function.lipschitz = 1.0;  // on the unit ball about the start
  function.lower_bound = 0.0;
  return function;
}

}  // namespace

HardInstance hard_instance(Family family, std::int64_t queries, const Vector& start) {
  const auto q = static_cast<Index>(2 * queries);
  const double root = std::sqrt(static_cast<double>(q));
  auto watch = std::make_shared<QueryWatch>(start, 0.0, queries);
  UserFunction lower;
  Vector solution;
  double minimum = 0.0, upper_optimum = 0.0, distance = 0.0, gap_left = 0.0;
  const auto take = [&](const auto& chain) {
    lower = shifted(chain, start);
    solution = start + chain.minimizer();
    minimum = chain.minimum();
  };
  if (family == Family::smooth) {
    take(SmoothChain(q, 1.0, 1.0 / root));
    lower.name = "smooth-chain";
    lower.smoothness = 1.0;
    lower.lipschitz = 1.0 + 0.25 / root;  // |h'(x)| <= |h'(x_0)| + L |x - x_0|
    upper_optimum = static_cast<double>(queries + 1) / (24.0 * static_cast<double>(2 * queries + 1));
    distance = 1.0 / 48.0;
    gap_left = SmoothChain(q / 2, 1.0, 1.0 / root).minimum() - minimum;  // on T coordinates: the chain of length T
  } else {
    take(LipschitzChain(q, 1.0, 1.0));
    lower.name = "lipschitz-chain";
    lower.lipschitz = 1.0;
    upper_optimum = distance = 0.25;
    gap_left = -minimum;  // a coordinate is 0, so the maximum is not below 0
  }
  const auto lower_value = [evaluate = lower.evaluate](VectorIn x) { return evaluate(x, nullptr); };
  Problem problem(user_function(watched(second_half(start), Level::upper, *watch)),
                  user_function(watched(std::move(lower), Level::lower, *watch)), ball(start, 1.0), start);
  return {std::move(watch), std::move(problem), std::move(solution), upper_optimum, minimum,
          distance,         gap_left,           lower_value};
}

HardInstance hard_instance(Family family, std::int64_t queries) {
  return hard_instance(family, queries, Vector::Zero(static_cast<Index>(2 * queries)));
}

}  // namespace fcbio::theory
