#include "fuzz_check.hpp"
#include "io/problem_text.hpp"

namespace {

using namespace fcbio;

/// Whether the fields of a function are those of a problem with n variables.
struct SoundFields {
  Index n;

  void operator()(const data::DataField&, const data::Matrix& data) const { require_columns(data); }
  void operator()(const data::SquareMatrixField&, const data::Matrix& matrix) const { require_columns(matrix); }
  void operator()(const data::TargetField&, const Vector& target) const { io::fuzz::require(target.allFinite()); }
  void operator()(const data::VectorField&, const Vector& vector) const {
    io::fuzz::require((vector.size() == 0 || vector.size() == n) && vector.allFinite());
  }
  void operator()(const data::AverageField&, const bool&) const {}
  void operator()(const data::NumberField&, const double&) const {}

  void require_columns(const data::Matrix& matrix) const {
    io::fuzz::require(matrix.cols() == n && matrix.rows() > 0);
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fcbio::io;
  try {
    const data::Problem problem = parse_problem({fuzz::text_of(data, size), "fuzz/PROBLEM.toml"});
    fuzz::require(problem.dimension > 0 && problem.domain.dimension == problem.dimension);
    fuzz::require(!problem.upper.empty() && !problem.lower.empty());
    for (const auto* terms : {&problem.upper, &problem.lower}) {
      for (const data::Term& term : *terms) {
        fuzz::require(term.weight >= 0.0 && std::isfinite(term.weight));
        std::visit([&](const auto& kind) { data::for_each_field(kind, SoundFields{problem.dimension}); },
                   term.kind);
      }
    }
    fuzz::require(data::fingerprint(problem).size() == 16);
  } catch (const InputError&) {
  }
  return 0;
}
