// The functions of the problem file by their names: each a Function of one term with weight 1.
#include <utility>

#include "fcbio/function.hpp"

namespace fcbio {

Function least_squares(LinearMapPtr map, Vector b) {
  return Function(loss_term(std::move(map), least_squares_loss(std::move(b))));
}
Function logistic(LinearMapPtr map, Vector labels) {
  return Function(loss_term(std::move(map), logistic_loss(std::move(labels))));
}
Function huber(LinearMapPtr map, Vector b, double delta) {
  return Function(loss_term(std::move(map), huber_loss(std::move(b), delta)));
}
Function squared_hinge(LinearMapPtr map, Vector labels) {
  return Function(loss_term(std::move(map), squared_hinge_loss(std::move(labels))));
}
Function hinge(LinearMapPtr map, Vector labels) {
  return Function(loss_term(std::move(map), hinge_loss(std::move(labels))));
}
Function absolute_deviation(LinearMapPtr map, Vector b) {
  return Function(loss_term(std::move(map), absolute_loss(std::move(b))));
}
Function quantile(LinearMapPtr map, Vector b, double tau) {
  return Function(loss_term(std::move(map), quantile_loss(std::move(b), tau)));
}
Function max_affine(LinearMapPtr map, Vector b) {
  return Function(loss_term(std::move(map), max_affine_loss(std::move(b))));
}
Function log_sum_exp(LinearMapPtr map, Vector b) {
  return Function(loss_term(std::move(map), log_sum_exp_loss(std::move(b))));
}
Function squared_norm(Vector centre) { return Function(squared_norm_term(std::move(centre))); }
Function l1_norm(Vector centre) { return Function(l1_norm_term(std::move(centre))); }
Function linear(Vector coefficients) { return Function(linear_term(std::move(coefficients))); }
Function quadratic(RowMajorMatrix q, Vector c, double constant) {
  return Function(quadratic_term(std::move(q), std::move(c), constant));
}
Function quadratic(CsrMatrix q, Vector c, double constant) {
  return Function(quadratic_term(std::move(q), std::move(c), constant));
}
Function user_function(UserFunction function) { return Function(user_term(std::move(function))); }

}  // namespace fcbio
