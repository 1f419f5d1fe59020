// A term of any function with a chosen subgradient at a given point, exact in small numbers.
#pragma once

#include "data/problem.hpp"
#include "dice.hpp"
#include "exact.hpp"

namespace fcbio::adversary {

struct PlantedTerm {
  data::Term term;
  ExactVector subgradient;  ///< at the point, weight included
  /// Directions along which the term is strictly convex at the point: two minimisers of a sum with this term agree
  /// in <direction, x>.
  std::vector<ExactVector> curved;
};

struct TermStyle {
  double data_unit = 1.0;   ///< data are multiples of this
  double point_unit = 1.0;  ///< the point is a multiple of this
  bool odd_rows = false;    ///< also rows of zeros, and rows twice
};

/// A function of this kind.  Throws NotADouble where the numbers do not fit.
PlantedTerm plant_term(Dice& dice, data::FunctionKind kind, const ExactVector& x, const TermStyle& style);
/// A linear term, or a squared norm, with this gradient at the point.
data::Term term_with_gradient(Dice& dice, const ExactVector& gradient, const ExactVector& x);

}  // namespace fcbio::adversary
