// A result from a stranger, checked against one honest problem.  A result that passes is one the checker
// re-proved; here only crashes and strange exceptions count.
#include "checker.hpp"
#include "claims/claims.hpp"
#include "fuzz_check.hpp"
#include "io/problem_text.hpp"
#include "io/result_json.hpp"

namespace {

constexpr const char* kProblem = R"(
[domain]
set = "ball"
radius = 2.0
[upper]
function = "squared-norm"
[[lower]]
function = "least-squares"
data = [[1.0, 2.0, 0.5], [0.3, -1.0, 2.0]]
target = [1.0, -0.7]
[[lower]]
function = "logistic"
data = [[1.0, 0.2, 0.1], [0.5, -1.0, 1.0], [-1.0, 0.3, 0.2]]
target = [1.0, -1.0, 1.0]
weight = 0.1
)";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fcbio;
  using namespace fcbio::io;
  static const data::Problem problem = parse_problem({kProblem, "fuzz/PROBLEM.toml"});
  static const std::string name = data::fingerprint(problem);
  try {
    const StoredResult stored = parse_result({fuzz::text_of(data, size), "fuzz/result.json"});
    fuzz::require(stored.digest_found.size() == 16 && stored.x.size() == stored.dimension);
    verify::Claims claims = claims::claims_of(stored);
    claims.record->known_methods = {"fcbio"};
    const verify::VerifyReport report = verify::verify(problem, claims, name);
    fuzz::require(!report.lines.empty() && verify::to_text(report).back() == '\n');
  } catch (const InputError&) {
  }
  return 0;
}
