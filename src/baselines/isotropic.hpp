// Functions of the form  m/2 |x - c|^2 + weight |x - d|_1 + constant,  m > 0: recognised in a sum of terms, for
// the methods that need more of f than gradients.
#pragma once

#include <optional>

#include "fcbio/problem.hpp"

namespace fcbio {

struct IsotropicFunction {
  double curvature = 0.0;  // m
  Vector centre;           // c
  double constant = 0.0;
  double l1_weight = 0.0;             ///< 0: no l1 norm
  const Vector* l1_centre = nullptr;  ///< lives as long as the function

  double value(VectorIn x) const;
};

/// Empty: the function is not of this form (or its l1 norms have different centres).
std::optional<IsotropicFunction> isotropic(const Function& function);
/// In words, the same for the upper function: empty where it has the form.
std::string upper_not_isotropic(const Problem& problem, bool l1_allowed);

}  // namespace fcbio
