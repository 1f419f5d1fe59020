// A norm over the minimisers of a mean logistic loss on categorical data.
//
// logistic-repeated:  every example a_i is seen k_i > 0 times with label +1 and l_i > 0 times with -1, and the
// distinct
//   examples are linearly independent.  The loss of example i alone is least at the margin a_i'x = log(k_i/l_i),
//   and all of these can be had at once, so the minimisers are the solutions of Ax = log(k/l) (A the distinct
//   rows):
//       g* = 1/rows sum_i k_i log(1 + l_i/k_i) + l_i log(1 + k_i/l_i),     shortest minimiser  A+ log(k/l).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "catalogue/builders.hpp"
#include "catalogue/categories.hpp"
#include "catalogue/portable.hpp"
#include "fcbio/error.hpp"

namespace fcbio::catalogue {
namespace {

constexpr Index kGroups = 14;  // as in the census data
constexpr std::uint32_t kPublishedStart = 123456;

Vector nearest_on_l1_ball(const Vector& point, double radius) {
  double norm = 0.0;
  for (double entry : point) norm += std::abs(entry);
  if (norm <= radius) return point;
  Vector nearest = nearest_on_simplex(point.cwiseAbs(), radius);
  for (Index j = 0; j < point.size(); ++j) nearest[j] = std::copysign(nearest[j], point[j]);
  return nearest;
}

Instance logistic_min_norm(const Parameters& options, Random& random) {
  CsrMatrix rows =
      categorical_rows(options.rows, options.columns, std::min<Index>(kGroups, options.columns), random);
  Vector labels = noisy_labels(rows, 0.25, 4.0, random);
  const Index n = rows.cols;
  Instance instance;
  instance.data =
      assemble(l1_ball_set(n, options.radius), squared_norm_term_data(Vector::Zero(n)),
               data_term("logistic", {std::move(rows)}, std::move(labels), true), Accuracy{1e-5, 1e-6});
  instance.data.start = nearest_on_l1_ball(numpy_uniform(kPublishedStart, n), options.radius);
  return instance;
}

/// Rows so far, orthonormalised, to tell whether a new one is independent of them.
class Independence {
 public:
  bool accept(Vector row) {
    const double before = std::sqrt(dot(row, row));
    for (int pass = 0; pass < 2; ++pass)
      for (const Vector& direction : directions_) row -= dot(direction, row) * direction;
    const double rest = std::sqrt(dot(row, row));
    if (rest < 0.1 * before) return false;
    directions_.push_back(row / rest);
    return true;
  }

 private:
  std::vector<Vector> directions_;
};

RowMajorMatrix distinct_rows(Index count, Index columns, Random& random) {
  constexpr int kTries = 1000;
  RowMajorMatrix distinct(count, columns + 1);
  Independence independence;
  for (Index i = 0; i < count; ++i) {
    Vector row = Vector::Zero(columns + 1);
    for (int attempt = 0;; ++attempt) {
      if (attempt == kTries)
        throw InvalidArgument(
            fmt::format("option 'rows': found no more than {} independent examples with {} "
                        "columns; lower rows or raise columns",
                        i, columns));
      const CsrMatrix drawn = categorical_rows(1, columns, std::min<Index>(kGroups, columns), random);
      row.setZero();
      for (const std::int32_t j : drawn.columns) row[j] = 1.0;
      if (independence.accept(row)) break;
    }
    distinct.row(i) = row.transpose();
  }
  return distinct;
}

Instance logistic_repeated(const Parameters& options, Random& random) {
  const RowMajorMatrix distinct = distinct_rows(options.rows, options.columns, random);
  const Index n = distinct.cols();
  const auto seen = static_cast<std::uint64_t>(options.repeats);
  CsrMatrix rows;
  rows.cols = n;
  rows.starts.push_back(0);
  std::vector<double> labels;
  Vector margins(options.rows);
  double loss = 0.0;
  for (Index i = 0; i < options.rows; ++i) {
    const auto positive = static_cast<double>(1 + random.below(seen - 1));
    const double negative = static_cast<double>(seen) - positive;
    margins[i] = std::log(positive / negative);
    loss += positive * std::log1p(negative / positive) + negative * std::log1p(positive / negative);
    for (double k = 0.0; k < positive + negative; k += 1.0) {
      for (Index j = 0; j < n; ++j) {
        if (distinct(i, j) == 0.0) continue;
        rows.columns.push_back(static_cast<std::int32_t>(j));
        rows.values.push_back(1.0);
      }
      rows.starts.push_back(static_cast<std::int64_t>(rows.values.size()));
      labels.push_back(k < positive ? 1.0 : -1.0);
    }
  }
  rows.rows = static_cast<Index>(labels.size());

  Vector shortest = smallest_solution(distinct, margins);
  const double length = std::sqrt(dot(shortest, shortest));
  double sum = 0.0;
  for (double entry : shortest) sum += std::abs(entry);
  // f = |x|_1: |x*| <= |x*|_1 <= |A+ log(k/l)|_1.
  const bool sparse = options.norm == "l1";
  const double least = sparse ? (1.0 + 1e-9) * sum : length;
  const double radius = options.radius == 0.0 ? (sparse ? least : 2.0 * length) : options.radius;
  if (radius < least)
    throw InvalidArgument(
        fmt::format("option 'radius': solutions are known to lie within {:.6g}, found {}; raise "
                    "radius, or set it to 0 for the default",
                    least, options.radius));

  Instance instance;
  const double count = static_cast<double>(rows.rows);
  instance.data =
      assemble(options.set == "ball" ? ball_set(n, radius) : whole_space_set(n, radius),
               sparse ? l1_norm_term_data(Vector::Zero(n)) : squared_norm_term_data(Vector::Zero(n)),
               data_term("logistic", {std::move(rows)},
                         Eigen::Map<const Vector>(labels.data(), static_cast<Index>(labels.size())), true),
               sparse ? Accuracy{1e-3, 1e-5} : Accuracy{1e-5, 1e-6});
  if (sparse) return instance;
  instance.upper_optimum = 0.5 * length * length;
  instance.lower_optimum = loss / count;
  instance.solution = std::move(shortest);
  return instance;
}

}  // namespace

std::vector<Entry> logistic_norm_entries() {
  return {
      seeded_entry({"logistic-min-norm",
                    "squared norm over the minimisers of the mean logistic loss in an l1 ball; 0/1 features",
                    "no closed form: the certificate is the answer", "P4", "1000 x 124"},
                   Parameters{.rows = 1000, .columns = 123, .radius = 10.0},
                   ParameterTable({
                       {"rows", &Parameters::rows, {1, 1e6}, {}, "examples"},
                       {"columns", &Parameters::columns, {1, 1e6}, {}, "0/1 features in 14 groups; n is one more"},
                       {"radius", &Parameters::radius, {0, kInfinity, true}, {}, "radius of the l1 ball Z"},
                   }),
                   logistic_min_norm),
      seeded_entry(
          {"logistic-repeated",
           "a norm over the minimisers of the mean logistic loss of examples seen with both labels; whole space "
           "or ball",
           "norm = l2: x* = A+ log(k/l) for examples A seen k times with +1 and l times with -1, f* = |x*|^2/2, "
           "g* in closed form; norm = l1: f* is not known",
           "P11", "360 x 124"},
          Parameters{.rows = 60, .columns = 123, .repeats = 6, .radius = 0.0, .set = "whole-space", .norm = "l2"},
          ParameterTable({
              {"rows", &Parameters::rows, {1, 1e4}, {}, "distinct examples, linearly independent"},
              {"columns", &Parameters::columns, {1, 1e6}, {}, "0/1 features in 14 groups; n is one more"},
              {"repeats",
               &Parameters::repeats,
               {2, 1e3},
               {},
               "times each example is seen, at least once with each label"},
              {"norm", &Parameters::norm, {}, {"l2", "l1"}, "f = 1/2 |x|^2 or |x|_1"},
              {"set", &Parameters::set, {}, {"whole-space", "ball"}, "the domain Z"},
              {"radius",
               &Parameters::radius,
               {0, kInfinity},
               {},
               "radius of Z, about the start 0; 0: a proved bound of |x*| (l1) or twice |x*| (l2)"},
          }),
          logistic_repeated),
  };
}

}  // namespace fcbio::catalogue
