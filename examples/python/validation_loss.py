"""Validation loss over the minimisers of the training loss.

With more features than samples many models have the least training loss.  Which of them to take?  The one that is
best on data held out: no penalty has to be tuned.
"""

import sys

import matplotlib.pyplot as plt
import numpy as np

import fcbio

rng = np.random.default_rng(7)
weights = np.zeros(200)
weights[:10] = 2.0
X = rng.standard_normal((400, 200))
y = np.sign(X @ weights + rng.standard_normal(400))
train, held, test = slice(0, 100), slice(100, 200), slice(200, 400)

loss = lambda rows: fcbio.Logistic(X[rows], y[rows], average=True)
ball = fcbio.Ball(5.0)
chosen = fcbio.minimize(loss(held), loss(train), ball, eps_f=1e-4, eps_g=1e-4, tight=True)
short = fcbio.minimize(fcbio.SquaredNorm(), loss(train), ball, eps_f=1e-4, eps_g=1e-4)
assert chosen.status == short.status == "certified" and fcbio.verify(chosen)


def mean_loss(x, rows):
    return float(np.logaddexp(0.0, -y[rows] * (X[rows] @ x)).mean())


names = ["least validation loss", "least norm"]
losses = {name: [mean_loss(r.x, rows) for rows in (train, held, test)] for name, r in zip(names, (chosen, short))}
for name, values in losses.items():
    print(f"{name:<22} training {values[0]:.4f}, validation {values[1]:.4f}, test {values[2]:.4f}")
assert losses[names[0]][1] <= losses[names[1]][1]

figure, axes = plt.subplots(figsize=(6.4, 4.0), layout="constrained")
for shift, (name, colour) in zip((-0.2, 0.2), zip(names, (fcbio.plot.UPPER, fcbio.plot.LOWER))):
    axes.bar(np.arange(3) + shift, losses[name], 0.4, color=colour, label=name)
axes.set_xticks(range(3), ["training", "validation", "test"])
axes.set_ylabel("mean logistic loss")
axes.legend(frameon=False)
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "validation_loss.png", dpi=110)
