#include "inner/dual_step.hpp"

#include <algorithm>
#include <cmath>

#include "core/overloaded.hpp"

namespace fcbio {
namespace {

// With v the new image, r = phi'(v) and v = u - (r - r_0)/s:  h(v) = phi'(v) + s v - (r_0 + s u) = 0, h increasing with
// slope s at least, between the ends that phi' in [-1, 1] leaves; Newton's method, halved where it leaves them.
double logistic_dual(double u, double label, double step, double r) {
  const double right = r + step * u;
  double low = (right - 1.0) / step, high = (right + 1.0) / step;
  double v = std::clamp(u, low, high), dual = r;
  for (int turn = 0; turn < 50; ++turn) {
    const double share = 1.0 / (1.0 + std::exp(label * v));  // phi' = -label share
    dual = -label * share;
    const double miss = dual + step * v - right;
    (miss > 0.0 ? high : low) = v;
    const double next = v - miss / (share * (1.0 - share) + step);
    const double moved = next > low && next < high ? next : 0.5 * (low + high);
    if (std::abs(moved - v) <= 1e-14 * (1.0 + std::abs(v))) break;
    v = moved;
  }
  return dual;
}

}  // namespace

std::string DualStep::misfit(const Term& term) {
  const std::string name(term.name());
  if (term.loss() == nullptr || term.map() == nullptr)
    return "the term '" + name + "' is not a loss on rows of data, an l1 norm, a squared norm or linear";
  return std::visit(
      Overloaded{
          [](const DualBoxShape&) { return std::string(); },
          [](const LogisticShape&) { return std::string(); },
          [&](const MaxAffineShape&) {
            return "the duals of the loss '" + name + "' are not those of single rows";
          },
          [&](std::monostate) { return "the dual of the loss '" + name + "' is not known row by row"; },
      },
      term.loss()->shape());
}

void DualStep::apply(VectorIn u, VectorIn lengths, double factor, VectorOut r) const {
  std::visit(Overloaded{
                 [](std::monostate) {},
                 [](const MaxAffineShape&) {},  // do not fit
                 [&](const DualBoxShape& box) {
                   for (Index i = 0; i < r.size(); ++i) {
                     const double step = factor * lengths[i];
                     const double free = (r[i] + step * (u[i] - box.kink[i])) / (1.0 + step * box.bend);
                     r[i] = free < box.low[i] ? box.low[i] : (free > box.high[i] ? box.high[i] : free);
                   }
                 },
                 [&](const LogisticShape& logistic) {
                   for (Index i = 0; i < r.size(); ++i)
                     r[i] = logistic_dual(u[i], (*logistic.labels)[i], factor * lengths[i], r[i]);
                 },
             },
             shape_);
}

void DualStep::start(VectorOut r) const {
  std::visit(Overloaded{
                 [&](std::monostate) { r.setZero(); },
                 [&](const MaxAffineShape&) { r.setZero(); },
                 [&](const DualBoxShape& box) {
                   for (Index i = 0; i < r.size(); ++i) r[i] = std::min(box.high[i], std::max(box.low[i], 0.0));
                 },
                 [&](const LogisticShape& logistic) { r = -0.5 * *logistic.labels; },
             },
             shape_);
}

}  // namespace fcbio
