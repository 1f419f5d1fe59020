"""The problems of the table: what fcbio is given, what the other tools are given, and the bars."""

import lzma
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable, Optional

import numpy as np
import scipy.sparse as sparse

import fcbio
import tools

HIGHS = (("HiGHS", "highs"), ("HiGHS ipm", "highs-ipm"))


@dataclass
class Row:
    name: str
    problem: Callable  # -> fcbio.Problem; its making counts
    dimension: int
    tools: list = field(default_factory=list)  # (name, function, arguments ...)
    accuracies: tuple = (1e-6,)
    most_passes: Optional[int] = None  # at the first accuracy
    most_seconds: Optional[float] = None


def _lexicographic():
    rng = np.random.default_rng(1)
    n, m = 50, 20
    A, x = rng.standard_normal((m, n)), rng.uniform(size=n) * (rng.uniform(size=n) < 0.7)
    pays = rng.uniform(size=m) < 0.4
    sides = A @ x + np.where(pays, 0.0, rng.uniform(size=m))
    g = -(A[pays].T @ rng.uniform(size=pays.sum())) + np.where(x == 0.0, rng.uniform(size=n), 0.0)
    f = rng.standard_normal(n)
    domain = fcbio.Polyhedron(A, upper=sides, box_lower=np.zeros(n), box_upper=np.ones(n))
    programme = tools.Programme(f, g, A, np.full(m, -np.inf), sides, np.zeros(n), np.ones(n))
    return Row(
        "lexicographic LP, 20 rows, n = 50",
        lambda: fcbio.Problem(fcbio.Linear(f), fcbio.Linear(g), domain),
        n,
        [(name, tools.highs, programme, method) for name, method in HIGHS],
        (1e-6, 1e-9),
    )


def _distance(count):
    rng = np.random.default_rng(count)
    n = 50
    A = rng.standard_normal((20, n))
    b, centre = A @ rng.uniform(-2.0, 2.0, n), rng.standard_normal(n)
    H, sides = rng.standard_normal((count, n)), rng.uniform(3.5, 14.0, count)
    members = [fcbio.Box(-1.0, 1.0, dimension=n)]
    members += [fcbio.Halfspace(row, side, radius=8.0) for row, side in zip(H, sides)]
    domain = fcbio.Intersection(members)
    rows = np.vstack([np.eye(n), -np.eye(n), H])
    limits = np.concatenate([np.ones(2 * n), sides])
    return Row(
        f"distance / least squares, box and {count} halfspaces, n = 50",
        lambda: fcbio.Problem(fcbio.SquaredNorm(center=centre), fcbio.LeastSquares(A, b), domain),
        n,
        [("cvxopt", tools.cvxopt_distance, A, b, centre, rows, limits)],
        (1e-6, 1e-9),
    )


def _sparse_answer(rng, n, count, size):
    x = np.zeros(n)
    x[rng.permutation(n)[:count]] = size * rng.standard_normal(count)
    return x


def _hinge(m, n):
    rng = np.random.default_rng(m)
    A = 3.0 / np.sqrt(n) * rng.standard_normal((m, n))
    labels = np.where(A @ _sparse_answer(rng, n, 10, 2.0) + 0.05 * rng.standard_normal(m) < 0.0, -1.0, 1.0)
    programme = tools.l1_hinge(A, labels)
    return Row(
        f"l1 / hinge {m} x {n}",
        lambda: fcbio.Problem(fcbio.L1Norm(), fcbio.Hinge(A, labels, average=True), fcbio.Ball(100.0)),
        n,
        [(name, tools.highs, programme, method) for name, method in HIGHS],
        (1e-6, 1e-9),
    )


def _absolute(m, n):
    rng = np.random.default_rng(m)
    A = 3.0 / np.sqrt(n) * rng.standard_normal((m, n))
    b = A @ _sparse_answer(rng, n, 10, 2.0)
    programme = tools.l1_absolute(A, b)
    return Row(
        f"l1 / absolute {m} x {n}",
        lambda: fcbio.Problem(fcbio.L1Norm(), fcbio.Absolute(A, b, average=True), fcbio.Ball(100.0)),
        n,
        [(name, tools.highs, programme, method) for name, method in HIGHS],
        (1e-6, 1e-9),
    )


def _wide_squares():
    rng = np.random.default_rng(1)
    A = rng.standard_normal((1000, 4000)) / np.sqrt(1000.0)
    b = A @ _sparse_answer(rng, 4000, 100, 1.0)
    return Row(
        "l1 / least squares 1000 x 4000",
        lambda: fcbio.Problem(fcbio.L1Norm(), fcbio.LeastSquares(A, b), fcbio.Ball(100.0)),
        4000,
        [
            ("HiGHS", tools.highs_l1_squares, A, b, "highs"),
            ("cvxopt", tools.cvxopt_l1_squares, A, b, 0.0),
        ],
    )


def _data_of(problem):
    """The data and the targets of the lower level."""
    with tempfile.TemporaryDirectory() as folder:
        problem.save(folder)
        return np.load(Path(folder, "lower-0.npy")), np.load(Path(folder, "lower-0.target.npy"))


def _catalogue(name, ridge, most_passes, **parameters):
    problem = fcbio.catalogue(name, **parameters)
    A, b = _data_of(problem)
    others = [("cvxopt", tools.cvxopt_l1_squares, A, b, ridge)]
    if ridge == 0.0:
        others.append(("HiGHS", tools.highs_l1_squares, A, b, "highs"))
    words = ", ".join(f"{key} = {value}" for key, value in parameters.items())
    return Row(
        f"{name}{' (' + words + ')' if words else ''} {A.shape[0]} x {A.shape[1]}",
        lambda: problem,
        A.shape[1],
        others,
        (1e-6, 1e-9),
        most_passes,
    )


def _repeated():
    problem = fcbio.catalogue("logistic-repeated", norm="l1")
    return Row("l1 / logistic-repeated (P11) 360 x 124", lambda: problem, 124, most_passes=4813)


def _svm_file(data, name):
    from sklearn.datasets import load_svmlight_file

    with lzma.open(Path(data, name)) as file:
        A, labels = load_svmlight_file(file)
    return A, np.where(labels > 0, 1.0, -1.0)


def _a5a(data):
    A, labels = _svm_file(data, "a5a.xz")
    A = sparse.csr_matrix(sparse.hstack([A, np.ones((A.shape[0], 1))]))
    programme = tools.l1_hinge(A, labels)
    return Row(
        f"l1 / hinge, a5a {A.shape[0]} x {A.shape[1]}",
        lambda: fcbio.Problem(fcbio.L1Norm(), fcbio.Hinge(A, labels, average=True), fcbio.Ball(100.0)),
        A.shape[1],
        [(name, tools.highs, programme, method) for name, method in HIGHS],
        most_passes=5000,
    )


def _colon(data, loss):
    A, labels = _svm_file(data, "colon-cancer.svm.xz")
    A = np.asarray(A.todense())
    lower = {"hinge": fcbio.Hinge, "absolute": fcbio.Absolute, "least squares": fcbio.LeastSquares}[loss]
    if loss == "least squares":
        others = [("HiGHS", tools.highs_l1_squares, A, labels, "highs")]
    else:
        programme = (tools.l1_hinge if loss == "hinge" else tools.l1_absolute)(A, labels)
        others = [(name, tools.highs, programme, method) for name, method in HIGHS]
    return Row(
        f"l1 / {loss}, colon-cancer {A.shape[0]} x {A.shape[1]}",
        lambda: fcbio.Problem(fcbio.L1Norm(), lower(A, labels), fcbio.Ball(100.0)),
        A.shape[1],
        others,
        most_seconds=20.0,
    )


def rows(data):
    """(name, function that makes the row) of all problems; those that need files only where `data` is a folder."""
    made = [("lexicographic", _lexicographic)]
    made += [(f"distance-{count}", lambda count=count: _distance(count)) for count in (10, 100, 1000)]
    made += [(f"hinge-{m}", lambda m=m, n=n: _hinge(m, n)) for m, n in ((100, 200), (300, 1000))]
    made += [
        ("absolute-150", lambda: _absolute(150, 300)),
        ("collinear", lambda: _catalogue("elastic-net", 0.02, None, rows=1000, features=90)),
        ("squares-1000", _wide_squares),
        ("elastic-net", lambda: _catalogue("elastic-net", 0.02, 2629)),
        ("nesterov-lasso", lambda: _catalogue("nesterov-lasso", 0.0, 7421)),
        ("repeated", _repeated),
    ]
    if data is not None:
        made.append(("a5a", lambda: _a5a(data)))
        for loss in ("hinge", "absolute", "least squares"):
            made.append((f"colon-{loss.split()[0]}", lambda loss=loss: _colon(data, loss)))
    return made
