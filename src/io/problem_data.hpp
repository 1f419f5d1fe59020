// A problem as plain data: what a problem file says after its data files were read, rows selected, labels mapped
// and intercepts appended.  Both the solver's Problem (build_problem) and the independent checker in verify/ are
// made from this, so that they share nothing else.  The catalogue makes ProblemData in memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "fcbio/linear_map.hpp"
#include "fcbio/problem.hpp"

namespace fcbio::io {

struct DataMatrix {
  std::variant<RowMajorMatrix, CsrMatrix> matrix;
  Index rows() const;
  Index cols() const;
};

struct TermData {
  std::string function;            ///< "least-squares", ... as in the problem file
  double weight = 1.0;             ///< >= 0, as given: `average` is not folded in
  bool average = false;            ///< divide by the number of rows
  std::optional<DataMatrix> data;  ///< also Q of "quadratic"
  Vector target;                   ///< one per row; labels are -1 / +1
  Vector vector;                   ///< centre or coefficients, n numbers
  double constant = 0.0;           ///< of "quadratic"
  double delta = 1.0;              ///< huber
  double tau = 0.5;                ///< quantile
  /// Told by the user: of this term without its weight, but of the mean when `average` is set.
  std::optional<double> lower_bound;
  std::int64_t line = 0;  ///< of its table in the problem file; 0: made in memory
};

struct SetData {
  std::string kind;  ///< "ball", ... as in the problem file
  Index dimension = 0;
  std::optional<double> radius;
  Vector center;              ///< ball, l1-ball
  Vector lower, upper;        ///< box
  double total = 1.0;         ///< simplex
  Vector coefficients;        ///< halfspace
  double value = 0.0;         ///< halfspace
  RowMajorMatrix matrix;      ///< affine
  Vector values;              ///< affine
  std::vector<SetData> sets;  ///< intersection, product
  std::int64_t line = 0;      ///< of its table in the problem file; 0: made in memory
};

struct ProblemData {
  Index dimension = 0;
  SetData domain;
  std::vector<TermData> upper;
  std::vector<TermData> lower;
  Accuracy accuracy;
  std::optional<Vector> start;
  std::string method;                          ///< empty: not given
  std::map<std::string, std::string> options;  ///< of the [method] table, as text
  std::vector<std::string> notes;              ///< told to the user: label mappings and the like
  std::filesystem::path file;                  ///< the problem file; empty: made in memory
};

/// Reads a problem file and all it names.  Throws InputError.
ProblemData read_problem(const std::filesystem::path& file);
/// Makes the solver's objects.  What their constructors refuse (an asymmetric Q, an empty intersection ...) is an
/// InputError that names the problem file and the table; for data made in memory it stays an InvalidArgument.
Problem build_problem(const ProblemData& data);
/// The same, but the matrices move into the problem instead of being copied.
Problem build_problem(ProblemData&& data);
inline constexpr const char* kProblemFileName = "PROBLEM.toml";
/// Writes PROBLEM.toml and its data files into a directory (created if needed), atomically file by file and
/// PROBLEM.toml last.  read_problem() gives back the same fingerprint.  `comment` becomes # lines on top.
void write_problem(const ProblemData& data, const std::filesystem::path& directory, const std::string& comment);
/// 16 hexadecimal digits over everything that defines the mathematics (not accuracy, not method); see
/// fingerprint.cpp.  How a matrix is stored (dense or sparse, explicit zeros) does not matter.
std::string fingerprint(const ProblemData& data);

}  // namespace fcbio::io
