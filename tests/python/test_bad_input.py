"""Bad input: ValueError or TypeError that names the argument, what was expected and what was found."""

import numpy as np
import pytest
import scipy.sparse

import fcbio

A = np.arange(6.0).reshape(2, 3)
B = np.ones(2)
F = fcbio.SquaredNorm()
G = fcbio.LeastSquares(A, B)
Z = fcbio.Ball(1.0)


def bad_csr(**changes):
    csr = scipy.sparse.csr_matrix(A)
    for name, value in changes.items():
        setattr(csr, name, np.array(value, dtype=getattr(csr, name).dtype))
    return csr


def bad_coo(**changes):
    coo = scipy.sparse.coo_matrix(A)
    for name, value in changes.items():
        setattr(coo, name, np.array(value, dtype=np.int32))
    return coo


CASES = {
    "data of one dimension": (lambda: fcbio.LeastSquares(B, B), ValueError, ["data", "2 dimensions", "(2,)"]),
    "data of none": (lambda: fcbio.LeastSquares(np.array(1.0), B), ValueError, ["data", "()"]),
    "data of three": (lambda: fcbio.LeastSquares(np.ones((2, 2, 2)), B), ValueError, ["data", "(2, 2, 2)"]),
    "empty data": (lambda: fcbio.LeastSquares(np.ones((0, 3)), []), ValueError, ["data", "(0, 3)"]),
    "data None": (lambda: fcbio.LeastSquares(None, B), TypeError, ["data", "None"]),
    "data text": (lambda: fcbio.LeastSquares("numbers", B), TypeError, ["data", "numbers"]),
    "complex data": (lambda: fcbio.LeastSquares(1j * A, B), TypeError, ["data", "complex128"]),
    "objects": (lambda: fcbio.LeastSquares(A.astype(object), B), TypeError, ["data", "object"]),
    "long doubles": (
        lambda: fcbio.LeastSquares(A.astype(np.longdouble), B),
        TypeError,
        ["data", "longdouble", "float128"],
    ),
    "ragged": (lambda: fcbio.LeastSquares([[1.0], [1.0, 2.0]], B), TypeError, ["data"]),
    "nan": (lambda: fcbio.LeastSquares(np.where(A == 4, np.nan, A), B), ValueError, ["data", "nan", "row 1, column 1"]),
    "inf by columns": (
        lambda: fcbio.LeastSquares(np.asfortranarray(np.where(A == 4, np.inf, A)), B),
        ValueError,
        ["data", "inf", "row 1, column 1"],
    ),
    "masked": (lambda: fcbio.LeastSquares(np.ma.masked_equal(A, 3), B), TypeError, ["data", "masked"]),
    "target too short": (lambda: fcbio.LeastSquares(A, [1.0]), ValueError, ["target", "2", "1"]),
    "target of two dimensions": (lambda: fcbio.LeastSquares(A, A), ValueError, ["target", "(2, 3)"]),
    "target nan": (lambda: fcbio.LeastSquares(A, [1.0, np.nan]), ValueError, ["target", "nan", "1"]),
    "no target": (lambda: fcbio.LeastSquares(A), TypeError, ["LeastSquares", "target"]),
    "unknown argument": (lambda: fcbio.LeastSquares(A, B, avrage=True), TypeError, ["avrage"]),
    "average a number": (lambda: fcbio.LeastSquares(A, B, average=1), TypeError, ["average", "True or False", "1"]),
    "labels of three classes": (lambda: fcbio.Logistic(np.ones((3, 2)), [1, 2, 3]), ValueError, ["target", "classes"]),
    "delta zero": (lambda: fcbio.Huber(A, B, delta=0.0), ValueError, ["delta", "> 0"]),
    "tau one": (lambda: fcbio.Quantile(A, B, tau=1.0), ValueError, ["tau", "between 0 and 1"]),
    "delta text": (lambda: fcbio.Huber(A, B, delta="1"), TypeError, ["delta", "number", "'1'"]),
    "radius negative": (lambda: fcbio.Ball(-1.0), ValueError, ["radius", "-1"]),
    "radius nan": (lambda: fcbio.Ball(np.nan), ValueError, ["radius", "nan"]),
    "radius complex": (lambda: fcbio.Ball(1j), TypeError, ["radius", "1j"]),
    "radius huge integer": (lambda: fcbio.Ball(10**400), ValueError, ["radius"]),
    "center of two dimensions": (lambda: fcbio.Ball(1.0, A), ValueError, ["center", "(2, 3)"]),
    "box nan": (lambda: fcbio.Box(np.nan, 1.0), ValueError, ["lower", "nan"]),
    "box empty": (lambda: fcbio.minimize(F, G, fcbio.Box(1.0, 0.0)), ValueError, ["[domain]"]),
    "dimension zero": (lambda: fcbio.Ball(1.0, dimension=0), ValueError, ["dimension", "0"]),
    "dimension half": (lambda: fcbio.Ball(1.0, dimension=1.5), TypeError, ["dimension", "1.5"]),
    "sets not a list": (lambda: fcbio.Intersection(Z), TypeError, ["sets"]),
    "sets empty": (lambda: fcbio.Intersection([]), ValueError, ["sets"]),
    "sets of others": (lambda: fcbio.Intersection([Z, 1]), TypeError, ["sets[1]"]),
    "product without dimension": (lambda: fcbio.minimize(F, G, fcbio.Product([Z])), ValueError, ["set 0", "dimension"]),
    "asymmetric": (lambda: fcbio.minimize(F, fcbio.Quadratic([[1, 2], [0, 1]]), Z), ValueError, ["symmetric"]),
    "not square": (lambda: fcbio.Quadratic(A), ValueError, ["matrix", "2 x 3"]),
    "indefinite": (lambda: fcbio.minimize(F, fcbio.Quadratic([[0, 1], [1, 0]]), Z), ValueError, ["semidefinite"]),
    "weight nan": (lambda: np.nan * F, ValueError, ["weight", "nan"]),
    "weight negative": (lambda: F * -2, ValueError, ["weight", "-2"]),
    "domain of another dimension": (
        lambda: fcbio.minimize(F, G, fcbio.Ball(1.0, [0.0, 0.0])),
        ValueError,
        ["3 from the data of least-squares in lower", "2 from center of the domain"],
    ),
    "center of another dimension": (
        lambda: fcbio.minimize(fcbio.L1Norm([0, 0]), G, Z),
        ValueError,
        ["center of l1-norm in upper"],
    ),
    "no dimension": (lambda: fcbio.minimize(F, F, Z), ValueError, ["number of variables", "dimension"]),
    "upper not a function": (lambda: fcbio.minimize(lambda x: x, G, Z), TypeError, ["upper", "function"]),
    "lower a set": (lambda: fcbio.minimize(F, Z, Z), TypeError, ["lower", "Ball"]),
    "domain None": (lambda: fcbio.minimize(F, G, None), TypeError, ["domain", "None"]),
    "x0 too long": (lambda: fcbio.minimize(F, G, Z, np.zeros(4)), ValueError, ["4 from x0"]),
    "x0 nan": (lambda: fcbio.minimize(F, G, Z, [0.0, np.nan, 0.0]), ValueError, ["x0", "nan"]),
    "eps zero": (lambda: fcbio.minimize(F, G, Z, eps_f=0.0), ValueError, ["eps_f", "> 0"]),
    "eps None": (lambda: fcbio.minimize(F, G, Z, eps_g=None), TypeError, ["eps_g", "None"]),
    "method unknown": (lambda: fcbio.minimize(F, G, Z, method="fcbo"), ValueError, ["fcbo", "fcbio"]),
    "method a number": (lambda: fcbio.minimize(F, G, Z, method=1), TypeError, ["method"]),
    "option unknown": (lambda: fcbio.minimize(F, G, Z, options={"engin": "newton"}), ValueError, ["engin"]),
    "option value": (lambda: fcbio.minimize(F, G, Z, options={"engine": "steam"}), ValueError, ["engine", "steam"]),
    "options a list": (lambda: fcbio.minimize(F, G, Z, options=[1]), TypeError, ["options"]),
    "option list": (lambda: fcbio.minimize(F, G, Z, options={"engine": [1]}), TypeError, ["engine"]),
    "threads zero": (lambda: fcbio.minimize(F, G, Z, threads=0), ValueError, ["threads", "0"]),
    "threads many": (lambda: fcbio.minimize(F, G, Z, threads=5000), ValueError, ["threads", "5000"]),
    "time zero": (lambda: fcbio.minimize(F, G, Z, time_limit=0), ValueError, ["time_limit"]),
    "passes negative": (lambda: fcbio.minimize(F, G, Z, max_passes=-1), ValueError, ["max_passes"]),
    "relative accuracy negative": (
        lambda: fcbio.minimize(F, G, Z, eps_f_relative=-0.1),
        ValueError,
        ["eps_f_relative", "> 0", "-0.1"],
    ),
    "relative accuracy of everything": (
        lambda: fcbio.minimize(F, G, Z, eps_g_relative=1.0),
        ValueError,
        ["eps_g_relative", "below 1"],
    ),
    "eps zero beside another relative": (
        lambda: fcbio.minimize(F, G, Z, eps_f=0.0, eps_g_relative=0.1),
        ValueError,
        ["eps_f", "> 0"],
    ),
    "refine negative": (lambda: fcbio.minimize(F, G, Z, refine=-1), ValueError, ["refine", ">= 0", "-1"]),
    "refine text": (lambda: fcbio.minimize(F, G, Z, refine="much"), TypeError, ["refine", "much"]),
    "callback a number": (lambda: fcbio.minimize(F, G, Z, callback=3), TypeError, ["callback"]),
    "holder of two": (lambda: fcbio.minimize(F, G, Z, holder=(1, 2)), TypeError, ["holder"]),
    "column beyond": (
        lambda: fcbio.LeastSquares(bad_csr(indices=[1, 2, 0, 1, 9]), B),
        ValueError,
        ["data", "column", "9"],
    ),
    "column negative": (
        lambda: fcbio.LeastSquares(bad_csr(indices=[1, 2, 0, 1, -1]), B),
        ValueError,
        ["data", "column", "-1"],
    ),
    "starts descend": (lambda: fcbio.LeastSquares(bad_csr(indptr=[0, 9, 5]), B), ValueError, ["data", "starts"]),
    "starts beyond": (lambda: fcbio.LeastSquares(bad_csr(indptr=[0, 2, 50]), B), ValueError, ["data", "starts"]),
    "starts not from 0": (lambda: fcbio.LeastSquares(bad_csr(indptr=[1, 2, 5]), B), ValueError, ["data", "starts"]),
    "sparse nan": (
        lambda: fcbio.LeastSquares(bad_csr(data=[1, 2, np.nan, 4, 5]), B),
        ValueError,
        ["data", "nan", "row 1, column 0"],
    ),
    "columns nan": (
        lambda: fcbio.LeastSquares(scipy.sparse.csc_matrix(np.where(A == 4, np.nan, A)), B),
        ValueError,
        ["data", "nan", "row 1, column 1"],
    ),
    "triples inf": (
        lambda: fcbio.LeastSquares(scipy.sparse.coo_matrix(np.where(A == 4, np.inf, A)), B),
        ValueError,
        ["data", "inf", "row 1, column 1"],
    ),
    "row beyond": (lambda: fcbio.LeastSquares(bad_coo(row=[0, 0, 1, 1, 9]), B), ValueError, ["data", "row", "9"]),
    "row negative": (lambda: fcbio.LeastSquares(bad_coo(row=[0, 0, 1, 1, -1]), B), ValueError, ["data", "row", "-1"]),
    "triples of two lengths": (lambda: fcbio.LeastSquares(bad_coo(col=[0, 1]), B), ValueError, ["data", "column"]),
    "sparse complex": (lambda: fcbio.LeastSquares(scipy.sparse.csr_matrix(1j * A), B), TypeError, ["data", "complex"]),
    "sparse empty": (lambda: fcbio.LeastSquares(scipy.sparse.csr_matrix((0, 3)), []), ValueError, ["data", "(0, 3)"]),
    "file missing": (lambda: fcbio.load_problem("/nonexistent/p.toml"), ValueError, ["/nonexistent/p.toml"]),
    "file a number": (lambda: fcbio.load_problem(3), TypeError, ["path"]),
    "result missing": (lambda: fcbio.Result.load("/nonexistent/r.json"), ValueError, ["/nonexistent/r.json"]),
    "catalogue unknown": (lambda: fcbio.catalogue("min-nrm"), ValueError, ["min-nrm", "min-norm"]),
    "catalogue parameter": (lambda: fcbio.catalogue("min-norm", raws=3), ValueError, ["raws"]),
    "family": (lambda: fcbio.hard_instance("rough"), ValueError, ["family", "rough"]),
    "report name": (lambda: fcbio.minimize(F, G, Z).report("page.txt"), ValueError, ["path", ".html"]),
    "values of wrong length": (lambda: fcbio.Problem(F, G, Z).values([1.0]), ValueError, ["x", "3", "1"]),
}


@pytest.mark.parametrize("name", CASES)
def test_refusals_name_the_argument(name):
    call, kind, words = CASES[name]
    with pytest.raises(kind) as caught:
        call()
    missing = [word for word in words if word not in str(caught.value)]
    assert len(missing) < len(words) if name == "long doubles" else not missing, str(caught.value)


ANSWERS = {
    "None": (lambda x: None, TypeError, ["pair", "None"]),
    "a number": (lambda x: 1.0, TypeError, ["pair", "float"]),
    "three things": (lambda x: (1.0, x, x), TypeError, ["pair"]),
    "no gradient": (lambda x: (1.0, None), TypeError, ["gradient", "None"]),
    "a short gradient": (lambda x: (1.0, x[:1]), ValueError, ["gradient", "(1,)"]),
    "a square": (lambda x: (1.0, np.outer(x, x)), ValueError, ["gradient", "(2, 2)"]),
    "text": (lambda x: ("much", x), TypeError, ["value", "str"]),
    "complex value": (lambda x: (1j, x), TypeError, ["value", "complex"]),
    "complex gradient": (lambda x: (1.0, 1j * x), TypeError, ["gradient", "complex"]),
    "objects": (lambda x: (1.0, x.astype(object)), TypeError, ["gradient", "object"]),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_callables_that_answer_nonsense(name):
    answer, kind, words = ANSWERS[name]
    f = fcbio.UserFunction(answer, smoothness=1.0, name="mine")
    with pytest.raises(kind) as caught:
        fcbio.minimize(f, fcbio.LeastSquares([[1.0, 1.0]], [1.0]), Z)
    assert all(word in str(caught.value) for word in ["mine", *words]), str(caught.value)


def test_nan_is_a_status_and_not_a_certificate():
    f = fcbio.UserFunction(lambda x: (np.nan, x), smoothness=1.0)
    result = fcbio.minimize(f, fcbio.LeastSquares([[1.0, 1.0]], [1.0]), Z)
    assert result.status != "certified" and not result.success


@pytest.mark.parametrize(
    "fun",
    [lambda x: (-0.5 * x @ x, -x), lambda x: (0.5 * x @ x, 2.0 * x), lambda x: (0.5 * x @ x, -x)],
    ids=["concave", "gradient twice as long", "gradient of the wrong sign"],
)
def test_wrong_functions_are_found_out(fun):
    f = fcbio.UserFunction(fun, smoothness=2.0, lower_bound=-10.0)
    result = fcbio.minimize(f, fcbio.LeastSquares([[1.0, 1.0]], [1.0]), fcbio.Ball(4.0))
    assert result.status != "certified", result
    assert f.check(np.zeros(2), 2.0)
    if result.status == "not_convex":
        assert result.convexity["function"] == "user"


def test_wrong_sets_are_refused():
    for project, support in (
        (lambda x: x / max(1.0, np.linalg.norm(x)), lambda d: 0.5 * np.linalg.norm(d)),
        (lambda x: 0.5 * x, np.linalg.norm),
    ):
        wrong = fcbio.UserSet(project, support=support, center=[0.0, 0.0], radius=1.0, name="odd")
        assert wrong.check()
        with pytest.raises(ValueError, match="odd"):
            fcbio.minimize(F, fcbio.LeastSquares([[1.0, 1.0]], [1.0]), wrong)


def test_right_functions_and_sets_pass():
    f = fcbio.UserFunction(
        lambda x: (0.5 * x @ x, x),
        smoothness=1.0,
        prox=lambda x, step: x / (1 + step),
        hessp=lambda x, v: v,
        strong_convexity=1.0,
        lower_bound=0.0,
    )
    assert f.check(np.zeros(3), 5.0) == []
    z = fcbio.UserSet(
        lambda x: np.clip(x, -1, 1), minimize_linear=lambda d: -np.sign(d) + (d == 0), center=np.zeros(3), radius=2.0
    )
    assert z.check() == []
    result = fcbio.minimize(f, fcbio.LeastSquares([[1.0, 1.0, 0.0]], [1.0]), z)
    assert result.status == "certified"
    assert "convex" in " ".join(result.certificate["premises"])


def test_products_with_a_hessian():
    rows = np.random.default_rng(5).standard_normal((30, 6)) * 10.0 ** -np.arange(6.0)

    def fun(x):
        u = rows @ x
        return np.logaddexp(0.0, -u).sum(), -rows.T @ (1 / (1 + np.exp(u)))

    def hessp(x, v):
        share = 1 / (1 + np.exp(rows @ x))
        return rows.T @ (share * (1 - share) * (rows @ v))

    g = fcbio.UserFunction(fun, hessp=hessp, lower_bound=0.0)
    assert g.check(np.zeros(6), 5.0) == []
    result = fcbio.minimize(F, g, fcbio.Ball(5.0, dimension=6), eps_f=1e-4)
    assert (result.status, result.engine) == ("certified", "newton")
    assert fcbio.UserFunction(fun, hessp=lambda x, v: 2 * hessp(x, v)).check(np.zeros(6), 5.0)

    for wrong in (lambda x, v: v[:2], lambda x, v: None, lambda x, v: v * np.nan):
        with pytest.raises((TypeError, ValueError), match="hessp"):
            fcbio.minimize(F, fcbio.UserFunction(fun, hessp=wrong), fcbio.Ball(5.0, dimension=6))
    with pytest.raises(TypeError, match="hessp"):
        fcbio.UserFunction(fun, hessp=3)


@pytest.mark.parametrize(
    "wrong, words",
    [
        (lambda H, v: 2 * H @ v, "gradient changes by"),
        (lambda H, v: np.zeros(4), "gradient changes by"),
        (lambda H, v: -H @ v, "semidefinite"),
        (lambda H, v: np.triu(H) @ v, "symmetric"),
        (lambda H, v: np.full(4, np.nan), "finite numbers"),
    ],
    ids=["twice", "none", "sign", "triangle", "nan"],
)
def test_products_that_are_not_those_of_the_hessian_are_reported(wrong, words):
    rows = np.random.default_rng(7).standard_normal((6, 4))
    H = rows.T @ rows
    f = fcbio.UserFunction(lambda x: (0.5 * x @ H @ x, H @ x), hessp=lambda x, v: wrong(H, v), name="mine")
    with pytest.raises(ValueError, match=f"mine.hessp: expected.*{words}"):
        fcbio.minimize(f, fcbio.LeastSquares(np.ones((1, 4)), [1.0]), fcbio.Ball(5.0))


def test_a_hessian_is_asked_for_within_the_domain_only():
    def fun(x):
        assert x.min() > 0.0
        return -np.log(x).sum(), -1.0 / x

    f = fcbio.UserFunction(fun, hessp=lambda x, v: v / x**2)
    simplex = fcbio.Intersection([fcbio.Simplex(1.0), fcbio.Box(0.01, 1.0)])
    result = fcbio.minimize(f, fcbio.Linear([0.0, 0.0, 1.0]), simplex, eps_f=1e-5, eps_g=1e-7)
    assert result.status == "certified"
    np.testing.assert_allclose(result.x, [0.495, 0.495, 0.01], atol=1e-3)


def test_newton_with_callables_up_to_200_variables():
    for n, engine in ((200, True), (201, False)):
        scales = np.logspace(0, 3, n)
        f = fcbio.UserFunction(
            lambda x: (0.5 * scales @ (x - 1) ** 2, scales * (x - 1)),
            hessp=lambda x, v: scales * v,
            smoothness=1e3,
            lower_bound=0.0,
        )
        result = fcbio.minimize(f, fcbio.LeastSquares(np.ones((1, n)), [1.0]), fcbio.Ball(50.0), eps_f=1e-3)
        assert result.status == "certified" and (result.engine == "newton") == engine
