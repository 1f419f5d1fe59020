// Linear programs in exact arithmetic: the simplex method with Bland's rule on numbers of 768 bits.
#pragma once

#include "exact.hpp"

namespace fcbio::adversary {

/// min <first cost, y>, and among the minimisers min <second cost, y>.
class LinearProgram {
 public:
  /// Free unless `nonnegative`.  Returns its number.
  std::size_t add_variable(bool nonnegative);
  /// sum of coefficients (variable, number) <= or = value.
  using Row = std::vector<std::pair<std::size_t, Exact>>;
  void add_row(Row row, Exact value, bool equality);
  std::size_t variables() const { return nonnegative_.size(); }

  struct Solution {
    Exact first, second;
    bool first_is_unique = false;  ///< one minimiser of the first cost alone
    ExactVector point;
  };
  /// Empty: no feasible point, no minimum, or too many steps.
  std::optional<Solution> minimize(const Row& first, const Row& second) const;

 private:
  std::vector<bool> nonnegative_;
  std::vector<Row> rows_;
  ExactVector values_;
  std::vector<bool> equality_;
};

}  // namespace fcbio::adversary
