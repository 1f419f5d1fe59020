// A problem whose functions are sums over rows of data, and squared norms and linear terms besides:
//     phi = a f + mu g = h + q,   h(x) = sum over components i of h_i(a_i'x),   q quadratic with Hessian kappa I.
// Component i is one row of one data part; its gradient costs two visits of the row.  Every h_i is convex and
// L_i-smooth, L_i = weight * (smoothness of the loss) * |a_i|^2.  Components are drawn with chances in proportion to
// L_i, which makes (1/b) sum over b draws of (h_i'(x) - h_i'(w)) / chance_i an estimate of h'(x) - h'(w) with
//     E |error|^2 <= (2 S / b) (h(w) - h(x) - <h'(x), w - x>),    S = sum of all L_i.
#pragma once

#include <string>
#include <vector>

#include "inner/alias_table.hpp"
#include "inner/engine.hpp"

namespace fcbio {

class FiniteSum {
 public:
  /// Empty: the functions have this form; otherwise what is in the way, in words.  Costs nothing.
  static std::string misfit(const Problem& problem);

  /// Reads all data once for the norms of the rows, and some rows again for the constants, which is charged.
  explicit FiniteSum(Oracle& oracle);
  /// At most so many passes.
  static std::int64_t cost(const Problem& problem);

  struct Constants {
    double total = 0.0;       ///< S
    double smoothness = 0.0;  ///< of h; an estimate, at most S
    double curvature = 0.0;   ///< kappa
    double components = 0.0;
    double numbers_per_draw = 0.0;  ///< of a row that is drawn, on average
    double passes_per_draw = 0.0;   ///< two visits of it, in passes over its part
    void archive(Archive& archive) {
      archive(total, smoothness, curvature, components, numbers_per_draw, passes_per_draw);
    }
  };
  Constants constants(const Weights& weights) const;

  /// Of b draws.
  struct Batch {
    struct Draw {
      std::int32_t part;
      Index row;
      void archive(Archive& archive) { archive(part, row); }
    };
    std::vector<Draw> draws;  ///< b of them, in the order of the parts
    double passes = 0.0;      ///< what add_difference() will visit
    void archive(Archive& archive) { archive(draws, passes); }
  };
  void draw(const Weights& weights, std::mt19937_64& random, Batch& batch);
  /// sum <- sum + scale * (1/b) sum over the batch of (h_i'(x) - h_i'(w)) / chance_i, where w is the point at which
  /// `at` is linearised; the visits are charged.
  void add_difference(const Weights& weights, const Batch& batch, VectorIn x, const Iterate& at, double scale,
                      VectorOut sum);

  /// What was visited and charged; the rest is made again.
  void archive(Archive& archive) {
    for (Part& part : parts_) archive(part.visited);
    archive(charged_);
  }

 private:
  struct Part {
    Level level;
    std::size_t place;  // among the parts of its level
    double weight;
    const Loss* loss;
    RowReader rows;
    AliasTable chances;
    Vector constants;  // L_i per unit of the level's weight
    double total;      // their sum
    double largest;    // eigenvalue of the Hessian of its share of h, as a share of `total`
    Index numbers;
    double drawn_numbers;  // of a row that is drawn, on average
    std::int64_t visited = 0;
  };

  double sampled_share(Part& part, Index cols);
  void charge(Level level);

  Oracle& oracle_;
  std::vector<Part> parts_;
  PerLevel<double> curvature_;
  PerLevel<std::int64_t> charged_;
  std::vector<Index> entries_;  // of one part in a batch
  Vector products_, slopes_;
};

}  // namespace fcbio
