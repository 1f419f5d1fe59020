"""Fair classification, and what fairness costs.

The score of a classifier should not depend on the group.  Near-minimisers of the training loss leave room: for each
slack the least covariance of score and group is found, and that nothing less can be had for this slack is proved.
"""

import sys

import matplotlib.pyplot as plt
import numpy as np

import fcbio
from fcbio.sklearn import FairClassifier

rng = np.random.default_rng(4)
group = np.sign(rng.standard_normal(600))
merit = rng.standard_normal((600, 4))
X = np.column_stack([group, merit + 0.7 * group[:, None]])
y = (merit.sum(axis=1) + 1.5 * group + 0.5 * rng.standard_normal(600) > 0).astype(int)

slacks = (1e-4, 1e-3, 3e-3, 1e-2, 3e-2, 0.1, 0.2)
model = FairClassifier(0, slack=3e-2, tradeoff=slacks, eps_f=1e-5).fit(X, y)
for point in model.tradeoff_:
    print(f"slack {point['slack']:7.4f}: unfairness {point['unfairness']:.5f}, loss {point['loss']:.5f}")
print(f"accuracy on the training data: {model.score(X, y):.3f}; proved: {model.certificate_}")
unfairness = [point["unfairness"] for point in model.tradeoff_]
assert unfairness == sorted(unfairness, reverse=True) and unfairness[-1] < 0.5 * unfairness[0]

figure, (left, right) = plt.subplots(1, 2, figsize=(10.5, 4.0), layout="constrained")
fcbio.plot.tradeoff(model.tradeoff_, left)
left.set_xlabel("training loss")
left.set_ylabel("unfairness")
scores = model.decision_function(X)
bins = np.linspace(scores.min(), scores.max(), 30)
for value, colour in ((-1, fcbio.plot.LOWER), (1, fcbio.plot.UPPER)):
    right.hist(scores[group == value], bins, color=colour, alpha=0.6, label=f"group {value:+d}")
right.set_xlabel("score")
right.legend(frameon=False)
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "fair_classification.png", dpi=110)
