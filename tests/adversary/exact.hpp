// Numbers that are exact for the purposes of this folder: 768 bits (MPFR), to which every double converts without
// error.  Data of a few dozen bits in a few dimensions have determinants that fit into them; what divisions, roots
// and logarithms lose is 200 digits further down than any claim reaches.
#pragma once

#include <mpfr.h>

#include <array>
#include <concepts>
#include <string>
#include <vector>

#include "fcbio/linear_map.hpp"

namespace fcbio::adversary {

class Exact {
 public:
  static constexpr mpfr_prec_t kBits = 768;

  Exact() : Exact(0.0) {}
  Exact(double number) {  // NOLINT: a double is an exact number
    prepare();
    mpfr_set_d(value_, number, MPFR_RNDN);
  }
  template <std::integral Integer>
  Exact(Integer number) {  // NOLINT: so is an integer
    prepare();
    mpfr_set_si(value_, static_cast<long>(number), MPFR_RNDN);
  }
  Exact(const Exact& other) {
    prepare();
    mpfr_set(value_, other.value_, MPFR_RNDN);
  }
  Exact& operator=(const Exact& other) {
    mpfr_set(value_, other.value_, MPFR_RNDN);
    return *this;
  }
  ~Exact() = default;

  Exact& operator+=(const Exact& other) { return apply(mpfr_add, other); }
  Exact& operator-=(const Exact& other) { return apply(mpfr_sub, other); }
  Exact& operator*=(const Exact& other) { return apply(mpfr_mul, other); }
  Exact& operator/=(const Exact& other) { return apply(mpfr_div, other); }
  friend Exact operator+(Exact a, const Exact& b) { return a += b; }
  friend Exact operator-(Exact a, const Exact& b) { return a -= b; }
  friend Exact operator*(Exact a, const Exact& b) { return a *= b; }
  friend Exact operator/(Exact a, const Exact& b) { return a /= b; }
  friend Exact operator-(Exact a) {
    mpfr_neg(a.value_, a.value_, MPFR_RNDN);
    return a;
  }
  friend bool operator==(const Exact& a, const Exact& b) { return mpfr_equal_p(a.value_, b.value_) != 0; }
  friend bool operator<(const Exact& a, const Exact& b) { return mpfr_less_p(a.value_, b.value_) != 0; }
  friend bool operator>(const Exact& a, const Exact& b) { return b < a; }
  friend bool operator<=(const Exact& a, const Exact& b) { return mpfr_lessequal_p(a.value_, b.value_) != 0; }
  friend bool operator>=(const Exact& a, const Exact& b) { return b <= a; }

  friend Exact abs(Exact a) {
    mpfr_abs(a.value_, a.value_, MPFR_RNDN);
    return a;
  }
  friend Exact ldexp(Exact a, long exponent) {
    mpfr_mul_2si(a.value_, a.value_, exponent, MPFR_RNDN);
    return a;
  }
  friend Exact root(Exact a);  ///< square root; 0 for a negative number
  friend Exact exp(Exact a);
  friend Exact log(Exact a);
  friend Exact log_one_plus(Exact a);

  bool is_zero() const { return mpfr_zero_p(value_) != 0; }
  double nearest_double() const { return mpfr_get_d(value_, MPFR_RNDN); }
  std::string text(int digits) const;

 private:
  using Operation = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);
  Exact& apply(Operation operation, const Exact& other) {
    operation(value_, value_, other.value_, MPFR_RNDN);
    return *this;
  }
  /// The digits live in the object: no allocation.
  void prepare() {
    mpfr_custom_init(limbs_.data(), kBits);
    mpfr_custom_init_set(value_, MPFR_ZERO_KIND, 0, kBits, limbs_.data());
  }

  std::array<mp_limb_t, kBits / 64> limbs_;
  mpfr_t value_;
};

using ExactVector = std::vector<Exact>;

/// Nothing beside `size`: what only the rounding of Exact can have made.
bool negligible(const Exact& number, const Exact& size);

ExactVector exact(VectorIn vector);
ExactVector exact_row(const RowMajorMatrix& matrix, Index row);
Exact dot(const ExactVector& a, const ExactVector& b);
Exact squared_norm(const ExactVector& a);
Exact norm(const ExactVector& a);
void add(ExactVector& sum, const Exact& factor, const ExactVector& vector);
ExactVector minus(const ExactVector& a, const ExactVector& b);

Exact log_one_plus_exp(const Exact& u);  ///< log(1 + exp(u))
Exact log_sum_exp(const ExactVector& u);

double nearest_double(const Exact& number);
double double_below(const Exact& number);  ///< the largest double <= number
double double_above(const Exact& number);  ///< the smallest double >= number
std::string text(const Exact& number);     ///< 30 digits

/// Thrown by to_double(): what was to be planted exactly needs more bits than a double has.
struct NotADouble {};
double to_double(const Exact& number);
Vector to_doubles(const ExactVector& numbers);

}  // namespace fcbio::adversary
