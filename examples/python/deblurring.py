"""Deblurring in one dimension.

A blurred signal does not determine what it came from: the blur wipes out what oscillates fast.  Of all nonnegative
signals that explain the data as well as their noise allows (g, least squares), the smoothest is taken (f, squared
differences).  What explains them best of all explains the noise, too; so the accuracy of g is what noise adds to it, and
`tight` asks for the lowest f that this slack can buy.
"""

import sys

import matplotlib.pyplot as plt
import numpy as np

import fcbio

n = 120
t = np.linspace(0.0, 1.0, n)
truth = np.where((t > 0.2) & (t < 0.35), 1.0, 0.0) + 0.8 * np.exp(-((t - 0.65) ** 2) / 0.004)
blur = np.exp(-((t[:, None] - t[None, :]) ** 2) / (2 * 0.03**2))
blur /= blur.sum(axis=1, keepdims=True)
noise = 0.002
seen = (blur @ truth)[::3] + noise * np.random.default_rng(2).standard_normal(n // 3)

differences = np.diff(np.eye(n), axis=0)
smoothness = fcbio.LeastSquares(differences, np.zeros(n - 1))
fit = fcbio.LeastSquares(blur[::3], seen)
slack = 0.5 * len(seen) * noise**2
result = fcbio.minimize(smoothness, fit, fcbio.NonnegativeBall(20.0), eps_f=1e-3, eps_g=slack, tight=True)
print(result)
assert result.status == "certified" and fcbio.verify(result)
assert result.x.min() >= -1e-9
print(f"mean error: {np.abs(result.x - truth).mean():.3f}")
assert np.abs(result.x - truth).mean() < 0.05

figure, axes = plt.subplots(figsize=(7.0, 4.0), layout="constrained")
axes.plot(t, truth, color="0.6", linewidth=3, label="truth")
axes.plot(t[::3], seen, "k.", markersize=4, label="blurred data")
axes.plot(t, result.x, color=fcbio.plot.UPPER, label="smoothest explanation")
axes.set_xlabel("t")
axes.legend(frameon=False)
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "deblurring.png", dpi=110)
