#include "kinds.hpp"

#include "fcbio/eigen_sparse.hpp"

namespace fcbio::adversary {

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> table = {
      {"planted", make_planted},     {"plain", make_plain},
      {"affine", make_affine},       {"cap", make_cap},
      {"lens", make_lens},           {"wedge", make_wedge},
      {"polytope", make_polytope},   {"polyhedral", make_polyhedral},
      {"quadratic", make_quadratic}, {"told", make_told},
      {"computed", make_computed},   {"tight", make_tight},
      {"extreme", make_extreme},     {"sane", make_sane},
  };
  return table;
}

namespace {

struct Sparsifier {
  void operator()(const data::DataField&, data::Matrix& data) const { make_sparse(data); }
  void operator()(const data::SquareMatrixField&, data::Matrix& matrix) const { make_sparse(matrix); }
  template <class Field, class Member>
  void operator()(const Field&, Member&) const {}

  static void make_sparse(data::Matrix& matrix) {
    const Eigen::SparseMatrix<double, Eigen::RowMajor> sparse =
        std::get<RowMajorMatrix>(matrix.matrix).sparseView();
    matrix.matrix = to_csr(sparse);
  }
};

void make_sparse(data::Problem& data) {
  for (auto* terms : {&data.upper, &data.lower})
    for (data::Term& term : *terms)
      std::visit([](auto& kind) { data::for_each_field(kind, Sparsifier{}); }, term.kind);
}

}  // namespace

HostileProblem make_problem(const Kind& kind, std::uint64_t seed, std::uint64_t index) {
  std::uint64_t name = 1469598103934665603u;
  for (const char letter : kind.name) name = (name ^ static_cast<unsigned char>(letter)) * 1099511628211u;
  Dice dice(name ^ (seed * 0x9E3779B97F4A7C15u) ^ (index * 0xD1342543DE82EF95u + 1));
  HostileProblem problem = kind.make(dice);
  problem.kind = kind.name;
  if (dice.chance(0.15)) make_sparse(problem.data);
  return problem;
}

}  // namespace fcbio::adversary
