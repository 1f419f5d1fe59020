#include "interior/polyhedron.hpp"

#include <algorithm>
#include <cmath>

#include "interior/interior_point.hpp"
#include "interior/tight.hpp"

namespace fcbio::interior {
namespace {

constexpr int kMostSteps = 150;
constexpr double kSolved = 1e-13;     // of the sizes involved: complementarity, residuals
constexpr double kGoodEnough = 1e-8;  // the same where no further step is possible
constexpr double kWide = 1e3, kFar = 1e6;
constexpr double kNearlyStationary = 1e-6;  // of the slope of length 1 with which room counts
constexpr double kFarkasShare = 1e-7;  // of the sizes involved, by which a proof of emptiness must be positive

Rows rows_of(const PolyhedronView& polyhedron, Index n) {
  if (polyhedron.dense != nullptr) return Rows::dense(*polyhedron.dense);
  if (polyhedron.sparse != nullptr) return Rows::sparse(*polyhedron.sparse);
  CsrMatrix none;
  none.cols = n;
  none.starts = {0};
  return Rows::sparse(std::move(none));
}

Program program_over(const PolyhedronView& polyhedron) {
  Program program;
  program.variables = polyhedron.lower->size();
  program.cost = Vector::Zero(program.variables);
  program.curvature = Vector::Zero(program.variables);
  program.lower = *polyhedron.lower;
  program.upper = *polyhedron.upper;
  Block block{.kind = BlockKind::limits, .rows = rows_of(polyhedron, program.variables)};
  if (block.rows.rows() > 0) {
    block.low = *polyhedron.row_lower;
    block.high = *polyhedron.row_upper;
    open_rows_of_zeros(block);
    program.blocks.push_back(std::move(block));
  }
  return program;
}

/// Sum of (y_i >= 0 ? low_i : high_i) y_i + min over the box of <-A'y, .>: positive only where there is no point.
/// `size` receives the sizes of all that was added.
double farkas(const Program& program, const Vector& y, double& size) {
  Vector rest = Vector::Zero(program.variables);
  program.blocks.front().rows.add_transpose(-y, rest);
  double sum = 0.0;
  size = 0.0;
  const auto add = [&](double weight, double low, double high) {
    if (weight == 0.0) return;
    const double product = weight * (weight >= 0.0 ? low : high);
    sum += product;
    size += std::abs(product);
  };
  const Block& block = program.blocks.front();
  for (Index i = 0; i < y.size(); ++i) add(y[i], block.low[i], block.high[i]);
  const double scale = y.size() > 0 ? y.cwiseAbs().maxCoeff() : 0.0;
  for (Index j = 0; j < rest.size(); ++j) {
    const bool open = !std::isfinite(rest[j] >= 0.0 ? program.lower[j] : program.upper[j]);
    if (open && std::abs(rest[j]) <= 1e-9 * scale) continue;  // rounding; whoever claims it looks again
    add(rest[j], program.lower[j], program.upper[j]);
  }
  return sum;
}

bool proves_empty(const Program& program, const Vector& y) {
  double size = 0.0;
  const double bound = farkas(program, y, size);
  return std::isfinite(bound) && std::isfinite(size) && bound > kFarkasShare * size && size > 0.0;
}

double largest(const Vector& v) { return v.size() > 0 ? v.cwiseAbs().maxCoeff() : 0.0; }

/// Halfway between two sides, `away` from a single one.
Vector middle(const Vector& lower, const Vector& upper, double away) {
  return lower.binaryExpr(upper, [away](double l, double h) {
    if (std::isfinite(l) && std::isfinite(h)) return 0.5 * l + 0.5 * h;
    if (std::isfinite(l)) return std::max(0.0, l + away);
    return std::isfinite(h) ? std::min(0.0, h - away) : 0.0;
  });
}

struct Solved {
  bool good = false;
  bool stopped = false;
};

/// Steps until the sizes of all residuals are at rounding level, or nothing moves.  `look` may end it: true.
template <class Look>
Solved run(InteriorPoint& method, const Program& program, Watch* watch, Look look) {
  double best = kInfinity;
  int idle = 0;
  for (int step = 0; step < kMostSteps; ++step) {
    const InteriorPoint::Step made = method.step(watch);
    if (made == InteriorPoint::Step::stopped) return {.good = false, .stopped = true};
    if (made == InteriorPoint::Step::stuck && method.change_form()) continue;
    const double x_size = 1.0 + largest(method.x()), s_size = 1.0 + largest(program.cost);
    const double left =
        std::max({method.complementarity() / (x_size * s_size * static_cast<double>(program.variables)),
                  method.infeasibility() / x_size, method.stationarity() / s_size});
    if (look()) return {.good = true};
    if (left <= kSolved) return {.good = true};
    idle = left < 0.9 * best ? 0 : idle + 1;
    best = std::min(best, left);
    if (made == InteriorPoint::Step::stuck || idle > 15) break;
  }
  return {.good = best <= kGoodEnough};
}

const Vector& duals(const Program& program, const InteriorPoint& method) {
  static const Vector none;
  return program.blocks.empty() ? none : method.dual(0);
}

Outcome solve(const Program& program, VectorOut x, VectorOut row_duals, Watch* watch) {
  InteriorPoint method(program);
  if (!method.fits()) return Outcome::failed;
  Vector start = middle(program.lower, program.upper, 1.0);
  for (Index j = 0; j < start.size(); ++j)  // a box that is wide in these units says little about where to begin
    if (std::abs(start[j]) > kWide) start[j] = std::clamp(0.0, program.lower[j] + 1.0, program.upper[j] - 1.0);
  method.start(start);
  bool empty = false;
  const Solved solved = run(method, program, watch, [&] {
    if (!program.blocks.empty() && proves_empty(program, -duals(program, method))) empty = true;
    return empty;
  });
  x = method.x();
  if (row_duals.size() > 0) row_duals = -duals(program, method);
  if (empty) return Outcome::infeasible;
  return solved.good ? Outcome::solved : Outcome::failed;
}

}  // namespace

namespace {

/// Largest excess of a side or of a row whose length is made 1; `image` <- A x.
double violation(const Program& program, VectorIn x, Vector& image) {
  double worst = std::max(0.0, (program.lower - x).cwiseMax(x - program.upper).maxCoeff());
  if (program.blocks.empty()) return worst;
  const Block& block = program.blocks.front();
  image.resize(block.rows.rows());
  block.rows.apply(x, image);
  for (Index i = 0; i < image.size(); ++i) {
    double square = 0.0;
    block.rows.visit_row(i, [&](Index, double value) { square += value * value; });
    const double off = std::max(block.low[i] - image[i], image[i] - block.high[i]);
    if (off > 0.0 && square > 0.0) worst = std::max(worst, off / std::sqrt(square));
  }
  return worst;
}

/// The program as it is seen from x, in units of `size`; what is further than kFar of them away is left open.
Program seen_from(Program program, VectorIn x, const Vector& image, double size) {
  const auto seen = [size](double side, double from) {
    const double distance = (side - from) / size;
    return std::abs(distance) > kFar ? std::copysign(kInfinity, side - from) : distance;
  };
  for (Index j = 0; j < x.size(); ++j) {
    const bool fixed = program.lower[j] == program.upper[j];
    program.lower[j] = seen(program.lower[j], x[j]);
    program.upper[j] = fixed ? program.lower[j] : seen(program.upper[j], x[j]);
  }
  for (Index i = 0; i < image.size(); ++i) {
    Block& block = program.blocks.front();
    const bool equation = block.low[i] == block.high[i];
    block.low[i] = seen(block.low[i], image[i]);
    block.high[i] = equation ? block.low[i] : seen(block.high[i], image[i]);
  }
  return program;
}

}  // namespace

// Next to the polyhedron the step is about as small as the violation, and the method's last digits are relative to what
// it computes with; so that is done in units of the violation.  Where sides that then seem far are met all the same, in
// units of x.
static Outcome nearest_where_there_is_room(const PolyhedronView& polyhedron, VectorOut x, VectorOut row_duals,
                                           Watch* watch) {
  Program program = program_over(polyhedron);
  program.curvature.setOnes();
  Vector image;
  const double size = violation(program, x, image);
  const double whole = 1.0 + largest(x);
  if (!(size > 0.0)) {
    row_duals.setZero();
    return Outcome::solved;
  }
  for (const double unit : {size, whole}) {
    if (!std::isfinite(unit)) continue;
    const Program seen = seen_from(program, x, image, unit);
    Vector step = Vector::Zero(x.size()), there;
    const Outcome outcome = solve(seen, step, row_duals, watch);
    if (outcome == Outcome::infeasible && proves_empty(program, row_duals)) return outcome;
    const Vector moved = x + unit * step;
    if (outcome == Outcome::solved && violation(program, moved, there) <= kGoodEnough * size + kSolved * whole) {
      x = moved;
      return outcome;
    }
    if (unit == whole && outcome != Outcome::infeasible) x = moved;
  }
  return Outcome::failed;
}

static Outcome minimum_where_there_is_room(const PolyhedronView& polyhedron, VectorIn direction, VectorOut x,
                                           VectorOut row_duals, Watch* watch) {
  Program program = program_over(polyhedron);
  program.cost = direction;
  return solve(program, x, row_duals, watch);
}

/// Where a method that needs room failed: what holds as an equation everywhere is made one.  `solve` does that for the
/// polyhedron that is left, `slope` of its solution says what the multipliers stand against.
template <class Solve, class Slope>
static Outcome where_there_is_none(const PolyhedronView& polyhedron, VectorOut x, VectorOut row_duals,
                                   Watch* watch, Solve solve, Slope slope) {
  const DeepestPoint deepest = deepest_point(polyhedron, 1.0, watch);
  if (deepest.outcome == Outcome::infeasible) {
    row_duals = deepest.row_duals;
    return Outcome::infeasible;
  }
  const std::optional<Tight> tight = find_tight(polyhedron, deepest, 1.0 + largest(deepest.x));
  if (!tight) return Outcome::failed;
  const TightPolyhedron smaller(polyhedron, *tight);
  Vector duals = Vector::Zero(smaller.matrix.rows);
  const Outcome outcome = solve(smaller.view(), x, duals, watch);
  if (row_duals.size() > 0) row_duals = -tight->all_multipliers(-duals, slope());
  return outcome == Outcome::infeasible ? Outcome::failed : outcome;
}

Outcome nearest_point(const PolyhedronView& polyhedron, VectorOut x, VectorOut row_duals, Watch* watch) {
  const Vector from = x;
  const Outcome outcome = nearest_where_there_is_room(polyhedron, x, row_duals, watch);
  if (outcome != Outcome::failed || polyhedron.row_lower == nullptr) return outcome;
  const Vector failed = x;
  x = from;
  const Outcome second = where_there_is_none(polyhedron, x, row_duals, watch, nearest_where_there_is_room,
                                             [&] { return Vector(x - from); });
  if (second == Outcome::failed) x = failed;
  return second;
}

Outcome minimize_linear(const PolyhedronView& polyhedron, VectorIn direction, VectorOut x, VectorOut row_duals,
                        Watch* watch) {
  const Outcome outcome = minimum_where_there_is_room(polyhedron, direction, x, row_duals, watch);
  if (outcome != Outcome::failed || polyhedron.row_lower == nullptr) return outcome;
  const auto solve = [&](const PolyhedronView& smaller, VectorOut point, VectorOut duals, Watch* watch_too) {
    return minimum_where_there_is_room(smaller, direction, point, duals, watch_too);
  };
  return where_there_is_none(polyhedron, x, row_duals, watch, solve, [&] { return Vector(direction); });
}

// Variables (x, r): maximise r <= enough such that every inequality holds with r times the length of its row to spare.
DeepestPoint deepest_point(const PolyhedronView& polyhedron, double enough, Watch* watch) {
  const Program plain = program_over(polyhedron);
  const Index n = plain.variables;
  const Rows rows = rows_of(polyhedron, n);
  Program program;
  program.variables = n + 1;
  program.cost = Vector::Unit(n + 1, n) * -1.0;
  program.curvature = Vector::Zero(n + 1);
  program.lower = Vector::Constant(n + 1, -kInfinity);
  program.upper = Vector::Constant(n + 1, kInfinity);
  program.upper[n] = enough;
  CsrMatrix matrix;
  matrix.cols = n + 1;
  matrix.starts = {0};
  std::vector<double> low, high;
  Vector lengths = Vector::Zero(rows.rows());
  struct Origin {
    Index row = -1, side = -1;
    bool upper = false;
  };
  std::vector<Origin> origins;
  const auto close_row = [&](double l, double h, Origin origin) {
    matrix.starts.push_back(static_cast<std::int64_t>(matrix.values.size()));
    ++matrix.rows;
    low.push_back(l);
    high.push_back(h);
    origins.push_back(origin);
  };
  const auto add_row = [&](Index i, double room, double l, double h, bool upper) {
    rows.visit_row(i, [&](Index j, double value) {
      matrix.columns.push_back(static_cast<std::int32_t>(j));
      matrix.values.push_back(value);
    });
    if (room != 0.0) {
      matrix.columns.push_back(static_cast<std::int32_t>(n));
      matrix.values.push_back(room);
    }
    close_row(l, h, {.row = i, .upper = upper});
  };
  for (Index i = 0; i < rows.rows(); ++i) {
    const double l = (*polyhedron.row_lower)[i], h = (*polyhedron.row_upper)[i];
    double square = 0.0;
    rows.visit_row(i, [&](Index, double value) { square += value * value; });
    const double length = lengths[i] = std::sqrt(square);
    if (length == 0.0) continue;
    if (l == h) {
      add_row(i, 0.0, l, h, false);
      continue;
    }
    if (std::isfinite(h)) add_row(i, length, -kInfinity, h, true);
    if (std::isfinite(l)) add_row(i, -length, l, kInfinity, false);
  }
  for (Index j = 0; j < n; ++j) {
    const double l = plain.lower[j], h = plain.upper[j];
    if (l == h) {
      program.lower[j] = program.upper[j] = l;
      continue;
    }
    for (const bool upper : {false, true}) {
      if (!std::isfinite(upper ? h : l)) continue;
      matrix.columns.insert(matrix.columns.end(), {static_cast<std::int32_t>(j), static_cast<std::int32_t>(n)});
      matrix.values.insert(matrix.values.end(), {1.0, upper ? 1.0 : -1.0});
      close_row(upper ? -kInfinity : l, upper ? h : kInfinity, {.side = j, .upper = upper});
    }
  }
  program.blocks.push_back({.kind = BlockKind::limits,
                            .rows = Rows::sparse(matrix),
                            .low = Eigen::Map<Vector>(low.data(), static_cast<Index>(low.size())),
                            .high = Eigen::Map<Vector>(high.data(), static_cast<Index>(high.size()))});

  DeepestPoint deepest;
  InteriorPoint method(program);
  if (!method.fits()) return deepest;
  Vector start = Vector::Zero(n + 1);
  start.head(n) = middle(plain.lower, plain.upper, enough);
  // The method begins inside where the middle has room.  From far below 0 it would come to a set without interior too
  // far from what is tight there to tell it.
  Vector images(program.blocks[0].rows.rows());
  program.blocks[0].rows.apply(start, images);
  double least = enough;
  for (std::size_t k = 0; k < origins.size(); ++k) {
    const double l = low[k], h = high[k], at = images[static_cast<Index>(k)];
    if (l == h) continue;
    const double length = origins[k].row >= 0 ? lengths[origins[k].row] : 1.0;
    least = std::min(least, std::min(at - l, h - at) / length);
  }
  if (least > 0.0) start[n] = 0.5 * least;
  method.start(start);
  const auto collect = [&] {
    deepest.row_duals = Vector::Zero(rows.rows());
    deepest.row_weights = Vector::Zero(rows.rows());
    deepest.lower_weights = deepest.upper_weights = Vector::Zero(n);
    const Vector& y = method.dual(0);
    double total = 0.0;
    for (std::size_t k = 0; k < origins.size(); ++k) {
      const double weight = y[static_cast<Index>(k)];
      const Origin& origin = origins[k];
      if (origin.row >= 0) {
        deepest.row_duals[origin.row] -= weight;
        if (program.blocks[0].low[static_cast<Index>(k)] != program.blocks[0].high[static_cast<Index>(k)])
          deepest.row_weights[origin.row] += std::abs(weight);
      } else {
        (origin.upper ? deepest.upper_weights : deepest.lower_weights)[origin.side] += std::abs(weight);
      }
      total += std::abs(weight);
    }
    if (total > 0.0)
      for (Vector* weights : {&deepest.row_weights, &deepest.lower_weights, &deepest.upper_weights})
        *weights /= total;
  };
  // Half of the room is as good as all of it, once it is there.
  const auto look = [&] {
    const double room = method.x()[n];
    if (room > 0.0 && method.infeasibility() <= 1e-3 * room &&
        (room >= 0.25 * enough ||
         (method.stationarity() <= kNearlyStationary && method.complementarity() <= 0.5 * room)))
      return true;
    if (room >= 0.0 || plain.blocks.empty()) return false;
    collect();
    return proves_empty(plain, deepest.row_duals);
  };
  const Solved solved = run(method, program, watch, look);
  collect();
  deepest.x = method.x().head(n);
  deepest.room = method.x()[n];
  if (!plain.blocks.empty() && proves_empty(plain, deepest.row_duals))
    deepest.outcome = Outcome::infeasible;
  else
    deepest.outcome = solved.good ? Outcome::solved : Outcome::failed;
  return deepest;
}

}  // namespace fcbio::interior
