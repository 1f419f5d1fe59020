"""What the functions and sets of the library are, one entry for each kind."""

_DATA = """
    data : array_like, sparse matrix or linear operator, shape (m, n)
        A.  NumPy arrays in double precision are used where they are, not copied, and must not be changed while the
        function is in use."""
_TARGET = """
    target : array_like, shape (m,)
        b."""
_LABELS = """
    target : array_like, shape (m,)
        Labels b of two classes: -1/+1; 0/1 and 1/2 are mapped to them."""
_AVERAGE = """
    average : bool
        Divide by the number of rows."""
_SAMPLE_WEIGHTS = """
    sample_weights : array_like, shape (m,), optional
        Numbers >= 0 that multiply the summands of the rows; 1 without them."""
_WEIGHTS = """
    weights : float or array_like, shape (n,), optional
        w, numbers >= 0; 1 without them."""
_BOUND = """
    lower_bound : float, optional
        A lower bound of the function that you vouch for."""
_CENTER = """
    center : float or array_like, shape (n,), optional
        c; 0 without it."""
_RADIUS = """
    radius : float
        At least 0."""
_DIMENSION = """
    dimension : int, optional
        Number of variables, where nothing else tells it."""


def _page(summary: str, *parameters: str) -> str:
    return f"{summary}\n\n    Parameters\n    ----------{''.join(parameters)}\n    "


def _with_example(page: str, *lines: str) -> str:
    """Add an example: statements, and in the end what the last of them shows."""
    statements = "".join(f"\n    >>> {line}" for line in ("import fcbio", *lines[:-1]))
    return f"{page}\n    Examples\n    --------{statements}\n    {lines[-1]}\n    "


def _function_example(page: str, made: str, x: str, value: str) -> str:
    """Of the value at a point."""
    return _with_example(page, f"f = {made}", f"fcbio.Problem(f, f, fcbio.Ball(10.0)).values({x})[0]", value)


def _set_example(page: str, made: str, x: str, nearest: str) -> str:
    """Of the nearest point, which is the best for a squared distance where g is the same everywhere."""
    return _with_example(
        page,
        f"z = {made}",
        f"result = fcbio.minimize(fcbio.SquaredNorm({x}), fcbio.Linear(0.0), z, eps_f=1e-8)",
        "abs(result.x).round(2).tolist()",
        nearest,
    )


def _rows(summary: str, *more: str) -> str:
    return _page(summary, _DATA, _TARGET, _AVERAGE, *more, _SAMPLE_WEIGHTS, _BOUND)


def _classes(summary: str) -> str:
    return _page(summary, _DATA, _LABELS, _AVERAGE, _SAMPLE_WEIGHTS, _BOUND)


FUNCTIONS = {
    "least-squares": _rows("Sum of squared residuals, 1/2 sum (a_i'x - b_i)^2."),
    "logistic": _classes("Logistic loss, sum log(1 + exp(-b_i a_i'x))."),
    "huber": _rows(
        "Huber's loss: r^2/2 up to abs(r) = delta, then delta abs(r) - delta^2/2, summed over r = a_i'x - b_i.",
        "\n    delta : float\n        Greater than 0.",
    ),
    "absolute": _rows("Sum of absolute residuals, sum abs(a_i'x - b_i)."),
    "quantile": _rows(
        "Quantile loss, sum max(tau r, (tau - 1) r) over r = b_i - a_i'x.",
        "\n    tau : float\n        Between 0 and 1.",
    ),
    "hinge": _classes("Hinge loss, sum max(0, 1 - b_i a_i'x)."),
    "squared-hinge": _classes("Squared hinge loss, 1/2 sum max(0, 1 - b_i a_i'x)^2."),
    "squared-norm": _page("Half the squared distance, 1/2 sum w_j (x_j - c_j)^2.", _CENTER, _WEIGHTS, _BOUND),
    "l1-norm": _page("Sum of absolute values, sum w_j abs(x_j - c_j).", _CENTER, _WEIGHTS, _BOUND),
    "linear": _page(
        "Linear function c'x.",
        "\n    coefficients : float or array_like, shape (n,)\n        c.",
        _BOUND,
    ),
    "quadratic": _page(
        "Convex quadratic 1/2 x'Qx + c'x + constant.",
        "\n    matrix : array_like or sparse matrix, shape (n, n)\n        Q, symmetric and positive semidefinite.",
        "\n    coefficients : float or array_like, shape (n,), optional\n        c.",
        "\n    constant : float\n        Added.",
        _BOUND,
    ),
    "max-affine": _page("Largest of affine functions, max a_i'x + b_i.", _DATA, _TARGET, _BOUND),
    "log-sum-exp": _page("Smooth maximum, log sum exp(a_i'x + b_i).", _DATA, _TARGET, _BOUND),
}

_TOLD_RADIUS = (
    "\n    radius : float, optional\n        Where a side is open: you vouch that a solution x has abs(x) <= radius; without "
    "it nothing can be proved there."
)

SETS = {
    "ball": _page("Euclidean ball abs(x - c) <= radius.", _RADIUS, _CENTER, _DIMENSION),
    "box": _page(
        "Box lower <= x <= upper.",
        "\n    lower, upper : float or array_like, shape (n,)\n        Entries may be infinite: that side is open.",
        _TOLD_RADIUS,
        _DIMENSION,
    ),
    "orthant": _page("Points x >= 0.", _TOLD_RADIUS, _DIMENSION),
    "polyhedron": _page(
        "Polyhedron lower <= Ax <= upper within a box; rows with equal sides are equations.",
        "\n    matrix : array_like or sparse matrix, shape (k, n)\n        A.",
        "\n    lower, upper : float or array_like, shape (k,), optional\n        Sides of the rows; entries may be infinite.",
        "\n    box_lower, box_upper : float or array_like, shape (n,), optional\n        Sides of x, likewise.",
        _TOLD_RADIUS,
        _DIMENSION,
    ),
    "capped-simplex": _page(
        "Points 0 <= x <= cap with sum x = total.",
        "\n    total : float\n        At least 0.",
        "\n    cap : float\n        At least total / n.",
        _DIMENSION,
    ),
    "simplex": _page("Simplex x >= 0, sum x = total.", "\n    total : float\n        At least 0.", _DIMENSION),
    "l1-ball": _page("Ball of the l1 norm, sum abs(x_j - c_j) <= radius.", _RADIUS, _CENTER, _DIMENSION),
    "nonnegative-ball": _page("Points x >= 0 with abs(x) <= radius.", _RADIUS, _DIMENSION),
    "halfspace": _page(
        "Halfspace c'x <= value within abs(x) <= radius.",
        "\n    coefficients : float or array_like, shape (n,)\n        c.",
        "\n    value : float\n        The right side.",
        _RADIUS,
        _DIMENSION,
    ),
    "affine": _page(
        "Solutions of Mx = values within abs(x) <= radius.",
        "\n    matrix : array_like, shape (k, n)\n        M.",
        "\n    values : array_like, shape (k,)\n        The right sides.",
        _RADIUS,
        _DIMENSION,
    ),
    "intersection": _page(
        "Points that lie in all sets.", "\n    sets : list of sets\n        At least one.", _DIMENSION
    ),
    "product": _page(
        "Cartesian product: each set has some variables to itself.",
        "\n    sets : list of sets\n        In the order of the variables; each must know its dimension.",
        _DIMENSION,
    ),
    "whole-space": _page(
        "All points.",
        "\n    radius : float, optional\n        You vouch that a solution lies within it of the start; without it "
        "nothing can be proved.",
        _DIMENSION,
    ),
}

_FUNCTION_EXAMPLES = {
    "least-squares": ("fcbio.LeastSquares([[1.0, 2.0], [0.0, 1.0]], [1.0, 3.0])", "[1.0, 1.0]", "4.0"),
    "logistic": ("fcbio.Logistic([[1.0], [2.0]], [0, 1])", "[0.0]", "1.3862943611198906"),
    "huber": ("fcbio.Huber([[1.0]], [3.0], delta=1.0)", "[0.0]", "2.5"),
    "absolute": ("fcbio.Absolute([[1.0], [1.0]], [1.0, -2.0])", "[0.0]", "3.0"),
    "quantile": ("fcbio.Quantile([[1.0], [1.0]], [1.0, -2.0], tau=0.75)", "[0.0]", "1.25"),
    "hinge": ("fcbio.Hinge([[1.0], [2.0]], [-1, 1], average=True)", "[0.5]", "0.75"),
    "squared-hinge": ("fcbio.SquaredHinge([[1.0], [2.0]], [-1, 1])", "[0.5]", "1.125"),
    "squared-norm": ("fcbio.SquaredNorm(center=1.0, weights=[1.0, 4.0])", "[2.0, 2.0]", "2.5"),
    "l1-norm": ("fcbio.L1Norm(weights=[1.0, 4.0])", "[2.0, -2.0]", "10.0"),
    "linear": ("fcbio.Linear([1.0, 4.0])", "[2.0, -2.0]", "-6.0"),
    "quadratic": ("fcbio.Quadratic([[2.0, 1.0], [1.0, 2.0]], [1.0, 0.0], 0.5)", "[1.0, 1.0]", "4.5"),
    "max-affine": ("fcbio.MaxAffine([[1.0], [-1.0]], [0.0, 1.0])", "[0.25]", "0.75"),
    "log-sum-exp": ("fcbio.LogSumExp([[1.0], [-1.0]])", "[0.0]", "0.6931471805599453"),
}
_SET_EXAMPLES = {
    "ball": ("fcbio.Ball(5.0)", "[6.0, 8.0]", "[3.0, 4.0]"),
    "box": ("fcbio.Box(0.0, [1.0, 9.0])", "[6.0, 8.0]", "[1.0, 8.0]"),
    "orthant": ("fcbio.Orthant(radius=20.0)", "[6.0, -8.0]", "[6.0, 0.0]"),
    "polyhedron": (
        "fcbio.Polyhedron([[1.0, 1.0]], upper=4.0, box_lower=0.0, box_upper=9.0)",
        "[6.0, 8.0]",
        "[1.0, 3.0]",
    ),
    "capped-simplex": ("fcbio.CappedSimplex(cap=2.0, total=3.0)", "[6.0, 8.0]", "[1.0, 2.0]"),
    "simplex": ("fcbio.Simplex(4.0)", "[6.0, 8.0]", "[1.0, 3.0]"),
    "l1-ball": ("fcbio.L1Ball(4.0)", "[6.0, 8.0]", "[1.0, 3.0]"),
    "nonnegative-ball": ("fcbio.NonnegativeBall(5.0)", "[6.0, -8.0]", "[5.0, 0.0]"),
    "halfspace": ("fcbio.Halfspace([1.0, 1.0], 4.0, radius=20.0)", "[6.0, 8.0]", "[1.0, 3.0]"),
    "affine": ("fcbio.Affine([[1.0, 1.0]], [4.0], radius=20.0)", "[6.0, 8.0]", "[1.0, 3.0]"),
    "intersection": ("fcbio.Intersection([fcbio.Ball(5.0), fcbio.Box(0.0, [2.0, 9.0])])", "[6.0, 8.0]", "[2.0, 4.58]"),
    "product": (
        "fcbio.Product([fcbio.Box(0.0, 1.0, dimension=1), fcbio.Ball(5.0, dimension=1)])",
        "[6.0, 8.0]",
        "[1.0, 5.0]",
    ),
    "whole-space": ("fcbio.WholeSpace(radius=20.0)", "[6.0, 8.0]", "[6.0, 8.0]"),
}
for _kind, _example in _FUNCTION_EXAMPLES.items():
    FUNCTIONS[_kind] = _function_example(FUNCTIONS[_kind], *_example)
for _kind, _example in _SET_EXAMPLES.items():
    SETS[_kind] = _set_example(SETS[_kind], *_example)
