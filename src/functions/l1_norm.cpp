// |x - c|_1 = sum |x_j - c_j|: the absolute loss of the identity map.  Dual d in [-1, 1]^n, slope d, constant
// -<d, c>; no pass.
#include "functions/check.hpp"
#include "functions/loss_term.hpp"

namespace fcbio {

TermPtr l1_norm_term(Vector centre) {
  functions::require_numbers("l1-norm", "center", centre);
  const Index n = centre.size();
  return functions::named_loss_term(identity_map(n), absolute_loss(std::move(centre)), "l1-norm");
}

}  // namespace fcbio
