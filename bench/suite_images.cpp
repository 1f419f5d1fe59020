// Data with the shape and the spectrum of images: 28 x 28 pixels in [0, 1] in steps of 1/255, each row six round spots
// of random place, width and strength in the middle.  Neighbouring pixels are nearly equal and the corners always 0, so
// that A'A has some zero columns and, apart from them, eigenvalues over ten orders of magnitude.  Labels: on which side
// of a curved boundary the places of four spots lie, with noise.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "catalogue/builders.hpp"
#include "suite_problems.hpp"

namespace fcbio::bench {
namespace {

constexpr Index kSide = 28, kPixels = kSide * kSide;
constexpr Index kTraining = 20000, kValidation = 5000;

struct Images {
  RowMajorMatrix pixels;
  Vector labels;
};

Images images(Index rows, std::uint64_t seed) {
  constexpr std::size_t kSpots = 6;
  catalogue::Random random(seed);
  Images made{RowMajorMatrix::Zero(rows, kPixels), Vector(rows)};
  for (Index i = 0; i < rows; ++i) {
    std::array<double, kSpots> right{}, down{};
    for (std::size_t k = 0; k < kSpots; ++k) {
      right[k] = random.uniform(7.0, 21.0);
      down[k] = random.uniform(7.0, 21.0);
      const double width = random.uniform(0.9, 2.5), strength = random.uniform(0.4, 1.0);
      std::array<double, static_cast<std::size_t>(kSide)> across{}, along{};
      for (std::size_t p = 0; p < across.size(); ++p) {
        const auto place = static_cast<double>(p);
        across[p] = std::exp(-(place - right[k]) * (place - right[k]) / (2.0 * width * width));
        along[p] = std::exp(-(place - down[k]) * (place - down[k]) / (2.0 * width * width));
      }
      for (Index p = 0; p < kPixels; ++p)
        made.pixels(i, p) +=
            strength * across[static_cast<std::size_t>(p % kSide)] * along[static_cast<std::size_t>(p / kSide)];
    }
    for (Index p = 0; p < kPixels; ++p)
      made.pixels(i, p) = std::round(255.0 * std::min(1.0, made.pixels(i, p))) / 255.0;
    const double side = right[0] - down[1] + (right[2] - 14.0) * (down[3] - 14.0) / 8.0 + 2.0 * random.normal();
    made.labels[i] = side > 0.0 ? 1.0 : -1.0;
  }
  return made;
}

data::Term mean_loss(const std::string& loss, Index rows, std::uint64_t seed) {
  Images made = images(rows, seed);
  return catalogue::data_term(loss, {std::move(made.pixels)}, std::move(made.labels), true);
}

data::Set set_of(const std::string& kind) {
  if (kind == "box") return catalogue::box_set(Vector::Constant(kPixels, -1.0), Vector::Ones(kPixels));
  if (kind == "ball") return catalogue::ball_set(kPixels, 10.0);
  return {data::NonnegativeBall{10.0}, kPixels};
}

data::Term upper_of(const std::string& upper, const std::string& loss) {
  if (upper == "squared-norm") return catalogue::squared_norm_term_data(Vector::Zero(kPixels));
  if (upper == "l1-norm")
    return catalogue::l1_norm_term_data(Vector::Zero(kPixels), 1.0 / static_cast<double>(kPixels));
  return mean_loss(loss, kValidation, 2);
}

ProblemEntry entry(const std::string& upper, const std::string& loss, const std::string& set, bool smooth) {
  const std::string name = fmt::format("image-{}-{}-{}", upper, loss, set);
  return {name, "", [=](const BenchContext&) {
            BenchProblem problem;
            problem.name = name;
            problem.summary =
                fmt::format("{} over mean {}, image-like {} x {}, {}", upper, loss, kTraining, kPixels, set);
            problem.data = catalogue::assemble(set_of(set), upper_of(upper, loss), mean_loss(loss, kTraining, 1),
                                               Accuracy{1e-3, 1e-3});
            problem.paper_method.clear();  // cut off after minutes, far from the accuracy
            if (smooth)
              problem.cases = {{{1e-3, 1e-3}, 0, 0.0, 10.0}, {{1e-6, 1e-6}, 0, 0.0, 20.0}};
            else
              problem.cases = {{{1e-3, 1e-3}, 0, 0.0, 60.0}};
            return problem;
          }};
}

}  // namespace

std::vector<ProblemEntry> image_problems() {
  std::vector<ProblemEntry> all;
  for (const std::string loss : {"logistic", "squared-hinge", "least-squares"})
    for (const std::string set : {"ball", "box", "nonnegative-ball"}) {
      for (const std::string upper : {"squared-norm", "validation"}) all.push_back(entry(upper, loss, set, true));
      all.push_back(entry("l1-norm", loss, set, false));
    }
  for (const std::string loss : {"hinge", "absolute"})
    for (const std::string upper : {"squared-norm", "validation", "l1-norm"})
      all.push_back(entry(upper, loss, "ball", false));
  return all;
}

}  // namespace fcbio::bench
