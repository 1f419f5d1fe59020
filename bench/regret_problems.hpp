// What the choice of an engine is judged on: the catalogue, the rows of bench/run, and problems on files of real data.
#pragma once

#include "suite_problems.hpp"

namespace fcbio::bench {

struct AskedProblem {
  data::Problem data;
  std::vector<Accuracy> accuracies;
};

struct RegretProblem {
  std::string group;  ///< "catalogue", "bench" or "data"
  std::string name;
  std::string file;  ///< needed from the data folder; empty: made in memory
  std::function<AskedProblem(const BenchContext&)> make;
};

std::vector<RegretProblem> regret_problems();

}  // namespace fcbio::bench
