// Two proofs that the least eigenvalue of a symmetric Q is at least -lambda.
//
// Gershgorin's circles: lambda = max over i of (sum over j != i of |q_ij|) - q_ii, or 0; for any size.
//
// Cholesky: if the factorisation of Q + sI, in arithmetic with unit u, runs to its end, then L L' = Q + sI + E
// with |E|_2 <= rho, rho = 2 (n+2) u (trace(Q) + n s), because |e_ij| <= (n+1)u/(1 - 2(n+1)u) sqrt(q_ii + s)
// sqrt(q_jj + s) (Higham, Accuracy and Stability, theorem 10.3) and forming the diagonal errs by u (q_ii + s); so
// lambda = s + rho. s = -2 rho is tried first (lambda = 0), then s = rho, 2 rho, 4 rho ...
#include "convexity.hpp"

#include <algorithm>

namespace fcbio::verify {
namespace {

constexpr std::size_t kExtended = 500;  // up to here in long double, beyond in double, which is fast enough

/// True: the factorisation of a (row by row, overwritten; only its upper triangle is read) runs to its end.
template <class Arithmetic>
bool factorise(std::vector<Arithmetic>& a, std::size_t n) {
  for (std::size_t k = 0; k < n; ++k) {
    Arithmetic* pivot_row = a.data() + k * n;
    const Arithmetic pivot = pivot_row[k];
    if (!(pivot > 0) || !std::isfinite(pivot)) return false;
    const Arithmetic root = std::sqrt(pivot);
    for (std::size_t j = k; j < n; ++j) pivot_row[j] /= root;
    for (std::size_t i = k + 1; i < n; ++i) {
      Arithmetic* row = a.data() + i * n;
      const Arithmetic factor = pivot_row[i];
      if (factor == 0) continue;
      for (std::size_t j = i; j < n; ++j) row[j] -= factor * pivot_row[j];
    }
  }
  return true;
}

/// The symmetric part of Q / scale, scale a power of 2.
template <class Arithmetic>
Real factorised_concavity(const TermView& quadratic, Real scale) {
  const std::size_t n = quadratic.dimension();
  std::vector<Arithmetic> q(n * n, 0);
  quadratic.each_entry([&](std::size_t i, std::size_t j, Real number) {
    const auto half = static_cast<Arithmetic>(number / (2 * scale));
    q[i * n + j] += half;
    q[j * n + i] += half;
  });
  const auto unit = static_cast<Real>(std::numeric_limits<Arithmetic>::epsilon()) / 2;
  const Real count = static_cast<Real>(n);
  Accumulator sum;
  for (std::size_t i = 0; i < n; ++i) sum.add(Real{q[i * n + i]});
  const Real trace = sum.value() * (1 + kRounding);
  const auto rho = [&](Real s) { return 2 * (count + 2) * unit * (trace + count * std::abs(s)); };
  const Real most = count * std::numeric_limits<double>::epsilon() * trace;  // beyond it is not rounding
  for (Real s = -2 * rho(0); s <= most; s = s < 0 ? rho(0) : 2 * s) {
    std::vector<Arithmetic> shifted = q;
    for (std::size_t i = 0; i < n; ++i) shifted[i * n + i] += static_cast<Arithmetic>(s);
    if (factorise(shifted, n)) return std::max<Real>(0, s + rho(s)) * scale;
  }
  return kRealInfinity;
}

/// A sum from above: exact where no addition rounds.
class UpperSum {
 public:
  void add(Real term) {
    const Real total = sum_ + term, shown = total - sum_;
    const Real error = (sum_ - (total - shown)) + (term - shown);  // exact (Knuth)
    sum_ = total;
    lost_ += error;
    if (error != 0) lost_ += kUnit * (std::abs(lost_) + std::abs(error));
  }
  Real value() const { return lost_ == 0 ? sum_ : sum_ + lost_ + kUnit * std::abs(sum_ + lost_); }

 private:
  static constexpr Real kUnit = std::numeric_limits<Real>::epsilon();
  Real sum_ = 0;
  Real lost_ = 0;
};

struct Look {
  Real largest_diagonal = 0;
  Real circles = 0;  ///< lambda of Gershgorin
  Real trace = 0;
  bool possible = true;  ///< no diagonal entry below 0
};

Look look_at(const TermView& quadratic) {
  Look look;
  const std::size_t n = quadratic.dimension();
  std::vector<UpperSum> rows(n);
  RealVector diagonal(n, 0);
  quadratic.each_entry([&](std::size_t i, std::size_t j, Real number) {
    if (i == j) {
      diagonal[i] += number;
      rows[i].add(-number);
    } else {  // half in each of two rows: |q_ij|/2 + |q_ji|/2 bounds the entry of the symmetric part
      rows[i].add(std::abs(number) / 2);
      rows[j].add(std::abs(number) / 2);
    }
  });
  for (std::size_t i = 0; i < n; ++i) {
    look.circles = std::max(look.circles, rows[i].value());
    look.largest_diagonal = std::max(look.largest_diagonal, diagonal[i]);
    look.trace += diagonal[i];
    if (diagonal[i] < 0) look.possible = false;
  }
  return look;
}

/// Whether q_ij and q_ji agree to 1e-10 of the largest entry, as the solver asks of them (more strictly).
bool is_symmetric(const TermView& quadratic) {
  struct Entry {
    std::size_t low, high;
    Real value;  ///< with a minus sign below the diagonal
  };
  std::vector<Entry> entries;
  Real largest = 0;
  quadratic.each_entry([&](std::size_t i, std::size_t j, Real number) {
    largest = std::max(largest, std::abs(number));
    if (i != j) entries.push_back({std::min(i, j), std::max(i, j), i < j ? number : -number});
  });
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.low != b.low ? a.low < b.low : a.high < b.high; });
  for (std::size_t k = 0; k < entries.size();) {
    const Entry& first = entries[k];
    Real difference = 0;
    for (; k < entries.size() && entries[k].low == first.low && entries[k].high == first.high; ++k)
      difference += entries[k].value;
    if (std::abs(difference) > 1e-10L * largest) return false;
  }
  return true;
}

}  // namespace

Real prove_concavity(const TermView& quadratic) {
  const Look look = look_at(quadratic);
  if (!is_symmetric(quadratic)) return kRealInfinity;
  if (look.circles == 0) return 0;
  if (!look.possible || !(look.largest_diagonal > 0)) return kRealInfinity;
  const std::size_t n = quadratic.dimension();
  const Real scale = std::ldexp(Real{1}, std::ilogb(look.largest_diagonal));
  const Real circles = look.circles <= static_cast<Real>(n) * std::numeric_limits<double>::epsilon() * look.trace
                           ? look.circles
                           : kRealInfinity;
  if (n > kLargestFactored) return circles;
  return std::min(circles, n <= kExtended ? factorised_concavity<long double>(quadratic, scale)
                                          : factorised_concavity<double>(quadratic, scale));
}

Real TermView::concavity() const {
  if (form_ != Form::quadratic) return 0;
  if (!concavity_) concavity_ = prove_concavity(*this);
  return *concavity_;
}

}  // namespace fcbio::verify
