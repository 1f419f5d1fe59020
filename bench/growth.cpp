// bench_growth: how time and memory grow with the data.  Synthetic sparse rows (75 numbers each, 47,000 columns)
// with 1e7 and 1e8 stored numbers, as the lower level of a minimum-norm logistic problem in a ball.
//
// Bars: time per product and stored number grows by at most 1.3 from the smallest to the largest; the peak of
// memory while the map is made, and while it is solved, is at most 2.3 times the compressed sparse rows (12 bytes
// a number, 8 a row) plus a few vectors.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "fcbio/method.hpp"
#include "timing.hpp"

namespace {

using namespace fcbio;
using namespace fcbio::bench;

constexpr Index kColumns = 47000;
constexpr Index kInRow = 75;
constexpr double kMostGrowth = 1.3;
constexpr double kMostMemory = 2.3;
constexpr std::int64_t kSolvePasses = 160;  // most of them find the norm of the data

/// A line of /proc/self/status in bytes; 0: not known here.
double status_bytes(const std::string& field) {
  std::ifstream file("/proc/self/status");
  std::string word;
  while (file >> word)
    if (word == field + ":") {
      double kilobytes = 0.0;
      file >> kilobytes;
      return 1024.0 * kilobytes;
    }
  return 0.0;
}

void forget_peak() { std::ofstream("/proc/self/clear_refs") << 5; }

double available_bytes() {
  std::ifstream file("/proc/meminfo");
  std::string word;
  while (file >> word)
    if (word == "MemAvailable:") {
      double kilobytes = 0.0;
      file >> kilobytes;
      return 1024.0 * kilobytes;
    }
  return 0.0;
}

struct Measured {
  double forward = 0.0, transposed = 0.0, solve = 0.0;  ///< nanoseconds per product and stored number
  double made = 0.0, kept = 0.0, solved = 0.0;          ///< bytes over those of the rows
};

Measured measure(Index nonzeros, int repeats) {
  const Index rows = nonzeros / kInRow;
  const double count = static_cast<double>(rows * kInRow);
  const double row_bytes = 12.0 * count + 8.0 * static_cast<double>(rows);
  const double before = status_bytes("VmRSS");
  forget_peak();
  Measured measured;
  const LinearMapPtr map = sparse_map(random_rows(rows, kColumns, kInRow));
  measured.made = (status_bytes("VmHWM") - before) / row_bytes;
  measured.kept = (status_bytes("VmRSS") - before) / row_bytes;

  const Vector x = Vector::LinSpaced(kColumns, -0.01, 0.01);
  Vector image(rows), gradient = Vector::Zero(kColumns);
  measured.forward = best_seconds(repeats, [&] { map->apply(x, image); }) * 1e9 / count;
  measured.transposed = best_seconds(repeats, [&] { map->add_transpose(1e-9, image, gradient); }) * 1e9 / count;

  Vector labels(rows);
  for (Index i = 0; i < rows; ++i) labels[i] = image[i] < 0.0 ? -1.0 : 1.0;
  const Problem problem(squared_norm(Vector::Zero(kColumns)),
                        (1.0 / static_cast<double>(rows)) * logistic(map, std::move(labels)),
                        ball(Vector::Zero(kColumns), 10.0));
  forget_peak();
  SolveOptions options;
  options.limits.passes = kSolvePasses;
  options.accuracy = {1e-9, 1e-9};
  const Result result = solve(problem, options);
  measured.solve = result.solve_seconds * 1e9 / (count * static_cast<double>(result.work.passes()));
  measured.solved = (status_bytes("VmHWM") - before) / row_bytes;
  std::printf("%12.0f %10.0f %8.3f %8.3f %8.3f %9.2f %9.2f %9.2f\n", count, row_bytes * 1e-6, measured.forward,
              measured.transposed, measured.solve, measured.made, measured.kept, measured.solved);
  std::fflush(stdout);
  return measured;
}

}  // namespace

int main(int count, char** values) {
  const int threads = count > 1 ? std::atoi(values[1]) : 1;
  const double largest = count > 2 ? std::atof(values[2]) : 1e8;
  if (threads < 1 || largest < 1e7 || count > 3) {
    std::fprintf(stderr, "usage: bench_growth [THREADS [LARGEST]]   (default 1 thread, 1e8 stored numbers)\n");
    return 2;
  }
  const ThreadScope scope(threads);
  std::vector<Index> sizes{10000000};
  // About 40 bytes a number at the peak, with room for others.
  double most = largest;
  while (available_bytes() > 0.0 && 40.0 * most > 0.8 * available_bytes()) most /= 2.0;
  if (most < largest) std::printf("memory allows %.3g stored numbers instead of %.3g\n", most, largest);
  if (most > 3e7) sizes.push_back(static_cast<Index>(3e7));
  sizes.push_back(static_cast<Index>(most));
  std::printf("%12s %10s %8s %8s %8s %9s %9s %9s\n", "numbers", "rows MB", "ns M x", "ns M'r", "ns solve",
              "x making", "x kept", "x solving");
  std::vector<Measured> all;
  for (const Index size : sizes) all.push_back(measure(size, 7));
  const auto growth = [&all](double Measured::*part) { return all.back().*part / (all.front().*part); };
  const double time = std::max(growth(&Measured::forward), growth(&Measured::transposed));
  const double memory = std::max(all.back().made, all.back().solved);
  std::printf("time per number grows %.2f (M x), %.2f (M'r), %.2f (solve); bar %.1f: %s\n",
              growth(&Measured::forward), growth(&Measured::transposed), growth(&Measured::solve), kMostGrowth,
              time <= kMostGrowth ? "MET" : "MISSED");
  std::printf("memory %.2f of the rows; bar %.1f: %s\n", memory, kMostMemory,
              memory <= kMostMemory ? "MET" : "MISSED");
  return time <= kMostGrowth && memory <= kMostMemory ? 0 : 1;
}
