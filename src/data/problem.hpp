// A problem as plain data: what a problem file says after its data files were read, rows selected, labels mapped
// and intercepts appended.  The solver's Problem (build/) and the independent checker (verify/) are both made from
// this, and share nothing else.  The catalogue makes problems in memory.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "data/functions.hpp"
#include "data/sets.hpp"
#include "fcbio/accuracy.hpp"
#include "fcbio/per_level.hpp"
#include "parallel/communicator.hpp"

namespace fcbio::data {

/// How long a solve may take; empty: no limit is asked for.
struct RunLimits {
  std::optional<double> seconds;
  std::optional<std::int64_t> iterations, passes;
};

/// How the columns of the data were changed: x_j belongs to (a_j - means_j) / scales_j.
struct Standardization {
  Vector means, scales;
  bool operator==(const Standardization& other) const { return means == other.means && scales == other.scales; }
};

/// The coefficients of the columns as they stand in the file; a coordinate more than columns is the intercept, which
/// takes up the means.
Vector in_original_units(const Standardization& how, const Vector& x);

struct Problem {
  Index dimension = 0;
  Set domain;
  std::vector<Term> upper;
  std::vector<Term> lower;
  Accuracy accuracy;
  RunLimits limits;
  std::optional<Vector> start;
  std::string method;                          ///< empty: not given
  std::map<std::string, std::string> options;  ///< of the [method] table, as text
  std::vector<Index> shape;                    ///< of x, for pictures: n, or rows and columns; empty: none
  std::optional<Standardization> units;        ///< of the data columns; empty: as in the files
  std::vector<std::string> names;              ///< of the variables; empty: they have none
  PerLevel<bool> maximized{false, false};  ///< all terms of a level were to be maximised; they are held negated
  std::vector<std::string> notes;          ///< told to the user: label mappings and the like
  std::filesystem::path file;              ///< the problem file; empty: made in memory
};

/// 16 hexadecimal digits over everything that defines the mathematics (not accuracy, not method); see
/// fingerprint.cpp.  How a matrix is stored (dense or sparse, explicit zeros) does not matter.
std::string fingerprint(const Problem& problem);
/// The same of a problem whose rows lie on many ranks: each goes on where the one before it stopped.  Collective; throws
/// InvalidArgument, on all ranks, where they have different problems.
std::string fingerprint(const Problem& problem, parallel::Communicator& ranks);

/// "huber (200 x 5, dense; mean over rows; delta 0.5) + 2 * l1-norm", for the report.
std::string in_words(const std::vector<Term>& terms);
/// "ball of radius 2, centre given"
std::string in_words(const Set& set);

}  // namespace fcbio::data
