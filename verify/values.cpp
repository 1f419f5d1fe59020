// Values.  An error of relative size e in u_i = (Mx)_i - b_i, whose computation added up magnitudes m_i, changes a
// convex loss by at most e m_i times its steepness on [u_i - e m_i, u_i + e m_i]; that product is what the
// magnitude of a value records, with e = kDoubleDigits, the larger of the two units in use.
#include "values.hpp"

#include <algorithm>

namespace fcbio::verify {
namespace {

Number row_sum(const TermView& view, std::span<const Real> x) {
  const std::vector<Number> image = view.image(x);
  Accumulator sum;
  for (std::size_t i = 0; i < image.size(); ++i) {
    const Real u = image[i].value, b = view.target(i);
    const Real value = view.row_loss().value(u, b, view.parameter());
    // A difference of two numbers as they stand is exact but for one rounding; a sum of products is not.
    const Real size = view.is_identity() ? std::abs(u - b) : image[i].magnitude + std::abs(b);
    const Real steepness = view.row_loss().steepness(u, b, view.parameter(), kDoubleDigits * size);
    if (view.row_weight(i) > 0) sum.add(view.row_weight(i), Number{value, std::abs(value) + steepness * size});
  }
  return sum.number();
}

/// The numbers (Mx)_i + b_i.
std::vector<Number> shifted_image(const TermView& view, std::span<const Real> x) {
  std::vector<Number> image = view.image(x);
  for (std::size_t i = 0; i < image.size(); ++i) {
    const Real b = view.target(i);
    image[i] = {image[i].value + b, image[i].magnitude + std::abs(b)};
  }
  return image;
}

Real largest_of(const std::vector<Number>& numbers) {
  Real largest = -kRealInfinity;
  for (const Number& number : numbers) largest = std::max(largest, number.value);
  return largest;
}

Number largest_row(const TermView& view, std::span<const Real> x) {
  const std::vector<Number> rows = shifted_image(view, x);
  const Real largest = largest_of(rows);
  Real magnitude = std::abs(largest);
  for (const Number& row : rows) {  // only a row within rounding of the largest can change the maximum
    if (row.value + kDoubleDigits * row.magnitude >= largest) magnitude = std::max(magnitude, row.magnitude);
  }
  return {largest, magnitude};
}

Number log_sum(const TermView& view, std::span<const Real> x) {
  const std::vector<Number> rows = shifted_image(view, x);
  const Real largest = largest_of(rows);
  Accumulator total, weighted_magnitude;
  for (const Number& row : rows) {
    const Real share = std::exp(row.value - largest);
    total.add(share);
    weighted_magnitude.add(share * row.magnitude);
  }
  const Real logarithm = std::log(total.value());
  return {largest + logarithm, std::abs(largest) + logarithm + 1 + weighted_magnitude.value() / total.value()};
}

void add_linear(const TermView& view, std::span<const Real> x, Accumulator& sum) {
  for (std::size_t j = 0; j < x.size(); ++j) sum.add(view.coefficient(j) * x[j]);
}

Number term_value(const TermView& view, std::span<const Real> x) {
  switch (view.form()) {
    case Form::rows:
      return row_sum(view, x);
    case Form::largest:
      return largest_row(view, x);
    case Form::smoothed:
      return log_sum(view, x);
    case Form::linear:
    case Form::quadratic:
      break;
  }
  Accumulator sum;
  add_linear(view, x, sum);
  if (view.form() == Form::quadratic) {
    view.each_entry([&](std::size_t i, std::size_t j, Real q) { sum.add(x[i] * q * x[j] / 2); });
    sum.add(view.constant());
  }
  return sum.number();
}

Real term_change(const TermView& view, std::span<const Real> x, Real distance) {
  if (view.form() == Form::linear) {
    Real square = 0;
    for (std::size_t j = 0; j < x.size(); ++j) square += view.coefficient(j) * view.coefficient(j);
    return std::sqrt(square) * distance;
  }
  const RealVector row_norms = view.row_norms();
  if (view.form() == Form::quadratic) {
    // |Qx + c| d + |Q|_F d^2 / 2, with the symmetric part's norm at most Q's.
    std::vector<Number> gradient = view.image(x);
    Real gradient_square = 0, frobenius_square = 0;
    for (std::size_t j = 0; j < x.size(); ++j) {
      const Real slope = std::abs(gradient[j].value + view.coefficient(j));
      gradient_square += slope * slope;
      frobenius_square += row_norms[j] * row_norms[j];
    }
    return std::sqrt(gradient_square) * distance + std::sqrt(frobenius_square) * distance * distance / 2;
  }
  if (view.form() != Form::rows) return *std::max_element(row_norms.begin(), row_norms.end()) * distance;
  const std::vector<Number> image = view.image(x);
  Real change = 0, square = 0;
  for (std::size_t i = 0; i < image.size(); ++i) {
    const Real reach = row_norms[i] * distance;
    const Real steepness =
        view.row_weight(i) *
        view.row_loss().steepness(image[i].value, view.target(i), view.parameter(), reach + image[i].error());
    change += steepness * reach;
    square += steepness * steepness;
  }
  // Of the identity, all coordinates together move by no more than the distance.
  return (view.is_identity() ? std::sqrt(square) * distance : change) * (1 + 1e-9L);
}

}  // namespace

Number function_value(const std::vector<TermView>& terms, std::span<const Real> x) {
  Accumulator sum;
  for (const TermView& view : terms) sum.add(view.weight(), term_value(view, x));
  return sum.number();
}

Real largest_change(const std::vector<TermView>& terms, std::span<const Real> x, Real distance) {
  if (distance == 0) return 0;
  Real change = 0;
  for (const TermView& view : terms) change += view.weight() * term_change(view, x, distance);
  return change;
}

}  // namespace fcbio::verify
