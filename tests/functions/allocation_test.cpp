// Evaluations do not allocate once warmed up.
#include "support/allocations.hpp"

#if FCBIO_ALLOCATIONS_COUNTED

#include <gtest/gtest.h>

#include "functions/cases.hpp"

namespace fcbio::test {
namespace {

constexpr Index kColumns = 40;

TEST(Allocation, IsCounted) {
  const long before = test::allocation_count();
  const Vector v = Vector::Zero(17 + before % 2);
  const auto owned = std::make_unique<Vector>(v);
  EXPECT_GE(test::allocation_count() - before, 3) << owned->size();
}

TEST(Allocation, DoesNotHappenInEvaluations) {
  std::vector<TermCase> cases = term_cases(60, kColumns, 121);
  UserFunction user;
  user.dimension = kColumns;
  user.evaluate = [](VectorIn x, Vector* gradient) {
    if (gradient != nullptr) *gradient = x;
    return 0.5 * x.squaredNorm();
  };
  cases.push_back({"user", user_term(user), {}, {}, true, false});
  Scratch scratch;
  const Vector x = Vector::LinSpaced(kColumns, -1.0, 1.0);
  for (const TermCase& c : cases) {
    const Function f = 2.0 * Function(c.term) + Function(c.term);
    PartVectors images = f.make_images(), duals = f.make_duals();
    Vector gradient(kColumns), out(kColumns);
    double sum = 0.0;
    const auto evaluate = [&] {
      f.images(x, images);
      sum += f.value(x, images);
      f.gradient(x, images, duals, gradient);
      f.hessian_product(x, images, x, scratch, out);
      c.term->repair_dual(duals[0]);
      sum += c.term->dual_constant(duals[0]);
      c.term->add_slope(0.5, duals[0], out);
      sum += c.term->value_rounding(x, images[0]);
      sum += c.term->slope_rounding(duals[0]) + c.term->dual_constant_rounding(duals[0]);
    };
    evaluate();
    const long before = test::allocation_count();
    for (int repeat = 0; repeat < 5; ++repeat) evaluate();
    EXPECT_EQ(test::allocation_count() - before, 0) << c.name;
    EXPECT_TRUE(std::isfinite(sum)) << c.name;
  }
}

}  // namespace
}  // namespace fcbio::test

#endif
