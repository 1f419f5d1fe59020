"""Breaking ties between portfolios.

Many portfolios have the same expected return when assets are priced alike.  Of all that have the largest one (g,
linear over the simplex), the one with the least variance is taken (f, quadratic).
"""

import sys

import matplotlib.pyplot as plt
import numpy as np

import fcbio

rng = np.random.default_rng(3)
assets = 12
expected = np.where(np.arange(assets) < 7, 0.08, 0.03 + 0.03 * rng.random(assets))
factors = rng.standard_normal((assets, 3)) * 0.1
covariance = factors @ factors.T + np.diag(0.01 + 0.03 * rng.random(assets))
covariance = (covariance + covariance.T) / 2

risk = fcbio.Quadratic(covariance)
result = fcbio.minimize(risk, fcbio.Linear(-expected), fcbio.Simplex(), eps_f=1e-6, eps_g=1e-8)
print(result)
assert result.status == "certified" and fcbio.verify(result)
assert abs(result.x.sum() - 1.0) < 1e-9 and expected @ result.x > 0.08 - 1e-6
equal = np.where(np.arange(assets) < 7, 1 / 7, 0.0)
print(f"variance {2 * result.fun:.5f}; of equal shares in the best assets {equal @ covariance @ equal:.5f}")
assert 2 * result.fun < equal @ covariance @ equal

slacks = np.logspace(-5, -2, 8)
frontier = [
    fcbio.minimize(risk, fcbio.Linear(-expected), fcbio.Simplex(), eps_f=1e-6, eps_g=s, tight=True) for s in slacks
]
figure, (left, right) = plt.subplots(1, 2, figsize=(10.5, 4.0), layout="constrained")
left.bar(np.arange(assets), result.x, color=np.where(expected > 0.079, fcbio.plot.UPPER, "0.7"))
left.set_xlabel("asset (blue: those with the largest expected return)")
left.set_ylabel("share")
fcbio.plot.tradeoff(frontier, right)
right.set_xlabel("minus the expected return")
right.set_ylabel("half the variance")
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "portfolio.png", dpi=110)
