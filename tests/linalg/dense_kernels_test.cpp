// The kernels against scalar loops in the documented order, to the bit: whichever version this processor runs, the
// result is the one every other processor gets.
#include "linalg/dense_kernels.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "linalg/samples.hpp"

namespace fcbio {
namespace {

/// Eight running sums, joined in pairs, then what is left over.
double ordered_inner_product(const double* line, const double* in, Index inner) {
  double sums[8] = {};
  Index i = 0;
  for (; i + 8 <= inner; i += 8) {
    for (Index k = 0; k < 8; ++k) sums[k] += line[i + k] * in[i + k];
  }
  for (Index k = 0; k < 4; ++k) sums[k] += sums[k + 4];
  double sum = (sums[0] + sums[2]) + (sums[1] + sums[3]);
  for (; i < inner; ++i) sum += line[i] * in[i];
  return sum;
}

/// Short lines come from the four quarters of a block in turn, then the rest; long ones one after the other.
std::vector<Index> order_of_lines(Index inner, Index outer) {
  std::vector<Index> order;
  const Index quarter = inner < 2048 ? outer / 4 : 0;
  for (Index o = 0; o < quarter; ++o)
    for (Index k = 0; k < 4; ++k) order.push_back(o + k * quarter);
  for (Index o = 4 * quarter; o < outer; ++o) order.push_back(o);
  return order;
}

TEST(DenseKernels, KeepTheirOrderForEverySizeAndAlignment) {
  for (const Index inner : {1, 3, 7, 8, 9, 15, 16, 17, 40, 101, 2047, 2048, 2053}) {
    for (const Index outer : {0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 15, 23}) {
      for (const Index shift : {0, 1, 2, 3}) {
        const Index stride = inner + 3;
        const Vector data = samples::vector(shift + stride * outer + inner, 1);
        const DenseBlock block{data.data() + shift, inner, outer, stride};
        const Vector inner_side = samples::vector(inner + shift, 2);
        const Vector outer_side = samples::vector(outer + shift, 3);
        const double* x = inner_side.data() + shift;
        const double* y = outer_side.data() + shift;

        Vector products = outer_side;
        Vector expected = products;
        block_inner_products(block, 0.7, x, products.data() + shift);
        for (Index o = 0; o < outer; ++o) {
          expected[shift + o] += 0.7 * ordered_inner_product(block.data + o * stride, x, inner);
        }
        ASSERT_EQ(products, expected) << inner << " " << outer << " " << shift;

        Vector combined = inner_side;
        expected = combined;
        block_combination(block, 0.7, y, combined.data() + shift);
        for (const Index o : order_of_lines(inner, outer)) {
          for (Index i = 0; i < inner; ++i) expected[shift + i] += (0.7 * y[o]) * block.data[o * stride + i];
        }
        ASSERT_EQ(combined, expected) << inner << " " << outer << " " << shift;
      }
    }
  }
}

}  // namespace
}  // namespace fcbio
