// The two experiments of the FC-BiO paper (Zhang, Chen, Xu, Zhang 2024) with its settings for every method.
//
//   minimum norm      f = 1/2 |x|^2, g = 1/2 |Ax - b|^2, |x| <= 2, start a random unit vector, accuracy 1e-6.
//                     A: 400 rows sampled from a table of page views, b: one of its columns.
//   logistic          f, g = mean logistic loss on 5000 validation and 5000 training rows, |x| <= 300, start 0,
//                     accuracy 1e-3.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "data/problem.hpp"
#include "experiments/contestants.hpp"

namespace fcbio::experiments {

struct PaperOptions {
  std::filesystem::path data;          ///< empty: a seeded stand-in of the same shape
  std::optional<std::int64_t> target;  ///< min-norm: 0-based column of the data that becomes b; empty: by the seed
  std::int64_t rows = 0;               ///< rows sampled (per level); 0: as published, 400 and 5000
  double scale = 1.0;                  ///< min-norm: the data are divided by this
  std::uint64_t seed = 1;
};

struct PaperExperiment {
  std::string title;
  std::string introduction;
  data::Problem data;
  std::vector<Contestant> contestants;  ///< the default method first, then those of the paper
};

/// Throw InvalidArgument or InputError for data that do not serve.
PaperExperiment minimum_norm_experiment(const PaperOptions& options);
PaperExperiment logistic_experiment(const PaperOptions& options);

}  // namespace fcbio::experiments
