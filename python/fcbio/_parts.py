"""Functions and sets.  The classes are made from the table of kinds of the library, one for each kind."""

from __future__ import annotations

import inspect
from typing import Any, Callable, Iterable, Optional

from . import _core
from ._convert import (
    Operator,
    as_callable,
    as_count,
    as_flag,
    as_matrix,
    as_number,
    as_text,
    as_vector,
    found,
)
from ._docs import FUNCTIONS, SETS


class Function:
    """A convex function: a weighted sum of terms.  Add functions with ``+``, weight them with ``*``.

    Examples
    --------
    >>> import fcbio
    >>> fcbio.SquaredNorm() + 0.5 * fcbio.L1Norm()
    squared-norm + 0.5 * l1-norm
    """

    _terms: tuple[Any, ...] = ()

    @classmethod
    def _of(cls, terms: Iterable[Any]) -> "Function":
        made = Function.__new__(Function)
        made._terms = tuple(terms)
        return made

    def __add__(self, other: Any) -> "Function":
        if isinstance(other, (int, float)) and not isinstance(other, bool) and other == 0:
            return self  # so that sum() works
        if not isinstance(other, Function):
            return NotImplemented
        return Function._of(self._terms + other._terms)

    __radd__ = __add__

    def __mul__(self, weight: Any) -> "Function":
        if isinstance(weight, Function):
            return NotImplemented
        factor = as_number("weight", weight, least=0.0)
        return Function._of(term.scaled(factor) for term in self._terms)

    __rmul__ = __mul__
    __array_ufunc__ = None  # so that numpy_number * function comes here

    def __repr__(self) -> str:
        return " + ".join(term.words for term in self._terms)


class Set:
    """A convex set."""

    _domain: Any = None

    def __repr__(self) -> str:
        return str(self._domain.words)


def as_function(name: str, value: Any) -> Function:
    """Return a function, or refuse."""
    if not isinstance(value, Function) or not value._terms:
        raise TypeError(f"{name}: expected a function such as fcbio.LeastSquares(A, b), found {found(value)}")
    return value


def as_set(name: str, value: Any) -> Set:
    """Return a set, or refuse."""
    if not isinstance(value, Set) or value._domain is None:
        raise TypeError(f"{name}: expected a set such as fcbio.Ball(1.0), found {found(value)}")
    return value


def _as_members(name: str, value: Any) -> list[Any]:
    if isinstance(value, Set) or not isinstance(value, (list, tuple)):
        raise TypeError(f"{name}: expected a list of sets, found {found(value)}")
    return [as_set(f"{name}[{i}]", member)._domain for i, member in enumerate(value)]


#: What is done with an argument, by the sort of its field.
_CONVERSIONS: dict[str, Callable[[str, Any], Any]] = {
    "matrix": as_matrix,
    "equations": as_matrix,
    "target": as_vector,
    "labels": as_vector,
    "values": as_vector,
    "flag": as_flag,
    "number": as_number,
    "radius": lambda name, value: as_number(name, value, least=0.0),
    "vector": lambda name, value: as_vector(name, value, scalar=True),
    "open vector": lambda name, value: as_vector(name, value, scalar=True, infinite=True),
    "sets": _as_members,
}


def _converted(fields: list[Any], values: dict[str, Any]) -> dict[str, Any]:
    return {
        key: _CONVERSIONS[sort](key, values[key])
        for key, sort, required, _ in fields
        if required or values[key] is not None
    }


def camel_case(kind: str) -> str:
    """Return the name of the class of a kind: "l1-norm" is L1Norm."""
    return "".join(word.capitalize() for word in kind.split("-"))


def _signature(fields: list[Any], extra: list[inspect.Parameter]) -> inspect.Signature:
    ordered = sorted(fields, key=lambda field: not field[2])  # those that must be given come first
    parameters = [
        inspect.Parameter(
            key,
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
            default=inspect.Parameter.empty if required else fallback,
        )
        for key, _, required, fallback in ordered
    ]
    return inspect.Signature(parameters + extra)


def _keyword(name: str, default: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)


def _bind(name: str, signature: inspect.Signature, args: Any, kwargs: Any) -> dict[str, Any]:
    try:
        bound = signature.bind(*args, **kwargs)
    except TypeError as error:
        raise TypeError(f"{name}{signature}: {error}") from None
    bound.apply_defaults()
    return dict(bound.arguments)


def _function_class(kind: str, fields: list[Any]) -> type[Function]:
    name = camel_case(kind)
    signature = _signature(fields, [_keyword("lower_bound", None)])

    def __init__(self: Function, *args: Any, **kwargs: Any) -> None:
        values = _bind(name, signature, args, kwargs)
        told = values["lower_bound"]
        arguments = _converted(fields, values)
        operator = arguments.get("data")
        if isinstance(operator, Operator):
            arguments["data"] = operator.core.matrix
        part = _core.make_part(kind, arguments, 1.0, None if told is None else as_number("lower_bound", told))
        if isinstance(operator, Operator):
            part = part.told_failures_of(operator.core)
        self._terms = (part,)

    made: type[Function] = _finish(name, Function, __init__, signature, FUNCTIONS.get(kind, f"The function `{kind}`."))
    return made


def _set_class(kind: str, fields: list[Any]) -> type[Set]:
    name = camel_case(kind)
    signature = _signature(fields, [_keyword("dimension", None)])

    def __init__(self: Set, *args: Any, **kwargs: Any) -> None:
        values = _bind(name, signature, args, kwargs)
        n = values["dimension"]
        dimension = 0 if n is None else as_count("dimension", n, most=2**31 - 1)
        arguments = _converted(fields, values)
        if isinstance(arguments.get("matrix"), Operator):
            raise TypeError("matrix: expected numbers, found a linear operator")
        self._domain = _core.make_domain(kind, arguments, dimension)

    made: type[Set] = _finish(name, Set, __init__, signature, SETS.get(kind, f"The set `{kind}`."))
    return made


def _finish(name: str, base: type, init: Any, signature: inspect.Signature, text: str) -> Any:
    made = type(name, (base,), {"__init__": init, "__doc__": text, "__module__": "fcbio"})
    made.__signature__ = signature  # type: ignore[attr-defined]
    return made


class UserFunction(Function):
    """A convex function known by a callable.

    Parameters
    ----------
    fun : callable
        ``fun(x) -> (value, gradient)``; a subgradient where there is no gradient.
    dimension : int, optional
        Number of variables, where nothing else tells it.
    smoothness, lipschitz : float, optional
        A Lipschitz constant of the gradient, and of the function: what you vouch for.
    lower_bound : float, optional
        A known lower bound of the function.
    strong_convexity : float
        m >= 0 with f(y) >= f(x) + <f'(x), y - x> + m/2 abs(y - x)^2.
    prox : callable, optional
        ``prox(x, step)``, the minimiser over z of step f(z) + 1/2 abs(z - x)^2.
    hessp : callable, optional
        ``hessp(x, v)``, the Hessian at x times v. With it, and up to 200 variables, the default is Newton's method.
        Products at a few points of the domain are compared with each other and with the gradients before the solve.
    differentiable : bool
        Whether the gradient exists everywhere, where neither `smoothness` nor `hessp` is given.
    name : str
        For messages.

    Notes
    -----
    While a method runs, the linearisations of the function are compared with each other; a violation of convexity
    ends the run with the status ``not_convex``, and nothing is claimed.

    Examples
    --------
    >>> import numpy as np, fcbio
    >>> f = fcbio.UserFunction(lambda x: (0.5 * x @ x, x), smoothness=1.0, strong_convexity=1.0, lower_bound=0.0)
    >>> g = fcbio.LeastSquares([[1.0, 1.0]], [1.0])
    >>> fcbio.minimize(f, g, fcbio.Ball(10.0)).status
    'certified'
    """

    def __init__(
        self,
        fun: Callable[..., Any],
        *,
        dimension: Optional[int] = None,
        smoothness: Optional[float] = None,
        lipschitz: Optional[float] = None,
        lower_bound: Optional[float] = None,
        strong_convexity: float = 0.0,
        prox: Optional[Callable[..., Any]] = None,
        hessp: Optional[Callable[..., Any]] = None,
        differentiable: bool = False,
        name: str = "user",
    ) -> None:
        def positive(key: str, value: Any) -> Optional[float]:
            return None if value is None else as_number(key, value, least=0.0)

        part = _core.user_part(
            as_text("name", name),
            as_callable("fun", fun),
            0 if dimension is None else as_count("dimension", dimension, most=2**31 - 1),
            positive("smoothness", smoothness),
            positive("lipschitz", lipschitz),
            None if lower_bound is None else as_number("lower_bound", lower_bound),
            as_number("strong_convexity", strong_convexity, least=0.0),
            None if prox is None else as_callable("prox", prox),
            None if hessp is None else as_callable("hessp", hessp),
            as_flag("differentiable", differentiable),
        )
        self._terms = (part,)

    def check(self, center: Any, radius: float) -> list[tuple[str, list[Any]]]:
        """Test what was told, on a ball on which the function is finite.

        Parameters
        ----------
        center : array_like, shape (n,)
            Of the ball.
        radius : float
            Greater than 0.

        Returns
        -------
        list of tuple
            The mistakes found, each in words with the points; none is no proof that there are none.

        Examples
        --------
        >>> import fcbio
        >>> fcbio.UserFunction(lambda x: (0.5 * x @ x, x)).check([0.0, 0.0], 1.0)
        []
        >>> fcbio.UserFunction(lambda x: (0.5 * x @ x, -x)).check([0.0, 0.0], 1.0) != []
        True
        """
        mistakes = _core.check_function(
            self._terms[0], as_vector("center", center), as_number("radius", radius, least=0.0, above=True)
        )
        return list(mistakes)


class UserSet(Set):
    """A convex set known by callables.

    Parameters
    ----------
    project : callable
        ``project(x)``, the nearest point of the set.
    support : callable, optional
        ``support(d)``, the maximum of <d, z> over the set; may be too high, never too low: proofs rest on it.
    minimize_linear : callable, optional
        ``minimize_linear(d)``, a point of the set with the least <d, z>; serves in the place of `support`.
    center : array_like
        Of a ball that contains the set.
    radius : float
        Of that ball.
    violation : callable, optional
        ``violation(x)``, 0 for a member, else at least the distance to the set.
    name : str
        For messages.

    Notes
    -----
    The set is tested before it is used; what is found is raised as ValueError.

    Examples
    --------
    >>> import numpy as np, fcbio
    >>> disc = fcbio.UserSet(lambda x: x / max(1.0, np.linalg.norm(x)), support=np.linalg.norm, center=[0, 0], radius=1)
    >>> f, g = fcbio.SquaredNorm(), fcbio.LeastSquares([[1.0, 1.0]], [1.0])
    >>> fcbio.minimize(f, g, disc).status
    'certified'
    """

    def __init__(
        self,
        project: Callable[..., Any],
        *,
        center: Any,
        radius: float,
        support: Optional[Callable[..., Any]] = None,
        minimize_linear: Optional[Callable[..., Any]] = None,
        violation: Optional[Callable[..., Any]] = None,
        name: str = "user",
    ) -> None:
        middle = as_vector("center", center)
        self._domain = _core.user_domain(
            as_text("name", name),
            len(middle),
            as_callable("project", project),
            None if support is None else as_callable("support", support),
            None if minimize_linear is None else as_callable("minimize_linear", minimize_linear),
            middle,
            as_number("radius", radius, least=0.0),
            None if violation is None else as_callable("violation", violation),
        )

    def check(self) -> list[tuple[str, list[Any]]]:
        """Test what was told.

        Returns
        -------
        list of tuple
            The mistakes found, each in words with the points; none is no proof that there are none.
        """
        return list(_core.check_set(self._domain))


FUNCTION_CLASSES = {camel_case(kind): _function_class(kind, fields) for kind, fields in _core.kinds_of_functions()}
SET_CLASSES = {camel_case(kind): _set_class(kind, fields) for kind, fields in _core.kinds_of_sets()}
