// Mehrotra's predictor-corrector method on  min c'z, G z = h, z >= 0  with z = (p, q[, s]), x = p - q,
// G = [K, -K[, -I]], c = (1, 1[, 0]).  With D = diag(z/w) a step solves  G D G' dy = r.
#include "l1_reference.hpp"

#include <Eigen/Cholesky>
#include <cmath>

namespace fcbio::bench {
namespace {

using Matrix = Eigen::MatrixXd;

/// The largest step that keeps v + step dv >= 0, at most 1.
double longest_step(const Vector& v, const Vector& dv) {
  double step = 1.0;
  for (Index i = 0; i < v.size(); ++i)
    if (dv[i] < 0.0) step = std::min(step, -v[i] / dv[i]);
  return step;
}

struct Direction {
  Vector z, y, w;
};

}  // namespace

L1Reference smallest_l1_norm(const RowMajorMatrix& k, const Vector& h, Relation relation) {
  const Index m = k.rows();
  const Index n = k.cols();
  const bool slack = relation == Relation::at_least;
  const Index size = 2 * n + (slack ? m : 0);
  Matrix g(m, size);
  g.leftCols(n) = k;
  g.middleCols(n, n) = -k;
  if (slack) g.rightCols(m) = -Matrix::Identity(m, m);
  Vector c = Vector::Zero(size);
  c.head(2 * n).setOnes();

  Vector z = Vector::Ones(size), w = Vector::Ones(size), y = Vector::Zero(m);
  constexpr int kMostSteps = 100;
  for (int step = 0; step < kMostSteps; ++step) {
    const Vector primal = h - g * z;
    const Vector dual = c - g.transpose() * y - w;
    const double gap = z.dot(w) / static_cast<double>(size);
    if (gap < 1e-14 && primal.lpNorm<Eigen::Infinity>() < 1e-12) break;
    const Vector d = z.cwiseQuotient(w);
    const Eigen::LDLT<Matrix> factor(Matrix(g * d.asDiagonal() * g.transpose()));
    const auto direction = [&](const Vector& centring) {  // z dw + w dz = centring
      Direction move;
      move.y = factor.solve(primal + g * (d.cwiseProduct(dual) - centring.cwiseQuotient(w)));
      move.w = dual - g.transpose() * move.y;
      move.z = (centring - z.cwiseProduct(move.w)).cwiseQuotient(w);
      return move;
    };
    const Direction predictor = direction(-z.cwiseProduct(w));
    const double reach_z = longest_step(z, predictor.z);
    const double reach_w = longest_step(w, predictor.w);
    const double gap_ahead =
        (z + reach_z * predictor.z).dot(w + reach_w * predictor.w) / static_cast<double>(size);
    const double centre = std::pow(gap_ahead / gap, 3) * gap;
    const Direction move =
        direction((Vector::Constant(size, centre) - z.cwiseProduct(w) - predictor.z.cwiseProduct(predictor.w)));
    if (!move.y.allFinite() || !move.z.allFinite()) break;
    const double step_z = 0.9995 * longest_step(z, move.z);
    const double step_w = 0.9995 * longest_step(w, move.w);
    z += step_z * move.z;
    w += step_w * move.w;
    y += step_w * move.y;
  }

  L1Reference reference;
  reference.x = z.head(n) - z.segment(n, n);
  reference.value = reference.x.lpNorm<1>();
  const Vector miss = h - k * reference.x;
  reference.violation = slack ? std::max(0.0, miss.maxCoeff()) : miss.lpNorm<Eigen::Infinity>();
  if (slack) y = y.cwiseMax(0.0);
  reference.bound = h.dot(y) / std::max(1.0, (k.transpose() * y).lpNorm<Eigen::Infinity>());
  return reference;
}

}  // namespace fcbio::bench
