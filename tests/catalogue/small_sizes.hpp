// Parameters that make an entry small, so that naive evaluation stays quick.
#pragma once

#include <map>

#include "fcbio/options.hpp"

namespace fcbio::catalogue {

inline OptionValues small(const std::string& name) {
  static const std::map<std::string, OptionValues> sizes = {
      {"min-norm-gaussian", {{"rows", "12"}, {"columns", "30"}}},
      {"min-norm-wikipedia", {{"rows", "12"}, {"columns", "30"}}},
      {"min-norm-collinear", {{"rows", "40"}, {"features", "8"}}},
      {"elastic-net", {{"rows", "40"}, {"features", "8"}}},
      {"logistic-pair", {{"rows", "40"}, {"columns", "120"}}},
      {"logistic-min-norm", {{"rows", "60"}, {"columns", "30"}}},
      {"logistic-repeated", {{"rows", "10"}, {"columns", "30"}}},
      {"polynomial-logistic", {{"rows", "20"}, {"features", "3"}}},
      {"fair-logistic", {{"rows", "60"}, {"columns", "20"}}},
      {"regression-split", {{"rows", "50"}, {"columns", "35"}}},
      {"dictionary",
       {{"length", "6"}, {"atoms", "10"}, {"old_atoms", "8"}, {"samples", "20"}, {"new_samples", "15"}}},
      {"phillips", {{"dimension", "24"}}},
      {"foxgood", {{"dimension", "20"}}},
      {"baart", {{"dimension", "20"}}},
      {"nesterov-lasso", {{"rows", "12"}, {"columns", "30"}, {"support", "4"}}},
      {"nemirovski", {{"radius", "300"}}},
      {"hinge-documents", {{"rows", "20"}, {"columns", "30"}}},
  };
  const auto found = sizes.find(name);
  return found == sizes.end() ? OptionValues{} : found->second;
}

}  // namespace fcbio::catalogue
