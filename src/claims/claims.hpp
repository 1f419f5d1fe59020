// From the solver's result, or a stored one, to what the independent checker takes.
#pragma once

#include <string>

#include "checker.hpp"
#include "fcbio/result.hpp"
#include "io/result_json.hpp"

namespace fcbio::claims {

verify::Claims claims_of(const Result& result, const std::string& fingerprint);
/// Record::known_methods is left to the caller.
verify::Claims claims_of(const io::StoredResult& stored);

}  // namespace fcbio::claims
