// The vertex or face that an interior-point method is about to reach.
//
// A piecewise linear phi = f + mu g over a polyhedron is least on a face.  Next to it every side, row and kink has a slack
// s and a multiplier z with s z = tau: on the face s is the small one of the two, elsewhere z is.  So those with s < z, in
// units of x and of the slopes, are taken for equations, and the nearest point that satisfies them is computed in extended
// precision: to the last digit where they determine it.  If mu is large enough, the face is one of minimisers of g.
//
// With f = m/2 |x|^2 + <c, x> + (pieces), m > 0, the answer is not the nearest point but the best one of the face, which
// is the projection of -c/m on it.
#include <algorithm>
#include <cmath>

#include "inner/interior_model.hpp"
#include "interior/face.hpp"

namespace fcbio {
namespace {

using interior::Block;
using interior::BlockKind;

constexpr double kMostOvershoot = 1e-9;  // past a side that is not taken for tight, in units of x

/// Whether a slack is the small one of a pair.
class Pairing {
 public:
  Pairing(double x_size, double slope_size) : ratio_(x_size / slope_size) {}
  bool is_tight(double slack, double multiplier) const { return slack < multiplier * ratio_; }

 private:
  double ratio_;
};

}  // namespace

std::optional<InteriorModel::OnFace> InteriorModel::upper_on_face() const {
  OnFace upper{Vector::Zero(problem_.dimension())};
  for (const Piece& piece : pieces_) {
    const Term& term = *piece.source->term;
    const double w = weight(piece);
    if (piece.kind == Piece::Kind::quadratic || piece.logistic || piece.shape.bend > 0.0) return std::nullopt;
    if (piece.kind != Piece::Kind::plain) continue;
    if (piece.level == Level::lower && term.exact_curvature() > 0.0) return std::nullopt;
    if (piece.level == Level::lower) continue;
    term.add_slope(w, Vector(), upper.slope);
    upper.curvature += w * term.exact_curvature();
  }
  return upper;
}

std::optional<Vector> InteriorModel::face_point() const {
  const Index n = problem_.dimension();
  std::optional<OnFace> upper = upper_on_face();
  if (!upper) return std::nullopt;
  const bool curved = upper->curvature > 0.0;
  if (curved && program_.variables > n) return std::nullopt;
  const interior::InteriorPoint& method = *method_;
  const double x_size = 1.0 + method.x().lpNorm<Eigen::Infinity>();
  double slope_size = std::max(upper->slope.lpNorm<Eigen::Infinity>(), upper->curvature * x_size);
  for (const Piece& piece : pieces_)
    if (piece.level == Level::upper && piece.kind != Piece::Kind::plain)
      slope_size = std::max(slope_size, weight(piece));
  if (!(slope_size > 0.0)) slope_size = 1.0;
  const Pairing pairing(x_size, slope_size);
  for (std::size_t k = 0; k < program_.balls.size(); ++k) {
    const double room =
        program_.balls[k].radius - (program_.balls[k].of(method.x()) - program_.balls[k].centre).norm();
    if (pairing.is_tight(room, method.ball_multiplier(k) * program_.balls[k].radius)) return std::nullopt;
  }

  interior::Face face(program_.variables);
  for (Index j = 0; j < program_.variables; ++j) {
    const double low = program_.lower[j], high = program_.upper[j], x = method.x()[j];
    if (low == high || pairing.is_tight(x - low, method.lower_multipliers()[j]))
      face.fix(j, low);
    else if (pairing.is_tight(high - x, method.upper_multipliers()[j]))
      face.fix(j, high);
  }
  for (std::size_t k = 0; k < program_.blocks.size(); ++k) {
    const Block& block = program_.blocks[k];
    const Piece* piece = nullptr;
    for (const Piece& one : pieces_)
      if (one.kind != Piece::Kind::plain && one.kind != Piece::Kind::quadratic && one.block == k) piece = &one;
    const Vector& u = method.image(k);
    const Vector& y = method.dual(k);
    for (Index i = 0; i < u.size(); ++i) {
      if (block.kind == BlockKind::limits) {
        const bool low = block.low[i] == block.high[i] || pairing.is_tight(u[i] - block.low[i], -y[i]);
        if (!low && !pairing.is_tight(block.high[i] - u[i], y[i])) continue;
        if (!face.add(block.rows, i, low ? block.low[i] : block.high[i])) return std::nullopt;
        continue;
      }
      // A loss without bend: at its kink where the dual is inside, one of two slopes elsewhere.
      const double inside = std::min(y[i] - block.low[i], block.high[i] - y[i]);
      if (pairing.is_tight(std::abs(u[i] - block.kink[i]), inside)) {
        if (!face.add(block.rows, i, block.kink[i])) return std::nullopt;
      } else if (curved && piece != nullptr && piece->level == Level::upper) {
        const double slope = u[i] > block.kink[i] ? block.high[i] : block.low[i];
        block.rows.visit_row(i, [&](Index j, double a) { upper->slope[j] += slope * a; });
      }
    }
  }

  Vector x = curved ? Vector(-upper->slope / upper->curvature) : method.x();
  if (!face.project(x)) return std::nullopt;
  for (Index j = 0; j < program_.variables; ++j) {
    if (x[j] < program_.lower[j] - kMostOvershoot * x_size || x[j] > program_.upper[j] + kMostOvershoot * x_size)
      return std::nullopt;
    x[j] = std::clamp(x[j], program_.lower[j], program_.upper[j]);
  }
  return Vector(x.head(n));
}

}  // namespace fcbio
