// A problem as plain data: what a problem file says after its data files were read, rows selected, labels mapped
// and intercepts appended.  Both the solver's Problem (build_problem) and the independent checker in verify/ are
// made from this, so that they share nothing else.  The catalogue makes ProblemData in memory.
#pragma once

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
  std::optional<double> lower_bound;  ///< told by the user: of this term without its weight
};

struct SetData {
  std::string kind;  ///< "ball", ... as in the problem file
  Index dimension = 0;
  std::optional<double> radius;
  Vector center;         ///< ball, l1-ball
  Vector lower, upper;   ///< box
  double total = 1.0;    ///< simplex
  Vector coefficients;   ///< halfspace
  double value = 0.0;    ///< halfspace
  RowMajorMatrix matrix;  ///< affine
  Vector values;         ///< affine
  std::vector<SetData> sets;  ///< intersection, product
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
};

/// Reads a problem file and all it names.  Throws InputError.
ProblemData read_problem(const std::filesystem::path& file);
/// Makes the solver's objects.
Problem build_problem(const ProblemData& data);
/// Writes PROBLEM.toml and its data files into a directory (created if needed), atomically file by file.
void write_problem(const ProblemData& data, const std::filesystem::path& directory, const std::string& comment);
/// 16 hexadecimal digits over everything that defines the mathematics (not accuracy, not method).
std::string fingerprint(const ProblemData& data);

}  // namespace fcbio::io
