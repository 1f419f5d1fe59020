// The data of both levels as one stack of rows V, for Newton's method on
//     phi(x) = sum over data parts of w_p loss_p(M_p x)  +  m/2 |x|^2 - <e, x>,    phi'' = V'DV + m I,
// D >= 0 diagonal: weights times the curvatures of the losses.  Black boxes that tell their Hessians by products are
// kept beside it.  The rows of g come first, so that the lower phase
// works on the top of everything.  A level that is not in use has D = 0 and no force.
#pragma once

#include <string>
#include <vector>

#include "inner/engine.hpp"

namespace fcbio {

class NewtonRows {
 public:
  struct Part {
    Level level;
    std::size_t place;  // among the parts of its level
    double weight;
    const Term* term;
    Index first, rows;  // in the stack
  };

  /// A part whose Hessian is known by products alone.
  struct Product {
    Level level;
    std::size_t place;  // among the parts of its level
    double weight;
    const Term* term;
  };

  /// Empty: phi'' has this form for all weights; otherwise what is in the way, in words.  Costs nothing.
  static std::string misfit(const Problem& problem);

  explicit NewtonRows(const Problem& problem);

  const std::vector<Part>& parts() const { return parts_; }
  const std::vector<Product>& products() const { return products_; }
  Index dimension() const { return dimension_; }
  /// All rows, and those of the stack's top that the weights need.
  Index size() const { return size_; }
  Index size(const Weights& weights) const { return weights.uses(Level::upper) ? size_ : lower_size_; }
  /// Stored numbers of the data, for prices; a black box counts as a square matrix.
  Index numbers() const { return numbers_; }
  /// Whether the curvature of a level's losses is positive and the same at two points far apart: then it is taken
  /// for constant in prices.
  bool looks_constant(Level level) const { return looks_constant_[level]; }

  double curvature(const Weights& weights) const;                // m
  void add_linear(const Weights& weights, VectorOut out) const;  // out += e
  void curvatures(Level level, const Iterate& at,
                  VectorOut out) const;  // of the losses, times the weights of parts
  void forces(const Weights& weights, const Iterate& at,
              VectorOut out) const;  // q: gradient of phi is V'q + m x - e
  void stack(const Weights& weights, const Point& point, VectorOut out) const;  // V x from the images
  void add_transpose(Level level, VectorIn rows, VectorOut out) const;          // out += (V of the level)' rows
  /// Linear parts of each level, as points of their own: e_f and e_g.
  const Vector& linear(Level level) const { return linear_[level]; }

 private:
  std::vector<Part> parts_;
  std::vector<Product> products_;
  Index dimension_, size_ = 0, lower_size_ = 0, numbers_ = 0;
  PerLevel<double> curvature_;
  PerLevel<Vector> linear_;
  PerLevel<bool> looks_constant_{true, true};
};

}  // namespace fcbio
