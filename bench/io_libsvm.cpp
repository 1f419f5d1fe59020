// How fast a LIBSVM text file is read, from the file (in the system's cache) to the matrix.
//   bench_io_libsvm FILE [REPEATS [THREADS]]
// Prints one line; the best of the repeats counts, as everything else on the machine only adds time.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <limits>
#include <variant>

#include "fcbio/threads.hpp"
#include "io/data_file.hpp"

int main(int argument_count, char** arguments) {
  if (argument_count < 2) {
    fmt::print(stderr, "usage: {} FILE [REPEATS [THREADS]]\n", arguments[0]);
    return 2;
  }
  try {
    const std::filesystem::path file = arguments[1];
    const int repeats = argument_count > 2 ? std::max(1, std::atoi(arguments[2])) : 7;
    const fcbio::ThreadScope scope(argument_count > 3 ? std::max(1, std::atoi(arguments[3])) : 1);
    double best = std::numeric_limits<double>::infinity();
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::int64_t nonzeros = 0;
    for (int repeat = 0; repeat < repeats; ++repeat) {
      const auto start = std::chrono::steady_clock::now();
      const fcbio::io::DataFile data = fcbio::io::read_data_file(file);
      const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
      best = std::min(best, seconds.count());
      const auto& matrix = std::get<fcbio::CsrMatrix>(data.matrix.matrix);
      rows = matrix.rows;
      columns = matrix.cols;
      nonzeros = matrix.nonzeros();
    }
    const double megabytes = static_cast<double>(std::filesystem::file_size(file)) / 1e6;
    fmt::print("{} rows {} columns {} nonzeros {:.6f} seconds {:.1f} MB/s\n", rows, columns, nonzeros, best,
               megabytes / best);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
  return 0;
}
