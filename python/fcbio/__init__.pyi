# What the package offers.  The classes of functions and sets are made at run time from the library's table of kinds;
# a test compares them with what stands here.
from collections.abc import Sequence
from typing import Any, Union

from numpy.typing import ArrayLike

from . import plot as plot
from . import sklearn as sklearn
from ._convert import ConversionWarning as ConversionWarning
from ._convert import Operator as _Operator
from ._convert import operator_map as operator
from ._core import __version__ as __version__
from ._parts import Function as Function
from ._parts import Set as Set
from ._parts import UserFunction as UserFunction
from ._parts import UserSet as UserSet
from ._solve import Comparison as Comparison
from ._solve import Problem as Problem
from ._solve import Progress as Progress
from ._solve import Result as Result
from ._solve import Verification as Verification
from ._solve import catalogue as catalogue
from ._solve import compare as compare
from ._solve import hard_instance as hard_instance
from ._solve import load_problem as load_problem
from ._solve import methods as methods
from ._solve import minimize as minimize
from ._solve import problems as problems
from ._solve import verify as verify

# Arrays, sparse matrices (any object with `tocsr`) and linear operators, which have no common type.
Data = Union[ArrayLike, _Operator, Any]

class LeastSquares(Function):
    def __init__(
        self,
        data: Data,
        target: ArrayLike,
        average: bool = ...,
        sample_weights: ArrayLike | None = ...,
        *,
        lower_bound: float | None = ...,
    ) -> None: ...

class Logistic(Function):
    def __init__(
        self,
        data: Data,
        target: ArrayLike,
        average: bool = ...,
        sample_weights: ArrayLike | None = ...,
        *,
        lower_bound: float | None = ...,
    ) -> None: ...

class Huber(Function):
    def __init__(
        self,
        data: Data,
        target: ArrayLike,
        average: bool = ...,
        delta: float = ...,
        sample_weights: ArrayLike | None = ...,
        *,
        lower_bound: float | None = ...,
    ) -> None: ...

class Absolute(Function):
    def __init__(
        self,
        data: Data,
        target: ArrayLike,
        average: bool = ...,
        sample_weights: ArrayLike | None = ...,
        *,
        lower_bound: float | None = ...,
    ) -> None: ...

class Quantile(Function):
    def __init__(
        self,
        data: Data,
        target: ArrayLike,
        average: bool = ...,
        tau: float = ...,
        sample_weights: ArrayLike | None = ...,
        *,
        lower_bound: float | None = ...,
    ) -> None: ...

class Hinge(Function):
    def __init__(
        self,
        data: Data,
        target: ArrayLike,
        average: bool = ...,
        sample_weights: ArrayLike | None = ...,
        *,
        lower_bound: float | None = ...,
    ) -> None: ...

class SquaredHinge(Function):
    def __init__(
        self,
        data: Data,
        target: ArrayLike,
        average: bool = ...,
        sample_weights: ArrayLike | None = ...,
        *,
        lower_bound: float | None = ...,
    ) -> None: ...

class SquaredNorm(Function):
    def __init__(
        self, center: ArrayLike | None = ..., weights: ArrayLike | None = ..., *, lower_bound: float | None = ...
    ) -> None: ...

class L1Norm(Function):
    def __init__(
        self, center: ArrayLike | None = ..., weights: ArrayLike | None = ..., *, lower_bound: float | None = ...
    ) -> None: ...

class Linear(Function):
    def __init__(self, coefficients: ArrayLike, *, lower_bound: float | None = ...) -> None: ...

class Quadratic(Function):
    def __init__(
        self,
        matrix: Data,
        coefficients: ArrayLike | None = ...,
        constant: float = ...,
        *,
        lower_bound: float | None = ...,
    ) -> None: ...

class MaxAffine(Function):
    def __init__(self, data: Data, target: ArrayLike | None = ..., *, lower_bound: float | None = ...) -> None: ...

class LogSumExp(Function):
    def __init__(self, data: Data, target: ArrayLike | None = ..., *, lower_bound: float | None = ...) -> None: ...

class Ball(Set):
    def __init__(self, radius: float, center: ArrayLike | None = ..., *, dimension: int | None = ...) -> None: ...

class Box(Set):
    def __init__(
        self, lower: ArrayLike, upper: ArrayLike, radius: float | None = ..., *, dimension: int | None = ...
    ) -> None: ...

class Orthant(Set):
    def __init__(self, radius: float | None = ..., *, dimension: int | None = ...) -> None: ...

class Polyhedron(Set):
    def __init__(
        self,
        matrix: Data,
        lower: ArrayLike | None = ...,
        upper: ArrayLike | None = ...,
        box_lower: ArrayLike | None = ...,
        box_upper: ArrayLike | None = ...,
        radius: float | None = ...,
        *,
        dimension: int | None = ...,
    ) -> None: ...

class CappedSimplex(Set):
    def __init__(self, cap: float, total: float = ..., *, dimension: int | None = ...) -> None: ...

class Simplex(Set):
    def __init__(self, total: float = ..., *, dimension: int | None = ...) -> None: ...

class L1Ball(Set):
    def __init__(self, radius: float, center: ArrayLike | None = ..., *, dimension: int | None = ...) -> None: ...

class NonnegativeBall(Set):
    def __init__(self, radius: float, *, dimension: int | None = ...) -> None: ...

class Halfspace(Set):
    def __init__(
        self, coefficients: ArrayLike, value: float, radius: float | None = ..., *, dimension: int | None = ...
    ) -> None: ...

class Affine(Set):
    def __init__(
        self, matrix: Data, values: ArrayLike, radius: float | None = ..., *, dimension: int | None = ...
    ) -> None: ...

class Intersection(Set):
    def __init__(self, sets: Sequence[Set], *, dimension: int | None = ...) -> None: ...

class Product(Set):
    def __init__(self, sets: Sequence[Set], *, dimension: int | None = ...) -> None: ...

class WholeSpace(Set):
    def __init__(self, radius: float | None = ..., *, dimension: int | None = ...) -> None: ...
