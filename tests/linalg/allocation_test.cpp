// No product allocates once warmed up.
#include "support/allocations.hpp"

#if FCBIO_ALLOCATIONS_COUNTED

#include <gtest/gtest.h>

#include "fcbio/threads.hpp"
#include "linalg/samples.hpp"

namespace fcbio {
namespace {

TEST(Allocation, IsCounted) {
  const long before = test::allocation_count();
  const LinearMapPtr map = identity_map(3);
  EXPECT_GE(test::allocation_count() - before, 1) << map->rows();
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
    const ThreadScope scope(threads);
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
      const long before = test::allocation_count();
      for (int repeat = 0; repeat < 20; ++repeat) products();
      EXPECT_EQ(test::allocation_count() - before, 0) << entry.first << ", " << threads << " threads";
    }
  }
}

}  // namespace
}  // namespace fcbio

#endif
