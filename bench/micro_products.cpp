// bench_products: products with matrices that do not fit into any cache, beside a triad in the same run, with one
// and two threads.
//
// GB/s counts what a product must read and write: the numbers of the matrix, its columns and row starts where it
// is sparse, and both vectors once.  Bars: at least 70 % of the triad on the same number of threads, and at least
// 85 % of the triad's own gain from the second thread.  Also told: whether both thread counts give the same bits.
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "timing.hpp"

namespace {

using namespace fcbio;
using namespace fcbio::bench;

constexpr double kShareOfTriad = 0.70;
constexpr double kShareOfGain = 0.85;

struct Kernel {
  std::string name;
  double bytes;
  std::function<void()> run;
  std::function<Vector()> answer;  ///< of the last run
};

struct Speed {
  double one = 0.0, two = 0.0;  ///< GB/s
};

/// Best speeds of a kernel and of the triad, taken in turn so that both meet the same machine.
struct Pair {
  Speed kernel, triad;
};

Pair measure(const std::function<void()>& run, double bytes, Triad& triad, int repeats) {
  Pair pair;
  for (const int threads : {1, 2}) {
    const ThreadScope scope(threads);
    double& kernel_speed = threads == 1 ? pair.kernel.one : pair.kernel.two;
    double& triad_speed = threads == 1 ? pair.triad.one : pair.triad.two;
    for (int repeat = 0; repeat < repeats; ++repeat) {
      kernel_speed = std::max(kernel_speed, bytes / best_seconds(1, run) * 1e-9);
      triad_speed = std::max(triad_speed, triad.bytes() / best_seconds(1, [&triad] { triad.run(); }) * 1e-9);
    }
  }
  return pair;
}

bool same_bits(const Kernel& kernel) {
  kernel.run();
  const Vector one = kernel.answer();
  const ThreadScope scope(2);
  kernel.run();
  return one == kernel.answer();
}

/// Both products of a map; the vectors live as long as the kernels.
class Products {
 public:
  Products(std::string name, LinearMapPtr map, double matrix_bytes)
      : name_(std::move(name)), map_(std::move(map)), matrix_bytes_(matrix_bytes) {
    x_ = Vector::LinSpaced(map_->cols(), -1.0, 1.0);
    dual_ = Vector::LinSpaced(map_->rows(), -1.0, 1.0);
    image_ = Vector::Zero(map_->rows());
    gradient_ = Vector::Zero(map_->cols());
  }
  std::vector<Kernel> kernels() {
    const double vectors = 8.0 * static_cast<double>(map_->rows() + map_->cols());
    // The transposed product adds to its output: that is read and written.
    const double again = 8.0 * static_cast<double>(map_->cols());
    return {
        {name_ + " M x", matrix_bytes_ + vectors, [this] { map_->apply(x_, image_); }, [this] { return image_; }},
        {name_ + " M'r", matrix_bytes_ + vectors + again, [this] { map_->add_transpose(1e-3, dual_, gradient_); },
         [this] {
           Vector fresh = gradient_;
           gradient_.setZero();
           return fresh;
         }}};
  }
  void reset() { gradient_.setZero(); }

 private:
  std::string name_;
  LinearMapPtr map_;
  double matrix_bytes_;
  Vector x_, dual_, image_, gradient_;
};

int missed = 0;

void report(Products products, Triad& stream, int repeats) {
  for (const Kernel& kernel : products.kernels()) {
    products.reset();
    const bool same = same_bits(kernel);
    const auto [speed, triad] = measure(kernel.run, kernel.bytes, stream, repeats);
    const double gain = (speed.two / speed.one) / (triad.two / triad.one);
    const bool met = speed.one >= kShareOfTriad * triad.one && speed.two >= kShareOfTriad * triad.two &&
                     gain >= kShareOfGain && same;
    if (!met) ++missed;
    std::printf("%-30s %7.2f %5.0f%%  %7.2f %5.0f%%  %6.2f %6.0f%%  %7.2f %7.2f  %-4s  %s\n", kernel.name.c_str(),
                speed.one, 100.0 * speed.one / triad.one, speed.two, 100.0 * speed.two / triad.two,
                speed.two / speed.one, 100.0 * gain, triad.one, triad.two, same ? "yes" : "NO",
                met ? "MET" : "MISSED");
    std::fflush(stdout);
  }
}

double sparse_bytes(const CsrMatrix& matrix) {
  return 12.0 * static_cast<double>(matrix.nonzeros()) + 8.0 * static_cast<double>(matrix.rows);
}

Products sparse_products(const std::string& name, Index rows, Index cols, Index in_row) {
  CsrMatrix matrix = random_rows(rows, cols, in_row);
  const double bytes = sparse_bytes(matrix);
  return {name, sparse_map(std::move(matrix)), bytes};
}

}  // namespace

int main(int count, char** values) {
  const int repeats = count > 1 ? std::atoi(values[1]) : 7;
  if (repeats < 1) {
    std::fprintf(stderr, "usage: bench_products [REPEATS]   (default 7; the shortest time of each counts)\n");
    return 2;
  }
  Triad triad(Index{20} * 1000 * 1000);  // a = b + 3 c, 480 MB
  std::printf("%-30s %7s %6s  %7s %6s  %6s %7s  %7s %7s  %-4s  %s\n", "GB/s (share of the triad)", "1 thr", "",
              "2 thr", "", "gain", "of its", "triad 1", "triad 2", "same", "bars: 70 %, 85 %");
  constexpr Index kSide = 7500;  // 450 MB
  report({"dense rows 7500^2", dense_map(RowMajorMatrix(RowMajorMatrix::Constant(kSide, kSide, 0.25))),
          8.0 * kSide * kSide},
         triad, repeats);
  report({"dense columns 7500^2", dense_map(Eigen::MatrixXd(Eigen::MatrixXd::Constant(kSide, kSide, 0.25))),
          8.0 * kSide * kSide},
         triad, repeats);
  report({"dense rows 400000 x 140", dense_map(RowMajorMatrix(RowMajorMatrix::Constant(400000, 140, 0.25))),
          8.0 * 400000 * 140},
         triad, repeats);
  report(sparse_products("sparse 500000x47000, 75/row", 500000, 47000, 75), triad, repeats);
  report(sparse_products("sparse 200000x20000, 190/row", 200000, 20000, 190), triad, repeats);
  report(sparse_products("sparse 4000000x50000, 10/row", 4000000, 50000, 10), triad, repeats);
  std::printf("bars missed: %d\n", missed);
  return missed == 0 ? 0 : 1;
}
