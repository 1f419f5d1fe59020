// Evaluations do not allocate once warmed up.  The allocator of this program is replaced by one that counts
// (operator new ends in malloc).  The sanitizers bring their own allocator: under them this file is empty.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define FCBIO_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define FCBIO_SANITIZED
#endif
#endif

#ifndef FCBIO_SANITIZED

#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>

#include "functions/cases.hpp"

namespace {
constinit std::atomic<long> allocations{0};
}

// The names behind which glibc keeps its own allocator.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_malloc(size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** block, std::size_t alignment, std::size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  *block = __libc_memalign(alignment, size);
  return *block == nullptr ? ENOMEM : 0;
}
}

namespace fcbio::test {
namespace {

constexpr Index kColumns = 40;

TEST(Allocation, IsCounted) {
  const long before = allocations.load();
  const Vector v = Vector::Zero(17 + before % 2);
  const auto owned = std::make_unique<Vector>(v);
  EXPECT_GE(allocations.load() - before, 3) << owned->size();
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
    const long before = allocations.load();
    for (int repeat = 0; repeat < 5; ++repeat) evaluate();
    EXPECT_EQ(allocations.load() - before, 0) << c.name;
    EXPECT_TRUE(std::isfinite(sum)) << c.name;
  }
}

}  // namespace
}  // namespace fcbio::test

#endif
