// The model of page_views.hpp, one article after the other.
#include "catalogue/page_views.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace fcbio::catalogue {

RowMajorMatrix page_views(Index articles, Index days, Random& random) {
  constexpr double kTurn = 2.0 * std::numbers::pi;
  Vector drift(days);
  double level = 0.0;
  for (Index day = 0; day < days; ++day) drift[day] = level += 0.01 * random.normal();

  RowMajorMatrix views(articles, days);
  for (Index i = 0; i < articles; ++i) {
    const double popularity = std::exp(4.5 + 1.3 * random.normal());
    const double weekly_size = 0.35 * (0.5 + random.uniform());
    const double yearly_size = 0.2 * random.uniform();
    const double yearly_phase = 0.5 * random.normal();
    double slow = 0.0;  // autoregressive, coefficient 0.9
    for (Index day = 0; day < days; ++day) {
      const auto time = static_cast<double>(day);
      slow = 0.9 * slow + 0.07 * random.normal();
      const double weekly = weekly_size * std::cos(kTurn * time / 7.0);
      const double yearly = yearly_size * std::cos(kTurn * time / 365.25 + yearly_phase);
      views(i, day) = random.poisson(popularity * std::exp(weekly + yearly + slow + drift[day]));
    }
  }
  return views;
}

PageViewRegression page_view_regression(Index articles, Index columns, Random& random) {
  const RowMajorMatrix views = page_views(articles, columns + 1, random);
  const auto target_day = static_cast<Index>(random.below(static_cast<std::uint64_t>(columns) + 1));
  PageViewRegression regression{RowMajorMatrix(articles, columns), views.col(target_day)};
  regression.data.leftCols(target_day) = views.leftCols(target_day);
  regression.data.rightCols(columns - target_day) = views.rightCols(columns - target_day);
  const double scale = 1.5 * std::max(1.0, regression.data.maxCoeff());
  regression.data /= scale;
  regression.target /= scale;
  return regression;
}

}  // namespace fcbio::catalogue
