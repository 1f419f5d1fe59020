// What a result file claims, as plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fcbio::verify {

/// What is to prove a bound of a linear function over Z; empty where the set needs nothing.
struct ClaimedSetBound {
  std::vector<double> multipliers;  ///< halfspace: one number >= 0; affine: one number per equation
  std::vector<std::vector<double>>
      shares;                          ///< intersection: per member, its part of the slope; empty: what is left
  std::vector<ClaimedSetBound> parts;  ///< per factor of a product, per member of an intersection
};

/// What is to prove a lower bound over Z of g, or of f + multiplier * g.  One dual per term of the problem file,
/// in its order; a term that needs none has an empty one.
struct ClaimedBound {
  std::string kind = "none";  ///< "known", "dual" or "none"
  std::vector<std::vector<double>> upper_duals;
  std::vector<std::vector<double>> lower_duals;
  std::vector<double> point;  ///< where an exactly kept quadratic is linearised; empty without one
  ClaimedSetBound domain;
};

/// (beta/alpha) dist(x, X)^alpha <= g(x) - g*, X the minimisers of g over Z, and |f'| <= gradient_bound on X.
struct ClaimedErrorBound {
  double alpha = 0.0;
  double beta = 0.0;
  double gradient_bound = 0.0;
  bool computed = false;  ///< by the solver; else told by the problem file
};

/// What is to prove that a solution x has |x| <= radius, or |x - start| <= radius in a whole space.
struct ClaimedRegion {
  std::string by;  ///< "squared-norm", "l1-norm", "linear", "least-squares" or "nearest"
  double radius = 0.0;
  double beta = 0.0;          ///< at most the weight times the square of the smallest singular value
  std::vector<double> point;  ///< of Z
};

/// What only a result file has: nothing about the mathematics rests on it.
struct Record {
  std::int64_t dimension = 0;
  std::string method;
  std::vector<std::string> known_methods;  ///< of the program that checks
  std::string accuracy_from;               ///< "problem" or "command line"
  std::optional<std::string> digest_stored;
  std::string digest_found;
  std::vector<std::string> not_checked;  ///< names of the fields that no computation can check
};

struct Claims {
  std::string fingerprint;  ///< of the problem that was solved
  std::string status;       ///< "certified", "converged", ...
  std::string evidence;     ///< "proved", "estimated" or "none"
  std::vector<double> x;
  std::optional<double> upper_value;
  std::optional<double> lower_value;
  double upper_accuracy = 0.0;  ///< eps_f
  double lower_accuracy = 0.0;  ///< eps_g
  double upper_relative = 0.0;  ///< eps_f is this times the larger of |f(x)| and |the bound|, where that is more
  double lower_relative = 0.0;
  std::optional<double> upper_excess;
  std::optional<double> lower_gap;
  std::optional<double> upper_lower_bound;
  std::optional<double> lower_lower_bound;
  std::optional<double> shortfall;    ///< f* - f(x) is at least this, and this is at least 0
  std::optional<double> tight_level;  ///< f(x) <= f(y) + tight_excess for every y of Z with g(y) <= tight_level
  std::optional<double> tight_excess;
  bool tight = false;                   ///< whether `certified` includes tight_excess <= eps_f
  std::optional<double> upper_deficit;  ///< f(x) - f* >= -upper_deficit
  std::optional<ClaimedErrorBound> error_bound;
  bool absolute = false;  ///< whether `certified` includes upper_deficit <= eps_f
  double multiplier = 0.0;
  ClaimedBound lower_bound;
  ClaimedBound upper_bound;
  std::vector<double> reference;
  std::optional<ClaimedRegion> region;  ///< for a set without end
  std::optional<Record> record;
};

}  // namespace fcbio::verify
