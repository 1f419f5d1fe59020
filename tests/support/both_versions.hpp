// Runs a kernel in both of its compiled versions (linalg/lanes.hpp) and compares what they wrote, bit by bit.
#pragma once

#include <gtest/gtest.h>

#include <cstring>

#include "linalg/lanes.hpp"

namespace fcbio {

/// `body()` returns a vector of doubles with everything the kernel gave.
template <class Body>
void expect_same_bits_with_and_without_avx2(const Body& body) {
  struct Restore {
    bool kept = use_avx2;
    ~Restore() { use_avx2 = kept; }
  } restore;
  if (!restore.kept) GTEST_SKIP() << "this processor has no AVX2";
  const auto fast = body();
  use_avx2 = false;
  const auto plain = body();
  ASSERT_EQ(fast.size(), plain.size());
  for (std::size_t i = 0; i < static_cast<std::size_t>(fast.size()); ++i)
    ASSERT_EQ(std::memcmp(fast.data() + i, plain.data() + i, sizeof(double)), 0)
        << "number " << i << ": " << fast.data()[i] << " with AVX2, " << plain.data()[i] << " without";
}

}  // namespace fcbio
