// What a pass costs on the ranks of a job, for bench/mpi, which runs this under mpirun:
//   bench_mpi_passes [REPEATS]
// Prints JSON on rank 0, seconds each, of the slowest rank, the best of the repeats:
//   triad        a <- b + 3 c over vectors that are shared between the ranks, out of cache
//   passes       the image of a point and the gradient there (two passes) of least squares over rows that are shared
//                between the ranks, in cache and out of it; `shards` of them, with as many vectors to add up
//   vectors      adding up vectors of the ranks, one shard each: the collective call of a gradient
//   numbers      adding up a number of each rank: the collective call of a value
#include <fmt/format.h>

#include <cstdlib>
#include <exception>

#include "build/problem.hpp"
#include "data/row_shards.hpp"
#include "parallel/shard_sum.hpp"
#include "timing.hpp"

namespace {

using namespace fcbio;
using parallel::Communicator;

/// Of the slowest rank; all begin together.
template <class Body>
double slowest(Communicator& ranks, int repeats, const Body& body) {
  double best = kInfinity;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    parallel::said_by_all(ranks, repeat);
    const std::vector<double> all = parallel::said_by_all(ranks, bench::best_seconds(1, body));
    best = std::min(best, *std::max_element(all.begin(), all.end()));
  }
  return best;
}

double triad(Communicator& ranks, int repeats) {
  constexpr Index kEntries = Index{3} << 23;  // 600 MB in all
  bench::Triad triad(kEntries / ranks.ranks());
  triad.run();
  return slowest(ranks, repeats, [&] { triad.run(); });
}

struct Case {
  const char* name;
  data::Matrix rows;
};

std::string pass(Case data, Communicator& ranks, int repeats) {
  const Index rows = data.rows.rows(), cols = data.rows.cols();
  const Index numbers = data.rows.is_sparse() ? static_cast<Index>(data.rows.starts().back()) : rows * cols;
  const auto shards = static_cast<Index>(data::cut_rows(data.rows).size()) - 1;
  data::Problem plain;
  plain.dimension = cols;
  plain.domain = {data::Ball{1.0, Vector::Zero(cols)}, cols};
  plain.upper.push_back({data::SquaredNorm{Vector::Zero(cols)}});
  plain.lower.push_back({data::LeastSquares{std::move(data.rows), Vector::Ones(rows)}});
  const Problem problem = build::make_problem(std::move(plain), ranks);
  const Function& g = problem.lower();
  const Vector x = Vector::Constant(cols, 0.01);
  PartVectors images = g.make_images(), duals = g.make_duals();
  Vector gradient(cols);
  const int count = numbers < 1'000'000 ? 50 : 1;
  const double seconds = slowest(ranks, repeats, [&] {
    for (int k = 0; k < count; ++k) {
      g.images(x, images);
      g.gradient(x, images, duals, gradient);
    }
  });
  return fmt::format(R"({{"name": "{}", "numbers": {}, "rows": {}, "cols": {}, "shards": {}, "seconds": {}}})",
                     data.name, numbers, rows, cols, shards, seconds / count);
}

std::string vector_sum(Index size, Communicator& ranks, int repeats) {
  const parallel::ShardSum sum(ranks, ranks.ranks());
  Vector total(size);
  const int count = size < 100'000 ? 50 : 2;
  const double seconds = slowest(ranks, repeats, [&] {
    for (int k = 0; k < count; ++k) sum.add_up([](Index, VectorOut out) { out.setOnes(); }, total);
  });
  return fmt::format(R"({{"size": {}, "seconds": {}}})", size, seconds / count);
}

double number_sum(Communicator& ranks, int repeats) {
  const parallel::ShardSum sum(ranks, ranks.ranks());
  constexpr int kCount = 200;
  return slowest(ranks, repeats,
                 [&] {
                   for (int k = 0; k < kCount; ++k)
                     sum.gather(1, [](Index, VectorOut column) { column[0] = 1.0; });
                 }) /
         kCount;
}

RowMajorMatrix dense_rows(Index rows, Index cols) {
  RowMajorMatrix matrix(rows, cols);
  for (Index i = 0; i < matrix.size(); ++i) matrix.data()[i] = 1e-3 * static_cast<double>(i % 1009);
  return matrix;
}

void measure(int repeats) {
  Communicator& ranks = parallel::world();
  const double triad_seconds = triad(ranks, repeats);
  std::string passes, vectors;
  const auto add = [](std::string& list, const std::string& entry) {
    list += (list.empty() ? "" : ",\n  ") + entry;
  };
  add(passes, pass({"dense, in cache", {dense_rows(300, 100)}}, ranks, repeats));
  add(passes, pass({"sparse, in cache", {bench::random_rows(2400, 500, 20)}}, ranks, repeats));
  add(passes, pass({"dense, out of cache", {dense_rows(24'000, 1'000)}}, ranks, repeats));
  add(passes, pass({"sparse, out of cache", {bench::random_rows(240'000, 10'000, 80)}}, ranks, repeats));
  for (const Index size : {1'000, 10'000, 100'000, 1'000'000, 4'000'000})
    add(vectors, vector_sum(size, ranks, repeats));
  const double number_seconds = number_sum(ranks, repeats);
  if (ranks.rank() == 0)
    fmt::print("{{\"ranks\": {}, \"triad\": {},\n \"passes\": [{}],\n \"vectors\": [{}],\n \"numbers\": {}}}\n",
               ranks.ranks(), triad_seconds, passes, vectors, number_seconds);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    measure(argc > 1 ? std::atoi(argv[1]) : 5);
    parallel::leave_world();
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_mpi_passes: error: {}\n", error.what());
    return 2;
  }
}
