// Minimum norm: f = 1/2 |x|^2 over the minimisers of g = 1/2 |Ax - b|^2 in the ball of radius 2.  Gaussian data,
// synthetic page views (ill-conditioned), and the bus passengers of Montevideo.
//
// Closed form, when |A+ b| <= 2:  f* = |A+ b|^2/2,  g* = |b - A A+ b|^2/2, by a singular value decomposition.  The
// singular values of these data fall off at a gap or not at all, so the numerical rank is clear.
#include <fmt/format.h>

#include <Eigen/SVD>
#include <stdexcept>

#include "catalogue/builders.hpp"
#include "io/data_file.hpp"
#include "suite_problems.hpp"

namespace fcbio::bench {
namespace {

constexpr double kRadius = 2.0;
constexpr std::uint64_t kSeed = 1;
// Seeds 1 to 6 give conditions of A A' between 5e7 and 7e8; this one, 5e8, is somewhat harder than the 2.4e8 of
// the instance the bar was set on.
constexpr std::uint64_t kPageViewSeed = 6;

/// Tells f* and g*, and in the summary the condition number of A A' on its range.
void add_closed_form(BenchProblem& problem) {
  const auto& lower = std::get<data::LeastSquares>(problem.data.lower.front().kind);
  const auto& a = std::get<RowMajorMatrix>(lower.data.matrix);
  const Eigen::BDCSVD<Eigen::MatrixXd> svd(Eigen::MatrixXd(a), Eigen::ComputeThinU | Eigen::ComputeThinV);
  const Vector s = svd.singularValues();
  const double smallest = s[0] * 1e-12 * static_cast<double>(a.cols());
  Index rank = 0;
  while (rank < s.size() && s[rank] > smallest) ++rank;
  const Vector coordinates = (svd.matrixU().leftCols(rank).transpose() * lower.target).cwiseQuotient(s.head(rank));
  const Vector x = svd.matrixV().leftCols(rank) * coordinates;
  const double condition = (s[0] / s[rank - 1]) * (s[0] / s[rank - 1]);
  problem.summary +=
      fmt::format("; rank {}, condition of A A' {:.2g}, |A+ b| = {:.4g}", rank, condition, x.norm());
  if (x.norm() > kRadius) return;
  const double scale = x.norm() * s[0] / s[rank - 1];
  problem.reference = Reference{0.5 * x.squaredNorm(), 0.5 * (a * x - lower.target).squaredNorm(),
                                100.0 * kEpsilon * x.norm() * scale, "closed form A+ b"};
}

BenchProblem minimum_norm(std::string name, std::string summary, data::Problem data) {
  BenchProblem problem;
  problem.name = std::move(name);
  problem.summary = std::move(summary);
  problem.data = std::move(data);
  problem.paper_options = minimum_norm_settings();
  add_closed_form(problem);
  return problem;
}

BenchProblem gaussian(const BenchContext&) {
  BenchProblem problem =
      minimum_norm("min-norm-gaussian", fmt::format("400 x 729 Gaussian, ball {}, seed {}", kRadius, kSeed),
                   catalogue::find_entry("min-norm-gaussian").make({}, kSeed).data);
  problem.cases = {{{1e-4, 1e-4}}, {{1e-6, 1e-6}, 440}};
  return problem;
}

BenchProblem page_views(const BenchContext&) {
  BenchProblem problem =
      minimum_norm("min-norm-page-views",
                   fmt::format("400 x 729 synthetic page views, ball {}, seed {}", kRadius, kPageViewSeed),
                   catalogue::find_entry("min-norm-wikipedia").make({}, kPageViewSeed).data);
  problem.cases = {{{1e-4, 1e-4}}, {{1e-6, 1e-6}, 1340, 100.0}};
  return problem;
}

/// Rows in the order of the seeded permutation, the first 400; the last column is b; numbers as they are in the
/// file.
BenchProblem montevideo(const BenchContext& context) {
  constexpr Index kRows = 400;
  const io::DataFile file = io::read_data_file(context.data_folder / "montevideo_bus_675x744.csv.xz");
  const auto* table = std::get_if<RowMajorMatrix>(&file.matrix.matrix);
  if (table == nullptr || table->rows() < kRows || table->cols() < 2)
    throw std::runtime_error("montevideo: expected a dense table of at least 400 rows and 2 columns");
  catalogue::Random random(kSeed);
  const std::vector<Index> order = random.permutation(table->rows());
  const Index n = table->cols() - 1;
  RowMajorMatrix a(kRows, n);
  Vector b(kRows);
  for (Index i = 0; i < kRows; ++i) {
    const Index row = order[static_cast<std::size_t>(i)];
    a.row(i) = table->row(row).head(n);
    b[i] = (*table)(row, n);
  }
  data::Problem data = catalogue::assemble(
      catalogue::ball_set(n, kRadius), catalogue::squared_norm_term_data(Vector::Zero(n)),
      catalogue::data_term("least-squares", {std::move(a)}, std::move(b), false), Accuracy{1e-6, 1e-6});
  data.start = random.unit_vector(n);
  BenchProblem problem = minimum_norm(
      "montevideo",
      fmt::format("{} x {} bus passengers, ball {}, rows shuffled by seed {}", kRows, n, kRadius, kSeed),
      std::move(data));
  problem.cases = {{{1e-4, 1e-4}}, {{1e-6, 1e-6}, 2000, 100.0}};
  problem.paper_stalls_above = 1e-4;
  return problem;
}

}  // namespace

std::vector<ProblemEntry> minimum_norm_problems() {
  return {{"min-norm-gaussian", "", gaussian},
          {"min-norm-page-views", "", page_views},
          {"montevideo", "montevideo_bus_675x744.csv.xz", montevideo}};
}

}  // namespace fcbio::bench
