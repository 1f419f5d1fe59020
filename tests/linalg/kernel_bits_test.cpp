// Every kernel of this room that is compiled twice: the same bits with and without AVX2, for every length of tail.
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "linalg/dense_kernels.hpp"
#include "linalg/pair_sweeps.hpp"
#include "linalg/samples.hpp"
#include "linalg/sweeps.hpp"
#include "support/both_versions.hpp"

namespace fcbio {
namespace {

using Numbers = std::vector<double>;

void append(Numbers& all, VectorIn vector) { all.insert(all.end(), vector.data(), vector.data() + vector.size()); }

class BothVersions : public ::testing::TestWithParam<Index> {
 protected:
  const Index n = GetParam();
  const Vector y = samples::vector(n, 1), p = samples::vector(n, 2), q = samples::vector(n, 3),
               x = samples::vector(n, 4), c = samples::vector(n, 5);
};

TEST_P(BothVersions, OfDenseProducts) {
  for (const Index lines : {1, 3, 4, 11, 40}) {
    const Vector data = samples::vector(lines * n, 6), weights = samples::vector(lines, 7);
    const DenseBlock block{data.data(), n, lines, n};
    expect_same_bits_with_and_without_avx2([&] {
      Vector images = Vector::Ones(lines), sum = Vector::Ones(n);
      block_inner_products(block, 0.3, x.data(), images.data());
      block_combination(block, 0.3, weights.data(), sum.data());
      Numbers all;
      append(all, images);
      append(all, sum);
      return all;
    });
  }
}

TEST_P(BothVersions, OfSweeps) {
  expect_same_bits_with_and_without_avx2([&] {
    Numbers all;
    Vector out(n);
    blend(0.3, p, -1.7, q, out);
    append(all, out);
    const DifferenceSums difference = difference_sums(p, 1.7, q);
    all.insert(all.end(), {difference.squared, difference.along});
    const auto append_sums = [&all](const StepSums& s) {
      all.insert(all.end(), {s.squared, s.start_squared, s.along_p, s.along_q, s.along_difference, s.carried,
                             s.from_centre, s.is_descent ? 1.0 : 0.0});
    };
    append_sums(descend({y, p, q, x, c}, {0.3, 0.7}, 1.7, out));
    append(all, out);
    append_sums(step_sums({y, p, q, x, c}, {0.3, 0.7}, 1.7, c));
    return all;
  });
}

TEST_P(BothVersions, OfPairSweeps) {
  expect_same_bits_with_and_without_avx2([&] {
    Numbers all;
    const auto append_sums = [&all](const PairSums& s) { all.insert(all.end(), {s.pp, s.pq, s.qq}); };
    append_sums(pair_sums(p, q));
    Vector step(n), upper(n), lower(n), change(n);
    append_sums(write_pair(0.7, x, {p.data(), q.data()}, {y.data(), nullptr}, 1.0, 3.0,
                           {step.data(), upper.data(), lower.data(), change.data()}));
    for (const Vector& written : {step, upper, lower, change}) append(all, written);
    return all;
  });
}

TEST_P(BothVersions, OfSeveralInnerProductsAtOnce) {
  constexpr Index kLines = 7;
  const Vector data = samples::vector(kLines * n, 6), weights = samples::vector(kLines, 7);
  const DenseBlock block{data.data(), n, kLines, n};
  expect_same_bits_with_and_without_avx2([&] {
    Numbers all;
    std::array<Vector, 4> results;
    results.fill(Vector::Zero(kLines));
    tall_inner_products(block, {x.data(), nullptr, p.data(), q.data()}, results);
    for (const Vector& result : results) append(all, result);
    Vector out(n);
    tall_combination({0.3, -1.7, p.data(), q.data(), block, block, weights.data(), weights.data()}, out.data());
    append(all, out);
    return all;
  });
}

INSTANTIATE_TEST_SUITE_P(Lengths, BothVersions,
                         ::testing::Values(1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 31, 33, 100, 1021));

}  // namespace
}  // namespace fcbio
