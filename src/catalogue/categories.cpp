// The model of categories.hpp.
#include "catalogue/categories.hpp"

#include <algorithm>
#include <numeric>
#include <random>

namespace fcbio::catalogue {

CsrMatrix categorical_rows(Index count, Index columns, Index groups, Random& random) {
  CsrMatrix matrix;
  matrix.rows = count;
  matrix.cols = columns + 1;
  matrix.starts.push_back(0);
  for (Index i = 0; i < count; ++i) {
    for (Index group = 0; group < groups; ++group) {
      const Index first = group * columns / groups;
      const Index size = (group + 1) * columns / groups - first;
      double total = 0.0;
      for (Index k = 1; k <= size; ++k) total += 1.0 / static_cast<double>(k);
      double place = random.uniform() * total;
      Index value = 0;
      while (value + 1 < size && place >= 1.0 / static_cast<double>(value + 1)) {
        place -= 1.0 / static_cast<double>(value + 1);
        ++value;
      }
      matrix.columns.push_back(static_cast<std::int32_t>(first + value));
      matrix.values.push_back(1.0);
    }
    matrix.columns.push_back(static_cast<std::int32_t>(columns));
    matrix.values.push_back(1.0);
    matrix.starts.push_back(static_cast<std::int64_t>(matrix.values.size()));
  }
  return matrix;
}

double row_dot(const CsrMatrix& matrix, Index row, VectorIn x) {
  double sum = 0.0;
  const auto first = static_cast<std::size_t>(matrix.starts[static_cast<std::size_t>(row)]);
  const auto last = static_cast<std::size_t>(matrix.starts[static_cast<std::size_t>(row) + 1]);
  for (std::size_t k = first; k < last; ++k) sum += matrix.values[k] * x[matrix.columns[k]];
  return sum;
}

Vector noisy_labels(const CsrMatrix& rows, double share, double noise, Random& random) {
  const Vector weights = random.normal_vector(rows.cols);
  std::vector<double> scores(static_cast<std::size_t>(rows.rows));
  for (std::size_t i = 0; i < scores.size(); ++i)
    scores[i] = row_dot(rows, static_cast<Index>(i), weights) + noise * random.normal();
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  const auto positive = static_cast<std::size_t>(share * static_cast<double>(scores.size()) + 0.5);
  Vector labels = -Vector::Ones(rows.rows);
  for (std::size_t k = 0; k < std::min(positive, order.size()); ++k) labels[static_cast<Index>(order[k])] = 1.0;
  return labels;
}

Vector numpy_uniform(std::uint32_t seed, Index size) {
  std::mt19937 engine(seed);
  Vector numbers(size);
  for (double& number : numbers) {
    const double high = static_cast<double>(engine() >> 5);
    const double low = static_cast<double>(engine() >> 6);
    number = (high * 67108864.0 + low) / 9007199254740992.0;
  }
  return numbers;
}

}  // namespace fcbio::catalogue
