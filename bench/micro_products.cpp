// Speed of the products in bytes of matrix read per second, beside a triad a = b + s c that shows what the memory
// gives. Arguments of a dense benchmark: rows, columns; of a sparse one: rows, columns, numbers in each row.  Run
// by hand.
#include <benchmark/benchmark.h>

#include <random>

#include "fcbio/linear_map.hpp"

namespace {

using fcbio::Index;
using fcbio::Vector;

enum class Product { forward, transposed };

void run_products(benchmark::State& state, const fcbio::LinearMap& map, Product product, double bytes) {
  const Vector x = Vector::Constant(map.cols(), 0.5);
  const Vector y = Vector::Constant(map.rows(), 0.5);
  Vector image = y;
  Vector gradient = Vector::Zero(map.cols());
  for ([[maybe_unused]] auto _ : state) {
    if (product == Product::forward) {
      map.apply(x, image);
    } else {
      map.add_transpose(1e-9, y, gradient);
    }
    benchmark::ClobberMemory();
  }
  state.counters["bytes/s"] =
      benchmark::Counter(bytes, benchmark::Counter::kIsIterationInvariantRate, benchmark::Counter::kIs1000);
}

template <class Matrix>
void dense_product(benchmark::State& state, Product product) {
  const Index rows = state.range(0);
  const Index cols = state.range(1);
  const fcbio::LinearMapPtr map = fcbio::dense_map(Matrix(Matrix::Constant(rows, cols, 0.25)));
  run_products(state, *map, product, static_cast<double>(rows * cols) * sizeof(double));
}

void row_major(benchmark::State& state, Product product) { dense_product<fcbio::RowMajorMatrix>(state, product); }
void column_major(benchmark::State& state, Product product) { dense_product<Eigen::MatrixXd>(state, product); }

void sparse(benchmark::State& state, Product product) {
  fcbio::CsrMatrix matrix;
  matrix.rows = state.range(0);
  matrix.cols = state.range(1);
  const Index in_row = state.range(2);
  std::mt19937_64 engine(1);
  matrix.starts.push_back(0);
  for (Index row = 0; row < matrix.rows; ++row) {
    const Index step = matrix.cols / in_row;  // one number in each of in_row equal parts of the row
    for (Index k = 0; k < in_row; ++k) {
      const auto offset = static_cast<Index>(engine() % static_cast<std::uint64_t>(step));
      matrix.columns.push_back(static_cast<std::int32_t>(k * step + offset));
      matrix.values.push_back(0.25);
    }
    matrix.starts.push_back(static_cast<std::int64_t>(matrix.values.size()));
  }
  const double bytes = static_cast<double>(matrix.nonzeros()) * (sizeof(double) + sizeof(std::int32_t));
  run_products(state, *fcbio::sparse_map(std::move(matrix)), product, bytes);
}

void triad(benchmark::State& state) {
  const Index size = state.range(0);
  Vector a = Vector::Zero(size);
  const Vector b = Vector::Constant(size, 0.5);
  const Vector c = Vector::Constant(size, 0.25);
  for ([[maybe_unused]] auto _ : state) {
    a = b + 3.0 * c;
    benchmark::ClobberMemory();
  }
  state.counters["bytes/s"] =
      benchmark::Counter(static_cast<double>(size) * 3.0 * sizeof(double),
                         benchmark::Counter::kIsIterationInvariantRate, benchmark::Counter::kIs1000);
}

void dense_shapes(benchmark::internal::Benchmark* benchmark) {
  benchmark->Args({40, 100})->Args({400, 729})->Args({5000, 100})->Args({100, 5000})->Args({3000, 3000});
}

void sparse_shapes(benchmark::internal::Benchmark* benchmark) {
  benchmark->Args({1000, 1000, 10})->Args({20000, 5000, 40})->Args({20000, 47000, 75});
}

BENCHMARK_CAPTURE(row_major, apply, Product::forward)->Apply(dense_shapes);
BENCHMARK_CAPTURE(row_major, transpose, Product::transposed)->Apply(dense_shapes);
BENCHMARK_CAPTURE(column_major, apply, Product::forward)->Apply(dense_shapes);
BENCHMARK_CAPTURE(column_major, transpose, Product::transposed)->Apply(dense_shapes);
BENCHMARK_CAPTURE(sparse, apply, Product::forward)->Apply(sparse_shapes);
BENCHMARK_CAPTURE(sparse, transpose, Product::transposed)->Apply(sparse_shapes);
BENCHMARK(triad)->Arg(1 << 12)->Arg(1 << 18)->Arg(1 << 24);

}  // namespace

BENCHMARK_MAIN();
