// Synthetic daily page views, a stand-in for the encyclopedia data of the published minimum-norm experiment:
// strongly correlated columns, popularity over several orders of magnitude, so an ill-conditioned matrix.
#pragma once

#include "catalogue/random.hpp"
#include "fcbio/linear_map.hpp"

namespace fcbio::catalogue {

/// articles x days counts.  Views of an article are Poisson with mean
///     popularity * exp(weekly wave + yearly wave + slow noise of the article + drift common to all).
RowMajorMatrix page_views(Index articles, Index days, Random& random);

/// One day as the target, the others as data, all divided by 1.5 times the largest number of the data.
struct PageViewRegression {
  RowMajorMatrix data;  ///< articles x (days - 1)
  Vector target;
};
PageViewRegression page_view_regression(Index articles, Index columns, Random& random);

}  // namespace fcbio::catalogue
