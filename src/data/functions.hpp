// The kinds of functions a term can be.  M x stands for the product of the data with x, t for the target.  Sums
// over rows are of summands that are multiplied with their sample weights, sums over coordinates with their
// weights, where there are some: an empty vector of weights stands for ones.
#pragma once

#include <cstdint>

#include "data/fields.hpp"
#include "data/matrix.hpp"

namespace fcbio::data {

/// 1/2 |M x - t|^2
struct LeastSquares {
  Matrix data;
  Vector target;
  bool average = false;
  Vector sample_weights = {};
};

/// sum_i log(1 + exp(-t_i (M x)_i)), t = -1 / +1
struct Logistic {
  Matrix data;
  Vector target;
  bool average = false;
  Vector sample_weights = {};
};

/// sum_i of r^2/2 up to |r| = delta, then delta |r| - delta^2/2, r = M x - t
struct Huber {
  Matrix data;
  Vector target;
  bool average = false;
  double delta = 1.0;
  Vector sample_weights = {};
};

/// |M x - t|_1
struct Absolute {
  Matrix data;
  Vector target;
  bool average = false;
  Vector sample_weights = {};
};

/// sum_i max(tau r, (tau - 1) r), r = t - M x
struct Quantile {
  Matrix data;
  Vector target;
  bool average = false;
  double tau = 0.5;
  Vector sample_weights = {};
};

/// sum_i max(0, 1 - t_i (M x)_i), t = -1 / +1
struct Hinge {
  Matrix data;
  Vector target;
  bool average = false;
  Vector sample_weights = {};
};

/// sum_i 1/2 max(0, 1 - t_i (M x)_i)^2, t = -1 / +1
struct SquaredHinge {
  Matrix data;
  Vector target;
  bool average = false;
  Vector sample_weights = {};
};

/// 1/2 sum_j weights_j (x_j - center_j)^2
struct SquaredNorm {
  Vector center;
  Vector weights = {};
};

/// sum_j weights_j |x_j - center_j|
struct L1Norm {
  Vector center;
  Vector weights = {};
};

/// c'x
struct Linear {
  Vector coefficients;
};

/// 1/2 x'Qx + c'x + constant
struct Quadratic {
  Matrix matrix;
  Vector coefficients;
  double constant = 0.0;
};

/// max_i (M x)_i + t_i
struct MaxAffine {
  Matrix data;
  Vector target;
};

/// log sum_i exp((M x)_i + t_i)
struct LogSumExp {
  Matrix data;
  Vector target;
};

using FunctionKind = std::variant<LeastSquares, Logistic, Huber, Absolute, Quantile, Hinge, SquaredHinge,
                                  SquaredNorm, L1Norm, Linear, Quadratic, MaxAffine, LogSumExp>;

/// One of the terms whose sum a level is.
struct Term {
  FunctionKind kind = SquaredNorm{};
  double weight = 1.0;  ///< >= 0, as given: `average` is not folded in
  /// Told by the user: of this term without its weight, but of the mean when `average` is set.
  std::optional<double> lower_bound = {};
  std::int64_t line = 0;  ///< of its table in the problem file; 0: made in memory
};

/// The rows of data a term is made of, where it has some; Q of a quadratic is not that.
const Matrix* rows_of(const Term& term);
/// Whether the term is divided by the number of its rows.
bool is_average(const Term& term);
inline std::string_view name_of(const Term& term) { return name_of(term.kind); }

namespace detail {

/// Sums over rows of data.
template <bool classes>
struct RowSumDescriptor {
  static constexpr std::tuple fields{DataField{}, TargetField{.classes = classes}, AverageField{},
                                     SampleWeightsField{}};
  template <class K>
  static auto members(K& kind) {
    auto& [data, target, average, sample_weights] = kind;
    return std::tie(data, target, average, sample_weights);
  }
};

struct OffsetRowsDescriptor {
  static constexpr std::tuple fields{DataField{}, TargetField{.zero_if_absent = true}};
  template <class K>
  static auto members(K& kind) {
    auto& [data, target] = kind;
    return std::tie(data, target);
  }
};

struct CentredDescriptor {
  static constexpr std::tuple fields{
      VectorField{.key = "center", .words = "centre"},
      VectorField{.key = "weights", .words = "weights", .absent = 1.0, .rule = NumberRule::not_negative}};
  template <class K>
  static auto members(K& kind) {
    auto& [center, weights] = kind;
    return std::tie(center, weights);
  }
};

}  // namespace detail

template <>
struct Descriptor<LeastSquares> : detail::RowSumDescriptor<false> {
  static constexpr std::string_view name = "least-squares";
};

template <>
struct Descriptor<Logistic> : detail::RowSumDescriptor<true> {
  static constexpr std::string_view name = "logistic";
};

template <>
struct Descriptor<Huber> {
  static constexpr std::string_view name = "huber";
  static constexpr std::tuple fields{
      DataField{}, TargetField{}, AverageField{},
      NumberField{.key = "delta", .rule = NumberRule::positive, .fallback = 1.0, .words = "delta "},
      SampleWeightsField{}};
  template <class K>
  static auto members(K& kind) {
    auto& [data, target, average, delta, sample_weights] = kind;
    return std::tie(data, target, average, delta, sample_weights);
  }
};

template <>
struct Descriptor<Absolute> : detail::RowSumDescriptor<false> {
  static constexpr std::string_view name = "absolute";
};

template <>
struct Descriptor<Quantile> {
  static constexpr std::string_view name = "quantile";
  static constexpr std::tuple fields{
      DataField{}, TargetField{}, AverageField{},
      NumberField{.key = "tau", .rule = NumberRule::open_unit_interval, .fallback = 0.5, .words = "tau "},
      SampleWeightsField{}};
  template <class K>
  static auto members(K& kind) {
    auto& [data, target, average, tau, sample_weights] = kind;
    return std::tie(data, target, average, tau, sample_weights);
  }
};

template <>
struct Descriptor<Hinge> : detail::RowSumDescriptor<true> {
  static constexpr std::string_view name = "hinge";
};

template <>
struct Descriptor<SquaredHinge> : detail::RowSumDescriptor<true> {
  static constexpr std::string_view name = "squared-hinge";
};

template <>
struct Descriptor<SquaredNorm> : detail::CentredDescriptor {
  static constexpr std::string_view name = "squared-norm";
};

template <>
struct Descriptor<L1Norm> : detail::CentredDescriptor {
  static constexpr std::string_view name = "l1-norm";
};

template <>
struct Descriptor<Linear> {
  static constexpr std::string_view name = "linear";
  static constexpr std::tuple fields{
      VectorField{.key = "coefficients", .required = true, .words = "coefficients"}};
  template <class K>
  static auto members(K& kind) {
    auto& [coefficients] = kind;
    return std::tie(coefficients);
  }
};

template <>
struct Descriptor<Quadratic> {
  static constexpr std::string_view name = "quadratic";
  static constexpr std::tuple fields{SquareMatrixField{},
                                     VectorField{.key = "coefficients", .words = "coefficients"},
                                     NumberField{.key = "constant", .fallback = 0.0}};
  template <class K>
  static auto members(K& kind) {
    auto& [matrix, coefficients, constant] = kind;
    return std::tie(matrix, coefficients, constant);
  }
};

template <>
struct Descriptor<MaxAffine> : detail::OffsetRowsDescriptor {
  static constexpr std::string_view name = "max-affine";
};

template <>
struct Descriptor<LogSumExp> : detail::OffsetRowsDescriptor {
  static constexpr std::string_view name = "log-sum-exp";
};

}  // namespace fcbio::data
