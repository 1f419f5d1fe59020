"""Sparse selection among minimisers.

Of all coefficients that fit equally well, those with the least l1 norm use few features; those with the least l2 norm
use all.  Both answers are certified, so the difference is the objectives', not the solver's.
"""

import sys

import matplotlib.pyplot as plt
import numpy as np
import scipy.sparse

import fcbio

rng = np.random.default_rng(5)
truth = np.zeros(120)
truth[[5, 30, 31, 77, 110]] = [2.0, -1.5, 1.0, 2.5, -2.0]
A = scipy.sparse.random(50, 120, density=0.4, random_state=6, data_rvs=rng.standard_normal, format="csr")
b = A @ truth

fit = fcbio.LeastSquares(A, b)
sparse = fcbio.minimize(fcbio.L1Norm(), fit, fcbio.Ball(20.0), eps_f=1e-3, eps_g=1e-8)
short = fcbio.minimize(fcbio.SquaredNorm(), fit, fcbio.Ball(20.0), eps_f=1e-3, eps_g=1e-8)
assert sparse.status == short.status == "certified" and fcbio.verify(sparse)
for name, result in (("l1", sparse), ("l2", short)):
    print(f"least {name} norm: {np.sum(np.abs(result.x) > 1e-2)} coefficients above 0.01, engine {result.engine}")
assert np.sum(np.abs(sparse.x) > 1e-2) < 20 < np.sum(np.abs(short.x) > 1e-2)
assert np.abs(sparse.x - truth).max() < 0.05

figure, axes = plt.subplots(figsize=(7.0, 4.0), layout="constrained")
axes.plot(truth, "o", color="0.6", markersize=8, markerfacecolor="none", label="truth")
axes.plot(short.x, ".", color=fcbio.plot.LOWER, label="least l2 norm")
axes.plot(sparse.x, "x", color=fcbio.plot.UPPER, label="least l1 norm")
axes.set_xlabel("coefficient")
axes.legend(frameon=False)
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "sparse_selection.png", dpi=110)
