#include "data/problem.hpp"

namespace fcbio::data {

Vector in_original_units(const Standardization& how, const Vector& x) {
  const Index columns = how.scales.size();
  Vector original = x;
  original.head(columns).array() /= how.scales.array();
  if (x.size() > columns) original[columns] -= original.head(columns).dot(how.means);
  return original;
}

}  // namespace fcbio::data
