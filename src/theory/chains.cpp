#include "theory/chains.hpp"

#include <cmath>

namespace fcbio::theory {

double SmoothChain::evaluate(VectorIn x, Vector* gradient) const {
  double sum = x[0] * x[0] + x[q_ - 1] * x[q_ - 1];
  for (Index i = 0; i + 1 < q_; ++i) sum += (x[i] - x[i + 1]) * (x[i] - x[i + 1]);
  if (gradient != nullptr) {
    for (Index i = 0; i < q_; ++i) {
      const double before = i > 0 ? x[i - 1] : 0.0, after = i + 1 < q_ ? x[i + 1] : 0.0;
      (*gradient)[i] = 0.25 * smoothness_ * ((x[i] - before) + (x[i] - after));
    }
    (*gradient)[0] -= 0.25 * smoothness_ * scale_;
  }
  return 0.25 * smoothness_ * (0.5 * sum - scale_ * x[0]);
}

Vector SmoothChain::minimizer() const {
  return Vector::NullaryExpr(
      q_, [&](Index j) { return scale_ * (1.0 - static_cast<double>(j + 1) / static_cast<double>(q_ + 1)); });
}

double SmoothChain::minimum() const {
  return -0.125 * smoothness_ * scale_ * scale_ * static_cast<double>(q_) / static_cast<double>(q_ + 1);
}

double LipschitzChain::evaluate(VectorIn x, Vector* gradient) const {
  const double root = std::sqrt(static_cast<double>(q_));
  Index first = 0;
  for (Index j = 1; j < q_; ++j)
    if (x[j] > x[first]) first = j;
  const double steepness = lipschitz_ * root / (1.0 + root), curvature = lipschitz_ / (radius_ * (1.0 + root));
  if (gradient != nullptr) {
    *gradient = curvature * x;
    (*gradient)[first] += steepness;
  }
  return steepness * x[first] + 0.5 * curvature * x.squaredNorm();
}

Vector LipschitzChain::minimizer() const {
  return Vector::Constant(q_, -radius_ / std::sqrt(static_cast<double>(q_)));
}

double LipschitzChain::minimum() const {
  return -0.5 * lipschitz_ * radius_ / (1.0 + std::sqrt(static_cast<double>(q_)));
}

}  // namespace fcbio::theory
