"""Ten thousand malformed calls: each is answered, or refused with ValueError or TypeError; nothing crashes."""

import random
import warnings

import numpy as np
import scipy.sparse

import fcbio

CALLS = 10_000


def values(dice):
    """Things that callers might hand over by mistake, and some that are right."""
    n, m = dice.randint(1, 4), dice.randint(1, 4)
    rng = np.random.default_rng(dice.getrandbits(32))
    good = rng.standard_normal((m, n))
    broken = good.copy()
    broken.flat[dice.randrange(broken.size)] = dice.choice([np.nan, np.inf, -np.inf, 1e308, 5e-324])
    csr = scipy.sparse.csr_matrix(good)
    field = dice.choice(["indices", "indptr", "data"])
    array = getattr(csr, field).copy()
    array[dice.randrange(len(array))] = dice.choice([-1, 0, 7, 2**31 - 1])
    try:
        setattr(csr, field, array)
    except ValueError:
        pass
    frozen = good.copy()
    frozen.setflags(write=False)
    strange = (
        np.lib.stride_tricks.as_strided(np.ones(8), (m, n), (0, 8 * dice.randint(-1, 1)), writeable=False)
        if n == 1
        else good[::-1, ::-1]
    )
    scalars = [
        0,
        1,
        -1,
        2.5,
        1e-300,
        1e300,
        np.nan,
        np.inf,
        -np.inf,
        True,
        None,
        "",
        "text",
        b"x",
        1j,
        10**30,
        object(),
        [],
        {},
        set(),
    ]
    arrays = [
        good,
        broken,
        csr,
        frozen,
        strange,
        np.asfortranarray(good),
        good.astype(np.float32),
        good.astype(complex),
        good.astype(object),
        np.empty((0, n)),
        np.empty((m, 0)),
        np.array(3.0),
        np.ones((2, 2, 2)),
        good.tolist(),
        scipy.sparse.coo_matrix(good),
        scipy.sparse.csc_matrix(good),
        good.astype(np.int8),
        np.array(["a", "b"]),
        np.zeros(m, dtype=[("a", float)]),
        good.astype(np.float16),
        good.astype(">f8"),
        np.arange(3).astype("datetime64[s]"),
    ]
    vectors = [
        rng.standard_normal(dice.choice([n, m])),
        np.ones(m),
        np.ones(n),
        np.sign(rng.standard_normal(m)),
        [1.0] * m,
        np.full(n, np.nan),
        range(m),
    ]
    callables = [
        lambda *a: None,
        lambda x, *a: x,
        lambda x, *a: (1.0, x),
        lambda x, *a: (0.5 * x @ x, x),
        lambda *a: 1 / 0,
        lambda x, *a: (x, 1.0),
        len,
        lambda *a: 3.0,
    ]
    sets = [fcbio.Ball(1.0), fcbio.Box(0.0, 1.0, dimension=n), fcbio.WholeSpace(), fcbio.Simplex()]
    functions = [fcbio.SquaredNorm(), fcbio.L1Norm(0.0), fcbio.LeastSquares(np.ones((1, n)), [1.0])]
    pool = dice.choices([scalars, arrays, vectors, callables, sets, functions], weights=[3, 5, 4, 1, 2, 2])[0]
    return dice.choice(pool)


METHODS = [method["name"] for method in fcbio.methods()]
BUILDERS = [*fcbio._parts.FUNCTION_CLASSES.values(), *fcbio._parts.SET_CLASSES.values()]
KEYS = ["average", "delta", "tau", "center", "dimension", "lower_bound", "radius", "constant", "nonsense", "target"]


def build(dice):
    made = dice.choice(BUILDERS)
    names = list(made.__signature__.parameters)
    count = dice.randint(0, len(names))
    arguments = [values(dice) for _ in range(count)]
    if names[0] == "sets" and count and dice.random() < 0.7:
        arguments[0] = [values(dice) for _ in range(dice.randint(0, 3))]
    return made(*arguments, **{dice.choice(KEYS): values(dice) for _ in range(dice.choice([0, 0, 1]))})


def minimize(dice):
    rng = np.random.default_rng(dice.getrandbits(32))
    n = dice.randint(1, 4)
    parts = []
    for _ in range(2):
        parts.append(
            dice.choice(
                [
                    lambda: build(dice),
                    lambda: values(dice),
                    fcbio.SquaredNorm,
                    lambda: fcbio.LeastSquares(rng.standard_normal((2, n)), [1, 2]),
                    lambda: fcbio.UserFunction(values(dice), smoothness=1.0),
                    lambda: fcbio.UserFunction(lambda x: (0.5 * x @ x, x), hessp=values(dice), dimension=n),
                    lambda: fcbio.UserFunction(
                        dice.choice([lambda x: (x @ x, x), lambda x: (np.nan, x), lambda x: (1.0, x[:1])]), dimension=n
                    ),
                ]
            )()
        )
    domain = dice.choice(
        [
            lambda: fcbio.Ball(1.0),
            lambda: build(dice),
            lambda: values(dice),
            lambda: fcbio.UserSet(
                dice.choice([lambda x: np.clip(x, -1, 1), lambda x: x, lambda x: None]), center=np.zeros(n), radius=2.0
            ),
            lambda: dice.choice([fcbio.Product, fcbio.Intersection])(
                [
                    fcbio.UserSet(
                        dice.choice([lambda x: np.clip(x, -1, 1), lambda x: x[:1], lambda x: None]),
                        center=np.zeros(n),
                        radius=2.0,
                    ),
                    values(dice) if dice.random() < 0.3 else fcbio.Ball(1.0, dimension=n),
                ]
            ),
        ]
    )()
    more = {}
    for _ in range(dice.choice([0, 0, 1, 2])):
        key = dice.choice(
            [
                "eps_f",
                "eps_g",
                "eps_f_relative",
                "eps_g_relative",
                "refine",
                "method",
                "options",
                "callback",
                "threads",
                "time_limit",
                "max_passes",
                "tight",
                "absolute",
                "holder",
                "x0",
                "progress",
            ]
        )
        more[key] = values(dice) if key != "method" or dice.random() < 0.3 else dice.choice(METHODS)
    more.setdefault("max_iterations", 30)
    if not isinstance(more.get("time_limit", 0.05), float) or more.get("time_limit", 0.05) > 0.05:
        more["time_limit"] = 0.05
    more.setdefault("time_limit", 0.05)
    if isinstance(more.get("threads"), int) and more["threads"] > 4:
        more["threads"] = 2
    return fcbio.minimize(*parts, domain, **more)


def small_problem(dice):
    rng = np.random.default_rng(dice.getrandbits(32))
    g = dice.choice(
        [
            lambda: fcbio.LeastSquares(rng.standard_normal((2, 3)), [1, 2]),
            lambda: fcbio.Hinge(scipy.sparse.random(4, 3, 0.5, dice.choice(["csr", "csc", "coo"])), [1, -1, 1, 1]),
            lambda: fcbio.UserFunction(lambda x: (0.5 * x @ x, x), hessp=lambda x, v: v, smoothness=1.0, dimension=3),
        ]
    )()
    return fcbio.Problem(fcbio.SquaredNorm(), g, fcbio.Ball(2.0))


def use_of_a_result(dice):
    """What is done with a result whose problem nobody else holds."""
    make = dice.choice([small_problem, lambda dice: fcbio.hard_instance("smooth", dice.randint(1, 5))])
    result = make(dice).minimize(max_iterations=20, time_limit=0.05, method=dice.choice(METHODS))
    use = dice.choice(
        [
            lambda: fcbio.verify(result),
            lambda: result.save(values(dice) if dice.random() < 0.5 else "result.json"),
            lambda: result.report(values(dice) if dice.random() < 0.5 else "page.html"),
            lambda: fcbio.verify(values(dice), result),
            lambda: (result.summary(), repr(result), result._repr_html_()),
        ]
    )
    return use()


OTHERS = [
    use_of_a_result,
    lambda dice: fcbio.verify(values(dice), values(dice)) if dice.random() < 0.2 else fcbio.Result.load(values(dice)),
    lambda dice: fcbio.load_problem(values(dice)),
    lambda dice: fcbio.operator(values(dice), values(dice)),
    lambda dice: fcbio.catalogue(values(dice), seed=values(dice)),
    lambda dice: fcbio.hard_instance(values(dice), values(dice)),
    lambda dice: fcbio.Problem(fcbio.SquaredNorm(), build(dice), fcbio.Ball(1.0)).values(values(dice)),
    lambda dice: build(dice) * values(dice),
    lambda dice: build(dice) + values(dice),
    lambda dice: fcbio.compare(values(dice), values(dice)),
]


def test_malformed_calls(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # for what is saved
    dice = random.Random(20240607)
    answered = refused = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for number in range(CALLS):
            call = dice.choices([build, minimize, dice.choice(OTHERS)], weights=[5, 4, 2])[0]
            try:
                call(dice)
                answered += 1
            except (ValueError, TypeError) as error:
                assert str(error), f"call {number}: a refusal without words"
                refused += 1
            except ZeroDivisionError:  # of a callable, unchanged
                refused += 1
    assert answered + refused == CALLS
    assert answered > CALLS / 50 and refused > CALLS / 2
