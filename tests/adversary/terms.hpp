// Terms for hostile problems: any function with random data, and functions of one direction.
#pragma once

#include "data/problem.hpp"
#include "dice.hpp"
#include "exact.hpp"

namespace fcbio::adversary {

/// One of all functions, with nothing filled in.
data::FunctionKind any_function(Dice& dice);

/// `kind` filled with random data of size data_scale for points of size point_scale.
data::Term random_term(Dice& dice, data::FunctionKind kind, Index n, double data_scale, double point_scale);
/// One or two of them, of any function.
std::vector<data::Term> random_terms(Dice& dice, Index n, double data_scale, double point_scale);

/// Functions of <c, x> alone that fall strictly as it grows up to `most`: over any set on which its maximum is
/// `most`, the minimisers are the maximisers of <c, x>.
std::vector<data::Term> falling_terms(Dice& dice, const Vector& c, const Exact& most);

}  // namespace fcbio::adversary
