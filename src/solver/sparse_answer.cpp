#include "solver/sparse_answer.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/overloaded.hpp"
#include "solver/skeleton/shares.hpp"

namespace fcbio {
namespace {

constexpr double kZerosRounding = 8.0 * kEpsilon;
constexpr double kMostZeroDistance = 0.1;  // of the largest one: what is further away is no zero
constexpr double kZerosShare = 0.999;      // of eps_f, as for any candidate
constexpr double kMostFall = 0.5;  // of eps_f: f may fall by this much, no point gets far from f* for its zeros

}  // namespace

SparseAnswer::SparseAnswer(const Problem& problem)
    : problem_(problem),
      lower_(Vector::Constant(problem.dimension(), -kInfinity)),
      upper_(Vector::Constant(problem.dimension(), kInfinity)) {
  for (Level level : kLevels)
    for (const Function::Part& part : problem.function(level).parts())
      if (const Vector* centre = part.term->l1_centre(); centre != nullptr && part.weight > 0.0)
        kinks_.push_back(centre);
  const bool fits = std::visit(Overloaded{
                                   [&](const BoxShape& box) {
                                     lower_ = *box.lower;
                                     upper_ = *box.upper;
                                     return true;
                                   },
                                   [&](const SimplexShape& simplex) {
                                     lower_.setZero();
                                     total_ = simplex.total;
                                     return true;
                                   },
                                   [&](const L1BallShape& ball) {
                                     kinks_.push_back(ball.centre);
                                     return true;
                                   },
                                   [&](const NonnegativeBallShape&) {
                                     lower_.setZero();
                                     return true;
                                   },
                                   [](const BallShape&) { return true; },
                                   [](const WholeSpaceShape&) { return true; },
                                   [](const PolyhedronShape&) { return false; },  // rows tie coordinates together
                                   [](std::monostate) { return false; },
                               },
                               problem.domain().shape());
  const bool has_side = (lower_.array() > -kInfinity).any() || (upper_.array() < kInfinity).any();
  applies_ = fits && (has_side || !kinks_.empty());
}

std::int64_t SparseAnswer::cost() const {
  const PassCost f = problem_.upper().cost(), g = problem_.lower().cost();
  const auto trials = static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(problem_.dimension())));
  return (trials + 2) * (f.image + f.value + g.image + g.value) + Ledger::proof_cost(problem_);
}

// Every coordinate to the nearest of its values, the nearest coordinates first.
std::vector<SparseAnswer::Move> SparseAnswer::moves(const Vector& x) const {
  std::vector<Move> list;
  double largest = 0.0;
  for (Index j = 0; j < x.size(); ++j) {
    Move move{j, x[j], kInfinity};
    const auto consider = [&](double value) {
      if (!std::isfinite(value) || value < lower_[j] || value > upper_[j]) return;
      if (const double distance = std::abs(x[j] - value); distance < move.distance) move = {j, value, distance};
    };
    consider(lower_[j]);
    consider(upper_[j]);
    for (const Vector* kink : kinks_) consider((*kink)[j]);
    if (!(move.distance < kInfinity)) continue;
    largest = std::max(largest, move.distance);
    if (move.distance > 0.0) list.push_back(move);
  }
  std::erase_if(list, [&](const Move& move) { return move.distance > kMostZeroDistance * largest; });
  std::sort(list.begin(), list.end(), [](const Move& a, const Move& b) {
    return a.distance != b.distance ? a.distance < b.distance : a.coordinate < b.coordinate;
  });
  return list;
}

// On a simplex the others take what is missing from the sum.
Vector SparseAnswer::moved(const Vector& x, const std::vector<Move>& moves, std::size_t count) const {
  Vector out = x;
  for (std::size_t k = 0; k < count; ++k) out[moves[k].coordinate] = moves[k].value;
  if (total_ > 0.0 && out.sum() > 0.0) out *= total_ / out.sum();
  return out;
}

void SparseAnswer::sparsify(Oracle& oracle, const Ledger& ledger, const Accuracy& accuracy,
                            CertifiedAnswer& answer) const {
  const Result& now = answer.result();
  const Vector x = now.x;
  const std::vector<Move> list = moves(x);
  if (list.empty() || !oracle.monitor().may_spend(cost())) return;
  const double most_lower = ledger.lower_lower_bound() + kLowerUsable * accuracy.lower;
  const double most_upper = *now.certificate.upper_lower_bound + kZerosShare * accuracy.upper;
  const double least_upper =
      std::min(now.upper_value, *now.certificate.upper_lower_bound) - kMostFall * accuracy.upper;
  Point point(problem_);
  const auto is_good = [&](std::size_t count) {
    point.x = moved(x, list, count);
    if (problem_.domain().violation(point.x) > kZerosRounding * point.x.norm()) return false;
    for (Level level : kLevels) oracle.update_images(level, point);
    const double f = oracle.value(Level::upper, point), g = oracle.value(Level::lower, point);
    return f >= least_upper && f <= most_upper && g <= most_lower;
  };
  std::size_t good = 0, bad = list.size() + 1;
  for (std::size_t count = list.size(); good + 1 < bad; count = good + (bad - good) / 2) {
    if (oracle.monitor().stopped()) return;
    (is_good(count) ? good : bad) = count;
  }
  if (good > 0) answer.offer(moved(x, list, good));
}

}  // namespace fcbio
