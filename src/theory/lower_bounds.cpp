#include "theory/lower_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "theory/chains.hpp"

namespace fcbio::theory {
namespace {

UserFunction zero_function(Index dimension) {
  UserFunction function;
  function.name = "zero";
  function.dimension = dimension;
  function.evaluate = [](VectorIn, Vector* gradient) {
    if (gradient != nullptr) gradient->setZero();
    return 0.0;
  };
  function.smoothness = 0.0;
  function.lipschitz = 0.0;
  function.lower_bound = 0.0;
  return function;
}

template <class Chain>
UserFunction chain_function(const Chain& chain, std::shared_ptr<std::int64_t> gradients) {
  UserFunction function;
  function.dimension = chain.size();
  function.evaluate = [chain, gradients = std::move(gradients)](VectorIn x, Vector* gradient) {
    if (gradient != nullptr) ++*gradients;
    return chain.evaluate(x, gradient);
  };
  return function;
}

}  // namespace

double error_after(Family family, double radius, std::int64_t queries) {
  const double next = static_cast<double>(queries) + 1.0;
  return family == Family::smooth ? 3.0 * radius * radius / (32.0 * next * next)
                                  : 0.5 * radius / (1.0 + std::sqrt(next));
}

std::int64_t least_queries(Family family, double radius, double accuracy) {
  // error_after(N) = accuracy solved for N, then rounded up with error_after itself as the judge.
  const double solved = family == Family::smooth
                            ? radius * std::sqrt(3.0 / (32.0 * accuracy)) - 1.0
                            : std::pow(std::max(0.0, 0.5 * radius / accuracy - 1.0), 2.0) - 1.0;
  auto queries = static_cast<std::int64_t>(std::clamp(std::ceil(solved), 0.0, 9e15));
  while (queries > 0 && error_after(family, radius, queries - 1) <= accuracy) --queries;
  while (error_after(family, radius, queries) > accuracy) ++queries;
  return queries;
}

BoundInstance bound_instance(Family family, Level chain, double radius, std::int64_t queries) {
  auto gradients = std::make_shared<std::int64_t>(0);
  UserFunction hard;
  double minimum = 0.0;
  if (family == Family::smooth) {
    const auto q = static_cast<Index>(2 * queries + 1);
    const double scale = radius * std::sqrt(3.0 / static_cast<double>(q + 1));  // then |x*| <= radius
    const SmoothChain function(q, 1.0, scale);
    hard = chain_function(function, gradients);
    hard.name = "smooth-chain";
    hard.smoothness = 1.0;
    hard.lipschitz = radius + 0.25 * scale;
    minimum = function.minimum();
  } else {
    const LipschitzChain function(static_cast<Index>(queries + 1), 1.0, radius);
    hard = chain_function(function, gradients);
    hard.name = "lipschitz-chain";
    hard.lipschitz = 1.0;
    minimum = function.minimum();
  }
  const Index n = hard.dimension;
  Function hard_level = user_function(std::move(hard)), easy_level = user_function(zero_function(n));
  const bool upper = chain == Level::upper;
  return {Problem(upper ? hard_level : easy_level, upper ? easy_level : hard_level, ball(Vector::Zero(n), radius)),
          upper ? minimum : 0.0, upper ? 0.0 : minimum, std::move(gradients)};
}

double fitted_exponent(const std::vector<double>& accuracies, const std::vector<double>& counts) {
  const auto n = static_cast<double>(accuracies.size());
  double x_mean = 0.0, y_mean = 0.0;
  for (std::size_t i = 0; i < accuracies.size(); ++i) {
    x_mean += std::log(accuracies[i]) / n;
    y_mean += std::log(counts[i]) / n;
  }
  double covariance = 0.0, variance = 0.0;
  for (std::size_t i = 0; i < accuracies.size(); ++i) {
    const double x = std::log(accuracies[i]) - x_mean;
    covariance += x * (std::log(counts[i]) - y_mean);
    variance += x * x;
  }
  return covariance / variance;
}

}  // namespace fcbio::theory
