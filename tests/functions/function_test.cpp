// Weighted sums of terms, and the named factories.
#include "fcbio/function.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "fcbio/error.hpp"
#include "functions/cases.hpp"
#include "support/refusal.hpp"

namespace fcbio::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr Index kColumns = 6;

TEST(Function, WeightedSumsEqualSums) {
  Random random(111);
  const auto terms = term_cases(9, kColumns, 112);
  for (std::size_t first = 0; first < terms.size(); ++first) {
    const auto& a = terms[first];
    const auto& b = terms[(first + 5) % terms.size()];
    const Function f = 0.5 * Function(a.term) + 2.0 * (Function(b.term) + 3.0 * Function(a.term));
    ASSERT_EQ(f.parts().size(), 3u);
    EXPECT_EQ(f.dimension(), kColumns);
    const Vector x = gaussian(random, kColumns);
    Evaluation at_a(*a.term, x), at_b(*b.term, x);

    PartVectors images = f.make_images(), duals = f.make_duals();
    f.images(x, images);
    const double expected = 6.5 * at_a.value(*a.term) + 2.0 * at_b.value(*b.term);
    EXPECT_NEAR(f.value(x, images), expected, 1e-12 * (1 + std::abs(expected))) << f.describe();
    Vector gradient = Vector::Constant(kColumns, 77.0);  // overwritten
    f.gradient(x, images, duals, gradient);
    const Vector sum = 6.5 * at_a.gradient(*a.term) + 2.0 * at_b.gradient(*b.term);
    EXPECT_LE((gradient - sum).norm(), 1e-12 * (1 + sum.norm())) << f.describe();
    EXPECT_EQ(duals[0], at_a.d);
    EXPECT_EQ(duals[1], at_b.d);

    Scratch scratch;
    Vector v = gaussian(random, kColumns), product(kColumns);
    ASSERT_EQ(f.hessian_product(x, images, v, scratch, product), a.has_hessian && b.has_hessian) << f.describe();
    if (a.has_hessian && b.has_hessian) {
      Vector expected_product = Vector::Zero(kColumns);
      a.term->add_hessian_product(6.5, at_a.x, at_a.u, v, scratch, expected_product);
      b.term->add_hessian_product(2.0, at_b.x, at_b.u, v, scratch, expected_product);
      EXPECT_LE((product - expected_product).norm(), 1e-12 * (1 + product.norm())) << f.describe();
    }

    const PassCost cost = f.cost();
    EXPECT_EQ(cost.image, 2 * a.term->cost().image + b.term->cost().image);
    EXPECT_EQ(cost.gradient, 2 * a.term->cost().gradient + b.term->cost().gradient);
    EXPECT_EQ(cost.slope, 2 * a.term->cost().slope + b.term->cost().slope);
    EXPECT_EQ(cost.value, 0);

    const CostedBound smooth = f.smoothness();
    ASSERT_EQ(smooth.value.has_value(), a.smooth && b.smooth) << f.describe();
    if (smooth.value) {
      const double bound = 6.5 * *a.term->smoothness().value + 2.0 * *b.term->smoothness().value;
      EXPECT_NEAR(*smooth.value, bound, 1e-13 * bound);
      EXPECT_EQ(smooth.passes, 2 * a.term->smoothness().passes + b.term->smoothness().passes);
    }
    const double lipschitz = *f.lipschitz(x, 2.0).value;
    const double bound = 6.5 * *a.term->lipschitz(x, 2.0).value + 2.0 * *b.term->lipschitz(x, 2.0).value;
    EXPECT_NEAR(lipschitz, bound, 1e-13 * bound);
    EXPECT_GE(f.strong_convexity(), f.exact_curvature());
  }
}

TEST(Function, CurvaturesAdd) {
  const Function f =
      0.5 * squared_norm(Vector::Zero(3)) + 2.0 * quadratic(4.0 * RowMajorMatrix::Identity(3, 3), Vector::Zero(3));
  EXPECT_DOUBLE_EQ(f.exact_curvature(), 0.5);
  EXPECT_NEAR(f.strong_convexity(), 8.5, 1e-13);
  EXPECT_LE(f.strong_convexity(), 8.5);
}

TEST(Function, PartsWithoutWeightNeedNoConstants) {
  const Function f =
      squared_norm(Vector::Zero(3)) + 0.0 * l1_norm(Vector::Zero(3)) + 0.0 * linear(Vector::Ones(3));
  EXPECT_NEAR(*f.smoothness().value, 1.0, 1e-14);
  EXPECT_EQ(f.lower_bound(), 0.0);
  EXPECT_EQ(f.parts().size(), 3u);
  Scratch scratch;
  const Vector x = Vector::Ones(3);
  Vector out(3);
  EXPECT_TRUE(f.hessian_product(x, f.make_images(), x, scratch, out));
  EXPECT_EQ(out, x);
  EXPECT_FALSE((f + l1_norm(x)).smoothness().value.has_value());
}

TEST(Function, LowerBounds) {
  const Function known = squared_norm(Vector::Zero(2)) + 3.0 * l1_norm(Vector::Ones(2));
  EXPECT_EQ(known.lower_bound(), 0.0);
  Function unknown = linear(Vector::Ones(2));
  EXPECT_EQ(unknown.lower_bound(), -kInfinity);
  EXPECT_EQ((known + unknown).lower_bound(), -kInfinity);
  unknown.tell_lower_bound(-4.0);
  EXPECT_EQ(unknown.lower_bound(), -4.0);
  unknown.tell_lower_bound(-9.0);  // weaker: the best counts
  EXPECT_EQ(unknown.lower_bound(), -4.0);
  const double sum = (known + 0.5 * unknown).lower_bound();
  EXPECT_LE(sum, -2.0);
  EXPECT_GE(sum, -2.0 - 1e-13);
  EXPECT_EQ((unknown + linear(Vector::Ones(2))).lower_bound(), -kInfinity);
  Function better = known;
  better.tell_lower_bound(0.25);
  EXPECT_EQ(better.lower_bound(), 0.25);
  better.tell_lower_bound(-kInfinity);  // says nothing
  EXPECT_EQ(better.lower_bound(), 0.25);
}

TEST(Function, Describe) {
  const LinearMapPtr map = identity_map(2);
  EXPECT_EQ((0.5 * logistic(map, Vector::Ones(2)) + squared_norm(Vector::Zero(2))).describe(),
            "0.5 * logistic + squared-norm");
  const Vector b = Vector::Ones(2);
  const std::vector<std::pair<Function, std::string>> named{
      {least_squares(map, b), "least-squares"},
      {huber(map, b, 1.0), "huber"},
      {squared_hinge(map, b), "squared-hinge"},
      {hinge(map, b), "hinge"},
      {absolute_deviation(map, b), "absolute"},
      {quantile(map, b, 0.5), "quantile"},
      {max_affine(map, b), "max-affine"},
      {log_sum_exp(map, b), "log-sum-exp"},
      {l1_norm(b), "l1-norm"},
      {linear(b), "linear"},
      {quadratic(RowMajorMatrix::Identity(2, 2), b), "quadratic"},
      {quadratic(csr_of(RowMajorMatrix::Identity(2, 2)), b), "quadratic"},
  };
  for (const auto& [function, name] : named) EXPECT_EQ(function.describe(), name);
  EXPECT_EQ(Function().describe(), "");
}

TEST(Function, AddingToNothingAndToItself) {
  Function f;
  f += squared_norm(Vector::Zero(2));
  EXPECT_EQ(f.dimension(), 2);
  f += Function();
  EXPECT_EQ(f.parts().size(), 1u);
  f += f;
  EXPECT_EQ(f.parts().size(), 2u);
  EXPECT_EQ(f.value(Vector::Ones(2), f.make_images()), 2.0);
}

TEST(Function, SizesOfImagesAndDuals) {
  const Function f = least_squares(dense_map(RowMajorMatrix(RowMajorMatrix::Ones(4, 2))), Vector::Zero(4)) +
                     squared_norm(Vector::Zero(2)) + quadratic(RowMajorMatrix::Identity(2, 2), Vector::Zero(2)) +
                     l1_norm(Vector::Zero(2));
  const PartVectors images = f.make_images(), duals = f.make_duals();
  const std::vector<Index> image_sizes{4, 0, 2, 0}, dual_sizes{4, 0, 4, 2};
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(images[k], Vector::Zero(image_sizes[k]));
    EXPECT_EQ(duals[k], Vector::Zero(dual_sizes[k]));
  }
}

TEST(Function, Refusals) {
  const Function two = squared_norm(Vector::Zero(2)), three = squared_norm(Vector::Zero(3));
  EXPECT_THAT(refusal([&] { (void)(two + three); }),
              AllOf(HasSubstr("same dimension, here 2"), HasSubstr("found 3 in squared-norm")));
  for (const double weight : {-1.0, static_cast<double>(NAN), kInfinity}) {
    EXPECT_THAT(refusal([&] { (void)(weight * two); }), HasSubstr("a weight that is finite and >= 0"));
    EXPECT_THAT(refusal([&] { Function(squared_norm_term(Vector::Zero(2)), weight); }), HasSubstr("a weight"));
  }
  EXPECT_THAT(refusal([&] { (void)(1e200 * (1e200 * two)); }), HasSubstr("found inf"));
  EXPECT_THAT(refusal([] { Function(nullptr); }), HasSubstr("a null pointer"));
  Function told = two;
  EXPECT_THAT(refusal([&] { told.tell_lower_bound(NAN); }), HasSubstr("found nan"));
  EXPECT_THAT(refusal([&] { told.tell_lower_bound(kInfinity); }), HasSubstr("found inf"));
  EXPECT_THAT(refusal([&] { two.lipschitz(Vector::Zero(2), -1.0); }), HasSubstr("a radius >= 0"));
}

}  // namespace
}  // namespace fcbio::test
