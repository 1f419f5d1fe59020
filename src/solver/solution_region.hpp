// Where the solutions are, for a set without end and without a told radius.  Let x0 be any point of Z and L a sum of
// lower bounds.  Every minimiser x of g over Z has g(x) <= g(x0), so
//   squared-norm   g = w/2 |x - c|^2 + (terms of at least L):   |x - c|  <= sqrt(2 (g(x0) - L) / w)
//   l1-norm        g = w |x - c|_1 + (terms of at least L):     |x - c|  <= (g(x0) - L) / w
//   linear         g = <c, x> over a box: x_j is at the side where c_j x_j is least, or between the two where c_j = 0
//   least-squares  g = w/2 |Ax - b|^2 with A of full column rank, beta <= w s^2, s its smallest singular value:
//                  |A(x - x0)| <= |Ax - b| + |Ax0 - b|, so   |x - x0| <= 2 sqrt(2 g(x0) / beta)
// and with the centre c of f = v/2 |x - c|^2 over the whole space, whose solution is the minimiser of g nearest to c,
//   nearest        g as before, of full rank:               |x - c| <= sqrt(2 g(c) / beta)
// (LeastSquaresBound says why).  The bounds of a solve are then taken over that ball; the checker proves it again.
#pragma once

#include <optional>

#include "fcbio/monitor.hpp"
#include "fcbio/problem.hpp"

namespace fcbio {

/// Whether g has a part by which find_solution_region() finds one, other things being equal; costs nothing.
bool has_enclosing_lower_level(const Problem& problem);

/// Empty: none of these applies, or a limit came first.
std::optional<RegionWitness> find_solution_region(const Problem& problem, Monitor& monitor);

/// The same problem over the set within that ball.
Problem within_region(const Problem& problem, const RegionWitness& region);

/// "by the least-squares term of g no solution is further than 12.5 from 0"
std::string region_in_words(const Problem& problem, const RegionWitness& region);

}  // namespace fcbio
