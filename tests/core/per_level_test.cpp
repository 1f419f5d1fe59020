#include "fcbio/per_level.hpp"

#include <gtest/gtest.h>

namespace fcbio {
namespace {

TEST(PerLevel, IsIndexedByLevelAndByName) {
  PerLevel<double> pair{1.0, 2.0};
  EXPECT_EQ(pair[Level::upper], 1.0);
  EXPECT_EQ(pair[Level::lower], 2.0);
  for (Level level : kLevels) pair[level] += 10.0;
  EXPECT_EQ(pair.upper, 11.0);
  EXPECT_EQ(pair.lower, 12.0);
  EXPECT_FALSE(PerLevel<bool>()[Level::lower]);
}

TEST(PerLevel, IsMadeUpperFirst) {
  struct NoDefault {
    explicit NoDefault(int made) : place(made) {}
    int place;
  };
  int made = 0;
  const PerLevel<NoDefault> pair = per_level([&](Level) { return NoDefault(++made); });
  EXPECT_EQ(pair.upper.place, 1);
  EXPECT_EQ(pair.lower.place, 2);
}

}  // namespace
}  // namespace fcbio
