#include "functions/check.hpp"

#include <charconv>
#include <cmath>

namespace fcbio::functions {

std::string number_text(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  return std::string(text, end);
}

void require_numbers(std::string_view who, const std::string& what, VectorIn values) {
  if (values.size() == 0) {
    refuse(std::string(who), "at least one entry in the " + what, "none", "give data that is not empty");
  }
  for (Index i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) {
      refuse(std::string(who), "finite " + what,
             number_text(values[i]) + " at entry " + std::to_string(i) + " (counted from 0)",
             "remove or repair that entry");
    }
  }
}

void require_labels(std::string_view who, VectorIn labels) {
  if (labels.size() == 0) refuse(std::string(who), "at least one label", "none", "give data that is not empty");
  for (Index i = 0; i < labels.size(); ++i) {
    if (labels[i] != 1.0 && labels[i] != -1.0) {
      refuse(std::string(who), "labels -1 and +1",
             number_text(labels[i]) + " at entry " + std::to_string(i) + " (counted from 0)",
             "map the two classes to -1 and +1");
    }
  }
}

void require_weights(std::string_view who, VectorIn weights, Index count) {
  if (weights.size() != count) {
    refuse(std::string(who), std::to_string(count) + " weights", std::to_string(weights.size()),
           "give one weight for each summand");
  }
  for (Index i = 0; i < count; ++i) {
    if (!std::isfinite(weights[i]) || weights[i] < 0.0) {
      refuse(std::string(who), "weights that are finite and >= 0",
             number_text(weights[i]) + " at entry " + std::to_string(i) + " (counted from 0)",
             "repair that weight; 0 leaves its summand out");
    }
  }
  if (weights.isZero(0.0)) {
    refuse(std::string(who), "at least one weight > 0", "zeros only", "leave the whole term out instead");
  }
}

}  // namespace fcbio::functions
