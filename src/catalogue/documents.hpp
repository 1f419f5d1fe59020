// Synthetic text documents: sparse rows with Zipf word frequencies and +-1 labels, in the likeness of the news
// collections used for logistic regression.
#pragma once

#include "catalogue/random.hpp"
#include "fcbio/linear_map.hpp"

namespace fcbio::catalogue {

struct Documents {
  CsrMatrix words;  ///< cosine-normalised tf-idf rows
  Vector labels;    ///< -1 or +1, about half each
};

/// Word j (from 1) is drawn with probability proportional to j^-0.9; a document has about 75 draws (log-normal).
/// Its label is the sign of <row, topic> above the median, after noise.
Documents documents(Index count, const Vector& topic, Random& random);
/// A topic vector: normal numbers on about 30 % of the words.
Vector random_topic(Index words, Random& random);

}  // namespace fcbio::catalogue
