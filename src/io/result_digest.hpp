// One number over all that a result says, its .npy files included: a result that was changed after it was written,
// by accident or by hand, is told from one that was not.  Whoever wants to deceive can compute it anew.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "fcbio/types.hpp"

namespace fcbio::io {

class ResultDigest {
 public:
  /// The numbers of a file that the result names.
  void add_file(const std::string& name, const Vector& numbers);
  /// 16 hexadecimal digits over the result but for its fields "digest", "seconds" and "parallel", and over the files.  Order of keys, spaces
  /// and the way a number is written (1, 1.0, 1e0) do not matter.
  std::string of(const nlohmann::json& result) const;

 private:
  std::map<std::string, std::uint64_t> files_;
};

}  // namespace fcbio::io
