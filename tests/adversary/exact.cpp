#include "exact.hpp"

#include <algorithm>
#include <cmath>

namespace fcbio::adversary {

Exact root(Exact a) {
  if (a < 0) return 0;
  mpfr_sqrt(a.value_, a.value_, MPFR_RNDN);
  return a;
}

Exact exp(Exact a) {
  mpfr_exp(a.value_, a.value_, MPFR_RNDN);
  return a;
}

Exact log(Exact a) {
  mpfr_log(a.value_, a.value_, MPFR_RNDN);
  return a;
}

Exact log_one_plus(Exact a) {
  mpfr_log1p(a.value_, a.value_, MPFR_RNDN);
  return a;
}

std::string Exact::text(int digits) const {
  std::string buffer(static_cast<std::size_t>(digits) + 40, '\0');
  const int length = mpfr_snprintf(buffer.data(), buffer.size(), "%.*Rg", digits, value_);
  buffer.resize(static_cast<std::size_t>(std::max(length, 0)));
  return buffer;
}

bool negligible(const Exact& number, const Exact& size) { return abs(number) <= ldexp(abs(size), -500); }

ExactVector exact(VectorIn vector) { return {vector.begin(), vector.end()}; }

ExactVector exact_row(const RowMajorMatrix& matrix, Index row) { return exact(matrix.row(row).transpose()); }

Exact dot(const ExactVector& a, const ExactVector& b) {
  Exact sum;
  for (std::size_t j = 0; j < a.size(); ++j) sum += a[j] * b[j];
  return sum;
}

Exact squared_norm(const ExactVector& a) { return dot(a, a); }
Exact norm(const ExactVector& a) { return root(squared_norm(a)); }

void add(ExactVector& sum, const Exact& factor, const ExactVector& vector) {
  for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += factor * vector[j];
}

ExactVector minus(const ExactVector& a, const ExactVector& b) {
  ExactVector difference = a;
  for (std::size_t j = 0; j < difference.size(); ++j) difference[j] -= b[j];
  return difference;
}

Exact log_one_plus_exp(const Exact& u) { return u > 0 ? u + log_one_plus(exp(-u)) : log_one_plus(exp(u)); }

Exact log_sum_exp(const ExactVector& u) {
  const Exact largest = *std::max_element(u.begin(), u.end());
  Exact sum;
  for (const Exact& entry : u) sum += exp(entry - largest);
  return largest + log(sum);
}

double nearest_double(const Exact& number) { return number.nearest_double(); }

double double_below(const Exact& number) {
  const double nearest = nearest_double(number);
  return Exact(nearest) <= number ? nearest : std::nextafter(nearest, -kInfinity);
}

double double_above(const Exact& number) {
  const double nearest = nearest_double(number);
  return Exact(nearest) >= number ? nearest : std::nextafter(nearest, kInfinity);
}

std::string text(const Exact& number) { return number.text(30); }

double to_double(const Exact& number) {
  const double nearest = nearest_double(number);
  if (!std::isfinite(nearest) || Exact(nearest) != number) throw NotADouble{};
  return nearest;
}

Vector to_doubles(const ExactVector& numbers) {
  Vector vector(static_cast<Index>(numbers.size()));
  for (std::size_t j = 0; j < numbers.size(); ++j) vector[static_cast<Index>(j)] = to_double(numbers[j]);
  return vector;
}

}  // namespace fcbio::adversary
