"""Minimum-norm regression and its certificate.

With more unknowns than equations every right side is met by many coefficient vectors.  The shortest of them is asked
for, its error is bounded in both levels, and the bounds are proved again by the independent checker.
"""

import sys

import matplotlib.pyplot as plt
import numpy as np

import fcbio

rng = np.random.default_rng(1)
A = rng.standard_normal((60, 150)) * np.logspace(0, -2, 150)
b = A @ rng.standard_normal(150)

problem = fcbio.Problem(fcbio.SquaredNorm(), fcbio.LeastSquares(A, b), fcbio.Ball(100.0))
result = problem.minimize(eps_f=1e-6, eps_g=1e-9, options={"engine": "accelerated"})
print(result)

report = fcbio.verify(problem, result)
print(report.text)
assert result.status == "certified" and report

exact = np.linalg.pinv(A) @ b
print(f"distance to the pseudoinverse's answer: {np.linalg.norm(result.x - exact):.2e}")
assert np.linalg.norm(result.x - exact) < 1e-2 * np.linalg.norm(exact)

figure, (left, right) = plt.subplots(1, 2, figsize=(10.5, 4.0), layout="constrained")
fcbio.plot.convergence(result, left)
left.set_title("what is proved, as the work goes on")
right.plot(exact, color="0.6", linewidth=3, label="pseudoinverse")
right.plot(result.x, color=fcbio.plot.UPPER, linewidth=1, label="fcbio")
right.set_xlabel("coefficient")
right.set_title("the answer")
right.legend(frameon=False)
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "minimum_norm.png", dpi=110)
