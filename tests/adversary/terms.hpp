// Terms for hostile problems: any function with random data, and functions of one direction.
#pragma once

#include "dice.hpp"
#include "exact.hpp"
#include "io/problem_data.hpp"

namespace fcbio::adversary {

inline constexpr const char* kFunctions[] = {
    "least-squares", "logistic", "huber",  "absolute",  "quantile",   "hinge",      "squared-hinge",
    "squared-norm",  "l1-norm",  "linear", "quadratic", "max-affine", "log-sum-exp"};

/// Random data of size data_scale for points of size point_scale.
io::TermData random_term(Dice& dice, const std::string& function, Index n, double data_scale, double point_scale);
/// One or two of them, of any function.
std::vector<io::TermData> random_terms(Dice& dice, Index n, double data_scale, double point_scale);

/// Functions of <c, x> alone that fall strictly as it grows up to `most`: over any set on which its maximum is
/// `most`, the minimisers are the maximisers of <c, x>.
std::vector<io::TermData> falling_terms(Dice& dice, const Vector& c, const Exact& most);

}  // namespace fcbio::adversary
