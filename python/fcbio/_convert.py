"""Arrays and numbers of callers, checked: every refusal names the argument, what was expected and what was found."""

from __future__ import annotations

import math
import numbers
import operator
import warnings
from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

from . import _core

Array = NDArray[np.float64]


class ConversionWarning(UserWarning):
    """Data had to be copied into double precision."""


def found(value: Any) -> str:
    """Say what a value is, in a few words."""
    if value is None:
        return "None"
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape} and dtype {value.dtype}"
    if isinstance(value, (str, bytes, bool, int, float, complex)):
        text = repr(value)
        return text if len(text) < 60 else f"a {type(value).__name__} of length {len(value)}"  # type: ignore[arg-type]
    return f"{type(value).__module__}.{type(value).__qualname__}".replace("builtins.", "")


def as_number(name: str, value: Any, *, least: float = -math.inf, above: bool = False, finite: bool = True) -> float:
    """Return a real number not below `least` (`above`: greater than it)."""
    rule = "" if least == -math.inf else f" {'>' if above else '>='} {least:g}"
    expected = f"{name}: expected a {'finite ' if finite else ''}number{rule}"
    if isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{expected}, found {found(value)}")
    if isinstance(value, np.ndarray) and value.ndim == 0 and value.dtype.kind in "fiu":
        value = value.item()
    if not isinstance(value, (numbers.Real, np.floating, np.integer)):
        raise TypeError(f"{expected}, found {found(value)}")
    try:
        number = float(value)
    except OverflowError:
        raise ValueError(f"{expected}, found an integer beyond the range of floats") from None
    if math.isnan(number) or (finite and math.isinf(number)) or number < least or (above and number == least):
        raise ValueError(f"{expected}, found {number!r}")
    return number


def as_count(name: str, value: Any, *, least: int = 1, most: int = 2**63 - 1) -> int:
    """Return an integer between two limits."""
    expected = f"{name}: expected an integer from {least} to {most}"
    if isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{expected}, found {found(value)}")
    try:
        count = operator.index(value)
    except TypeError:
        raise TypeError(f"{expected}, found {found(value)}") from None
    if not least <= count <= most:
        raise ValueError(f"{expected}, found {count}")
    return count


def as_flag(name: str, value: Any) -> bool:
    """Return a truth value; numbers are not taken for one."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name}: expected True or False, found {found(value)}")
    return bool(value)


def as_text(name: str, value: Any) -> str:
    """Return a string."""
    if not isinstance(value, str):
        raise TypeError(f"{name}: expected a string, found {found(value)}")
    return value


def as_callable(name: str, value: Any) -> Any:
    """Return something that can be called."""
    if not callable(value):
        raise TypeError(f"{name}: expected a callable, found {found(value)}")
    return value


def _numbers(name: str, value: Any, expected: str) -> NDArray[Any]:
    if value is None or isinstance(value, (str, bytes, dict, set)):
        raise TypeError(f"{name}: expected {expected}, found {found(value)}")
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError(f"{name}: expected {expected}, found a masked array; fill it first")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            array = np.asarray(value)
    except Exception as error:
        raise TypeError(f"{name}: expected {expected}, found {found(value)} ({error})") from None
    if array.dtype.kind not in "fiub" or array.dtype.itemsize > 8:
        raise TypeError(f"{name}: expected {expected} in double precision, found {found(array)}")
    return array


def _require_finite(name: str, array: Array) -> None:
    if np.isfinite(array).all():
        return
    place = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
    raise ValueError(
        f"{name}: expected finite numbers, found {array[place]} at {place if len(place) > 1 else place[0]}"
    )


def as_vector(name: str, value: Any, *, scalar: bool = False, infinite: bool = False) -> Array:
    """Return a vector of its own; with `scalar` a number becomes one of length 1."""
    expected = "a number or a vector of numbers" if scalar else "a vector of numbers"
    array = _numbers(name, value, expected)
    if array.ndim == 0 and scalar:
        array = array.reshape(1)
    if array.ndim != 1 or array.size == 0:
        raise ValueError(f"{name}: expected {expected}, found {found(array)}")
    vector = np.array(array, dtype=np.float64, order="C")
    if not infinite:
        _require_finite(name, vector)
    elif np.isnan(vector).any():
        raise ValueError(f"{name}: expected numbers or infinities, found nan at {int(np.argmax(np.isnan(vector)))}")
    return vector


def _is_sparse(value: Any) -> bool:
    # Duck typing: SciPy need not be there, and need not be imported for those who do not use it.
    return hasattr(value, "tocsr") and hasattr(value, "nnz") and hasattr(value, "shape")


def _is_operator(value: Any) -> bool:
    return hasattr(value, "matvec") and hasattr(value, "rmatvec") and hasattr(value, "shape")


def _as_sparse(name: str, value: Any) -> _core.Matrix:
    expected = f"{name}: expected a sparse matrix of numbers"
    if len(value.shape) != 2 or min(value.shape) < 1:
        raise ValueError(f"{expected} that is not empty, found shape {tuple(value.shape)}")
    if max(value.shape) > 2**31 - 1:
        raise ValueError(f"{expected} with at most 2147483647 rows and columns, found shape {tuple(value.shape)}")
    kind = np.dtype(value.dtype)
    if kind.kind not in "fiub" or kind.itemsize > 8:
        raise TypeError(f"{expected} in double precision, found dtype {kind}")
    if kind == np.float32:
        warnings.warn(f"{name}: float32 data is copied to double precision", ConversionWarning, stacklevel=5)
    try:
        if getattr(value, "format", None) == "coo":
            return _borrow_triples(value)
        if getattr(value, "format", None) == "csc":
            return _borrow_lines(value, by_rows=False)
        return _borrow_rows(_as_csr(value, expected))
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def _as_csr(value: Any, expected: str) -> Any:
    try:
        return value.tocsr()  # CSR: the same object, no copy
    except Exception as error:
        raise ValueError(f"{expected}, found one that cannot be converted to CSR ({error})") from None


def _places(indices: Any, count: int, what: str) -> NDArray[np.int32]:
    """Return indices as the solver holds them: 32 bits are enough for all that fit."""
    array = np.asarray(indices)
    if array.dtype != np.int32:
        if len(array) and (int(array.max()) > 2**31 - 1 or int(array.min()) < 0):
            raise ValueError(f"expected {what} indices from 0 to {count - 1}, found others")
        array = array.astype(np.int32)
    return np.ascontiguousarray(array)


def _values(data: Any) -> Array:
    values = np.asarray(data)
    if values.ndim != 1:
        raise ValueError(f"expected stored values of one dimension, found {found(values)}")
    return np.ascontiguousarray(values, dtype=np.float64)


def _lines(matrix: Any, by_rows: bool) -> tuple[NDArray[np.int64], NDArray[np.int32], Array]:
    """Return starts, places and values; SciPy allows arrays that are longer than what is stored."""
    lines, across = ("row", "column") if by_rows else ("column", "row")
    starts = np.ascontiguousarray(matrix.indptr, dtype=np.int64)
    count = int(starts[-1]) if len(starts) else 0
    places = _places(matrix.indices, matrix.shape[1 if by_rows else 0], across)
    values = _values(matrix.data)
    if count < 0 or count > len(values) or count > len(places):
        raise ValueError(f"expected {lines} starts from 0 to the number of stored values")
    return starts, places[:count], values[:count]


def _borrow_rows(rows: Any) -> _core.Matrix:
    starts, columns, values = _lines(rows, True)
    try:
        return _core.borrow_csr(int(rows.shape[0]), int(rows.shape[1]), starts, columns, values)
    except ValueError:
        # SciPy allows columns out of order and repeated ones; what is wrong otherwise is told here again.
        return _borrow_lines(rows, by_rows=True)


def _borrow_lines(matrix: Any, by_rows: bool) -> _core.Matrix:
    return _core.borrow_lines(int(matrix.shape[0]), int(matrix.shape[1]), by_rows, *_lines(matrix, by_rows))


def _borrow_triples(matrix: Any) -> _core.Matrix:
    rows, cols = (int(side) for side in matrix.shape)
    row_of, column_of = _places(matrix.row, rows, "row"), _places(matrix.col, cols, "column")
    return _core.borrow_triples(rows, cols, row_of, column_of, _values(matrix.data))


class Operator:
    """A linear operator and a bound of its norm; see :func:`fcbio.operator`."""

    def __init__(self, linear_operator: Any, norm: Optional[float] = None) -> None:
        if not _is_operator(linear_operator):
            raise TypeError(
                "linear_operator: expected a scipy.sparse.linalg.LinearOperator (shape, matvec, rmatvec), "
                f"found {found(linear_operator)}"
            )
        rows, cols = (as_count("linear_operator.shape", side, most=2**31 - 1) for side in linear_operator.shape)
        if np.dtype(linear_operator.dtype or np.float64).kind == "c":
            raise TypeError("linear_operator: expected a real operator, found a complex one")
        self.shape = (rows, cols)
        if norm is None:
            norm = self._frobenius(linear_operator)
        bound = as_number("norm", norm, least=0.0)
        self.core = _core.borrow_operator(rows, cols, linear_operator.matvec, linear_operator.rmatvec, bound * bound)

    def _frobenius(self, linear_operator: Any) -> float:
        rows, cols = self.shape
        if min(rows, cols) > 2000:
            raise ValueError(
                "norm: expected an upper bound of the largest singular value, because the operator is too large "
                "to find one, found None"
            )
        count, product = (cols, linear_operator.matvec) if cols <= rows else (rows, linear_operator.rmatvec)
        unit = np.zeros(count)
        squares = 0.0
        for i in range(count):
            unit[i] = 1.0
            squares += float(np.sum(np.square(np.asarray(product(unit.copy()), dtype=np.float64))))
            unit[i] = 0.0
        # The sum of N squares is off by a part N epsilon at most.
        return math.sqrt(squares) * (1.0 + (rows * cols + 8) * 2.3e-16)


def operator_map(linear_operator: Any, norm: Optional[float] = None) -> Operator:
    """Make a linear operator the data of a function.

    Parameters
    ----------
    linear_operator : scipy.sparse.linalg.LinearOperator
        Anything with ``shape``, ``matvec`` and ``rmatvec``.
    norm : float, optional
        An upper bound of its largest singular value, which proofs rest on.  Without it the Frobenius norm is found
        by min(shape) products (at most 2000).

    Returns
    -------
    Operator
        To be given as `data`.  Problems with one can be solved, but neither saved nor verified.

    Examples
    --------
    >>> import numpy as np, fcbio
    >>> from scipy.sparse.linalg import aslinearoperator
    >>> a = fcbio.operator(aslinearoperator(np.array([[1.0, 2.0, 0.0], [0.0, 1.0, -1.0]])), norm=2.5)
    >>> fcbio.minimize(fcbio.SquaredNorm(), fcbio.LeastSquares(a, [1.0, 2.0]), fcbio.Ball(10.0)).status
    'certified'
    """
    return Operator(linear_operator, norm)


def as_matrix(name: str, value: Any) -> Any:
    """Return a `_core.Matrix` (or an Operator) that borrows the data where that is possible."""
    if isinstance(value, (_core.Matrix, Operator)):
        return value
    if _is_sparse(value):
        return _as_sparse(name, value)
    if _is_operator(value):
        return Operator(value)
    array = _numbers(name, value, "a matrix of numbers")
    if array.ndim != 2 or array.size == 0:
        raise ValueError(f"{name}: expected a matrix (2 dimensions, not empty), found {found(array)}")
    if max(array.shape) > 2**31 - 1:
        raise ValueError(f"{name}: expected at most 2147483647 rows and columns, found {found(array)}")
    if array.dtype == np.float32:
        warnings.warn(f"{name}: float32 data is copied to double precision", ConversionWarning, stacklevel=5)
    dense = np.asarray(array, dtype=np.float64)
    if not dense.dtype.isnative or not _has_lines(dense):
        dense = np.array(dense, dtype=np.float64, order="C")
    _require_finite_by_blocks(name, dense)
    return _core.borrow_dense(dense)


def _has_lines(array: Array) -> bool:
    """Whether rows or columns are without gaps and do not overlap."""
    (rows, cols), (down, right) = array.shape, array.strides
    if not array.flags.aligned or down % 8 or right % 8:
        return False
    return (right == 8 and down >= 8 * cols) or (down == 8 and right >= 8 * rows)


def _require_finite_by_blocks(name: str, array: Array) -> None:
    # Blocks, so that the flags of a large array take no memory worth speaking of.
    by_rows = array.strides[0] >= array.strides[1]
    lines = array if by_rows else array.T
    step = max(1, 2**20 // max(1, lines.shape[1]))
    for first in range(0, lines.shape[0], step):
        block = lines[first : first + step]
        if np.isfinite(block).all():
            continue
        line, place = (int(i) for i in np.argwhere(~np.isfinite(block))[0])
        row, column = (first + line, place) if by_rows else (place, first + line)
        raise ValueError(f"{name}: expected finite numbers, found {array[row, column]} at row {row}, column {column}")
