// Rows of the data files that the suite reads.
#pragma once

#include "suite_problems.hpp"

namespace fcbio::bench {

struct Rows {
  CsrMatrix matrix;
  Vector labels;
};

/// A file of the data folder, LIBSVM text.
Rows read_rows(const BenchContext& context, const std::string& name);
/// `count` rows of `all` in the order of `order`, from its place `first` on.
Rows select(const Rows& all, const std::vector<Index>& order, Index first, Index count);

}  // namespace fcbio::bench
