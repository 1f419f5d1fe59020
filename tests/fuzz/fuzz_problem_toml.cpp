#include "fuzz_check.hpp"
#include "io/problem_text.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fcbio;
  using namespace fcbio::io;
  try {
    const ProblemData problem = parse_problem({fuzz::text_of(data, size), "fuzz/PROBLEM.toml"});
    fuzz::require(problem.dimension > 0 && problem.domain.dimension == problem.dimension);
    fuzz::require(!problem.upper.empty() && !problem.lower.empty());
    for (const auto* terms : {&problem.upper, &problem.lower}) {
      for (const TermData& term : *terms) {
        fuzz::require(term.weight >= 0.0 && std::isfinite(term.weight));
        if (term.data) fuzz::require(term.data->cols() == problem.dimension);
        if (term.data) fuzz::require(term.data->rows() > 0);
        fuzz::require(term.vector.size() == 0 || term.vector.size() == problem.dimension);
        fuzz::require(term.vector.allFinite() && term.target.allFinite());
      }
    }
    fuzz::require(fingerprint(problem).size() == 16);
  } catch (const InputError&) {
  }
  return 0;
}
