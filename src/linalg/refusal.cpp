// The texts of refusal.hpp.
#include "linalg/refusal.hpp"

#include <limits>
#include <sstream>

#include "fcbio/error.hpp"

namespace fcbio {

void refuse(const std::string& who, const std::string& expected, const std::string& found,
            const std::string& remedy) {
  throw InvalidArgument(who + ": expected " + expected + ", found " + found + "; " + remedy);
}

std::string shape_text(Index rows, Index cols) { return std::to_string(rows) + " x " + std::to_string(cols); }

void require_shape(const std::string& who, Index rows, Index cols) {
  if (rows < 1 || cols < 1) {
    refuse(who, "at least one row and one column", shape_text(rows, cols), "give data that is not empty");
  }
  constexpr Index kLargest = std::numeric_limits<std::int32_t>::max();
  if (rows > kLargest || cols > kLargest) {
    refuse(who, "at most 2147483647 rows and columns", shape_text(rows, cols), "split the data");
  }
}

void refuse_number(const std::string& who, Index row, Index col, double value) {
  std::ostringstream found;
  found << value << " at row " << row << ", column " << col << " (counted from 0)";
  refuse(who, "finite numbers", found.str(), "remove or repair that entry");
}

void refuse_product(const LinearMap& map, const char* product, Index input, Index output) {
  const bool forward = std::string(product) == "apply";
  const Index expected_input = forward ? map.cols() : map.rows();
  const Index expected_output = forward ? map.rows() : map.cols();
  refuse(std::string(product) + " of a " + shape_text(map.rows(), map.cols()) + " map",
         "an input of " + std::to_string(expected_input) + " and an output of " + std::to_string(expected_output) +
             " numbers",
         std::to_string(input) + " and " + std::to_string(output), "resize the vectors before the product");
}

}  // namespace fcbio
