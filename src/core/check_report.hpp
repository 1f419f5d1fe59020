// Collects findings: of each kind the first.
#pragma once

#include <set>

#include "fcbio/check.hpp"

namespace fcbio {

class Findings {
 public:
  /// `kind` groups findings; only the first of a kind is kept.
  void add(const std::string& kind, std::string what, std::vector<Vector> points) {
    if (!kinds_.insert(kind).second) return;
    report_.ok = false;
    report_.findings.push_back({std::move(what), std::move(points)});
  }
  bool has(const std::string& kind) const { return kinds_.contains(kind); }
  CheckReport report() && { return std::move(report_); }

 private:
  std::set<std::string> kinds_;
  CheckReport report_;
};

}  // namespace fcbio
