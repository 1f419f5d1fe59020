#include "fcbio/weighted.hpp"

#include <utility>

#include "functions/check.hpp"
#include "functions/rounded_loss.hpp"

namespace fcbio {
namespace {

LossPtr weighted_as(const LossPtr& loss, Vector weights, const std::string& name) {
  const auto* known = dynamic_cast<const functions::RoundedLoss*>(loss.get());
  functions::require_weights(name, weights, loss->size());
  LossPtr made = known != nullptr ? known->weighted(std::move(weights), name) : nullptr;
  if (made == nullptr)
    refuse(std::string(loss->name()), "a loss that is a sum over rows, which weights can multiply", "another",
           "leave the weights out");
  return made;
}

/// A loss of the coordinates themselves.
Function norm_of(const LossPtr& loss, Vector weights, const std::string& name) {
  return Function(loss_term(identity_map(loss->size()), weighted_as(loss, std::move(weights), name)));
}

}  // namespace

LossPtr weighted_loss(const LossPtr& loss, Vector weights) {
  if (!loss) refuse("weighted loss", "a loss", "a null pointer", "pass one");
  return weighted_as(loss, std::move(weights), "weighted-" + std::string(loss->name()));
}

Function weighted_squared_norm(Vector centre, Vector weights) {
  return norm_of(least_squares_loss(std::move(centre)), std::move(weights), "weighted-squared-norm");
}

Function weighted_l1_norm(Vector centre, Vector weights) {
  return norm_of(absolute_loss(std::move(centre)), std::move(weights), "weighted-l1-norm");
}

}  // namespace fcbio
