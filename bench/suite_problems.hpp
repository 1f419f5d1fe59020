// The problems of the suite: data, reference answers, settings of the published method, and the bars.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "data/problem.hpp"
#include "fcbio/options.hpp"

namespace fcbio::bench {

/// One accuracy at which a problem is solved, and what the default method must reach there.  Zero: no bar.
struct AccuracyCase {
  Accuracy accuracy;
  std::int64_t most_passes = 0;
  double least_time_ratio = 0.0;  ///< seconds of the published method over ours
  double most_seconds = 0.0;
  bool must_certify = true;
};

/// What is known about the answer from elsewhere: f* and g* to within `error`.
struct Reference {
  double upper = 0.0;
  double lower = 0.0;
  double error = 0.0;
  std::string source;
};

struct BenchProblem {
  std::string name;
  std::string summary;  ///< one line: functions, set, data, seed
  data::Problem data;
  std::optional<Reference> reference;
  std::string paper_method = "fcbio-sm";  ///< empty: it would be cut off far from its aim, and is left out
  OptionValues paper_options;
  /// fcbio-lip only: the step lengths of which the best counts, and how far it is followed.
  std::vector<double> step_lengths;
  std::int64_t most_paper_passes = 0;  ///< 0: no limit
  /// Set: the published method must end `stalled` with a true lower gap above this.
  std::optional<double> paper_stalls_above;
  std::vector<AccuracyCase> cases;
};

/// Where data files are looked for.  Empty: there is no such folder.
struct BenchContext {
  std::filesystem::path data_folder;
};

struct ProblemEntry {
  std::string name;
  std::string file;  ///< needed from the data folder; empty: made in memory
  std::function<BenchProblem(const BenchContext&)> make;
};

/// In the order of the table.
std::vector<ProblemEntry> problem_entries();

std::vector<ProblemEntry> minimum_norm_problems();
std::vector<ProblemEntry> logistic_problems();
std::vector<ProblemEntry> regression_problems();
std::vector<ProblemEntry> nonsmooth_problems();
std::vector<ProblemEntry> ill_posed_problems();
std::vector<ProblemEntry> wide_problems();
std::vector<ProblemEntry> image_problems();

// Pieces the files of problems share.
OptionValues minimum_norm_settings();  ///< of fcbio-sm in the paper: cap 8000, 15,000 lower-level steps
OptionValues logistic_settings();      ///< cap 500, 1,000 lower-level steps

}  // namespace fcbio::bench
