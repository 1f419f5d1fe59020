// Columns in units of their own spread: each divided by its standard deviation and, with centring, its mean taken off
// first.  A problem with such data is a problem in these units: norms and sets speak of standardised coefficients.
// With an intercept a function of the rows is one in the units of the file, too:
//     sum_j z_j (a_j - m_j) / s_j + z_0 = sum_j (z_j / s_j) a_j + (z_0 - sum_j z_j m_j / s_j).
#pragma once

#include "data/matrix.hpp"
#include "data/problem.hpp"

namespace fcbio::io {

/// What becomes of the columns of `data`; columns that are constant keep their scale.
data::Standardization standardization_of(const data::Matrix& data, bool centre);
/// Dense where means are taken off.
void standardize(data::Matrix& data, const data::Standardization& how);

}  // namespace fcbio::io
