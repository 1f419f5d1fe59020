"""Certified convex simple bilevel optimization.

Among all minimisers of a lower objective g over a convex set Z, find the one that is best for an upper objective f;
every answer carries bounds on both errors that an independent checker re-proves.

>>> import numpy as np, fcbio
>>> A = np.array([[1.0, 2.0, 0.0], [0.0, 1.0, -1.0]])
>>> result = fcbio.minimize(upper=fcbio.SquaredNorm(), lower=fcbio.LeastSquares(A, [1.0, 2.0]), domain=fcbio.Ball(10.0))
>>> result.success, bool(fcbio.verify(result))
(True, True)
"""

from ._convert import ConversionWarning
from ._convert import operator_map as operator
from ._core import __version__
from ._parts import FUNCTION_CLASSES, SET_CLASSES, Function, Set, UserFunction, UserSet
from ._solve import (
    Comparison,
    Problem,
    Progress,
    Result,
    Verification,
    catalogue,
    compare,
    hard_instance,
    load_problem,
    methods,
    minimize,
    problems,
    verify,
)

globals().update(FUNCTION_CLASSES)
globals().update(SET_CLASSES)

__all__ = [
    "Comparison",
    "ConversionWarning",
    "Function",
    "Problem",
    "Progress",
    "Result",
    "Set",
    "UserFunction",
    "UserSet",
    "Verification",
    "__version__",
    "catalogue",
    "compare",
    "hard_instance",
    "load_problem",
    "methods",
    "minimize",
    "operator",
    "problems",
    "verify",
    *FUNCTION_CLASSES,
    *SET_CLASSES,
]


def __getattr__(name: str) -> object:
    # Loaded when they are asked for: matplotlib and scikit-learn take a while, and need not be there.
    if name in ("plot", "sklearn"):
        import importlib

        return importlib.import_module(f"fcbio.{name}")
    raise AttributeError(f"module 'fcbio' has no attribute {name!r}")
