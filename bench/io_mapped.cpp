// What data in the binary form cost, from a file that is in the system's cache or not:
//   bench_io_mapped FILE.fcb [REPEATS]
// opening it; making it ready for products, which reads every byte of its tiles once; a pass, which is a product with M
// and one with M'; and, as the measure, reading as many bytes of the file as `cat` does.  Seconds of the clock and of the
// processor, on one thread; the best of the repeats counts, as everything else on the machine only adds time.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <limits>
#include <variant>
#include <vector>

#include "io/data_file.hpp"

namespace {

struct Seconds {
  double clock = std::numeric_limits<double>::infinity();
  double processor = std::numeric_limits<double>::infinity();
};

double processor_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

template <class Action>
Seconds best_of(int repeats, const Action& action) {
  Seconds best;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const double processor = processor_seconds();
    const auto start = std::chrono::steady_clock::now();
    action();
    best.clock =
        std::min(best.clock, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    best.processor = std::min(best.processor, processor_seconds() - processor);
  }
  return best;
}

/// The last `bytes` of the file, through one buffer.
void read_like_cat(const std::filesystem::path& file, std::uint64_t bytes) {
  static std::vector<char> buffer(std::size_t{1} << 17);
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  ::lseek(descriptor, -static_cast<off_t>(bytes), SEEK_END);
  while (::read(descriptor, buffer.data(), buffer.size()) > 0) {
  }
  ::close(descriptor);
}

void print(const char* what, const Seconds& seconds) {
  fmt::print("{:<28} {:>10.4f} s   processor {:>10.4f} s\n", what, seconds.clock, seconds.processor);
}

}  // namespace

int main(int argument_count, char** arguments) {
  if (argument_count < 2) {
    fmt::print(stderr, "usage: {} FILE.fcb [REPEATS]\n", arguments[0]);
    return 2;
  }
  try {
    using namespace fcbio;
    const std::filesystem::path file = arguments[1];
    const int repeats = argument_count > 2 ? std::max(1, std::atoi(arguments[2])) : 5;
    io::DataFile data;
    print("open", best_of(repeats, [&] { data = io::read_data_file(file); }));
    const auto* sparse = std::get_if<data::BorrowedCsr>(&data.matrix.matrix);
    if (sparse == nullptr) {
      fmt::print(stderr, "{}: expected sparse data\n", file.string());
      return 2;
    }
    LinearMapPtr map;
    print("ready for products", best_of(1, [&] { map = sparse->lender->ready_map(sparse->view.cols); }));
    Vector x = Vector::Ones(map->cols()), image(map->rows());
    const Seconds pass = best_of(repeats, [&] {
      map->apply(x, image);
      map->transpose(1.0, image, x);
      x /= x.norm();
    });
    print("a pass", pass);
    const std::uint64_t bytes = 20 * static_cast<std::uint64_t>(map->numbers());
    const Seconds cat = best_of(repeats, [&] { read_like_cat(file, bytes); });
    print("as many bytes, read", cat);
    fmt::print(
        "{} stored numbers; a pass takes {:.2f} times as long as reading its bytes, {:.2f} of the processor\n",
        map->numbers(), pass.clock / cat.clock, pass.processor / cat.processor);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
  return 0;
}
