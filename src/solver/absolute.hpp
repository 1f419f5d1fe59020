// Absolute optimality: besides f(x) - f* <= eps_f and g(x) - g* <= eps_g also f(x) - f* >= -eps_f.  No method that
// follows gradients can promise this in general (`fcbio hard`); under an error bound it can (appendix of the
// FC-BiO paper, after Jiang et al. 2023, proposition 4.1).  With X the minimisers of g over Z and
//
//     (beta/alpha) dist(x, X)^alpha <= g(x) - g*   for x in Z,        |f'| <= M on X,
//
// the point p of X nearest to x gives  f* <= f(p) <= f(x) + M |x - p|,  hence
//     f(x) - f* >= -M (alpha (g(x) - g*) / beta)^(1/alpha).
// So the default method is run with eps_g lowered to (eps_f / M)^alpha beta/alpha, and what its proved lower gap
// gives in this inequality is the certificate's upper_deficit.
//
// The constants are told (accuracy.holder) or, for one least-squares term of full rank, computed: alpha = 2, beta
// by LeastSquaresBound, M from the Lipschitz constant of f on the ball around Z.  Computed ones hold only where
// the unconstrained minimiser of g nearest to x lies in Z; that is tested at the end, with a margin that covers
// rounding.
#pragma once

#include "solver/certified.hpp"

namespace fcbio {

/// (alpha gap / beta)^(1/alpha), rounded up, for gap >= 0: how far the minimisers of g may be.
double distance_bound(const HolderBound& holder, double gap);
/// M times that, rounded up.
double deficit_bound(const HolderBound& holder, double gap);
/// The largest gap for which that is at most `asked`, rounded down; may be 0 where it underflows.
double gap_needed(const HolderBound& holder, double asked);

/// The default method with accuracy.absolute.  Throws InvalidArgument where no error bound is told and none can be
/// computed, and together with accuracy.tight.
Result run_absolute(const Problem& problem, const Accuracy& accuracy, const CertifiedOptions& options,
                    Monitor& monitor);

}  // namespace fcbio
