"""The other tools, timed by what their solvers spend: CPU seconds inside HiGHS, and of cvxopt's calls.

Two levels are solved one after the other: min g, then min f with g held at its minimum.  What Python does around a call
(checking arguments, building matrices) is not counted.
"""

import multiprocessing
import resource
import time
from dataclasses import dataclass

import numpy as np
import scipy.optimize
import scipy.optimize._linprog_highs as linprog_highs
import scipy.sparse as sparse

try:
    import cvxopt
    import cvxopt.solvers
except ImportError:
    cvxopt = None

# Its own accuracy, 1e-6 of the value, leaves the lower level open by more than the rows ask for.
CVXOPT_OPTIONS = {"show_progress": False, "abstol": 1e-7, "reltol": 1e-9, "feastol": 1e-8}
HELD = 1e-9  # how much the second stage may lose of the first, relative


class Failed(Exception):
    """A tool did not solve the problem; the message says how it ended."""


@dataclass
class Answer:
    seconds: float
    upper: float
    lower: float


@dataclass
class Programme:
    """min <f, x> over the minimisers of <g, x> on row_lower <= A x <= row_upper, lower <= x <= upper."""

    f: np.ndarray
    g: np.ndarray
    matrix: object
    row_lower: np.ndarray
    row_upper: np.ndarray
    lower: np.ndarray
    upper: np.ndarray


def missing():
    """Names of tools that are not installed."""
    return [] if cvxopt is not None else ["cvxopt (scripts/setup --bench installs it)"]


class _InsideHighs:
    """Adds up the CPU seconds of the calls of HiGHS itself."""

    def __enter__(self):
        self.seconds = 0.0
        self._wrapped = linprog_highs._highs_wrapper

        def timed(*arguments):
            begun = time.process_time()
            try:
                return self._wrapped(*arguments)
            finally:
                self.seconds += time.process_time() - begun

        linprog_highs._highs_wrapper = timed
        return self

    def __exit__(self, *_):
        linprog_highs._highs_wrapper = self._wrapped


def _stage(cost, programme, method, held=None):
    rows = sparse.csr_matrix(programme.matrix)
    equations = programme.row_lower == programme.row_upper
    below = ~equations & np.isfinite(programme.row_upper)
    above = ~equations & np.isfinite(programme.row_lower)
    blocks = [rows[below], -rows[above]]
    sides = [programme.row_upper[below], -programme.row_lower[above]]
    if held is not None:
        blocks.append(sparse.csr_matrix(programme.g))
        sides.append([held])
    found = scipy.optimize.linprog(
        cost,
        A_ub=sparse.vstack(blocks, format="csr"),
        b_ub=np.concatenate(sides),
        A_eq=rows[equations] if equations.any() else None,
        b_eq=programme.row_lower[equations] if equations.any() else None,
        bounds=np.column_stack([programme.lower, programme.upper]),
        method=method,
    )
    if found.status != 0:
        raise Failed(f"status {found.status}")
    return found


def highs(programme, method="highs"):
    """HiGHS twice; `method` is that of scipy.optimize.linprog."""
    with _InsideHighs() as inside:
        first = _stage(programme.g, programme, method)
        second = _stage(programme.f, programme, method, first.fun + HELD * (1.0 + abs(first.fun)))
    return Answer(inside.seconds, second.fun, first.fun)


def _dense(array):
    return cvxopt.matrix(np.asarray(array, dtype=float))


def _sparse(array):
    entries = sparse.coo_matrix(array)
    return cvxopt.spmatrix(entries.data, entries.row.tolist(), entries.col.tolist(), entries.shape)


def _solved(solve, *arguments, **keywords):
    begun = time.process_time()
    found = solve(*arguments, options=CVXOPT_OPTIONS, **keywords)
    seconds = time.process_time() - begun
    near = found["gap"] is not None and found["gap"] <= 1e-6 and found["primal infeasibility"] <= 1e-7
    if found["status"] != "optimal" and not near:
        raise Failed(found["status"])
    return np.array(found["x"]).ravel(), seconds


def cvxopt_distance(A, b, centre, rows, sides):
    """min 1/2 |x - centre|^2 over the minimisers of 1/2 |Ax - b|^2 on rows x <= sides: two quadratic programmes; in the
    second Ax is that of the first, which all minimisers share."""
    n = A.shape[1]
    limits = _dense(rows), _dense(sides)
    first, spent = _solved(cvxopt.solvers.coneqp, _dense(A.T @ A), _dense(-A.T @ b), *limits)
    image = A @ first
    x, more = _solved(
        cvxopt.solvers.coneqp, _dense(np.eye(n)), _dense(-centre), *limits, A=_dense(A), b=_dense(image)
    )
    lower = 0.5 * np.sum((A @ first - b) ** 2)
    return Answer(spent + more, 0.5 * np.sum((x - centre) ** 2), lower)


def _least_squares(A, b):
    """The equations that the minimisers of |Ax - b| satisfy (rows, values), CPU seconds, and the minimum."""
    begun = time.process_time()
    u, s, v = np.linalg.svd(A, full_matrices=False)
    rank = int(np.sum(s > 1e-12 * s[0]))
    values = (u[:, :rank].T @ b) / s[:rank]
    return v[:rank], values, time.process_time() - begun, 0.5 * np.sum((A @ (v[:rank].T @ values) - b) ** 2)


def cvxopt_l1_squares(A, b, ridge, share=1.0):
    """min |x|_1 + ridge/2 |x|^2 over the minimisers of 1/2 |Ax - b|^2: a singular value decomposition, then a programme
    in x and t >= |x|."""
    rows, values, spent, lower = _least_squares(A, b)
    n = A.shape[1]
    eye = sparse.identity(n)
    limits = _sparse(sparse.bmat([[eye, -eye], [-eye, -eye]])), _dense(np.zeros(2 * n))
    equations = {"A": _dense(np.hstack([rows, np.zeros_like(rows)])), "b": _dense(values)}
    cost = np.concatenate([np.zeros(n), np.ones(n)])
    if ridge > 0.0:
        curvature = _sparse(sparse.block_diag([ridge * eye, sparse.csr_matrix((n, n))]))
        both, more = _solved(cvxopt.solvers.coneqp, curvature, _dense(cost), *limits, **equations)
    else:
        both, more = _solved(cvxopt.solvers.conelp, _dense(cost), *limits, **equations)
    x = both[:n]
    return Answer(spent + more, np.abs(x).sum() + 0.5 * ridge * x @ x, share * lower)


def highs_l1_squares(A, b, method):
    """min |x|_1 over the minimisers of 1/2 |Ax - b|^2: a singular value decomposition, then HiGHS."""
    rows, values, spent, lower = _least_squares(A, b)
    n = A.shape[1]
    with _InsideHighs() as inside:
        found = scipy.optimize.linprog(
            np.ones(2 * n), A_eq=np.hstack([rows, -rows]), b_eq=values, bounds=(0, None), method=method
        )
    if found.status != 0:
        raise Failed(f"status {found.status}")
    return Answer(spent + inside.seconds, found.fun, lower)


def l1_hinge(A, labels):
    """|x|_1 over the mean hinge loss: variables x+, x-, t with t_i >= 1 - y_i <a_i, x>."""
    m, n = A.shape
    signed = sparse.diags(labels) @ sparse.csr_matrix(A)
    return Programme(
        np.concatenate([np.ones(2 * n), np.zeros(m)]),
        np.concatenate([np.zeros(2 * n), np.full(m, 1.0 / m)]),
        sparse.hstack([signed, -signed, sparse.identity(m)], format="csr"),
        np.ones(m),
        np.full(m, np.inf),
        np.zeros(2 * n + m),
        np.full(2 * n + m, np.inf),
    )


def l1_absolute(A, b):
    """|x|_1 over the mean absolute residual: variables x+, x-, r+, r- with Ax - b = r+ - r-."""
    m, n = A.shape
    rows, eye = sparse.csr_matrix(A), sparse.identity(m)
    return Programme(
        np.concatenate([np.ones(2 * n), np.zeros(2 * m)]),
        np.concatenate([np.zeros(2 * n), np.full(2 * m, 1.0 / m)]),
        sparse.hstack([rows, -rows, -eye, eye], format="csr"),
        np.asarray(b, dtype=float),
        np.asarray(b, dtype=float),
        np.zeros(2 * n + 2 * m),
        np.full(2 * n + 2 * m, np.inf),
    )


def mean(run):
    """The last answer, with the mean of the seconds of as many runs as fill 0.3 s (200 at most): clocks of CPU time are
    coarse."""
    spent = []
    while not spent or (len(spent) < 200 and sum(spent) < 0.3):
        answer = run()
        spent.append(answer.seconds)
    answer.seconds = sum(spent) / len(spent)
    return answer


def within(seconds, function, *arguments):
    """An Answer, or why there is none: in a process of its own, which a limit of CPU seconds ends."""
    if function.__name__.startswith("cvxopt") and cvxopt is None:
        return "not installed"

    def run(end):
        used = int(time.process_time())
        resource.setrlimit(resource.RLIMIT_CPU, (used + int(seconds) + 1, used + int(seconds) + 2))
        try:
            end.send(mean(lambda: function(*arguments)))
        except Failed as failure:
            end.send(str(failure))
        except (ArithmeticError, MemoryError, ValueError) as failure:
            end.send(f"{type(failure).__name__}: {failure}")

    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    child = context.Process(target=run, args=(there,))
    child.start()
    there.close()
    try:
        answer = here.recv()
    except EOFError:
        answer = f"over {seconds:g} s"
    child.join()
    return answer
