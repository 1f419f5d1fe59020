// The answer itself, as a page shows it: the largest entries of x, x as a curve or an image, how well it classifies.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fcbio/types.hpp"

namespace fcbio::report {

/// How the coordinates of x are called and arranged; both may be empty.
struct Coordinates {
  std::vector<std::string> names;  ///< one each; any text
  std::vector<Index> shape;        ///< n: a curve; rows, columns: an image, row by row
};

struct Solution {
  struct Entry {
    Index index = 0;
    std::string name;  ///< empty: none
    double value = 0.0;
  };
  Index dimension = 0;
  Index nonzero = 0;
  std::vector<Entry> largest;  ///< by size, at most a dozen
  std::vector<Index> shape;    ///< as in Coordinates; empty also where x is too long to be drawn
  Vector values;               ///< all of x where there is a shape, else empty
};
/// Names and shape that do not fit x are left out.
Solution solution_of(const Vector& x, const Coordinates& coordinates);

/// How the signs of scores agree with labels -1 and +1.
struct Classifier {
  Level level = Level::upper;
  std::string name;  ///< of the function
  Index rows = 0;
  Index positives = 0;
  double accuracy = 0.0;      ///< share of rows with label * score > 0
  std::optional<double> auc;  ///< share of pairs (+1, -1) in the right order, ties half; empty: one class only
};
Classifier judge_scores(Level level, std::string name, const Vector& scores, const Vector& labels);

}  // namespace fcbio::report
