"""Pictures of results, with matplotlib.  Each function draws on the axes given, or on new ones, and returns them."""

from __future__ import annotations

from typing import Any, Iterable, Mapping, Optional, Union

import numpy as np

from ._convert import found
from ._solve import Result

UPPER, LOWER = "#1f5fa8", "#c2571a"


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    return plt.subplots(figsize=(6.4, 4.0), layout="constrained")[1]


def _with_trace(name: str, result: Any) -> Result:
    if not isinstance(result, Result):
        raise TypeError(f"{name}: expected a Result, found {found(result)}")
    if len(result.trace["nit"]) == 0:
        raise ValueError(f"{name}: expected a result with a trace, found one that was read from a file")
    return result


def convergence(result: Union[Result, Mapping[str, Result]], ax: Any = None, *, against: str = "passes") -> Any:
    """Draw the proved gaps of both levels against the work.

    Parameters
    ----------
    result : Result or dict of Result
        One run, or several with their names.
    ax : matplotlib axes, optional
        Where to draw.
    against : {"passes", "nit", "seconds"}
        The horizontal axis.

    Returns
    -------
    matplotlib axes

    Examples
    --------
    >>> import fcbio, matplotlib
    >>> matplotlib.use("Agg")
    >>> result = fcbio.catalogue("min-norm").minimize(options={"engine": "accelerated"})
    >>> fcbio.plot.convergence(result).get_yscale()
    'log'
    """
    if against not in ("passes", "nit", "seconds"):
        raise ValueError(f"against: expected 'passes', 'nit' or 'seconds', found {against!r}")
    runs = {"": result} if isinstance(result, Result) else dict(result)
    runs = {name: _with_trace("result", run) for name, run in runs.items()}
    ax = _axes(ax)
    for number, (name, run) in enumerate(runs.items()):
        suffix = f" ({name})" if name else ""
        style = ("-", "--", ":", "-.")[number % 4]
        work = run.trace[against]
        for key, colour, words in (
            ("upper_excess", UPPER, "$f(x) - f^*$ at most"),
            ("lower_gap", LOWER, "$g(x) - g^*$ at most"),
        ):
            gap = run.trace[key]
            shown = np.isfinite(gap) & (gap > 0)
            ax.plot(work[shown], gap[shown], style, color=colour, marker=".", label=words + suffix)
    first = next(iter(runs.values()))
    for key, colour in (("upper", UPPER), ("lower", LOWER)):
        if first.accuracy[key] == 0:  # relative
            continue
        ax.axhline(first.accuracy[key], color=colour, linewidth=0.8, alpha=0.5)
    ax.set_yscale("log")
    ax.set_xlabel({"passes": "passes over the data", "nit": "iterations", "seconds": "seconds"}[against])
    ax.set_ylabel("bound of the error (lines: accuracy asked for)")
    ax.legend(frameon=False)
    return ax


def bracket(result: Result, ax: Any = None) -> Any:
    """Draw the bracket of f*: its lower bound and f of the best point, against the passes.

    Parameters
    ----------
    result : Result
        One run.
    ax : matplotlib axes, optional
        Where to draw.

    Returns
    -------
    matplotlib axes
    """
    run = _with_trace("result", result)
    ax = _axes(ax)
    work, low, high = (run.trace[key] for key in ("passes", "bracket_low", "bracket_high"))
    ax.plot(work, np.where(np.isfinite(high), high, np.nan), color=UPPER, marker=".", label="f of the best point")
    ax.plot(work, np.where(np.isfinite(low), low, np.nan), color=LOWER, marker=".", label="lower bound of $f^*$")
    both = np.isfinite(low) & np.isfinite(high)
    ax.fill_between(work[both], low[both], high[both], color=UPPER, alpha=0.12, linewidth=0)
    proved: Optional[float] = run.certificate["upper_lower_bound"]
    if proved is not None:
        ax.axhline(proved, color="0.4", linewidth=0.8, linestyle="--", label="proved: $f^*$ is above")
    ax.set_xlabel("passes over the data")
    ax.set_ylabel("upper objective f")
    ax.legend(frameon=False)
    return ax


def tradeoff(points: Iterable[Any], ax: Any = None) -> Any:
    """Draw what slack in g buys in f.

    Parameters
    ----------
    points : iterable
        Results (each with its own eps_g), pairs (g, f), or the `tradeoff_` of a FairClassifier.
    ax : matplotlib axes, optional
        Where to draw.

    Returns
    -------
    matplotlib axes
    """
    pairs = []
    for point in points:
        if isinstance(point, Result):
            pairs.append((point.lower_fun, point.fun))
        elif isinstance(point, Mapping):
            pairs.append((float(point["loss"]), float(point["unfairness"])))
        else:
            lower, upper = point
            pairs.append((float(lower), float(upper)))
    if not pairs:
        raise ValueError("points: expected at least one, found none")
    ax = _axes(ax)
    lower, upper = np.array(sorted(pairs)).T
    ax.plot(lower, upper, color=UPPER, marker="o")
    ax.set_xlabel("lower objective g")
    ax.set_ylabel("upper objective f")
    return ax
