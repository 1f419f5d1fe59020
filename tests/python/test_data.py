"""Arrays of every kind: what is borrowed, what is copied, and that it makes no difference to the answer."""

import gc
import tracemalloc
import weakref

import numpy as np
import pytest
import scipy.sparse
from scipy.sparse.linalg import LinearOperator, aslinearoperator

import fcbio

RNG = np.random.default_rng(1)
A = RNG.standard_normal((12, 20))
A[np.abs(A) < 0.7] = 0.0
B = RNG.standard_normal(12)


def solve(a, b=B):
    return fcbio.minimize(fcbio.SquaredNorm(), fcbio.LeastSquares(a, b), fcbio.Ball(50.0), eps_f=1e-8, eps_g=1e-8)


DENSE = solve(A)
WIDE = np.zeros((24, 60))
WIDE[::2, 10:30] = A


@pytest.mark.parametrize(
    "a",
    [
        A.tolist(),
        np.hstack([A, A])[:, :20],
        A[::-1][::-1],
        A[:, ::-1][:, ::-1],
        WIDE[::2, 10:30],
        A.astype(">f8"),
        np.ascontiguousarray(A).view(np.matrix),
    ],
    ids=[
        "list",
        "wide rows",
        "rows twice reversed",
        "columns twice reversed",
        "every other row",
        "big endian",
        "matrix",
    ],
)
def test_dense_arrays_give_the_same_bits(a):
    assert np.array_equal(solve(a).x, DENSE.x)


def test_read_only_arrays_are_fine():
    frozen = A.copy()
    frozen.setflags(write=False)
    assert np.array_equal(solve(frozen).x, DENSE.x)


@pytest.mark.parametrize(
    "a", [np.asfortranarray(A), np.vstack([A.T, A.T]).T[:, :20], np.asfortranarray(WIDE)[:, 10:30][::2]]
)
def test_columns_are_as_good_as_rows(a):
    result = solve(a)
    assert result.status == "certified"
    assert np.allclose(result.x, DENSE.x, atol=1e-6)
    assert fcbio.verify(result)


def test_negative_strides_and_transposes():
    flipped = solve(A[:, ::-1])
    assert np.array_equal(flipped.x, solve(np.ascontiguousarray(A[:, ::-1])).x)
    assert np.allclose(flipped.x[::-1], DENSE.x, atol=1e-6)


SPARSE = solve(scipy.sparse.csr_matrix(A))


def shuffled_csc():
    csc = scipy.sparse.csc_matrix(A)
    for j in range(csc.shape[1]):
        column = slice(csc.indptr[j], csc.indptr[j + 1])
        csc.indices[column] = csc.indices[column][::-1].copy()
        csc.data[column] = csc.data[column][::-1].copy()
    return csc


def shuffled_coo():
    coo = scipy.sparse.coo_matrix(A)
    order = np.random.default_rng(2).permutation(coo.nnz)
    return scipy.sparse.coo_matrix((coo.data[order], (coo.row[order], coo.col[order])), shape=A.shape)


def shuffled_csr():
    csr = scipy.sparse.csr_matrix(A)
    for i in range(csr.shape[0]):
        row = slice(csr.indptr[i], csr.indptr[i + 1])
        csr.indices[row] = csr.indices[row][::-1].copy()
        csr.data[row] = csr.data[row][::-1].copy()
    csr.has_sorted_indices = True  # a lie, which must not matter
    return csr


def long_indices():
    csr = scipy.sparse.csr_matrix(A)
    csr.indices, csr.indptr = csr.indices.astype(np.int64), csr.indptr.astype(np.int64)
    return csr


@pytest.mark.parametrize(
    "a",
    [
        scipy.sparse.csc_matrix(A),
        scipy.sparse.coo_matrix(A),
        scipy.sparse.csr_array(A),
        scipy.sparse.lil_matrix(A),
        scipy.sparse.dok_matrix(A),
        shuffled_csr(),
        shuffled_csc(),
        shuffled_coo(),
        scipy.sparse.csc_array(A),
        long_indices(),
        scipy.sparse.coo_matrix(
            (np.repeat(A[A != 0] / 2, 2), tuple(np.repeat(side, 2) for side in np.nonzero(A))), shape=A.shape
        ),
    ],
    ids=[
        "csc",
        "coo",
        "array",
        "lil",
        "dok",
        "shuffled",
        "shuffled csc",
        "shuffled coo",
        "csc array",
        "64-bit",
        "repeated",
    ],
)
def test_sparse_matrices_give_the_same_bits(a):
    result = solve(a)
    assert np.array_equal(result.x, SPARSE.x)
    assert fcbio.verify(result)


def test_the_callers_sparse_matrix_is_not_changed():
    csr = shuffled_csr()
    before = csr.indices.copy()
    solve(csr)
    assert np.array_equal(csr.indices, before)


def test_sparse_and_dense_have_one_name():
    make = lambda a: fcbio.Problem(fcbio.SquaredNorm(), fcbio.LeastSquares(a, B), fcbio.Ball(50.0)).fingerprint
    assert (
        len({make(A), make(np.asfortranarray(A)), make(scipy.sparse.csr_matrix(A)), make(scipy.sparse.coo_array(A))})
        == 1
    )
    other = A.copy()
    other[3, 4] += 1e-15 + abs(other[3, 4]) * 1e-15
    assert make(other) != make(A)


@pytest.mark.parametrize("convert", [np.asarray, scipy.sparse.csr_matrix])
def test_single_precision_is_converted_and_told(convert):
    single = A.astype(np.float32)
    with pytest.warns(fcbio.ConversionWarning, match="data: float32"):
        result = solve(convert(single))
    exact = solve(convert(single.astype(float)))
    assert np.array_equal(result.x, exact.x)


def test_integers_and_frames():
    import pandas

    whole = np.rint(3 * A).astype(int)
    assert np.array_equal(solve(whole).x, solve(whole.astype(float)).x)
    assert np.array_equal(solve(pandas.DataFrame(A), pandas.Series(B)).x, DENSE.x)


def test_dense_data_is_borrowed():
    big = np.random.default_rng(0).standard_normal((400, 5000))  # 16 MB
    b = np.ones(400)
    tracemalloc.start()
    g = fcbio.LeastSquares(big, b)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < big.nbytes / 4
    # The function works on the array itself.
    problem = fcbio.Problem(fcbio.SquaredNorm(), g, fcbio.Ball(10.0))
    x = np.zeros(5000)
    x[0] = 1.0
    before = problem.values(x)[1]
    big[:, 0] = 0.0
    assert problem.values(x)[1] != before
    assert problem.values(x)[1] == 0.5 * 400


def test_borrowed_arrays_live_as_long_as_they_are_needed():
    array = np.array(A)
    gone = weakref.ref(array)
    result = solve(array)
    del array
    gc.collect()
    assert gone() is not None  # verify still needs it
    assert fcbio.verify(result)
    del result
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize("field, value", [("indices", 10**6), ("indices", -5), ("indptr", 10**6), ("data", np.nan)])
def test_sparse_rows_that_are_broken_after_they_were_given(field, value, tmp_path):
    csr = long_indices() if field == "indptr" else scipy.sparse.csr_matrix(A)
    problem = fcbio.Problem(fcbio.SquaredNorm(), fcbio.LeastSquares(csr, B), fcbio.Ball(50.0))
    result = problem.minimize()
    getattr(csr, field)[3] = value
    for use in (lambda: fcbio.verify(problem, result), lambda: problem.save(tmp_path), lambda: problem.fingerprint):
        with pytest.raises(ValueError, match="expected"):
            use()


@pytest.mark.parametrize("convert", [scipy.sparse.csc_matrix, scipy.sparse.coo_matrix])
def test_sparse_data_in_another_order_is_borrowed(convert, tmp_path):
    matrix = convert(A)
    problem = fcbio.Problem(fcbio.SquaredNorm(), fcbio.LeastSquares(matrix, B), fcbio.Ball(50.0))
    result = problem.minimize()
    assert fcbio.verify(problem, result)
    before = matrix.data[3]
    matrix.data[3] += 1.0
    assert not fcbio.verify(problem, result)
    matrix.data[3] = np.nan
    with pytest.raises(ValueError, match="found nan in row"):
        problem.save(tmp_path)
    matrix.data[3] = before
    assert fcbio.verify(problem, result)


class Difference(LinearOperator):
    """x -> x_{i+1} - x_i"""

    def __init__(self, n):
        super().__init__(float, (n - 1, n))

    def _matvec(self, x):
        return np.diff(np.ravel(x))

    def _rmatvec(self, y):
        y = np.ravel(y)
        return np.concatenate([[0.0], y]) - np.concatenate([y, [0.0]])


def test_linear_operators():
    n = 15
    b = np.linspace(0.0, 1.0, n - 1)
    dense = solve(np.diff(np.eye(n), axis=0), b)
    for data in (Difference(n), fcbio.operator(Difference(n), norm=2.0), aslinearoperator(np.diff(np.eye(n), axis=0))):
        result = solve(data, b)
        assert result.status == "certified"
        assert np.allclose(result.x, dense.x, atol=1e-3)
        with pytest.raises(ValueError, match="operators"):
            fcbio.verify(result)


def test_wrong_operators_are_refused():
    wrong = LinearOperator((3, 3), matvec=lambda x: x, rmatvec=lambda x: 2 * x, dtype=float)
    with pytest.raises(ValueError, match="transpose"):
        fcbio.LeastSquares(wrong, np.ones(3))
    with pytest.raises(TypeError, match="rmatvec"):
        fcbio.operator(np.eye(3))


@pytest.mark.parametrize(
    "labels", [np.array([1, -1, 1]), np.array([1, 0, 1]), np.array([2, 1, 2]), np.array([True, False, True])]
)
def test_labels_are_mapped_and_told(labels):
    a = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    problem = fcbio.Problem(fcbio.SquaredNorm(), fcbio.Logistic(a, labels), fcbio.Ball(3.0))
    reference = fcbio.Problem(fcbio.SquaredNorm(), fcbio.Logistic(a, [1.0, -1.0, 1.0]), fcbio.Ball(3.0))
    assert problem.fingerprint == reference.fingerprint
    assert bool(problem.notes) == (labels.min() != -1)


def every_function():
    q = A.T @ A
    y = np.sign(B)
    return [
        fcbio.LeastSquares(A, B),
        fcbio.Logistic(A, y),
        fcbio.Huber(A, B, delta=0.5),
        fcbio.Absolute(A, B),
        fcbio.Quantile(A, B, tau=0.3),
        fcbio.Hinge(A, y, average=True),
        fcbio.SquaredHinge(A, y),
        fcbio.SquaredNorm(0.5),
        fcbio.L1Norm(np.linspace(0, 1, 20)),
        fcbio.Linear(np.linspace(0, 1, 20)),
        fcbio.Quadratic(q, 1.0, 2.0),
        fcbio.MaxAffine(A, B),
        fcbio.LogSumExp(A),
    ]


def naive(x):
    u, y = A @ x, np.sign(B)
    r = u - B
    huber = np.where(np.abs(r) <= 0.5, r**2 / 2, 0.5 * np.abs(r) - 0.125)
    c = np.linspace(0, 1, 20)
    return [
        0.5 * r @ r,
        np.log1p(np.exp(-y * u)).sum(),
        huber.sum(),
        np.abs(r).sum(),
        np.maximum(-0.3 * r, 0.7 * r).sum(),
        np.maximum(0, 1 - y * u).mean(),
        0.5 * (np.maximum(0, 1 - y * u) ** 2).sum(),
        0.5 * ((x - 0.5) ** 2).sum(),
        np.abs(x - c).sum(),
        c @ x,
        0.5 * x @ A.T @ A @ x + x.sum() + 2.0,
        (u + B).max(),
        np.log(np.exp(u).sum()),
    ]


def test_every_function_of_the_library_is_a_class():
    x = np.random.default_rng(5).standard_normal(20)
    made = every_function()
    assert {type(f).__name__ for f in made} == set(fcbio._parts.FUNCTION_CLASSES)
    for f, value in zip(made, naive(x)):
        assert fcbio.Problem(f, fcbio.SquaredNorm(), fcbio.Ball(5.0, dimension=20)).values(x)[0] == pytest.approx(value)


def test_sums_and_weights():
    x = np.random.default_rng(6).standard_normal(20)
    total = sum(0.5 * f for f in every_function()) * np.float64(3.0) + 0 * fcbio.SquaredNorm()
    value = fcbio.Problem(total, fcbio.SquaredNorm(), fcbio.Ball(5.0)).values(x)[0]
    assert value == pytest.approx(1.5 * sum(naive(x)))
    with pytest.raises(ValueError, match="weight"):
        -1.0 * fcbio.SquaredNorm()
    with pytest.raises(TypeError):
        fcbio.SquaredNorm() * fcbio.SquaredNorm()
    with pytest.raises(TypeError):
        fcbio.SquaredNorm() + 1.0


SETS = {
    "Ball": fcbio.Ball(1.0, center=0.5),
    "Box": fcbio.Box(-1.0, [1.0, 2.0, 3.0]),
    "Orthant": fcbio.Orthant(4.0),
    "Polyhedron": fcbio.Polyhedron([[1.0, 1.0, 1.0]], upper=2.0, box_lower=0.0, box_upper=1.0),
    "CappedSimplex": fcbio.CappedSimplex(cap=1.0, total=2.0),
    "Simplex": fcbio.Simplex(2.0),
    "L1Ball": fcbio.L1Ball(1.0),
    "NonnegativeBall": fcbio.NonnegativeBall(2.0),
    "Halfspace": fcbio.Halfspace([1.0, 1.0, 1.0], 0.5, 4.0),
    "Affine": fcbio.Affine([[1.0, 1.0, 1.0]], [1.0], 4.0),
    "Intersection": fcbio.Intersection([fcbio.Ball(1.0), fcbio.Box(0.0, 1.0)]),
    "Product": fcbio.Product([fcbio.Ball(1.0, dimension=2), fcbio.Box(0.0, 1.0, dimension=1)]),
    "WholeSpace": fcbio.WholeSpace(9.0),
}


@pytest.mark.parametrize("name", fcbio._parts.SET_CLASSES)
def test_every_set_of_the_library_is_a_class(name, tmp_path):
    if name not in SETS:
        pytest.fail(f"no example for {name}")
    problem = fcbio.Problem(
        fcbio.SquaredNorm([0.3, 0.2, 0.1]), fcbio.LeastSquares([[1.0, 1.0, 0.0]], [1.0]), SETS[name]
    )
    result = problem.minimize(eps_f=1e-4, eps_g=1e-4)
    assert result.status == "certified" and fcbio.verify(problem, result)
    problem.save(tmp_path)
    assert fcbio.load_problem(tmp_path / "PROBLEM.toml").fingerprint == problem.fingerprint


def test_weights_of_rows_are_rows_said_as_often():
    often = fcbio.LeastSquares(np.vstack([A, A[:4]]), np.concatenate([B, B[:4]]))
    weighted = fcbio.LeastSquares(A, B, sample_weights=np.where(np.arange(12) < 4, 2.0, 1.0))
    x = RNG.standard_normal(20)
    results = [
        fcbio.minimize(fcbio.SquaredNorm(center=x), g, fcbio.Ball(50.0), eps_f=1e-7, eps_g=1e-9) for g in (often, weighted)
    ]
    assert all(result.status == "certified" for result in results)
    assert abs(results[0].fun - results[1].fun) < 1e-3
    with pytest.raises(ValueError, match="sample_weights: expected 12 numbers"):
        fcbio.LeastSquares(A, B, sample_weights=[1.0])
    with pytest.raises(ValueError, match="sample_weights"):
        fcbio.LeastSquares(A, B, sample_weights=-np.ones(12))


def test_weights_of_a_norm_choose_the_cheaper_variable():
    g = fcbio.LeastSquares([[1.0, 1.0]], [1.0])
    result = fcbio.minimize(fcbio.L1Norm(weights=[3.0, 1.0]), g, fcbio.Box(-5.0, 5.0), eps_f=1e-6, eps_g=1e-10)
    assert result.status == "certified"
    np.testing.assert_allclose(result.x, [0.0, 1.0], atol=1e-4)


def disc(n):
    return fcbio.UserSet(
        lambda x: x / max(1.0, np.linalg.norm(x)), support=np.linalg.norm, center=np.zeros(n), radius=1.0, name="disc"
    )


def test_sets_made_of_callables_within_others():
    f = fcbio.SquaredNorm([3.0, 0.5, 2.0])
    g = fcbio.LeastSquares([[1.0, -1.0, 0.0]], [0.0])
    for mine, theirs in (
        (
            fcbio.Product([disc(2), fcbio.Box(0.0, 1.0, dimension=1)]),
            fcbio.Product([fcbio.Ball(1.0, dimension=2), fcbio.Box(0.0, 1.0, dimension=1)]),
        ),
        (
            fcbio.Intersection([fcbio.Box(-0.5, 0.6), disc(3)]),
            fcbio.Intersection([fcbio.Box(-0.5, 0.6), fcbio.Ball(1.0)]),
        ),
        (
            fcbio.Product([fcbio.Intersection([disc(2), fcbio.Orthant()]), fcbio.Simplex(dimension=1)]),
            fcbio.Product([fcbio.NonnegativeBall(1.0, dimension=2), fcbio.Simplex(dimension=1)]),
        ),
    ):
        result, exact = (fcbio.minimize(f, g, z, eps_f=1e-5, eps_g=1e-9) for z in (mine, theirs))
        assert result.status == exact.status == "certified"
        np.testing.assert_allclose(result.x, exact.x, atol=2e-3)
        assert "disc" in " ".join(result.certificate["premises"])
        assert "'disc'" in repr(mine)
        with pytest.raises(ValueError, match="callables"):
            fcbio.Problem(f, g, mine).fingerprint
    with pytest.raises(ValueError, match="variables, found 3 from .* and 4 from"):
        fcbio.Problem(f, g, fcbio.Product([disc(2), disc(2)]))


def test_wrong_sets_within_others_are_refused():
    wrong = fcbio.UserSet(lambda x: 0.5 * x, support=np.linalg.norm, center=[0.0, 0.0], radius=1.0, name="odd")
    for whole in (fcbio.Product([wrong, fcbio.Ball(1.0, dimension=1)]), fcbio.Product([disc(1), wrong])):
        with pytest.raises(ValueError, match="odd"):
            fcbio.minimize(fcbio.SquaredNorm(), fcbio.LeastSquares([[1.0, 1.0, 1.0]], [1.0]), whole)

    def fail(x):
        raise KeyError("mine")

    broken = fcbio.UserSet(fail, center=[0.0, 0.0], radius=1.0)
    with pytest.raises(KeyError, match="mine"):
        fcbio.minimize(fcbio.SquaredNorm(), fcbio.LeastSquares([[1.0, 1.0]], [1.0]), fcbio.Intersection([broken]))
