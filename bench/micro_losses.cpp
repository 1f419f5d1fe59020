// bench_losses: nanoseconds per row of the logistic loss as the solver calls it, beside a plain loop over the
// standard library's exp and log1p, on one thread; 10,000 rows, in cache, |u| mostly below 20.
#include <cmath>
#include <cstdio>
#include <random>

#include "fcbio/loss.hpp"
#include "timing.hpp"

namespace {

using namespace fcbio;
using namespace fcbio::bench;

constexpr Index kRows = 10000;
constexpr int kCalls = 100;
constexpr int kRepeats = 9;

template <class Ours, class Standard>
void report(const char* name, const Ours& ours, const Standard& standard) {
  const auto nanoseconds = [](const auto& body) {
    const double seconds = best_seconds(kRepeats, [&body] {
      for (int call = 0; call < kCalls; ++call) body();
    });
    return seconds * 1e9 / static_cast<double>(kCalls * kRows);
  };
  const double mine = nanoseconds(ours);
  const double theirs = nanoseconds(standard);
  std::printf("%-12s %8.2f %8.2f %8.1f x\n", name, mine, theirs, theirs / mine);
}

}  // namespace

int main() {
  std::mt19937_64 engine(1);
  std::normal_distribution<double> normal(0.0, 6.0);
  const Vector u = Vector::NullaryExpr(kRows, [&](Index) { return normal(engine); });
  const Vector b = Vector::NullaryExpr(kRows, [&](Index) { return engine() % 2 == 0 ? 1.0 : -1.0; });
  const LossPtr loss = logistic_loss(b);
  Vector out(kRows), dual(kRows);
  loss->derivative(u, dual);
  volatile double sink = 0.0;
  std::printf("%-12s %8s %8s\n", "ns per row", "ours", "std");
  report(
      "value", [&] { sink = loss->value(u); },
      [&] {
        double sum = 0.0;
        for (Index i = 0; i < kRows; ++i) {
          const double z = b[i] * u[i];
          sum += std::max(0.0, -z) + std::log1p(std::exp(-std::abs(z)));
        }
        sink = sum;
      });
  report(
      "derivative", [&] { loss->derivative(u, out); },
      [&] {
        for (Index i = 0; i < kRows; ++i) {
          const double e = std::exp(-std::abs(u[i]));
          out[i] = -b[i] * ((b[i] * u[i] > 0.0 ? e : 1.0) / (1.0 + e));
        }
      });
  report(
      "curvature", [&] { loss->curvature(u, out); },
      [&] {
        for (Index i = 0; i < kRows; ++i) {
          const double e = std::exp(-std::abs(u[i]));
          out[i] = e / ((1.0 + e) * (1.0 + e));
        }
      });
  report(
      "conjugate", [&] { sink = loss->conjugate(dual); },
      [&] {
        double sum = 0.0;
        for (Index i = 0; i < kRows; ++i) {
          const double p = -b[i] * dual[i];
          sum += (p > 0.0 ? p * std::log(p) : 0.0) + (p < 1.0 ? (1.0 - p) * std::log1p(-p) : 0.0);
        }
        sink = sum;
      });
  return 0;
}
