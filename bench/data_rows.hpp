// Rows of LIBSVM files, for problems on real data.
#pragma once

#include <string>
#include <vector>

#include "data/functions.hpp"
#include "suite_problems.hpp"

namespace fcbio::bench {

struct Rows {
  CsrMatrix matrix;
  Vector labels;
};

/// Throws std::runtime_error where the file is not LIBSVM text.
Rows read_rows(const BenchContext& context, const std::string& name);
/// Rows `first` .. `first + count` in the order given.
Rows select(const Rows& all, const std::vector<Index>& order, Index first, Index count);
/// The same with more columns, which are empty.
Rows widened(Rows rows, Index columns);
/// The larger of two labels becomes 1, the other -1.
void make_signs(Vector& labels);
data::Term mean_loss(const std::string& loss, Rows rows);

}  // namespace fcbio::bench
