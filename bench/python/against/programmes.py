"""Random lexicographic linear programmes: solvable ones, empty ones and ones that fall without end."""

import numpy as np

import fcbio
import tools


def solvable(seed):
    """n <= 200, up to 1,000 rows.  Every third has equations; every third is degenerate: integer rows of which many
    meet in the planted point, some twice, and costs with ties."""
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(2, 201)), int(rng.integers(1, 1001))
    degenerate, equations = seed % 3 == 2, seed % 3 == 1
    if degenerate:
        A = rng.integers(-3, 4, (m, n)).astype(float)
        x = rng.integers(0, 3, n) / 2.0
        twice = rng.uniform(size=m) < 0.2
        A[twice] = A[rng.integers(0, m, twice.sum())]
        A *= np.where(A @ rng.standard_normal(n) > 0.0, -1.0, 1.0)[:, None]  # all allow one direction: there is room
    else:
        A = rng.standard_normal((m, n))
        x = rng.uniform(size=n) * (rng.uniform(size=n) < 0.7)
    tight = rng.uniform(size=m) < (0.6 if degenerate else 0.4)
    if not degenerate:
        tight &= np.arange(m) < max(n // 2, 1)
    row_lower, row_upper = np.full(m, -np.inf), A @ x + np.where(tight, 0.0, rng.uniform(size=m))
    if equations:
        row_lower[: n // 3] = row_upper[: n // 3] = (A @ x)[: n // 3]
        tight[: n // 3] = True
    if seed % 12 == 5 and m >= 2:  # two against each other: no room at all
        A[1], row_upper[0], row_upper[1] = -A[0], A[0] @ x, -(A[0] @ x)
        tight[:2] = True
    weights = np.where(tight & (rng.uniform(size=m) < (0.1 if degenerate else 1.0)), rng.uniform(size=m), 0.0)
    if degenerate:
        weights = np.round(3.0 * weights)
    g = -(A.T @ weights) + np.where(x == 0.0, rng.integers(0, 2, n) if degenerate else rng.uniform(size=n), 0.0)
    f = rng.integers(-2, 3, n).astype(float) if degenerate else rng.standard_normal(n)
    return tools.Programme(f, g, A, row_lower, row_upper, np.zeros(n), np.ones(n))


def empty(seed):
    """A combination of some rows contradicts one more; every other one has equations, every third open sides."""
    rng = np.random.default_rng(10_000 + seed)
    n, m = int(rng.integers(2, 61)), int(rng.integers(3, 121))
    A = rng.standard_normal((m, n))
    x = rng.uniform(size=n)
    row_lower, row_upper = np.full(m, -np.inf), A @ x + rng.uniform(size=m)
    if seed % 2 == 1:
        row_lower[: min(n, m - 1) // 3] = row_upper[: min(n, m - 1) // 3] = (A @ x)[: min(n, m - 1) // 3]
    used = rng.permutation(m - 1)[: int(rng.integers(1, min(n, m - 1) + 1))]
    weights = rng.uniform(0.5, 1.5, used.size)
    A[-1] = -(A[used].T @ weights)
    row_lower[-1], row_upper[-1] = -np.inf, -(row_upper[used] @ weights) - rng.uniform(0.1, 1.0)
    bounded = seed % 3 != 2
    sides = (np.zeros(n), np.ones(n)) if bounded else (np.full(n, -np.inf), np.full(n, np.inf))
    return tools.Programme(rng.standard_normal(n), rng.standard_normal(n), A, row_lower, row_upper, *sides)


def unbounded(seed):
    """A ray d along which g falls, or (every other one) f while g stays; every other pair has equations."""
    rng = np.random.default_rng(20_000 + seed)
    n, m = int(rng.integers(4, 61)), int(rng.integers(2, 61))
    d = np.zeros(n)
    d[rng.permutation(n)[: int(rng.integers(2, n + 1))]] = rng.uniform(0.5, 1.5)

    def across(rows):
        return rows - np.outer(rows @ d, d) / (d @ d)

    A = rng.standard_normal((m, n))
    A = across(A) - np.outer(rng.uniform(0.1, 1.0, m), d)  # every row falls along d
    x = rng.uniform(size=n)
    row_lower, row_upper = np.full(m, -np.inf), A @ x + rng.uniform(size=m)
    if seed % 4 >= 2:
        count = max(1, min(n, m) // 4)
        A[:count] = across(A[:count])
        row_lower[:count] = row_upper[:count] = A[:count] @ x
    sides = np.zeros(n), np.full(n, np.inf)
    f = rng.standard_normal(n)
    if seed % 2 == 0:
        g = across(rng.standard_normal((1, n)))[0] - d
    else:
        g = np.where(d > 0.0, 0.0, rng.uniform(size=n))  # >= 0 on x >= 0, and d does not raise it
        f = across(f[None, :])[0] - d
    return tools.Programme(f, g, A, row_lower, row_upper, *sides)


def domain(programme, radius=None):
    finite = {} if radius is None else {"radius": radius}
    return fcbio.Polyhedron(
        programme.matrix,
        lower=programme.row_lower,
        upper=programme.row_upper,
        box_lower=programme.lower,
        box_upper=programme.upper,
        **finite,
    )


def problem(programme, radius=None):
    return fcbio.Problem(fcbio.Linear(programme.f), fcbio.Linear(programme.g), domain(programme, radius))
