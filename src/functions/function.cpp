// Function: a weighted sum of terms.  Every sum runs over the parts in the order they were added.
#include "fcbio/function.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "functions/check.hpp"
#include "functions/rounding.hpp"

namespace fcbio {
namespace {

void require_weight(double weight) {
  if (!(weight >= 0.0) || !std::isfinite(weight)) {
    refuse("function", "a weight that is finite and >= 0", functions::number_text(weight),
           "a sum is convex only with nonnegative weights");
  }
}

/// Sum of weight * bound over the parts that count; empty as soon as one of them has no bound.
template <class BoundOf>
CostedBound weighted_sum(const std::vector<Function::Part>& parts, BoundOf bound_of) {
  CostedBound sum{0.0, 0};
  for (const auto& part : parts) {
    if (part.weight == 0.0) continue;
    const CostedBound bound = bound_of(*part.term);
    sum.passes += bound.passes;
    if (!bound.value) sum.value.reset();
    if (sum.value) *sum.value += part.weight * *bound.value;
  }
  if (sum.value) *sum.value = functions::rounded_up(*sum.value, static_cast<Index>(parts.size()) + 1);
  return sum;
}

/// A sum of lower bounds, lowered by its own rounding; exact where all are 0.
class LowerSum {
 public:
  void add(double bound) {
    total_ += bound;
    magnitude_ += std::abs(bound);
    ++count_;
  }
  double value() const {
    if (!std::isfinite(total_)) return -kInfinity;
    return total_ - functions::rounding_factor(count_ + 2) * magnitude_;
  }

 private:
  double total_ = 0.0;
  double magnitude_ = 0.0;
  Index count_ = 0;
};

}  // namespace

Function::Function(TermPtr term, double weight) {
  if (!term) refuse("function", "a term", "a null pointer", "make one with loss_term() or its siblings");
  require_weight(weight);
  dimension_ = term->dimension();
  parts_.push_back({weight, std::move(term)});
}

std::string Function::describe() const {
  std::string text;
  for (const auto& part : parts_) {
    if (!text.empty()) text += " + ";
    if (part.weight != 1.0) text += functions::number_text(part.weight) + " * ";
    text += part.term->name();
  }
  return text;
}

Function& Function::operator+=(const Function& other) {
  if (other.parts_.empty()) return *this;
  if (parts_.empty()) return *this = other;
  if (dimension_ != other.dimension_) {
    refuse("function", "summands of the same dimension, here " + std::to_string(dimension_),
           std::to_string(other.dimension_) + " in " + other.describe(), "pad the data to one number of columns");
  }
  LowerSum told;
  if (told_lower_bound_ != -kInfinity || other.told_lower_bound_ != -kInfinity) {
    told.add(lower_bound());
    told.add(other.lower_bound());
    told_lower_bound_ = told.value();
  }
  const std::vector<Part> added = other.parts_;  // a copy: other may be *this
  parts_.insert(parts_.end(), added.begin(), added.end());
  return *this;
}

Function& Function::scale(double weight) {
  require_weight(weight);
  for (auto& part : parts_) {
    const double scaled = part.weight * weight;
    require_weight(scaled);
    part.weight = scaled;
  }
  if (told_lower_bound_ != -kInfinity) {
    LowerSum told;
    told.add(weight * told_lower_bound_);
    told_lower_bound_ = told.value();
  }
  return *this;
}

PartVectors Function::make_images() const {
  PartVectors images;
  for (const auto& part : parts_) images.push_back(Vector::Zero(part.term->image_size()));
  return images;
}

PartVectors Function::make_duals() const {
  PartVectors duals;
  for (const auto& part : parts_) duals.push_back(Vector::Zero(part.term->dual_size()));
  return duals;
}

void Function::images(VectorIn x, PartVectors& images) const {
  assert(images.size() == parts_.size());
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    if (images[k].size() > 0) parts_[k].term->image(x, images[k]);
  }
}

double Function::value(VectorIn x, const PartVectors& images) const {
  assert(images.size() == parts_.size());
  double sum = 0.0;
  for (std::size_t k = 0; k < parts_.size(); ++k) sum += parts_[k].weight * parts_[k].term->value(x, images[k]);
  return sum;
}

void Function::gradient(VectorIn x, const PartVectors& images, PartVectors& duals, VectorOut gradient) const {
  assert(images.size() == parts_.size() && duals.size() == parts_.size());
  if (parts_.empty()) gradient.setZero();
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    const auto& [weight, term] = parts_[k];
    term->linear_dual(x, images[k], duals[k]);
    if (k == 0) {
      term->gradient(weight, x, images[k], duals[k], gradient);
    } else {
      term->add_gradient(weight, x, images[k], duals[k], gradient);
    }
  }
}

double Function::slope_along(VectorIn x, const PartVectors& images, VectorIn v, const PartVectors& v_images,
                             PartVectors& dual_scratch) const {
  assert(images.size() == parts_.size() && v_images.size() == parts_.size());
  double sum = 0.0;
  for (std::size_t k = 0; k < parts_.size(); ++k)
    sum += parts_[k].weight * parts_[k].term->slope_along(x, images[k], v, v_images[k], dual_scratch[k]);
  return sum;
}

bool Function::hessian_product(VectorIn x, const PartVectors& images, VectorIn v, Scratch& scratch,
                               VectorOut out) const {
  assert(images.size() == parts_.size());
  out.setZero();
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    if (parts_[k].weight == 0.0) continue;
    if (!parts_[k].term->add_hessian_product(parts_[k].weight, x, images[k], v, scratch.child(k), out))
      return false;
  }
  return true;
}

PassCost Function::cost() const {
  PassCost sum;
  for (const auto& part : parts_) {
    const PassCost cost = part.term->cost();
    sum.image += cost.image;
    sum.value += cost.value;
    sum.gradient += cost.gradient;
    sum.slope += cost.slope;
    sum.slope_along += cost.slope_along;
  }
  return sum;
}

bool Function::differentiable() const {
  return std::all_of(parts_.begin(), parts_.end(),
                     [](const Part& part) { return part.weight == 0.0 || part.term->differentiable(); });
}

CostedBound Function::smoothness() const {
  return weighted_sum(parts_, [](const Term& term) { return term.smoothness(); });
}

CostedBound Function::lipschitz(VectorIn centre, double radius) const {
  if (!(radius >= 0.0)) {
    refuse("function", "a radius >= 0", functions::number_text(radius),
           "give the radius of a ball around the centre");
  }
  return weighted_sum(parts_, [&](const Term& term) { return term.lipschitz(centre, radius); });
}

CostedBound Function::change(VectorIn x, const PartVectors& images, double distance) const {
  const auto place = [&](const Term& term) {
    const auto same = [&](const Part& part) { return part.term.get() == &term; };
    return static_cast<std::size_t>(std::find_if(parts_.begin(), parts_.end(), same) - parts_.begin());
  };
  return weighted_sum(parts_, [&](const Term& term) { return term.change(x, images[place(term)], distance); });
}

double Function::strong_convexity() const {
  double sum = 0.0;
  for (const auto& part : parts_) sum += part.weight * part.term->strong_convexity();
  return sum;
}

double Function::exact_curvature() const {
  double sum = 0.0;
  for (const auto& part : parts_) sum += part.weight * part.term->exact_curvature();
  return sum;
}

double Function::lower_bound() const {
  LowerSum sum;
  for (const auto& part : parts_) {
    if (part.weight > 0.0) sum.add(part.weight * part.term->lower_bound());
  }
  return std::max(told_lower_bound_, sum.value());
}

void Function::tell_lower_bound(double bound) {
  if (std::isnan(bound) || bound == kInfinity) {
    refuse("function", "a lower bound below +infinity", functions::number_text(bound),
           "leave it out when none is known");
  }
  told_lower_bound_ = std::max(told_lower_bound_, bound);
}

}  // namespace fcbio
