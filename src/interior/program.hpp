// What the interior-point method solves: separable convex functions of linear images, and a simple region,
//
//     minimise  <cost, x> + 1/2 sum curvature_j x_j^2 + 1/2 x'Hx + sum over blocks of sum over rows of phi_i((A x)_i)
//     subject to  lower <= x <= upper,   |x - centre| <= radius for some balls.
//
// A row of a block is one of
//     limits     phi(u) = 0 where low <= u <= high, else infinite; an equation where low = high;
//     loss       phi(u) = max over low <= y <= high of  y (u - kink) - bend/2 y^2:  absolute values, hinges, quantiles
//                (bend = 0), squares (both sides of y open), squared hinges and Huber's function;
//     logistic   phi(u) = weight log(1 + exp(-kink u)),  kink = -1 or +1.
// Weights are part of low, high and bend: w phi has w low, w high, bend / w.  Sides may be infinite.
//
// Every row has one dual number y, and the blocks' slopes add up to sum A'y.  Fenchel-Young: phi(u) >= y u - phi*(y).
#pragma once

#include <vector>

#include "interior/rows.hpp"

namespace fcbio::interior {

enum class BlockKind { limits, loss, logistic };

struct Block {
  BlockKind kind;
  Rows rows;
  Vector low = {}, high = {};  // of u for limits, of y for a loss
  Vector kink = {};            // loss, logistic
  double bend = 0.0;           // loss
  double weight = 1.0;         // logistic
};

/// A row of zeros limits nothing, but at a side that is 0 it would leave the method no room.
void open_rows_of_zeros(Block& block);

struct Ball {
  Index first = 0;  // it limits the variables first .. first + centre.size() - 1
  Vector centre;
  double radius = 0.0;
  auto of(auto& x) const { return x.segment(first, centre.size()); }
};

struct Program {
  Index variables = 0;
  Vector cost;
  Vector curvature;        // >= 0
  RowMajorMatrix hessian;  // of the first hessian.rows() variables; empty: none
  Vector lower, upper;     // may be infinite
  std::vector<Block> blocks;
  std::vector<Ball> balls;
};

}  // namespace fcbio::interior
