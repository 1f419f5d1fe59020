// From a result file to the checker's claims.
#pragma once

#include "claims.hpp"
#include "io/result_json.hpp"

namespace fcbio::verify {

Claims to_claims(const io::StoredResult& result);

}  // namespace fcbio::verify
