// The model of documents.hpp.
#include "catalogue/documents.hpp"

#include <algorithm>
#include <cmath>

namespace fcbio::catalogue {
namespace {

constexpr double kMeanDraws = 75.0;
constexpr double kFewestDraws = 8.0;
constexpr double kLabelNoise = 0.06;  // of the standard deviation of the scores

double median(std::vector<double> numbers) {
  std::sort(numbers.begin(), numbers.end());
  const std::size_t half = numbers.size() / 2;
  return numbers.size() % 2 == 1 ? numbers[half] : 0.5 * (numbers[half - 1] + numbers[half]);
}

}  // namespace

Vector random_topic(Index words, Random& random) {
  Vector topic(words);
  for (Index j = 0; j < words; ++j) {
    const double number = random.normal();
    topic[j] = random.uniform() < 0.3 ? number : 0.0;
  }
  return topic;
}

Documents documents(Index count, const Vector& topic, Random& random) {
  const auto words = static_cast<std::size_t>(topic.size());
  std::vector<double> cumulative(words);
  double total = 0.0;
  for (std::size_t j = 0; j < words; ++j) cumulative[j] = total += std::pow(static_cast<double>(j + 1), -0.9);
  const auto rarity = [&](std::size_t j) {  // inverse document frequency
    const double probability = std::pow(static_cast<double>(j + 1), -0.9) / total;
    return std::log(1.0 + 1.0 / (200.0 * probability));
  };

  Documents result;
  CsrMatrix& matrix = result.words;
  matrix.rows = count;
  matrix.cols = topic.size();
  matrix.starts.push_back(0);
  std::vector<double> scores;
  for (Index i = 0; i < count; ++i) {
    const double draws = std::max(kFewestDraws, std::floor(kMeanDraws * std::exp(0.6 * random.normal() - 0.2)));
    std::vector<std::int32_t> drawn;
    for (double k = 0.0; k < draws; k += 1.0) {
      const double place = random.uniform() * total;
      const auto at = std::upper_bound(cumulative.begin(), cumulative.end(), place);
      drawn.push_back(static_cast<std::int32_t>(std::min(at - cumulative.begin(), topic.size() - 1)));
    }
    std::sort(drawn.begin(), drawn.end());
    drawn.erase(std::unique(drawn.begin(), drawn.end()), drawn.end());

    std::vector<double> values;
    double square = 0.0;
    for (const std::int32_t j : drawn) {
      const double value = rarity(static_cast<std::size_t>(j)) * (1.0 + std::log(1.0 + random.poisson(0.6)));
      values.push_back(value);
      square += value * value;
    }
    const double norm = std::sqrt(square);
    double score = 0.0;
    for (std::size_t k = 0; k < drawn.size(); ++k) {
      values[k] /= norm;
      score += values[k] * topic[drawn[k]];
      matrix.columns.push_back(drawn[k]);
      matrix.values.push_back(values[k]);
    }
    matrix.starts.push_back(static_cast<std::int64_t>(matrix.values.size()));
    scores.push_back(score);
  }

  const double middle = median(scores);
  double variance = 0.0;
  for (const double score : scores) variance += (score - middle) * (score - middle);
  const double noise = kLabelNoise * std::sqrt(variance / static_cast<double>(count));
  result.labels.resize(count);
  for (Index i = 0; i < count; ++i) {
    const double score = scores[static_cast<std::size_t>(i)] - middle + noise * random.normal();
    result.labels[i] = score > 0.0 ? 1.0 : -1.0;
  }
  return result;
}

}  // namespace fcbio::catalogue
