#include "inner/finite_sum.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/dense_kernels.hpp"

namespace fcbio {
namespace {

// The largest eigenvalue of a part's Hessian decides only how long steps and batches may be, so a sample of the rows
// has to do: its power method visits at most a quarter of the numbers.  Where that leaves too few rows, the trace.
constexpr Index kMostSampled = 2048, kLeastSampled = 64;
constexpr int kPowerSteps = 10;
constexpr Index kShareVisited = 4;
constexpr double kSafety = 1.3;  // on the estimate

bool is_plain(const Term& term) { return term.dual_size() == 0; }

double product(const RowView& row, const double* x) {
  double sum = 0.0;
  if (row.columns == nullptr) {
    block_inner_products({row.values, row.count, 1, row.count}, 1.0, x, &sum);
  } else {
    for (Index k = 0; k < row.count; ++k) sum += row.values[k] * x[row.columns[k]];
  }
  return sum;
}

void add(double scale, const RowView& row, double* sum) {
  if (row.columns == nullptr) {
    const double one = 1.0;
    block_combination({row.values, row.count, 1, row.count}, scale, &one, sum);
  } else {
    for (Index k = 0; k < row.count; ++k) sum[row.columns[k]] += scale * row.values[k];
  }
}

double squared_norm(const RowView& row) {
  double sum = 0.0;
  for (Index k = 0; k < row.count; ++k) sum += row.values[k] * row.values[k];
  return sum;
}

void prefetch(const RowView& row) {
  constexpr Index kLine = 8, kLines = 32;  // numbers; the processor follows a longer row by itself
  for (Index k = 0; k < std::min(row.count, kLine * kLines); k += kLine) {
    __builtin_prefetch(row.values + k);
    if (row.columns != nullptr) __builtin_prefetch(row.columns + k);
  }
}

}  // namespace

std::string FiniteSum::misfit(const Problem& problem) {
  const auto lacks = [](const Term& term) -> std::string {
    if (is_plain(term)) return {};
    Vector nothing;
    if (term.map() == nullptr || term.loss() == nullptr || !term.loss()->derivatives_of({}, nothing, nothing))
      return "is not a sum over rows of data";
    if (!term.smooth()) return "is not smooth";
    if (term.map()->free() || !term.map()->copy_rows(nullptr)) return "has data whose rows are not at hand";
    return {};
  };
  bool rows_below = false;
  for (Level level : kLevels) {
    for (const Function::Part& part : problem.function(level).parts()) {
      if (part.weight == 0.0) continue;
      if (const std::string why = lacks(*part.term); !why.empty())
        return "this problem does not fit: the term '" + std::string(part.term->name()) + "' " + why;
      rows_below = rows_below || (level == Level::lower && !is_plain(*part.term));
    }
  }
  return rows_below ? "" : "this problem does not fit: the lower function has no rows of data";
}

std::int64_t FiniteSum::cost(const Problem& problem) {
  std::int64_t parts = 0;
  for (Level level : kLevels)
    for (const Function::Part& part : problem.function(level).parts()) parts += is_plain(*part.term) ? 0 : 1;
  return 2 * parts;
}

FiniteSum::FiniteSum(Oracle& oracle) : oracle_(oracle) {
  for (Level level : kLevels) {
    const std::vector<Function::Part>& parts = oracle.problem().function(level).parts();
    curvature_[level] = oracle.problem().function(level).exact_curvature();
    for (std::size_t place = 0; place < parts.size(); ++place) {
      const Term& term = *parts[place].term;
      if (is_plain(term) || parts[place].weight == 0.0) continue;
      const LinearMap& map = *term.map();
      Part part{level,
                place,
                parts[place].weight,
                term.loss(),
                map.read_rows(),
                {},
                Vector(map.rows()),
                0.0,
                1.0,
                std::max<Index>(map.numbers(), 1),
                0.0};
      for (Index i = 0; i < map.rows(); ++i) {
        const RowView row = part.rows.row(i);
        part.constants[i] = part.weight * *part.loss->smoothness() * squared_norm(row);
        part.drawn_numbers += part.constants[i] * static_cast<double>(row.count);
      }
      part.visited = part.numbers;
      part.total = part.constants.sum();
      if (part.total > 0.0) {
        part.drawn_numbers /= part.total;
        part.chances = AliasTable(part.constants);
      }
      parts_.push_back(std::move(part));
    }
  }
  for (Part& part : parts_) {
    if (part.total > 0.0) part.largest = sampled_share(part, oracle.problem().dimension());
    charge(part.level);
  }
}

// Rows drawn with chances in proportion to |a_i|^2 and scaled to norm 1 have the mean M'M / |M|_F^2 as their second
// moment, so its largest eigenvalue is about that of the sample's.
double FiniteSum::sampled_share(Part& part, Index cols) {
  const Index rows = std::min(kMostSampled, part.constants.size() / (2 * kPowerSteps * kShareVisited));
  if (rows < kLeastSampled) return 1.0;
  std::mt19937_64 random(1);  // the constants do not depend on the seed of a method
  std::vector<Index> sample(static_cast<std::size_t>(rows));
  for (Index& row : sample) row = part.chances.draw(random);
  Vector x = Vector::NullaryExpr(cols, [&random] { return uniform(random) - 0.5; }), next(cols);
  double share = 1.0;
  for (int step = 0; step < kPowerSteps; ++step) {
    const double norm = x.norm();
    if (!(norm > 0.0)) return 1.0;
    x /= norm;
    next.setZero();
    double square = 0.0;
    for (const Index i : sample) {
      const RowView row = part.rows.row(i);
      const double inner = product(row, x.data()), squared = squared_norm(row);
      square += inner * inner / squared;
      add(inner / squared, row, next.data());
      part.visited += 2 * row.count;
    }
    share = square / static_cast<double>(rows);
    std::swap(x, next);
  }
  return std::min(1.0, kSafety * share);
}

FiniteSum::Constants FiniteSum::constants(const Weights& weights) const {
  Constants constants;
  for (const Part& part : parts_) {
    if (!weights.uses(part.level)) continue;
    const double total = weights.of(part.level) * part.total;
    constants.total += total;
    constants.smoothness += total * part.largest;
    constants.components += static_cast<double>(part.constants.size());
    constants.numbers_per_draw += total * part.drawn_numbers;
    constants.passes_per_draw += total * 2.0 * part.drawn_numbers / static_cast<double>(part.numbers);
  }
  constants.numbers_per_draw /= constants.total;
  constants.passes_per_draw /= constants.total;
  for (Level level : kLevels)
    if (weights.uses(level)) constants.curvature += weights.of(level) * curvature_[level];
  return constants;
}

void FiniteSum::draw(const Weights& weights, std::mt19937_64& random, Batch& batch) {
  double total = 0.0;
  for (const Part& part : parts_)
    if (weights.uses(part.level)) total += weights.of(part.level) * part.total;
  batch.passes = 0.0;
  for (Batch::Draw& draw : batch.draws) {
    draw.part = 0;
    if (parts_.size() > 1) {
      double left = uniform(random) * total;
      for (std::size_t i = 0; i < parts_.size(); ++i) {
        if (!weights.uses(parts_[i].level) || parts_[i].total == 0.0) continue;
        draw.part = static_cast<std::int32_t>(i);
        left -= weights.of(parts_[i].level) * parts_[i].total;
        if (left < 0.0) break;
      }
    }
  }
  if (parts_.size() > 1)
    std::sort(batch.draws.begin(), batch.draws.end(),
              [](const auto& a, const auto& b) { return a.part < b.part; });
  for (Batch::Draw& draw : batch.draws) {
    const Part& part = parts_[static_cast<std::size_t>(draw.part)];
    draw.row = part.chances.draw(random);
    const RowView row = part.rows.row(draw.row);
    prefetch(row);
    batch.passes += 2.0 * static_cast<double>(row.count) / static_cast<double>(part.numbers);
  }
}

void FiniteSum::add_difference(const Weights& weights, const Batch& batch, VectorIn x, const Iterate& at,
                               double scale, VectorOut sum) {
  const auto size = static_cast<Index>(batch.draws.size());
  if (products_.size() < size) {
    products_.resize(size);
    slopes_.resize(size);
    entries_.resize(static_cast<std::size_t>(size));
  }
  double total = 0.0;
  for (const Part& part : parts_)
    if (weights.uses(part.level)) total += weights.of(part.level) * part.total;
  for (std::size_t first = 0; first < batch.draws.size();) {
    Part& part = parts_[static_cast<std::size_t>(batch.draws[first].part)];
    const Vector& duals = at.at[part.level].duals[part.place];
    std::size_t end = first;
    for (; end < batch.draws.size() && batch.draws[end].part == batch.draws[first].part; ++end) {
      const Index row = batch.draws[end].row;
      __builtin_prefetch(&duals[row]);
      __builtin_prefetch(&part.constants[row]);
      entries_[end - first] = row;
      products_[static_cast<Index>(end - first)] = product(part.rows.row(row), x.data());
    }
    const auto count = static_cast<Index>(end - first);
    part.loss->derivatives_of(std::span(entries_.data(), end - first), products_.head(count), slopes_.head(count));
    for (Index k = 0; k < count; ++k) {
      const Index i = entries_[static_cast<std::size_t>(k)];
      const RowView row = part.rows.row(i);
      // chance_i = (level's weight) L_i / S, and h_i carries the level's weight too
      const double inverse_chance = total / part.constants[i];
      add(scale * part.weight * inverse_chance * (slopes_[k] - duals[i]) / static_cast<double>(size), row,
          sum.data());
      part.visited += 2 * row.count;
    }
    charge(part.level);
    first = end;
  }
}

// The passes of a level so far, rounded up, are what it has been charged.
void FiniteSum::charge(Level level) {
  double passes = 0.0;
  for (const Part& part : parts_)
    if (part.level == level) passes += static_cast<double>(part.visited) / static_cast<double>(part.numbers);
  const auto whole = static_cast<std::int64_t>(std::ceil(passes));
  oracle_.charge(level, whole - charged_[level]);
  charged_[level] = whole;
}

}  // namespace fcbio
