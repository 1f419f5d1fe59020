// An objective: a weighted sum of terms.  Cheap to copy (terms are shared and immutable).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fcbio/term.hpp"

namespace fcbio {

/// One vector per part of a Function: images of a point, or duals of a minorant.
using PartVectors = std::vector<Vector>;

class FCBIO_EXPORT Function {
 public:
  struct Part {
    double weight = 1.0;
    TermPtr term;
  };

  Function() = default;
  explicit Function(TermPtr term, double weight = 1.0);

  Index dimension() const { return dimension_; }
  const std::vector<Part>& parts() const { return parts_; }
  std::string describe() const;  ///< "0.5 * logistic + squared-norm"

  Function& operator+=(const Function& other);
  friend Function operator+(Function a, const Function& b) { return a += b; }
  friend Function operator*(double weight, Function f) { return f.scale(weight); }

  /// Vectors of the right sizes, zero.
  PartVectors make_images() const;
  PartVectors make_duals() const;

  void images(VectorIn x, PartVectors& images) const;
  double value(VectorIn x, const PartVectors& images) const;
  /// gradient <- gradient at x; duals <- what describes this linearisation.
  void gradient(VectorIn x, const PartVectors& images, PartVectors& duals, VectorOut gradient) const;
  /// d/da of f(x + a v) at a = 0, from the images of x and v.
  double slope_along(VectorIn x, const PartVectors& images, VectorIn v, const PartVectors& v_images,
                     PartVectors& dual_scratch) const;
  bool hessian_product(VectorIn x, const PartVectors& images, VectorIn v, Scratch& scratch, VectorOut out) const;
  PassCost cost() const;  ///< summed over the parts

  /// Every part with a weight is (Term::differentiable()).
  bool differentiable() const;
  CostedBound smoothness() const;
  CostedBound lipschitz(VectorIn centre, double radius) const;
  /// At least |f(z) - f(x)| for every z within `distance` of x.
  CostedBound change(VectorIn x, const PartVectors& images, double distance) const;
  double strong_convexity() const;
  double exact_curvature() const;
  /// The best of what the terms know and what tell_lower_bound() said; -infinity: none.
  double lower_bound() const;
  void tell_lower_bound(double bound);

 private:
  Function& scale(double weight);
  Index dimension_ = 0;
  std::vector<Part> parts_;
  double told_lower_bound_ = -kInfinity;
};

// The named functions of the problem file, for C++ programs.
FCBIO_EXPORT Function least_squares(LinearMapPtr map, Vector b);
FCBIO_EXPORT Function logistic(LinearMapPtr map, Vector labels);
FCBIO_EXPORT Function huber(LinearMapPtr map, Vector b, double delta);
FCBIO_EXPORT Function squared_hinge(LinearMapPtr map, Vector labels);
FCBIO_EXPORT Function hinge(LinearMapPtr map, Vector labels);
FCBIO_EXPORT Function absolute_deviation(LinearMapPtr map, Vector b);
FCBIO_EXPORT Function quantile(LinearMapPtr map, Vector b, double tau);
FCBIO_EXPORT Function max_affine(LinearMapPtr map, Vector b);
FCBIO_EXPORT Function log_sum_exp(LinearMapPtr map, Vector b);
FCBIO_EXPORT Function squared_norm(Vector centre);
FCBIO_EXPORT Function l1_norm(Vector centre);
FCBIO_EXPORT Function linear(Vector coefficients);
FCBIO_EXPORT Function quadratic(RowMajorMatrix q, Vector c, double constant = 0.0);
FCBIO_EXPORT Function quadratic(CsrMatrix q, Vector c, double constant = 0.0);
FCBIO_EXPORT Function user_function(UserFunction function);

}  // namespace fcbio
