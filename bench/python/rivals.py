"""Side by side: what SciPy offers for min f over argmin g, and fcbio, on three problems in one run.

    scripts/python bench/python/rivals.py [--seconds 20]

  penalty        L-BFGS-B on f + mu g, mu over a grid, each from the last; the best mu is chosen afterwards, with f* and
                 g* known, which nobody has in practice; the seconds are those of the whole grid
  SLSQP          min f subject to g <= g_min + eps_g, g_min by L-BFGS-B
  trust-constr   the same
  fcbio          with its defaults

f* and g* stand for the largest proved lower bounds of them, here and at a sharper accuracy.  The ball is wide enough to be idle, so that SciPy need not see it.
"""

import argparse
import time

import numpy as np
import scipy.optimize

import fcbio

arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("--seconds", type=float, default=20.0, help="for each of SciPy's methods")
options = arguments.parse_args()
EPS_F = EPS_G = 1e-5


class Halt(Exception):
    pass


def logistic(A, y):
    def fun(x):
        u = y * (A @ x)
        return np.logaddexp(0.0, -u).mean(), -(A.T @ (y / (1.0 + np.exp(np.minimum(u, 700.0))))) / len(y)

    return fun


def squares(A, b):
    def fun(x):
        r = A @ x - b
        return 0.5 * r @ r, A.T @ r

    return fun


def half_norm(x):
    return 0.5 * x @ x, x


def problems():
    rng = np.random.default_rng(1)
    A = rng.standard_normal((100, 200)) * np.logspace(0, -1.5, 200)
    b = A @ rng.standard_normal(200)
    yield "minimum norm, 100 x 200", half_norm, squares(A, b), (
        fcbio.SquaredNorm(),
        fcbio.LeastSquares(A, b),
        fcbio.Ball(50.0),
    )
    A, V = rng.standard_normal((60, 100)), rng.standard_normal((60, 100))
    b, v = A @ np.ones(100), V @ np.ones(100) + rng.standard_normal(60)
    yield "validation over training squares, 60 x 100", squares(V, v), squares(A, b), (
        fcbio.LeastSquares(V, v),
        fcbio.LeastSquares(A, b),
        fcbio.Ball(100.0),
    )
    A = rng.standard_normal((400, 30))
    A = np.hstack([A, A])  # every feature twice: a whole subspace of minimisers
    y = np.sign(A[:, :30] @ rng.standard_normal(30) + 2.0 * rng.standard_normal(400))
    yield "norm over logistic, repeated columns, 400 x 60", half_norm, logistic(A, y), (
        fcbio.SquaredNorm(),
        fcbio.Logistic(A, y, average=True),
        fcbio.Ball(50.0),
    )


def timed(solve):
    begun = time.perf_counter()
    best = {}

    def watch(x, *_):
        best["x"] = np.array(x)
        if time.perf_counter() - begun > options.seconds:
            raise Halt

    try:
        x = solve(watch)
    except Halt:
        x = best["x"]
    return np.asarray(x), time.perf_counter() - begun


def penalty(f, g, n, score):
    def solve(watch):
        x, found = np.zeros(n), []
        for mu in np.logspace(0, 8, 17):
            total = lambda z: tuple(a + mu * b for a, b in zip(f(z), g(z)))
            x = scipy.optimize.minimize(
                total,
                x,
                jac=True,
                method="L-BFGS-B",
                callback=watch,
                options={"maxiter": 5000, "ftol": 1e-15, "gtol": 1e-10},
            ).x
            found.append(x)
        return min(found, key=score)

    return timed(solve)


def constrained(method, f, g, n):
    def solve(watch):
        least = scipy.optimize.minimize(
            g, np.zeros(n), jac=True, method="L-BFGS-B", options={"maxiter": 20000, "ftol": 1e-16, "gtol": 1e-12}
        )
        level = least.fun + EPS_G
        if method == "SLSQP":
            condition = {"type": "ineq", "fun": lambda x: level - g(x)[0], "jac": lambda x: -g(x)[1]}
        else:
            condition = scipy.optimize.NonlinearConstraint(
                lambda x: g(x)[0], -np.inf, level, jac=lambda x: g(x)[1].reshape(1, -1), hess=scipy.optimize.BFGS()
            )
        more = {"hess": scipy.optimize.BFGS()} if method == "trust-constr" else {}
        return scipy.optimize.minimize(
            f,
            least.x,
            jac=True,
            method=method,
            constraints=[condition],
            callback=watch,
            options={"maxiter": 2000},
            **more,
        ).x

    return timed(solve)


for name, f, g, parts in problems():
    problem = fcbio.Problem(*parts)
    begun = time.perf_counter()
    result = fcbio.minimize(*parts, eps_f=EPS_F, eps_g=EPS_G)
    seconds = time.perf_counter() - begun
    sharp = problem.minimize(eps_f=1e-7, eps_g=1e-10)
    upper, lower = (
        max(run.certificate[key] for run in (result, sharp)) for key in ("upper_lower_bound", "lower_lower_bound")
    )
    print(f"\n{name}: f* about {upper:.8g}, g* about {lower:.8g} ({sharp.status}); asked {EPS_F:g}, {EPS_G:g}")
    print(f"  {'':14}{'seconds':>9}{'f - f*':>12}{'g - g*':>12}   proved")
    excess = lambda x: max((f(x)[0] - upper) / EPS_F, (g(x)[0] - lower) / EPS_G)
    rows = [("penalty", *penalty(f, g, problem.dimension, excess))]
    rows += [(method, *constrained(method, f, g, problem.dimension)) for method in ("SLSQP", "trust-constr")]
    rows.append(("fcbio", result.x, seconds))
    for who, x, seconds in rows:
        proved = "nothing"
        if who == "fcbio":
            known = result.certificate
            proved = f"f - f* <= {known['upper_excess']:.1e}, g - g* <= {known['lower_gap']:.1e}"
            proved += f"; verified: {bool(fcbio.verify(result))}"
        print(f"  {who:<14}{seconds:>9.3f}{f(x)[0] - upper:>+12.2e}{g(x)[0] - lower:>+12.2e}   {proved}")
