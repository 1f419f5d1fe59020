// No product allocates once warmed up.  The allocator of this program is replaced by one that counts (operator new
// ends in malloc, so it is counted too).  The sanitizers bring their own allocator: under them this file is empty.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define FCBIO_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define FCBIO_SANITIZED
#endif
#endif

#ifndef FCBIO_SANITIZED

#include <gtest/gtest.h>
#include <malloc.h>

#include <atomic>
#include <cerrno>

#include "fcbio/threads.hpp"
#include "linalg/samples.hpp"

namespace {
constinit std::atomic<long> allocations{0};
}

// The names behind which glibc keeps its own allocator.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_calloc(count, size);
}
void* realloc(void* block, std::size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_realloc(block, size);
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

namespace fcbio {
namespace {

TEST(Allocation, IsCounted) {
  const long before = allocations.load();
  const LinearMapPtr map = identity_map(3);
  EXPECT_GE(allocations.load() - before, 1) << map->rows();
}

TEST(Allocation, DoesNotHappenInProducts) {
  std::vector<std::pair<std::string, LinearMapPtr>> maps;
  // Tiny, one shard, cut by groups of lines, cut across: in both storages; and sparse.
  for (const auto& [rows, cols] : {std::pair<Index, Index>{4, 6}, {40, 100}, {1000, 300}, {300, 1500}}) {
    const Eigen::MatrixXd matrix = samples::dense(rows, cols, 1);
    for (const samples::Storage storage : samples::kStorages) {
      maps.emplace_back(samples::name(storage) + " " + std::to_string(rows), samples::map(storage, matrix));
    }
  }
  maps.emplace_back("identity", identity_map(10));
  for (const int threads : {1, 2}) {
    set_thread_count(threads);
    for (const auto& entry : maps) {
      const LinearMapPtr& map = entry.second;
      const Vector x = Vector::Ones(map->cols());
      const Vector y = Vector::Ones(map->rows());
      Vector image = y;
      Vector gradient = x;
      const auto products = [&] {
        map->apply(x, image);
        map->add_transpose(0.5, y, gradient);
      };
      products();
      const long before = allocations.load();
      for (int repeat = 0; repeat < 20; ++repeat) products();
      EXPECT_EQ(allocations.load() - before, 0) << entry.first << ", " << threads << " threads";
    }
  }
  set_thread_count(1);
}

}  // namespace
}  // namespace fcbio

#endif
